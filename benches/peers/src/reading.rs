//! Reads a text several times, and measures the mask and the commit of every token.

use crate::case::Text;
use crate::process::since;
use crate::protocol::{TestReport, Verdict};
use gcc_grammar_benches::replay::is_allowed;
use gcc_grammar_runtime::{Engine, Error, MaskRow, Matcher, TokenId};
use std::time::Instant;

/// A row for masks: filled as a whole, or updated from its previous content.
enum Row<'r> {
    Filled(&'r mut [u32]),
    Updated(MaskRow<'r>),
}

/// The engine with the memory for reading, which is kept from text to text, as a server would do.
pub struct Reader<'a> {
    engine: &'a Engine<'a>,
    scratch: Vec<u32>,
    row: Vec<u32>,
    /// Whether rows are updated.
    update: bool,
    passes: usize,
}

impl<'a> Reader<'a> {
    /// A reader that reads each text `passes` times, with rows that are updated or filled.
    #[must_use]
    pub fn new(engine: &'a Engine<'a>, update: bool, passes: usize) -> Self {
        let (scratch, row) = (vec![0; engine.scratch_words()], vec![0; engine.row_words()]);
        Self { engine, scratch, row, update, passes }
    }

    /// Reads a text, which has these tokens. The report has the first pass and the least times of all passes.
    pub fn read(&mut self, text: &Text, tokens: &[u32]) -> TestReport {
        let mut report = self.pass(tokens);
        report.best_mask_ns = report.mask_ns.clone();
        report.best_commit_ns = report.commit_ns.clone();
        report.best_tbm_ns = report.tbm_ns.clone();
        for _ in 1..self.passes {
            let again = self.pass(tokens);
            if (again.verdict, again.reached) != (report.verdict, report.reached) {
                report.detail = format!("{} [passes disagree]", report.detail);
            }
            keep_least(&mut report.best_mask_ns, &again.mask_ns);
            keep_least(&mut report.best_commit_ns, &again.commit_ns);
            keep_least(&mut report.best_tbm_ns, &again.tbm_ns);
        }
        report.index = text.index;
        text.form.clone_into(&mut report.form);
        report.valid = text.valid;
        report.tokens = tokens.len();
        report.byte_len = text.text.len();
        report
    }

    /// Reads the tokens once, with a new matcher.
    fn pass(&mut self, tokens: &[u32]) -> TestReport {
        let row = &mut self.row;
        let mut row = if self.update { Row::Updated(MaskRow::new(row)) } else { Row::Filled(row) };
        let mut report = TestReport::default();
        let start = Instant::now();
        let matcher = Matcher::new(self.engine, &mut self.scratch, 1);
        report.open_ns = since(start);
        match matcher {
            Ok(mut matcher) => report.verdict = read_tokens(&mut matcher, tokens, &mut row, &mut report),
            Err(error) => report.detail = error.to_string(),
        }
        report
    }
}

impl Row<'_> {
    fn make(&mut self, matcher: &mut Matcher<'_, '_>) -> Result<(), Error> {
        match self {
            Self::Filled(row) => matcher.fill_mask(row),
            Self::Updated(row) => matcher.update_mask(row),
        }
    }

    fn words(&self) -> &[u32] {
        match self {
            Self::Filled(row) => row,
            Self::Updated(row) => row.words(),
        }
    }
}

/// Makes the mask before each token and commits the token, until a mask does not allow it.
fn read_tokens(
    matcher: &mut Matcher<'_, '_>,
    tokens: &[u32],
    row: &mut Row<'_>,
    report: &mut TestReport,
) -> Verdict {
    for &token in tokens {
        let start = Instant::now();
        let filled = row.make(matcher);
        let masked = Instant::now();
        let allowed = is_allowed(row.words(), token);
        let committed = if allowed { matcher.commit(TokenId(token)) } else { Ok(()) };
        let end = Instant::now();
        report.mask_ns.push((masked - start).as_nanos() as u64);
        report.tbm_ns.push((end - start).as_nanos() as u64);
        report.allowed.push(row.words().iter().map(|word| word.count_ones()).sum());
        if let Err(error) = filled.and(committed) {
            report.detail = format!("token {token} after {}: {error}", report.reached);
            return Verdict::Broken;
        }
        if !allowed {
            // A commit must refuse the token that the mask does not allow.
            let refused = matcher.commit(TokenId(token)).is_err();
            report.detail = format!("token {token} after {} of {}", report.reached, tokens.len());
            return if refused { Verdict::Rejected } else { Verdict::Broken };
        }
        report.commit_ns.push((end - masked).as_nanos() as u64);
        report.reached += 1;
    }
    match matcher.is_accepting() {
        Ok(true) => Verdict::Accepted,
        Ok(false) => Verdict::Incomplete,
        Err(error) => {
            report.detail = error.to_string();
            Verdict::Broken
        }
    }
}

/// Replaces each time by the time at the same index in `other` if that is less.
fn keep_least(best: &mut [u64], other: &[u64]) {
    best.iter_mut().zip(other).for_each(|(best, other)| *best = (*best).min(*other));
}
