//! LALR(1) tables by the simplest construction: LR(1) items, states merged by core, lookaheads joined until nothing changes.
//!
//! Joining lookaheads to a fixed point over the LR(0) states gives exactly the canonical LR(1) collection with
//! states of equal core merged (DeRemer and Pennello, Efficient computation of LALR(1) look-ahead sets, 1982, section 3),
//! which is what LALR(1) means. All conflicts are kept.

use super::cfg::Cfg;
pub use super::lookaheads::Lookahead;
use super::lookaheads::Lookaheads;
use super::stacks::{Stack, Stacks};
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Whether a reduction is kept.
pub type Reduce = bool;

/// Whether a shift is kept.
pub type Shift = bool;

/// A production, and the number of symbols before the dot.
type Item = (usize, usize);

/// A set of items with their lookaheads.
type Items = BTreeMap<Item, Lookaheads>;

/// The actions of an LR state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The next state for each terminal.
    pub shifts: BTreeMap<TerminalId, usize>,
    /// The next state for each nonterminal.
    pub gotos: BTreeMap<NonterminalId, usize>,
    /// The productions to reduce by, for each lookahead.
    pub reductions: BTreeMap<Lookahead, Vec<usize>>,
    /// Whether the text may end in this state.
    pub accepts: bool,
}

/// The tables. State 0 is the start state.
#[derive(Clone, Debug)]
pub struct Tables {
    productions: Vec<(NonterminalId, Vec<Symbol>)>,
    states: Vec<State>,
}

impl Tables {
    /// The tables of a grammar that is not cyclic.
    #[must_use]
    pub fn new(cfg: &Cfg) -> Self {
        let mut productions = cfg.productions.clone();
        // The augmented start production comes last; its left part does not matter.
        let goal = productions.len();
        productions.push((cfg.start, vec![Symbol::Nonterminal(cfg.start)]));
        let states = Collection::new(&productions, goal).states();
        let mut tables = Self { productions, states };
        tables.states[0].accepts |= cfg.accepts_empty;
        tables
    }

    /// Takes actions away from cells in which a terminal could be shifted or a production reduced: `keep` says which of the two stay.
    pub fn decide(&mut self, keep: impl Fn(usize, TerminalId) -> (Reduce, Shift)) {
        for state in &mut self.states {
            for (&lookahead, productions) in &mut state.reductions {
                let Some(terminal) = lookahead.filter(|terminal| state.shifts.contains_key(terminal)) else {
                    continue;
                };
                let decisions: Vec<_> =
                    productions.iter().map(|&production| keep(production, terminal)).collect();
                let mut reduces = decisions.iter().map(|decision| decision.0);
                productions.retain(|_| reduces.next().is_none_or(|keep| keep));
                if decisions.iter().any(|decision| !decision.1) {
                    state.shifts.remove(&terminal);
                }
            }
            state.reductions.retain(|_, productions| !productions.is_empty());
        }
    }

    /// The terminals that have an action in the state: its lexical context, but for ignored terminals.
    pub fn context(&self, state: usize) -> impl Iterator<Item = TerminalId> {
        let State { shifts, reductions, .. } = &self.states[state];
        let terminals: BTreeSet<_> =
            shifts.keys().copied().chain(reductions.keys().copied().flatten()).collect();
        terminals.into_iter()
    }

