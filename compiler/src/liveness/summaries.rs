//! Computes with which situations a nonterminal can end, by the LR(0) state and the situation in which it begins.
//!
//! In: the LR(0) automaton and the situations. Out: [`Summaries`]: R(p, X), a relation between situations, for every
//! transition of the automaton. For a terminal it is a step; for a nonterminal A it is the union, over its productions
//! A -> X₁…X_k, of the products R(p, X₁) R(p₁, X₂) …, where the pᵢ are the states on the path. These are the summary
//! edges of a pushdown system (Bouajjani, Esparza, Maler 1997): the least solution is computed for those situations
//! only that can occur in a state.

use super::situations::{Set, Situations, members};
use crate::csr::Csr;
use crate::ids::{ContextId, LrState};
use crate::lr::Automaton;
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

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
    /// Per transition: where its relation begins in `relations`. Those on a terminal that lead to one context share it.
    first: Vec<usize>,
    /// Per situation: the situations afterwards.
    relations: Vec<Set>,
    /// Per state that was brought up to date: the productions that begin in it.
    begun: Vec<Option<Begun>>,
    /// Per state: the sweep in which its situations or relations last grew, and the one in which they were last
    /// brought up to date.
    grown: Vec<u32>,
    updated: Vec<u32>,
    /// How often a relation has grown, and per transition this number when its own relation grew last.
    growths: u64,
    last_growth: Vec<u64>,
}

/// The productions that begin in a state.
struct Begun {
    /// Per production: the transition on its left-hand side.
    lhs: Vec<usize>,
    /// Per production: the transitions that read its right-hand side.
    paths: Csr<u32>,
    /// Per production: the situations in which its path was followed last, and the growths before.
    followed: Vec<(Set, u64)>,
    /// The states on these paths, whose relations those of the state are made of; sorted.
    reads: Vec<LrState>,
}

