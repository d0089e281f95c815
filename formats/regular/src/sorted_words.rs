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

use crate::dfa::{Dfa, NONE};
use crate::limits::{Meter, RegularLimits};
use crate::range_starts::RangeStarts;
use crate::raw::RawDfa;
use crate::sets::CharSet;
use gcc_grammar_limits::OverBudget;
use regex_syntax::utf8::{Utf8Range, Utf8Sequences};
use rustc_hash::FxHashMap;

/// A byte range `low..=high` and the finished state it leads to.
type Edge = (u8, u8, u32);

/// A finished state: it can no longer change.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    accepting: bool,
    edges: Vec<Edge>,
}

/// Estimated bytes of a finished state besides its edges: in a list, in a hash table, and in the table.
const BYTES_PER_NODE: usize = 3 * size_of::<Node>() + 48;

/// The work to finish a state: it is hashed, copied and registered.
const FINISH_WORK: usize = 12;

/// A state on the path of the last word; `pending` is the range that leads to the next state on the path.
#[derive(Default)]
struct Open {
    accepting: bool,
    edges: Vec<Edge>,
    pending: Option<(u8, u8)>,
}

struct Builder {
    /// The number of every finished state.
    register: FxHashMap<Node, u32>,
    /// The finished states by number.
    nodes: Vec<Node>,
    /// The open states from the root on.
    path: Vec<Open>,
    /// The greatest number of open states so far.
    longest: usize,
    meter: Meter,
}

impl Builder {
    fn new(limits: &RegularLimits) -> Self {
        let path = vec![Open::default()];
        Self {
            register: FxHashMap::default(),
            nodes: Vec::new(),
            path,
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
            let state = self.finish(open)?;
            if let Some(parent) = self.path.last_mut()
                && let Some((low, high)) = parent.pending.take()
            {
                push_edge(&mut parent.edges, (low, high, state));
            }
        }
        Ok(())
    }

    /// The number of the finished state equal to `open`.
    fn finish(&mut self, open: Open) -> Result<u32, OverBudget> {
        let node = Node { accepting: open.accepting, edges: open.edges };
        if let Some(&known) = self.register.get(&node) {
            return Ok(known);
        }
        let edges = node.edges.len() + node.edges.capacity();
        self.meter.work(node.edges.len() + FINISH_WORK)?;
        self.meter.bytes(BYTES_PER_NODE + edges * size_of::<Edge>())?;
        let number = self.nodes.len() as u32;
        self.meter.states(self.nodes.len() + 1)?;
        self.nodes.push(node.clone());
        self.register.insert(node, number);
        Ok(number)
    }

    /// Finishes all states.
    fn build(mut self) -> Result<Dfa, OverBudget> {
        self.close_below(0)?;
        let root = self.path.pop().unwrap_or_default();
        if !root.accepting && root.edges.is_empty() {
            return Ok(Dfa::never());
        }
        let root = self.finish(root)?;
        Ok(to_raw_dfa(&self.nodes, &mut self.meter)?.canonical(root))
    }
}

/// Appends an edge. An edge adjacent to the last one with the same target extends it, so equal states have equal edges.
fn push_edge(edges: &mut Vec<Edge>, edge: Edge) {
    match edges.last_mut() {
        Some(last) if last.2 == edge.2 && last.1.checked_add(1) == Some(edge.0) => last.1 = edge.1,
        _ => edges.push(edge),
    }
}

/// Lays the finished states out as a table.
fn to_raw_dfa(nodes: &[Node], meter: &mut Meter) -> Result<RawDfa, OverBudget> {
    let ranges = nodes.iter().flat_map(|node| &node.edges).map(|&(low, high, _)| (low, high));
    let (classes, class_count) = RangeStarts::of(ranges).classes();
    meter.bytes(nodes.len() * class_count * size_of::<u32>())?;
    meter.work(nodes.len() * class_count)?;
    let mut table = vec![NONE; nodes.len() * class_count];
    for (state, node) in nodes.iter().enumerate() {
        for &(low, high, to) in &node.edges {
            let first = usize::from(classes[usize::from(low)]);
            let last = usize::from(classes[usize::from(high)]);
            table[state * class_count + first..=state * class_count + last].fill(to + 1);
        }
    }
    let accepting = nodes.iter().map(|node| node.accepting).collect();
    Ok(RawDfa { classes, class_count, table, accepting })
}

/// The automaton of a finite set of byte strings. Sorts `literals` and removes duplicates.
pub(crate) fn literals_dfa(literals: &mut Vec<&[u8]>, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    literals.sort_unstable();
    literals.dedup();
    let mut builder = Builder::new(limits);
    for literal in literals {
        builder.add(literal.iter().map(|&byte| (byte, byte)))?;
    }
    builder.build()
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
