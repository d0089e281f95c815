//! The Parser DWA as an automaton, with and without default transitions.
//!
//! [`FullDwa`] has an explicit transition for every symbol that a state can read. [`Dwa`] has a default
//! transition per state and exceptions. State 0 is final: everything is decided, reading stops.

use crate::ids::{DwaState, LrState, SetId};
use rustc_hash::FxHashMap;

/// A transition of the automaton on a symbol of the stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Transition {
    /// Tokens allowed from here on.
    pub output: SetId,
    /// The state that reads on; state 0 stops.
    pub target: DwaState,
}

/// A deterministic weighted automaton that reads LR states from the top of the stack.
#[derive(Clone, Debug, Default)]
pub struct Dwa {
    /// Per state: the transition on every symbol without an exception; `None` if no such symbol can occur.
    pub default: Vec<Option<Transition>>,
    /// Per state: the exceptions, sorted by symbol.
    pub exceptions: Vec<Vec<(LrState, Transition)>>,
    /// Per lexer state: the state in which reading starts; state 0 for the dead lexer state.
    pub start: Vec<DwaState>,
}

impl Dwa {
    /// Number of states, the final one included.
    #[must_use]
    pub fn states(&self) -> usize {
        self.default.len()
    }

    /// Number of stored transitions, defaults included.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.exceptions.iter().map(Vec::len).sum::<usize>() + self.default.iter().flatten().count()
    }

    /// The transition of `state` on `symbol`.
    #[must_use]
    pub fn step(&self, state: DwaState, symbol: LrState) -> Option<Transition> {
        let row = &self.exceptions[state.index()];
        match row.binary_search_by_key(&symbol, |&(s, _)| s) {
            Ok(i) => Some(row[i].1),
            Err(_) => self.default[state.index()],
        }
    }

    /// The automaton with default transitions.
    pub(super) fn new(full: FullDwa) -> Self {
        let mut dwa = Self { start: full.start, ..Self::default() };
        full.rows.into_iter().for_each(|row| dwa.push(row));
        dwa
    }

    /// Appends a state with these transitions, which are sorted. The most frequent transition becomes the
    /// default.
    fn push(&mut self, mut row: Row) {
        let default = most_frequent(&row);
        row.retain(|&(_, t)| Some(t) != default);
        self.default.push(default);
        self.exceptions.push(row);
    }
}

/// The most frequent transition of a row; the least of equally frequent transitions.
pub(super) fn most_frequent(row: &Row) -> Option<Transition> {
    let (_, first) = row.first()?;
    if row.iter().all(|(_, transition)| transition == first) {
        return Some(*first);
    }
    let mut counts: FxHashMap<Transition, usize> = FxHashMap::default();
    row.iter().for_each(|&(_, t)| *counts.entry(t).or_default() += 1);
    counts.into_iter().max_by_key(|&(t, count)| (count, std::cmp::Reverse(t))).map(|(t, _)| t)
}

/// The transitions of a state on the symbols that it can read, sorted by symbol.
pub(super) type Row = Vec<(LrState, Transition)>;

/// Adds to `row` the transitions of `other` on symbols that `row` does not have. Both are sorted.
pub(super) fn unite(row: &mut Row, other: &Row) {
    let mut left = row.iter().peekable();
    let mut is_known = |symbol: LrState| {
        while left.next_if(|(own, _)| *own < symbol).is_some() {}
        left.peek().is_some_and(|(own, _)| *own == symbol)
    };
    let fresh: Row = other.iter().filter(|cell| !is_known(cell.0)).copied().collect();
    if !fresh.is_empty() {
        row.extend(fresh);
        // Two runs, which are merged in one pass.
        row.sort_by_key(|&(symbol, _)| symbol);
    }
}

/// An incompletely specified automaton: the transitions of each state on the symbols that it can read, and no
/// defaults.
#[derive(Default)]
pub(super) struct FullDwa {
    /// Sorted by symbol, each once.
    pub(super) rows: Vec<Row>,
    /// Per lexer state: the state in which reading starts; state 0 for the dead lexer state.
    pub(super) start: Vec<DwaState>,
}
