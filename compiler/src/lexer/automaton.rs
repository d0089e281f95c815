//! The automata of terminals over symbol classes.

use crate::csr::Csr;
use crate::ids::SymbolClass;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Per state: its transitions, sorted by class.
type Transitions = Csr<(SymbolClass, u32)>;

/// The automaton of a terminal over symbol classes. State 0 is the start.
///
/// The rows are made when a state besides the start is read: most terminals of a grammar are none of those of the first mask.
#[derive(Clone, Debug)]
pub struct TerminalAutomaton {
    /// Per state: whether a lexeme may end there.
    accepting: Vec<bool>,
    /// The transitions of the start.
    start: Box<[(SymbolClass, u32)]>,
    rows: Arc<Rows>,
    /// Number of transitions.
    transitions: usize,
}

/// Rows that are made when they are read.
struct Rows {
    made: OnceLock<Transitions>,
    make: Box<dyn Fn() -> Transitions + Send + Sync>,
}

impl Rows {
    /// Nothing is made while the cell is locked, as a process may be forked meanwhile.
    fn get(&self) -> &Transitions {
        self.made.get().unwrap_or_else(|| {
            let made = (self.make)();
            self.made.get_or_init(|| made)
        })
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made.fmt(f)
    }
}

impl TerminalAutomaton {
    /// The automaton with these states: whether they accept, and their transitions.
    pub(super) fn new(accepting: Vec<bool>, rows: Transitions) -> Self {
        let (start, transitions) = (rows.row(0).into(), rows.items().len());
        let rows = Rows { made: rows.into(), make: Box::new(Transitions::default) };
        Self { accepting, start, rows: Arc::new(rows), transitions }
    }

    /// The automaton whose rows have so many transitions, and are made later, but for the `start`.
    pub(super) fn of_rows(
        accepting: Vec<bool>,
        start: Box<[(SymbolClass, u32)]>,
        transitions: usize,
        make: impl Fn() -> Transitions + Send + Sync + 'static,
    ) -> Self {
        let rows = Rows { made: OnceLock::new(), make: Box::new(make) };
        Self { accepting, start, rows: Arc::new(rows), transitions }
    }

    /// The automaton with these states: whether they accept, and their transitions, sorted by class. Several may have one class.
    pub(super) fn of_states(states: Vec<(bool, Vec<(SymbolClass, u32)>)>) -> Self {
        let (accepting, transitions): (_, Vec<_>) = states.into_iter().unzip();
        Self::new(accepting, transitions.into_iter().collect())
    }

    /// Whether a lexeme may end in `state`.
    #[must_use]
    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The transitions of `state`.
    #[must_use]
    pub fn transitions(&self, state: u32) -> &[(SymbolClass, u32)] {
        if state == 0 { &self.start } else { self.rows.get().row(state as usize) }
    }

    /// Number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The automaton that also reads the symbols of `limits`, which come after all others. They lead back to where they are read; in an accepting
    /// state, and where the limit `closes` the lexeme, those of the `own` limit and of greater ones lead to a state in which it is over. A lexeme does
    /// not begin with one.
    pub(super) fn with_limits(
        self,
        limits: &[SymbolClass],
        own: Option<SymbolClass>,
        closes: impl Fn(u32) -> bool,
    ) -> Self {
        if limits.is_empty() {
            return self;
        }
        let over = self.states() as u32;
        let is_entered = self.rows.get().items().iter().any(|&(_, to)| to == 0);
        let row = |state: u32| {
            let ends =
                |limit| own.is_some_and(|own| own <= limit) && (self.is_accepting(state) || closes(state));
            let limits = if state > 0 || is_entered { limits } else { &[] };
            let limits = limits.iter().map(|&limit| (limit, if ends(limit) { over } else { state }));
            self.transitions(state).iter().copied().chain(limits).collect::<Vec<_>>()
        };
        let last = own.map(|_| limits.iter().map(|&limit| (limit, over)).collect());
        let transitions = (0..over).map(row).chain(last).collect();
        let accepting = self.accepting.iter().copied().chain(own.map(|_| true)).collect();
        Self::new(accepting, transitions)
    }

    /// Whether every state leads to an accepting one by symbols below `first`.
    pub(crate) fn ends_everywhere(&self, first: SymbolClass) -> bool {
        let mut before = vec![Vec::new(); self.states()];
        for state in 0..self.states() as u32 {
            let below = self.transitions(state).iter().filter(|(symbol, _)| *symbol < first);
            below.for_each(|&(_, to)| before[to as usize].push(state));
        }
        let mut ends = self.accepting.clone();
        let mut open: Vec<u32> =
            (0..self.states() as u32).filter(|&state| self.is_accepting(state)).collect();
        while let Some(state) = open.pop() {
            for &state in &before[state as usize] {
                if !std::mem::replace(&mut ends[state as usize], true) {
                    open.push(state);
                }
            }
        }
        ends.into_iter().all(|ends| ends)
    }

    /// Number of transitions.
    pub(crate) fn transition_count(&self) -> usize {
        self.transitions
    }
}
