//! The oracle as an engine: it finds a mask by trying every token.

use super::cfg::Cfg;
use super::discipline::recognizer;
use super::lexicon::has_limits;
use super::readings::Readings;
use super::token_texts::{BETWEEN, Place, TokenTexts};
use super::unit::Unit;
use crate::engine::{Engine, Overflow};
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{Grammar, Pattern};
use gcc_grammar_regular::ByteSet;
use std::collections::BTreeSet;

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
    /// Whether lexemes have limits on tokens, so that it matters where tokens end.
    counts_tokens: bool,
    tokens: Vec<Token>,
    /// The texts of tokens, if a text must be completed by tokens, and not every text is one.
    completions: Option<TokenTexts>,
    terminated: bool,
}

impl Decoder {
    /// Makes a decoder at the start of the text. A token is allowed if tokens can complete the text after it. `cfg` is passed to
    /// [`recognizer`].
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Self {
        let mut decoder = Self::by_bytes(grammar, vocabulary, cfg);
        let texts = decoder.texts.iter().map(|(bytes, _)| bytes.as_slice());
        let completions = TokenTexts::of_tokens(texts, &decoder.by_id);
        // Without any text token every byte counts as one, as for the compiler.
        decoder.completions =
            Some(completions).filter(|tokens| !decoder.texts.is_empty() && !tokens.are_all_texts());
        decoder
    }

    /// The same, where a token is allowed if bytes and tokens that are matched by id can complete the text after it.
    #[must_use]
    pub fn by_bytes(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Self {
        // An end token that the grammar names is a terminal and does not end the text.
        let patterns = grammar.terminals.iter().map(|terminal| &terminal.pattern);
        let selectors = patterns.filter_map(|pattern| match pattern {
            Pattern::Token(selectors) => Some(selectors),
            _ => None,
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
        // An end token may be a part of a literal, too.
        by_id.extend(&end);
        texts.sort();
        Self {
            readings: Readings::new(recognizer(grammar, vocabulary, cfg)),
            width: vocabulary.width(),
            texts,
            by_id,
            end,
            ends_by_id: vocabulary.end.clone(),
            counts_tokens: has_limits(grammar),
            tokens: vocabulary.tokens.clone(),
            completions: None,
            terminated: false,
        }
    }

    /// Whether the text so far can be continued to a member of the language.
    #[must_use]
    pub fn is_viable(&mut self) -> bool {
        self.readings.current().into_iter().any(|reading| {
            self.readings.load(reading);
            self.readings.recognizer.is_viable() && self.is_completed_from(BETWEEN)
        })
    }

    /// Whether tokens can complete the reading, from a place on, if they have to.
    fn is_completed_from(&mut self, place: Place) -> bool {
        let Self { readings, completions, .. } = self;
        completions.as_ref().is_none_or(|tokens| readings.recognizer.is_completed_by(tokens, place))
    }

    /// Whether not every text is a sequence of tokens, and tokens must complete the text.
    #[must_use]
    pub const fn is_by_tokens(&self) -> bool {
        self.completions.is_some()
    }

    /// Whether the recognizer gave up, see [`Recognizer::is_exhausted`](super::recognizer::Recognizer::is_exhausted).
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.readings.recognizer.is_exhausted()
    }

    /// Marks the ordinary tokens whose bytes leave the reading viable.
    fn allow_texts(&mut self, allowed: &mut [bool]) {
        let base = self.readings.recognizer.len();
        let mut read: Vec<u8> = Vec::new();
        let texts = std::mem::take(&mut self.texts);
        for (bytes, id) in &texts {
            let recognizer = &mut self.readings.recognizer;
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
                allowed[*id as usize] |= self.end_token() && self.is_completed_from(BETWEEN);
            }
        }
        self.readings.recognizer.truncate(base);
        self.texts = texts;
    }

    /// The tokens that leave the reading viable if they are matched by id.
    fn allowed_by_id(&mut self) -> Vec<u32> {
        let mut allowed = self.by_id.clone();
        allowed.retain(|&id| {
            let base = self.readings.recognizer.len();
            let is_allowed = self.readings.recognizer.push(Unit::Token(id))
                && self.end_token()
                && self.is_completed_from(BETWEEN);
            self.readings.recognizer.truncate(base);
            is_allowed
        });
        allowed
    }

    /// Ends the token that was read, if tokens are counted.
    fn end_token(&mut self) -> bool {
        !self.counts_tokens || self.readings.recognizer.push(Unit::TokenEnd)
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
        let end = self.counts_tokens.then_some(Unit::TokenEnd);
        by_id.into_iter().chain(as_bytes).map(|way: Vec<Unit>| way.into_iter().chain(end).collect()).collect()
    }

    /// Returns for every token id whether the token may come next.
    pub fn allowed(&mut self) -> Vec<bool> {
        let mut mask = vec![false; self.width];
        if self.terminated {
            return mask;
        }
        for reading in self.readings.current() {
            self.readings.load(reading);
            self.allow_texts(&mut mask);
            self.allowed_by_id().into_iter().for_each(|id| mask[id as usize] = true);
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
                return true;
            }
        }
        let ways = self.units(token);
        let Self { readings, completions, .. } = self;
        readings.commit(&ways, |recognizer| {
            completions.as_ref().is_none_or(|tokens| recognizer.is_completed_by(tokens, BETWEEN))
        })
    }

