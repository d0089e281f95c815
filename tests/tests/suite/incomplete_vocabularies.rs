//! Vocabularies that cannot spell every text: characters without tokens, and tokens that no shorter tokens make up.
//!
//! A small Unigram vocabulary without fallback to bytes is written as a tokenizer file and loaded as such. Its characters are tokens, their
//! bytes are not, and some characters are missing although all their bytes occur.

use gcc_grammar::vocabulary::{Overrides, registry};
use gcc_grammar::{Options, Source, parse};
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::{CompileError, Options as CompilerOptions, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_tests::Vocabulary;
use gcc_grammar_tests::compare::{Subject, compare};
use gcc_grammar_tests::generate::Walk;
use gcc_grammar_tests::subject::{Way, convert};
use std::sync::Arc;

/// The characters that are tokens. `ĩ` is C4 A9 and `è` is C3 A8, so that the bytes of `é` (C3 A9) occur, but no `é`.
const CHARACTERS: &str = "\u{2581}abcdefghijklmnopqrstuvwxyz0123456789{}[]\":,.;=()#/\\-+\nèĩ€";

/// A tokenizer file with these characters, and pieces of several.
fn unigram() -> String {
    let pieces =
        ["\u{2581}{", "\":", "true", "false", "ĩĩ", "\u{2581}è", "name", "=\u{2581}", "aè", "\"ĩ", "€è\""];
    let characters = CHARACTERS.chars().map(String::from);
    let pieces = ["<unk>", "</s>"].into_iter().chain(pieces).map(str::to_owned).chain(characters);
    let vocabulary: Vec<_> = pieces.map(|piece| serde_json::json!([piece, -2.5])).collect();
    let special = |id: u32, content: &str| serde_json::json!({"id": id, "content": content, "special": true});
    serde_json::json!({
        "added_tokens": [special(0, "<unk>"), special(1, "</s>")],
        "decoder": {"type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "never"},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocabulary},
    })
    .to_string()
}

fn vocabulary() -> Vocabulary {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tokenizer.json");
    std::fs::write(&path, unigram()).expect("written");
    let path = path.to_str().expect("UTF-8");
    let registry = registry(Some(folder.path().to_owned()));
    let loaded =
        gcc_grammar::Vocabulary::load_from(&registry, path, &Overrides::default()).expect("a tokenizer");
    loaded.tokens().into()
}

fn grammar(source: &Source) -> Arc<Grammar> {
    parse(source, &Options::default()).expect("valid").grammar
}

fn liveness(grammar: &Arc<Grammar>, vocabulary: &Vocabulary) -> Liveness {
    compile(grammar, &convert(vocabulary), &CompilerOptions::default(), &mut ()).expect("compiles").liveness
}

/// Compares the runtime with the oracle along random walks. Returns the number of masks.
fn walk(grammar: &Arc<Grammar>, vocabulary: &Vocabulary, walks: u64) -> u64 {
    let mut masks = 0;
    let built = Way::Rows.build(grammar, vocabulary, &mut |built| {
        assert!(built.is_certified);
        let mut oracle = built.oracle(grammar, vocabulary);
        assert!(oracle.is_by_tokens());
        for seed in 0..walks {
            let (tally, failure) = compare(&mut oracle, built.engine, &mut Walk::new(seed, 14));
            assert_eq!((failure, tally.exhausted), (None, 0));
            masks += tally.masks;
            oracle.reset();
            built.engine.reset();
        }
    });
    built.expect("compiles");
    masks
}

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}, "kind": {"enum": ["è", "aé", "ĩa", "é"]},
    "tag": {"type": "string", "pattern": "^[éèĩ]{1,3}$"}}, "required": ["kind"], "additionalProperties": false}"#;

const LARK: &str = r#"
start: statement+
statement: NAME "=" value ";"
value: NAME | STRING | "é" "!" | "€"
NAME: /[a-zéèĩ]+/
STRING: /"[^"\n]*"/
COMMENT: /#[^\n]*\n/
%ignore COMMENT
%ignore " "
"#;

#[test]
fn masks_lead_to_texts_that_the_tokens_spell() {
    let vocabulary = vocabulary();
    for source in [Source::json_schema(SCHEMA), Source::lark(LARK)] {
        let masks = walk(&grammar(&source), &vocabulary, 12);
        assert!(masks > 100, "{masks}");
    }
}

/// The only text begins with a character that is there, and goes on with one that is not.
#[test]
fn a_character_without_a_token_ends_no_text() {
    let vocabulary = vocabulary();
    let choice = |texts: &str| grammar(&Source::gbnf(texts));
    let allowed = |grammar: &Arc<Grammar>| {
        let mut allowed = Vec::new();
        let built = Way::Rows.build(grammar, &vocabulary, &mut |built| {
            let mask = built.engine.mask().expect("room");
            let ids = (0..).zip(mask).filter(|(_, is_allowed)| *is_allowed);
            allowed = ids.map(|(id, _)| convert(&vocabulary).bytes(id).expect("text").to_vec()).collect();
        });
        built.expect("compiles");
        allowed
    };
    assert_eq!(allowed(&choice("root ::= \"aé\" | \"bĩ\"")), [b"b"]);
    assert_eq!(liveness(&choice("root ::= \"aé\" | \"bĩ\""), &vocabulary), Liveness::Certified);
    let refused =
        compile(&choice("root ::= \"aé\""), &convert(&vocabulary), &CompilerOptions::default(), &mut ());
    let Err(CompileError::Grammar(diagnostics)) = refused else { panic!("compiled") };
    assert!(
        diagnostics[0].message.contains("with the tokens of the vocabulary"),
        "{}",
        diagnostics[0].message
    );
}

#[test]
fn what_is_not_certified_says_why() {
    let reason = |tokens: &[&str], text: &str| {
        let tokens = (0..).zip(tokens.iter().map(|token| token.as_bytes().to_vec())).collect();
        let vocabulary = gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, Vec::new(), vec![9], 10);
        let vocabulary = Vocabulary::from(&vocabulary.expect("distinct"));
        match liveness(&grammar(&Source::lark(text)), &vocabulary) {
            Liveness::Certified => "certified".to_owned(),
            Liveness::NotCertified(reason) => reason,
        }
    };
    let text = "start: (\"ab\" | \"c\")+";
    assert_eq!(reason(&["ab", "abab", "c", "abc"], text), "certified");
    assert!(reason(&["ab", "c"], "start: /ab?/ \"c\"").contains("may end inside"));
    assert!(reason(&["ab", "abd", "c"], "start: /abd?/ \"c\"").contains("\"ab\" and \"abd\" begin alike"));
    assert!(reason(&["a", "bb"], "start: \"a\" \"b\"").contains("0x62 alone"));
}

/// Texts of single bytes, for comparison: every byte is a token.
#[test]
fn complete_vocabularies_need_no_units() {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let vocabulary = gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, Vec::new(), vec![256], 257);
    let vocabulary = Vocabulary::from(&vocabulary.expect("distinct"));
    let grammar = grammar(&Source::lark(LARK));
    let built = Way::Rows.build(&grammar, &vocabulary, &mut |built| {
        let mut oracle = built.oracle(&grammar, &vocabulary);
        assert!(built.is_certified && !oracle.is_by_tokens());
        let (_, failure) = compare(&mut oracle, built.engine, &mut Walk::new(3, 10));
        assert_eq!(failure, None);
    });
    built.expect("compiles");
}
