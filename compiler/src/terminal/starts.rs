//! The bytes with which lexemes start, in the keys of walks.

use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::symbols;

/// Stands for the bytes that may start lexemes, in the keys of walks.
pub(super) type StartKey = [u64; 4];

/// The bytes with which lexemes start in grammars that have precomputed walks: those of JSON texts, and those of JSON texts in
/// which some strings are read in blocks of characters.
pub(super) const STARTS: [ByteSet; 2] = {
    let json = symbols_of(b"\t\n\r \",-0123456789:[]fnt{}");
    [json, ByteSet([json.0[0] | !0 << 32, !0, 0, symbols::TEXT.0[3]])]
};

const fn symbols_of(bytes: &[u8]) -> ByteSet {
    let mut set = ByteSet([0; 4]);
    let mut at = 0;
    while at < bytes.len() {
        set.insert(bytes[at]);
        at += 1;
    }
    set
}

/// Whether the vocabulary may have walks of grammars with these starts.
pub(super) fn has_precomputed_walks(starts: &StartKey) -> bool {
    STARTS.iter().any(|known| known.0 == *starts)
}