    /// Whether all continuations by tokens start with some bytes. Slow, but with limits on tokens it matters where tokens end.
    pub fn is_forced(&mut self, bytes: &[u8]) -> bool {
        bytes.is_empty()
            || !self.accepts() && !self.may_read_by_id() && {
                let allowed = self.allowed();
                (0..).zip(allowed).filter(|(_, bit)| *bit).all(|(token, _)| self.begins_with(token, bytes))
            }
    }

    /// Whether a token may come next by its id.
    fn may_read_by_id(&mut self) -> bool {
        self.readings.current().into_iter().any(|reading| {
            self.readings.load(reading);
            !self.allowed_by_id().is_empty()
        })
    }

    /// Whether a token, and all continuations after it, start with some bytes.
    fn begins_with(&mut self, token: u32, bytes: &[u8]) -> bool {
        let Some(Token::Text(text)) = self.tokens.get(token as usize).cloned() else { return false };
        if text.starts_with(bytes) {
            return true;
        }
        let Some(rest) = bytes.strip_prefix(text.as_slice()) else { return false };
        let is_forced = self.accept(token) && self.is_forced(rest);
        self.rollback(1);
        is_forced
    }

    /// Whether lexemes have limits on tokens.
    #[must_use]
    pub const fn counts_tokens(&self) -> bool {
        self.counts_tokens
    }

    /// The bytes that every continuation starts with, at most `longest`. Limits on tokens are not heeded.
    pub fn forced(&mut self, longest: usize) -> Vec<u8> {
        let mut certain = Vec::new();
        let mut places = BTreeSet::from([BETWEEN]);
        while !self.terminated && certain.len() < longest {
            let Some(only) = self.only_byte(&places) else { break };
            certain.push(only);
            self.readings.commit(&[vec![Unit::Byte(only)]], |_| true);
            places = self.places_after(&places, only);
        }
        self.readings.rollback(certain.len());
        certain
    }

    /// The only byte that can come next in one of the places, if the text cannot end, and no token can be matched by its id.
    fn only_byte(&mut self, places: &BTreeSet<Place>) -> Option<u8> {
        let mut possible = ByteSet::default();
        for reading in self.readings.current() {
            self.readings.load(reading);
            let is_between = places.contains(&BETWEEN);
            if is_between && (self.readings.recognizer.accepts() || !self.allowed_by_id().is_empty()) {
                return None;
            }
            (0..=255).filter(|&byte| self.may_follow(places, byte)).for_each(|byte| possible.insert(byte));
        }
        possible.iter().next().filter(|_| possible.len() == 1)
    }

    /// The places after a byte.
    fn places_after(&self, places: &BTreeSet<Place>, byte: u8) -> BTreeSet<Place> {
        let after = |tokens: &TokenTexts| tokens.after(places, Unit::Byte(byte));
        self.completions.as_ref().map_or_else(|| places.clone(), after)
    }

    /// Whether the reading can be completed after one more byte, which is read in one of the places.
    fn may_follow(&mut self, places: &BTreeSet<Place>, byte: u8) -> bool {
        let base = self.readings.recognizer.len();
        let may_follow = self.readings.recognizer.push(Unit::Byte(byte))
            && self.places_after(places, byte).into_iter().any(|place| self.is_completed_from(place));
        self.readings.recognizer.truncate(base);
        may_follow
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
