//! Counters of the lexer: the characters of a string, where a lexer state for each number of them would be too many.
//!
//! The last states of the lexer are those of counters. They read strings of any length. A head is never in such a state alone, but in a *counted*
//! state: a number that stands for the state and for the characters that began since the string did. The numbers of counted states come
//! behind those of the lexer's states, so all that heads do with a lexer state holds for them, too.
//!
//! The number of a counted state is `first + (characters << bits) + index`, where `index` is that of the state among the states of the counter, and
//! `bits` are as many as these indices have.
//!
//! A state may *need* characters, such as one after `%` in a URI. It is reached only if that number is left.

use super::cut::{Cut, OwnTokens};
use super::meta::{COUNTER_NEEDED, COUNTER_PLACES, COUNTER_STATES, COUNTER_TOKENS};
use super::source::{LexerSource, NotMade};
use super::validate::Checked;
use crate::bases::{FIRST_PLANE, LongTokens, MOST_ENTERING, PLANES, TokenCharacters};
use crate::error::ArtifactError;
use crate::ids::LexState;
use crate::json_string::Place;
use crate::wire::U32;

/// The counters of a lexer; by default, none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters<'a> {
    /// Per counter: its first state, the most characters, and the first of its numbers.
    list: &'a [[U32; 3]],
    /// Per state from the first one on: its place.
    places: &'a [u8],
    /// Per state that counts: the fewest characters that must still begin. Empty if no state needs some.
    needed: &'a [u8],
    /// What [`OwnTokens`] reads. Empty if no state needs characters.
    tokens: &'a [U32],
    /// The number of lexer states.
    states: u32,
    /// How many characters a token may begin in a string that begins within it: this number fits, whatever the string is.
    entered: u32,
    /// The checksum of the lists of long tokens of the vocabulary.
    checksum: u64,
}

/// A lexer state with the number of characters that began since the string did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The state of the lexer.
    pub state: LexState,
    /// The characters that began.
    pub characters: u32,
    /// The counter, by its number.
    pub counter: usize,
}

/// The bits of the index of a state, for this number of states.
#[must_use]
pub const fn index_bits(states: u32) -> u32 {
    u32::BITS - states.saturating_sub(1).leading_zeros()
}

impl<'a> Counters<'a> {
    /// Counters that say which states count, and nothing of the vocabulary. The last state that counts is the last of the lexer.
    #[must_use]
    pub fn of_states(list: &'a [[U32; 3]], places: &'a [u8], needed: &'a [u8]) -> Self {
        let first = list.first().map_or(0, |[first, ..]| first.get());
        let states = first.saturating_add(places.len() as u32);
        Self { list, places, needed, tokens: &[], states, entered: 0, checksum: 0 }
    }

    /// The counters in the sections of a file; `None` if there is none.
    pub(super) fn read(
        entries: &'a [[U32; 3]],
        places: &'a [u8],
        needed: &'a [u8],
        tokens: &'a [U32],
    ) -> Option<Self> {
        let ([[entered, low, high]], list) = entries.split_first_chunk()?;
        let checksum = u64::from(low.get()) | u64::from(high.get()) << 32;
        let of_states = Self::of_states(list, places, needed);
        (!list.is_empty()).then_some(Self { tokens, entered: entered.get(), checksum, ..of_states })
    }

