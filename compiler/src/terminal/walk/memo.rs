//! Decides which subtrees are walked, and reuses the summaries of others.
//!
//! In: trie nodes and the state at them. Out: everything that ends below the nodes, as a [`Summary`]. A small
//! subtree is walked at once. The summary of a larger one is looked up by the node and the state at it; if it is
//! not known, it is put together from groups of children.

use super::collector::Collector;
use super::groups::Group;
use super::summary::{Summary, WalkSets};
use super::walker::Walker;
use crate::ids::{LexState, SetId};
use crate::terminal::counting::ControlState;
use crate::terminal::kept::Walks;
use crate::terminal::walk_key::Begin;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The fewest nodes of a subtree that is summarized.
const MIN_SUMMARIZED: u32 = 1024;
/// Findings of fewer steps than this are not summarized: to find them again costs less than a set. Most of
/// them are the rest of a key or of a choice.
const MIN_STEPS: u64 = 64;

/// The summaries of all walks of this compilation, the summaries that are kept beyond it, and buffers.
#[derive(Default)]
pub(in crate::terminal) struct WalkMemo {
    /// By where a walk begins, and the state there.
    known: FxHashMap<(Begin, LexState), Arc<Summary>>,
    pub(in crate::terminal) walks: Walks,
    /// The lexer state at each depth; a buffer.
    path: Vec<LexState>,
    /// Empty collectors, for reuse.
    spare: Vec<Collector>,
}

/// The summary of findings, to be kept.
fn summarize(
    collector: &mut Collector,
    walker: &Walker<'_>,
    sets: &mut WalkSets<'_>,
) -> Result<Arc<Summary>, OverBudget> {
    let summary = collector.finish(walker.lexer, sets, walker.budget)?;
    charge(&summary, walker.budget)?;
    Ok(Arc::new(summary))
}

/// Charges for a summary that is kept.
fn charge(summary: &Summary, budget: &Budget) -> Result<(), OverBudget> {
    budget.charge_work(1)?;
    budget.charge_bytes((summary.cuts.len() * 12 + summary.ends.len() * 8 + 96) as u64)
}

impl WalkMemo {
    /// What is known of a walk: from this compilation, from those before, or from the vocabulary.
    fn found(
        &mut self,
        walker: &Walker<'_>,
        sets: &mut WalkSets<'_>,
        begin: Begin,
        state: LexState,
    ) -> Result<Option<Arc<Summary>>, OverBudget> {
        if let Some(known) = self.known.get(&(begin, state)) {
            return Ok(Some(known.clone()));
        }
        let Some(summary) = self.walks.find(walker, begin, state, sets)? else { return Ok(None) };
        charge(&summary, walker.budget)?;
        let summary = Arc::new(summary);
        self.known.insert((begin, state), summary.clone());
        Ok(Some(summary))
    }

    /// Remembers what a walk has found.
    fn keep(&mut self, walker: &Walker<'_>, begin: Begin, state: LexState, summary: Arc<Summary>) {
        self.walks.keep(walker, begin, state, &summary);
        self.known.insert((begin, state), summary);
    }

    /// Everything strictly below a set of nodes, which are reached in `state`, and the lexemes that end at them.
    pub(in crate::terminal) fn behind(
        &mut self,
        walker: &Walker<'_>,
        sets: &mut WalkSets<'_>,
        nodes: SetId,
        state: LexState,
    ) -> Result<Arc<Summary>, OverBudget> {
        // What begins at the root alone is kept as such.
        let begin = Begin::At(nodes);
        let is_kept = sets.positions.ranks(nodes).ne([0]);
        if is_kept && let Some(summary) = self.found(walker, sets, begin, state)? {
            return Ok(summary);
        }
        let mut collector = self.spare.pop().unwrap_or_default();
        let nodes = self.walks.entries.of(walker, sets.positions, nodes, state);
        for node in nodes {
            self.below(walker, sets, node, state, &mut collector)?;
        }
        let summary = summarize(&mut collector, walker, sets)?;
        self.spare.push(collector);
        // What begins at the root is asked for once for each lexer state, and remembered there.
        if is_kept {
            self.keep(walker, begin, state, summary.clone());
        }
        Ok(summary)
    }

