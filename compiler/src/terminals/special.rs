//! The tokens that a grammar matches by id.

use gcc_grammar_ir::{Followed, Preceded, TerminalId};
use gcc_grammar_regular::Dfa;
use std::sync::Arc;

/// The tokens that a grammar matches by id: for each terminal that is made of tokens, their ids, and those in the automata of others.
#[derive(Clone, Debug, Default)]
pub struct SpecialTokens {
    /// Sorted by terminal; the end of text is the last of them.
    pub terminals: Vec<(TerminalId, Vec<u32>)>,
    /// The terminals in whose automata [marks](gcc_grammar_ir::special) stand for special tokens, sorted.
    pub marked: Vec<TerminalId>,
    /// The terminals with a limit on the tokens of a lexeme, and the limit, sorted by terminal.
    pub limits: Vec<(TerminalId, u32)>,
    /// The terminals with texts that match only where certain texts follow.
    pub followed: Vec<Followed>,
    /// The terminals that are recognized only behind certain texts.
    pub preceded: Vec<Preceded>,
}

impl SpecialTokens {
    /// The automata of what must come before terminals and follow them.
    pub(crate) fn around(&self) -> impl Iterator<Item = &Arc<Dfa>> {
        let after = self.followed.iter().flat_map(|followed| &followed.after);
        after.chain(self.preceded.iter().map(|preceded| &preceded.before))
    }

    /// Whether marks stand for special tokens in the automaton of a terminal.
    pub(crate) fn is_marked(&self, terminal: TerminalId) -> bool {
        self.marked.binary_search(&terminal).is_ok()
    }
}
