//! Canonical texts: which tokens can a tokenizer write, and what may follow the tokens so far?
//!
//! A sequence of tokens is *canonical* if it is what the tokenizer cuts from its text. A pattern cuts the text into pieces first ([`cuts`]), then the bytes of each piece
//! are merged ([`pairs`]). So a sequence is canonical if and only if its pieces are those of the pattern, and within each piece all neighbours
//! are left apart by merging. Texts of added tokens are cut out before that ([`added`]), and some tokens that merging does not make stand for pieces ([`wholes`]).
//!
//! [`Canonical::begin`] and [`Canonical::push`] give the state of a sequence, which holds what can be the case: where the last piece ends may depend on what follows.
//! [`Canonical::restrict`] takes the tokens out of a mask that no canonical sequence goes on with. What is left is exact: for each of these tokens, some text of the model's
//! vocabulary goes on so that the tokenizer writes just these tokens.
//!
//! It is there for tokenizers with ranks: those of the built-in vocabularies, files with the same tokens, and Mistral's tekken. Source of the pairs: Berglund, van der Merwe, "Formalizing
//! BPE tokenization" (2023); the state of texts and cuts is ours.

mod added;
mod cuts;
mod pairs;
mod pattern;
mod wholes;

use added::Texts;
use cuts::Cuts;
use gcc_grammar_vocabulary::Vocabulary;
use pairs::Pairs;
use pattern::{Classes, Pattern};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use wholes::{BEGIN, Part, WHOLE, Wholes};

/// Sets of tokens that are kept, at most; then they are made again.
const MOST_KEPT: usize = 1024;
/// The bytes of a character, at most.
const LONGEST_CHARACTER: usize = 4;

/// What can be the case behind some tokens.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CanonicalState {
    /// States of the cuts.
    places: Vec<Place>,
    /// The first bytes of a character that is not complete.
    open: Vec<u8>,
    /// The beginning of the text of an added token.
    added: u16,
    /// The last token of the text; none at its beginning.
    last: Option<u32>,
}

/// A state of the cuts, whether there is a cut in front of the character that is not complete, and the place in the piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
struct Place {
    state: u32,
    cut: bool,
    part: Part,
}

/// Where a walk over the bytes of a token is. What can follow depends on nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Walk {
    place: Place,
    open: [u8; LONGEST_CHARACTER],
    length: usize,
    added: u16,
}

/// A set of tokens: token t is bit t % 32 of word t / 32.
type Set = Arc<[u32]>;

/// The tables of a vocabulary.
pub struct Canonical {
    pattern: Pattern,
    cuts: Cuts,
    pairs: Pairs,
    wholes: Wholes,
    texts: Texts,
    /// The tokens with a rank.
    ranked: Vec<u32>,
    /// Tokens that continue a text, by what they follow.
    continuing: Mutex<FxHashMap<Walk, Set>>,
    /// Tokens that do not stay apart from a token in front of them.
    merged: Mutex<FxHashMap<u32, Set>>,
}

impl Canonical {
    /// The tables of a tokenizer with a pattern, whose tokens have ranks in the order of their ids but for the added ones; none if the pattern is not understood.
    pub(crate) fn new(vocabulary: &Vocabulary, pattern: &str, added: &[u32]) -> Option<Self> {
        let pattern = Pattern::new(pattern)?;
        let cuts = Cuts::new(&pattern)?;
        let mut ranked = vec![0; vocabulary.width().div_ceil(32) as usize];
        let tokens = vocabulary.text_tokens().map(|(id, _)| id).filter(|id| !added.contains(id));
        tokens.for_each(|token| add(&mut ranked, token));
        let pairs = Pairs::new(vocabulary, |token| has(&ranked, token));
        let wholes = Wholes::new(&pairs, vocabulary)?;
        let texts: Vec<&[u8]> = added.iter().filter_map(|&id| vocabulary.bytes(id)).collect();
        let texts = Texts::new(&texts)?;
        let (continuing, merged) = Default::default();
        Some(Self { pattern, cuts, pairs, wholes, texts, ranked, continuing, merged })
    }

    /// The state at the beginning of a text.
    #[must_use]
    pub fn begin(&self) -> CanonicalState {
        let places = vec![Place { state: 0, cut: false, part: BEGIN }];
        CanonicalState { places, ..CanonicalState::default() }
    }

