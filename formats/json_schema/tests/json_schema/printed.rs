//! Printed strings: what printers of JSON write is accepted, and escapes of printable ASCII are refused where characters matter.
//!
//! `printers/printed.txt` has one text with every kind of character, as Python and JavaScript print it; `printers/print.py` writes the
//! file. All verdicts of the other tests are also those on texts with escapes as Python's `ensure_ascii` prints them: see
//! [`accepts_printed`](crate::order::accepts_printed).

use crate::core::{check, check_with};
use crate::json::{ascii, quoted};
use gcc_grammar_json_schema::{Options, Strings};

const PRINTED: &str = include_str!("printers/printed.txt");

/// The names of the printers, and the texts.
fn printed() -> Vec<(&'static str, &'static str)> {
    PRINTED.split_terminator('\n').map(|line| line.split_once('\t').expect("a printer and a text")).collect()
}

fn sample() -> String {
    serde_json::from_str(printed()[0].1).expect("a JSON string")
}

#[test]
fn all_printers_print_the_same_string() {
    let printers: Vec<_> = printed().iter().map(|(name, _)| *name).collect();
    assert_eq!(printers, ["python, ensure_ascii", "python", "javascript"]);
    for (name, text) in printed() {
        assert_eq!(serde_json::from_str::<String>(text).expect("a JSON string"), sample(), "{name}");
    }
    assert_eq!(quoted(&sample()), printed()[1].1, "serde_json prints as Python does without ensure_ascii");
    assert_eq!(ascii(&quoted(&sample())), printed()[0].1, "the escapes of the other tests are Python's");
}

#[test]
fn what_printers_write_is_accepted() {
    let schemas = [
        format!(r#"{{"const": {}}}"#, quoted(&sample())),
        r#"{"type": "string", "pattern": "^[^𝄞]*$"}"#.to_owned(),
        format!(r#"{{"type": "string", "maxLength": {}}}"#, sample().chars().count()),
        r#"{"type": "string", "maxLength": 1000}"#.to_owned(),
        r#"{"type": "string"}"#.to_owned(),
    ];
    for schema in &schemas {
        for (_, text) in printed() {
            check(schema, &[text], &[]);
        }
    }
    let key =
        format!(r#"{{"properties": {{{}: {{"type": "null"}}}}, "required": ["x"]}}"#, quoted(&sample()));
    for (_, text) in printed() {
        check(&key, &[&format!(r#"{{{text}: null, "x": 1}}"#)], &[&format!("{{{text}: 1, \"x\": 1}}")]);
    }
}

#[test]
fn escapes_of_printable_ascii_are_refused_where_characters_matter() {
    let printed = [
        r#""a""#,
        r#""/""#,
        r#""\/""#,
        r#""\n""#,
        r#""\u000A""#,
        r#""\"""#,
        r#""é""#,
        r#""\u00E9""#,
        r#""\uD83D\uDE00""#,
    ];
    let escaped = [r#""\u0061""#, r#""\u002f""#, r#""\u0022""#];
    for schema in [
        r#"{"enum": ["a", "/", "\n", "\"", "é", "😀"]}"#,
        r#"{"type": "string", "pattern": "^[^x]$"}"#,
        r#"{"allOf": [{"type": "string", "maxLength": 5}, {"not": {"const": "x"}}]}"#,
    ] {
        check(schema, &printed, &escaped);
        let all = Options { strings: Strings::All, ..Options::default() };
        check_with(schema, &all, &[&printed[..], &escaped].concat(), &[]);
    }
}

/// Where every character leads on alike, all spellings are accepted: in strings that are free or restricted in length only, behind a
/// prefix that decides, and in keys of which none is declared.
#[test]
fn every_spelling_is_accepted_where_characters_do_not_matter() {
    for schema in [r#"{"type": "string"}"#, r#"{"type": "string", "minLength": 2, "maxLength": 5}"#] {
        check(schema, &[r#""\u0061\/""#, r#""\u00E9\u000a""#, r#""\uD83D\uDE00\u0022""#], &[]);
    }
    check(r#"{"type": "string", "pattern": "^a"}"#, &[r#""a\u0061\/""#], &[r#""\u0061a""#]);
    check(r#"{"type": "object"}"#, &[r#"{"\u0061": 1}"#], &[]);
    // Keys are told apart from the declared one.
    let declared = r#"{"properties": {"ab": {"type": "null"}}, "type": "object"}"#;
    check(
        declared,
        &[r#"{"aa\u0061": 1}"#, r#"{"x\u0061": 1}"#],
        &[r#"{"\u0061": 1}"#, r#"{"a\u0061": 1}"#, r#"{"\u0061b": null}"#],
    );
}
