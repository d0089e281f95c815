//! Forged artifacts, compiled vocabularies and saved matchers, with correct checksums: they are refused, or used without a panic.
//!
//! An input is a script: one byte chooses the file, three more the walk, and each record of eight bytes is an edit (see `forge`).

use super::samples::{artifacts, plain_vocabulary, session, vocabulary};
use crate::forge::{Edit, forge};
use crate::mutate::edits;
use crate::target::Target;
use gcc_grammar::{Artifact, Session};
use gcc_grammar_artifact::container::{FileKind, checksum};
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::{GrammarView, VocabularyView};
use gcc_grammar_runtime::{Engine, Error, Matcher};
use gcc_grammar_tests::generate::Random;
use gcc_grammar_vocabulary::Vocabulary;
use std::hint::black_box;

const fn target(
    name: &'static str,
    about: &'static str,
    seeds: fn() -> Vec<Vec<u8>>,
    check: fn(&[u8]),
) -> Target {
    Target { name, about, seeds, mutate: edits::mutate, check, executions: 6_000 }
}

pub(super) const ARTIFACT: Target = target(
    "artifact",
    "a forged artifact is refused, or used without a panic also if it is trusted, and operations that fail change nothing",
    || (0..6).map(|file| vec![file, 0, 0, file]).collect(),
    check_artifact,
);
pub(super) const VOCABULARY: Target = target(
    "vocabulary",
    "a forged vocabulary is refused or used without a panic",
    || (0..2).map(|file| vec![file, 0, 0, 0]).collect(),
    check_vocabulary,
);
pub(super) const SAVED_STATE: Target = target(
    "saved-state",
    "a forged saved matcher is refused or used without a panic, and operations that fail change nothing",
    || (0..6).flat_map(|file| [vec![file, 0, 0, 1], vec![file, 4, 9, 7]]).collect(),
    check_saved_state,
);

/// Splits a script: the file, the seed of the walk, the edits.
fn split(script: &[u8]) -> (u8, u64, &[u8]) {
    let (start, script) = script.split_at(script.len().min(edits::START));
    let seed = start.iter().skip(1).fold(0, |seed, &byte| seed << 8 | u64::from(byte));
    (start.first().copied().unwrap_or(0), seed, script)
}

fn check_artifact(input: &[u8]) {
    let (file, seed, script) = split(input);
    let files = artifacts();
    let forged = forge(&files[usize::from(file) % files.len()], FileKind::Grammar, script);
    let opened = GrammarView::open(&forged);
    let is_valid = opened.is_ok();
    let Ok(view) = opened.or_else(|_| GrammarView::open_trusted(&forged)) else { return };
    // The facade opens what the runtime opens, and reads metadata and the vocabulary inside.
    if let Ok(artifact) = Artifact::from_bytes("forged", forged.clone()) {
        drop(artifact.metadata(&view));
        drop(Session::new(artifact, vocabulary()));
    }
    let Ok(engine) = Engine::new(view, vocabulary()) else { return };
    let mut scratch = vec![0; scratch_words(seed)];
    if let Ok(mut matcher) = Matcher::new(&engine, &mut scratch, 2) {
        walk(&mut matcher, &mut Random::new(seed), is_valid);
    }
}

/// Small scratches, which are often full, and large ones.
fn scratch_words(seed: u64) -> usize {
    [200, 600, 4096][usize::try_from(seed % 3).expect("a small number")]
}

fn check_saved_state(input: &[u8]) {
    let (file, seed, script) = split(input);
    let session = session(file);
    let mut forged = saved(session, &mut Random::new(seed >> 8));
    forged.truncate(forged.len() - 8);
    Edit::script(script).for_each(|edit| edit.apply(&mut forged, false));
    forged.extend(checksum(&forged).to_le_bytes());
    let mut scratch = vec![0; scratch_words(seed)];
    let Ok(mut matcher) = Matcher::restore(session.engine(), &mut scratch, &forged) else { return };
    walk(&mut matcher, &mut Random::new(seed), true);
}

/// A matcher after some commits.
fn saved(session: &Session, random: &mut Random) -> Vec<u8> {
    let mut matcher = session.matcher_with_rollback(3).expect("room for the beginning");
    for _ in 0..random.below(12) {
        let ranges = matcher.allowed_ranges().expect("room");
        let tokens: Vec<u32> = ranges.into_iter().flatten().collect();
        if !tokens.is_empty() {
            matcher.commit(*random.pick(&tokens)).expect("an allowed token");
        }
    }
    matcher.save()
}

