//! Tests of the front end of ABNF.

use super::parse;
use crate::GrammarOptions;
use gcc_grammar_ir::{Location, Pattern};
use gcc_grammar_regular::{Dfa, Regex};

fn language(text: &str) -> Dfa {
    let grammar =
        parse(text, &GrammarOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}")).grammar;
    match &grammar.terminals[..] {
        [terminal] => match &terminal.pattern {
            Pattern::Regex(Regex::Automaton(dfa)) => (**dfa).clone(),
            other => panic!("{other:?}"),
        },
        _ => panic!("{grammar}"),
    }
}

#[test]
fn values_are_octets_or_code_points() {
    let octets = language("a = %xC3 %x80-BF");
    assert!(octets.accepts("é".as_bytes()) && !octets.accepts("Ã\u{80}".as_bytes()));
    let code_points = language("a = %xE9 / %x1F600 / %b1000001 %d66.67");
    assert!(
        code_points.accepts("é".as_bytes())
            && code_points.accepts("😀".as_bytes())
            && code_points.accepts(b"ABC")
    );
}

#[test]
fn words_that_are_never_repeated_are_nothing() {
    let dfa = language("a = \"x\" path-empty \"y\"\npath-empty = 0<pchar> / *0<words> \"z\"");
    assert!(dfa.accepts(b"xy") && dfa.accepts(b"xzy") && !dfa.accepts(b"x<pchar>y"));
}

/// RFC 5234, section 2.1: angle brackets may be used around the name of a rule.
#[test]
fn names_may_stand_in_angle_brackets() {
    let dfa = language("list = <item> *( \",\" <Item> )\nitem = \"x\"");
    assert!(dfa.accepts(b"x") && dfa.accepts(b"x,X") && !dfa.accepts(b"item") && !dfa.accepts(b"x,"));
}

#[test]
fn every_core_rule_is_read() {
    let names = super::core::RULES.map(|(name, _)| name.to_lowercase());
    let all = names.into_iter().filter(|name| name != "octet").collect::<Vec<_>>().join(" / ");
    let all = language(&format!("a = {all}"));
    assert!(all.accepts(b"\r\n") && all.accepts(b" \t \r\n ") && !all.accepts(b"ab"));
    assert!(parse("a = octet", &GrammarOptions::default()).is_ok());
}

#[test]
fn signs_of_other_notations_have_remedies() {
    for (text, remedy) in [
        ("a = 'x'", "write strings in double quotes"),
        ("a = \"x\" | \"y\"", "write `/` between alternatives"),
        ("a = \"x\"+", "write repetition in front, as in 1*element"),
        ("a = {\"x\"}", "write *( … ) for a repetition"),
        ("a ::= \"x\"", "write `=`"),
        ("a_b = \"x\"", "names have letters, digits and hyphens"),
        ("a = \"x\" /", "write \"\" for nothing"),
        ("able = aple\naple1 = \"x\"", "did you mean `able`?"),
    ] {
        let errors = parse(text, &GrammarOptions::default()).expect_err(text);
        let help = errors[0].help.as_deref().expect(text);
        assert!(help.starts_with(remedy), "{text}: {help}");
    }
}

#[test]
fn errors_have_places() {
    for (text, code, place) in [
        ("a = \"x\nb = \"y\"", "unterminated-string", "\"x\n"),
        ("a = (\"x\"\nb = \"y\"", "unclosed-parenthesis", "("),
        ("a = b", "undefined-name", "b"),
        ("a = <words> b", "unsupported-construct", "<words>"),
        ("a = <words>", "unsupported-construct", "<words>"),
        ("a = <a", "unsupported-construct", "<a"),
        ("a = <>", "unsupported-construct", "<>"),
        ("a = 1#b", "unsupported-construct", "1#"),
        ("a = %x110000", "bad-number", "%x110000"),
        ("a = %x39-30", "empty-range", "%x39-30"),
        ("a = %x61.D800", "bad-escape", "%x61.D800"),
        ("a = %xD800-DBFF", "bad-escape", "%xD800-DBFF"),
        ("a = 3*2\"x\"", "bad-repetition", "3*2"),
        ("a = \"x\" | \"y\"", "syntax", "|"),
        ("a = \"x\" ]", "syntax", "]"),
    ] {
        let errors = parse(text, &GrammarOptions::default()).expect_err(text);
        assert_eq!(errors[0].code.as_str(), code, "{text}: {}", errors[0].message);
        match &errors[0].location {
            Some(Location::Span(span)) => assert_eq!(&text[span.clone()], place),
            other => panic!("{text}: {other:?}"),
        }
    }
}
