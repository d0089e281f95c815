//! Judges the cases of other packages' test suites: `peer-cases FILE ... > RESULTS`, called by `tests/peers/run.sh`.
//!
//! ```text
//! {"where", "notation", "grammar", "options", "vocabulary", "text" or "tokens", "verdict"} ──▶ the same with "ours" and, if it is an error, "error"
//! ```
//! Each grammar is compiled once. A grammar with the option `generate` gets so many texts. `ours` is `compiles` or `refused` for a grammar, and `accept`, `prefix` or `reject` for a text.

use gcc_grammar::diagnostic::Diagnostic;
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::json_schema::{PropertyOrder, Whitespace};
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Error, MatchError, Matcher, Options, Session, Source, Vocabulary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

#[derive(Deserialize, Serialize, Clone)]
struct Case {
    #[serde(rename = "where")]
    place: String,
    notation: String,
    grammar: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    options: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vocabulary: Option<Tokens>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<Vec<u32>>,
    verdict: String,
}

/// The tokens of a case, by id.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Tokens {
    tokens: Vec<String>,
    end: Vec<u32>,
    special: Vec<u32>,
}

/// The special tokens of the vocabulary with which cases without one are read: those of Phi 3.5, from id 32000.
const SPECIAL: [&str; 11] = [
    "<|endoftext|>",
    "<|assistant|>",
    "<|placeholder1|>",
    "<|placeholder2|>",
    "<|placeholder3|>",
    "<|placeholder4|>",
    "<|system|>",
    "<|end|>",
    "<|placeholder5|>",
    "<|placeholder6|>",
    "<|user|>",
];

fn main() -> ExitCode {
    let mut groups: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for path in std::env::args().skip(1) {
        match read(&path) {
            Ok(cases) => cases.into_iter().for_each(|case| groups.entry(key(&case)).or_default().push(case)),
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    let plain = [plain_vocabulary(false), plain_vocabulary(true)];
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for cases in groups.values() {
        for line in judge_group(cases, &plain) {
            writeln!(out, "{line}").expect("the results can be written");
        }
    }
    ExitCode::SUCCESS
}

fn read(path: &str) -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let lines: BTreeSet<String> =
        BufReader::new(std::fs::File::open(path)?).lines().collect::<Result<_, _>>()?;
    Ok(lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>()?)
}

/// What is compiled once.
fn key(case: &Case) -> String {
    json!([case.notation, case.grammar, case.options, case.vocabulary]).to_string()
}

/// 256 bytes and the special tokens; with `ids`, all ids below 32,000 have a text.
fn plain_vocabulary(ids: bool) -> Vocabulary {
    let bytes = (0..=255u8).map(|byte| (u32::from(byte) + 3, vec![byte]));
    let texts = (259..if ids { 32_000 } else { 259 }).map(|id| (id, format!("t{id}").into_bytes()));
    let named = (0..3).zip(["<unk>", "<s>", "</s>"]).chain((32_000..).zip(SPECIAL));
    let special = named.map(|(id, text)| SpecialToken { id, text: text.to_owned() }).collect();
    Vocabulary::from_parts("plain", bytes.chain(texts).collect(), special, vec![32_000], 35_000)
        .expect("the vocabulary is valid")
}

fn judge_group(cases: &[Case], plain: &[Vocabulary; 2]) -> Vec<Value> {
    let session = open(&cases[0], plain);
    let mut seen = BTreeSet::new();
    let fresh = cases.iter().filter(|case| seen.insert((&case.text, &case.tokens, &case.verdict)));
    fresh.map(|case| judged(case, session.as_ref())).collect()
}

fn judged(case: &Case, session: Result<&Session, &Error>) -> Value {
    let mut line = serde_json::to_value(case).expect("a case can be written");
    match session {
        Err(error) => {
            line["ours"] = json!("refused");
            line["error"] = json!(error.diagnostics().iter().map(printed).collect::<Vec<_>>());
        }
        Ok(session) if case.text.is_none() && case.tokens.is_none() => {
            line["ours"] = json!("compiles");
            if let Some(count) = case.options["generate"].as_u64() {
                line["texts"] = json!(generated(session, count));
            }
        }
        Ok(session) => line["ours"] = json!(verdict(case, session)),
    }
    line
}

/// Texts that a grammar has.
fn generated(session: &Session, count: u64) -> Vec<String> {
    let Ok(mut generator) = Generator::new(session) else { return Vec::new() };
    let outputs =
        (0..count).map_while(|seed| generator.generate(&mut RandomNumbers(seed * 0x9E37_79B9 + 1), 200).ok());
    let texts = outputs.map(|tokens| String::from_utf8(session.vocabulary().text_of(&tokens)));
    texts.filter_map(Result::ok).collect()
}

fn printed(diagnostic: &Diagnostic) -> String {
    format!("{}: {}", diagnostic.code.as_str(), diagnostic.message)
}

fn open(case: &Case, plain: &[Vocabulary; 2]) -> Result<Session, Error> {
    let vocabulary = match &case.vocabulary {
        Some(tokens) => with_tokens(tokens)?,
        None => plain[usize::from(names_ids(&case.grammar))].clone(),
    };
    let (source, options) = source(case);
    Session::new(gcc_grammar::compile(&source, &vocabulary, &options)?, &vocabulary)
}

/// Whether a grammar may name ordinary tokens.
fn names_ids(grammar: &str) -> bool {
    ["<[", "Token(", "token"].iter().any(|name| grammar.contains(name))
}

fn with_tokens(tokens: &Tokens) -> Result<Vocabulary, Error> {
    let is_special = |id: &u32| tokens.special.contains(id) || tokens.end.contains(id);
    let (special, plain): (Vec<_>, Vec<_>) = (0..).zip(&tokens.tokens).partition(|(id, _)| is_special(id));
    let plain = plain
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(id, text)| (id, text.clone().into_bytes()));
    let special = special.into_iter().map(|(id, text)| SpecialToken { id, text: text.clone() }).collect();
    let width = tokens.tokens.len() as u32;
    Vocabulary::from_parts("given", plain.collect(), special, tokens.end.clone(), width)
}

