//! Mutations of texts in a notation: words, numbers, strings, spaces and brackets are the pieces.

use super::{bytes, cut};
use gcc_grammar_tests::generate::Random;

/// Pieces that mean something in some notation.
const PIECES: [&str; 84] = [
    "|",
    "*",
    "+",
    "?",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{2,3}",
    "{0,}",
    "{3}",
    "~2..4",
    "..",
    ".",
    "^",
    "$",
    "::=",
    ":",
    "->",
    ",",
    "=",
    "\n",
    " ",
    "\\",
    "\"",
    "/",
    "!",
    "~",
    "&",
    "<",
    ">",
    "<[*]>",
    "<|end|>",
    "<[3]>",
    "\"a\"",
    "\"ab\"i",
    "/[a-c]+/",
    "/./s",
    "[^a]",
    "[a-z]",
    "\\n",
    "\\u00e9",
    "\\u{1F600}",
    "\\xff",
    "\\p{L}",
    "\\d",
    "\\b",
    "(?i)",
    "(?:",
    "(?=",
    "(?!",
    "(?P<x>",
    "(?<",
    "é",
    "\u{1F600}",
    "\u{0}",
    "\r",
    "%ignore",
    "%import common.NUMBER\n",
    "%declare A\n",
    "%llguidance {}\n",
    "%json {\"type\": \"integer\"}",
    "%regex {\"substring_words\": \"a b\"}",
    "%left \"+\"\n",
    "%right",
    "%prec",
    "%basic\n",
    "%word NAME\n",
    "%after A : B\n",
    "%never",
    "%layout",
    "%enclose",
    "%contextual",
    "%verbatim",
    "[stop=\"b\"]",
    "[lazy]",
    "[capture]",
    "TagDispatch((\"a\", root))",
    "Regex(\"a+\")",
    "Token(3)",
    "ExcludeToken(3)*",
    "// x\n",
];

/// Numbers of repetitions, lengths and priorities. The large ones are those at which a number no longer fits.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "15",
    "31",
    "32",
    "33",
    "64",
    "100",
    "-1",
    "0.5",
    "1000000000",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999",
];

/// Mutates a text. It need not be valid UTF-8 afterwards.
pub fn mutate(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let Ok(text) = str::from_utf8(input) else { return bytes::mutate(random, input, pool) };
    if text.is_empty() || random.chance(5) {
        return bytes::mutate(random, input, pool);
    }
    let mut pieces = pieces(text);
    let at = random.below(pieces.len());
    match random.below(9) {
        0 => drop(pieces.remove(at)),
        1 => pieces.insert(at, *random.pick(&PIECES)),
        2 => pieces[at] = *random.pick(&PIECES),
        3 => {
            let other = random.below(pieces.len());
            pieces.swap(at, other);
        }
        4 => {
            let other = random.below(pieces.len());
            pieces[at] = pieces[other];
        }
        5 => replace_number(random, &mut pieces, at),
        6 => repeat(random, &mut pieces, at),
        7 => nest(random, &mut pieces, at),
        _ => {
            let other = random.pick(pool).as_slice();
            let other = str::from_utf8(other).map(self::pieces).unwrap_or_default();
            let start = random.below(other.len() + 1);
            let count = random.below((other.len() - start).min(12) + 1);
            drop(pieces.splice(at..at, other[start..start + count].iter().copied()));
        }
    }
    cut(pieces.concat().into_bytes())
}

/// Cuts a text into words, numbers, runs of spaces, and single other characters.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '_' => 1,
        '0'..='9' => 2,
        ' ' | '\t' => 3,
        _ => 0,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let this = class(c);
        if last.is_some_and(|last| last != this || this == 0) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(this);
    }
    pieces.push(&text[start..]);
    pieces
}

/// Replaces the next number, or the piece if there is none.
fn replace_number(random: &mut Random, pieces: &mut [&str], at: usize) {
    let is_number = |piece: &&str| piece.starts_with(|c: char| c.is_ascii_digit());
    let found = pieces[at..].iter().position(is_number).map_or(at, |offset| at + offset);
    pieces[found] = *random.pick(&NUMBERS);
}

/// Repeats some pieces.
fn repeat(random: &mut Random, pieces: &mut Vec<&str>, at: usize) {
    let end = (at + random.between(1, 12)).min(pieces.len());
    let repeated = pieces[at..end].repeat(random.between(1, 4));
    drop(pieces.splice(at..at, repeated));
}

/// Puts some pieces into brackets, sometimes into many.
fn nest(random: &mut Random, pieces: &mut Vec<&str>, at: usize) {
    let end = (at + random.between(1, 6)).min(pieces.len());
    let (open, close) = *random.pick(&[
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("\"", "\""),
        ("(", ")?"),
        ("(?:", ")*"),
        ("/", "/"),
    ]);
    let depth = if random.chance(90) { 1 } else { random.between(2, 400) };
    drop(pieces.splice(end..end, std::iter::repeat_n(close, depth)));
    drop(pieces.splice(at..at, std::iter::repeat_n(open, depth)));
}
