//! Takes bytes that no token has out of a terminal.
//!
//! In: the vocabulary, and an automaton. Out: the automaton of those strings that have bytes of tokens only, and marks of special tokens.

use super::marks::used_bytes;
use gcc_grammar_ir::special;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{ByteSet, Dfa, Regex, RegularLimits};
use gcc_grammar_vocabulary::Vocabulary;

/// The bytes that tokens have. If there are no text tokens at all, as in a stand-in for a vocabulary, all bytes.
pub(super) fn bytes_of(vocabulary: &Vocabulary) -> ByteSet {
    // Most vocabularies have a token that begins with each byte.
    if vocabulary.order().is_empty() || vocabulary.trie().child_bytes(0) == ByteSet::ALL {
        return ByteSet::ALL;
    }
    let mut bytes = ByteSet::default();
    let tokens = vocabulary.order().iter().filter_map(|&token| vocabulary.bytes(token));
    tokens.flatten().for_each(|&byte| bytes.insert(byte));
    bytes
}

/// The automaton without the strings that have other bytes. Adds those bytes that it has to `lacking`.
pub(super) fn restrict(
    dfa: Dfa,
    is_marked: bool,
    bytes: &ByteSet,
    lacking: &mut ByteSet,
    limits: &RegularLimits,
) -> Result<Dfa, OverBudget> {
    if *bytes == ByteSet::ALL {
        return Ok(dfa);
    }
    let lacked = used_bytes(&dfa, is_marked) & !*bytes;
    if lacked.is_empty() {
        return Ok(dfa);
    }
    *lacking |= lacked;
    let marks = is_marked.then(special::any_mark);
    let units = Regex::union([Regex::Bytes(*bytes)].into_iter().chain(marks));
    dfa.intersect(&units.star().to_dfa(limits)?, limits)
}
