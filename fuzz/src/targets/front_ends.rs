//! Front ends: every text is parsed, or refused with errors that say where.
//!
//! The options of a schema are in the first line of the input, before the schema, as `# compact canonical any annotate allow 2020-12`.

use super::options::{mutate_words, read_words};
use crate::mutate::{Mutate, json, text};
use crate::target::{Target, no_seeds};
use gcc_grammar::diagnostic::{render_text, to_json};
use gcc_grammar::{
    Code, Diagnostic, Error, LimitOptions, Location, Notation, Options, Parsed, Source, parse,
};
use gcc_grammar_ir::check::check;
use gcc_grammar_tests::generate::Random;
use serde_json::Value;

const fn target(name: &'static str, mutate: Mutate, check: fn(&[u8]), executions: u64) -> Target {
    let about = "a text is parsed, or refused with errors that say where, twice in the same way";
    Target { name, about, seeds: no_seeds, mutate, check, executions }
}

pub(super) const LARK: Target = target("lark", text::mutate, |input| parse_as(Notation::Lark, input), 1_500);
pub(super) const LLGUIDANCE: Target = target("lark-llguidance", text::mutate, check_llguidance, 1_500);
pub(super) const GBNF: Target = target("gbnf", text::mutate, |input| parse_as(Notation::Gbnf, input), 3_000);
pub(super) const EBNF: Target = target("ebnf", text::mutate, |input| parse_as(Notation::Ebnf, input), 3_000);
pub(super) const W3C: Target = target("w3c", text::mutate, |input| parse_as(Notation::W3c, input), 3_000);
pub(super) const ABNF: Target = target("abnf", text::mutate, |input| parse_as(Notation::Abnf, input), 3_000);
pub(super) const ANTLR: Target =
    target("antlr", text::mutate, |input| parse_as(Notation::Antlr, input), 3_000);
pub(super) const TREE_SITTER: Target =
    target("tree-sitter", json::mutate, |input| parse_as(Notation::TreeSitter, input), 3_000);
pub(super) const REGEX: Target =
    target("regex", text::mutate, |input| parse_as(Notation::Regex, input), 3_000);
pub(super) const CHOICES: Target =
    target("choices", text::mutate, |input| parse_as(Notation::Choices, input), 3_000);
pub(super) const STRUCTURAL_TAG: Target =
    target("structural-tag", json::mutate, |input| parse_as(Notation::StructuralTag, input), 1_500);
pub(super) const JSON_SCHEMA: Target = target("json-schema", mutate_with_options, check_schema, 1_500);

/// Limits that keep an execution short.
const LIMITS: LimitOptions = LimitOptions {
    work: Some(3_000_000),
    bytes: Some(1 << 26),
    lr_states: Some(2_000),
    lexer_states: Some(5_000),
    dwa_states: Some(10_000),
    terminal_states: Some(5_000),
    deadline: None,
};

/// All options have their defaults, but for the limits.
pub(super) fn default_options() -> Options {
    Options { limits: LIMITS, ..Options::default() }
}

/// Parses a text in a notation.
fn parse_as(notation: Notation, input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        drop(check_parse(&Source::new(notation, text), &default_options()));
    }
}

/// The same for Lark, in the dialect of llguidance.
fn check_llguidance(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        drop(check_parse(&Source::lark(format!("%llguidance {{}}\n{text}")), &default_options()));
    }
}

fn check_schema(input: &[u8]) {
    let (options, body) = split(input);
    if let Ok(text) = str::from_utf8(body) {
        drop(check_parse(&Source::json_schema(text), &options));
    }
}

/// Splits the line of options off. Without such a line, all options have their defaults.
pub(super) fn split(input: &[u8]) -> (Options, &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    match (input.strip_prefix(b"#"), end) {
        (Some(_), Some(end)) => {
            let words = String::from_utf8_lossy(&input[1..end]);
            (Options { schema: read_words(&words), ..default_options() }, &input[end + 1..])
        }
        _ => (default_options(), input),
    }
}

