//! The automaton of a terminal without the marks of special tokens.
//!
//! In: an automaton in which some paths may be [marks](gcc_grammar_ir::special). Out: its transitions on bytes, and its transitions on tokens.
//! States that are nowhere but within marks are left out, and the others are numbered anew.

use gcc_grammar_ir::special::{MARK, followed_at, is_limit_at, marks_at};
use gcc_grammar_regular::{ByteSet, Dfa};
use rustc_hash::FxHashMap;

/// An automaton over bytes and tokens.
pub(crate) struct Unmarked<'d> {
    dfa: &'d Dfa,
    /// The states outside of marks.
    states: Vec<u32>,
    /// Per state of the automaton with marks, its number here.
    numbers: Vec<Option<u32>>,
    /// The transitions on tokens: from a state, by a token, to a state.
    pub(crate) tokens: Vec<(u32, u32, u32)>,
}

impl<'d> Unmarked<'d> {
    /// Finds the states that bytes and tokens lead to.
    pub(crate) fn new(dfa: &'d Dfa) -> Self {
        let mut out =
            Self { dfa, states: Vec::new(), numbers: vec![None; dfa.state_count()], tokens: Vec::new() };
        out.number(0);
        let mut next = 0;
        while let Some(&state) = out.states.get(next) {
            bytes_of(dfa, state).for_each(|(_, _, to)| {
                out.number(to);
            });
            for (token, to) in marks_at(dfa, state) {
                let to = out.number(to);
                out.tokens.push((next as u32, token, to));
            }
            next += 1;
        }
        out
    }

    fn number(&mut self, state: u32) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers[state as usize].get_or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    pub(crate) fn state_count(&self) -> u32 {
        self.states.len() as u32
    }

    pub(crate) fn is_accepting(&self, state: u32) -> bool {
        self.dfa.is_accepting(self.states[state as usize])
    }

    /// Whether a limit on tokens ends the lexeme in a state that does not accept.
    pub(crate) fn is_limit_at(&self, state: u32) -> bool {
        is_limit_at(self.dfa, self.states[state as usize])
    }

    /// The number of what must follow a text that ends in a state.
    pub(crate) fn followed_at(&self, state: u32) -> Option<usize> {
        followed_at(self.dfa, self.states[state as usize])
    }

    /// The transitions of a state on ranges of bytes.
    pub(crate) fn bytes(&self, state: u32) -> impl Iterator<Item = (u8, u8, u32)> + '_ {
        let edges = bytes_of(self.dfa, self.states[state as usize]);
        edges.filter_map(|(low, high, to)| Some((low, high, self.numbers[to as usize]?)))
    }

    /// Per byte, the state that it leads to.
    pub(crate) fn targets(&self, state: u32) -> [Option<u32>; 256] {
        let mut targets = [None; 256];
        let bytes = self.bytes(state);
        bytes.for_each(|(low, high, to)| targets[usize::from(low)..=usize::from(high)].fill(Some(to)));
        targets
    }

    /// The classes of bytes that some state tells apart.
    pub(crate) fn byte_classes(&self) -> [u8; 256] {
        let mut classes = [0; 256];
        let mut seen = FxHashMap::default();
        for state in 0..self.state_count() {
            seen.clear();
            for (class, target) in classes.iter_mut().zip(self.targets(state)) {
                let fresh = seen.len() as u8;
                *class = *seen.entry((*class, target)).or_insert(fresh);
            }
        }
        classes
    }
}

/// The transitions of a state on ranges of bytes, without the transitions that begin a mark.
fn bytes_of(dfa: &Dfa, state: u32) -> impl Iterator<Item = (u8, u8, u32)> + '_ {
    let edges = dfa.edges(state).filter(|&(low, _, _)| low != MARK);
    edges.map(|(low, high, to)| (low, high.min(MARK - 1), to))
}

/// The classes of bytes of an automaton, in which marks are tokens if it `is_marked`.
pub(crate) fn byte_classes(dfa: &Dfa, is_marked: bool) -> [u8; 256] {
    if is_marked { Unmarked::new(dfa).byte_classes() } else { *dfa.byte_classes() }
}

/// The bytes on the transitions of an automaton, without those of marks if it `is_marked`.
pub(crate) fn used_bytes(dfa: &Dfa, is_marked: bool) -> ByteSet {
    let ranges = |(low, high, _)| low..=high;
    if is_marked {
        let unmarked = Unmarked::new(dfa);
        return (0..unmarked.state_count())
            .flat_map(|state| unmarked.bytes(state))
            .flat_map(ranges)
            .collect();
    }
    (0..dfa.state_count() as u32).flat_map(|state| dfa.edges(state)).flat_map(ranges).collect()
}
