//! Rules of ANTLR that use themselves on the left and on the right, beside a reader of its own.

use super::antlr_reader::Text::Word;
use super::antlr_reader::{Random, check, compare, grammar, session, vocabulary};
use gcc_grammar::check as check_parsed;
use gcc_grammar::{Notation, Options, Source, parse};

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