/// Mutates the options or the schema.
pub(super) fn mutate_with_options(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let body = split(input).1;
    let words = String::from_utf8_lossy(&input[..input.len() - body.len()]).into_owned();
    if random.chance(15) {
        let words = mutate_words(random, words.trim_start_matches('#').trim());
        return [format!("# {words}\n").as_bytes(), body].concat();
    }
    let bodies: Vec<Vec<u8>> = vec![split(random.pick(pool).as_slice()).1.to_vec()];
    [words.as_bytes(), &json::mutate(random, body, &bodies)].concat()
}

/// Parses a source and checks what must hold for the result. The error is that of the front end.
pub(super) fn check_parse(source: &Source, options: &Options) -> Result<Parsed, Error> {
    let parsed = parse(source, options);
    let again = parse(source, options);
    let text = &source.text().text;
    match (&parsed, &again) {
        (Ok(parsed), Ok(again)) => {
            assert_eq!(parsed.grammar.to_string(), again.grammar.to_string(), "two grammars for one text");
            assert_eq!(parsed.warnings, again.warnings, "two lists of warnings for one text");
            assert_eq!(parsed.report, again.report, "two reports for one text");
            let (errors, _) = check(&parsed.grammar, |_| None);
            assert_eq!(errors, [], "a front end made a grammar that is not valid");
            parsed.warnings.iter().for_each(|warning| check_diagnostic(warning, text));
        }
        (Err(error), Err(again)) => {
            assert_eq!(error.diagnostics(), again.diagnostics(), "two lists of errors for one text");
            check_error(error, text);
        }
        _ => panic!("parsed once and refused once"),
    }
    parsed
}

/// The codes of errors that concern the whole text, or name what they concern: limits, the language, the start rule, a
/// token, a terminal.
const CONCERN_THE_WHOLE: [Code; 8] = [
    Code::EmptyLanguage,
    Code::OverBudget,
    Code::TooLarge,
    Code::TooManyRules,
    Code::NoText,
    Code::NoStart,
    Code::UnknownToken,
    Code::TerminalTooLarge,
];

/// Checks that an error says what is wrong, and where.
pub(super) fn check_error(error: &Error, text: &str) {
    assert!(!error.diagnostics().is_empty(), "an error without diagnostics");
    assert!(!error.input().name.is_empty(), "an error about an input without a name");
    assert!(!error.to_string().is_empty() && !error.render().is_empty());
    for diagnostic in error.diagnostics() {
        check_diagnostic(diagnostic, text);
        let located = diagnostic.location.is_some() || CONCERN_THE_WHOLE.contains(&diagnostic.code);
        assert!(located, "an error without a place: {diagnostic:?}");
    }
}

/// Whether a reference leads to an anchor or into another document. Below such a reference, a pointer begins with the reference, or is one
/// into the other document.
fn refers_elsewhere(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, member)| {
            let elsewhere = member.as_str().is_some_and(|target| target != "#" && !target.starts_with("#/"));
            elsewhere && ["$ref", "$dynamicRef", "$recursiveRef"].contains(&name.as_str())
                || refers_elsewhere(member)
        }),
        Value::Array(items) => items.iter().any(refers_elsewhere),
        _ => false,
    }
}

fn check_diagnostic(diagnostic: &Diagnostic, text: &str) {
    assert!(!diagnostic.message.is_empty(), "a diagnostic without a message");
    match &diagnostic.location {
        Some(Location::Span(span)) => {
            assert!(
                span.start <= span.end && span.end <= text.len(),
                "a place outside the text: {diagnostic:?}"
            );
            let whole = text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
            assert!(whole, "a place inside a character: {diagnostic:?}");
        }
        Some(Location::Pointer(pointer)) => {
            if let Ok(value) = serde_json::from_str::<Value>(text)
                && !refers_elsewhere(&value)
            {
                assert!(value.pointer(pointer).is_some(), "a pointer to nothing: {diagnostic:?}");
            }
        }
        _ => {}
    }
    assert!(!render_text(diagnostic, "input", text, true).is_empty());
    assert!(to_json(diagnostic, "input", text).is_object());
}
