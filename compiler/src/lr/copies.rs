//! Terminals of which the lexemes are told apart: several copies, with actions of their own, stand for one terminal.
//!
//! [`liveness`](crate::liveness) needs them: whether a lexeme may be shifted can depend on what it leaves to the next
//! one. Everything before that stage has one copy of each terminal, [`Plain`].

use crate::ids::LrState;
use crate::normalize::Cfg;
use gcc_grammar_ir::TerminalId;

/// The copies of terminals.
pub(crate) trait Copies {
    /// Number of all copies.
    fn terminals(&self) -> usize;

    /// The copies of `terminal` that may be shifted to the state `to`.
    fn of(&self, terminal: TerminalId, to: LrState) -> impl Iterator<Item = TerminalId>;
}

/// Every terminal stands for itself.
pub(crate) struct Plain<'a>(pub(crate) &'a Cfg);

impl Copies for Plain<'_> {
    fn terminals(&self) -> usize {
        self.0.terminal_count
    }

    fn of(&self, terminal: TerminalId, _: LrState) -> impl Iterator<Item = TerminalId> {
        std::iter::once(terminal)
    }
}
