//! Collects the findings of a walk from all counts of a control state.
//!
//! In: tokens and lexemes that end in some of the counts, in no order. Out: a [`Summary`] per count. The set of a
//! count is made from the set of the count before.

use super::by_characters::{ByCharacters, between};
use super::collector::united;
use super::summary::{Summary, WalkSets};
use crate::ids::{EndClass, SetId};
use crate::lexer::PendingId;
use crate::sets::{ChangingSet, Range, Sets};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::ops;

/// The tokens in fewer ranges than this are added one by one.
const MIN_TOKENS: u32 = 1024;

/// Of tokens in some ranges, count `c` of `counts` has those with more than `c + more_than` and at most
/// `c + at_most` characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Window {
    /// The first count, and the count behind the last.
    pub(super) counts: (i32, i32),
    pub(super) more_than: Option<i32>,
    pub(super) at_most: i32,
    /// The pending set in which the tokens end.
    pub(super) pending: PendingId,
}

impl Window {
    /// The counts that have a token with this number of characters.
    pub(super) fn counts_of(&self, characters: i32) -> ops::Range<i32> {
        let (start, end) = self.counts;
        let end = self.more_than.map_or(end, |more_than| end.min(characters - more_than));
        start.max(characters - self.at_most)..end
    }
}

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
    /// Ranges of tokens that some counts have by their number of characters.
    windows: FxHashMap<Window, Vec<Range>>,
    lexemes: FxHashMap<(TerminalId, EndClass), Changes>,
}

impl ByCount {
    /// No findings, for this number of counts.
    pub(super) fn new(counts: usize) -> Self {
        Self {
            counts,
            fresh: 0,
            charged: 0,
            tokens: FxHashMap::default(),
            windows: FxHashMap::default(),
            lexemes: FxHashMap::default(),
        }
    }

    /// Charges for the work of these steps, and for the memory of what they have found.
    pub(super) fn charge(&mut self, steps: u64, budget: &Budget) -> Result<(), OverBudget> {
        let bytes = std::mem::take(&mut self.fresh) + steps * BYTES_PER_STEP;
        self.charged += bytes;
        budget.charge_work(steps)?;
        budget.charge_bytes(bytes)
    }

    /// Adds a range of tokens to the counts that have them by their number of characters.
    pub(super) fn tokens_within(&mut self, window: Window, tokens: Range) {
        push(self.windows.entry(window).or_default(), tokens);
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

    /// The summary of each count. `characters` has the number of characters of each token.
    pub(super) fn into_summaries(
        mut self,
        characters: &[u32],
        by_characters: &mut ByCharacters,
        sets: &mut WalkSets<'_>,
        budget: &Budget,
    ) -> Result<Vec<Summary>, OverBudget> {
        let mut summaries: Vec<Summary> = (0..self.counts).map(|_| Summary::default()).collect();
        for (window, ranges) in sorted(std::mem::take(&mut self.windows)) {
            let tokens = ranges.iter().map(|range| range.1 - range.0).sum::<u32>();
            let counts = (window.counts.1 - window.counts.0).max(0) as u64;
            budget.charge_work(u64::from(tokens) / 8 + counts)?;
            if tokens < MIN_TOKENS {
                self.add_each(&window, &ranges, characters);
                continue;
            }
            let up_to = by_characters.up_to(sets.tokens, characters, &ranges)?;
            let Window { counts, more_than, at_most, pending } = window;
            for count in counts.0..counts.1 {
                let more_than = more_than.map(|more_than| count + more_than);
                let set = between(sets.tokens, &up_to, more_than, count + at_most)?;
                summaries[count as usize].ends.push((pending, set));
            }
        }
        for (pending, changes) in sorted(self.tokens) {
            changes.replay(sets.tokens, budget, |count, set| summaries[count].ends.push((pending, set)))?;
        }
        for (lexeme, changes) in sorted(self.lexemes) {
            changes.replay(sets.positions, budget, |count, set| summaries[count].cuts.push((lexeme, set)))?;
        }
        for summary in &mut summaries {
            summary.ends.sort_unstable();
            summary.ends = united(&summary.ends, sets.tokens)?;
        }
        budget.release_bytes(self.charged);
        Ok(summaries)
    }

    /// Adds tokens one by one.
    fn add_each(&mut self, window: &Window, ranges: &[Range], characters: &[u32]) {
        let changes = self.tokens(window.pending);
        for token in ranges.iter().flat_map(|range| range.0..range.1) {
            let counts = window.counts_of(characters[token as usize] as i32);
            changes.add(counts, (token, token + 1));
        }
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
