//! Nondeterministic automata over bytes, with ε-transitions that may carry an assertion.
//!
//! [`thompson`](crate::nfa::thompson) and the suffix automaton produce an [`Nfa`]; the subset construction consumes it.

use crate::regex::Look;
use rustc_hash::FxHashSet;

/// A nondeterministic automaton. State 0 is the start, `accept` the only accepting state.
#[derive(Default)]
pub(crate) struct Nfa {
    /// The number of states.
    pub(crate) states: u32,
    pub(crate) accept: u32,
    pub(crate) edges: Vec<Edge>,
    pub(crate) epsilons: Vec<Epsilon>,
    pub(crate) guards: Vec<Guard>,
    /// The look-around of the guards.
    pub(crate) arounds: Vec<Around>,
    pub(crate) chains: Vec<Chain>,
    /// The states in which a lazy repetition goes on or is left.
    pub(crate) lazy: Vec<u32>,
    /// Under an order of preference: the first of the states that are left out where a preferred one accepts.
    pub(crate) first_cut: u32,
}

impl Nfa {
    /// The automaton in which a match leaves out only what it is preferred to and what a lazy repetition stands before. So each state is there once
    /// before such a repetition, and once behind one.
    pub(crate) fn cut_behind_lazy(self) -> Self {
        let Self { states, accept, lazy, .. } = self;
        let lazy: FxHashSet<u32> = lazy.into_iter().collect();
        let behind = |state: u32| states + state;
        let edges = self.edges.into_iter().flat_map(|edge| {
            let Edge { from, to, .. } = edge;
            [edge, Edge { from: behind(from), to: behind(to), ..edge }]
        });
        let epsilons = self.epsilons.into_iter().flat_map(|epsilon| {
            let Epsilon { from, look, to } = epsilon;
            let next = if lazy.contains(&from) { behind(to) } else { to };
            [Epsilon { from, look, to: next }, Epsilon { from: behind(from), look, to: behind(to) }]
        });
        let end = Epsilon { from: behind(accept), look: None, to: accept };
        let epsilons = epsilons.chain([end]).collect();
        Self {
            states: 2 * states,
            accept,
            edges: edges.collect(),
            epsilons,
            first_cut: states,
            ..Self::default()
        }
    }
}

/// A transition on the bytes `low..=high`.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) low: u8,
    pub(crate) high: u8,
    pub(crate) to: u32,
}

/// A transition that reads nothing. With `look`, it can only be taken where that assertion holds.
#[derive(Clone, Copy)]
pub(crate) struct Epsilon {
    pub(crate) from: u32,
    pub(crate) look: Option<Look>,
    pub(crate) to: u32,
}

/// A transition that reads nothing and can only be taken where a look-around holds.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    pub(crate) from: u32,
    /// The index of the look-around.
    pub(crate) around: usize,
    pub(crate) to: u32,
}

/// An assertion about the text before or after a position.
pub(crate) struct Around {
    /// What the text before must end with, or the text after must begin with.
    pub(crate) nfa: Nfa,
    pub(crate) behind: bool,
    pub(crate) negative: bool,
}

/// Copies of one automaton in a row, made by a counted repetition. Copy `c` of its state `s` is `first + c * period + s`.
///
/// One copy of each state accepts everything that the other copies of it accept, so the subset construction keeps only
/// that copy.
pub(crate) struct Chain {
    pub(crate) first: u32,
    pub(crate) period: u32,
    pub(crate) copies: u32,
    pub(crate) dominant: Dominant,
}

/// The copy of a state that accepts everything that the other copies of the state accept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dominant {
    /// The first copy: more optional copies are left from there.
    First,
    /// The last copy: fewer mandatory copies are left from there, and then any number may follow.
    Last,
}

/// Whether alternatives have an order of preference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preference {
    /// No: the automaton accepts every string that matches.
    None,
    /// Yes: the ε-transitions of a state are in the order in which a backtracking matcher would try them, and the
    /// automaton accepts only the strings that such a matcher would return.
    FirstMatch,
    /// Yes, but a match leaves out only what a lazy repetition stands before, as in ANTLR's lexer.
    LazyMatch,
    /// Yes, as in an atomic group: a match ends only where what follows completes no match that is preferred to it. For [`endings`] only.
    ///
    /// [`endings`]: crate::determinize::endings
    FirstMatchOnly,
}

impl Preference {
    /// Whether there is an order.
    pub(crate) fn is_ordered(self) -> bool {
        self != Self::None
    }
}
