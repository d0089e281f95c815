//! The oracle as an engine: it finds a mask by trying every token.

use super::cfg::Cfg;
use super::discipline::recognizer;
use super::readings::Readings;
use super::recognizer::Unit;
use crate::engine::{Engine, Overflow};
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{Grammar, Pattern};

/// Decodes with a [`Recognizer`](super::recognizer::Recognizer).
pub struct Decoder {
    readings: Readings,
    /// The number of ids that a mask covers.
    width: usize,
    /// The ordinary tokens in byte order, so that common prefixes are read once.
    texts: Vec<(Vec<u8>, u32)>,
    /// The tokens that are matched by id: special ones, and ordinary ones that the grammar names.
    by_id: Vec<u32>,
    end: Vec<u32>,
    /// The end tokens of the vocabulary, which never stand for bytes.
    ends_by_id: Vec<u32>,
    tokens: Vec<Token>,
    terminated: bool,
}

impl Decoder {
    /// Makes a decoder at the start of the text. `cfg` is passed to [`recognizer`].
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Self {
        // An end token that the grammar names is a terminal and does not end the text.
        let patterns = grammar.terminals.iter().map(|terminal| &terminal.pattern);
        let selectors = patterns.filter_map(|pattern| match pattern {
            Pattern::Token(selectors) => Some(selectors),
            Pattern::Regex(_) => None,
        });
        let named: Vec<(u32, u32)> =
            selectors.flatten().flat_map(|selector| vocabulary.select(selector)).collect();
        let mut end = vocabulary.end.clone();
        end.retain(|id| !named.iter().any(|(low, high)| low <= id && id <= high));
        let ordinary = vocabulary.iter().filter(|(id, _)| !end.contains(id));
        let is_named = |id: u32| named.iter().any(|(low, high)| *low <= id && id <= *high);
        let mut texts = Vec::new();
        let mut by_id = Vec::new();
        for (id, token) in ordinary {
            match token {
                // A token without bytes would never end the output.
                Token::Text(bytes) if bytes.is_empty() => {}
                Token::Text(bytes) => {
                    if vocabulary.is_ordinary(id) {
                        texts.push((bytes.clone(), id));
                    }
                    if is_named(id) {
                        by_id.push(id);
                    }
                }
                Token::Special(_) => by_id.push(id),
                Token::Hole => {}
            }
        }
        texts.sort();
        Self {
            readings: Readings::new(recognizer(grammar, vocabulary, cfg)),
            width: vocabulary.width(),
            texts,
            by_id,
            end,
            ends_by_id: vocabulary.end.clone(),
            tokens: vocabulary.tokens.clone(),
            terminated: false,
        }
    }

    /// Whether the text so far can be continued to a member of the language.
    #[must_use]
    pub fn is_viable(&self) -> bool {
        self.readings.recognizer.is_viable()
    }

