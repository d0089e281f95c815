//! Words of a grammar's symbols, as terminals: the shortest of each, and random ones.

use crate::ids::ProductionId;
use crate::normalize::Cfg;
use crate::random::Random;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use std::cell::Cell;
use std::collections::VecDeque;

/// Longer words are not made; a grammar may have none that are shorter than 2^100 terminals.
pub(super) const MAX_COST: u32 = 2_000;
/// Symbols replaced in all words; none are made after that.
const MAX_STEPS: usize = 10_000_000;

/// The shortest word of every symbol.
pub(super) struct Words<'a> {
    cfg: &'a Cfg,
    /// What a terminal counts for.
    terminal_cost: Vec<u32>,
    /// Per nonterminal: its cheapest production and what it costs, more than [`MAX_COST`] if that is too much.
    best: Vec<(u32, ProductionId)>,
    /// Symbols replaced so far.
    steps: Cell<usize>,
}

impl<'a> Words<'a> {
    /// `terminal_cost` is the length of each terminal's shortest lexeme.
    pub(super) fn new(cfg: &'a Cfg, terminal_cost: Vec<u32>) -> Self {
        let best = vec![(MAX_COST + 1, ProductionId(0)); cfg.names.len()];
        let mut words = Self { cfg, terminal_cost, best, steps: Cell::new(0) };
        words.lower_costs();
        words
    }

    /// Costs are lowered until nothing changes. A production is looked at again when one of its nonterminals became cheaper.
    fn lower_costs(&mut self) {
        let productions = &self.cfg.productions;
        let mut users = vec![Vec::new(); self.cfg.names.len()];
        for (i, production) in productions.iter().enumerate() {
            for symbol in &production.rhs {
                if let Symbol::Nonterminal(n) = symbol {
                    users[n.index()].push(i);
                }
            }
        }
        let mut open: VecDeque<usize> = (0..productions.len()).collect();
        let mut is_open = vec![true; productions.len()];
        while let Some(i) = open.pop_front() {
            is_open[i] = false;
            let lhs = productions[i].lhs.index();
            let cost = self.cost(&productions[i].rhs);
            if cost < self.best[lhs].0 {
                self.best[lhs] = (cost, ProductionId::new(i));
                open.extend(users[lhs].iter().filter(|&&user| !std::mem::replace(&mut is_open[user], true)));
            }
        }
    }

    /// What the shortest words of these symbols cost together, at most one more than [`MAX_COST`].
    pub(super) fn cost(&self, symbols: &[Symbol]) -> u32 {
        let of = |&symbol: &Symbol| match symbol {
            Symbol::Terminal(t) => self.terminal_cost[t.index()],
            Symbol::Nonterminal(n) => self.best[n.index()].0,
        };
        symbols.iter().map(of).fold(0, u32::saturating_add).min(MAX_COST + 1)
    }

    /// Whether words were not made because there were too many.
    pub(super) fn gave_up(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    /// The shortest words of these symbols, end to end; `None` if that is too much.
    pub(super) fn shortest(&self, symbols: &[Symbol]) -> Option<Vec<TerminalId>> {
        if self.cost(symbols) > MAX_COST {
            return None;
        }
        self.derive(symbols, |words, n, _| words.best[n.index()].1)
    }

    /// A random word of the start symbol. Productions are drawn evenly, as long as the word stays shorter than `length`.
    pub(super) fn random(&self, length: u32, random: &mut Random) -> Option<Vec<TerminalId>> {
        let start = [Symbol::Nonterminal(self.cfg.start)];
        if self.cost(&start) > MAX_COST {
            return None;
        }
        self.derive(&start, |words, n, cost| {
            let of = words.cfg.span(n);
            let drawn = of.start + random.below(of.len());
            let fits = cost + words.cost(&words.cfg.productions[drawn].rhs) <= length;
            if fits { ProductionId::new(drawn) } else { words.best[n.index()].1 }
        })
    }

    /// Replaces the first nonterminal by the right-hand side that `choose` says, again and again. It is told what all else costs.
    fn derive(
        &self,
        symbols: &[Symbol],
        mut choose: impl FnMut(&Self, NonterminalId, u32) -> ProductionId,
    ) -> Option<Vec<TerminalId>> {
        let (mut open, mut word) = (symbols.to_vec(), Vec::new());
        open.reverse();
        let mut cost = self.cost(symbols);
        while let Some(symbol) = open.pop() {
            self.steps.set(self.steps.get() + 1);
            if self.gave_up() {
                return None;
            }
            match symbol {
                Symbol::Terminal(t) => word.push(t),
                Symbol::Nonterminal(n) => {
                    let others = cost - self.cost(&[symbol]);
                    let rhs = &self.cfg.productions[choose(self, n, others).index()].rhs;
                    cost = others + self.cost(rhs);
                    open.extend(rhs.iter().rev());
                }
            }
        }
        Some(word)
    }
}
