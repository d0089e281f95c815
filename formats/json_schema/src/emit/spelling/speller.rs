//! The spelling automaton, state by state: raw characters, quotes, and what follows a backslash.
//!
//! The states are minimal because those of the text automaton are. Two text states differ in the texts that they read, so in the raw
//! characters or in the escapes that spell them. Escapes and digits are numbered by their content, which names text states or other
//! digits. The kinds of states differ in what they read next: raw characters and quotes, short escapes, digits, or what follows the
//! closing quote. There is one exception, [`Speller::may_coincide`], and there equivalent states are looked for.

use super::escaped::Escaped;
use super::state::{CodePoints, Digits, Edges, Escape, SpellingState};
use super::text_classes::TextClasses;
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, MinimalBuilder, RegularLimits};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The short escapes: the letter after the backslash, and the character that it stands for.
const SHORT: [(u8, u8); 8] =
    [(b'"', b'"'), (b'\\', b'\\'), (b'/', b'/'), (b'b', 8), (b'f', 12), (b'n', 10), (b'r', 13), (b't', 9)];

/// The short escapes of strings in Python, among those of JSON.
const SHORT_IN_PYTHON: [(u8, u8); 8] =
    [(b'\'', b'\''), (b'"', b'"'), (b'\\', b'\\'), (b'b', 8), (b'f', 12), (b'n', 10), (b'r', 13), (b't', 9)];

/// The number of a state that has none yet.
const NONE: u32 = u32::MAX;

/// The construction of a spelling automaton.
pub(super) struct Speller<'a> {
    pub(super) texts: &'a Dfa,
    classes: TextClasses,
    close: Option<&'a Dfa>,
    pub(super) strings: Strings,
    quote: u8,
    short: &'static [(u8, u8)],
    /// Whether a spelling of some character is left out.
    pub(super) is_narrow: bool,
    /// For each state and number of continuation bytes: the text states that their values lead to.
    pub(super) continuations: FxHashMap<(u32, u32), Rc<CodePoints>>,
    escapes: Vec<Escape>,
    known_escapes: FxHashMap<Escape, u32>,
    /// In print: the escapes of states by their outlines, and room for one.
    known_outlines: FxHashMap<Vec<Option<u32>>, Option<u32>>,
    outline: Vec<Option<u32>>,
    /// The nodes of the tries of hexadecimal digits.
    pub(super) digits: Vec<Digits>,
    pub(super) known_digits: FxHashMap<Digits, u32>,
    /// The states in the order of their numbers.
    states: Vec<SpellingState>,
    /// The numbers of the states, by their kind and place.
    numbers: [Vec<u32>; SpellingState::KINDS],
}

impl<'a> Speller<'a> {
    /// A speller of the texts of an automaton. `close` accepts what follows the closing quote.
    pub(super) fn new(texts: &'a Dfa, close: Option<&'a Dfa>, strings: Strings) -> Self {
        Self::quoted(texts, close, strings, (b'"', &SHORT))
    }

    /// A speller of strings of Python between these quotes. Of numeric escapes there are those of control characters.
    pub(super) fn python(texts: &'a Dfa, close: &'a Dfa, quote: u8) -> Self {
        Self::quoted(texts, Some(close), Strings::Canonical, (quote, &SHORT_IN_PYTHON))
    }