    /// Whether the recognizer gave up, see [`Recognizer::is_exhausted`](super::recognizer::Recognizer::is_exhausted).
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.readings.recognizer.is_exhausted()
    }

    /// The ids of ordinary tokens whose bytes leave the reading viable.
    fn allowed_texts(&mut self, allowed: &mut [bool]) {
        let recognizer = &mut self.readings.recognizer;
        let base = recognizer.len();
        let mut read: Vec<u8> = Vec::new();
        for (bytes, id) in &self.texts {
            let common = read.iter().zip(bytes).take_while(|(read, byte)| read == byte).count();
            read.truncate(common);
            recognizer.truncate(base + common);
            for &byte in &bytes[common..] {
                if !recognizer.push(Unit::Byte(byte)) {
                    recognizer.truncate(base + read.len());
                    break;
                }
                read.push(byte);
            }
            if read.len() == bytes.len() {
                allowed[*id as usize] = true;
            }
        }
        recognizer.truncate(base);
    }

    /// The ways to read a token.
    fn units(&self, token: u32) -> Vec<Vec<Unit>> {
        let by_id = self.by_id.contains(&token).then(|| vec![Unit::Token(token)]);
        let as_bytes = match self.tokens.get(token as usize) {
            Some(Token::Text(bytes)) if !bytes.is_empty() && !self.ends_by_id.contains(&token) => {
                Some(bytes.iter().copied().map(Unit::Byte).collect())
            }
            _ => None,
        };
        by_id.into_iter().chain(as_bytes).collect()
    }

    /// Returns for every token id whether the token may come next.
    pub fn allowed(&mut self) -> Vec<bool> {
        let mut mask = vec![false; self.width];
        if self.terminated {
            return mask;
        }
        for reading in self.readings.current() {
            self.readings.load(reading);
            self.allowed_texts(&mut mask);
            for &id in &self.by_id {
                mask[id as usize] |= self.readings.recognizer.can_push(Unit::Token(id));
            }
            if self.readings.recognizer.accepts() {
                self.end.iter().for_each(|&id| mask[id as usize] = true);
            }
        }
        mask
    }

    /// Commits a token if it is allowed.
    pub fn accept(&mut self, token: u32) -> bool {
        if self.terminated {
            return false;
        }
        if self.end.contains(&token) {
            self.terminated = self.accepts();
            if self.terminated {
                self.readings.stay();
            }
            return self.terminated;
        }
        let ways = self.units(token);
        self.readings.commit(&ways)
    }

    /// The bytes that every continuation starts with, at most `longest`. Only texts of one reading are looked at.
    pub fn forced(&mut self, longest: usize) -> Vec<u8> {
        let mut certain = Vec::new();
        let mut added = 0;
        while !self.terminated && certain.len() < longest && !self.accepts() {
            let Some(only) = self.only_byte() else { break };
            certain.push(only);
            self.readings.commit(&[vec![Unit::Byte(only)]]);
            added += 1;
        }
        self.readings.rollback(added);
        certain
    }

    /// The only byte that can come next, if no token can be matched by its id.
    fn only_byte(&mut self) -> Option<u8> {
        let mut possible = [false; 256];
        for reading in self.readings.current() {
            self.readings.load(reading);
            let recognizer = &mut self.readings.recognizer;
            if self.by_id.iter().any(|&id| recognizer.can_push(Unit::Token(id))) {
                return None;
            }
            for byte in 0..=255 {
                possible[usize::from(byte)] |= recognizer.can_push(Unit::Byte(byte));
            }
        }
        let mut bytes = (0..=255u8).filter(|&byte| possible[usize::from(byte)]);
        let only = bytes.next()?;
        bytes.next().is_none().then_some(only)
    }

    /// Whether the text so far is in the language.
    #[must_use]
    pub fn accepts(&mut self) -> bool {
        self.readings.current().into_iter().any(|reading| {
            self.readings.load(reading);
            self.readings.recognizer.accepts()
        })
    }

    /// Whether an end token was committed.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Takes back the last `tokens` commits; false if there were not so many.
    pub fn rollback(&mut self, tokens: usize) -> bool {
        let done = self.readings.rollback(tokens);
        self.terminated &= !done || tokens == 0;
        done
    }

    /// Back to the start of the text.
    pub fn reset(&mut self) {
        self.rollback(self.readings.commits());
    }
}

impl Engine for Decoder {
    fn mask(&mut self) -> Result<Vec<bool>, Overflow> {
        Ok(self.allowed())
    }

    fn commit(&mut self, token: u32) -> Result<bool, Overflow> {
        Ok(self.accept(token))
    }

    fn rollback(&mut self, tokens: usize) -> bool {
        Self::rollback(self, tokens)
    }

    fn reset(&mut self) {
        Self::reset(self);
    }

    fn forced(&mut self, longest: usize) -> Result<Vec<u8>, Overflow> {
        Ok(Self::forced(self, longest))
    }

    fn is_accepting(&mut self) -> Result<bool, Overflow> {
        Ok(self.accepts())
    }

    fn is_terminated(&mut self) -> bool {
        Self::is_terminated(self)
    }
}
