//! Arrays with `uniqueItems` over items of any value, beside a reader of their beginnings.
//!
//! The reader takes its definition from RFC 8259 and from JSON Schema: a beginning of such an array goes on if it is a beginning of a JSON text in which no object in an
//! item has a key twice, and no two items are equal. It knows compact texts of few characters, and shares nothing with the compiler. Equality of values is that of `serde_json`.

use crate::distinct::{Definition, Outcome, Report, compare_by};
use crate::subject::Way;
use crate::{Token, Vocabulary};
use gcc_grammar_json_schema::{Options, Strings};
use gcc_grammar_random::Random;
use serde_json::Value;
use std::collections::BTreeSet;

/// The array of different items.
struct Items;

/// How far a value goes.
enum Read {
    /// It ends here.
    Whole(usize),
    /// It is the beginning of one.
    Begun,
    /// It is none.
    Wrong,
}

const WORDS: [&str; 3] = ["true", "false", "null"];

/// Reads a value from `at` on. `others` are the values from which it must differ.
fn value(text: &[u8], at: usize, others: &[Value]) -> Read {
    let read = match text.get(at) {
        None => return Read::Begun,
        Some(b'"') => string(text, at),
        Some(b'0'..=b'9') => {
            let end = (at..text.len()).find(|&end| !text[end].is_ascii_digit());
            return match (text[at], end) {
                (b'0', _) if text.get(at + 1).is_some_and(u8::is_ascii_digit) => Read::Wrong,
                (b'0', None) if others.contains(&Value::from(0)) => Read::Wrong,
                (_, None) => Read::Begun,
                (_, Some(end)) => differing(text, (at, end), others),
            };
        }
        Some(b'[') => array(text, at, None),
        Some(b'{') => object(text, at),
        Some(_) => return word(text, at, others),
    };
    match read {
        Read::Whole(end) => differing(text, (at, end), others),
        read => read,
    }
}

/// A value that differs from some.
fn differing(text: &[u8], (at, end): (usize, usize), others: &[Value]) -> Read {
    let value: Value = serde_json::from_slice(&text[at..end]).expect("a value");
    if others.contains(&value) { Read::Wrong } else { Read::Whole(end) }
}

fn word(text: &[u8], at: usize, others: &[Value]) -> Read {
    let rest = &text[at..];
    for word in WORDS {
        let value: Value = serde_json::from_str(word).expect("a value");
        if others.contains(&value) {
            continue;
        }
        if rest.starts_with(word.as_bytes()) {
            return Read::Whole(at + word.len());
        }
        if word.as_bytes().starts_with(rest) {
            return Read::Begun;
        }
    }
    Read::Wrong
}

/// Strings of the characters of the vocabulary, with escapes that JSON has for one character.
fn string(text: &[u8], at: usize) -> Read {
    let mut next = at + 1;
    loop {
        match text.get(next) {
            None => return Read::Begun,
            Some(b'"') => return Read::Whole(next + 1),
            Some(b'\\') => match text.get(next + 1) {
                None => return Read::Begun,
                Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b't') => next += 2,
                Some(_) => return Read::Wrong,
            },
            Some(_) => next += 1,
        }
    }
}

/// Reads an array, perhaps one whose items differ.
fn array(text: &[u8], at: usize, mut items: Option<Vec<Value>>) -> Read {
    let mut next = at + 1;
    if text.get(next) == Some(&b']') {
        return Read::Whole(next + 1);
    }
    loop {
        match value(text, next, items.as_deref().unwrap_or_default()) {
            Read::Whole(end) => {
                let value = serde_json::from_slice(&text[next..end]).expect("a value");
                items.iter_mut().for_each(|items| items.push(Value::clone(&value)));
                next = end;
            }
            read => return read,
        }
        match text.get(next) {
            None => return Read::Begun,
            Some(b',') => next += 1,
            Some(b']') => return Read::Whole(next + 1),
            Some(_) => return Read::Wrong,
        }
    }
}

