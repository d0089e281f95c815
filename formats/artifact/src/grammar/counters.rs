//! Counters of the lexer: the characters of a string, where a lexer state for each number of them would be too many.
//!
//! The last states of the lexer are those of counters. They read strings of any length. A head is never in such a state alone, but in a *counted*
//! state: a number that stands for the state and for the characters that began since the string did. The numbers of counted states come
//! behind those of the lexer's states, so all that heads do with a lexer state holds for them, too.
//!
//! The number of a counted state is `first + (characters << bits) + index`, where `index` is that of the state among the states of the counter, and
//! `bits` are as many as these indices have.

use super::meta::{COUNTER_LONG, COUNTER_OVERFLOW, COUNTER_PLACES, COUNTER_STATES};
use super::validate::Checked;
use crate::bases::{ALL_PLANES, FIRST_PLANE, LongTokens, MANY, PLANES};
use crate::error::ArtifactError;
use crate::ids::{LexState, TokenId};
use crate::json_string::Place;
use crate::vocabulary::check_offsets;
use crate::wire::U32;

/// The counters of a lexer; by default, none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters<'a> {
    /// Per counter: its first state, the most characters, and the first of its numbers.
    list: &'a [[U32; 3]],
    /// Per state from the first one on: its place.
    places: &'a [u8],
    /// Per counter: how many further characters are read by states. Then per state that counts: the state in which these begin, or 0. Empty if there
    /// are none at all.
    overflow: &'a [U32],
    /// CSR offsets per state that counts, and its own long tokens. Empty if there is no overflow.
    long: &'a [U32],
    /// The number of lexer states.
    states: u32,
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

/// The bits of the index of one of so many states.
#[must_use]
pub const fn index_bits(states: u32) -> u32 {
    u32::BITS - states.saturating_sub(1).leading_zeros()
}

impl<'a> Counters<'a> {
    /// The counters in the sections of a file whose lexer has so many states; `None` if there is none.
    pub(super) fn read(
        entries: &'a [[U32; 3]],
        places: &'a [u8],
        [overflow, long]: [&'a [U32]; 2],
        states: usize,
    ) -> Option<Self> {
        let ([[_, low, high]], list) = entries.split_first_chunk()?;
        let checksum = u64::from(low.get()) | u64::from(high.get()) << 32;
        (!list.is_empty()).then_some(Self { list, places, overflow, long, states: states as u32, checksum })
    }

    /// Whether there are none.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether further characters behind some counter are read by states.
    pub(super) const fn has_overflow(&self) -> bool {
        !self.overflow.is_empty()
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
        let is_there = index < states && characters <= most.get();
        is_there.then(|| Counted { state: LexState(first.get().wrapping_add(index)), characters, counter })
    }

    /// The characters behind a counter that are read by states.
    fn more(&self, counter: usize) -> u32 {
        self.overflow.get(counter).map_or(0, |more| more.get())
    }

    /// The number of a state of a counter with so many characters. If these are too many, the state in which the further ones begin.
    fn number(&self, counted: Counted) -> LexState {
        let Some(&[first, most, first_number]) = self.list.get(counted.counter) else {
            return LexState::DEAD;
        };
        if counted.characters > most.get() {
            let place = counted.state.0.wrapping_sub(self.first_state()) as usize;
            let overflow = self.overflow.get(self.list.len().saturating_add(place));
            return LexState(overflow.map_or(0, |state| state.get()));
        }
        let bits = index_bits(self.end(counted.counter).saturating_sub(first.get()));
        let offset =
            counted.characters.checked_shl(bits).unwrap_or(0) | counted.state.0.wrapping_sub(first.get());
        LexState(first_number.get().wrapping_add(offset))
    }

    /// The number in which a head is that was in `from` and has come to the state `to`.
    #[must_use]
    pub fn reached(&self, from: Option<Counted>, to: LexState) -> LexState {
        if to.0 < self.first_state() {
            return to;
        }
        let behind = self.list.partition_point(|[first, ..]| first.get() <= to.0);
        let Some(counter) = behind.checked_sub(1) else { return LexState::DEAD };
        let characters = match from {
            Some(from) if from.counter == counter => {
                from.characters.saturating_add(u32::from(self.place(from.state) == Place::Between))
            }
            _ => 0,
        };
        self.number(Counted { state: to, characters, counter })
    }

    /// The place of a state that counts.
    #[must_use]
    pub fn place(&self, state: LexState) -> Place {
        let place = self.places.get(state.0.wrapping_sub(self.first_state()) as usize).copied().unwrap_or(0);
        Place::of_number(u32::from(place)).unwrap_or(Place::Between)
    }

    /// The long tokens of a state that counts them in its own way.
    fn long_tokens(&self, state: LexState) -> Option<&'a [U32]> {
        let (offsets, tokens) = self.long.split_at_checked(self.places.len().checked_add(1)?)?;
        let place = state.0.wrapping_sub(self.first_state()) as usize;
        let [start, end] = [place, place.checked_add(1)?].map(|place| offsets.get(place));
        tokens.get(start?.get() as usize..end?.get() as usize).filter(|own| !own.is_empty())
    }

    /// The state, the characters that may still begin, and the place.
    fn left(&self, number: LexState) -> Option<(LexState, u32, Place)> {
        let Counted { state, characters, counter } = self.counted(number)?;
        let [_, most, _] = self.list[counter];
        let left = (most.get() - characters).saturating_add(self.more(counter));
        Some((state, left, self.place(state)))
    }