    /// Number of states.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Per state: the states that may lie directly below it on a stack.
    #[must_use]
    pub fn states_below(&self) -> Vec<Vec<usize>> {
        let mut below = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            state.shifts.values().chain(state.gotos.values()).for_each(|&to| below[to].push(from));
        }
        below
    }

    /// Whether a lexeme may start with this state on top: in the start state and after a shift.
    #[must_use]
    pub fn starts_lexemes(&self, state: usize) -> bool {
        state == 0 || self.states.iter().any(|from| from.shifts.values().any(|&to| to == state))
    }

    /// The left-hand side and the length of every reduction of a state.
    pub fn reductions(
        &self,
        state: usize,
        lookahead: Lookahead,
    ) -> impl Iterator<Item = (NonterminalId, usize)> + '_ {
        let productions = self.states[state].reductions.get(&lookahead).into_iter().flatten();
        productions.map(|&production| (self.productions[production].0, self.productions[production].1.len()))
    }

    /// The state after a shift.
    #[must_use]
    pub fn shift_from(&self, state: usize, terminal: TerminalId) -> Option<usize> {
        self.states[state].shifts.get(&terminal).copied()
    }

    /// The state after a nonterminal.
    #[must_use]
    pub fn goto(&self, state: usize, nonterminal: NonterminalId) -> Option<usize> {
        self.states[state].gotos.get(&nonterminal).copied()
    }

    /// Whether the text may end with this state on top, without any reduction.
    #[must_use]
    pub fn is_final(&self, state: usize) -> bool {
        self.states[state].accepts
    }

    /// Every stack that results from reading `terminal`: reductions by it, then its shift.
    pub fn shift(&self, stacks: &mut Stacks, stack: Stack, terminal: TerminalId) -> Vec<Stack> {
        let reduced = self.reduce(stacks, stack, Some(terminal));
        let shifted = reduced.into_iter().filter_map(|stack| {
            let &next = self.states[stacks.top(stack)].shifts.get(&terminal)?;
            Some(stacks.push(stack, next))
        });
        shifted.collect()
    }

    /// Whether the text may end with this stack.
    pub fn accepts(&self, stacks: &mut Stacks, stack: Stack) -> bool {
        let reduced = self.reduce(stacks, stack, None);
        reduced.iter().any(|&stack| self.states[stacks.top(stack)].accepts)
    }

    /// The stack itself and every stack that reductions by `lookahead` make of it.
    fn reduce(&self, stacks: &mut Stacks, stack: Stack, lookahead: Lookahead) -> BTreeSet<Stack> {
        let mut seen = BTreeSet::from([stack]);
        let mut pending = vec![stack];
        while let Some(stack) = pending.pop() {
            let reductions = self.states[stacks.top(stack)].reductions.get(&lookahead);
            for &production in reductions.into_iter().flatten() {
                let (left, right) = &self.productions[production];
                let below = stacks.pop(stack, right.len());
                let reduced = stacks.push(below, self.states[stacks.top(below)].gotos[left]);
                if seen.insert(reduced) {
                    pending.push(reduced);
                }
            }
        }
        seen
    }
}

/// The data from which the collection of states is made.
struct Collection<'a> {
    productions: &'a [(NonterminalId, Vec<Symbol>)],
    /// The augmented start production, the start state's alone.
    goal: usize,
    /// Per nonterminal, its productions but for the goal.
    bodies: BTreeMap<NonterminalId, Vec<usize>>,
    /// Per nonterminal, the terminals that can begin it.
    first: BTreeMap<NonterminalId, Lookaheads>,
}

impl<'a> Collection<'a> {
    fn new(productions: &'a [(NonterminalId, Vec<Symbol>)], goal: usize) -> Self {
        let mut bodies: BTreeMap<NonterminalId, Vec<usize>> = BTreeMap::new();
        for (index, (left, _)) in productions[..goal].iter().enumerate() {
            bodies.entry(*left).or_default().push(index);
        }
        Self { productions, goal, bodies, first: first_sets(productions) }
    }

    /// All states, from the kernel of the start state on.
    fn states(&self) -> Vec<State> {
        let start = Items::from([((self.goal, 0), Lookaheads::only(None))]);
        let mut ids = BTreeMap::from([(core(&start), 0)]);
        let mut kernels = vec![start];
        let mut states = vec![State::default()];
        let mut pending = VecDeque::from([0]);
        while let Some(id) = pending.pop_front() {
            let items = self.close(&kernels[id]);
            let mut state = State::default();
            for (symbol, kernel) in self.successors(&items) {
                let target = *ids.entry(core(&kernel)).or_insert_with(|| {
                    kernels.push(Items::new());
                    states.push(State::default());
                    kernels.len() - 1
                });
                if join(&mut kernels[target], kernel) && !pending.contains(&target) {
                    pending.push_back(target);
                }
                match symbol {
                    Symbol::Terminal(terminal) => drop(state.shifts.insert(terminal, target)),
                    Symbol::Nonterminal(nonterminal) => drop(state.gotos.insert(nonterminal, target)),
                }
            }
            self.add_reductions(&items, &mut state);
            states[id] = state;
        }
        states
    }

