//! Texts that are repeated, beside readers of their beginnings.
//!
//! The readers are written by hand, and share nothing with the compiler. Each knows the beginnings of the texts of one grammar.

use crate::distinct::{Definition, Outcome, Report, compare_grammar};
use crate::subject::Way;
use crate::{Token, Vocabulary};
use gcc_grammar_notations::lark::{self, Lexer};
use gcc_grammar_random::Random;
use std::collections::BTreeSet;

/// A grammar, its lexer, the reader of its texts, and the pieces of tokens.
struct Case {
    grammar: &'static str,
    lexer: Lexer,
    /// How far a text goes: whether it is the beginning of one, and whether it is a whole one.
    read: fn(&[u8]) -> (bool, bool),
    pieces: &'static [&'static str],
}

const TAGS: &str = r#"start: element
element: "<" TAG (">" (element | TEXT)* "</" END_TAG ">" | "/>")
TAG: /[ab]+/
END_TAG: /[ab]+/
TEXT: /[abc]+/
%same TAG END_TAG "/>"
"#;

const SPACED_TAGS: &str = r#"start: start_tag (start | TEXT)* end_tag | "<" TAG "/>"
start_tag: "<" TAG ">"
end_tag: "<" "/" END_TAG ">"
TAG: /[ab]+/
END_TAG: /[ab]+/
TEXT: /c+/
%ignore / +/
%same TAG END_TAG "/>"
"#;

const WORDS: &str = r#"start: FIRST REST? "c" AGAIN
FIRST: /[ab]+/
REST: /[ab]+/
AGAIN: /[ab]+/
%same FIRST AGAIN
"#;

const TWO_KINDS: &str = r#"start: (value ",")* value
value: ROUND "(" value? ")" END_ROUND | SQUARE "[" value? "]" END_SQUARE
ROUND: /a[ab]*/
END_ROUND: /[ab]+/
SQUARE: /b[ab]?/
END_SQUARE: /b[ab]?/
%same ROUND END_ROUND
%same SQUARE END_SQUARE
"#;

const CASES: [Case; 5] = [
    Case {
        grammar: TAGS,
        lexer: Lexer::Contextual,
        read: |text| tags(text, false),
        pieces: &["<", ">", "/", "a", "b", "c", "</", "/>", "><", "></", "ab"],
    },
    Case {
        grammar: SPACED_TAGS,
        lexer: Lexer::Contextual,
        read: |text| tags(text, true),
        pieces: &["<", ">", "/", "a", "b", "c", " ", "</", "/>", "><", "></", "ab", "  ", "/ "],
    },
    Case { grammar: WORDS, lexer: Lexer::Dynamic, read: words, pieces: &["a", "b", "c", "ab", "ba", "aca"] },
    Case {
        grammar: TWO_KINDS,
        lexer: Lexer::Contextual,
        read: kinds,
        pieces: &["a", "b", "(", ")", "[", "]", ",", "()", "[]", "ab", "b["],
    },
    Case {
        grammar: TWO_KINDS,
        lexer: Lexer::Dynamic,
        read: kinds,
        pieces: &["a", "b", "(", ")", "[", "]", ",", "()", "[]", "ab", "b["],
    },
];

