//! The calls of tests/tools: real syntax of every family of models, and texts that are wrong in one place.

use gcc_grammar::tools::{Thinking, families};
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Options, SchemaOptions, Session, Source, ToolOptions, Vocabulary, compile};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;

/// A file of tests/tools; its README says what the fields mean.
#[derive(Deserialize)]
struct File {
    family: String,
    /// As it is written: the order of the members is that of the arguments.
    tools: Box<RawValue>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    text: String,
    accepted: bool,
    /// Sources disagree about this form: nothing is expected.
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    options: Asked,
}

#[derive(Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    tool_choice: String,
    parallel: bool,
    #[serde(deserialize_with = "is_not_false")]
    thinking: bool,
    whitespace: String,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            tool_choice: "auto".to_owned(),
            parallel: true,
            thinking: false,
            whitespace: "flexible".to_owned(),
        }
    }
}

/// Thinking that the prompt has begun is thinking, too.
fn is_not_false<'de, D: serde::Deserializer<'de>>(input: D) -> Result<bool, D::Error> {
    Ok(serde_json::Value::deserialize(input)? != serde_json::Value::Bool(false))
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tools");
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let texts = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    texts.map(read).collect()
}

/// A vocabulary of all bytes; 256 ends the output.
fn bytes() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

fn open(file: &File, asked: &Asked, vocabulary: &Vocabulary) -> Session {
    let Ok(choice) = asked.tool_choice.parse();
    let thinking = if asked.thinking { Thinking::On } else { Thinking::Off };
    let tools = ToolOptions { model: Some(file.family.clone()), choice, parallel: asked.parallel, thinking };
    let schema = SchemaOptions {
        whitespace: asked.whitespace.parse().expect("white space"),
        ..SchemaOptions::default()
    };
    let options = Options { tools, schema, ..Options::default() };
    let artifact = compile(&Source::tools(file.tools.get()), vocabulary, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", file.family));
    Session::new(artifact, vocabulary).expect("a session")
}

/// The texts of a file whose verdict is not the one that the file says.
fn wrong(file: &File, vocabulary: &Vocabulary, accepts: impl Fn(&Session, &str) -> bool) -> Vec<String> {
    let mut by_options: BTreeMap<&Asked, Vec<&Case>> = BTreeMap::new();
    for case in file.cases.iter().filter(|case| !case.optional) {
        by_options.entry(&case.options).or_default().push(case);
    }
    let mut wrong = Vec::new();
    for (asked, cases) in by_options {
        let session = open(file, asked, vocabulary);
        let differ = cases.into_iter().filter(|case| accepts(&session, &case.text) != case.accepted);
        wrong.extend(differ.map(|case| {
            let expected = if case.accepted { "is refused" } else { "is accepted" };
            format!("{} {expected}: {}: {:?}", file.family, case.name, case.text)
        }));
    }
    wrong
}

fn accepts_bytes(session: &Session, text: &str) -> bool {
    let mut matcher = session.matcher().expect("a matcher");
    matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
}

#[test]
fn every_family_has_calls() {
    let mut names: Vec<String> = files().into_iter().map(|file| file.family).collect();
    let mut families: Vec<String> = families().iter().map(|family| family.name.clone()).collect();
    names.sort();
    families.sort();
    assert_eq!(names, families);
}

#[test]
fn every_call_as_bytes() {
    let vocabulary = bytes();
    let wrong: Vec<String> =
        files().iter().flat_map(|file| wrong(file, &vocabulary, accepts_bytes)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
