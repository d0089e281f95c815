//! Rules of ANTLR that use themselves on the left and on the right, and texts that only begin a longer token, beside a reader of its own.

use super::antlr_reader::Command::Hidden;
use super::antlr_reader::Text::{Any, Word};
use super::antlr_reader::{Command, Random, Text, check, compare, grammar, session, vocabulary};
use gcc_grammar::check as check_parsed;
use gcc_grammar::{LimitOptions, Notation, Options, Session, Source, compile, parse};

#[test]
fn operators_have_the_texts_of_the_rule_and_one_reading() {
    let operators = grammar(
        &[
            ("A", 0, Word("a"), &[]),
            ("PLUS", 0, Word("+"), &[]),
            ("MINUS", 0, Word("-"), &[]),
            ("OPEN", 0, Word("("), &[]),
            ("CLOSE", 0, Word(")"), &[]),
        ],
        &[
            ("all", &["e EOF"]),
            ("e", &["e PLUS e", "e OPEN e CLOSE", "MINUS e", "A", "OPEN e CLOSE", "e MINUS e MINUS e"]),
        ],
    );
    check(&operators, "a+-()", 6, 6, 20);
    let text = "grammar g; all : e EOF ; e : e '+' e | e args | '-' e | 'n' e args? | 'm' e ('[' e ']')? | e '[' e ']' | A ; args : '(' e ')' ; A : 'a' ;";
    let (source, options) = (Source::new(Notation::Antlr, text), Options::default());
    let parsed = parse(&source, &options).expect("a grammar");
    assert_eq!(check_parsed(&parsed, &options, 1).expect("within the limits").conflict_count, 0);
}

#[test]
fn random_operators_have_the_texts_of_the_reader() {
    let (vocabulary, mut random) = (vocabulary(), Random(78));
    let tokens = [("A", 0, Word("a"), &[][..]), ("B", 0, Word("b"), &[]), ("C", 0, Word("c"), &[])];
    let (mut compiled, mut texts) = (0, 0);
    for _ in 0..150 {
        let all = [
            "e A e",
            "e B e",
            "e e",
            "e B",
            "A e",
            "A e B?",
            "B e",
            "C",
            "B C",
            "e C e A e",
            "A e B",
            "e? A e",
            "e A e?",
            "t e",
            "e t e",
            "e t",
            "B? e",
            "e B?",
        ];
        let drawn = (0..2 + random.below(5)).map(|_| random.of(&all));
        let bodies: Vec<&str> = drawn.chain(["C"]).collect();
        let other = [random.of(&["A", "A e", "e A", "B e B"]), "B"];
        let grammar = grammar(&tokens, &[("s", &["e"]), ("e", &bodies), ("t", &other)]);
        match session(&grammar, &vocabulary) {
            Ok(session) => {
                compiled += 1;
                texts += compare(&grammar, &session, "abc", 5, 5);
            }
            Err(error) => assert!(!error.contains("limit"), "{error}: {grammar:?}"),
        }
    }
    assert!(compiled >= 80 && texts >= 500, "{compiled} grammars with {texts} texts");
}

/// `[` is never followed by `=` or `[`, except behind what is hidden, or where a token begins so.
#[test]
fn what_begins_a_longer_token_is_followed_only_where_the_parser_goes_on() {
    let with = |more: &[(&str, usize, Text, &[Command])]| {
        let tokens = [
            ("OPEN", 0, Word("["), &[][..]),
            ("CLOSE", 0, Word("]"), &[]),
            ("EQUALS", 0, Word("="), &[]),
            ("A", 0, Word("a"), &[]),
            ("LONG", 0, Word("[=a]]"), &[]),
        ];
        let rules: &[(&str, &[&str])] =
            &[("s", &["e EQUALS e", "e"]), ("e", &["A", "LONG", "e OPEN e CLOSE"])];
        grammar(&[&tokens[..], more].concat(), rules)
    };
    check(&with(&[]), "[]=a", 7, 5, 10);
    check(&with(&[("HIDDEN", 0, Word("=["), &[Hidden])]), "[]=a", 7, 5, 10);
    check(&with(&[("ERROR", 0, Any, &[Hidden])]), "[]=ab", 6, 5, 10);
}

/// Lua: each number of `=` has brackets of its own, and a text may begin several of them.
#[test]
fn long_brackets_do_not_multiply() {
    let text = "grammar g; all : (e '=' e ';')* EOF ; e : NAME | LONG | e '[' e ']' ; LONG : '[' N ']' ; \
                fragment N : '=' N '=' | '[' .*? ']' ; NAME : [a-z]+ ; WS : ' ' -> skip ;";
    let limits = LimitOptions { lexer_states: Some(1000), ..LimitOptions::default() };
    let options = Options { limits, ..Options::default() };
    let vocabulary = vocabulary();
    let artifact =
        compile(&Source::new(Notation::Antlr, text), &vocabulary, &options).expect("within the limits");
    let session = Session::new(artifact, &vocabulary).expect("the same vocabulary");
    let is_text = |text: &str| {
        let mut matcher = session.matcher().expect("a matcher");
        matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
    };
    assert!(is_text("a[[=[x]=] ]=[==[]=]==];"), "`]]` stands nowhere behind `[[`");
    assert!(is_text("a[ [[x]] ]=b;"));
    assert!(!is_text("a[[=[x]=]]=b;"), "`[[=[x]=]]` is one token");
    assert!(!is_text("a[=b;"));
}
