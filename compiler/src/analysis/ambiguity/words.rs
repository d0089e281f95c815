//! Derives words of a grammar: the shortest words of its symbols, and random words.
//!
//! In: the productions, and the length of the shortest lexeme of every terminal, which is the cost of the
//! terminal. Out: sequences of terminals.

use super::work::Work;
use crate::ids::ProductionId;
use crate::normalize::Cfg;
use crate::random::Random;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use std::collections::VecDeque;

/// The largest cost of a word. A grammar may have no word of less than 2^100 terminals.
pub(super) const MAX_COST: u32 = 2_000;
/// The work to replace a symbol.
const STEP_WORK: usize = 3;

/// The productions, with the cheapest production of every nonterminal.
pub(super) struct Words<'a> {
    cfg: &'a Cfg,
    /// Per terminal: its cost.
    terminal_cost: Vec<u32>,
    /// Per nonterminal: its cheapest production with its cost, [`MAX_COST`] + 1 if no word is cheap enough.
    best: Vec<(u32, ProductionId)>,
    /// It is spent for each symbol that is replaced. No word is derived when none is left.
    work: Work,
}

impl<'a> Words<'a> {
    /// Finds the cheapest productions. `terminal_cost` has the length of the shortest lexeme of each terminal.
    pub(super) fn new(cfg: &'a Cfg, terminal_cost: Vec<u32>, work: Work) -> Self {
        let best = vec![(MAX_COST + 1, ProductionId(0)); cfg.names.len()];
        let mut words = Self { cfg, terminal_cost, best, work };
        words.lower_costs();
        words
    }

    /// Lowers the costs until nothing changes. A production is visited again when one of its nonterminals
    /// becomes cheaper. When no work is left, some costs may be higher than they need be.
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
            self.work.spend(1 + productions[i].rhs.len() / 16);
            if self.gave_up() {
                return;
            }
            let lhs = productions[i].lhs.index();
            let cost = self.cost(&productions[i].rhs);
            if cost < self.best[lhs].0 {
                self.best[lhs] = (cost, ProductionId::new(i));
                open.extend(users[lhs].iter().filter(|&&user| !std::mem::replace(&mut is_open[user], true)));
            }
        }
    }

    /// The cost of the shortest word of a sequence of symbols, at most [`MAX_COST`] + 1.
    pub(super) fn cost(&self, symbols: &[Symbol]) -> u32 {
        let cost = |&symbol: &Symbol| match symbol {
            Symbol::Terminal(t) => self.terminal_cost[t.index()],
            Symbol::Nonterminal(n) => self.best[n.index()].0,
        };
        symbols.iter().map(cost).fold(0, u32::saturating_add).min(MAX_COST + 1)
    }

    /// Sets the work that is left.
    pub(super) fn set_work(&mut self, work: Work) {
        self.work = work;
    }

    /// The work, which is shared.
    pub(super) fn work(&self) -> Work {
        self.work.clone()
    }

    /// Whether no work is left.
    pub(super) fn gave_up(&self) -> bool {
        !self.work.is_left()
    }

    /// The shortest word of a sequence of symbols; `None` if it costs too much.
    pub(super) fn shortest(&self, symbols: &[Symbol]) -> Option<Vec<TerminalId>> {
        if self.cost(symbols) > MAX_COST {
            return None;
        }
        self.derive(symbols, |words, n, _| words.best[n.index()].1)
    }

    /// A random word of the start symbol. Productions are drawn with equal probability as long as the word can
    /// still be completed at a cost of `length`, and are the cheapest afterwards.
    pub(super) fn random(&self, length: u32, random: &mut Random) -> Option<Vec<TerminalId>> {
        let start = [Symbol::Nonterminal(self.cfg.start)];
        if self.cost(&start) > MAX_COST {
            return None;
        }
        self.derive(&start, |words, n, cost| {
            let productions = words.cfg.span(n);
            let drawn = productions.start + random.below(productions.len());
            let fits = cost + words.cost(&words.cfg.productions[drawn].rhs) <= length;
            if fits { ProductionId::new(drawn) } else { words.best[n.index()].1 }
        })
    }

    /// A leftmost derivation. `choose` selects the production for a nonterminal, given the cost of all other
    /// symbols of the word.
    fn derive(
        &self,
        symbols: &[Symbol],
        mut choose: impl FnMut(&Self, NonterminalId, u32) -> ProductionId,
    ) -> Option<Vec<TerminalId>> {
        let (mut open, mut word) = (symbols.to_vec(), Vec::new());
        open.reverse();
        let mut cost = self.cost(symbols);
        while let Some(symbol) = open.pop() {
            self.work.spend(STEP_WORK);
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
