//! Base bitmaps: sets of tokens that are near to masks of many grammars, so that these need not have bitmaps of their own.
//!
//! In: a vocabulary. Out: [`Bases`], one for each of the [`contexts`], which are the beginnings of JSON texts: the tokens that may come next; and one
//! for each of the [`differences`] of such bases. Behind these come the planes of [`mod@characters`], and behind them the bases of later contexts.
//! They follow from the tokens alone. So equal vocabularies have equal bases, whether these were read from a compiled file or made when they
//! were first asked for. What a grammar refers to need not be a mask of any grammar: what differs is flipped.

mod characters;
mod contexts;
mod walk;

use characters::Characters;
use contexts::{Contexts, contexts, differences};
use walk::{ranges, without};

use crate::follows::Follows;
use crate::table::Table;
use crate::trie::Trie;
use gcc_grammar_artifact::VocabularyBases;
use gcc_grammar_artifact::bases::{ALL_PLANES, FIRST_PLANE, LongTokens};
use gcc_grammar_artifact::container::checksum;
use gcc_grammar_artifact::wire::{U32, words};
use std::sync::OnceLock;

/// The base bitmaps of a vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bases {
    // Invariants:
    // 1. words has as many bitmaps of row_words little-endian words as checksums has pairs of words, and offsets has one entry more.
    // 2. offsets are CSR offsets into ranges. The ranges of a base hold the ranks of the tokens in its bitmap.
    pub(crate) words: Table<u8>,
    pub(crate) checksums: Table<u8>,
    pub(crate) row_words: usize,
    pub(crate) offsets: Vec<u32>,
    pub(crate) ranges: Vec<(u32, u32)>,
    /// Per base: the number of its tokens.
    pub(crate) sizes: Vec<u32>,
    /// The section `long_tokens`, in little-endian words.
    pub(crate) long: Table<u8>,
}

impl Bases {
    /// The bases of the tokens `order`, which are those of the trie, in bitmaps of `width` bits.
    pub(crate) fn new(trie: &Trie, order: &[u32], width: u32) -> Self {
        let mut found: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        for Contexts { automaton, states } in contexts() {
            found.extend(states.iter().map(|&(number, state)| (number, ranges(trie, automaton, state))));
        }
        found.sort_unstable_by_key(|&(number, _)| number);
        let later = found.split_off(found.partition_point(|&(number, _)| number < FIRST_PLANE));
        let mut found: Vec<Vec<(u32, u32)>> = found.into_iter().map(|(_, ranges)| ranges).collect();
        for (whole, part) in differences() {
            found.push(without(&found[whole], &found[part]));
        }
        debug_assert_eq!(found.len(), FIRST_PLANE as usize);
        let Characters { planes, long } = Characters::new(trie, order);
        found.extend(planes);
        found.extend(later.into_iter().map(|(_, ranges)| ranges));
        let row_words = width.div_ceil(32) as usize;
        let (mut words, mut checksums) = (Vec::new(), Vec::new());
        let (mut offsets, mut all) = (vec![0], Vec::new());
        for ranges in found {
            let bitmap = bitmap(&ranges, order, row_words);
            checksums.extend(checksum(&bitmap).to_le_bytes());
            words.extend(bitmap);
            all.extend(ranges);
            offsets.push(all.len() as u32);
        }
        let long: Vec<u8> = long.into_iter().flat_map(u32::to_le_bytes).collect();
        Self {
            words: words.into(),
            checksums: checksums.into(),
            row_words,
            sizes: sizes(&offsets, &all),
            offsets,
            ranges: all,
            long: long.into(),
        }
    }

    /// The number of bases.
    #[must_use]
    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The bases that are near to masks, by number. The planes are none.
    pub fn near_masks(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(|&base| !ALL_PLANES.contains(&(base as u32)))
    }

    /// The ranks of the tokens in a base, as ranges that ascend and do not touch each other.
    #[must_use]
    pub fn ranges(&self, base: usize) -> &[(u32, u32)] {
        &self.ranges[self.offsets[base] as usize..self.offsets[base + 1] as usize]
    }

    /// The number of tokens in a base.
    #[must_use]
    pub fn size(&self, base: usize) -> u32 {
        self.sizes[base]
    }