/// The source and the options of a case, in the conventions of its peer.
fn source(case: &Case) -> (Source, Options) {
    let start = case.options["start"].as_str().map(ToOwned::to_owned);
    let mut options = Options { start, ..Options::default() };
    let text = case.grammar.as_str();
    let source = match case.notation.as_str() {
        "lark-llguidance" | "lark-xgrammar" => Source::lark(dialect(text)),
        "lark" => {
            let given = |name: &str| case.options[name].as_str().unwrap_or_default();
            options.lexer = given("lexer").parse().unwrap_or_default();
            options.indenter = given("indenter").parse().unwrap_or_default();
            file_or_text(case)
        }
        "gbnf" => Source::gbnf(text),
        "ebnf" => Source::ebnf(text),
        "structural-tag" => {
            options.schema.whitespace = Whitespace::Inner;
            Source::structural_tag(text)
        }
        "regex" => Source::regex(flagged(text, &case.options)),
        "w3c" | "abnf" | "antlr" | "tree-sitter" => file_or_text(case),
        "regex-xgrammar" => Source::regex(text),
        _ => {
            let xgrammar = &case.options["xgrammar"];
            options.schema.whitespace = whitespace(xgrammar);
            if xgrammar["any_order"] == json!(true) {
                options.schema.property_order = PropertyOrder::Any;
            }
            Source::json_schema(text)
        }
    };
    (source, options)
}

/// The file of a grammar, whose folder matters where it imports others, or its text.
fn file_or_text(case: &Case) -> Source {
    let notation = case.notation.parse().expect("a notation");
    let file =
        case.options["path"].as_str().and_then(|path| Source::file(path.as_ref(), Some(notation)).ok());
    file.unwrap_or_else(|| Source::new(notation, case.grammar.as_str()))
}

/// A grammar with the line that says that it is one of llguidance.
fn dialect(text: &str) -> String {
    if text.contains("%llguidance") { text.to_owned() } else { format!("%llguidance {{}}\n{text}") }
}

/// A pattern with the flags of its test.
fn flagged(text: &str, options: &Value) -> String {
    let flag =
        |name: &str, flag: &'static str, wanted| if options[name] == json!(wanted) { flag } else { "" };
    let flags = [flag("case-insensitive", "(?i)", true), flag("unicode", "(?-u)", false)].concat();
    if flags.is_empty() { text.to_owned() } else { format!("{flags}(?:{text})") }
}

/// The white space of a schema: XGrammar has none around the whole text.
fn whitespace(xgrammar: &Value) -> Whitespace {
    match (&xgrammar["any_whitespace"], xgrammar["separators"][0].as_str()) {
        (Value::Bool(false), Some(",")) => Whitespace::Compact,
        (Value::Bool(false), None | Some(", ")) => Whitespace::Spaced,
        _ if xgrammar.is_object() => Whitespace::Inner,
        _ => Whitespace::Any,
    }
}

fn verdict(case: &Case, session: &Session) -> String {
    let mut matcher = session.matcher().expect("a matcher can be made");
    let read = match (&case.text, &case.tokens) {
        (Some(text), _) => matcher.commit_bytes(text.as_bytes()),
        (None, Some(tokens)) => read_tokens(&mut matcher, tokens),
        (None, None) => Ok(()),
    };
    match read {
        Ok(()) if matcher.is_terminated() || matcher.is_accepting().unwrap_or(false) => "accept".to_owned(),
        Ok(()) => "prefix".to_owned(),
        Err(MatchError::Refused) => "reject".to_owned(),
        Err(error) => format!("error: {error}"),
    }
}

fn read_tokens(matcher: &mut Matcher, tokens: &[u32]) -> Result<(), MatchError> {
    tokens.iter().try_for_each(|&token| matcher.commit(token))
}