    /// The closure: `[A → α·Bβ, a]` brings `[B → ·γ, b]` for every `b` that can begin `βa`.
    fn close(&self, kernel: &Items) -> Items {
        // All items `[B → ·γ]` have the same look-aheads.
        let mut expected: BTreeMap<NonterminalId, Lookaheads> = BTreeMap::new();
        let mut pending = Vec::new();
        let kernel_items = kernel.iter().map(|(&item, lookaheads)| (item, lookaheads));
        for (next, after) in kernel_items.filter_map(|(item, lookaheads)| self.expects(item, lookaheads)) {
            expected.entry(next).or_default().join(&after);
            pending.push(next);
        }
        while let Some(nonterminal) = pending.pop() {
            let lookaheads = expected[&nonterminal].clone();
            for production in self.bodies(nonterminal) {
                let Some((next, after)) = self.expects((production, 0), &lookaheads) else { continue };
                let fresh = !expected.contains_key(&next);
                if expected.entry(next).or_default().join(&after) || fresh {
                    pending.push(next);
                }
            }
        }
        let mut items = kernel.clone();
        for (nonterminal, lookaheads) in &expected {
            items.extend(self.bodies(*nonterminal).map(|body| ((body, 0), lookaheads.clone())));
        }
        items
    }

    /// The productions of the nonterminal; none if the language is empty.
    fn bodies(&self, nonterminal: NonterminalId) -> impl Iterator<Item = usize> {
        self.bodies.get(&nonterminal).into_iter().flatten().copied()
    }

    /// The nonterminal `B` of an item `[A → α·Bβ, a]`, and the terminals with which `βa` can begin.
    fn expects(
        &self,
        (production, dot): Item,
        lookaheads: &Lookaheads,
    ) -> Option<(NonterminalId, Lookaheads)> {
        let right = &self.productions[production].1;
        let Symbol::Nonterminal(next) = *right.get(dot)? else { return None };
        // No right part is empty, so what follows hides the look-ahead.
        let after = match right.get(dot + 1) {
            None => lookaheads.clone(),
            Some(&Symbol::Terminal(terminal)) => Lookaheads::only(Some(terminal)),
            Some(Symbol::Nonterminal(nonterminal)) => self.first[nonterminal].clone(),
        };
        Some((next, after))
    }

    /// The items after each symbol.
    fn successors(&self, items: &Items) -> BTreeMap<Symbol, Items> {
        let mut successors: BTreeMap<Symbol, Items> = BTreeMap::new();
        for (&(production, dot), lookaheads) in items {
            if let Some(&symbol) = self.productions[production].1.get(dot) {
                successors.entry(symbol).or_default().insert((production, dot + 1), lookaheads.clone());
            }
        }
        successors
    }

    /// The reductions of complete items.
    fn add_reductions(&self, items: &Items, state: &mut State) {
        for (&(production, dot), lookaheads) in items {
            if dot < self.productions[production].1.len() {
                continue;
            }
            if production == self.goal {
                state.accepts = true;
                continue;
            }
            for lookahead in lookaheads.iter() {
                state.reductions.entry(lookahead).or_default().push(production);
            }
        }
    }
}

fn core(items: &Items) -> Vec<Item> {
    items.keys().copied().collect()
}

/// Adds the look-aheads of `more`; true if any is new.
fn join(items: &mut Items, more: Items) -> bool {
    let mut grown = false;
    for (item, lookaheads) in more {
        grown |= items.entry(item).or_default().join(&lookaheads);
    }
    grown
}

/// Per nonterminal, the terminals that can begin it.
fn first_sets(productions: &[(NonterminalId, Vec<Symbol>)]) -> BTreeMap<NonterminalId, Lookaheads> {
    let mut first: BTreeMap<NonterminalId, Lookaheads> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (left, right) in productions {
            let begins = match right[0] {
                Symbol::Terminal(terminal) => Lookaheads::only(Some(terminal)),
                Symbol::Nonterminal(nonterminal) => first.get(&nonterminal).cloned().unwrap_or_default(),
            };
            changed |= first.entry(*left).or_default().join(&begins);
        }
    }
    first
}