    /// The bitmaps, as the runtime takes them.
    #[must_use]
    pub fn view(&self) -> VocabularyBases<'_> {
        let table = |bytes| words(bytes).unwrap_or_default();
        let bases = VocabularyBases::new(table(&self.words), table(&self.checksums), self.row_words);
        bases.unwrap_or_default().with_long_tokens(LongTokens::new(table(&self.long)))
    }
}

/// Per base: the number of its tokens. In a hostile file, ranges may overlap.
pub(crate) fn sizes(offsets: &[u32], ranges: &[(u32, u32)]) -> Vec<u32> {
    let ranges = |span: &[u32]| &ranges[span[0] as usize..span[1] as usize];
    let size = |span| ranges(span).iter().map(|&(low, high)| high - low).fold(0, u32::saturating_add);
    offsets.windows(2).map(size).collect()
}

/// The little-endian words of a bitmap with the tokens in ranges of ranks.
fn bitmap(ranges: &[(u32, u32)], order: &[u32], row_words: usize) -> Vec<u8> {
    let mut bytes = vec![0; row_words * size_of::<U32>()];
    for &token in ranges.iter().flat_map(|&(start, end)| &order[start as usize..end as usize]) {
        bytes[token as usize / 8] |= 1 << (token % 8);
    }
    bytes
}

/// The bases of a vocabulary, which are made when they are first asked for.
pub(crate) type LazyBases = Follows<OnceLock<Bases>>;

impl LazyBases {
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> Bases) -> &Bases {
        self.0.get_or_init(make)
    }
}

