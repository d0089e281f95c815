//! Renders the outcomes of a batch: a line of JSON for each, and their number by status.

use super::show::number;
use gcc_grammar::Reuse;
use gcc_grammar_store::make::{Outcome, Status};
use serde_json::{Value, json};

/// An outcome as a JSON object.
pub(crate) fn outcome_json(outcome: &Outcome) -> Value {
    json!({
        "id": outcome.id,
        "vocabulary": outcome.vocabulary,
        "status": outcome.status.as_str(),
        "key": outcome.key.map(|key| key.to_string()),
        "size": outcome.size,
        "ms": (outcome.time.as_secs_f64() * 1e6).round() / 1e3,
        "walks": { "found": outcome.reuse.found, "made": outcome.reuse.made },
        "diagnostics": outcome.input.diagnostics_json(&outcome.diagnostics),
    })
}

/// The outcomes so far, by status.
#[derive(Default)]
pub(crate) struct Counts {
    by_status: [usize; Status::ALL.len()],
    compiled_bytes: usize,
    walks: Reuse,
}

impl Counts {
    /// Counts an outcome.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        self.by_status[outcome.status as usize] += 1;
        self.walks.found += outcome.reuse.found;
        self.walks.made += outcome.reuse.made;
        if outcome.status == Status::Compiled {
            self.compiled_bytes += outcome.size.unwrap_or(0);
        }
    }

    /// The number of outcomes.
    pub(crate) fn all(&self) -> usize {
        self.by_status.iter().sum()
    }

    /// Whether the artifacts of all items are in the store.
    pub(crate) fn are_done(&self) -> bool {
        Status::ALL.iter().all(|&status| status.is_done() || self.by_status[status as usize] == 0)
    }

    /// The numbers as text.
    pub(crate) fn text(&self) -> String {
        let counted = Status::ALL.iter().copied().zip(self.by_status);
        let counted = counted.filter(|&(status, count)| count > 0 || status == Status::Compiled);
        let parts: Vec<String> =
            counted.map(|(status, count)| format!("{} {}", number(count as u64), status.as_str())).collect();
        let Reuse { found, made } = self.walks;
        let share = (100 * found).checked_div(found + made);
        let walks = share.map_or_else(String::new, |share| format!("; {share} % of walks were known"));
        format!("{} ({}){walks}", parts.join(", "), super::show::size(self.compiled_bytes))
    }
}
