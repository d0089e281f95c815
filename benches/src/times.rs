//! Percentiles.

use std::fmt;
use std::time::Duration;

/// Durations of many equal operations.
#[derive(Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// One more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// All of them, in the order of [`push`](Self::push) until a percentile was asked for.
    pub fn iter(&self) -> impl Iterator<Item = Duration> + '_ {
        self.0.iter().copied()
    }

    /// All of the other's, too.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Each the lesser of itself and the other's of the same number. Where one ends before the other, its are kept.
    pub fn at_most(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(time, &other)| *time = other.min(*time));
    }

    /// The duration that so many per mille do not exceed (nearest rank).
    pub fn per_mille(&mut self, per_mille: usize) -> Duration {
        self.0.sort_unstable();
        nearest_rank(&self.0, per_mille).unwrap_or_default()
    }
}

/// The least of the values, which are sorted, that so many per mille do not exceed.
#[must_use]
pub fn nearest_rank<T: Copy>(sorted: &[T], per_mille: usize) -> Option<T> {
    sorted.get((sorted.len() * per_mille).div_ceil(1000).max(1) - 1).copied()
}

/// p50, p99, p99.9 and the longest, for people.
pub struct Summary<'t>(pub &'t str, pub [Duration; 4]);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, [p50, p99, p999, max]) = self;
        write!(f, "{name:<9} p50 {p50:.2?}, p99 {p99:.2?}, p99.9 {p999:.2?}, max {max:.2?}")
    }
}
