//! Sets of lookaheads as bits.

use gcc_grammar_ir::TerminalId;

/// A terminal, or `None` for the end of the text.
pub type Lookahead = Option<TerminalId>;

/// A set of lookaheads. Bit 0 is the end of the text, the other bits are the terminals in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lookaheads(Vec<u64>);

impl Lookaheads {
    /// The set of one lookahead.
    pub(super) fn only(lookahead: Lookahead) -> Self {
        let mut set = Self::default();
        set.insert(lookahead);
        set
    }

    pub(super) fn insert(&mut self, lookahead: Lookahead) {
        let bit = lookahead.map_or(0, |terminal| terminal.index() + 1);
        if self.0.len() <= bit / 64 {
            self.0.resize(bit / 64 + 1, 0);
        }
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Adds all of `more`. Returns whether the set has grown.
    pub(super) fn join(&mut self, more: &Self) -> bool {
        if self.0.len() < more.0.len() {
            self.0.resize(more.0.len(), 0);
        }
        let mut grown = false;
        for (word, more) in self.0.iter_mut().zip(&more.0) {
            grown |= more & !*word != 0;
            *word |= more;
        }
        grown
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Lookahead> {
        let bits = (0..self.0.len() * 64).filter(|bit| self.0[bit / 64] >> (bit % 64) & 1 == 1);
        bits.map(|bit| bit.checked_sub(1).map(TerminalId::new))
    }
}