/// Texts that are committed as bytes.
const TEXTS: [&[u8]; 8] = [b"a", b"(", b"ab+a", b")", b"(((", b"{\"a\": \"", b"\"}", b"12"];

/// Calls all operations. Their results may be wrong, but they are results, and failures change nothing. If the tables of the grammar
/// are valid, bits stay within the mask.
fn walk(matcher: &mut Matcher<'_, '_>, random: &mut Random, is_valid: bool) {
    let width = matcher.engine().grammar().meta().mask_width;
    let mut row = vec![0; matcher.engine().row_words().min(1 << 12)];
    for _ in 0..8 {
        let before = state(matcher);
        let failed = match random.below(8) {
            0 | 1 => matcher.commit(TokenId(random.below(80) as u32)),
            2 => matcher.commit_bytes(TEXTS[random.below(TEXTS.len())]),
            3 => matcher.rollback(random.below(4) as u64),
            4 => matcher.fill_mask(&mut row),
            5 => matcher.forced(&mut [0; 4]).map(drop),
            6 => matcher.is_accepting().map(drop),
            _ => matcher.validate(&[TokenId(1), TokenId(33), TokenId(61)]).map(drop),
        };
        if let Err(error) = failed {
            assert_eq!(state(matcher), before, "an operation failed ({error}) and changed the matcher");
        }
        if width <= 4096 && matcher.fill_mask(&mut row).is_ok() && is_valid {
            let beyond = (width..row.len() as u32 * 32)
                .filter(|token| row[*token as usize / 32] >> (token % 32) & 1 == 1);
            assert_eq!(beyond.count(), 0, "bits beyond the mask");
        }
    }
    if width <= 4096 {
        let _ = matcher.count_allowed();
        let _ = matcher.each_allowed_range(drop);
        for token in 0..90 {
            let _ = matcher.allows(TokenId(token));
        }
    }
    if let Ok(mut fork) = matcher.fork(&mut [0; 700]) {
        let _ = fork.commit(TokenId(0));
    }
    matcher.reset();
    let _ = matcher.is_accepting();
}

/// The state of a matcher as bytes.
fn state(matcher: &mut Matcher<'_, '_>) -> Vec<u8> {
    let Err(Error::BufferTooShort { needed }) = matcher.save(&mut []) else {
        panic!("a matcher has some bytes")
    };
    let mut bytes = vec![0; needed];
    assert_eq!(matcher.save(&mut bytes), Ok(needed));
    bytes
}

fn check_vocabulary(input: &[u8]) {
    let (file, _, script) = split(input);
    let vocabulary = plain_vocabulary();
    let valid = if file % 2 == 0 { vocabulary.to_artifact() } else { vocabulary.to_small_artifact() };
    let forged = forge(&valid, FileKind::Vocabulary, script);
    if let Ok(view) = VocabularyView::open(&forged) {
        let ids = (0..90).chain([u32::MAX]).map(TokenId);
        for id in ids {
            black_box((view.bytes(id), view.stored(id), view.is_special(id), view.is_end(id)));
        }
        black_box(view.end_tokens().count());
    }
    if let Ok(vocabulary) = Vocabulary::from_artifact(&forged) {
        use_vocabulary(&vocabulary);
    }
}

/// Looks at everything in a vocabulary, and writes it.
fn use_vocabulary(vocabulary: &Vocabulary) {
    for id in (0..90).chain([u32::MAX]) {
        let found = vocabulary.bytes(id).map(|bytes| vocabulary.find(bytes));
        black_box((found, vocabulary.special_text(id)));
    }
    assert!(vocabulary.end_tokens().iter().all(|&id| id < vocabulary.width()), "end tokens are in the mask");
    assert!(vocabulary.ids() <= vocabulary.width(), "all tokens are in the mask");
    let trie = vocabulary.trie();
    for node in 0..trie.len() {
        let children = trie.children(node).take(300).count();
        assert!(children <= 256, "more children than bytes");
        assert!(trie.tokens_in_subtree(node).end as usize <= vocabulary.order().len(), "tokens of the order");
        assert!((trie.symbols_below(node) as usize) < trie.symbol_sets().len());
        black_box((trie.byte(node), trie.height(node), trie.tokens_at(node), trie.tokens_below(node)));
    }
    black_box(vocabulary.text_tokens().map(|(_, bytes)| bytes.len()).sum::<usize>());
    let _ = vocabulary.to_small_artifact();
    let _ = vocabulary.clone().with_end_tokens(vec![0]);
}
