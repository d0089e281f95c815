//! Masks of real grammars for a real vocabulary, along real texts. The oracle tries every token.

use gcc_grammar_ir::Grammar;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_notations::lark;
use gcc_grammar_tests::compare::{Guide, Step, Subject, Tally, compare};
use gcc_grammar_tests::files::{self, repository};
use gcc_grammar_tests::oracle::Decoder;
use gcc_grammar_tests::subject::Way;
use gcc_grammar_tests::{Token, Vocabulary};
use gcc_grammar_tokenizers::BUILTINS;
use std::collections::BTreeMap;

/// The grammar of a schema or of a Lark file.
fn grammar(path: &str) -> Grammar {
    let text = files::read(&repository().join(path));
    let grammar = if path.ends_with(".lark") {
        lark::parse(&text).map(|parsed| parsed.grammar)
    } else {
        json_schema::compile(&text, &json_schema::Options::default()).map(|compiled| compiled.grammar)
    };
    grammar.unwrap_or_else(|errors| panic!("{path}: {errors:?}"))
}

fn llama3() -> Vocabulary {
    let contents = BUILTINS[0].contents();
    let vocabulary = contents.into_vocabulary().expect("a built-in vocabulary is sound");
    Vocabulary::from(&vocabulary)
}

/// The text cut into tokens, each the longest there is.
fn tokenize(text: &str, vocabulary: &Vocabulary) -> Vec<u32> {
    let texts = vocabulary.iter().filter_map(|(id, token)| match token {
        Token::Text(bytes) => Some((bytes.as_slice(), id)),
        _ => None,
    });
    let ids: BTreeMap<&[u8], u32> = texts.collect();
    let mut rest = text.as_bytes();
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let known = |length: &usize| ids.contains_key(&rest[..*length]);
        let length = (1..=rest.len().min(64)).rev().find(known).expect("every byte is a token");
        tokens.push(ids[&rest[..length]]);
        rest = &rest[length..];
    }
    tokens
}

/// Compares the masks along `text`, before every token and at the end.
fn compare_along(path: &str, text: &str, vocabulary: &Vocabulary) -> Tally {
    let grammar = grammar(path);
    let tokens = tokenize(text, vocabulary);
    let mut total = Tally::default();
    let built = Way::Rows.build(&grammar, vocabulary, &mut |built| {
        let mut oracle = Decoder::new(&grammar, vocabulary, built.cfg.clone());
        for index in 0..=tokens.len() {
            let stay: &mut dyn Guide = &mut Vec::<Step>::new().into_iter();
            let (tally, failure) = compare(&mut oracle, built.engine, stay);
            assert_eq!(failure, None, "{path}: after {index} tokens of {text}");
            total += tally;
            if let Some(&token) = tokens.get(index) {
                assert!(oracle.accept(token), "{path}: the oracle refuses token {index} of {text}");
                assert_eq!(built.engine.commit(token), Ok(true), "{path}: token {index} of {text}");
            }
        }
        assert!(oracle.accepts(), "{path}: {text} is not complete");
    });
    assert_eq!(built, Ok(()), "{path}");
    assert_eq!((total.overflows, total.exhausted), (0, 0), "{path}");
    total
}

const TEXTS: [(&str, &str); 6] = [
    ("grammars/json/json.lark", "{\"a\": [1, -2.5e+3, {}], \"\\u00e9\": null,\n \"\": \"é\\n\"}\n"),
    ("grammars/json/json.lark", "[ \"\\ud83d\\ude00\", true, [[]] , 0]"),
    ("examples/person.schema.json", r#"{"name": "Ada", "age": 36, "tags": ["x", "y z"]}"#),
    (
        "examples/person.schema.json",
        r#"{"name":"É","age":1,"email":"a@b.c","address":{"city":"","country":"JP"}}"#,
    ),
    (
        "examples/tree.schema.json",
        r#"{"label": "r", "kind": "branch", "weight": 1.5, "children": [{"label": "l"}]}"#,
    ),
    (
        "examples/order.schema.json",
        r#"{"id": "ORD-12345678", "status": "new", "customer": {"id": 7, "name": "A"}, "items": [{"sku": "AB-1234", "quantity": 2, "price": 0.5}], "payment": {"method": "card", "last4": "1234"}}"#,
    ),
];

#[test]
fn masks_along_real_texts_are_exact_on_llama3() {
    let vocabulary = llama3();
    for (path, text) in TEXTS {
        let tally = compare_along(path, text, &vocabulary);
        println!("{path}: {tally:?}");
    }
}