    /// Adds everything strictly below `node`, which is reached in `state`, and the lexemes that end at it.
    /// Recursion is as deep as a token is long.
    fn below(
        &mut self,
        walker: &Walker<'_>,
        sets: &mut WalkSets<'_>,
        node: u32,
        state: LexState,
        collector: &mut Collector,
    ) -> Result<(), OverBudget> {
        let trie = walker.tokens.trie();
        if node != 0 && walker.is_uniform(node, state) {
            let tokens = trie.tokens_below(node);
            let pending = walker.tables.states[state.index()].pending;
            collector.tokens_end(pending, (tokens.start, tokens.end));
            return walker.budget.charge_work(1);
        }
        if trie.subtree_end(node) - node < MIN_SUMMARIZED && node != 0 {
            walker.add_lexeme_ends(node, state, collector);
            return walker.budget.charge_work(walker.scan(node, state, &mut self.path, collector));
        }
        let begin = Begin::Below(node);
        if let Some(summary) = self.found(walker, sets, begin, state)? {
            collector.add(&summary);
            return Ok(());
        }
        if node == 0
            && let Some(control) = walker.tables.counting.control(state)
        {
            self.counted(walker, sets, control)?;
            collector.add(&self.known[&(begin, state)]);
            return Ok(());
        }
        let mut own = self.spare.pop().unwrap_or_default();
        walker.add_lexeme_ends(node, state, &mut own);
        if node == 0 {
            walker.special_tokens(state, |pending, range| own.tokens_end(pending, range));
        }
        for group in self.walks.groups.of(walker, node, state).iter() {
            let state = walker.lexer.next(state, group.class);
            self.group(walker, sets, group, state, &mut own)?;
        }
        if own.steps < MIN_STEPS {
            collector.take(&mut own);
        } else {
            let summary = summarize(&mut own, walker, sets)?;
            collector.add(&summary);
            self.keep(walker, begin, state, summary);
        }
        self.spare.push(own);
        Ok(())
    }

    /// Walks the whole trie from all counts of a control state at once, and keeps the summary of each count.
    fn counted(
        &mut self,
        walker: &Walker<'_>,
        sets: &mut WalkSets<'_>,
        control: &ControlState,
    ) -> Result<(), OverBudget> {
        let summaries = walker.scan_counted(control)?.into_summaries(sets, walker.budget)?;
        for (summary, &state) in summaries.into_iter().zip(&control.states) {
            charge(&summary, walker.budget)?;
            self.keep(walker, Begin::Below(0), state, Arc::new(summary));
        }
        Ok(())
    }

    /// Adds the subtrees of the children in a group, which are reached in `state` (not dead).
    fn group(
        &mut self,
        walker: &Walker<'_>,
        sets: &mut WalkSets<'_>,
        group: &Group,
        state: LexState,
        collector: &mut Collector,
    ) -> Result<(), OverBudget> {
        let begin = Begin::Group(group.id);
        let summary = match self.found(walker, sets, begin, state)? {
            Some(summary) => summary,
            None => {
                let mut own = self.spare.pop().unwrap_or_default();
                self.whole_group(walker, sets, group, state, &mut own)?;
                if own.steps < MIN_STEPS && group.left_out.is_empty() {
                    collector.take(&mut own);
                    self.spare.push(own);
                    return Ok(());
                }
                let summary = summarize(&mut own, walker, sets)?;
                self.spare.push(own);
                self.keep(walker, begin, state, summary.clone());
                summary
            }
        };
        if group.left_out.is_empty() {
            collector.add(&summary);
        } else {
            let summary = summary.without(&group.left_out, walker.tokens.trie(), sets)?;
            collector.add(&summary);
        }
        Ok(())
    }

    /// Adds the subtrees of all children that are walked with a group, including the children that are left
    /// out of it.
    fn whole_group(
        &mut self,
        walker: &Walker<'_>,
        sets: &mut WalkSets<'_>,
        group: &Group,
        state: LexState,
        collector: &mut Collector,
    ) -> Result<(), OverBudget> {
        walker.budget.charge_work(group.children.len() as u64)?;
        collector.steps += group.children.len() as u64;
        for &child in &*group.children {
            if !walker.add_uniform(child, state, collector) {
                let tokens = walker.tokens.trie().tokens_at(child);
                collector.tokens_end(walker.lexer.pending[state.index()], (tokens.start, tokens.end));
                self.below(walker, sets, child, state, collector)?;
            }
        }
        Ok(())
    }
}