impl From<Bases> for LazyBases {
    fn from(bases: Bases) -> Self {
        Self(OnceLock::from(bases))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{SpecialToken, Vocabulary};
    use gcc_grammar_artifact::bases::{MANY, PLANES, TokenCharacters};
    use gcc_grammar_artifact::json_string::{Place, characters};

    fn vocabulary(tokens: &[&[u8]]) -> Vocabulary {
        let tokens: Vec<(u32, Vec<u8>)> = (0..).zip(tokens).map(|(id, token)| (id, token.to_vec())).collect();
        let end = tokens.len() as u32;
        let special = SpecialToken { id: end, text: "<end>".to_owned() };
        Vocabulary::from_tokens(tokens, vec![special], vec![end], end + 6).expect("a vocabulary")
    }

    fn tokens(vocabulary: &Vocabulary, base: usize) -> Vec<u32> {
        let bases = vocabulary.bases();
        let words = &bases.view().words()[base * bases.row_words..][..bases.row_words];
        let has = |&token: &u32| words[token as usize / 32].get() >> (token % 32) & 1 == 1;
        (0..bases.row_words as u32 * 32).filter(has).collect()
    }

    /// The definition, token by token.
    #[test]
    fn a_base_has_the_tokens_that_a_text_may_go_on_with() {
        let texts: [&[u8]; 22] = [
            b"a", b"\"", b"\\", b"\",", b"\":", b"\"}", b"}", b"},", b"]", b"[", b"1", b"12", b"d8", b"u",
            b" ", b"\n  ", b"\xc3", b"\xa9", b"true", b"\"a", b"\\n\"", b"\x07",
        ];
        let vocabulary = vocabulary(&texts);
        let mut count = 0;
        for Contexts { automaton, states } in contexts() {
            for &(base, state) in states {
                let is_allowed = |text: &[u8]| {
                    text.iter().try_fold(state, |state, &byte| automaton.next(state, byte)).is_some()
                };
                let allowed = (0..).zip(texts).filter(|(_, text)| is_allowed(text)).map(|(id, _)| id);
                let allowed: Vec<u32> = allowed.collect();
                assert_eq!(tokens(&vocabulary, base as usize), allowed, "base {base}");
                let by_rank =
                    vocabulary.bases().ranges(base as usize).iter().flat_map(|&(start, end)| start..end);
                let mut by_rank: Vec<u32> = by_rank.map(|rank| vocabulary.order()[rank as usize]).collect();
                by_rank.sort_unstable();
                assert_eq!(by_rank, allowed, "base {base}");
                count += 1;
            }
        }
        let planes = 2 * PLANES as usize;
        assert_eq!(vocabulary.bases().count(), count + differences().count() + planes);
        let first = FIRST_PLANE as usize - differences().count();
        for (base, (whole, part)) in (first..).zip(differences()) {
            let [whole, part] = [whole, part].map(|base| tokens(&vocabulary, base));
            let expected: Vec<u32> = whole.into_iter().filter(|token| !part.contains(token)).collect();
            assert_eq!(tokens(&vocabulary, base), expected, "base {base}");
        }
    }

    /// The definition, token by token: bits of numbers below 16 in planes, larger ones in a list.
    #[test]
    fn planes_and_lists_have_the_numbers_of_characters() {
        let long = [&[b'a'; 20][..], &[b'-'; 16], &[b'"'; 3], b"\"bbbbbbbbb"];
        let texts: [&[u8]; 9] = [
            b"a",
            b"\\",
            b"ab\\n\"",
            b"\"ab",
            b"n12345678901234",
            b"\xa9a",
            b"\\u00e9b",
            b"\x07",
            b"u00e9abc",
        ];
        let texts: Vec<&[u8]> = texts.into_iter().chain(long).collect();
        let vocabulary = vocabulary(&texts);
        let list = vocabulary.bases().view().long_tokens();
        assert!(list.are_countable());
        let behind: Vec<(u32, u32)> = list
            .behind_quote()
            .iter()
            .map(TokenCharacters::of)
            .map(|entry| (entry.token.0, entry.characters))
            .collect();
        assert_eq!(behind, [(12, 9), (3, 2)]);
        for (token, text) in (0..).zip(&texts) {
            let counts = [characters(text), Place::Escape.characters(text).unwrap_or(0)];
            for (escaped, count) in [false, true].into_iter().zip(counts) {
                let first = FIRST_PLANE + if escaped { PLANES } else { 0 };
                let has = |plane: u32| tokens(&vocabulary, (first + plane) as usize).contains(&token);
                let bits = (0..PLANES - 1).filter(|&bit| has(bit)).fold(0, |bits, bit| bits | 1 << bit);
                let listed =
                    list.list(escaped).iter().map(TokenCharacters::of).find(|entry| entry.token.0 == token);
                let found = if has(PLANES - 1) { listed.map_or(0, |entry| entry.characters) } else { bits };
                assert_eq!(found, count, "{text:?}");
                assert_eq!(listed.is_some(), count >= MANY, "{text:?}");
            }
        }
    }

    /// Artifacts name bases by number and checksum, so the sets never change. New ones come at the end.
    #[test]
    fn bases_stay_as_they_are() {
        let bytes: Vec<[u8; 1]> = (0..=255).map(|byte| [byte]).collect();
        let pairs: Vec<Vec<u8>> =
            (0..=127).flat_map(|a| [vec![a, b'"'], vec![b'"', a], vec![b'd', a]]).collect();
        let tokens: Vec<&[u8]> =
            bytes.iter().map(<[u8; 1]>::as_slice).chain(pairs.iter().map(Vec::as_slice)).collect();
        let vocabulary = vocabulary(&tokens);
        let view = vocabulary.bases().view();
        let all = |count: u32| {
            let checksums = (0..count).map(|base| view.checksum(base).expect("a base"));
            checksums.fold(0_u64, |all, checksum| all.rotate_left(7) ^ checksum)
        };
        assert_eq!(all(59), 7_401_711_665_036_666_388);
        assert_eq!(all(116), 10_634_662_153_268_039_193);
        assert_eq!(all(149), 15_711_142_085_432_572_782);
        assert_eq!(all(159), 11_770_046_732_703_673_736);
        assert_eq!(all(184), 15_658_043_317_779_246_963);
        assert_eq!(vocabulary.bases().count(), 184);
    }

    #[test]
    fn bases_follow_the_width_and_the_end_tokens() {
        let before = vocabulary(&[b"a", b"b", b"\""]);
        let base = (0..before.bases().count())
            .find(|&base| tokens(&before, base) == [0, 1, 2])
            .expect("in a string");
        let wider = before.clone().with_width(100).expect("wider");
        assert_eq!((wider.bases().row_words, tokens(&wider, base)), (4, vec![0, 1, 2]));
        let other = before.with_end_tokens(vec![1]).expect("an end token");
        assert_eq!(tokens(&other, base), [0, 2]);
    }
}
