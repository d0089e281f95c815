//! Tests of the front end of the W3C's notation.

use super::{looks_like, parse};
use crate::GrammarOptions;
use gcc_grammar_ir::{Location, Pattern};
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_regular::{Regex, RegularLimits};

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
        "root ::= num\nnum ::= \"-\" [0-9]\nword ::= \"y\"\n",
        "root ::= num\nnum ::=\n  [0-9]\nword ::= \"y\"\n",
        "root ::= [#x] \"\\n\"",
    ] {
        assert!(!looks_like(text), "{text}");
    }
}

#[test]
fn a_class_before_a_production_is_no_number() {
    let rules = |text: &str| {
        let grammar = parse(text, &GrammarOptions::default()).expect("a grammar").grammar;
        format!("{:?}", grammar.rules.iter().map(|rule| &rule.body).collect::<Vec<_>>())
    };
    let plain = rules("A ::= B\nB ::= 'x' ([0-9])\nC ::= 'y'\n");
    assert_eq!(rules("A ::= B\nB ::= 'x' [0-9]\nC ::= 'y'\n"), plain);
    assert_eq!(rules("A ::= B\nB ::= 'x'\n [0-9]\nC ::= 'y'\n"), plain);
    assert_eq!(rules("[1] A ::= B\n[2] B ::= 'x' [0-9]\n[2a] C ::= 'y'\n"), plain);
    assert_eq!(rules("[1] A ::= B\nB ::= 'x' [0-9]\nC ::= 'y'\n"), plain);
}

#[test]
fn errors_have_places() {
    for (text, code, place) in [
        ("a ::= 'x\nb ::= 'y'", "unterminated-string", "'x\n"),
        ("a ::= ('x' b ::= 'y'", "unclosed-parenthesis", "("),
        ("a ::= b", "undefined-name", "b"),
        ("a ::= 'x'\na ::= 'y'", "duplicate-definition", "a"),
        ("a ::= #x110000", "bad-escape", "#x110000"),
        ("a ::= #xD800 'y'", "bad-escape", "#xD800"),
        ("a ::= 'x' #xG0 'y'", "bad-escape", "#x"),
        ("a ::= 'x' #X20", "syntax", "#"),
        ("a ::= #20 'y'", "syntax", "#"),
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
    let comments = "#x is a\na ::= 'x' # a comment\n  #20 y\n";
    assert!(parse(comments, &GrammarOptions::default()).is_ok());
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

#[test]
fn what_is_left_out_one_after_the_other_is_left_out() {
    let text = "a ::= [a-z]+ - 'b' - #x63 - ('d' | c 'e') - 'f'? b | 'x' - 'y'\nb ::= '-'\nc ::= 'c'";
    let grammar = parse(text, &GrammarOptions::default()).expect("valid").grammar;
    let [terminal] = &grammar.terminals[..] else { panic!("{grammar}") };
    let Pattern::Regex(Regex::Automaton(dfa)) = &terminal.pattern else { panic!("{terminal:?}") };
    for (text, accepts) in [
        ("a-", true),
        ("b-", false),
        ("c-", false),
        ("d-", false),
        ("ce-", false),
        ("cd-", true),
        ("f-", false),
        ("ff-", true),
        ("-", false),
        ("x", true),
        ("y", false),
        ("a", false),
    ] {
        assert_eq!(dfa.accepts(text.as_bytes()), accepts, "{text}");
    }
    let errors = parse("a ::= [a-z]+ - 'b' -", &GrammarOptions::default()).expect_err("nothing is left out");
    assert!(errors[0].message.contains("behind `-`"), "{}", errors[0].message);
}

/// Words of ten letters: none is a part of the automaton of the others.
#[test]
fn many_exclusions_take_work_in_proportion() {
    let letter = |n: u64, place: u32| char::from(b'a' + (n >> (6 * place)) as u8 % 26);
    let word = |n: u64| -> String {
        (0..10).map(|place| letter(n.wrapping_mul(0x9E37_79B9_7F4A_7C15), place)).collect()
    };
    let work = |count: u64| {
        let words = (1..=count).map(|n| format!(" - '{}'", word(n))).collect::<String>();
        let limits = RegularLimits::within(&Budget::from(Limits::default()));
        let options = GrammarOptions { limits: limits.clone(), ..GrammarOptions::default() };
        parse(&format!("a ::= [a-z]+{words}"), &options).expect("regular");
        limits.budget.spent().0
    };
    let (once, four_times) = (work(200), work(800));
    assert!(four_times < once * 6, "{once}, then {four_times}");
}
