//! Walks the vocabulary: from a set of (trie node, lexer state) pairs to the tokens and lexemes that end on
//! the way.
//!
//! In: seeds, each a trie node and the lexer state in which the rest of its tokens is read. Out: a
//! [`Summary`], with the tokens that end in each pending set, and the trie nodes at which each terminal may
//! have ended.
//!
//! Many lexer states differ only in the next few bytes: inside a string all but a few bytes lead to the state
//! "inside a string". So the summaries of larger subtrees are kept, and shared by all walks that reach the
//! subtree in a state that it cannot distinguish (k-equivalence for its height). The children of a node that
//! lead to the same state and have a similar height are summarized together ([`groups`]): if a string's
//! characters are counted, only subtrees that are higher than the rest of the string are walked again. States
//! that differ only in a count share one walk ([`counted`]).
//!
//! Files: [`summary`] and [`collector`] (sets, and how they are collected), [`walker`] (the inner loop over a
//! subtree), [`counted`] (the same for all counts at once), [`groups`], and [`memo`] (which walks some
//! subtrees, and reuses the summaries of others).

mod collector;
mod counted;
mod groups;
mod memo;
mod summary;
mod walker;

pub(super) use memo::SubtreeMemo;
pub(super) use summary::{Summary, WalkSets};
pub(super) use walker::Walker;

use crate::ids::{ContextId, EndClass, LexState};
use crate::lexer::IGNORED;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashSet;

/// Walks the subtrees of all seeds, which are pairs of a trie node and the state in which the rest of its
/// tokens is read. After an ignored lexeme the walk continues at once, in the same context.
///
/// # Errors
/// The budget is spent.
pub(super) fn walk(
    walker: &Walker<'_, '_>,
    memo: &mut SubtreeMemo,
    sets: &mut WalkSets<'_>,
    seeds: Vec<(u32, LexState)>,
    context: ContextId,
) -> Result<Summary, OverBudget> {
    let mut collector = memo.spare.pop().unwrap_or_default();
    let mut seen: FxHashSet<(u32, LexState)> = FxHashSet::default();
    let (mut open, mut next) = (seeds, 0);
    while let Some(&(seed, state)) = open.get(next) {
        next += 1;
        let (ends, cuts) = (collector.lexeme_ends.len(), collector.summary.cuts.len());
        memo.below(walker, sets, seed, state, &mut collector)?;
        let mut after = |end: EndClass, position: u32| {
            let start = walker.lexer.restart(end, context);
            if start == LexState::DEAD {
                return;
            }
            // Filled on first use: few walks meet an ignored lexeme.
            if seen.is_empty() {
                seen.extend(&open);
            }
            if seen.insert((position, start)) {
                open.push((position, start));
            }
        };
        for &(_, end, position) in collector.lexeme_ends[ends..].iter().filter(|end| end.0 == IGNORED) {
            after(end, position);
        }
        for &((_, end), positions) in collector.summary.cuts[cuts..].iter().filter(|cut| cut.0.0 == IGNORED) {
            sets.positions.ranks(positions).for_each(|position| after(end, position));
        }
    }
    collector.lexeme_ends.retain(|end| end.0 != IGNORED);
    collector.summary.cuts.retain(|cut| cut.0.0 != IGNORED);
    let summary = collector.finish(sets)?;
    memo.spare.push(collector);
    Ok(summary)
}
