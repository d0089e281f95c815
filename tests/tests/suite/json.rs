//! The bundled JSON grammar: its own texts, the texts of JSONTestSuite, and masks for a real vocabulary beside the oracle.

use gcc_grammar_ir::Grammar;
use gcc_grammar_notations::lark;
use gcc_grammar_tests::compare::{Built, Subject};
use gcc_grammar_tests::engine::Engine;
use gcc_grammar_tests::files::{self, entries, repository, shared};
use gcc_grammar_tests::oracle::Decoder;
use gcc_grammar_tests::subject::Way;
use gcc_grammar_tests::{Token, Vocabulary};
use gcc_grammar_tokenizers::Builtin;
use std::fs;
use std::path::PathBuf;

fn grammar() -> Grammar {
    let text = files::read(&repository().join("grammars/json/json.lark"));
    lark::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}")).grammar
}

/// Single bytes and an end token. The verdict on a text does not depend on how it is cut into tokens.
fn bytes_only() -> Vocabulary {
    let tokens = (0..=255).map(|byte| Token::Text(vec![byte])).chain([Token::Special("<end>".to_owned())]);
    Vocabulary { tokens: tokens.collect(), end: vec![256], padding: 0 }
}

fn llama3() -> Vocabulary {
    let contents = Builtin::find("llama3").expect("built in").contents();
    let mut tokens = vec![Token::Hole; contents.ids() as usize];
    for (id, bytes) in contents.tokens {
        tokens[id as usize] = Token::Text(bytes);
    }
    for special in contents.specials {
        tokens[special.id as usize] = Token::Special(special.text);
    }
    Vocabulary { tokens, end: contents.end_tokens, padding: 64 }
}

/// Whether the compiled grammar accepts each text.
fn verdicts(texts: &[Vec<u8>]) -> Vec<bool> {
    let mut verdicts = Vec::new();
    let judge = |Built { engine, .. }: Built<'_>| {
        for text in texts {
            engine.reset();
            let taken = text.iter().all(|&byte| engine.commit(byte.into()).expect("room"));
            verdicts.push(taken && engine.is_accepting().expect("room"));
        }
    };
    let mut judge = judge;
    Way::Rows.build(&grammar(), &bytes_only(), &mut judge).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    verdicts
}

fn judge_files(paths: &[PathBuf], expected: impl Fn(&str) -> Option<bool>) -> usize {
    let texts: Vec<Vec<u8>> = paths.iter().map(|file| fs::read(file).expect("readable")).collect();
    let mut judged = 0;
    for (file, verdict) in paths.iter().zip(verdicts(&texts)) {
        if let Some(expected) = expected(&file.to_string_lossy()) {
            assert_eq!(verdict, expected, "{}", file.display());
            judged += 1;
        }
    }
    judged
}

#[test]
fn bundled_cases() {
    let folder = repository().join("grammars/json");
    let cases = [entries(&folder.join("accept")), entries(&folder.join("reject"))].concat();
    let judged = judge_files(&cases, |path| Some(path.contains("/accept/")));
    assert!(judged >= 8, "only {judged} cases");
}

#[test]
#[ignore = "needs ../shared: data/corpora/json-test-suite"]
fn json_test_suite() {
    let folder = shared("data/corpora/json-test-suite/test_parsing");
    // Nested 100,000 deep: refused only at the end of the text, which the scratch of this test is too small to reach.
    let deep = ["n_structure_100000_opening_arrays", "n_structure_open_array_object"];
    let mut cases = entries(&folder);
    cases.retain(|path| !deep.iter().any(|name| path.to_string_lossy().contains(name)));
    let judged = judge_files(&cases, |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        match &name[..2] {
            "y_" => Some(true),
            "n_" => Some(false),
            _ => None,
        }
    });
    assert!(judged >= 270, "only {judged} files");
}

/// Every token of llama3, tried one by one in the oracle, in some states of one text.
#[test]
fn masks_of_a_real_vocabulary() {
    let (grammar, vocabulary) = (grammar(), llama3());
    let text = br#"{"a": [1.5e"#;
    let looks = [0usize, 2, 6, 8, 11];
    let mut compared = 0;
    let mut body = |Built { engine, cfg, .. }: Built<'_>| {
        let mut oracle = Decoder::new(&grammar, &vocabulary, cfg);
        for at in 0..=text.len() {
            if looks.contains(&at) {
                let expected = Engine::mask(&mut oracle).expect("the oracle has no limits here");
                let found = engine.mask().expect("room");
                let wrong: Vec<usize> = (0..expected.len()).filter(|&t| expected[t] != found[t]).collect();
                assert!(wrong.is_empty(), "after {at} bytes: {wrong:?}");
                compared += 1;
            }
            let Some(&byte) = text.get(at) else { break };
            let token =
                vocabulary.iter().find(|(_, token)| **token == Token::Text(vec![byte])).expect("a byte").0;
            assert!(engine.commit(token).expect("room") && oracle.commit(token).expect("no limits"));
        }
    };
    Way::Rows.build(&grammar, &vocabulary, &mut body).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    assert_eq!(compared, looks.len());
}
