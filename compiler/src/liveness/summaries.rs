//! Computes with which situations a nonterminal can end, by the LR(0) state and the situation in which it begins.
//!
//! In: the LR(0) automaton and the situations. Out: [`Summaries`]: R(p, X), a relation between situations, for every
//! transition of the automaton. For a terminal it is a step; for a nonterminal A it is the union, over its productions
//! A -> X₁…X_k, of the products R(p, X₁) R(p₁, X₂) …, where the pᵢ are the states on the path. These are the summary
//! edges of a pushdown system (Bouajjani, Esparza, Maler 1997): the least solution is computed for those situations
//! only that can occur in a state.

use super::situations::{Set, Situations, members};
use crate::ids::{ContextId, LrState};
use crate::lr::Automaton;
use crate::normalize::Cfg;
use gcc_grammar_ir::Symbol;
use gcc_grammar_limits::{Budget, OverBudget};

/// The LR(0) automaton with the context of every state.
#[derive(Clone, Copy)]
pub(super) struct Base<'a> {
    pub(super) cfg: &'a Cfg,
    pub(super) automaton: &'a Automaton,
    /// Per state: its context, if it is entered by a shift or is the start state.
    pub(super) context_of: &'a [ContextId],
    pub(super) situations: &'a Situations,
}

/// The relation of every transition.
pub(super) struct Summaries<'a> {
    base: Base<'a>,
    /// Per state: the situations in which it can be on top of the stack.
    reach: Vec<Set>,
    /// Per transition on a nonterminal: where its relation begins in `relations`; for a terminal, `usize::MAX`.
    first: Vec<usize>,
    /// Per transition on a nonterminal, and per situation: the situations afterwards.
    relations: Vec<Set>,
    /// Per state: the states whose relations have been read for its own, sorted.
    reads: Vec<Vec<LrState>>,
    /// Per state: the sweep in which its situations or relations last grew, and the one in which they were last
    /// brought up to date.
    grown: Vec<u32>,
    updated: Vec<u32>,
}

impl<'a> Summaries<'a> {
    pub(super) fn new(base: Base<'a>, budget: &Budget) -> Result<Self, OverBudget> {
        let transitions = base.automaton.transitions.items();
        let mut next = 0;
        let first = transitions.iter().map(|&(symbol, _)| match symbol {
            Symbol::Terminal(_) => usize::MAX,
            Symbol::Nonterminal(_) => {
                next += base.situations.count;
                next - base.situations.count
            }
        });
        let first: Vec<usize> = first.collect();
        budget.charge_bytes((next * 16 + first.len() * 8) as u64)?;
        let mut reach = vec![0; base.automaton.transitions.rows()];
        reach[0] = base.situations.start;
        let states = reach.len();
        let mut out = Self {
            base,
            reach,
            first,
            relations: vec![0; next],
            reads: vec![Vec::new(); states],
            grown: vec![0; states],
            updated: vec![0; states],
        };
        out.grown[0] = 1;
        let mut sweep = 1;
        while out.sweep(sweep, budget)? {
            sweep += 1;
        }
        Ok(out)
    }