    /// Those among the tokens of a vocabulary that begin characters behind a quote which may be too many.
    pub(super) fn entering(&self, long: LongTokens<'a>) -> &'a [U32] {
        let tokens = long.behind_quote();
        let count = tokens.partition_point(|entry| TokenCharacters::of(entry).characters > self.entered);
        if self.is_empty() { &[] } else { &tokens[..count.min(MOST_ENTERING)] }
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The checksum of the lists of long tokens of the vocabulary.
    #[must_use]
    pub const fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The counters: the first state, the most characters, and the first number of each.
    #[must_use]
    pub const fn list(&self) -> &'a [[U32; 3]] {
        self.list
    }

    /// The first state of the counter behind this one.
    fn end(&self, counter: usize) -> u32 {
        self.list.get(counter + 1).map_or(self.states, |[first, ..]| first.get())
    }

    /// The first state that counts.
    #[inline]
    fn first_state(&self) -> u32 {
        self.list.first().map_or(self.states, |[first, ..]| first.get())
    }

    /// What a number stands for; `None` if it is that of a state, or of nothing.
    #[must_use]
    pub fn counted(&self, number: LexState) -> Option<Counted> {
        if number.0 < self.states {
            return None;
        }
        let behind = self.list.partition_point(|[_, _, first]| first.get() <= number.0);
        let counter = behind.checked_sub(1)?;
        let &[first, most, first_number] = self.list.get(counter)?;
        let states = self.end(counter).saturating_sub(first.get());
        let bits = index_bits(states);
        let offset = number.0.wrapping_sub(first_number.get());
        let (characters, index) = (offset.checked_shr(bits)?, offset & ((1_u32.checked_shl(bits)?) - 1));
        let state = LexState(first.get().wrapping_add(index));
        let is_there = index < states && characters.saturating_add(self.needed(state)) <= most.get();
        is_there.then_some(Counted { state, characters, counter })
    }

    /// The index of a state among the counting states.
    fn index(&self, state: LexState) -> usize {
        state.0.wrapping_sub(self.first_state()) as usize
    }

    /// The fewest characters that must still begin after a state.
    fn needed(&self, state: LexState) -> u32 {
        self.needed.get(self.index(state)).copied().map_or(0, u32::from)
    }

    /// The counter of a state that counts.
    fn counter(&self, state: LexState) -> Option<usize> {
        self.list.partition_point(|[first, ..]| first.get() <= state.0).checked_sub(1)
    }

    /// The number of a state that counts with this number of characters; `None` if there is none.
    #[must_use]
    pub fn with_characters(&self, state: LexState, characters: u32) -> Option<LexState> {
        let counter = self.counter(state).filter(|_| state.0 < self.states)?;
        let number = self.number(Counted { state, characters, counter });
        (number != LexState::DEAD).then_some(number)
    }

    /// The number of a state of a counter with this number of characters; [`LexState::DEAD`] if fewer are left than it needs.
    fn number(&self, counted: Counted) -> LexState {
        let Some(&[first, most, first_number]) = self.list.get(counted.counter) else {
            return LexState::DEAD;
        };
        if counted.characters.saturating_add(self.needed(counted.state)) > most.get() {
            return LexState::DEAD;
        }
        let bits = index_bits(self.end(counted.counter).saturating_sub(first.get()));
        let offset =
            counted.characters.checked_shl(bits).unwrap_or(0) | counted.state.0.wrapping_sub(first.get());
        LexState(first_number.get().wrapping_add(offset))
    }

    /// The number in which a head is that was in `from` and has come to the state `to`.
    #[must_use]
    pub fn reached(&self, from: Option<Counted>, to: LexState) -> LexState {
        if to.0 < self.first_state() || to == LexState::UNKNOWN {
            return to;
        }
        let Some(counter) = self.counter(to) else { return LexState::DEAD };
        let characters = match from {
            Some(from) if from.counter == counter => {
                from.characters.saturating_add(u32::from(self.place(from.state) == Place::Between))
            }
            _ => 0,
        };
        self.number(Counted { state: to, characters, counter })
    }

    /// How many characters may still begin in a counted state, less than the most that any state needs; `None` if it is no counted state.
    #[must_use]
    pub fn free(&self, number: LexState) -> Option<u32> {
        let Counted { characters, counter, .. } = self.counted(number)?;
        let most_needed = if self.needed.is_empty() { 0 } else { u32::from(u8::MAX) };
        let [_, most, _] = self.list.get(counter)?;
        Some(most.get().saturating_sub(characters).saturating_sub(most_needed))
    }

    /// The place of a state that counts.
    #[must_use]
    pub fn place(&self, state: LexState) -> Place {
        let place = self.places.get(self.index(state)).copied().unwrap_or(0);
        Place::of_number(u32::from(place)).unwrap_or(Place::Between)
    }

    /// Which tokens of the vocabulary do not begin too many characters; `None` if all tokens fit. `words` are its base bitmaps, of so many words
    /// each. The lists of states come from the `lexer`, if its states are made on demand.
    pub(super) fn cut(
        &self,
        number: LexState,
        words: &'a [U32],
        row_words: usize,
        long: LongTokens<'a>,
        lexer: Option<&'a dyn LexerSource>,
    ) -> Result<Option<Cut<'a>>, NotMade> {
        let Some(Counted { state, characters, counter }) = self.counted(number) else { return Ok(None) };
        let [_, most, _] = self.list[counter];
        let place = self.place(state);
        let is_escaped = place == Place::Escape;
        let left = most.get() - characters;
        let own = match lexer {
            Some(lexer) => OwnTokens::of_list(lexer.counter_tokens(state, left)?),
            None => OwnTokens::of_state(self.tokens, self.index(state)),
        };
        let own = own.unwrap_or_else(|| OwnTokens::of_vocabulary(long.list(is_escaped)));
        let left = left.saturating_add(place.shift());
        if own.all_fit(left) {
            return Ok(None);
        }
        let first = FIRST_PLANE + if is_escaped { PLANES } else { 0 };
        let start = (first as usize).saturating_mul(row_words);
        let end = start.saturating_add(row_words.saturating_mul(PLANES as usize));
        Ok(Some(Cut { planes: words.get(start..end).unwrap_or_default(), row_words, own, left }))
    }

