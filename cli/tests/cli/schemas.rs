//! What commands write with `--json` against their schemas, by an independent validator.

use crate::support::Folder;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::process::Command;

/// Whether a value is the output of a command, as its schema says it, without a member that the schema does not name.
pub(crate) fn is_valid(command: &str, value: &Value) -> bool {
    closed_validator(schema(command)).is_valid(value)
}

/// Expects that the values are outputs of the command of a line, if that command writes JSON of its own.
pub(crate) fn expect_valid(line: &str, values: &[Value]) {
    let command = command_of(line);
    if command == "schema" && values.iter().all(|value| value.get("$schema").is_some()) {
        return;
    }
    for value in values {
        assert!(is_valid(&command, value), "{line}: the schema of `{command}` refuses {value:#}");
    }
}

/// The command of a line: its first word, or two where the first names a group.
fn command_of(line: &str) -> String {
    let words =
        if ["grammars", "store", "tools", "vocab"].iter().any(|group| line.starts_with(&format!("{group} ")))
        {
            2
        } else {
            1
        };
    line.split(' ').take(words).collect::<Vec<_>>().join(" ")
}

/// The schema that `gcc-grammar schema` prints.
fn schema(command: &str) -> Value {
    // This command writes a schema or a failure, which all commands have in common.
    let command = if command == "schema" { "key" } else { command };
    let output =
        Command::new(env!("CARGO_BIN_EXE_gcc-grammar")).arg("schema").args(command.split(' ')).output();
    let output = output.expect("the binary runs").stdout;
    serde_json::from_slice(&output).unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Validates by a schema whose objects have no other members than it names: published schemas admit members of later versions.
fn closed_validator(mut schema: Value) -> Validator {
    close(&mut schema);
    jsonschema::draft202012::new(&schema).expect("a schema")
}

fn close(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members
                .get("properties")
                .is_some_and(|properties| properties.get("type").is_none_or(|kind| !kind.is_string()))
            {
                members.insert("additionalProperties".to_owned(), false.into());
            }
        }
        _ => {}
    }
}

#[test]
fn a_schema_refuses_other_outputs() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    let mask = folder.succeed(&["mask", "a.gcg", "--vocab", "tiny", "--json"]).json();
    assert!(is_valid("mask", &mask) && !is_valid("complete", &mask), "{mask}");
    for (pointer, other) in [("/version", json!(2)), ("/count", json!("2")), ("/ranges/0/first", json!(null))]
    {
        let mut changed = mask.clone();
        *changed.pointer_mut(pointer).expect(pointer) = other;
        assert!(!is_valid("mask", &changed), "{pointer}");
    }
    let mut more = mask;
    more["more"] = json!(1);
    assert!(!is_valid("mask", &more));
    assert!(
        jsonschema::draft202012::new(&schema("mask")).expect("a schema").is_valid(&more),
        "members may be added"
    );
}

#[test]
fn every_command_that_takes_json_has_a_schema() {
    let folder = Folder::new();
    let help = folder.run(&["schema", "nothing"]);
    let (_, names) = help.stderr.split_once("the commands that do are: ").expect(&help.stderr);
    for name in names.trim().split(", ") {
        let schema = schema(name);
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(schema["$defs"]["failure"].is_object(), "{name}");
    }
}

#[test]
fn a_report_has_the_form_of_its_schema() {
    let folder = Folder::new();
    folder.write(
        "list.jsonl",
        "{\"id\": 1, \"schema\": {\"type\": \"integer\"}}\n{\"id\": \"b\", \"schema\": 7}\n",
    );
    let ran = folder.run(&["batch", "list.jsonl", "--vocab", "tiny", "--store", "store"]);
    let lines = ran.json_lines();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.get("error").is_none()), "{}", ran.text());
    expect_valid("batch", &lines);
    folder.write("module.wasm", b"\0asm");
    let explore = ["explore", "point.json", "--vocab", "tiny", "--module", "module.wasm", "--json"];
    expect_valid("explore", &[folder.succeed(&explore).json()]);
}
