//! What the service counts, in the text format of Prometheus.

use super::queue::Queue;
use crate::memory;
use axum::http::StatusCode;
use gcc_grammar_store::make::{Outcome, Status};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper ends of the intervals in which times are counted, in seconds.
const ENDS: [f64; 8] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0];

/// The counters.
#[derive(Default)]
pub(crate) struct Metrics {
    replies: Mutex<BTreeMap<u16, u64>>,
    outcomes: [AtomicU64; Status::ALL.len()],
    joined: AtomicU64,
    within: [AtomicU64; ENDS.len()],
    micros: AtomicU64,
}

impl Metrics {
    /// Counts a reply.
    pub(crate) fn replied(&self, status: StatusCode) {
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        *replies.entry(status.as_u16()).or_default() += 1;
    }

    /// Counts a request that was answered with the outcome of an equal one.
    pub(crate) fn joined(&self) {
        self.joined.fetch_add(1, Relaxed);
    }

    /// Counts an item that was made.
    pub(crate) fn made(&self, outcome: &Outcome) {
        self.outcomes[outcome.status as usize].fetch_add(1, Relaxed);
        self.micros.fetch_add(outcome.time.as_micros() as u64, Relaxed);
        let seconds = outcome.time.as_secs_f64();
        for (_, count) in ENDS.iter().zip(&self.within).filter(|(end, _)| seconds <= **end) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// The number of items that were made, and the time that all of them took.
    fn all(&self) -> (u64, Duration) {
        let count = self.outcomes.iter().map(|count| count.load(Relaxed)).sum();
        (count, Duration::from_micros(self.micros.load(Relaxed)))
    }

    /// The mean time of an item.
    pub(crate) fn mean(&self) -> Duration {
        let (count, time) = self.all();
        time / u32::try_from(count).unwrap_or(u32::MAX).max(1)
    }

    /// All counters as text.
    pub(crate) fn text(&self, queue: &Queue) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, samples: Vec<(String, f64)>| {
            let _ = writeln!(text, "# HELP gcc_grammar_{name} {help}\n# TYPE gcc_grammar_{name} {kind}");
            for (labels, value) in samples {
                let _ = writeln!(text, "gcc_grammar_{name}{labels} {value}");
            }
        };
        let replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let replies = replies.into_iter().map(|(code, count)| (format!("{{code=\"{code}\"}}"), count as f64));
        family("requests_total", "counter", "Requests by the status of the reply.", replies.collect());
        let outcomes = Status::ALL.iter().zip(&self.outcomes);
        let outcomes = outcomes.map(|(status, count)| {
            (format!("{{status=\"{}\"}}", status.as_str()), count.load(Relaxed) as f64)
        });
        family("items_total", "counter", "Items that were made, by outcome.", outcomes.collect());
        let one = |value: f64| vec![(String::new(), value)];
        let joined = self.joined.load(Relaxed) as f64;
        family("joined_total", "counter", "Requests that got the outcome of an equal one.", one(joined));
        let (waiting, running) = queue.counts();
        family("queue_length", "gauge", "Items that wait.", one(waiting as f64));
        family("running", "gauge", "Items that are being made.", one(running as f64));
        if let Some(bytes) = memory::resident() {
            family("resident_bytes", "gauge", "Resident memory of the process.", one(bytes as f64));
        }
        text + &self.histogram()
    }

    fn histogram(&self) -> String {
        const NAME: &str = "gcc_grammar_item_seconds";
        let (count, time) = self.all();
        let mut text = format!("# HELP {NAME} Times of items.\n# TYPE {NAME} histogram\n");
        for (end, within) in ENDS.iter().zip(&self.within) {
            let _ = writeln!(text, "{NAME}_bucket{{le=\"{end}\"}} {}", within.load(Relaxed));
        }
        let seconds = time.as_secs_f64();
        let _ = writeln!(
            text,
            "{NAME}_bucket{{le=\"+Inf\"}} {count}\n{NAME}_sum {seconds}\n{NAME}_count {count}"
        );
        text
    }
}
