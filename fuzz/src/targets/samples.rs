//! The artifacts and vocabularies that targets work on: small, and together with every table of the format.

use gcc_grammar::{Artifact, Options, Packing, Session, Source, Vocabulary, compile_parsed, parse};
use gcc_grammar_vocabulary::SpecialToken;
use std::sync::OnceLock;

/// The text tokens of the vocabulary of all samples: single bytes, parts of words, and a character in two parts.
const TOKENS: [&[u8]; 58] = [
    b"a",
    b"b",
    b"c",
    b"d",
    b"e",
    b"n",
    b"s",
    b"t",
    b"x",
    b"0",
    b"1",
    b"2",
    b"9",
    b"+",
    b"-",
    b"*",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b":",
    b",",
    b"\"",
    b" ",
    b"\n",
    b"<",
    b">",
    b"/",
    b"=",
    b".",
    b"\\",
    b"ab",
    b"aa",
    b"ba",
    b"abc",
    b"12",
    b"((",
    b"))",
    b"a+b",
    b"\":",
    b"\", \"",
    b"{\"",
    b"\"}",
    b"},",
    b"true",
    b"false",
    b"null",
    b"<a",
    b"</a>",
    b"  ",
    b"\n  ",
    "é".as_bytes(),
    b"\xc3",
    b"\xa9",
    b"",
    b"ab",
];

/// A vocabulary with special tokens, two tokens of the same bytes, an empty token, a hole and padding.
pub(super) fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
    VOCABULARY.get_or_init(|| {
        let file = plain_vocabulary().to_artifact();
        Vocabulary::from_artifact("sample", &file, "sample.gcv".into()).expect("it was just written")
    })
}

/// The same vocabulary, without a name.
pub(super) fn plain_vocabulary() -> &'static gcc_grammar_vocabulary::Vocabulary {
    static VOCABULARY: OnceLock<gcc_grammar_vocabulary::Vocabulary> = OnceLock::new();
    VOCABULARY.get_or_init(|| {
        let texts = (0..).zip(TOKENS.iter().map(|token| token.to_vec())).collect();
        let specials = [(60, "<|tool|>"), (61, "<|end|>"), (62, "<|stop|>")];
        let specials = specials.map(|(id, text)| SpecialToken { id, text: text.to_owned() }).to_vec();
        let vocabulary = gcc_grammar_vocabulary::Vocabulary::from_tokens(texts, specials, vec![61, 62], 72);
        vocabulary.expect("the tokens are a vocabulary")
    })
}

/// Sources whose artifacts have every kind of table: several stacks, longest match, counted strings, special tokens.
fn sources() -> [Source; 6] {
    [
        Source::lark(concat!(
            "start: sum\nsum: sum (\"+\" | \"-\") sum | \"-\" sum | NUMBER | NAME \"(\" sum \")\"\n",
            "NUMBER: /[0-9]+(\\.[0-9]+)?/\nNAME: /[a-e]+/\nWORD: \"abc\"\n%ignore \" \"\n"
        )),
        Source::json_schema(concat!(
            r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 12}, "#,
            r#""b": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]}"#
        )),
        Source::gbnf("root ::= \"(\" root \")\" | \"[\" root? \"]\" | [a-c]{1,3} | \"a\" root \"b\" root"),
        Source::structural_tag(concat!(
            r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<a"], "tags": "#,
            r#"[{"type": "tag", "begin": "<a>", "content": {"type": "regex", "pattern": "[a-c]+1?"}, "end": "</a>"}]}}"#
        )),
        Source::lark("start: <|tool|> (WORD | <|tool|>)* \"x\"\nWORD: /[a-z]{2,6}/\n"),
        Source::regex("(a|ab|é)*[0-9]{0,8}"),
    ]
}

/// The artifacts of the samples: referenced for all, and self-contained for the last.
pub(super) fn artifacts() -> &'static [Vec<u8>] {
    static ARTIFACTS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ARTIFACTS.get_or_init(|| {
        let sources = sources();
        let last = sources.len() - 1;
        let compile = |(index, source): (usize, &Source)| {
            let packing = if index == last { Packing::SelfContained } else { Packing::Referenced };
            let options = Options::default();
            let parsed = parse(source, &options).expect("the sources are right");
            let compiled = compile_parsed(&parsed, vocabulary(), &options, packing, &mut ());
            compiled.expect("the sources are right").artifact.bytes().to_vec()
        };
        sources.iter().enumerate().map(compile).collect()
    })
}

/// A session of an artifact, chosen by a byte.
pub(super) fn session(choice: u8) -> &'static Session {
    static SESSIONS: OnceLock<Vec<Session>> = OnceLock::new();
    let sessions = SESSIONS.get_or_init(|| {
        let open = |bytes: &Vec<u8>| {
            let artifact = Artifact::from_bytes("sample", bytes.clone()).expect("it was just written");
            Session::new(artifact, vocabulary()).expect("it was just written")
        };
        artifacts().iter().map(open).collect()
    });
    &sessions[usize::from(choice) % sessions.len()]
}
