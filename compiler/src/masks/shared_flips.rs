//! Lets masks share flips.
//!
//! In: the masks of each base in order, as lists of flips. Out: for a mask a *leader*, an earlier mask whose
//! flips it shares, and the few flips that remain; or no leader, and the mask may be the leader of later
//! masks.
//!
//! The masks of a base come in families: most tokens that one flips, another flips, too. A leader has no
//! leader itself, so a mask is never more than two lists of flips. Each mask is compared with the leaders of
//! its base that were followed last: similar masks are outputs of similar transitions, which are close
//! together. (Measured: 16 leaders in place of all take 5 % more flips on C.)

use super::delta::{MAX_DELTA, differing, distance};

/// Leaders per base that a mask is compared with.
const LEADERS: usize = 16;
/// The cost of a leader, in flips: flips are read from two places.
const MARGIN: usize = 8;

/// The leaders of a base that were followed last, the latest at the end.
#[derive(Default)]
pub(super) struct RecentLeaders {
    leaders: Vec<u32>,
}

impl RecentLeaders {
    /// The leader of the mask numbered `mask`, and the flips that remain, if a leader pays for itself.
    /// Otherwise the mask becomes a leader. `flips_of` gives the flips of leaders.
    pub(super) fn follow<'f>(
        &mut self,
        mask: u32,
        flips: &[u32],
        flips_of: impl Fn(u32) -> &'f [u32],
    ) -> Option<(u32, Vec<u32>)> {
        let mut best = None;
        // A leader pays if at least half of the flips are shared, and there are not many more flips together.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_follows_the_nearest_leader() {
        let lists: Vec<Vec<u32>> =
            vec![(0..100).collect(), (0..40).collect(), (0..98).collect(), (2..42).collect()];
        let mut recent = RecentLeaders::default();
        let mut follow = |mask: u32| recent.follow(mask, &lists[mask as usize], |m| &lists[m as usize]);
        assert_eq!(follow(0), None);
        assert_eq!(follow(1), None);
        assert_eq!(follow(2), Some((0, vec![98, 99])));
        assert_eq!(follow(3), Some((1, vec![0, 1, 40, 41])));
    }
}
