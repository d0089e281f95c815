//! The oracle as an engine: it finds a mask by trying every token.

use super::cfg::Cfg;
use super::discipline::recognizer;
use super::recognizer::{Recognizer, Unit};
use super::token_texts::{BETWEEN, Place, TokenTexts};
use crate::engine::{Engine, Overflow};
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{Grammar, Pattern};
use std::collections::BTreeSet;

/// Decodes with a [`Recognizer`].
pub struct Decoder {
    recognizer: Box<dyn Recognizer>,
    /// The number of ids that a mask covers.
    width: usize,
    /// The ordinary tokens in byte order, so that common prefixes are read once.
    texts: Vec<(Vec<u8>, u32)>,
    specials: Vec<u32>,
    end: Vec<u32>,
    tokens: Vec<Token>,
    /// The texts of tokens, if a text must be completed by tokens, and not every text is one.
    completions: Option<TokenTexts>,
    /// For each committed token, the number of units before it.
    marks: Vec<usize>,
    terminated: bool,
}

impl Decoder {
    /// Makes a decoder at the start of the text. A token is allowed if tokens can complete the text after it. `cfg` is passed to
    /// [`recognizer`].
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Self {
        let mut decoder = Self::by_bytes(grammar, vocabulary, cfg);
        let texts = decoder.texts.iter().map(|(bytes, _)| bytes.as_slice());
        let completions = TokenTexts::of_tokens(texts, &decoder.specials);
        // Without any text token every byte counts as one, as for the compiler.
        decoder.completions =
            Some(completions).filter(|tokens| !decoder.texts.is_empty() && !tokens.are_all_texts());
        decoder
    }

    /// The same, where a token is allowed if bytes and special tokens can complete the text after it.
    #[must_use]
    pub fn by_bytes(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Self {
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
        let mut texts = Vec::new();
        let mut specials = Vec::new();
        for (id, token) in ordinary {
            match token {
                // A token without bytes would never end the output.
                Token::Text(bytes) if bytes.is_empty() => {}
                Token::Text(bytes) => texts.push((bytes.clone(), id)),
                Token::Special(_) => specials.push(id),
                Token::Hole => {}
            }
        }
        texts.sort();
        Self {
            recognizer: recognizer(grammar, vocabulary, cfg),
            width: vocabulary.width(),
            texts,
            specials,
            end,
            tokens: vocabulary.tokens.clone(),
            completions: None,
            marks: Vec::new(),
            terminated: false,
        }
    }

    /// Whether the text so far can be continued to a member of the language.
    #[must_use]
    pub fn is_viable(&mut self) -> bool {
        self.recognizer.is_viable() && self.is_completed_from(BETWEEN)
    }

    /// Whether tokens can complete the text, from a place on, if they have to.
    fn is_completed_from(&mut self, place: Place) -> bool {
        let Self { recognizer, completions, .. } = self;
        completions.as_ref().is_none_or(|tokens| recognizer.is_completed_by(tokens, place))
    }

    /// Whether not every text is a sequence of tokens, and tokens must complete the text.
    #[must_use]
    pub const fn is_by_tokens(&self) -> bool {
        self.completions.is_some()
    }

    /// Whether the recognizer gave up, see [`Recognizer::is_exhausted`].
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.recognizer.is_exhausted()
    }

    /// The ids of ordinary tokens that leave the text viable.
    fn allowed_texts(&mut self) -> Vec<u32> {
        let base = self.recognizer.len();
        let mut allowed = Vec::new();
        let mut read: Vec<u8> = Vec::new();
        let texts = std::mem::take(&mut self.texts);
        for (bytes, id) in &texts {
            let common = read.iter().zip(bytes).take_while(|(read, byte)| read == byte).count();
            read.truncate(common);
            self.recognizer.truncate(base + common);
            for &byte in &bytes[common..] {
                if !self.recognizer.push(Unit::Byte(byte)) {
                    self.recognizer.truncate(base + read.len());
                    break;
                }
                read.push(byte);
            }
            if read.len() == bytes.len() && (self.completions.is_none() || self.is_completed_from(BETWEEN)) {
                allowed.push(*id);
            }
        }
        self.recognizer.truncate(base);
        self.texts = texts;
        allowed
    }