    /// Which tokens of the vocabulary do not begin too many characters; `None` if all tokens fit. `words` are its base bitmaps, of so many words
    /// each.
    pub(super) fn cut(
        &self,
        number: LexState,
        words: &'a [U32],
        row_words: usize,
        long: LongTokens<'a>,
    ) -> Option<Cut<'a>> {
        let (state, left, place) = self.left(number)?;
        let is_escaped = place == Place::Escape;
        let left = left.saturating_add(place.shift());
        let long = self.long_tokens(state).unwrap_or_else(|| long.list(is_escaped));
        if left >= MANY && long.first().is_none_or(|token| token.get() >> 24 <= left) {
            return None;
        }
        let first = FIRST_PLANE + if is_escaped { PLANES } else { 0 };
        let start = (first as usize).checked_mul(row_words)?;
        let planes = words.get(start..start.checked_add(row_words * PLANES as usize)?).unwrap_or_default();
        Some(Cut { planes, row_words, long, left })
    }

    /// Checks that the sections fit to each other and to the lexer.
    pub(super) fn validate(&self) -> Checked {
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
        if self.places.len() != (self.states - self.first_state()) as usize {
            return bad(self.places.len(), "wrong number of entries");
        }
        if let Some(index) =
            self.places.iter().position(|&place| Place::of_number(u32::from(place)).is_none())
        {
            return bad(index, "there is no such place");
        }
        self.validate_overflow()
    }

    fn validate_overflow(&self) -> Checked {
        let bad = |index, problem| {
            Err(ArtifactError::MalformedTable { table: COUNTER_OVERFLOW.name, index, problem })
        };
        let states = self.overflow.get(self.list.len()..).unwrap_or_default();
        if !self.overflow.is_empty() && states.len() != self.places.len() {
            return bad(self.overflow.len(), "wrong number of entries");
        }
        if let Some(index) = states.iter().position(|state| state.get() >= self.first_state()) {
            return bad(self.list.len() + index, "the state counts, too, or is none");
        }
        match self.long.split_at_checked(self.places.len() + 1) {
            Some((offsets, tokens)) => check_offsets(&COUNTER_LONG, offsets, tokens.len()),
            None if self.overflow.is_empty() && self.long.is_empty() => Ok(()),
            None => {
                let problem = "wrong number of entries";
                Err(ArtifactError::MalformedTable {
                    table: COUNTER_LONG.name,
                    index: self.long.len(),
                    problem,
                })
            }
        }
    }
}

/// The tokens that begin at most so many characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut<'a> {
    planes: &'a [U32],
    row_words: usize,
    long: &'a [U32],
    left: u32,
}

impl<'a> Cut<'a> {
    /// The numbers of the planes in the vocabulary.
    pub const PLANES: core::ops::Range<u32> = ALL_PLANES;

    /// Whether only the long tokens can be too long.
    const fn is_of_long_tokens(&self) -> bool {
        self.left >= MANY
    }

    /// The tokens that are too long, if these are among the long ones.
    fn too_long(&self) -> impl Iterator<Item = TokenId> + use<'a> {
        let left = self.left;
        let tokens = self.long.iter().map(|token| token.get()).take_while(move |token| token >> 24 > left);
        tokens.map(|token| TokenId(token & 0xff_ffff))
    }

    /// Takes the tokens that are too long out of a row.
    pub fn apply(&self, row: &mut [u32]) {
        if self.is_of_long_tokens() {
            for TokenId(token) in self.too_long() {
                if let Some(word) = row.get_mut(token as usize / 32) {
                    *word &= !(1 << (token % 32));
                }
            }
            return;
        }
        let [b0, b1, b2, b3, many] = self.rows();
        let planes = b0.iter().zip(b1).zip(b2).zip(b3).zip(many);
        for (word, ((((b0, b1), b2), b3), many)) in row.iter_mut().zip(planes) {
            *word &= fitting(self.left, [b0, b1, b2, b3, many].map(|plane| plane.get()));
        }
    }

    /// Whether a token fits.
    #[must_use]
    pub fn allows(&self, token: TokenId) -> bool {
        if self.is_of_long_tokens() {
            return self.too_long().all(|long| long != token);
        }
        self.word(token.0 / 32) >> (token.0 % 32) & 1 == 1
    }

    /// The tokens that fit, in a word of a bitmap.
    #[must_use]
    pub fn word(&self, index: u32) -> u32 {
        if self.is_of_long_tokens() {
            let here = self.too_long().filter(|token| token.0 / 32 == index);
            return !here.fold(0, |word, token| word | 1 << (token.0 % 32));
        }
        fitting(self.left, self.rows().map(|plane| plane.get(index as usize).map_or(0, |word| word.get())))
    }

    fn rows(&self) -> [&'a [U32]; PLANES as usize] {
        core::array::from_fn(|plane| {
            let start = plane * self.row_words;
            self.planes.get(start..start + self.row_words).unwrap_or_default()
        })
    }
}

/// The tokens whose numbers of characters, bit by bit, are at most `left`, which is less than [`MANY`].
#[inline]
fn fitting(left: u32, [b0, b1, b2, b3, many]: [u32; PLANES as usize]) -> u32 {
    let (mut less, mut equal) = (0, !many);
    for (bit, plane) in [(3, b3), (2, b2), (1, b1), (0, b0)] {
        let of_left = 0_u32.wrapping_sub(left >> bit & 1);
        less |= equal & !plane & of_left;
        equal &= !(plane ^ of_left);
    }
    less | equal
}
