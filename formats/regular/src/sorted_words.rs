//! Builds the minimal automaton of a finite set of words directly, without a nondeterministic automaton.
//!
//! Two inputs take this path: sets of literals, and sets of code points, whose UTF-8 encodings are words of byte ranges.
//!
//! Source: Daciuk, Mihov, Watson, Watson, "Incremental construction of minimal acyclic finite-state automata" (2000),
//! algorithm 1. Words come in lexicographic order. Only the states on the path of the last word can still change; when
//! a new word leaves such a state behind, the state is final, and is replaced by an equal one if there is one. Time and
//! memory are linear, so a hundred thousand literals are no problem.
//!
//! A word is a sequence of byte ranges. Two ranges at the same place after the same prefix are equal or disjoint:
//! single bytes trivially are, and the UTF-8 sequences of a sorted set of code points are because a range wider
//! than one byte is always followed by everything that may follow it.

use crate::dfa::Dfa;
use crate::edge_list::{Edge, EdgeList};
use crate::limits::{Meter, RegularLimits};
use crate::range_starts::RangeStarts;
use crate::sets::CharSet;
use gcc_grammar_limits::OverBudget;
use hashbrown::HashTable;
use regex_syntax::utf8::{Utf8Range, Utf8Sequences};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Estimated bytes of a finished state besides its edges: its place, in lists and in a hash table.
const BYTES_PER_STATE: usize = 24;

/// The work to finish a state: it is hashed, copied and registered.
const FINISH_WORK: usize = 12;

fn hash(accepting: bool, edges: &[Edge]) -> u64 {
    let mut hasher = FxHasher::default();
    (accepting, edges).hash(&mut hasher);
    hasher.finish()
}

/// A state on the path of the last word; `pending` is the range that leads to the next state on the path.
#[derive(Default)]
struct Open {
    accepting: bool,
    edges: Vec<Edge>,
    pending: Option<(u8, u8)>,
}

struct Builder {
    /// The finished states: they can no longer change.
    finished: EdgeList,
    /// The number of every finished state: no two are equal.
    register: HashTable<u32>,
    /// The open states from the root on.
    path: Vec<Open>,
    /// The greatest number of open states so far.
    longest: usize,
    meter: Meter,
}

impl Builder {
    fn new(limits: &RegularLimits) -> Self {
        Self {
            finished: EdgeList::default(),
            register: HashTable::new(),
            path: vec![Open::default()],
            longest: 1,
            meter: Meter::new(limits),
        }
    }

    /// Adds a word, which must be greater than all words before it.
    fn add(&mut self, word: impl ExactSizeIterator<Item = (u8, u8)> + Clone) -> Result<(), OverBudget> {
        self.meter.work(word.len() + 1)?;
        let common =
            word.clone().zip(&self.path).take_while(|(range, open)| open.pending == Some(*range)).count();
        self.close_below(common)?;
        let longest = word.len() + 1;
        if longest > self.longest {
            self.meter.bytes((longest - self.longest) * 2 * size_of::<Open>())?;
            self.longest = longest;
        }
        for range in word.skip(common) {
            if let Some(last) = self.path.last_mut() {
                last.pending = Some(range);
            }
            self.path.push(Open::default());
        }
        if let Some(last) = self.path.last_mut() {
            last.accepting = true;
        }
        Ok(())
    }

    /// Finishes the open states deeper than `depth`.
    fn close_below(&mut self, depth: usize) -> Result<(), OverBudget> {
        while self.path.len() > depth + 1 {
            let Some(open) = self.path.pop() else { break };
            let state = self.finish(&open)?;
            if let Some(parent) = self.path.last_mut()
                && let Some((low, high)) = parent.pending.take()
            {
                push_edge(&mut parent.edges, (low, high, state));
            }
        }
        Ok(())
    }

    /// The number of the finished state equal to `open`.
    fn finish(&mut self, open: &Open) -> Result<u32, OverBudget> {
        let hash_of_open = hash(open.accepting, &open.edges);
        let finished = &mut self.finished;
        let is_open = |&state: &u32| {
            finished.is_accepting(state) == open.accepting && finished.edges(state) == open.edges
        };
        if let Some(&known) = self.register.find(hash_of_open, is_open) {
            return Ok(known);
        }
        self.meter.work(open.edges.len() + FINISH_WORK)?;
        // Lists that grow have up to twice the room.
        self.meter.bytes(BYTES_PER_STATE + 2 * open.edges.len() * size_of::<Edge>())?;
        let number = finished.state_count();
        self.meter.states(number + 1)?;
        open.edges.iter().for_each(|&edge| finished.edge(edge));
        finished.end_state(open.accepting);
        let hash_of = |&state: &u32| hash(finished.is_accepting(state), finished.edges(state));
        self.register.insert_unique(hash_of_open, number as u32, hash_of);
        Ok(number as u32)
    }

