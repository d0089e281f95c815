//! Stop tokens, stop texts, and patterns of texts that end an output.
//!
//! Text is returned as soon as it is certain that no stop begins in it. What a stop matches is not returned. A stop ends where the first
//! match ends; of the matches that end there, the longest one counts.

use gcc_grammar_regular::{Dfa, PatternFlags, Regex, RegularLimits};
use std::sync::Arc;

/// Watches the tokens of an output for stops.
#[derive(Clone)]
pub struct Stop {
    tokens: Vec<u32>,
    /// The texts that end the output; none if there are none.
    texts: Option<Arc<Dfa>>,
    /// The matches that have begun in the text that is held back: where, and the state. The earliest of each state is kept, in order.
    begun: Vec<(usize, u32)>,
    held: Vec<u8>,
    is_stopped: bool,
}

/// What a token stands for.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// Text.
    Text(&'a [u8]),
    /// A special token, by its name; none if it has none.
    Special(Option<&'a [u8]>),
}

impl Stop {
    /// Watches for tokens, texts, and a pattern in the syntax of the crate `regex`. Texts stand for themselves.
    ///
    /// # Errors
    /// The pattern is not one, or is too large.
    pub fn new(tokens: Vec<u32>, texts: &[String], pattern: Option<&str>) -> Result<Self, String> {
        let texts = automaton(texts, pattern)?.map(Arc::new);
        Ok(Self { tokens, texts, begun: Vec::new(), held: Vec::new(), is_stopped: false })
    }

    /// Whether a stop has come.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Takes a token, and returns the text that is certain to belong to the output. Behind a stop that is the empty text.
    pub fn commit(&mut self, token: u32, piece: Piece) -> String {
        if self.is_stopped {
            return String::new();
        }
        if self.tokens.contains(&token) {
            self.is_stopped = true;
            return self.release(self.held.len());
        }
        match piece {
            Piece::Text(text) => self.read(text),
            Piece::Special(Some(name)) => self.special(name),
            Piece::Special(None) => self.special(format!("<[{token}]>").as_bytes()),
        }
    }

    /// The name of a special token: no match goes through it.
    fn special(&mut self, name: &[u8]) -> String {
        self.begun.clear();
        self.held.extend_from_slice(name);
        self.release(self.held.len())
    }

    fn read(&mut self, text: &[u8]) -> String {
        for &byte in text {
            self.held.push(byte);
            if let Some(begin) = self.step(byte) {
                self.is_stopped = true;
                return self.release(begin);
            }
        }
        let certain = self.begun.first().map_or(self.held.len(), |(begin, _)| *begin);
        let length = whole_characters(&self.held[..certain]);
        self.begun.iter_mut().for_each(|(begin, _)| *begin -= length);
        self.release(length)
    }

    /// Reads the last byte of the text, and returns where the longest match that ends here begins.
    fn step(&mut self, byte: u8) -> Option<usize> {
        let stops = self.texts.as_deref()?;
        self.begun.push((self.held.len() - 1, START));
        let mut next: Vec<(usize, u32)> = Vec::with_capacity(self.begun.len());
        for &(begin, state) in &self.begun {
            if let Some(state) = stops.next(state, byte)
                && next.iter().all(|(_, known)| *known != state)
            {
                next.push((begin, state));
            }
        }
        self.begun = next;
        self.begun.iter().find(|(_, state)| stops.is_accepting(*state)).map(|(begin, _)| *begin)
    }

    /// Takes the first bytes of the text that is held back.
    fn release(&mut self, length: usize) -> String {
        let text: Vec<u8> = self.held.drain(..length).collect();
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The state in which every automaton starts.
const START: u32 = 0;

fn automaton(texts: &[String], pattern: Option<&str>) -> Result<Option<Dfa>, String> {
    let limits = RegularLimits::default();
    let mut stops: Vec<Regex> = texts.iter().map(|text| Regex::literal(text)).collect();
    if let Some(pattern) = pattern {
        let flags = PatternFlags { refuse_assertions: true, ..PatternFlags::default() };
        let read = Regex::parse_within(pattern, flags, &limits);
        stops.push(read.map_err(|error| format!("the stop pattern: {error}"))?);
    }
    if stops.is_empty() {
        return Ok(None);
    }
    let made = Regex::union(stops).to_dfa(&limits);
    made.map(Some).map_err(|error| format!("the stop texts: {error}"))
}

/// The length of the longest beginning that does not end within a character. Bytes that belong to no character are taken as they are.
fn whole_characters(text: &[u8]) -> usize {
    let last = text.utf8_chunks().last();
    let unfinished = last.map_or(&[][..], |chunk| chunk.invalid());
    let may_go_on = str::from_utf8(unfinished).is_err_and(|error| error.error_len().is_none());
    text.len() - if may_go_on { unfinished.len() } else { 0 }
}
