//! The line breaks of each column, as terminals.

use crate::lark::supplied::Indenter;
use gcc_grammar_ir::{Diagnostic, Pattern, Terminal, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// The parts of the line break, which have no text in common.
pub(super) struct Lines {
    /// Per column, the line breaks before a line of it; none if there are no such line breaks.
    columns: Vec<Option<Dfa>>,
    /// The line breaks before lines of all other columns.
    other: Option<Dfa>,
}

impl Lines {
    /// Divides the texts of the line break.
    pub(super) fn new(
        newline: Option<&Pattern>,
        options: &Indenter,
        limits: &RegularLimits,
    ) -> Result<Self, Diagnostic> {
        let Some(regex) = newline.and_then(Pattern::regex) else {
            return Ok(Self { columns: Vec::new(), other: None });
        };
        let &Indenter { tab_len, unit, levels, .. } = options;
        let all = regex.to_dfa(limits)?;
        let of = |accepts: &dyn Fn(Option<u32>) -> bool| -> Result<Option<Dfa>, OverBudget> {
            let part = all.intersect(&columns(accepts, tab_len, unit * levels, limits)?, limits)?;
            Ok((!part.is_empty()).then_some(part))
        };
        let columns = (0..=levels).map(|level| of(&|column| column == Some(level * unit)));
        let columns: Result<_, OverBudget> = columns.collect();
        let other = of(&|column| column.is_none_or(|column| column % unit != 0))?;
        Ok(Self { columns: columns?, other })
    }

    /// The number of columns.
    pub(super) fn count(&self) -> usize {
        self.columns.len()
    }

    /// Puts the terminals of the line breaks in the place of the line break, whose name and priority they have. Returns the terminals of the columns,
    /// and all of them.
    pub(super) fn terminals(self, newline: &Terminal, terminals: &mut Vec<Terminal>) -> Numbered {
        let mut all = Vec::new();
        let mut add = |dfa: Dfa, name: String| {
            let id = TerminalId::new(terminals.len());
            let pattern = Pattern::Regex(Regex::Automaton(Arc::new(dfa)));
            terminals.push(Terminal { name, pattern, priority: newline.priority, literal: false });
            all.push(id);
            id
        };
        let columns = self.columns.into_iter().enumerate();
        let columns = columns
            .map(|(level, dfa)| dfa.map(|dfa| add(dfa, format!("{}@{level}", newline.name))))
            .collect();
        self.other.map(|dfa| add(dfa, format!("other {}", newline.name)));
        Numbered { columns, all }
    }
}

/// The terminals of line breaks.
pub(super) struct Numbered {
    pub(super) columns: Vec<Option<TerminalId>>,
    pub(super) all: Vec<TerminalId>,
}

/// The texts behind whose last line feed is a column that is accepted; none stands for columns beyond `most`, and for texts without a line feed. As in
/// Lark, blanks and tabs count, and all other characters do not.
fn columns(
    accepts: &dyn Fn(Option<u32>) -> bool,
    tab_len: u32,
    most: u32,
    limits: &RegularLimits,
) -> Result<Dfa, OverBudget> {
    /// The column; none before the first line feed and beyond the last column.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct State(Option<u32>);
    Dfa::explore(State(None), limits, |State(column)| {
        let after = |count: u32| State(column.map(|column| column + count).filter(|&column| column <= most));
        let edges = vec![
            (0, b'\t' - 1, after(0)),
            (b'\t', b'\t', after(tab_len)),
            (b'\n', b'\n', State(Some(0))),
            (b'\n' + 1, b' ' - 1, after(0)),
            (b' ', b' ', after(1)),
            (b' ' + 1, u8::MAX, after(0)),
        ];
        (accepts(*column), edges)
    })
}
