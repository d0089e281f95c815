//! Sets against arrays of flags.

use super::*;
use crate::ids::SetId;
use gcc_grammar_limits::Budget;

/// A pseudo-random set of ranks below 5,000 as overlapping ranges, and the same as flags.
fn sample(seed: u64) -> (Vec<Range>, Vec<bool>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |bound: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % u64::from(bound)) as u32
    };
    let ranges: Vec<Range> = (0..next(12))
        .map(|_| {
            let start = next(5000);
            (start, (start + next(1500)).min(5000))
        })
        .collect();
    let inside = |rank: u32| ranges.iter().any(|&(a, b)| a <= rank && rank < b);
    let flags = (0..5000).map(inside).collect();
    (ranges, flags)
}

#[test]
fn agrees_with_flags() {
    let mut sets = Sets::new(Budget::unlimited("test"));
    let flags_of = |sets: &Sets, id| {
        let mut flags = vec![false; 5000];
        sets.ranks(id).for_each(|r| flags[r as usize] = true);
        flags
    };
    for seed in 0..200 {
        let ((ra, fa), (rb, fb)) = (sample(seed), sample(seed + 1000));
        let (a, b) = (sets.intern(&ra).unwrap(), sets.intern(&rb).unwrap());
        assert_eq!(flags_of(&sets, a), fa);
        let size = fa.iter().filter(|f| **f).count();
        assert_eq!(sets.counts(&[b, a])[1], size as u32);
        let both = sets.union(a, b).unwrap();
        let either: Vec<bool> = fa.iter().zip(&fb).map(|(a, b)| a | b).collect();
        assert_eq!(flags_of(&sets, both), either);
        assert_eq!(sets.union_all(&mut [b, both, Sets::EMPTY, a, b]).unwrap(), both);
        assert!(sets.is_subset(a, both) && sets.is_subset(b, both) && sets.is_subset(Sets::EMPTY, a));
        assert_eq!(sets.is_subset(a, b), fa.iter().zip(&fb).all(|(a, b)| !a | b));
        assert_eq!(sets.is_subset(both, a), both == a);
        let differing: Vec<u32> = (0..5000).filter(|&r| fa[r as usize] != fb[r as usize]).collect();
        assert_eq!(sets.differing(a, b).collect::<Vec<_>>(), differing);
        let rest: Vec<bool> = fa.iter().zip(&fb).map(|(a, b)| a & !b).collect();
        let without = sets.without(a, &rb).unwrap();
        assert_eq!(flags_of(&sets, without), rest);
        let distance = differing.len() as u32;
        assert_eq!(sets.distance(a, b, distance), Some(distance));
        assert_eq!(distance.checked_sub(1).and_then(|limit| sets.distance(b, a, limit)), None);
    }
}

#[test]
fn adopted_sets_are_the_same() {
    let [mut here, mut there] = [0, 1].map(|_| Sets::new(Budget::unlimited("test")));
    let samples: Vec<Vec<Range>> = (0..50).map(|seed| sample(seed).0).collect();
    let foreign: Vec<SetId> = samples.iter().map(|ranges| there.intern(ranges).unwrap()).collect();
    // Some were known before.
    for ranges in samples.iter().step_by(3) {
        here.intern(ranges).unwrap();
    }
    let mut from = there.into_foreign();
    for (ranges, set) in samples.iter().zip(foreign) {
        let adopted = here.adopt(&mut from, set).unwrap();
        assert_eq!(adopted, here.intern(ranges).unwrap());
        assert_eq!(adopted, here.adopt(&mut from, set).unwrap());
    }
}

#[test]
fn equal_sets_have_equal_ids() {
    let mut sets = Sets::new(Budget::unlimited("test"));
    let whole = sets.intern(&[(10, 3000)]).unwrap();
    let pieces = sets.intern(&[(2000, 3000), (10, 10), (10, 1024), (1000, 2000)]).unwrap();
    assert_eq!(whole, pieces);
    assert_eq!(sets.intern(&[]).unwrap(), Sets::EMPTY);
}
