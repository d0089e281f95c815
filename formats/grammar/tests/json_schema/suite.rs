//! JSON-Schema-Test-Suite: every schema that compiles has the right verdict on every instance.

use crate::data::{in_schema_order, shared, spaced};
use crate::recognizer::Recognizer;
use gcc_grammar_frontends::json_schema::{Draft, Formats, Options, compile};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft2019),
    ("draft2020-12", Draft::Draft2020),
];

/// Numbers that the reader of the instances cannot hold, and contents, which are annotations.
const NOT_OURS: [&str; 3] = ["optional/bignum", "optional/float-overflow", "optional/content"];

#[derive(Default)]
struct Tally {
    compiled: usize,
    refused: Vec<String>,
    /// Schemas that no value satisfies: an error, and right if all instances are invalid.
    wrong: Vec<String>,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

/// The documents that the suite expects to be served under `http://localhost:1234`.
fn remotes(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(folder, &mut found);
    let uri = |path: &PathBuf| {
        format!("http://localhost:1234/{}", path.strip_prefix(folder).unwrap().to_string_lossy())
    };
    found.iter().map(|path| (uri(path), std::fs::read_to_string(path).unwrap())).collect()
}

fn group(name: &str, group: &Value, options: &Options, tally: &mut Tally) {
    let title = format!("{name}: {}", group["description"].as_str().unwrap_or_default());
    let schema = serde_json::to_string(&group["schema"]).unwrap();
    let tests = group["tests"].as_array().unwrap();
    let recognizer = match compile(&schema, options) {
        Ok(compiled) => Recognizer::new(&compiled.grammar),
        Err(errors) if errors[0].code == "unsatisfiable" => {
            tally.compiled += 1;
            let valid = tests.iter().filter(|test| test["valid"] == true);
            tally.wrong.extend(valid.map(|test| format!("{title}: unsatisfiable, but {}", test["data"])));
            return;
        }
        Err(errors) => {
            tally.refused.push(format!("{title}: {}", errors[0].message));
            return;
        }
    };
    tally.compiled += 1;
    for test in tests {
        let text = spaced(&in_schema_order(&test["data"], &group["schema"]));
        if recognizer.accepts(text.as_bytes()) != test["valid"].as_bool().unwrap() {
            tally
                .wrong
                .push(format!("{title}: valid={} {text:.120} ({})", test["valid"], test["description"]));
        }
    }
}

fn run(draft: &str, version: Draft, format: bool) -> Option<BTreeMap<String, Tally>> {
    let suite = shared("corpora/json-schema-test-suite")?;
    let options =
        Options { draft: Some(version), resources: remotes(&suite.join("remotes")), ..Options::default() };
    let folder = suite.join("tests").join(draft);
    let mut found = Vec::new();
    files(&folder, &mut found);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for path in found {
        let name = path.strip_prefix(&folder).unwrap().with_extension("").to_string_lossy().into_owned();
        if name.starts_with("optional/format") != format || NOT_OURS.contains(&&*name) {
            continue;
        }
        // In these two drafts a format is an annotation, unless asked otherwise.
        let annotates = name == "format" && version >= Draft::Draft2019;
        let formats = if annotates { Formats::Annotate } else { Formats::Assert };
        let options = Options { formats, ..options.clone() };
        let groups: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for one in groups.as_array().unwrap() {
            group(&name, one, &options, tallies.entry(name.clone()).or_default());
        }
    }
    Some(tallies)
}

fn check(format: bool) {
    let mut wrong = Vec::new();
    for (draft, version) in DRAFTS {
        let Some(tallies) = run(draft, version, format) else { return };
        let compiled: usize = tallies.values().map(|tally| tally.compiled).sum();
        let refused: usize = tallies.values().map(|tally| tally.refused.len()).sum();
        println!("{draft}: {compiled} of {} schemas compiled", compiled + refused);
        for (name, tally) in &tallies {
            if !tally.refused.is_empty() {
                println!("  {name}: {} compiled, {} refused", tally.compiled, tally.refused.len());
                tally.refused.iter().for_each(|refused| println!("    {refused}"));
            }
            wrong.extend(tally.wrong.iter().map(|wrong| format!("{draft}/{wrong}")));
        }
    }
    wrong.iter().for_each(|wrong| println!("WRONG {wrong}"));
    assert!(wrong.is_empty(), "{} wrong verdicts", wrong.len());
}

#[test]
#[ignore = "the order of properties across subschemas is not yet that of the instances"]
fn schemas_have_the_right_verdicts() {
    check(false);
}

#[test]
fn formats_have_the_right_verdicts() {
    check(true);
}
