//! The JSON-Schema-Test-Suite: the grammar of every schema that compiles has the right verdict on every
//! instance.
//!
//! The tests print the tables of the documentation: by draft, and by file of the suite, which is mostly one
//! keyword or format.

use crate::json::Json;
use crate::order::{Verdict, verdict};
use crate::recognizer::Recognizer;
use crate::shared;
use gcc_grammar_json_schema::{Draft, Formats, Options, compile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft2019),
    ("draft2020-12", Draft::Draft2020),
];

/// Files that are not run: numbers that the test's reader of instances cannot hold, and contents, which are
/// annotations.
const NOT_OURS: [&str; 3] = ["optional/bignum", "optional/float-overflow", "optional/content"];

#[derive(Default)]
struct Tally {
    compiled: usize,
    refused: Vec<String>,
    /// The instances of compiled schemas. A schema that no value satisfies counts as compiled: its error is
    /// right if all instances are invalid.
    instances: usize,
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

fn group(name: &str, group: &Json, options: &Options, tally: &mut Tally) {
    let title = format!("{name}: {}", group.get("description").as_str().unwrap_or_default());
    let schema = group.get("schema").to_string();
    let tests = group.get("tests").items();
    let mut recognizer = match compile(&schema, options) {
        Ok(compiled) => Recognizer::new(&compiled.grammar),
        Err(errors) if errors[0].code == "unsatisfiable" => {
            tally.compiled += 1;
            tally.instances += tests.len();
            let valid = tests.iter().filter(|test| test.get("valid").as_bool() == Some(true));
            tally.wrong.extend(valid.map(|test| format!("{title}: unsatisfiable, but {}", test.get("data"))));
            return;
        }
        Err(errors) => {
            tally.refused.push(format!("{title}: {}", errors[0].message));
            return;
        }
    };
    recognizer.has_large_class = schema.contains(r"\\p{");
    tally.compiled += 1;
    tally.instances += tests.len();
    for test in tests {
        let verdict = verdict(&recognizer, test.get("data"), group.get("schema"));
        let valid = test.get("valid").as_bool().unwrap();
        let right = match verdict {
            Verdict::Accepted | Verdict::Reordered(_) => valid,
            Verdict::Refused => !valid || is_doubtful(name, test.get("data")),
            Verdict::Unknown => false,
        };
        if !right {
            let text = test.get("data").to_string();
            tally.wrong.push(format!("{title}: valid={valid} {text:.120} ({})", test.get("description")));
        }
    }
}

/// Whether an instance is an international host name, or an unusual regular expression. These are refused, and the report says so.
fn is_doubtful(name: &str, instance: &Json) -> bool {
    let text = instance.as_str().unwrap_or_default();
    let is_marked = text.split('.').any(|label| label.to_lowercase().starts_with("xn--"));
    match name {
        "optional/format/hostname" => is_marked,
        "optional/format/idn-hostname" => is_marked || !text.is_ascii(),
        "optional/format/regex" | "optional/format/ecmascript-regex" => {
            ["[]", "[^]", "(?<", "(?=", "(?!", "\\k", "\\p", "\\c", "\\1", "\\0"]
                .iter()
                .any(|form| text.contains(form))
        }
        _ => false,
    }
}

fn run(draft: &str, version: Draft, format: bool) -> BTreeMap<String, Tally> {
    let suite = shared("corpora/json-schema-test-suite");
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
        // In these drafts a format is an annotation unless the validator is told otherwise.
        let annotates = name == "format" && version >= Draft::Draft2019;
        let formats = if annotates { Formats::Annotate } else { Formats::Assert };
        let options = Options { formats, ..options.clone() };
        let groups: Json = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        for case in groups.items() {
            group(&name, case, &options, tallies.entry(name.clone()).or_default());
        }
    }
    tallies
}

/// The numbers of schemas, compiled schemas, instances and wrong verdicts of one file, in all drafts.
#[derive(Default)]
struct Row([usize; 4]);

impl Row {
    fn add(&mut self, tally: &Tally) {
        let counts =
            [tally.compiled + tally.refused.len(), tally.compiled, tally.instances, tally.wrong.len()];
        self.0.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}

fn print_rows(rows: &BTreeMap<String, Row>) {
    println!("| file of the suite | compiled | right verdicts |\n|---|---|---|");
    for (name, Row([schemas, compiled, instances, wrong])) in rows {
        println!("| `{name}` | {compiled} of {schemas} | {} of {instances} |", instances - wrong);
    }
}

/// Prints the tables of the documentation. No verdict must be wrong, and at least `least` percent of the
/// schemas must compile.
fn check(format: bool, least: usize) {
    let mut wrong = Vec::new();
    println!("| draft | schemas | compiled | refused | right verdicts |\n|---|---|---|---|---|");
    let mut details = Vec::new();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for (draft, version) in DRAFTS {
        let tallies = run(draft, version, format);
        let compiled: usize = tallies.values().map(|tally| tally.compiled).sum();
        let refused: usize = tallies.values().map(|tally| tally.refused.len()).sum();
        let instances: usize = tallies.values().map(|tally| tally.instances).sum();
        let errors: usize = tallies.values().map(|tally| tally.wrong.len()).sum();
        let schemas = compiled + refused;
        println!("| {draft} | {schemas} | {compiled} | {refused} | {} of {instances} |", instances - errors);
        assert!(compiled * 100 >= schemas * least, "{draft}: only {compiled} of {schemas} compiled");
        for (name, tally) in &tallies {
            rows.entry(name.clone()).or_default().add(tally);
            details
                .extend(tally.refused.iter().map(|refused| format!("refused {draft}/{refused} in {name}")));
            wrong.extend(tally.wrong.iter().map(|wrong| format!("WRONG {draft}/{wrong}")));
        }
    }
    print_rows(&rows);
    details.iter().chain(&wrong).for_each(|line| println!("{line}"));
    assert!(wrong.is_empty(), "{} wrong verdicts", wrong.len());
}

#[test]
#[ignore = "needs ../shared: data/corpora/json-schema-test-suite"]
fn schemas_have_the_right_verdicts() {
    check(false, 95);
}

#[test]
#[ignore = "needs ../shared: data/corpora/json-schema-test-suite"]
fn formats_have_the_right_verdicts() {
    check(true, 93);
}
