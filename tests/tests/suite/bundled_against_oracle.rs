//! The oracle and the runtime agree on texts of bundled grammars in which one character is changed.

use gcc_grammar_bundled::{WithBundled, find};
use gcc_grammar_compiler::{Automata, Limits, Options};
use gcc_grammar_notations::lark::{self, BuiltIn};
use gcc_grammar_tests::files::{entries, repository};
use gcc_grammar_tests::law::{Law, no_tokens};
use gcc_grammar_tests::oracle::{Recognizer, Unit, recognizer};
use gcc_grammar_tests::subject::productions;
use std::fs;

/// The texts in `grammars/NAME/accept`.
fn texts(name: &str) -> Vec<Vec<u8>> {
    let files = entries(&repository().join("grammars").join(name).join("accept"));
    files.iter().map(|file| fs::read(file).expect("a readable file")).collect()
}

/// The text, and the text with each `stride`-th byte deleted, doubled or replaced. The last byte comes first, so that each text begins
/// with what it has in common with the one before.
fn changed(text: &[u8], stride: usize) -> Vec<Vec<u8>> {
    let replacements = b"x1 \n\"'/*({)}.,;=-\\".iter().cycle();
    let mut all = Vec::new();
    for (at, &replacement) in (0..text.len()).step_by(stride).zip(replacements) {
        let byte = text[at];
        for new in [&[][..], &[byte, byte], &[replacement], &[byte, replacement]] {
            all.push([&text[..at], new, &text[at + 1..]].concat());
        }
    }
    all.push(text.to_vec());
    all.reverse();
    all
}

/// The number of bytes that the oracle reads, and whether the text may end after them. It has read `before`, and has read what is left there
/// afterwards.
fn read(oracle: &mut dyn Recognizer, before: &mut Vec<u8>, text: &[u8]) -> (usize, bool) {
    let common = before.iter().zip(text).take_while(|(a, b)| a == b).count();
    oracle.truncate(common);
    let read = common + text[common..].iter().take_while(|&&byte| oracle.push(Unit::Byte(byte))).count();
    oracle.truncate(read);
    before.clear();
    before.extend(&text[..read]);
    (read, oracle.accepts())
}

/// Compares the verdicts. Returns the number of texts.
fn compare(name: &str, stride: usize) -> usize {
    let sources = WithBundled(BuiltIn);
    let options = lark::Options { sources: &sources, ..lark::Options::default() };
    let parsed = lark::parse_with(find(name).expect("bundled").text, &options).expect("a sound grammar");
    let automata = Automata::new(&parsed.grammar.clone().into(), &no_tokens(), Limits::default(), &mut ())
        .expect("compiles");
    let normalized = &automata.cfg;
    let mut oracle = recognizer(&parsed.grammar, &(&no_tokens()).into(), Some(productions(normalized)));
    let law = Law::new(&parsed.grammar, &Options::default()).expect("compiles");
    let all: Vec<_> = texts(name).iter().flat_map(|text| changed(text, stride)).collect();
    let mut before = Vec::new();
    law.judge(|taken| {
        for text in &all {
            let (found, expected) = (taken(text), read(oracle.as_mut(), &mut before, text));
            assert!(!oracle.is_exhausted(), "{name}: the oracle gave up");
            assert_eq!(found, expected, "{name}: {:?}", String::from_utf8_lossy(text));
        }
    });
    all.len()
}

/// A step in the texts of large grammars: every fourth place that the campaign `bundled-against-oracle` changes.
const STEP: usize = if cfg!(debug_assertions) { 4 } else { 1 };

#[test]
fn oracle_and_runtime_agree_on_json() {
    assert!(compare("json", 1) > 300);
}

#[test]
fn oracle_and_runtime_agree_on_lua() {
    assert!(compare("lua", 3 * STEP) > 600 / STEP);
}

/// In Go some lexemes cannot follow each other, so that its tables are made anew.
#[test]
fn oracle_and_runtime_agree_on_go() {
    assert!(compare("go", 20 * STEP) > 400 / STEP);
}