    /// Finishes all states.
    fn build(mut self) -> Result<Dfa, OverBudget> {
        self.close_below(0)?;
        let root = self.path.pop().unwrap_or_default();
        if !root.accepting && root.edges.is_empty() {
            return Ok(Dfa::never());
        }
        let root = self.finish(&root)?;
        drop(self.register);
        self.finished.canonical(root, &mut self.meter)
    }
}

/// Appends an edge. An edge adjacent to the last one with the same target extends it, so equal states have equal edges.
fn push_edge(edges: &mut Vec<Edge>, edge: Edge) {
    match edges.last_mut() {
        Some(last) if last.2 == edge.2 && last.1.checked_add(1) == Some(edge.0) => last.1 = edge.1,
        _ => edges.push(edge),
    }
}

/// The automaton of a finite set of byte strings. Sorts `literals` and removes duplicates.
pub(crate) fn literals_dfa(literals: &mut Vec<&[u8]>, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    literals.sort_unstable();
    literals.dedup();
    if let [one] = literals[..] {
        return literal_dfa(one, limits);
    }
    let mut builder = Builder::new(limits);
    for literal in literals {
        builder.add(literal.iter().map(|&byte| (byte, byte)))?;
    }
    builder.build()
}

/// The automaton of a single byte string, which costs what it would with others.
fn literal_dfa(literal: &[u8], limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let mut meter = Meter::new(limits);
    let (edges, states) = (literal.len(), literal.len() + 1);
    let classes = RangeStarts::of(literal.iter().map(|&byte| (byte, byte))).classes().1;
    meter.states(states)?;
    meter.work(states + edges + states * FINISH_WORK + states * classes / 2)?;
    meter.bytes(edges * 2 * (size_of::<Open>() + size_of::<Edge>()) + states * BYTES_PER_STATE)?;
    let dfa = Dfa::literal(literal);
    meter.bytes(dfa.cells() * size_of::<u32>())?;
    Ok(dfa)
}

/// The automaton of the UTF-8 encodings of a set of code points.
pub(crate) fn chars_dfa(chars: &CharSet, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let mut builder = Builder::new(limits);
    for (low, high) in CharSet::new(chars.0.iter().copied()).0 {
        let (Some(low), Some(high)) = (char::from_u32(low), char::from_u32(high)) else { continue };
        for sequence in Utf8Sequences::new(low, high) {
            builder.add(sequence.as_slice().iter().map(|&Utf8Range { start, end }| (start, end)))?;
        }
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_literal_is_like_one_of_many() {
        let limits = RegularLimits::default();
        for text in ["", "a", "aa", "name", "été", "a\0b\u{10FFFF}"] {
            let mut builder = Builder::new(&limits);
            builder.add(text.bytes().map(|byte| (byte, byte))).expect("small");
            let long = builder.build().expect("small");
            assert_eq!(literals_dfa(&mut vec![text.as_bytes()], &limits).expect("small"), long, "{text:?}");
        }
    }

    #[test]
    fn utf8_of_every_scalar_is_small_and_right() {
        let dfa = chars_dfa(&CharSet::all(), &RegularLimits::default()).expect("small");
        assert_eq!(dfa.state_count(), 9);
        assert!(dfa.accepts("é".as_bytes()) && dfa.accepts("😀".as_bytes()) && dfa.accepts(b"a"));
        assert!(!dfa.accepts(b"\xED\xA0\x80"), "a surrogate");
        assert!(!dfa.accepts(b"\xC0\x80") && !dfa.accepts(b"\xF4\x90\x80\x80") && !dfa.accepts(b""));
    }

    #[test]
    fn literals_share_prefixes_and_suffixes() {
        let mut words: Vec<&[u8]> = vec![b"taps", b"tops", b"tap", b"top", b"tap"];
        let dfa = literals_dfa(&mut words, &RegularLimits::default()).expect("small");
        assert_eq!(dfa.state_count(), 5);
        assert!(dfa.accepts(b"tap") && dfa.accepts(b"tops") && !dfa.accepts(b"ta") && !dfa.accepts(b"tapss"));
    }
}
