//! Decides which subtrees are walked, and reuses the summaries of others.
//!
//! In: a trie node and the lexer state at it. Out: everything that ends below the node, added to a
//! [`Collector`]. A small subtree is walked at once. The summary of a larger one is looked up by the node and
//! the class of the state under k-equivalence for the height of the subtree; if it is not known, it is
//! put together from groups of children.

use super::collector::Collector;
use super::groups::{Group, GroupId, Groups};
use super::summary::{Summary, WalkSets};
use super::walker::Walker;
use crate::ids::LexState;
use crate::lexer::PendingId;
use crate::terminal::counting::ControlState;
use crate::terminal::k_equivalence::ClassId;
use crate::terminal::renaming::Renaming;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Subtrees with at least so many nodes are summarized.
const MIN_SUMMARIZED: u32 = 1024;
/// Findings of fewer steps than this are not summarized: to find them again costs less than a set. Most of
/// them are the rest of a key or of a choice.
const MIN_STEPS: u64 = 64;

/// The summaries of subtrees that were walked, and buffers.
#[derive(Default)]
pub(in crate::terminal) struct SubtreeMemo {
    /// By root, and class of the state at it.
    known: FxHashMap<(u32, ClassId), Rc<Summary>>,
    /// By group, and class of the state that it is reached in.
    known_groups: FxHashMap<(GroupId, ClassId), Rc<Summary>>,
    groups: Groups,
    /// The lexer state at each depth; a buffer.
    path: Vec<LexState>,
    renaming: Renaming,
    /// Empty collectors, for reuse.
    pub(super) spare: Vec<Collector>,
}

/// The summary of findings from a state with this pending set, to be kept.
fn summarize(
    collector: &mut Collector,
    pending: PendingId,
    sets: &mut WalkSets<'_>,
    budget: &Budget,
) -> Result<Rc<Summary>, OverBudget> {
    budget.charge_work(1)?;
    let summary = Summary { pending, ..collector.finish(sets)? };
    budget.charge_bytes((summary.cuts.len() * 12 + summary.ends.len() * 8 + 96) as u64)?;
    Ok(Rc::new(summary))
}

impl SubtreeMemo {
    /// Adds everything strictly below `node`, which is reached in `state`, and the lexemes that end at it.
    /// Recursion is as deep as a token is long.
    pub(super) fn below(
        &mut self,
        walker: &Walker<'_, '_>,
        sets: &mut WalkSets<'_>,
        node: u32,
        state: LexState,
        collector: &mut Collector,
    ) -> Result<(), OverBudget> {
        let trie = walker.tokens.trie;
        if trie.subtree_end(node) - node < MIN_SUMMARIZED && node != 0 {
            walker.lexeme_ends(node, state, collector);
            return walker.budget.charge_work(walker.scan(node, state, &mut self.path, collector));
        }
        let key = (node, walker.tables.equivalence.class(trie.height(node), state));
        if let Some(summary) = self.known.get(&key) {
            collector.add(summary, walker.lexer, state, &mut self.renaming);
            return Ok(());
        }
        if node == 0
            && let Some(control) = walker.tables.counting.control(walker.tables.states[state.index()].class)
        {
            self.counted(walker, sets, control)?;
            collector.add(&self.known[&key], walker.lexer, state, &mut self.renaming);
            return Ok(());
        }
        let mut own = self.spare.pop().unwrap_or_default();
        walker.lexeme_ends(node, state, &mut own);
        if node == 0 {
            walker.special_tokens(state, &mut own);
        }
        for group in self.groups.of(walker, node, state).iter() {
            let state = walker.lexer.next(state, group.class);
            self.group(walker, sets, group, state, &mut own)?;
        }
        if own.steps < MIN_STEPS {
            collector.take(&mut own);
        } else {
            let summary = summarize(&mut own, walker.lexer.pending[state.index()], sets, walker.budget)?;
            collector.add(&summary, walker.lexer, state, &mut self.renaming);
            self.known.insert(key, summary);
        }
        self.spare.push(own);
        Ok(())
    }

    /// Walks the whole trie from all counts of a control state at once, and keeps the summary of each count.
    fn counted(
        &mut self,
        walker: &Walker<'_, '_>,
        sets: &mut WalkSets<'_>,
        control: &ControlState,
    ) -> Result<(), OverBudget> {
        let mut below: Option<Rc<Summary>> = None;
        let (collectors, steps) = walker.scan_counted(control, sets)?;
        walker.budget.charge_work(steps)?;
        for (mut own, &state) in collectors.into_iter().zip(&control.states) {
            walker.lexeme_ends(0, state, &mut own);
            walker.special_tokens(state, &mut own);
            if let Some(below) = below {
                own.add(&below, walker.lexer, state, &mut self.renaming);
            }
            let summary = summarize(&mut own, walker.lexer.pending[state.index()], sets, walker.budget)?;
            let key = (0, walker.tables.equivalence.class(walker.tokens.trie.height(0), state));
            self.known.insert(key, summary.clone());
            below = Some(summary);
        }
        Ok(())
    }

    /// Adds the subtrees of the children in a group, which are reached in `state` (not dead).
    fn group(
        &mut self,
        walker: &Walker<'_, '_>,
        sets: &mut WalkSets<'_>,
        group: &Group,
        state: LexState,
        collector: &mut Collector,
    ) -> Result<(), OverBudget> {
        let key = (group.id, walker.tables.equivalence.class(group.height, state));
        let summary = match self.known_groups.get(&key) {
            Some(summary) => summary.clone(),
            None => {
                let mut own = self.spare.pop().unwrap_or_default();
                self.whole_group(walker, sets, group, state, &mut own)?;
                if own.steps < MIN_STEPS && group.left_out.is_empty() {
                    collector.take(&mut own);
                    self.spare.push(own);
                    return Ok(());
                }
                let summary = summarize(&mut own, walker.lexer.pending[state.index()], sets, walker.budget)?;
                self.spare.push(own);
                self.known_groups.insert(key, summary.clone());
                summary
            }
        };
        if group.left_out.is_empty() {
            collector.add(&summary, walker.lexer, state, &mut self.renaming);
        } else {
            let summary = summary.without(&group.left_out, walker.tokens.trie, sets)?;
            collector.add(&summary, walker.lexer, state, &mut self.renaming);
        }
        Ok(())
    }

    /// Adds the subtrees of all children that are walked with a group, including the children that are left
    /// out of it.
    fn whole_group(
        &mut self,
        walker: &Walker<'_, '_>,
        sets: &mut WalkSets<'_>,
        group: &Group,
        state: LexState,
        collector: &mut Collector,
    ) -> Result<(), OverBudget> {
        walker.budget.charge_work(group.children.len() as u64)?;
        collector.steps += group.children.len() as u64;
        for &child in &*group.children {
            if !walker.add_uniform(child, state, collector) {
                let tokens = walker.tokens.trie.tokens_at(child);
                collector.tokens_end(walker.lexer.pending[state.index()], (tokens.start, tokens.end));
                self.below(walker, sets, child, state, collector)?;
            }
        }
        Ok(())
    }
}
