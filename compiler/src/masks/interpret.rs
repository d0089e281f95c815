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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SetId;
    use crate::masks::build;
    use crate::random::Random;
    use crate::sets::Sets;
    use gcc_grammar_limits::Budget;

    /// Large masks in families: the masks of a family have holes in common, and some holes of their own.
    #[test]
    fn masks_are_the_sets_they_were_made_of() {
        const WIDTH: u32 = 20_000;
        const FAMILIES: usize = 12;
        let budget = Budget::unlimited("test");
        let (mut sets, mut random) = (Sets::new(budget.clone()), Random(1));
        let mut holes = |count: usize| -> Vec<(u32, u32)> {
            let starts = (0..count).map(|_| random.below(WIDTH as usize) as u32);
            starts.map(|start| (start, start + 1)).collect()
        };
        let common: Vec<_> = (0..FAMILIES).map(|_| holes(60)).collect();
        let whole = sets.intern(&[(0, WIDTH)]).unwrap();
        let all = (0..5 * FAMILIES).map(|i| [common[i % FAMILIES].clone(), holes(i % 7)].concat());
        let masks: Vec<SetId> = all.map(|holes| sets.without(whole, &holes).unwrap()).collect();
        let token_of: Vec<u32> = (0..WIDTH).rev().collect();
        let store = build(&sets, &masks, &token_of, WIDTH, &budget).unwrap();
        assert!(store.base.iter().flatten().count() > 0 && store.leader.iter().any(|&leader| leader != 0));
        assert!(interpret(&store, 0).is_empty());
        for (mask, &set) in (1..).zip(&masks) {
            let expected: BTreeSet<u32> = sets.ranks(set).map(|rank| token_of[rank as usize]).collect();
            assert_eq!(interpret(&store, mask), expected, "mask {mask}");
        }
    }
}