    /// Checks that the sections fit to each other and to a lexer with this number of states.
    pub(super) fn validate(&self, lexer_states: usize) -> Checked {
        let bad = |index, problem| {
            Err(ArtifactError::MalformedTable { table: COUNTER_STATES.name, index, problem })
        };
        let mut free = u64::from(self.states);
        for (counter, [first, most, number]) in self.list.iter().enumerate() {
            let states = self.end(counter).checked_sub(first.get()).filter(|&states| states > 0);
            let Some(states) = states.filter(|_| first.get() > 0) else {
                return bad(counter + 1, "the counter has no states");
            };
            if u64::from(number.get()) < free {
                return bad(counter + 1, "the numbers overlap with others");
            }
            free = u64::from(number.get()) + ((u64::from(most.get()) + 1) << index_bits(states));
            if free > 1 << 32 {
                return bad(counter + 1, "the numbers have more than 32 bits");
            }
        }
        let bad = |index, problem| {
            Err(ArtifactError::MalformedTable { table: COUNTER_PLACES.name, index, problem })
        };
        if self.states as usize != lexer_states {
            return bad(self.places.len(), "wrong number of entries");
        }
        if let Some(index) =
            self.places.iter().position(|&place| Place::of_number(u32::from(place)).is_none())
        {
            return bad(index, "there is no such place");
        }
        self.validate_needs()
    }

    fn validate_needs(&self) -> Checked {
        if self.needed.is_empty() && self.tokens.is_empty() {
            return Ok(());
        }
        if self.needed.len() != self.places.len() {
            let (table, problem) = (COUNTER_NEEDED.name, "wrong number of entries");
            return Err(ArtifactError::MalformedTable { table, index: self.needed.len(), problem });
        }
        let is_bad = |&state: &usize| !OwnTokens::are_sound(self.tokens, state, self.places.len());
        match (0..self.places.len()).find(is_bad) {
            None => Ok(()),
            Some(index) => {
                let (table, problem) = (COUNTER_TOKENS.name, "the list of the state is not in the section");
                Err(ArtifactError::MalformedTable { table, index, problem })
            }
        }
    }
}