    fn quoted(
        texts: &'a Dfa,
        close: Option<&'a Dfa>,
        strings: Strings,
        (quote, short): (u8, &'static [(u8, u8)]),
    ) -> Self {
        Self {
            texts,
            classes: TextClasses::new(texts, quote),
            close,
            strings,
            quote,
            short,
            is_narrow: false,
            continuations: FxHashMap::default(),
            escapes: Vec::new(),
            known_escapes: FxHashMap::default(),
            known_outlines: FxHashMap::default(),
            outline: Vec::new(),
            digits: Vec::new(),
            known_digits: FxHashMap::default(),
            states: Vec::new(),
            numbers: Default::default(),
        }
    }

    /// The automaton from a start state.
    pub(super) fn automaton(
        &mut self,
        start: SpellingState,
        limits: &RegularLimits,
    ) -> Result<Dfa, OverBudget> {
        if self.texts.is_empty() || self.close.is_some_and(Dfa::is_empty) {
            return Ok(Dfa::never());
        }
        let mut builder = MinimalBuilder::new(limits);
        self.number(start);
        let (mut next, mut edges) = (0, Vec::new());
        while let Some(&state) = self.states.get(next) {
            let accepting = self.describe(state, &mut edges);
            // States that are found in the order of bytes need no other numbers in the end.
            edges.sort_unstable_by_key(|&(low, ..)| low);
            edges.drain(..).for_each(|(low, high, to)| builder.edge(low, high, self.number(to)));
            builder.end_state(accepting)?;
            next += 1;
        }
        if self.short == SHORT_IN_PYTHON || self.may_coincide() {
            builder.minimize()
        } else {
            builder.build()
        }
    }

    /// Whether characters may be read like the rest of an escape. Where printable characters have no escapes, the two digits of `%e9` in an IRI
    /// are followed by what follows the last two digits of `\u00e9`, and in canonical spelling the `n` of a text may be that of `\n`.
    fn may_coincide(&self) -> bool {
        let texts = self.texts;
        let reads_only = |at: u32, set: &[u8]| {
            texts.edges(at).all(|(low, high, _)| (low..=high).all(|byte| set.contains(&byte)))
        };
        let is_canonical = self.strings == Strings::Canonical;
        let ignores_case = |at| (b'a'..=b'f').all(|low| texts.next(at, low) == texts.next(at, low - 32));
        let as_digit = |at| {
            !self.digits.is_empty()
                && reads_only(at, b"0123456789abcdefABCDEF")
                && (is_canonical || ignores_case(at))
        };
        let as_letter = |at| is_canonical && !self.escapes.is_empty() && reads_only(at, b"bfnrt");
        let mut inner = (0..texts.state_count() as u32).filter(|&at| !texts.is_accepting(at));
        self.strings != Strings::All && inner.any(|at| as_digit(at) || as_letter(at))
    }

    /// The number of a state, which gets one if it has none.
    fn number(&mut self, state: SpellingState) -> u32 {
        let (kind, index) = state.place();
        let numbers = &mut self.numbers[kind];
        if numbers.len() <= index {
            numbers.resize(index + 1, NONE);
        }
        if numbers[index] == NONE {
            numbers[index] = self.states.len() as u32;
            self.states.push(state);
        }
        numbers[index]
    }

    /// Adds the transitions of a state. Whether it accepts.
    fn describe(&mut self, state: SpellingState, edges: &mut Edges) -> bool {
        match state {
            SpellingState::Open => edges.push((self.quote, self.quote, SpellingState::Text(0))),
            SpellingState::Text(at) => {
                self.text_edges(at, edges);
                return self.close.is_none() && self.texts.is_accepting(at);
            }
            SpellingState::Escape(index) => self.escape_edges(index, edges),
            SpellingState::Digits(node) => self.digit_edges(node, edges),
            SpellingState::Low(node) => edges.push((b'\\', b'\\', SpellingState::LowEscape(node))),
            SpellingState::LowEscape(node) => edges.push((b'u', b'u', SpellingState::Digits(node))),
            SpellingState::Tail(at) => {
                let Some(tail) = self.close else { return false };
                tail.edges(at).for_each(|(low, high, to)| edges.push((low, high, SpellingState::Tail(to))));
                return tail.is_accepting(at);
            }
        }
        false
    }

    fn text_edges(&mut self, at: u32, edges: &mut Edges) {
        let texts = self.texts;
        let add = |low, high, to| edges.push((low, high, SpellingState::Text(to)));
        self.classes.raw_edges(texts, at, add);
        if self.classes.is_between(texts, at)
            && let Some(escape) = self.escape(at)
        {
            edges.push((b'\\', b'\\', SpellingState::Escape(escape)));
        }
        if self.close.is_some() && texts.is_accepting(at) {
            edges.push((self.quote, self.quote, SpellingState::Tail(0)));
        }
    }

    /// What may follow a backslash in a state between code points; none if nothing may. In print, states are alike that lead to the same ones but for printable
    /// characters.
    fn escape(&mut self, at: u32) -> Option<u32> {
        if self.strings != Strings::Printed {
            return self.new_escape(at);
        }
        self.classes.outline(self.texts, at, &mut self.outline);
        if let Some(&known) = self.known_outlines.get(&self.outline) {
            return known;
        }
        let escape = self.new_escape(at);
        self.known_outlines.insert(self.outline.clone(), escape);
        escape
    }

    fn new_escape(&mut self, at: u32) -> Option<u32> {
        let points = self.code_points(at);
        let escaped = Escaped::of(&points, self.strings);
        self.is_narrow |= escaped.refuses_some(&points);
        let is_short = |&(_, code): &(u8, u8)| self.strings != Strings::Canonical || code != b'/';
        let short = self.short.iter().copied().filter(is_short);
        let short = short.filter_map(|(letter, code)| Some((letter, self.texts.next(at, code)?))).collect();
        let ranges = self.escaped_ranges(&points, escaped);
        let digits = (!ranges.is_empty()).then(|| self.digits_node(Digits::new(4, ranges)));
        let escape = Escape { short, digits };
        if escape.short.is_empty() && escape.digits.is_none() {
            return None;
        }
        let next = self.escapes.len() as u32;
        let number = *self.known_escapes.entry(escape.clone()).or_insert(next);
        if number == next {
            self.escapes.push(escape);
        }
        Some(number)
    }

    fn escape_edges(&mut self, index: u32, edges: &mut Edges) {
        let Escape { short, digits } = self.escapes[index as usize].clone();
        for (letter, to) in short {
            edges.push((letter, letter, SpellingState::Text(to)));
        }
        if let Some(node) = digits {
            edges.push((b'u', b'u', SpellingState::Digits(node)));
        }
    }
}