    /// Whether a state can be one of these tables: it may come from elsewhere.
    #[must_use]
    pub fn has(&self, state: &CanonicalState) -> bool {
        let CanonicalState { places, open, added, last } = state;
        places.iter().all(|place| {
            (place.state as usize) < self.cuts.len() && usize::from(place.part) < self.wholes.len()
        }) && open.len() < LONGEST_CHARACTER
            && usize::from(*added) < self.texts.len()
            && last.is_none_or(|last| self.is_text(last))
    }

    /// Whether a token is text that the pattern cuts: not a special or an added one.
    fn is_text(&self, token: u32) -> bool {
        has(&self.ranked, token)
    }

    /// Whether the tokenizer can end a text here: behind it come the end, a special token, or an added one.
    #[must_use]
    pub fn may_end(&self, state: &CanonicalState) -> bool {
        state.open.is_empty() && state.places.iter().any(|place| self.may_end_at(place))
    }

    fn may_end_at(&self, place: &Place) -> bool {
        self.cuts.may_end(place.state) && !self.wholes.ends(place.part)
    }

    /// The state behind a token; none if no canonical sequence has it here.
    #[must_use]
    pub fn push(
        &self,
        state: &CanonicalState,
        token: u32,
        vocabulary: &Vocabulary,
    ) -> Option<CanonicalState> {
        if !self.is_text(token) {
            return self.may_end(state).then(|| self.begin());
        }
        let bytes = vocabulary.bytes(token)?;
        let stays_apart = state.last.is_none_or(|last| self.pairs.stay_apart(last, token, vocabulary));
        let joining = self.walks(state, false).filter(|_| stays_apart);
        let ends = joining.chain(self.walks(state, true)).filter_map(|walk| {
            let end = bytes.iter().try_fold(walk, |walk, &byte| self.read(walk, byte))?;
            self.end(end, token)
        });
        let ends: Vec<Walk> = ends.collect();
        let Walk { open, length, added, .. } = *ends.first()?;
        let mut places: Vec<Place> = ends.iter().map(|end| end.place).collect();
        places.sort_unstable();
        places.dedup();
        Some(CanonicalState { places, open: open[..length].to_vec(), added, last: Some(token) })
    }

    /// Takes the tokens out of a mask that no canonical sequence has here.
    pub fn restrict(&self, state: &CanonicalState, row: &mut [u32], vocabulary: &Vocabulary) {
        let sets = |cut| -> Vec<Set> {
            self.walks(state, cut).map(|walk| self.continuing(walk, vocabulary)).collect()
        };
        let (joining, cut) = (sets(false), sets(true));
        let mut allowed = vec![0; row.len()];
        joining.iter().for_each(|set| combine(&mut allowed, set, |all, some| all | some));
        if let Some(last) = state.last {
            combine(&mut allowed, &self.merged(last, vocabulary), |all, merged| all & !merged);
        }
        cut.iter().for_each(|set| combine(&mut allowed, set, |all, some| all | some));
        if self.may_end(state) {
            combine(&mut allowed, &self.ranked, |all, ranked| all | !ranked);
        }
        combine(row, &allowed, |all, allowed| all & allowed);
    }

    /// The tokens whose bytes can be read from here.
    fn continuing(&self, walk: Walk, vocabulary: &Vocabulary) -> Set {
        let part = self.wholes.reduced(walk.place.part);
        let key = Walk { place: Place { part, ..walk.place }, ..walk };
        kept(&self.continuing, key, || {
            let mut set = vec![0; self.ranked.len()];
            let trie = vocabulary.trie();
            // The walks at the nodes above, by depth.
            let mut above = vec![walk];
            let mut node = 1;
            while node < trie.len() {
                above.truncate(usize::from(trie.nodes()[node as usize].depth));
                let read = above.last().and_then(|walk| self.read(*walk, trie.byte(node)));
                let Some(walk) = read else {
                    node = trie.subtree_end(node);
                    continue;
                };
                let tokens = &vocabulary.order()
                    [trie.tokens_at(node).start as usize..trie.tokens_at(node).end as usize];
                for &token in tokens.iter().filter(|&&token| self.is_text(token)) {
                    if self.end(walk, token).is_some() {
                        add(&mut set, token);
                    }
                }
                above.push(walk);
                node += 1;
            }
            set
        })
    }

    /// The tokens that do not stay apart from a token in front of them.
    fn merged(&self, last: u32, vocabulary: &Vocabulary) -> Set {
        kept(&self.merged, last, || {
            let mut set = vec![0; self.ranked.len()];
            self.pairs.merged_behind(last, vocabulary, |token| add(&mut set, token));
            set
        })
    }

