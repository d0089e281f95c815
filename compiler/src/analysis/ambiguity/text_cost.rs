//! Measures the cost of reading a text, within a limit on the work.
//!
//! In: a text in symbols of the lexer. Out: its [`TextCost`]. Reading stops early after a symbol that is
//! refused or very expensive, and when no work is left.

use super::reader::Reader;
use super::work::Work;
use crate::automata::Automata;
use crate::ids::{LrState, SymbolClass};
use gcc_grammar_ir::TerminalId;

/// A text is not continued after a symbol that takes more extra steps.
pub(super) const MAX_EXTRA_STEPS: usize = 5_000;

/// The cost of a text.
#[derive(Default)]
pub(super) struct TextCost {
    /// The symbols that were read.
    pub(super) symbols: usize,
    /// The sum of the heads after every symbol.
    pub(super) heads: usize,
    /// The most heads after a symbol.
    pub(super) most_heads: usize,
    /// The extra steps of the parser on all symbols.
    pub(super) extra_steps: usize,
    /// The most extra steps on a symbol.
    pub(super) most_extra_steps: usize,
    /// The most heads and extra steps together, and the number of symbols up to the first place where there were as many.
    pub(super) costliest: (usize, usize),
    /// The conflicts that were met and left more than one stack.
    pub(super) conflicts: Vec<(LrState, TerminalId)>,
}

/// Reads texts, as long as there is work left.
pub(super) struct TextReader<'a> {
    reader: Reader<'a>,
    work: Work,
}

impl<'a> TextReader<'a> {
    pub(super) fn new(automata: &'a Automata, work: Work) -> Self {
        Self { reader: Reader::new(automata.decoding()), work }
    }

    /// Sets the work that is left.
    pub(super) fn set_work(&mut self, work: Work) {
        self.work = work;
    }

    /// The work that is left.
    pub(super) fn work_left(&self) -> usize {
        self.work.left()
    }

    /// Whether any work is left.
    pub(super) fn has_work(&self) -> bool {
        self.work.is_left()
    }

    /// Reads a text from its beginning.
    pub(super) fn read(&mut self, text: &[SymbolClass]) -> TextCost {
        self.read_within(text, 0)
    }

    /// Reads a text from its beginning, as long as there is more work than to be left.
    pub(super) fn read_within(&mut self, text: &[SymbolClass], reserve: usize) -> TextCost {
        self.reader.restart();
        let mut cost = TextCost::default();
        for &class in text {
            let step = self.reader.step(class);
            let heads = self.reader.heads();
            cost.extra_steps += step.extra;
            cost.most_extra_steps = cost.most_extra_steps.max(step.extra);
            if heads + step.extra > cost.costliest.0 {
                cost.costliest = (heads + step.extra, cost.symbols + 1);
            }
            self.work.spend(step.work);
            if heads == 0 || step.extra > MAX_EXTRA_STEPS || self.work.left() <= reserve {
                break;
            }
            cost.symbols += 1;
            cost.heads += heads;
            cost.most_heads = cost.most_heads.max(heads);
            cost.conflicts.extend(step.conflicts);
        }
        cost
    }
}