    /// The ids of special tokens that leave the text viable.
    fn allowed_specials(&mut self) -> Vec<u32> {
        let mut allowed = self.specials.clone();
        allowed.retain(|&id| {
            let base = self.recognizer.len();
            let is_allowed = self.recognizer.push(Unit::Token(id)) && self.is_completed_from(BETWEEN);
            self.recognizer.truncate(base);
            is_allowed
        });
        allowed
    }

    fn units(&self, token: u32) -> Option<Vec<Unit>> {
        match self.tokens.get(token as usize)? {
            Token::Text(bytes) if bytes.is_empty() => None,
            Token::Text(bytes) => Some(bytes.iter().copied().map(Unit::Byte).collect()),
            Token::Special(_) => Some(vec![Unit::Token(token)]),
            Token::Hole => None,
        }
    }

    /// Returns for every token id whether the token may come next.
    pub fn allowed(&mut self) -> Vec<bool> {
        let mut mask = vec![false; self.width];
        if self.terminated {
            return mask;
        }
        let mut allowed = self.allowed_texts();
        allowed.extend(self.allowed_specials());
        if self.recognizer.accepts() {
            allowed.extend(&self.end);
        }
        for id in allowed {
            mask[id as usize] = true;
        }
        mask
    }

    /// Commits a token if it is allowed.
    pub fn accept(&mut self, token: u32) -> bool {
        let mark = self.recognizer.len();
        let accepted = if self.terminated {
            false
        } else if self.end.contains(&token) {
            self.terminated = self.recognizer.accepts();
            self.terminated
        } else {
            let units = self.units(token);
            let is_read = units.is_some_and(|units| units.into_iter().all(|unit| self.recognizer.push(unit)));
            is_read && self.is_completed_from(BETWEEN)
        };
        if accepted {
            self.marks.push(mark);
        } else {
            self.recognizer.truncate(mark);
        }
        accepted
    }

    /// The bytes that every continuation starts with, at most `longest`.
    pub fn forced(&mut self, longest: usize) -> Vec<u8> {
        let base = self.recognizer.len();
        let mut certain = Vec::new();
        let mut places = BTreeSet::from([BETWEEN]);
        while !self.terminated && certain.len() < longest {
            let is_between = places.contains(&BETWEEN);
            let bytes: Vec<u8> = (0..=255).filter(|&byte| self.may_follow(&places, byte)).collect();
            let [only] = bytes[..] else { break };
            if is_between && (self.recognizer.accepts() || !self.allowed_specials().is_empty()) {
                break;
            }
            certain.push(only);
            self.recognizer.push(Unit::Byte(only));
            places = self.places_after(&places, only);
        }
        self.recognizer.truncate(base);
        certain
    }

    /// The places after a byte.
    fn places_after(&self, places: &BTreeSet<Place>, byte: u8) -> BTreeSet<Place> {
        let after = |tokens: &TokenTexts| tokens.after(places, Unit::Byte(byte));
        self.completions.as_ref().map_or_else(|| places.clone(), after)
    }

    /// Whether the text can be completed after one more byte, which is read in one of the places.
    fn may_follow(&mut self, places: &BTreeSet<Place>, byte: u8) -> bool {
        let base = self.recognizer.len();
        let may_follow = self.recognizer.push(Unit::Byte(byte))
            && self.places_after(places, byte).into_iter().any(|place| self.is_completed_from(place));
        self.recognizer.truncate(base);
        may_follow
    }

    /// Whether the text so far is in the language.
    #[must_use]
    pub fn accepts(&mut self) -> bool {
        self.recognizer.accepts()
    }

    /// Whether an end token was committed.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Takes back the last `tokens` commits; false if there were not so many.
    pub fn rollback(&mut self, tokens: usize) -> bool {
        let Some(left) = self.marks.len().checked_sub(tokens) else { return false };
        if let Some(&mark) = self.marks.get(left) {
            self.recognizer.truncate(mark);
            self.marks.truncate(left);
            self.terminated = false;
        }
        true
    }

    /// Back to the start of the text.
    pub fn reset(&mut self) {
        self.rollback(self.marks.len());
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
