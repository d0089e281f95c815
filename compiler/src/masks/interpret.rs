//! Interprets a [`MaskStore`]: the tokens of a mask. For tests.

use super::store::MaskStore;
use std::collections::BTreeSet;

/// The ids of all tokens in `mask`: its base, with the tokens of its leader's delta and of its own delta
/// flipped. `shared` has the bitmaps of the vocabulary.
#[must_use]
pub fn interpret(store: &MaskStore, shared: &[u32], mask: u32) -> BTreeSet<u32> {
    let mut tokens: BTreeSet<u32> = BTreeSet::new();
    if let Some(base) = store.base[mask as usize] {
        let (bases, base) =
            base.checked_sub(store.first_own()).map_or((shared, base), |own| (&store.bases[..], own));
        let words = &bases[base as usize * store.words..][..store.words];
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
        // Bases of the vocabulary: a mask itself, one that is far from all masks, and one near to some.
        let far = sets.intern(&[(0, WIDTH / 2)]).unwrap();
        let near = sets.without(masks[1], &holes(100)).unwrap();
        for shared in [vec![], vec![far], vec![far, masks[5], near, Sets::EMPTY]] {
            let store = build(&sets, &masks, &shared, &token_of.as_slice().into(), WIDTH, &budget).unwrap();
            assert!(
                store.base.iter().flatten().count() > 0 && store.leader.iter().any(|&leader| leader != 0)
            );
            let tokens = |set| sets.ranks(set).map(|rank| token_of[rank as usize]);
            let mut words = vec![0; shared.len() * store.words];
            for (row, &set) in words.chunks_mut(store.words).zip(&shared) {
                tokens(set).for_each(|token| row[token as usize / 32] |= 1 << (token % 32));
            }
            assert!(interpret(&store, &words, 0).is_empty());
            for (mask, &set) in (1..).zip(&masks) {
                assert_eq!(interpret(&store, &words, mask), tokens(set).collect(), "mask {mask}");
            }
            assert_eq!(store.shared, if shared.len() > 1 { vec![1, 2] } else { vec![] });
        }
    }
}