/// Where a text with tags is.
enum Place<'t> {
    /// In front of the first tag, behind so many tags that are open.
    Text,
    /// Behind `<`.
    Open,
    /// In a name, or behind it.
    Name { name: &'t [u8], has_ended: bool },
    /// Behind the slash of a tag without content.
    Slash,
    /// Behind `</`, with what is written of the name.
    End { name: &'t [u8], has_ended: bool },
}

/// Elements, perhaps with spaces between lexemes.
fn tags(text: &[u8], spaced: bool) -> (bool, bool) {
    let (mut open, mut place): (Vec<&[u8]>, _) = (Vec::new(), Place::Text);
    let mut is_done = false;
    for (at, &byte) in text.iter().enumerate() {
        let is_letter = matches!(byte, b'a' | b'b');
        let is_space = spaced && byte == b' ';
        place = match place {
            Place::Text if is_space => Place::Text,
            Place::Text if byte == b'<' && !is_done => Place::Open,
            Place::Text if !open.is_empty() && (byte == b'c' || is_letter && !spaced) => Place::Text,
            Place::Open if is_letter => Place::Name { name: &text[at..=at], has_ended: false },
            Place::Open if is_space => Place::Open,
            Place::Open if byte == b'/' && !open.is_empty() => Place::End { name: &[], has_ended: false },
            Place::Name { name, has_ended: false } if is_letter => {
                Place::Name { name: &text[at - name.len()..=at], has_ended: false }
            }
            Place::Name { name, .. } if is_space => Place::Name { name, has_ended: true },
            Place::Name { name, .. } if byte == b'>' => {
                open.push(name);
                Place::Text
            }
            Place::Name { .. } if byte == b'/' => Place::Slash,
            Place::Slash if byte == b'>' => {
                is_done = open.is_empty();
                Place::Text
            }
            Place::End { name, has_ended: false } if is_letter => {
                let name = &text[at - name.len()..=at];
                if !open.last().is_some_and(|open| open.starts_with(name)) {
                    return (false, false);
                }
                Place::End { name, has_ended: false }
            }
            Place::End { name: [], .. } if is_space => Place::End { name: &[], has_ended: false },
            Place::End { name, .. } if is_space && open.last() == Some(&name) => {
                Place::End { name, has_ended: true }
            }
            Place::End { name, .. } if byte == b'>' && open.last() == Some(&name) => {
                open.pop();
                is_done = open.is_empty();
                Place::Text
            }
            _ => return (false, false),
        };
    }
    (true, is_done)
}

/// A word, then `c`, then a beginning of the word: where the first part of the word ends is open.
fn words(text: &[u8]) -> (bool, bool) {
    let is_word = |text: &[u8]| text.iter().all(|byte| matches!(byte, b'a' | b'b'));
    match text.iter().position(|&byte| byte == b'c') {
        None => (is_word(text), false),
        Some(middle) => {
            let (word, again) = (&text[..middle], &text[middle + 1..]);
            let begins = middle > 0 && is_word(word) && word.starts_with(again);
            (begins, begins && !again.is_empty())
        }
    }
}

/// Names in front of brackets, and again behind them. A name that begins with `a` has round ones.
fn kinds(text: &[u8]) -> (bool, bool) {
    let (mut open, mut name, mut closing): (Vec<&[u8]>, &[u8], Option<usize>) = (Vec::new(), &[], None);
    // Whether a value, or a value or a closing bracket, comes next.
    let (mut is_value, mut may_close) = (true, false);
    for (at, &byte) in text.iter().enumerate() {
        if let Some(read) = closing {
            let expected = open[open.len() - 1];
            if read < expected.len() {
                if expected[read] != byte {
                    return (false, false);
                }
                closing = Some(read + 1);
                continue;
            }
            closing = None;
            open.pop();
            (is_value, may_close) = (false, true);
        }
        let round = name.first() == Some(&b'a');
        match byte {
            b'a' | b'b' if is_value => {
                name = &text[at - name.len()..=at];
                if name[0] == b'b' && name.len() > 2 {
                    return (false, false);
                }
                may_close = false;
            }
            b'(' | b'[' if !name.is_empty() && (byte == b'(') == round => {
                open.push(name);
                name = &[];
                (is_value, may_close) = (true, true);
            }
            b')' | b']' if may_close && name.is_empty() && !open.is_empty() => {
                if (byte == b')') != (open[open.len() - 1][0] == b'a') {
                    return (false, false);
                }
                closing = Some(0);
            }
            b',' if !is_value && open.is_empty() => (is_value, may_close) = (true, false),
            _ => return (false, false),
        }
    }
    let is_whole = open.len() == 1 && closing == Some(open[0].len());
    (true, is_whole)
}

impl Definition for Case {
    fn continues(&self, _: &[u8], longer: &[u8]) -> Option<bool> {
        Some((self.read)(longer).0)
    }

    fn is_document(&self, text: &[u8]) -> Option<bool> {
        Some((self.read)(text).1)
    }
}

/// A vocabulary of pieces, and random sequences of them.
fn vocabulary(pieces: &[&str], random: &mut Random) -> Vocabulary {
    let mut texts: BTreeSet<String> = pieces.iter().map(|&piece| piece.to_owned()).collect();
    for _ in 0..random.between(10, 60) {
        let count = random.between(2, 6);
        texts.insert((0..count).map(|_| *random.pick(pieces)).collect());
    }
    let mut tokens: Vec<Token> = texts.into_iter().map(|text| Token::Text(text.into_bytes())).collect();
    let end = tokens.len() as u32;
    tokens.push(Token::Special("<end>".to_owned()));
    Vocabulary { tokens, end: vec![end], padding: 0 }
}

/// Compares the masks of a random vocabulary along random walks.
///
/// # Panics
/// If a grammar is refused.
#[must_use]
pub fn try_sample(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let case = &CASES[(seed / Way::ALL.len() as u64) as usize % CASES.len()];
    let vocabulary = vocabulary(case.pieces, &mut random);
    let options = lark::Options { lexer: case.lexer, ..lark::Options::default() };
    let grammar = lark::parse_with(case.grammar, &options).expect("a grammar").grammar;
    compare_grammar((case.grammar, &grammar), case, &vocabulary, &mut random, Way::of_seed(seed))
}

/// Compares the samples of these seeds.
#[must_use]
pub fn campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, try_sample)
}
