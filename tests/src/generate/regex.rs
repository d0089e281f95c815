//! Generates random regular expressions. They are short and use few letters, so that terminals overlap.

use gcc_grammar_random::Random;
use gcc_grammar_regular::{ByteSet, CharSet, RegularLimits};
use gcc_grammar_regular::{Dfa, Regex};
use std::sync::Arc;

/// Parts of JSON strings.
const IN_STRINGS: [&[u8]; 12] = [
    b"a",
    b"b",
    b"n",
    b"\\",
    b"\\n",
    b"\\\"",
    b"\\u",
    b"00e9",
    b"\\u00e9",
    b"\\ud83d\\ude00",
    "é".as_bytes(),
    b"\\ud8",
];
/// The letters of all grammars: ASCII, characters of two and three bytes with common prefixes, and bytes that are not UTF-8.
const LETTERS: [&[u8]; 10] =
    [b"a", b"b", b"c", b"1", b".", b" ", b"\n", "é".as_bytes(), "è".as_bytes(), &[0xFF]];

/// Letters of several bytes, whose bytes also occur in other letters: if one is missing, all its bytes may still be there.
const CHARACTERS: [&[u8]; 9] = [
    b"a",
    b"b",
    b" ",
    "é".as_bytes(),
    "è".as_bytes(),
    "ĩ".as_bytes(),
    "Ĩ".as_bytes(),
    "₩".as_bytes(),
    "₨".as_bytes(),
];

/// Chooses the letters of a grammar.
pub(super) fn alphabet(random: &mut Random) -> Vec<&'static [u8]> {
    choose(random, &LETTERS)
}

/// Letters of JSON strings, with quotes, whole escapes and parts of them.
pub(super) fn in_strings(random: &mut Random) -> Vec<&'static [u8]> {
    let mut letters = choose(random, &IN_STRINGS);
    letters.push(b"\"");
    letters
}

/// Chooses the letters of a grammar among characters.
pub(super) fn characters(random: &mut Random) -> Vec<&'static [u8]> {
    choose(random, &CHARACTERS)
}

fn choose(random: &mut Random, letters: &[&'static [u8]]) -> Vec<&'static [u8]> {
    let mut letters = letters.to_vec();
    while letters.len() > 5 || (letters.len() > 1 && random.chance(30)) {
        letters.remove(random.below(letters.len()));
    }
    letters
}

/// Generates a string of one to three letters.
pub(super) fn literal(random: &mut Random, letters: &[&[u8]]) -> Vec<u8> {
    (0..random.between(1, 3)).flat_map(|_| random.pick(letters).to_vec()).collect()
}

/// Generates a regular expression. It may match the empty string, or no string.
pub(super) fn regex(random: &mut Random, letters: &[&[u8]], depth: usize) -> Regex {
    if depth == 0 || random.chance(30) {
        return leaf(random, letters);
    }
    let inner = |random: &mut Random| regex(random, letters, depth - 1);
    match random.below(20) {
        0..8 => Regex::Concat((0..random.between(1, 3)).map(|_| inner(random)).collect()),
        8..12 => Regex::Union((0..random.between(1, 3)).map(|_| inner(random)).collect()),
        12..17 => {
            // Large counts give lexer states that differ only in a count.
            let bounds =
                [(0, None), (1, None), (0, Some(1)), (1, Some(2)), (2, Some(2)), (2, Some(4)), (0, Some(7))];
            let (min, max) = *random.pick(&bounds);
            Regex::Repeat { inner: Box::new(inner(random)), min, max }
        }
        17 => Regex::Intersect(vec![inner(random), inner(random)]),
        18 => Regex::Intersect(vec![short(random, letters), Regex::Complement(Box::new(inner(random)))]),
        _ => Regex::Automaton(Arc::new(automaton(&inner(random)))),
    }
}

fn leaf(random: &mut Random, letters: &[&[u8]]) -> Regex {
    match random.below(10) {
        0..5 => Regex::Literal(literal(random, letters)),
        5..8 => Regex::Chars(chars(random, letters)),
        8 => Regex::Bytes(bytes(random, letters)),
        _ => Regex::Chars(CharSet(vec![(0x61, 0x7A), (0xE0, 0xFF)])),
    }
}

/// Generates an expression of strings of a few letters.
fn short(random: &mut Random, letters: &[&[u8]]) -> Regex {
    let letters = letters.iter().map(|letter| Regex::Literal(letter.to_vec())).collect();
    Regex::Repeat {
        inner: Box::new(Regex::Union(letters)),
        min: 1,
        max: *random.pick(&[None, Some(2), Some(3)]),
    }
}

fn chars(random: &mut Random, letters: &[&[u8]]) -> CharSet {
    let known = letters.iter().filter(|_| random.chance(50));
    let known = known.filter_map(|letter| std::str::from_utf8(letter).ok()).flat_map(str::chars);
    CharSet::new(known.map(|c| (u32::from(c), u32::from(c) + 1)))
}

fn bytes(random: &mut Random, letters: &[&[u8]]) -> ByteSet {
    letters.iter().flat_map(|letter| letter.iter().copied()).filter(|_| random.chance(50)).collect()
}

/// Turns an expression into an automaton, unless that needs too many states.
fn automaton(regex: &Regex) -> Dfa {
    regex.to_dfa(&RegularLimits::default()).unwrap_or_else(|_| Dfa::never())
}
