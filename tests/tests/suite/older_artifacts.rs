//! Older artifacts still open and give the same masks, or are refused with an error that names the versions.
//!
//! The folder `golden` has artifacts of present and past versions of the format, their sources, and the masks
//! that they must give. The page README.md in it says how files are added.

use gcc_grammar_artifact::container::{MAJOR, MINOR};
use gcc_grammar_artifact::grammar::VOCABULARY;
use gcc_grammar_artifact::{ArtifactError, GrammarView, VocabularyView};
use gcc_grammar_runtime::{Engine, Matcher, TokenId};
use gcc_grammar_tests::files::{entries, repository};
use gcc_grammar_tokenizers::{Overrides, Registry};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use toml::{Table, Value};

/// The fields `major` and `minor` of a header, which have the same place in all versions.
const MAJOR_AT: usize = 8;
const MINOR_AT: usize = 10;

/// An artifact of the folder: `NAME-MAJOR.MINOR.gcg`.
struct Golden {
    file: String,
    name: String,
    version: (u16, u16),
    bytes: Vec<u8>,
}

fn folder() -> PathBuf {
    repository().join("tests/golden")
}

fn artifacts() -> Vec<Golden> {
    let names =
        entries(&folder()).into_iter().filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
    names.filter(|file| file.ends_with(".gcg")).map(artifact).collect()
}

fn artifact(file: String) -> Golden {
    let parts = || {
        let (name, version) = file.strip_suffix(".gcg")?.rsplit_once('-')?;
        let (major, minor) = version.split_once('.')?;
        Some((name.to_owned(), (major.parse().ok()?, minor.parse().ok()?)))
    };
    let (name, version) = parts().unwrap_or_else(|| panic!("{file} is not named NAME-MAJOR.MINOR.gcg"));
    let bytes = fs::read(folder().join(&file)).expect("the file is read");
    Golden { file, name, version, bytes }
}

fn number_at(bytes: &[u8], offset: usize) -> u16 {
    u16::from_le_bytes([bytes[offset], bytes[offset + 1]])
}

fn with_major(bytes: &[u8], major: u16) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[MAJOR_AT..MAJOR_AT + 2].copy_from_slice(&major.to_le_bytes());
    changed
}

#[test]
fn older_files_open_or_are_refused_by_name() {
    let artifacts = artifacts();
    for golden in &artifacts {
        let Golden { file, version, bytes, .. } = golden;
        assert_eq!((number_at(bytes, MAJOR_AT), number_at(bytes, MINOR_AT)), *version, "{file}");
        if version.0 == MAJOR {
            let masks = assert_masks(golden);
            assert!(masks >= 10, "{file}: too few masks are known");
            for other in [MAJOR - 1, MAJOR + 1] {
                assert_refused(file, &with_major(bytes, other), other);
            }
        } else {
            assert_refused(file, bytes, version.0);
        }
    }
    let versions: BTreeSet<(u16, u16)> = artifacts.iter().map(|golden| golden.version).collect();
    assert!(versions.contains(&(MAJOR, MINOR)), "the present version has no golden artifact: {versions:?}");
    assert!(versions.iter().any(|version| version.0 != MAJOR), "no other major version: {versions:?}");
    let refers = |golden: &Golden| GrammarView::open(&golden.bytes).is_ok_and(|view| view.refers_to_bases());
    assert!(artifacts.iter().any(refers), "none refers to base bitmaps");
}

/// The file is refused, and the error names its version and the supported one.
fn assert_refused(file: &str, bytes: &[u8], found: u16) {
    let error = GrammarView::open(bytes).map(|_| ()).expect_err(file);
    assert_eq!(error, ArtifactError::OtherMajor { found, supported: MAJOR }, "{file}");
    let text = error.to_string();
    assert!(
        text.contains(&format!("format {found},")) && text.contains(&format!("format {MAJOR}:")),
        "{file}: {text}"
    );
}

/// The artifact gives the masks that are known for its grammar; returns how many there are.
fn assert_masks(golden: &Golden) -> usize {
    let Golden { file, name, bytes, .. } = golden;
    let grammar = GrammarView::open(bytes).expect(file);
    grammar.container().verify().expect(file);
    let tiny = tiny_vocabulary();
    let vocabulary = grammar.container().bytes(&VOCABULARY).unwrap_or(&tiny);
    let vocabulary = VocabularyView::open(vocabulary).expect(file);
    let engine = Engine::new(grammar, &vocabulary).expect(file);
    let known = known_masks(name.trim_end_matches("-referring"));
    for known in &known {
        let Known { text, accepting, allowed } = known;
        let mut by_bytes = vec![0; engine.scratch_words()];
        let mut by_tokens = vec![0; engine.scratch_words()];
        let mut by_bytes = Matcher::new(&engine, &mut by_bytes, 1).expect("room");
        let mut by_tokens = Matcher::new(&engine, &mut by_tokens, 1).expect("room");
        by_bytes.commit_bytes(text.as_bytes()).expect("the text is allowed");
        for token in tokenize(&vocabulary, text) {
            by_tokens.commit(token).unwrap_or_else(|error| panic!("{file}: {text:?} {token:?}: {error}"));
        }
        for matcher in [&mut by_bytes, &mut by_tokens] {
            assert_eq!(matcher.is_accepting(), Ok(*accepting), "{file}: {text:?}");
            let mut found = BTreeSet::new();
            matcher.each_allowed_range(|range| found.extend(range)).expect("room");
            assert_eq!(found, *allowed, "{file}: after {text:?}");
        }
    }
    known.len()
}

/// The vocabulary of the artifacts, as it is compiled now.
fn tiny_vocabulary() -> Vec<u8> {
    let overrides = Overrides { width: Some(300), end_tokens: vec!["292".to_owned()] };
    let path = folder().join("tiny.tiktoken");
    let resolved = Registry::without_folder().resolve(&path.to_string_lossy(), &overrides);
    resolved.expect("a vocabulary").vocabulary.to_artifact()
}

/// Greedy tokenization: the longest token first.
fn tokenize(vocabulary: &VocabularyView<'_>, text: &str) -> Vec<TokenId> {
    let by_bytes: BTreeMap<&[u8], TokenId> = (0..vocabulary.meta().mask_width)
        .map(TokenId)
        .filter_map(|token| vocabulary.bytes(token).map(|bytes| (bytes, token)))
        .collect();
    let mut rest = text.as_bytes();
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let longest = (1..=rest.len()).rev().find_map(|len| Some((by_bytes.get(&rest[..len])?, len)));
        let (&token, len) = longest.expect("every byte is a token");
        tokens.push(token);
        rest = &rest[len..];
    }
    tokens
}

/// A text, and the mask after it.
struct Known {
    text: String,
    accepting: bool,
    allowed: BTreeSet<u32>,
}

fn known_masks(name: &str) -> Vec<Known> {
    let file = fs::read_to_string(folder().join(format!("{name}.toml"))).expect(name);
    let file: Table = file.parse().expect(name);
    file["masks"].as_array().expect("an array").iter().map(known_mask).collect()
}

fn known_mask(entry: &Value) -> Known {
    let text = entry["text"].as_str().expect("a text").to_owned();
    let accepting = entry["accepting"].as_bool().expect("a truth value");
    let number = |digits: &str| digits.parse::<u32>().expect("a token id");
    let allowed = entry["allowed"].as_str().expect("ranges of token ids").split_whitespace();
    let allowed = allowed.flat_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        number(first)..=number(last)
    });
    Known { text, accepting, allowed: allowed.collect() }
}
