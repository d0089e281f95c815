//! Generates random vocabularies. Tokens are parts of texts of the language, so that they span lexemes. There are also holes,
//! empty tokens, equal tokens, tokens that are not UTF-8, and padding.

use super::regex;
use crate::oracle::{Unit, recognizer};
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{Grammar, Pattern, TokenSelector};
use gcc_grammar_random::Random;

/// Generates special tokens, end tokens and holes. Ordinary tokens have no bytes yet.
pub(super) fn skeleton(random: &mut Random) -> Vocabulary {
    let count = if random.chance(3) { random.between(100, 400) } else { random.between(3, 40) };
    let mut tokens = vec![Token::Text(Vec::new()); count];
    let mut end = Vec::new();
    let ends = *random.pick(&[0, 1, 1, 1, 2, 2]);
    for index in 0..ends + random.below(4) {
        let place = random.below(tokens.len() + 1);
        tokens.insert(place, Token::Special(format!("<{index}>")));
    }
    if random.chance(20) {
        tokens.insert(random.below(tokens.len() + 1), Token::Hole);
    }
    for (id, token) in (0..).zip(&tokens) {
        if matches!(token, Token::Special(_)) && end.len() < ends {
            end.push(id);
        }
    }
    let padding = *random.pick(&[0, 0, 1, 31]);
    Vocabulary { tokens, end, padding }
}

/// Generates the bytes of ordinary tokens.
pub(super) fn fill(random: &mut Random, grammar: &Grammar, letters: &[&[u8]], vocabulary: &mut Vocabulary) {
    let texts: Vec<Vec<u8>> = (0..4).map(|_| sample(random, grammar, letters, vocabulary)).collect();
    let mut known: Vec<Vec<u8>> = vec![vec![b'a']];
    let named = named_ids(grammar);
    for (id, token) in (0..).zip(&mut vocabulary.tokens) {
        if let Token::Text(bytes) = token {
            *bytes = match random.below(100) {
                0..65 => {
                    let text = random.pick(&texts);
                    piece(random, text)
                }
                65..80 => random.pick(letters).to_vec(),
                80..90 => regex::literal(random, letters),
                90..94 => known[random.below(known.len())].clone(),
                94..98 => {
                    let letter = random.pick(letters);
                    vec![*random.pick(letter)]
                }
                98 => vec![u8::try_from(random.below(256)).expect("a byte")],
                _ => Vec::new(),
            };
            // No text has an empty token, so a grammar cannot name one.
            if bytes.is_empty() && named.contains(&id) {
                bytes.push(b'a');
            }
            known.push(bytes.clone());
        }
    }
}

/// Bytes of JSON strings that lead on in different ways, so that tokens spell all of them.
const BYTES_OF_STRINGS: &[u8] =
    b"\"\\ abcdef0123456789nuzADF\x80\x8f\x90\x9f\xa0\xa9\xbf\xc2\xc3\xe0\xe1\xed\xf0\xf1\xf4";

/// Generates the bytes of ordinary tokens, and mostly adds a token for each byte that matters in JSON strings.
pub(super) fn fill_for_strings(
    random: &mut Random,
    grammar: &Grammar,
    letters: &[&[u8]],
    vocabulary: &mut Vocabulary,
) {
    fill(random, grammar, letters, vocabulary);
    if random.chance(90) {
        vocabulary.tokens.extend(BYTES_OF_STRINGS.iter().map(|&byte| Token::Text(vec![byte])));
    }
}

/// The ids that the grammar names.
fn named_ids(grammar: &Grammar) -> Vec<u32> {
    let mut ids = Vec::new();
    let mut open: Vec<&TokenSelector> = Vec::new();
    for terminal in &grammar.terminals {
        if let Pattern::Token(selectors) = &terminal.pattern {
            open.extend(selectors);
        }
    }
    while let Some(selector) = open.pop() {
        match selector {
            TokenSelector::Ids(low, high) => ids.extend(*low..=*high),
            TokenSelector::AnyBut(except)
            | TokenSelector::SpecialBut(except)
            | TokenSelector::TextsBut(_, except) => open.extend(except),
            TokenSelector::Name(_) | TokenSelector::Matching(_) | TokenSelector::Spelled(_) => {}
        }
    }
    ids
}

/// Generates the bytes of ordinary tokens: they are made of whole letters, of which some may be missing and some may only come in
/// pairs. So most letters of several bytes have no tokens for their bytes.
pub(super) fn fill_with_units(
    random: &mut Random,
    grammar: &Grammar,
    letters: &[&[u8]],
    vocabulary: &mut Vocabulary,
) {
    let mut units: Vec<Vec<u8>> = letters.iter().map(|letter| letter.to_vec()).collect();
    while units.len() > 1 && random.chance(50) {
        units.remove(random.below(units.len()));
    }
    if random.chance(15) {
        let pair = [*random.pick(letters), *random.pick(letters)].concat();
        let replaced = random.below(units.len());
        units[replaced] = pair;
    }
    let texts: Vec<Vec<u8>> = (0..4).map(|_| sample(random, grammar, letters, vocabulary)).collect();
    let mut missing = units.clone();
    for token in &mut vocabulary.tokens {
        if let Token::Text(bytes) = token {
            *bytes = match missing.pop() {
                Some(unit) => unit,
                None if random.chance(60) => {
                    let text = random.pick(&texts);
                    whole_units(text, &units, random)
                }
                None => (0..random.between(1, 4)).flat_map(|_| random.pick(&units).clone()).collect(),
            };
        }
    }
}

/// A part of the text that is made of units, or a unit.
fn whole_units(text: &[u8], units: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut rest = &text[random.below(text.len() + 1)..];
    let mut part = Vec::new();
    for _ in 0..random.between(1, 5) {
        let Some(unit) = units.iter().find(|unit| rest.starts_with(unit)) else { break };
        part.extend(unit);
        rest = &rest[unit.len()..];
    }
    if part.is_empty() { random.pick(units).clone() } else { part }
}

/// A part of the text, or a letter if there is no text.
fn piece(random: &mut Random, text: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        return vec![b'a'];
    }
    let start = random.below(text.len());
    let longest = if random.chance(10) { text.len() } else { 6 };
    let length = random.between(1, longest).min(text.len() - start);
    text[start..start + length].to_vec()
}

/// Generates the start of a text of the language, letter by letter, without its special tokens.
fn sample(random: &mut Random, grammar: &Grammar, letters: &[&[u8]], vocabulary: &Vocabulary) -> Vec<u8> {
    let mut recognizer = recognizer(grammar, vocabulary, None);
    let letters: Vec<u8> = letters.iter().flat_map(|letter| letter.iter().copied()).collect();
    let mut units: Vec<Unit> = letters.into_iter().map(Unit::Byte).collect();
    units.extend((0..).zip(&vocabulary.tokens).map(|(id, _)| Unit::Token(id)).filter(|_| random.chance(30)));
    let mut text = Vec::new();
    for _ in 0..random.between(2, 14) {
        let viable: Vec<Unit> = units.iter().copied().filter(|&unit| recognizer.can_push(unit)).collect();
        if viable.is_empty() {
            break;
        }
        let unit = *random.pick(&viable);
        recognizer.push(unit);
        if let Unit::Byte(byte) = unit {
            text.push(byte);
        }
    }
    text
}
