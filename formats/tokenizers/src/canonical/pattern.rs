//! A pre-tokenizer pattern as a nondeterministic automaton over classes of characters, whose alternatives have an order.

use regex_syntax::hir::{Class, Hir, HirKind};
use std::ops::RangeInclusive;

/// What stands in the pattern where a look-around did: a character that no pattern of a tokenizer names.
const LOOK: char = '\u{f0000}';
/// The only look-around of these patterns: what follows is white space, or the end of the text.
const NO_NON_SPACE: &str = r"(?!\S)";
/// Classes are the bits of a word.
const MOST_CLASSES: usize = 64;

/// A set of classes of characters.
pub(super) type Classes = u64;

/// A node of the automaton.
#[derive(Debug)]
pub(super) enum Node {
    /// Goes on at any of these nodes, preferably at the first.
    Split(Vec<usize>),
    /// Reads a character of one of these classes, and goes on.
    Read(Classes, usize),
    /// Goes on if white space follows, or the end of the text.
    Look(usize),
    /// A piece ends here.
    Match,
}

/// A pattern as an automaton.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) nodes: Vec<Node>,
    pub(super) start: usize,
    /// The classes of characters that are white space.
    pub(super) space: Classes,
    pub(super) alphabet: Alphabet,
}

/// The characters in classes that the pattern does not tell apart.
#[derive(Debug)]
pub(super) struct Alphabet {
    /// The first characters of ranges, ascending from 0, with the class of the range.
    ranges: Vec<(u32, u8)>,
    ascii: [u8; 128],
    pub(super) count: usize,
}

impl Alphabet {
    /// The alphabet that tells these sets of ranges apart.
    fn new(sets: &[Vec<RangeInclusive<u32>>]) -> Option<Self> {
        let bounds = sets.iter().flatten().flat_map(|range| [*range.start(), range.end() + 1]);
        let mut bounds: Vec<u32> = bounds.chain([0]).filter(|&bound| bound <= char::MAX as u32).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut kinds: Vec<Vec<bool>> = Vec::new();
        let mut ranges: Vec<(u32, u8)> = Vec::new();
        for bound in bounds {
            let kind: Vec<bool> =
                sets.iter().map(|set| set.iter().any(|range| range.contains(&bound))).collect();
            let class = kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            ranges.push((bound, u8::try_from(class).ok()?));
        }
        if kinds.len() > MOST_CLASSES {
            return None;
        }
        let mut alphabet = Self { ranges, ascii: [0; 128], count: kinds.len() };
        alphabet.ascii = std::array::from_fn(|code| alphabet.find(code as u32));
        Some(alphabet)
    }

    fn find(&self, code: u32) -> u8 {
        let behind = self.ranges.partition_point(|&(first, _)| first <= code);
        self.ranges[behind - 1].1
    }

    /// The class of a character.
    pub(super) fn class(&self, code: u32) -> u8 {
        self.ascii.get(code as usize).copied().unwrap_or_else(|| self.find(code))
    }

    /// The classes of characters in a range.
    pub(super) fn classes(&self, codes: RangeInclusive<u32>) -> Classes {
        let first = self.ranges.partition_point(|&(first, _)| first <= *codes.start()) - 1;
        let within = self.ranges[first..].iter().take_while(|(first, _)| first <= codes.end());
        within.fold(0, |classes, &(_, class)| classes | 1 << class)
    }
}

impl Pattern {
    /// Reads a pattern; none if it has parts that are not understood.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let replaced = pattern.replace(NO_NON_SPACE, &LOOK.to_string());
        let hir = regex_syntax::parse(&replaced).ok()?;
        let space = regex_syntax::parse(r"\s").ok()?;
        let mut sets = Vec::new();
        collect(&space, &mut sets);
        collect(&hir, &mut sets);
        let alphabet = Alphabet::new(&sets)?;
        let classes = |hir: &Hir| -> Classes {
            let mut sets = Vec::new();
            collect(hir, &mut sets);
            sets.into_iter().flatten().fold(0, |classes, range| classes | alphabet.classes(range))
        };
        let space = classes(&space);
        let mut builder = Builder { nodes: vec![Node::Match], alphabet: &alphabet };
        let start = builder.add(&hir, 0)?;
        let nodes = builder.nodes;
        Some(Self { nodes, start, space, alphabet })
    }
}

/// The sets of characters in an expression.
fn collect(hir: &Hir, sets: &mut Vec<Vec<RangeInclusive<u32>>>) {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let text = str::from_utf8(&literal.0).unwrap_or_default();
            sets.extend(text.chars().filter(|&c| c != LOOK).map(|c| vec![c as u32..=c as u32]));
        }
        HirKind::Class(class) => sets.push(ranges(class)),
        HirKind::Repetition(repetition) => collect(&repetition.sub, sets),
        HirKind::Capture(capture) => collect(&capture.sub, sets),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().for_each(|part| collect(part, sets));
        }
        HirKind::Empty | HirKind::Look(_) => {}
    }
}

fn ranges(class: &Class) -> Vec<RangeInclusive<u32>> {
    match class {
        Class::Unicode(class) => {
            class.iter().map(|range| range.start() as u32..=range.end() as u32).collect()
        }
        Class::Bytes(class) => class.iter().map(|range| range.start().into()..=range.end().into()).collect(),
    }
}

struct Builder<'a> {
    nodes: Vec<Node>,
    alphabet: &'a Alphabet,
}

impl Builder<'_> {
    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn read(&mut self, ranges: Vec<RangeInclusive<u32>>, next: usize) -> usize {
        let classes = ranges.into_iter().fold(0, |classes, range| classes | self.alphabet.classes(range));
        self.push(Node::Read(classes, next))
    }

    /// The node where an expression begins that goes on at `next`.
    fn add(&mut self, hir: &Hir, next: usize) -> Option<usize> {
        match hir.kind() {
            HirKind::Empty => Some(next),
            HirKind::Look(_) => None,
            HirKind::Literal(literal) => {
                let text = str::from_utf8(&literal.0).ok()?;
                Some(text.chars().rev().fold(next, |next, c| match c {
                    LOOK => self.push(Node::Look(next)),
                    c => self.read(vec![c as u32..=c as u32], next),
                }))
            }
            HirKind::Class(class) => Some(self.read(ranges(class), next)),
            HirKind::Capture(capture) => self.add(&capture.sub, next),
            HirKind::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.add(part, next)),
            HirKind::Alternation(parts) => {
                let parts: Option<Vec<usize>> = parts.iter().map(|part| self.add(part, next)).collect();
                Some(self.push(Node::Split(parts?)))
            }
            HirKind::Repetition(repetition) => {
                let (sub, greedy) = (&repetition.sub, repetition.greedy);
                let order = |inside: usize, behind: usize| {
                    Node::Split(if greedy { vec![inside, behind] } else { vec![behind, inside] })
                };
                let mut at = next;
                match repetition.max {
                    None => {
                        let again = self.push(Node::Split(Vec::new()));
                        let inside = self.add(sub, again)?;
                        self.nodes[again] = order(inside, next);
                        at = again;
                    }
                    Some(max) => {
                        for _ in repetition.min..max {
                            let inside = self.add(sub, at)?;
                            at = self.push(order(inside, next));
                        }
                    }
                }
                (0..repetition.min).try_fold(at, |at, _| self.add(sub, at))
            }
        }
    }
}
