//! Interprets a [`MaskStore`]: the tokens of a mask. For tests.

use super::store::MaskStore;
use std::collections::BTreeSet;

/// The ids of all tokens in `mask`: its base, with the tokens of its leader's delta and of its own delta
/// flipped.
#[must_use]
pub fn interpret(store: &MaskStore, mask: u32) -> BTreeSet<u32> {
    let mut tokens: BTreeSet<u32> = BTreeSet::new();
    if let Some(base) = store.base[mask as usize] {
        let words = &store.bases[base as usize * store.words..][..store.words];
        let has = |token: &u32| words[*token as usize / 32] >> (token % 32) & 1 == 1;
        tokens.extend((0..store.words as u32 * 32).filter(has));
    }
    let leader = store.leader[mask as usize];
    let shared = if leader == 0 { &[] } else { store.deltas.row(leader as usize) };
    for &token in shared.iter().chain(store.deltas.row(mask as usize)) {
        if !tokens.insert(token) {
            tokens.remove(&token);
        }
    }
    tokens
}
