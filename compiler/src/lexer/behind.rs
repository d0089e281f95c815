//! What may come directly behind a lexeme.
//!
//! In: the LR tables and the automata of the terminals. Out: per terminal, the symbols that a lexeme which the parser may take next, or an ignored
//! one, can begin with. On other symbols no text goes on, so a longest-match constraint need not be followed there. Else each text that begins a
//! lexeme and is not one, such as `[[` in Lua where no `]]` follows, multiplies the states of the lexer, though the parser never takes `[` behind `[`.

use super::subsets::Subsets;
use crate::ids::SymbolClass;
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::{Grammar, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};

/// Per terminal and class of bytes and tokens, whether a lexeme behind it may begin with the class. Empty under any split, which has no constraints.
pub(super) struct Behind(Vec<Vec<bool>>);

impl Behind {
    pub(super) fn new(
        grammar: &Grammar,
        tables: &LrTables,
        subsets: &Subsets<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        if grammar.is_any_split() {
            return Ok(Self(Vec::new()));
        }
        let cells = tables.terminals as u64 * subsets.read_classes() as u64;
        budget.charge_bytes(cells + 24 * tables.terminals as u64)?;
        let mut behind = vec![vec![false; subsets.read_classes()]; tables.terminals];
        for (state, entry) in tables.entries().into_iter().enumerate() {
            let Entry::Shift(lexemes) = entry else { continue };
            let next =
                tables.actions.row(state).iter().map(|&(t, _)| t).chain(grammar.ignored.iter().copied());
            for t in next {
                let first = subsets.first(t);
                budget.charge_work((first.len() * lexemes.len()) as u64 / 8 + 1)?;
                for lexeme in &lexemes {
                    first.iter().for_each(|&(class, _)| mark(&mut behind[lexeme.index()], class));
                }
            }
        }
        Ok(Self(behind))
    }

    /// Whether a text may go on with a class where a lexeme of one of these terminals ends. Behind an ignored lexeme it depends on those before it.
    pub(super) fn goes_on(&self, accepts: &[TerminalId], class: SymbolClass) -> bool {
        accepts.iter().any(|t| self.0.get(t.index()).is_none_or(|behind| behind[class.index()]))
    }
}

fn mark(behind: &mut [bool], class: SymbolClass) {
    if let Some(is_first) = behind.get_mut(class.index()) {
        *is_first = true;
    }
}