fn object(text: &[u8], at: usize) -> Read {
    let (mut next, mut keys) = (at + 1, BTreeSet::new());
    if text.get(next) == Some(&b'}') {
        return Read::Whole(next + 1);
    }
    loop {
        match text.get(next) {
            None => return Read::Begun,
            Some(b'"') => {}
            Some(_) => return Read::Wrong,
        }
        match string(text, next) {
            Read::Whole(end) if keys.insert(&text[next..end]) => next = end,
            Read::Whole(_) => return Read::Wrong,
            read => return read,
        }
        match text.get(next) {
            None => return Read::Begun,
            Some(b':') => next += 1,
            Some(_) => return Read::Wrong,
        }
        match value(text, next, &[]) {
            Read::Whole(end) => next = end,
            read => return read,
        }
        match text.get(next) {
            None => return Read::Begun,
            Some(b',') => next += 1,
            Some(b'}') => return Read::Whole(next + 1),
            Some(_) => return Read::Wrong,
        }
    }
}

impl Items {
    fn read(text: &[u8]) -> Read {
        match text.first() {
            None => Read::Begun,
            Some(b'[') => array(text, 0, Some(Vec::new())),
            Some(_) => Read::Wrong,
        }
    }
}

impl Definition for Items {
    fn continues(&self, _: &[u8], longer: &[u8]) -> Option<bool> {
        Some(match Self::read(longer) {
            Read::Whole(end) => end == longer.len(),
            Read::Begun => true,
            Read::Wrong => false,
        })
    }

    fn is_document(&self, text: &[u8]) -> Option<bool> {
        Some(matches!(Self::read(text), Read::Whole(end) if end == text.len()))
    }
}

/// A vocabulary of punctuation, short texts, and random sequences of them. No number has a sign, a point or an exponent.
fn vocabulary(random: &mut Random) -> Vocabulary {
    const PIECES: [&str; 20] = [
        "[", "]", "{", "}", ",", ":", "\"", "a", "b", "1", "2", "0", "true", "fal", "se", "null", "\\",
        "\"a\"", "\"b\":", "{\"a\":1",
    ];
    let mut texts: BTreeSet<String> = PIECES.iter().map(|&piece| piece.to_owned()).collect();
    for _ in 0..random.between(10, 60) {
        let count = random.between(2, 5);
        texts.insert((0..count).map(|_| *random.pick(&PIECES)).collect());
    }
    let mut tokens: Vec<Token> = texts.into_iter().map(|text| Token::Text(text.into_bytes())).collect();
    let end = tokens.len() as u32;
    tokens.push(Token::Special("<end>".to_owned()));
    Vocabulary { tokens, end: vec![end], padding: 0 }
}

/// Compares the masks of a random vocabulary along random walks.
#[must_use]
pub fn try_sample(seed: u64) -> Outcome {
    const SCHEMAS: [&str; 4] = [
        r#"{"type":"array","uniqueItems":true}"#,
        r#"{"type":"array","uniqueItems":true,"items":{}}"#,
        r#"{"type":"array","uniqueItems":true,"items":true}"#,
        r#"{"type":"array","uniqueItems":true,"items":{"anyOf":[{"type":["object","array"]},true]}}"#,
    ];
    let mut random = Random::new(seed);
    let whitespace = "compact".parse().expect("a known word");
    let options = Options { whitespace, strings: Strings::Canonical, ..Options::default() };
    let vocabulary = vocabulary(&mut random);
    let schema = *random.pick(&SCHEMAS);
    compare_by(schema, &options, &Items, &vocabulary, &mut random, Way::of_seed(seed))
}

/// Compares the samples of these seeds.
#[must_use]
pub fn campaign(seeds: std::ops::Range<u64>) -> Report {
    Report::of(seeds, try_sample)
}
