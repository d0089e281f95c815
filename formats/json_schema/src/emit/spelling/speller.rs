//! The transitions of the spelling automaton over raw characters, quotes and short escapes.

use super::escapes::refuses_some;
use super::state::{CodePoints, Digits, State};
use crate::options::Strings;
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The short escapes: the letter after the backslash, and the character that it stands for.
pub(super) const SHORT: [(u8, u8); 8] =
    [(b'"', b'"'), (b'\\', b'\\'), (b'/', b'/'), (b'b', 8), (b'f', 12), (b'n', 10), (b'r', 13), (b't', 9)];

/// The construction of a spelling automaton.
pub(super) struct Speller<'a> {
    pub(super) texts: &'a Dfa,
    pub(super) close: Option<&'a Dfa>,
    pub(super) strings: Strings,
    /// Whether a spelling of some character is left out.
    pub(super) is_narrow: bool,
    /// For each state and number of continuation bytes: the text states that their values lead to.
    pub(super) continuations: FxHashMap<(u32, u32), Rc<CodePoints>>,
    /// The nodes of the tries of hexadecimal digits.
    pub(super) digits: Vec<Digits>,
    pub(super) known: FxHashMap<Digits, u32>,
}

impl<'a> Speller<'a> {
    /// A speller of the texts of an automaton. `close` accepts what follows the closing quote.
    pub(super) fn new(texts: &'a Dfa, close: Option<&'a Dfa>, strings: Strings) -> Self {
        let (continuations, known) = Default::default();
        Self { texts, close, strings, is_narrow: false, continuations, digits: Vec::new(), known }
    }

    /// Whether a state accepts, and its transitions.
    pub(super) fn step(&mut self, state: &State) -> (bool, Vec<(u8, u8, State)>) {
        match *state {
            State::Open => (false, vec![(b'"', b'"', State::Text(0))]),
            State::Text(at) => (self.close.is_none() && self.texts.is_accepting(at), self.text_edges(at)),
            State::Escape(at) => (false, self.escape_edges(at)),
            State::Digits(node) => (false, self.digit_edges(node)),
            State::Low(node) => (false, vec![(b'\\', b'\\', State::LowEscape(node))]),
            State::LowEscape(node) => (false, vec![(b'u', b'u', State::Digits(node))]),
            State::Tail(at) => self.close.map_or_else(Default::default, |tail| {
                let edges = tail.edges(at).map(|(low, high, to)| (low, high, State::Tail(to)));
                (tail.is_accepting(at), edges.collect())
            }),
        }
    }

    fn text_edges(&mut self, at: u32) -> Vec<(u8, u8, State)> {
        let mut edges = Vec::new();
        // A state inside a code point has transitions over continuation bytes only.
        let mut between = self.texts.is_accepting(at);
        for (low, high, to) in self.texts.edges(at) {
            between |= !(0x80..0xC0).contains(&low);
            for (low, high) in [(low, high.min(b'!')), (low.max(b'#'), high.min(b'[')), (low.max(b']'), high)]
            {
                let low = low.max(0x20);
                if low <= high {
                    edges.push((low, high, State::Text(to)));
                }
            }
        }
        if between {
            edges.push((b'\\', b'\\', State::Escape(at)));
        }
        if self.close.is_some() && self.texts.is_accepting(at) {
            edges.push((b'"', b'"', State::Tail(0)));
        }
        edges
    }

    fn escape_edges(&mut self, at: u32) -> Vec<(u8, u8, State)> {
        let points = self.code_points(at);
        let strings = self.strings_at(&points);
        self.is_narrow |= refuses_some(&points, strings);
        let mut edges = Vec::new();
        for (letter, code) in SHORT {
            if strings == Strings::Canonical && code == b'/' {
                continue;
            }
            if let Some(to) = self.texts.next(at, code) {
                edges.push((letter, letter, State::Text(to)));
            }
        }
        let ranges = self.escapes(&points, strings);
        if !ranges.is_empty() {
            let node = self.digits_node(Digits { left: 4, ranges });
            edges.push((b'u', b'u', State::Digits(node)));
        }
        edges
    }
}
