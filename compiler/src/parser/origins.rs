//! In which contexts the lexeme under way may have begun.

use crate::ids::{ContextId, LexState};
use crate::lexer::Lexer;
use crate::limits::{Budget, OverBudget};
use std::collections::VecDeque;

/// Per lexer state: the contexts in which a lexeme may begin that leads there, as bit sets.
pub(super) struct Origins {
    words: usize,
    bits: Vec<u64>,
}

impl Origins {
    pub(super) fn new(lexer: &Lexer, budget: &Budget) -> Result<Self, OverBudget> {
        let words = lexer.contexts.div_ceil(64);
        budget.charge_bytes((lexer.states() * words * 8) as u64)?;
        let mut origins = Self { words, bits: vec![0; lexer.states() * words] };
        let mut is_open = vec![false; lexer.states()];
        let mut open = VecDeque::new();
        for (index, &start) in lexer.restarts.iter().enumerate() {
            let context = index % lexer.contexts;
            origins.bits[start.index() * words + context / 64] |= 1 << (context % 64);
            if start != LexState(0) && !std::mem::replace(&mut is_open[start.index()], true) {
                open.push_back(start);
            }
        }
        while let Some(from) = open.pop_front() {
            is_open[from.index()] = false;
            budget.charge_work(1)?;
            let row = &lexer.transitions[from.index() * lexer.classes..][..lexer.classes];
            for (i, &to) in row.iter().enumerate() {
                let again = i > 0 && row[i - 1] == to;
                if !again && to != LexState(0) && origins.pass(from, to) && !is_open[to.index()] {
                    is_open[to.index()] = true;
                    open.push_back(to);
                }
            }
        }
        Ok(origins)
    }

    /// Adds the contexts of one state to those of another; says whether there were new ones.
    fn pass(&mut self, from: LexState, to: LexState) -> bool {
        let mut changed = false;
        for word in 0..self.words {
            let bits = self.bits[from.index() * self.words + word];
            let own = &mut self.bits[to.index() * self.words + word];
            changed |= bits & !*own != 0;
            *own |= bits;
        }
        changed
    }

    pub(super) fn of(&self, state: LexState) -> &[u64] {
        &self.bits[state.index() * self.words..][..self.words]
    }

    pub(super) fn have(&self, state: LexState, context: ContextId) -> bool {
        self.of(state)[context.index() / 64] >> (context.index() % 64) & 1 == 1
    }
}
