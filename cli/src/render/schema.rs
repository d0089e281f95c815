//! The JSON Schemas of what commands write with `--json`: a file of `schemas/` for each kind of result, which refers to the parts in `common.json`.

use serde_json::{Map, Value, json};

/// Why the files can be read.
const OWN: &str = "a file of this crate";
const COMMON: &str = include_str!("../../schemas/common.json");

macro_rules! results {
    ($($command:literal: $file:literal,)+) => {
        /// The commands that write JSON, each with the schema of its results.
        pub(crate) const RESULTS: &[(&str, &str)] = &[$(($command, include_str!(concat!("../../schemas/", $file, ".json")))),+];
    };
}

results! {
    "batch": "batch",
    "bench": "bench",
    "check": "check",
    "compile": "compile",
    "complete": "complete",
    "diff": "diff",
    "explore": "explore",
    "export": "export",
    "generate": "generate",
    "grammars list": "grammars-list",
    "grammars show": "grammars-show",
    "inspect": "inspect",
    "key": "key",
    "mask": "mask",
    "pack": "pack",
    "replay": "replay",
    "serve": "serve",
    "stages": "stages",
    "store list": "store-list",
    "store prune": "store-remove",
    "store remove": "store-remove",
    "store verify": "store-verify",
    "test": "test",
    "tools families": "tools-families",
    "tools show": "tools-show",
    "trace": "trace",
    "verify": "verify",
    "vocab clean": "vocab-clean",
    "vocab compile": "vocab-compile",
    "vocab import": "vocab-inspect",
    "vocab inspect": "vocab-inspect",
    "vocab list": "vocab-list",
    "vocab remove": "vocab-remove",
}

/// The schema of what a command writes, with all parts inside: a result, or a failure. `None` if the command writes no JSON.
pub(crate) fn schema_of(command: &str) -> Option<Value> {
    let &(_, result) = RESULTS.iter().find(|&&(name, _)| name == command)?;
    let result: Value = serde_json::from_str(result).expect(OWN);
    let parts: Map<String, Value> = serde_json::from_str(COMMON).expect(OWN);
    let outputs = json!([result, { "$ref": "#/$defs/failure" }]);
    let mut used = Map::new();
    add_used(&outputs, &parts, &mut used);
    Some(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("gcc-grammar {command} --json"),
        "anyOf": outputs,
        "$defs": used,
    }))
}

/// Adds the parts that a schema refers to, directly or by other parts.
fn add_used(schema: &Value, parts: &Map<String, Value>, used: &mut Map<String, Value>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| add_used(item, parts, used)),
        Value::Object(members) => {
            members.values().for_each(|member| add_used(member, parts, used));
            let name =
                members.get("$ref").and_then(Value::as_str).and_then(|uri| uri.strip_prefix("#/$defs/"));
            let part =
                name.filter(|name| !used.contains_key(*name)).and_then(|name| Some((name, parts.get(name)?)));
            if let Some((name, part)) = part {
                used.insert(name.to_owned(), part.clone());
                add_used(part, parts, used);
            }
        }
        _ => {}
    }
}