    /// Brings all states up to date once, but for those for which nothing grew. Whether anything changed.
    fn sweep(&mut self, sweep: u32, budget: &Budget) -> Result<bool, OverBudget> {
        let mut changed = false;
        for state in (0..self.reach.len()).map(LrState::new) {
            budget.charge_work(self.reads[state.index()].len() as u64 / 4 + 1)?;
            if self.reach(state) == 0 || !self.is_behind(state) {
                continue;
            }
            self.updated[state.index()] = sweep;
            while self.relate(state, budget)? {
                self.grown[state.index()] = sweep;
                changed = true;
            }
            for position in self.base.automaton.transitions.span(state.index()) {
                let (symbol, to) = self.base.automaton.transitions.items()[position];
                let after = self.image(state, symbol, self.reach(state));
                if after & !self.reach(to) != 0 {
                    self.reach[to.index()] |= after;
                    self.grown[to.index()] = sweep;
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// Whether the state, or a state whose relations it reads, has grown since it was brought up to date. A state that
    /// grew in the same sweep may have grown afterwards.
    fn is_behind(&self, state: LrState) -> bool {
        let updated = self.updated[state.index()];
        let newer = |state: &LrState| self.grown[state.index()] >= updated;
        updated == 0 || newer(&state) || self.reads[state.index()].iter().any(newer)
    }

    /// Extends the relations of the transitions of a state on nonterminals. Whether anything changed.
    fn relate(&mut self, state: LrState, budget: &Budget) -> Result<bool, OverBudget> {
        let Base { cfg, automaton, situations, .. } = self.base;
        let mut changed = false;
        let mut reads = std::mem::take(&mut self.reads[state.index()]);
        let known_reads = reads.len();
        for position in automaton.transitions.span(state.index()) {
            let (Symbol::Nonterminal(lhs), _) = automaton.transitions.items()[position] else { continue };
            for situation in members(self.reach[state.index()]) {
                let mut ends = 0;
                for production in automaton.by_lhs.row(lhs.index()) {
                    let rhs = &cfg.productions[production.index()].rhs;
                    budget.charge_work(rhs.len() as u64 * 4)?;
                    ends |= self.walk(state, rhs, 1 << situation, &mut reads);
                }
                debug_assert!(situation < situations.count);
                let known = &mut self.relations[self.first[position] + situation];
                changed |= ends & !*known != 0;
                *known |= ends;
            }
        }
        reads.sort_unstable();
        reads.dedup();
        budget.charge_bytes((reads.len() - known_reads) as u64 * 4)?;
        self.reads[state.index()] = reads;
        Ok(changed)
    }

    /// The situations after `symbols`, read from `state` in one of the situations `from`. Adds the states that are passed
    /// to `reads`.
    fn walk(&self, mut state: LrState, symbols: &[Symbol], mut from: Set, reads: &mut Vec<LrState>) -> Set {
        for &symbol in symbols {
            if from == 0 {
                return 0;
            }
            from = self.image(state, symbol, from);
            match self.base.automaton.step(state, symbol) {
                Some(next) => state = next,
                None => return 0,
            }
            if reads.last() != Some(&state) {
                reads.push(state);
            }
        }
        from
    }

    /// The situations after `symbol`, read from `state` in one of the situations `from`.
    pub(super) fn image(&self, state: LrState, symbol: Symbol, from: Set) -> Set {
        let Base { automaton, context_of, situations, .. } = self.base;
        let row = automaton.transitions.row(state.index());
        let Ok(index) = row.binary_search_by_key(&symbol, |&(s, _)| s) else { return 0 };
        let each: &dyn Fn(usize) -> Set = match symbol {
            Symbol::Terminal(t) => &move |s| situations.step(s, t, context_of[row[index].1.index()]),
            Symbol::Nonterminal(_) => {
                let first = self.first[automaton.transitions.span(state.index()).start + index];
                &move |s| self.relations[first + s]
            }
        };
        members(from).fold(0, |after, situation| after | each(situation))
    }

    /// The situations in which a state can be on top of the stack.
    pub(super) fn reach(&self, state: LrState) -> Set {
        self.reach[state.index()]
    }

    /// The situations of `state` from which `symbols` can be read so that they end in a situation outside of `dead`.
    pub(super) fn live(&self, state: LrState, symbols: &[Symbol], dead: Set) -> Set {
        let mut path = vec![state];
        for &symbol in symbols {
            match self.base.automaton.step(path[path.len() - 1], symbol) {
                Some(next) => path.push(next),
                None => return 0,
            }
        }
        let mut live = self.reach(path[path.len() - 1]) & !dead;
        for (&state, &symbol) in path.iter().zip(symbols).rev() {
            let goes_on = |&s: &usize| self.image(state, symbol, 1 << s) & live != 0;
            live = members(self.reach(state)).filter(goes_on).fold(0, |set, s| set | 1 << s);
        }
        live
    }
}
