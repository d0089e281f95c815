//! What other packages take and this one refuses: each kind with the error, which says what to write instead.

use super::Snapshots;
use gcc_grammar::diagnostic::render_text;
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Notation, Options, Source, Vocabulary, compile};

/// Inputs in the notations of other packages, by kind.
const REFUSED: &[(&str, Notation, &str)] = &[
    ("attribute", Notation::Lark, "start: a\na[hidden]: \"x\"\n"),
    ("backreference", Notation::Regex, "(a|b)\\1"),
    ("conditional", Notation::Lark, "start: A\nA: /(?(1)a|b)/\n"),
    ("control-escape", Notation::Ebnf, "root ::= Regex(\"x\\\\cJ\")\n"),
    ("declared-terminal", Notation::Lark, "start: A\n%declare A\n"),
    ("empty-class", Notation::Ebnf, "root ::= Regex(\"[^]\")\n"),
    ("empty-lexeme-of-layout", Notation::Lark, "start: \"a\" NL\nNL: /\\n*/\n%layout NL INDENT: \"  \"~2\n"),
    ("lazy-rule-of-ebnf", Notation::Ebnf, "root ::= r \"!\"\nr[lazy] ::= \"(\" r \")\" | \"a\"\n"),
    ("look-around", Notation::Ebnf, "root ::= Regex(\"a(?=b)\")\n"),
    ("max-chars-of-ebnf", Notation::Ebnf, "root[max_chars=7000000] ::= [a-z]+\n"),
    ("named-grammar", Notation::Lark, "start: @other\n"),
    ("no-whole-text", Notation::Regex, "a$b"),
    ("parameter", Notation::Lark, "start: a::0x1\na: \"x\"\n"),
    ("unknown-id", Notation::Lark, "start: <[400-500]>\n"),
    ("unknown-name", Notation::Lark, "start: <|users|> \"x\"\n"),
];

/// A vocabulary of all bytes, with special tokens.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let names = (256..).zip(["<|user|>", "<|system|>", "<|end|>"]);
    let special = names.map(|(id, text)| SpecialToken { id, text: text.to_owned() }).collect();
    Vocabulary::from_parts("bytes", tokens, special, vec![258], 259).expect("a vocabulary")
}

#[test]
fn every_refusal_says_what_to_write() {
    let vocabulary = vocabulary();
    let mut snapshots = Snapshots::new("refusals");
    let mut without_help = Vec::new();
    for &(kind, notation, text) in REFUSED {
        let source = Source::named(notation, "input", text);
        let Err(error) = compile(&source, &vocabulary, &Options::default()) else {
            panic!("{kind} is accepted: {text}")
        };
        let mut shown = format!("{notation}: {}\n\n", text.trim_end());
        for diagnostic in error.diagnostics() {
            if diagnostic.help.is_none() {
                without_help.push(diagnostic.clone());
            }
            shown.push_str(&render_text(diagnostic, &error.input().name, &error.input().text, false));
        }
        snapshots.compare(kind, &shown);
    }
    assert!(without_help.is_empty(), "{without_help:?}");
    snapshots.finish();
}