impl<'a> Summaries<'a> {
    pub(super) fn new(base: Base<'a>, budget: &Budget) -> Result<Self, OverBudget> {
        let transitions = base.automaton.transitions.items();
        let (mut next, mut steps) = (0, FxHashMap::default());
        let mut place = || {
            next += base.situations.count;
            next - base.situations.count
        };
        let first = transitions.iter().map(|&(symbol, to)| match symbol {
            Symbol::Terminal(terminal) => {
                *steps.entry((terminal, base.context_of[to.index()])).or_insert_with(&mut place)
            }
            Symbol::Nonterminal(_) => place(),
        });
        let first: Vec<usize> = first.collect();
        budget.charge_bytes((next * 16 + first.len() * 16 + steps.len() * 24) as u64)?;
        let mut relations = vec![0; next];
        for ((terminal, context), first) in steps {
            let after = base.situations.steps(terminal, context);
            relations[first..first + after.len()].copy_from_slice(after);
        }
        let mut reach = vec![0; base.automaton.transitions.rows()];
        reach[0] = base.situations.start;
        let (states, last_growth) = (reach.len(), vec![0; first.len()]);
        let mut out = Self {
            base,
            reach,
            first,
            relations,
            begun: (0..states).map(|_| None).collect(),
            grown: vec![0; states],
            updated: vec![0; states],
            growths: 0,
            last_growth,
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
            budget.charge_work(self.reads(state).len() as u64 / 4 + 1)?;
            if self.reach(state) == 0 || !self.is_behind(state) {
                continue;
            }
            self.updated[state.index()] = sweep;
            while self.relate(state, budget)? {
                self.grown[state.index()] = sweep;
                changed = true;
            }
            for position in self.base.automaton.transitions.span(state.index()) {
                let (_, to) = self.base.automaton.transitions.items()[position];
                let after = self.image(position, self.reach(state));
                if after & !self.reach(to) != 0 {
                    self.reach[to.index()] |= after;
                    self.grown[to.index()] = sweep;
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// The states whose relations are read for those of the state.
    fn reads(&self, state: LrState) -> &[LrState] {
        self.begun[state.index()].as_ref().map_or(&[], |begun| &begun.reads)
    }

    /// Whether the state, or a state whose relations it reads, has grown since it was brought up to date. A state that
    /// grew in the same sweep may have grown afterwards.
    fn is_behind(&self, state: LrState) -> bool {
        let updated = self.updated[state.index()];
        let newer = |state: &LrState| self.grown[state.index()] >= updated;
        updated == 0 || newer(&state) || self.reads(state).iter().any(newer)
    }

    /// Extends the relations of the transitions of a state on nonterminals. Whether anything changed. A path is followed again from all situations if a
    /// relation on it has grown, and else from those that are new.
    fn relate(&mut self, state: LrState, budget: &Budget) -> Result<bool, OverBudget> {
        let mut begun = match self.begun[state.index()].take() {
            Some(begun) => begun,
            None => self.begin(state, budget)?,
        };
        let reach = self.reach[state.index()];
        budget.charge_work(begun.paths.items().len() as u64 * u64::from(reach.count_ones()))?;
        let before = self.growths;
        for (index, &lhs) in begun.lhs.iter().enumerate() {
            let path = begun.paths.row(index);
            let (known, growths) = std::mem::replace(&mut begun.followed[index], (reach, self.growths));
            let has_grown = path.iter().any(|&passed| self.last_growth[passed as usize] > growths);
            for situation in members(if has_grown { reach } else { reach & !known }) {
                let ends =
                    path.iter().fold(1 << situation, |from, &passed| self.image(passed as usize, from));
                let known = &mut self.relations[self.first[lhs] + situation];
                if ends & !*known != 0 {
                    *known |= ends;
                    self.growths += 1;
                    self.last_growth[lhs] = self.growths;
                }
            }
        }
        self.begun[state.index()] = Some(begun);
        Ok(self.growths != before)
    }

    /// The productions that begin in a state.
    fn begin(&self, state: LrState, budget: &Budget) -> Result<Begun, OverBudget> {
        let Base { cfg, automaton, .. } = self.base;
        let mut begun =
            Begun { lhs: Vec::new(), paths: Csr::default(), followed: Vec::new(), reads: Vec::new() };
        let mut path = Vec::new();
        for transition in automaton.transitions.span(state.index()) {
            let (Symbol::Nonterminal(lhs), _) = automaton.transitions.items()[transition] else { continue };
            for production in automaton.by_lhs.row(lhs.index()) {
                let rhs = &cfg.productions[production.index()].rhs;
                budget.charge_work(rhs.len() as u64 * 4 + 1)?;
                budget.charge_bytes(rhs.len() as u64 * 8 + 44)?;
                if self.path(state, rhs, &mut path) {
                    begun.lhs.push(transition);
                    begun.followed.push((0, 0));
                    begun.paths.push(path.iter().map(|&passed| passed as u32));
                    begun.reads.extend(path.iter().map(|&passed| automaton.transitions.items()[passed].1));
                }
            }
        }
        begun.reads.sort_unstable();
        begun.reads.dedup();
        Ok(begun)
    }

    /// Finds the transitions that read `symbols` from `state`. Whether there are any.
    fn path(&self, mut state: LrState, symbols: &[Symbol], path: &mut Vec<usize>) -> bool {
        path.clear();
        symbols.iter().all(|&symbol| {
            let Some(transition) = self.base.automaton.transition(state, symbol) else { return false };
            path.push(transition);
            state = self.base.automaton.transitions.items()[transition].1;
            true
        })
    }

    /// The situations after a transition that is followed in one of the situations `from`.
    fn image(&self, transition: usize, from: Set) -> Set {
        let relation = &self.relations[self.first[transition]..][..self.base.situations.count];
        members(from).fold(0, |after, situation| after | relation[situation])
    }

    /// The situations after a nonterminal that is read from `state`.
    pub(super) fn after(&self, state: LrState, nonterminal: NonterminalId) -> Set {
        let transition = self.base.automaton.transition(state, Symbol::Nonterminal(nonterminal));
        transition.map_or(0, |transition| self.image(transition, self.reach(state)))
    }

    /// The situations in which a state can be on top of the stack.
    pub(super) fn reach(&self, state: LrState) -> Set {
        self.reach[state.index()]
    }

    /// The situations of `state` in which a transition of it can be followed so that it leads to a situation of `live`.
    pub(super) fn leading_to(&self, state: LrState, transition: usize, live: Set) -> Set {
        let leads = |&situation: &usize| self.image(transition, 1 << situation) & live != 0;
        members(self.reach(state)).filter(leads).fold(0, |set, situation| set | 1 << situation)
    }
}
