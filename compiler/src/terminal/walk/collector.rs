//! Collects the findings of a walk, and makes a [`Summary`] of them.

use super::summary::{Summary, WalkSets};
use crate::ids::{LexState, SetId};
use crate::lexer::{Lexer, PendingId};
use crate::sets::{Range, Sets};
use gcc_grammar_limits::{Budget, OverBudget};

/// The findings of a walk under way, in no order.
#[derive(Default)]
pub(super) struct Collector {
    /// Ranges of tokens, and the pending set in which they end.
    token_ends: Vec<(PendingId, Range)>,
    /// The trie nodes at which lexemes may end, and the first state that accepts the same terminals. Ignored terminals are included:
    /// the context decides how the walk continues after them.
    lexeme_ends: Vec<(LexState, u32)>,
    /// Findings that are sets already.
    pub(super) summary: Summary,
    /// The work behind the findings: nodes visited and entries added.
    pub(super) steps: u64,
}

impl Collector {
    /// Adds tokens that end in a state with this pending set.
    #[inline]
    pub(super) fn tokens_end(&mut self, pending: PendingId, range: Range) {
        match self.token_ends.last_mut() {
            Some((same, last)) if *same == pending && last.1 == range.0 => last.1 = range.1,
            _ if range.0 < range.1 => self.token_ends.push((pending, range)),
            _ => {}
        }
    }

    /// Adds the lexemes that end at `node` in a state that accepts the same terminals as `alike`.
    #[inline]
    pub(super) fn lexemes_end(&mut self, node: u32, alike: LexState) {
        self.lexeme_ends.push((alike, node));
    }

    /// Moves all findings of `own` here. They are from the same state, or from a state further down.
    pub(super) fn take(&mut self, own: &mut Self) {
        self.steps += std::mem::take(&mut own.steps);
        self.token_ends.append(&mut own.token_ends);
        self.lexeme_ends.append(&mut own.lexeme_ends);
        self.summary.ends.append(&mut own.summary.ends);
        self.summary.cuts.append(&mut own.summary.cuts);
    }

    /// Adds the summary of a subtree.
    pub(super) fn add(&mut self, summary: &Summary) {
        self.steps += 1 + (summary.ends.len() + summary.cuts.len()) as u64;
        self.summary.ends.extend_from_slice(&summary.ends);
        self.summary.cuts.extend_from_slice(&summary.cuts);
    }

    /// The summary of all findings, which are removed.
    pub(super) fn finish(
        &mut self,
        lexer: &Lexer,
        sets: &mut WalkSets<'_>,
        budget: &Budget,
    ) -> Result<Summary, OverBudget> {
        // They are sorted.
        budget.charge_work(3 * (self.lexeme_ends.len() + self.summary.cuts.len()) as u64)?;
        let Summary { ends, cuts } = &mut self.summary;
        let mut ranges: Vec<Range> = Vec::with_capacity(self.token_ends.len().max(self.lexeme_ends.len()));
        self.token_ends.sort_by_key(|(pending, _)| *pending);
        for group in self.token_ends.chunk_by(|a, b| a.0 == b.0) {
            ranges.clear();
            ranges.extend(group.iter().map(|(_, range)| *range));
            ends.push((group[0].0, sets.tokens.intern(&ranges)?));
        }
        self.lexeme_ends.sort_unstable();
        for group in self.lexeme_ends.chunk_by(|a, b| a.0 == b.0) {
            ranges.clear();
            ranges.extend(group.iter().map(|&(_, position)| (position, position + 1)));
            let (state, nodes) = (group[0].0, sets.positions.intern(&ranges)?);
            budget.charge_work(lexer.accepts(state).len() as u64)?;
            cuts.extend(lexer.endings(state).map(|ending| (ending, nodes)));
        }
        ends.sort_unstable();
        cuts.sort_unstable();
        let summary = Summary { ends: united(ends, sets.tokens)?, cuts: united(cuts, sets.positions)? };
        self.token_ends.clear();
        self.lexeme_ends.clear();
        self.summary.ends.clear();
        self.summary.cuts.clear();
        self.steps = 0;
        Ok(summary)
    }
}

/// Unites the sets of each key. Empty sets are left out.
pub(super) fn united<K: Copy + Eq>(
    sorted: &[(K, SetId)],
    sets: &mut Sets,
) -> Result<Vec<(K, SetId)>, OverBudget> {
    let mut parts: Vec<SetId> = Vec::new();
    let groups = sorted.chunk_by(|a, b| a.0 == b.0);
    let mut out = Vec::with_capacity(groups.clone().count());
    for group in groups {
        parts.clear();
        parts.extend(group.iter().map(|(_, set)| *set));
        let union = sets.union_all(&mut parts)?;
        if union != Sets::EMPTY {
            out.push((group[0].0, union));
        }
    }
    Ok(out)
}
