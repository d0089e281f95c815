//! Percentiles of durations, by the nearest-rank method: the p-th percentile is the least value that p per cent of all values do not exceed.

use std::fmt;
use std::time::Duration;

/// The durations of many operations of the same kind.
#[derive(Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Adds a duration.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The number of durations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the durations in the order in which they were pushed. Asking for a percentile sorts them.
    pub fn iter(&self) -> impl Iterator<Item = Duration> + '_ {
        self.0.iter().copied()
    }

    /// Adds all durations of `other`.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Replaces each duration by the lesser of itself and the duration with the same index in `other`. Durations beyond the end of
    /// `other` stay.
    pub fn keep_least(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(time, &other)| *time = other.min(*time));
    }

    /// The duration that this many per mille of all durations do not exceed; zero if there are none.
    pub fn per_mille(&mut self, per_mille: usize) -> Duration {
        self.0.sort_unstable();
        nearest_rank(&self.0, per_mille).unwrap_or_default()
    }

    /// Several percentiles, in per mille.
    pub fn percentiles<const N: usize>(&mut self, per_mille: [usize; N]) -> [Duration; N] {
        per_mille.map(|per_mille| self.per_mille(per_mille))
    }
}

impl FromIterator<Duration> for Times {
    fn from_iter<I: IntoIterator<Item = Duration>>(times: I) -> Self {
        Self(times.into_iter().collect())
    }
}

/// The least of the sorted values that this many per mille of all values do not exceed; `None` if there are no values.
#[must_use]
pub fn nearest_rank<T: Copy>(sorted: &[T], per_mille: usize) -> Option<T> {
    sorted.get((sorted.len() * per_mille).div_ceil(1000).max(1) - 1).copied()
}

/// The percentiles that a [`Summary`] shows, in per mille.
pub const SUMMARY: [usize; 4] = [500, 990, 999, 1000];

/// A line with a name, p50, p99, p99.9 and the longest duration.
pub struct Summary<'t>(pub &'t str, pub [Duration; 4]);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, [p50, p99, p999, max]) = self;
        write!(f, "{name:<9} p50 {p50:.2?}, p99 {p99:.2?}, p99.9 {p999:.2?}, max {max:.2?}")
    }
}
