//! Masks that share flips.
//!
//! Masks of one base come in families again: most tokens that one flips, another flips, too. A mask may follow a *leader*: then it is
//! the leader's flips and few of its own. Leaders follow nobody, so that a mask is never more than two lists of flips.
//!
//! Masks are looked at in order, and compared with the leaders of the same base that were followed last: similar masks are put
//! out by similar transitions, and come close together. (Comparing with 16 leaders instead of all takes 5 % more flips on C.)

use super::MAX_DELTA;

/// Leaders per base that a mask is compared with.
const LEADERS: usize = 16;
/// What it costs to be followed: flips are read from two places.
const MARGIN: usize = 8;

/// The leaders of one base that were followed last; the latest is the last.
#[derive(Default)]
pub(super) struct Recent {
    leaders: Vec<u32>,
}

impl Recent {
    /// The leader that the mask numbered `mask` follows, if it pays for itself, and the flips it then makes itself. Without one, it
    /// becomes a leader. `flips_of` gives the flips of leaders.
    pub(super) fn follow<'f>(
        &mut self,
        mask: u32,
        flips: &[u32],
        flips_of: impl Fn(u32) -> &'f [u32],
    ) -> Option<(u32, Vec<u32>)> {
        let mut best = None;
        // Worth it if at least half of the flips are shared, and not many more are made.
        let mut limit = flips.len().saturating_sub(MARGIN) / 2;
        let all = (flips.len() * 5 / 4 + MARGIN).min(MAX_DELTA as usize);
        for (place, &leader) in self.leaders.iter().enumerate() {
            let shared = flips_of(leader);
            let most = limit.min((all + 1).saturating_sub(shared.len()));
            if let Some(distance) = distance(shared, flips, most) {
                (best, limit) = (Some(place), distance);
            }
        }
        let Some(place) = best else {
            if self.leaders.len() == LEADERS {
                self.leaders.remove(0);
            }
            self.leaders.push(mask);
            return None;
        };
        let leader = self.leaders.remove(place);
        self.leaders.push(leader);
        Some((leader, differing(flips_of(leader), flips).collect()))
    }
}

/// In how many places two sorted lists differ, if in fewer than `limit`.
fn distance(a: &[u32], b: &[u32], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) >= limit {
        return None;
    }
    let count = differing(a, b).take(limit).count();
    (count < limit).then_some(count)
}

/// What is in one of two sorted lists only, sorted.
fn differing<'l>(mut a: &'l [u32], mut b: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
    std::iter::from_fn(move || {
        while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
            if x == y {
                (a, b) = (rest_a, rest_b);
                continue;
            }
            return if x < y {
                a = rest_a;
                Some(*x)
            } else {
                b = rest_b;
                Some(*y)
            };
        }
        let left = if a.is_empty() { &mut b } else { &mut a };
        let (first, rest) = left.split_first()?;
        *left = rest;
        Some(*first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_is_the_symmetric_difference() {
        let of = |a: &[u32], b: &[u32]| differing(a, b).collect::<Vec<_>>();
        assert_eq!(of(&[1, 3, 5], &[2, 3, 6, 7]), [1, 2, 5, 6, 7]);
        assert_eq!(of(&[], &[4, 9]), [4, 9]);
        assert_eq!(of(&[4, 9], &[4, 9]), [0; 0]);
        assert_eq!(distance(&[1, 2], &[1, 3], 2), None);
        assert_eq!(distance(&[1, 2], &[1, 3], 3), Some(2));
    }

    #[test]
    fn a_mask_follows_the_nearest_leader() {
        let lists: Vec<Vec<u32>> =
            vec![(0..100).collect(), (0..40).collect(), (0..98).collect(), (2..42).collect()];
        let mut recent = Recent::default();
        let mut follow = |mask: u32| recent.follow(mask, &lists[mask as usize], |m| &lists[m as usize]);
        assert_eq!(follow(0), None);
        assert_eq!(follow(1), None);
        assert_eq!(follow(2), Some((0, vec![98, 99])));
        assert_eq!(follow(3), Some((1, vec![0, 1, 40, 41])));
    }
}
