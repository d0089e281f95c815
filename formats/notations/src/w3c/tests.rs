//! Tests of the front end of the W3C's notation.

use super::{looks_like, parse};
use crate::GrammarOptions;
use gcc_grammar_ir::Location;

#[test]
fn texts_tell_the_notation() {
    for text in [
        "[1] a ::= b",
        "a ::= 'x'",
        "a ::= #x20",
        "/* a */ a ::= \"x\"",
        "a ::= \"#\" [#x1-#x2]",
        "@terminals\na ::= \"a\"",
    ] {
        assert!(looks_like(text), "{text}");
    }
    for text in [
        "root ::= \"/*\" [^'] # it's #1\n",
        "root ::= [a-z'\"] | \"'\" | \"#x20\" a\n",
        "# don't\nroot ::= \"\\\"'\"\n",
    ] {
        assert!(!looks_like(text), "{text}");
    }
}

#[test]
fn errors_have_places() {
    for (text, code, place) in [
        ("a ::= 'x\nb ::= 'y'", "unterminated-string", "'x\n"),
        ("a ::= ('x' b ::= 'y'", "unclosed-parenthesis", "("),
        ("a ::= b", "undefined-name", "b"),
        ("a ::= 'x'\na ::= 'y'", "duplicate-definition", "a"),
        ("a ::= #x110000", "bad-escape", "#x110000"),
        ("a ::= [z-a]", "empty-range", "z-a"),
        ("a ::= a 'x' | ('y' - a)", "not-regular", "'y' - a"),
        ("a ::= 'x' ) b ::= 'y'", "syntax", ")"),
    ] {
        let errors = parse(text, &GrammarOptions::default()).expect_err(text);
        assert_eq!(errors[0].code.as_str(), code, "{text}: {}", errors[0].message);
        match &errors[0].location {
            Some(Location::Span(span)) => assert_eq!(&text[span.clone()], place),
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = format!("a ::= {}'x'{}", "(".repeat(200), ")".repeat(200));
    assert_eq!(parse(&deep, &GrammarOptions::default()).expect_err("deep")[0].code.as_str(), "too-deep");
}

#[test]
fn the_first_production_is_the_start_unless_another_one_is_named() {
    let text = "a ::= 'x' b\nb ::= 'y'";
    let of = |start| parse(text, &GrammarOptions { start, ..GrammarOptions::default() });
    assert_eq!(of(None).expect("valid").grammar.rules[0].name, "a");
    assert_eq!(of(Some("b")).expect("valid").grammar.rules[0].name, "b");
    assert_eq!(of(Some("c")).expect_err("no rule")[0].code.as_str(), "no-start");
}
