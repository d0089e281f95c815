//! Where a pre-tokenizer cuts a text, as a deterministic automaton that reads the text with its cuts.
//!
//! In: a [`Pattern`]. Out: states, each with its successor for a class of characters, with and without a cut in front of it. A text with cuts leads
//! to a state if and only if it is the beginning of a text that the pattern cuts just so: the pattern is matched again and again, as
//! backtracking does it (the first alternative that matches, greedy repetitions first).
//!
//! A state has the *threads* of the piece under way, in the order of preference (Pike's simulation), and the *rivals* of the pieces before:
//! threads that were preferred to the match that a cut chose. A rival that matches later refutes the cut. States from which no end of a text
//! can be reached are left out.

use super::pattern::{Classes, Node, Pattern};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// States of larger automata are not made.
const MOST_STATES: usize = 20_000;
/// No state.
const NONE: u32 = u32::MAX;

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct State {
    /// Nodes, the preferred first. Empty where a piece begins.
    threads: Vec<usize>,
    begins: bool,
    rivals: BTreeSet<usize>,
}

/// The automaton. State 0 is the beginning of a text.
#[derive(Debug)]
pub(super) struct Cuts {
    /// For each state, each of the two ways, and each class: the next state.
    next: Vec<u32>,
    classes: usize,
    /// Whether a text may end in a state.
    ends: Vec<bool>,
}

impl Cuts {
    pub(super) fn new(pattern: &Pattern) -> Option<Self> {
        let classes = pattern.alphabet.count;
        let first = State { threads: vec![pattern.start], begins: true, rivals: BTreeSet::new() };
        let mut numbers = FxHashMap::from_iter([(first.clone(), 0)]);
        let mut states = vec![first];
        let (mut next, mut ends) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(state) = states.get(at).cloned() {
            ends.push(state.may_end(pattern));
            for cut in [false, true] {
                for class in 0..classes {
                    let Some(target) = state.step(pattern, cut, class) else {
                        next.push(NONE);
                        continue;
                    };
                    let number = *numbers.entry(target.clone()).or_insert_with(|| {
                        states.push(target);
                        states.len() - 1
                    });
                    next.push(u32::try_from(number).ok()?);
                }
            }
            at += 1;
            if states.len() > MOST_STATES {
                return None;
            }
        }
        let mut cuts = Self { next, classes, ends };
        cuts.trim();
        Some(cuts)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The next state behind a character of a class, with a cut in front of it or without.
    pub(super) fn step(&self, state: u32, cut: bool, class: u8) -> Option<u32> {
        let row = 2 * state as usize + usize::from(cut);
        let next = self.next[row * self.classes + usize::from(class)];
        (next != NONE).then_some(next)
    }

    /// Whether some character of these classes may come.
    pub(super) fn reads_some(&self, state: u32, cut: bool, classes: Classes) -> bool {
        (0..self.classes as u8)
            .any(|class| classes >> class & 1 == 1 && self.step(state, cut, class).is_some())
    }

    /// Whether the text may end.
    pub(super) fn may_end(&self, state: u32) -> bool {
        self.ends[state as usize]
    }

    /// Takes out the ways to states from which no end is reached.
    fn trim(&mut self) {
        let width = 2 * self.classes;
        let mut alive = self.ends.clone();
        loop {
            let mut changed = false;
            for state in 0..alive.len() {
                let targets = &self.next[state * width..][..width];
                if !alive[state] && targets.iter().any(|&to| to != NONE && alive[to as usize]) {
                    (alive[state], changed) = (true, true);
                }
            }
            if !changed {
                break;
            }
        }
        self.next.iter_mut().filter(|to| **to != NONE && !alive[**to as usize]).for_each(|to| *to = NONE);
    }
}

impl State {
    /// The state behind a character, with a cut in front of it or without.
    fn step(&self, pattern: &Pattern, cut: bool, class: usize) -> Option<Self> {
        let look = pattern.space >> class & 1 == 1;
        let rivals = closure(pattern, self.rivals.iter().copied(), look);
        if rivals.contains(&MATCH) {
            return None;
        }
        let mut rivals: Vec<usize> = rivals;
        let mut threads = closure(pattern, self.threads.iter().copied(), look);
        let matches = threads.iter().position(|&node| node == MATCH);
        // What is less preferred than a match does not count any more.
        threads.truncate(matches.unwrap_or(threads.len()));
        if cut {
            if self.begins || matches.is_none() {
                return None;
            }
            rivals.append(&mut threads);
            threads = closure(pattern, [pattern.start], look);
            if threads.contains(&MATCH) {
                return None;
            }
        }
        let threads: Vec<usize> = read(pattern, &threads, class).collect();
        let rivals = read(pattern, &rivals, class).collect();
        (!threads.is_empty()).then_some(Self { threads, begins: false, rivals })
    }

    /// Whether the text may end.
    fn may_end(&self, pattern: &Pattern) -> bool {
        let matches = |nodes: Vec<usize>| nodes.contains(&MATCH);
        let is_whole = self.begins || matches(closure(pattern, self.threads.iter().copied(), true));
        is_whole && !matches(closure(pattern, self.rivals.iter().copied(), true))
    }
}

/// The node of a match is the first one.
const MATCH: usize = 0;

/// The nodes that read or match which are reached from these without reading, the preferred first. `look` says whether white space or the end of the text
/// follows.
fn closure(pattern: &Pattern, nodes: impl IntoIterator<Item = usize>, look: bool) -> Vec<usize> {
    let mut seen = vec![false; pattern.nodes.len()];
    let mut found = Vec::new();
    for node in nodes {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match &pattern.nodes[node] {
                Node::Split(targets) => open.extend(targets.iter().rev()),
                Node::Look(target) if look => open.push(*target),
                Node::Look(_) => {}
                Node::Read(..) | Node::Match => found.push(node),
            }
        }
    }
    found
}

/// Where those of the nodes go on that read this class.
fn read(pattern: &Pattern, nodes: &[usize], class: usize) -> impl Iterator<Item = usize> {
    let targets = nodes.iter().filter_map(move |&node| match pattern.nodes[node] {
        Node::Read(classes, target) if classes >> class & 1 == 1 => Some(target),
        _ => None,
    });
    let mut seen = BTreeSet::new();
    targets.filter(move |&target| seen.insert(target))
}
