//! Collects the findings of a walk from all counts of a control state.
//!
//! In: tokens and lexemes that end in some of the counts, in no order. Out: a [`Summary`] per count. The set of a
//! count is made from the set of the count before.

use super::summary::{Summary, WalkSets};
use crate::ids::{EndClass, SetId};
use crate::lexer::PendingId;
use crate::sets::{ChangingSet, Range, Sets};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::ops;

/// Estimated bytes of what a step of a walk finds: a range where it begins, and where it ends.
const BYTES_PER_STEP: u64 = 2 * size_of::<Range>() as u64;
/// Bytes of the changes of one count.
const BYTES_PER_COUNT: u64 = 2 * size_of::<Vec<Range>>() as u64;

/// Findings by the counts that have them.
pub(super) struct ByCount {
    counts: usize,
    /// Bytes that are not charged yet, and bytes that are.
    fresh: u64,
    charged: u64,
    tokens: FxHashMap<PendingId, Changes>,
    lexemes: FxHashMap<(TerminalId, EndClass), Changes>,
}

impl ByCount {
    /// No findings, for this number of counts.
    pub(super) fn new(counts: usize) -> Self {
        Self { counts, fresh: 0, charged: 0, tokens: FxHashMap::default(), lexemes: FxHashMap::default() }
    }

    /// Charges for the work of these steps, and for the memory of what they have found.
    pub(super) fn charge(&mut self, steps: u64, budget: &Budget) -> Result<(), OverBudget> {
        let bytes = std::mem::take(&mut self.fresh) + steps * BYTES_PER_STEP;
        self.charged += bytes;
        budget.charge_work(steps)?;
        budget.charge_bytes(bytes)
    }

    /// Adds tokens that end in states with this pending set, for `counts` of the number of characters of each, which
    /// `characters` has.
    pub(super) fn tokens_by_characters(
        &mut self,
        pending: PendingId,
        tokens: ops::Range<u32>,
        characters: &[u32],
        counts: impl Fn(i32) -> ops::Range<i32>,
    ) {
        self.fresh += u64::from(tokens.end - tokens.start) * BYTES_PER_STEP;
        let changes = self.tokens(pending);
        for token in tokens {
            changes.add(counts(characters[token as usize] as i32), (token, token + 1));
        }
    }

    /// Adds tokens that end in states with this pending set, for these counts.
    pub(super) fn tokens_end(&mut self, pending: PendingId, counts: ops::Range<i32>, tokens: Range) {
        self.tokens(pending).add(counts, tokens);
    }

    /// The tokens that end in states with this pending set.
    fn tokens(&mut self, pending: PendingId) -> &mut Changes {
        let Self { counts, fresh, .. } = self;
        self.tokens.entry(pending).or_insert_with(|| Changes::new(*counts, fresh))
    }

    /// Adds a trie node at which lexemes may end, for these counts.
    pub(super) fn lexeme_ends(&mut self, lexeme: (TerminalId, EndClass), counts: ops::Range<i32>, node: u32) {
        self.lexemes(lexeme).add(counts, (node, node + 1));
    }

    /// The trie nodes at which lexemes of a terminal may end.
    pub(super) fn lexemes(&mut self, lexeme: (TerminalId, EndClass)) -> &mut Changes {
        let Self { counts, fresh, .. } = self;
        self.lexemes.entry(lexeme).or_insert_with(|| Changes::new(*counts, fresh))
    }

    /// The summary of each count.
    pub(super) fn into_summaries(
        self,
        sets: &mut WalkSets<'_>,
        budget: &Budget,
    ) -> Result<Vec<Summary>, OverBudget> {
        let mut summaries: Vec<Summary> = (0..self.counts).map(|_| Summary::default()).collect();
        for (pending, changes) in sorted(self.tokens) {
            changes.replay(sets.tokens, budget, |count, set| summaries[count].ends.push((pending, set)))?;
        }
        for (lexeme, changes) in sorted(self.lexemes) {
            changes.replay(sets.positions, budget, |count, set| summaries[count].cuts.push((lexeme, set)))?;
        }
        budget.release_bytes(self.charged);
        Ok(summaries)
    }
}

/// The entries by key, ascending.
fn sorted<K: Copy + Ord, V>(all: FxHashMap<K, V>) -> Vec<(K, V)> {
    let mut all: Vec<(K, V)> = all.into_iter().collect();
    all.sort_unstable_by_key(|&(key, _)| key);
    all
}

/// How a set changes from each count to the next.
pub(super) struct Changes {
    /// Per count: what it has and the count before has not.
    begin: Vec<Vec<Range>>,
    /// Per count: what the count before has and it has not.
    end: Vec<Vec<Range>>,
}

impl Changes {
    /// No changes, for this number of counts. Their bytes are added to `bytes`.
    fn new(counts: usize, bytes: &mut u64) -> Self {
        *bytes += counts as u64 * BYTES_PER_COUNT;
        Self { begin: vec![Vec::new(); counts], end: vec![Vec::new(); counts] }
    }

    /// Adds a range to these counts. Either range may be empty.
    #[inline]
    pub(super) fn add(&mut self, counts: ops::Range<i32>, range: Range) {
        if counts.start >= counts.end || range.0 == range.1 {
            return;
        }
        push(&mut self.begin[counts.start as usize], range);
        if let Some(end) = self.end.get_mut(counts.end as usize) {
            push(end, range);
        }
    }

    /// Makes the sets of all counts that are not empty, ascending.
    fn replay(
        self,
        sets: &mut Sets,
        budget: &Budget,
        mut each: impl FnMut(usize, SetId),
    ) -> Result<(), OverBudget> {
        let mut set = ChangingSet::default();
        for (count, (begin, end)) in self.begin.iter().zip(&self.end).enumerate() {
            budget.charge_work((begin.len() + end.len()) as u64 / 8)?;
            // A range may end and begin again at the same count.
            end.iter().for_each(|&range| set.remove(range));
            begin.iter().for_each(|&range| set.insert(range));
            let id = set.intern(sets)?;
            if id != Sets::EMPTY {
                each(count, id);
            }
        }
        Ok(())
    }
}

/// Appends a range, or extends the last range if it follows.
#[inline]
fn push(ranges: &mut Vec<Range>, range: Range) {
    match ranges.last_mut() {
        Some(last) if last.1 == range.0 => last.1 = range.1,
        _ => ranges.push(range),
    }
}
