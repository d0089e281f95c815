//! Finds pairs of lexer states that differ only in a count, as a greatest fixpoint.
//!
//! In: candidates, which are a state and the state that most bytes lead to from it. Out: the pairs (state,
//! the same state with the next count) such that on every symbol
//! - neither state has a transition, or only the state with the higher count, or
//! - both lead to the same state: the count is forgotten, or
//! - they lead to another such pair: the count is kept.
//!
//! A candidate requests the pairs of its targets. A candidate that fails is refuted, and so is every
//! candidate that depends on it.

use crate::ids::LexState;
use crate::lexer::Lexer;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

index_newtype! { vis pub(super),
    /// A candidate pair.
    PairId;
}

/// Whether tokens and lexemes that end in `a` end like those that end in `b`.
pub(super) fn end_alike(lexer: &Lexer, a: LexState, b: LexState) -> bool {
    let accepts = lexer.accepts(a);
    lexer.pending[a.index()] == lexer.pending[b.index()]
        && accepts == lexer.accepts(b)
        && (accepts.is_empty() || lexer.end_class[a.index()] == lexer.end_class[b.index()])
}

/// A candidate: a state, and a state that may be the same with the next count.
pub(super) struct Pair {
    pub(super) low: LexState,
    pub(super) high: LexState,
    /// The pairs whose confirmation depends on this pair.
    users: Vec<PairId>,
}

/// The candidates. A state is the lower state of at most one pair, and the higher state of at most one.
pub(super) struct Pairs<'a> {
    pub(super) lexer: &'a Lexer,
    budget: &'a Budget,
    pub(super) all: Vec<Pair>,
    /// The first pair that was not examined.
    next: usize,
    /// The pairs that are not refuted.
    pub(super) by_low: FxHashMap<LexState, PairId>,
    pub(super) by_high: FxHashMap<LexState, PairId>,
    refuted: FxHashSet<(LexState, LexState)>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(lexer: &'a Lexer, budget: &'a Budget) -> Self {
        Self {
            lexer,
            budget,
            all: Vec::new(),
            next: 0,
            by_low: FxHashMap::default(),
            by_high: FxHashMap::default(),
            refuted: FxHashSet::default(),
        }
    }

    /// The pair of these states, if it can be a candidate.
    pub(super) fn request(&mut self, low: LexState, high: LexState) -> Result<Option<PairId>, OverBudget> {
        match (self.by_low.get(&low), self.by_high.get(&high)) {
            (None, None) => {}
            (a, b) => return Ok(if a == b { a.copied() } else { None }),
        }
        if !end_alike(self.lexer, low, high) || self.refuted.contains(&(low, high)) {
            return Ok(None);
        }
        self.budget.charge_bytes(96)?;
        let id = PairId::new(self.all.len());
        self.all.push(Pair { low, high, users: Vec::new() });
        self.by_low.insert(low, id);
        self.by_high.insert(high, id);
        Ok(Some(id))
    }

    /// Examines new candidates, and the candidates that they depend on.
    pub(super) fn explore(&mut self) -> Result<(), OverBudget> {
        while self.next < self.all.len() {
            let pair = PairId::new(self.next);
            self.next += 1;
            self.budget.charge_work(self.lexer.classes as u64 / 8 + 1)?;
            if !self.request_targets(pair)? {
                self.refute(pair);
            }
        }
        Ok(())
    }

    /// Requests the pairs of targets of a pair. Returns whether all of them can be candidates.
    fn request_targets(&mut self, pair: PairId) -> Result<bool, OverBudget> {
        let lexer = self.lexer;
        let [low, high] = lexer.abreast([self.all[pair.index()].low, self.all[pair.index()].high]);
        let mut last = (LexState::DEAD, LexState::DEAD);
        for (&low, &high) in low.iter().zip(high) {
            if (low, high) == last || low == high || low == LexState::DEAD {
                continue;
            }
            last = (low, high);
            let needed = if high == LexState::DEAD { None } else { self.request(low, high)? };
            match needed {
                Some(needed) => self.all[needed.index()].users.push(pair),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Refutes a pair, and all pairs that depend on it.
    fn refute(&mut self, pair: PairId) {
        let mut open = vec![pair];
        while let Some(pair) = open.pop() {
            let pair = &mut self.all[pair.index()];
            if self.refuted.insert((pair.low, pair.high)) {
                self.by_low.remove(&pair.low);
                self.by_high.remove(&pair.high);
                open.append(&mut pair.users);
            }
        }
    }

    /// The pairs that were not refuted, in the order of discovery.
    pub(super) fn confirmed(&self) -> impl Iterator<Item = &Pair> {
        self.all.iter().filter(|pair| !self.refuted.contains(&(pair.low, pair.high)))
    }

    /// Refutes a pair if a symbol forgets the count there, but not in the pair below, or the reverse. A
    /// transition of a control state forgets the count at all counts or at none.
    pub(super) fn refute_mixed(&mut self) {
        for pair in 0..self.all.len() {
            let Pair { low, high, .. } = self.all[pair];
            let Some(&below) = self.by_high.get(&low) else { continue };
            let [lowest, low, high] = self.lexer.abreast([self.all[below.index()].low, low, high]);
            let mut next = lowest.iter().zip(low).zip(high);
            if next.any(|((lowest, low), high)| *lowest != LexState::DEAD && (lowest == low) != (low == high))
            {
                self.refute(PairId::new(pair));
            }
        }
    }
}
