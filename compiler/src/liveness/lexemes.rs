//! Answers with which lexemes a text can continue at a boundary between lexemes.
//!
//! A *boundary* is what decides how the next lexeme is read: the end class of the lexeme before it, and the context of
//! the LR state on top of the stack. In: the lexer, as [`Spelling`]. Out: per boundary, the terminals whose lexemes can
//! come next, each with the end class that it leaves, directly or after ignored lexemes; and the end classes that
//! ignored lexemes alone can leave.

use super::spelling::{Exit, Spelling};
use crate::ids::{ContextId, EndClass};
use crate::lexer::{IGNORED, Lexer};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A place between two lexemes.
pub(super) type Boundary = (EndClass, ContextId);

/// How a text can continue at a boundary.
pub(super) struct Next {
    /// The lexemes that are not ignored, after any number of ignored ones, sorted.
    pub(super) lexemes: Vec<Exit>,
    /// The end classes after one or more ignored lexemes, in the order of a breadth-first search.
    pub(super) ignored: Vec<EndClass>,
}

/// The answers, remembered.
pub(super) struct Lexemes<'a> {
    pub(super) lexer: &'a Lexer,
    spelling: Spelling,
    known: FxHashMap<Boundary, Rc<Next>>,
    budget: &'a Budget,
}

impl<'a> Lexemes<'a> {
    pub(super) fn new(lexer: &'a Lexer, budget: &'a Budget) -> Result<Self, OverBudget> {
        Ok(Self { lexer, spelling: Spelling::new(lexer, budget)?, known: FxHashMap::default(), budget })
    }

    /// The lexemes that can come directly after the boundary.
    pub(super) fn directly(&self, (end, context): Boundary) -> impl Iterator<Item = Exit> + '_ {
        self.spelling.of(self.lexer.restart(end, context))
    }

    /// How a text can continue at the boundary.
    pub(super) fn next(&mut self, boundary: Boundary) -> Result<Rc<Next>, OverBudget> {
        if let Some(known) = self.known.get(&boundary) {
            return Ok(Rc::clone(known));
        }
        let (mut lexemes, mut ignored) = (Vec::new(), Vec::new());
        let mut open = vec![boundary.0];
        while let Some(end) = open.pop() {
            let before = lexemes.len();
            for (terminal, after) in self.directly((end, boundary.1)) {
                if terminal != IGNORED {
                    lexemes.push((terminal, after));
                } else if !ignored.contains(&after) {
                    ignored.push(after);
                    open.push(after);
                }
            }
            self.budget.charge_work((lexemes.len() - before) as u64 + 1)?;
        }
        lexemes.sort_unstable();
        lexemes.dedup();
        self.budget.charge_bytes((lexemes.len() * 8 + ignored.len() * 4 + 96) as u64)?;
        let next = Rc::new(Next { lexemes, ignored });
        self.known.insert(boundary, Rc::clone(&next));
        Ok(next)
    }
}