    /// Reads a byte of a token.
    fn read(&self, walk: Walk, byte: u8) -> Option<Walk> {
        let Walk { place, mut open, length, added } = walk;
        let added = self.texts.step(added, byte)?;
        if length == 0 && byte.is_ascii() {
            let state = self.cuts.step(place.state, place.cut, self.pattern.alphabet.class(byte.into()))?;
            return Some(Walk { place: Place { state, cut: false, ..place }, added, ..walk });
        }
        *open.get_mut(length)? = byte;
        let length = length + 1;
        match str::from_utf8(&open[..length]) {
            Ok(text) => {
                let class = self.pattern.alphabet.class(text.chars().next()? as u32);
                let state = self.cuts.step(place.state, place.cut, class)?;
                Some(Walk {
                    place: Place { state, cut: false, ..place },
                    open: [0; LONGEST_CHARACTER],
                    length: 0,
                    added,
                })
            }
            Err(error) if error.error_len().is_none() => Some(Walk { place, open, length, added }),
            Err(_) => None,
        }
    }

    /// The walk behind a token whose bytes were read; none if nothing canonical follows.
    fn end(&self, mut walk: Walk, token: u32) -> Option<Walk> {
        let Walk { place, open, length, .. } = walk;
        let reads = |cut, classes| self.cuts.reads_some(place.state, cut, classes);
        let is_whole = self.wholes.has(token);
        walk.place.part = match is_whole {
            true => (place.part == BEGIN).then_some(WHOLE)?,
            false => self.wholes.step(place.part, token),
        };
        let is_alive = match (length, is_whole) {
            (0, true) => self.cuts.may_end(place.state) || reads(true, Classes::MAX),
            (0, false) => !self.wholes.ends(walk.place.part) || reads(false, Classes::MAX),
            (_, true) => false,
            (_, false) => reads(place.cut, self.classes_of(&open[..length])),
        };
        is_alive.then_some(walk)
    }

    /// The walks that begin in a state, with a cut in front of the next token or without.
    fn walks(&self, state: &CanonicalState, cut: bool) -> impl Iterator<Item = Walk> {
        let may_cut = state.open.is_empty() && state.last.is_some();
        let is_possible = move |place: &&Place| match cut {
            true => may_cut && !self.wholes.ends(place.part),
            false => place.part != WHOLE,
        };
        state.places.iter().filter(is_possible).map(move |&place| {
            let mut open = [0; LONGEST_CHARACTER];
            open[..state.open.len()].copy_from_slice(&state.open);
            let place = if cut { Place { cut, part: BEGIN, ..place } } else { place };
            Walk { place, open, length: state.open.len(), added: state.added }
        })
    }

    /// The classes of the characters that begin with these bytes.
    fn classes_of(&self, open: &[u8]) -> Classes {
        let length = match open[0] {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let lead = u32::from(open[0]) & (0xff >> (length + 1));
        let bits = open[1..].iter().fold(lead, |bits, byte| bits << 6 | u32::from(byte & 0x3f));
        let missing = 6 * (length - open.len());
        let (first, last) = (bits << missing, ((bits + 1) << missing) - 1);
        // Not all of these are characters: overlong ones, surrogates, and what lies behind the last.
        let least = [0, 0, 0x80, 0x800, 0x10000][length];
        let (first, last) = (first.max(least), last.min(char::MAX as u32));
        let before = (first <= 0xd7ff).then(|| self.pattern.alphabet.classes(first..=last.min(0xd7ff)));
        let behind = (last >= 0xe000).then(|| self.pattern.alphabet.classes(first.max(0xe000)..=last));
        before.unwrap_or(0) | behind.unwrap_or(0)
    }
}

/// Combines a row with a set, word by word.
fn combine(row: &mut [u32], set: &[u32], operation: impl Fn(u32, u32) -> u32) {
    row.iter_mut().zip(set).for_each(|(word, &other)| *word = operation(*word, other));
}

fn has(set: &[u32], token: u32) -> bool {
    set.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
}

fn add(set: &mut [u32], token: u32) {
    set[token as usize / 32] |= 1 << (token % 32);
}

/// What a map has, or what is made for it. A map that is full is emptied.
fn kept<K: Eq + std::hash::Hash>(
    map: &Mutex<FxHashMap<K, Set>>,
    key: K,
    make: impl FnOnce() -> Vec<u32>,
) -> Set {
    let lock = || map.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(set) = lock().get(&key) {
        return Arc::clone(set);
    }
    let made: Set = make().into();
    let mut map = lock();
    if map.len() >= MOST_KEPT {
        map.clear();
    }
    map.insert(key, Arc::clone(&made));
    made
}

#[cfg(test)]
mod tests;
