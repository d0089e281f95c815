//! Draws random tokens from masks.
//!
//! A token drawn uniformly from the mask would nearly always be one of the thousands that continue a string. Therefore the class of the first
//! byte is drawn first, among the classes of bytes that the grammar distinguishes, then a token that starts with such
//! a byte. Ending the output counts as one more class. Escapes and white space other than a single space have a low weight: they
//! are allowed nearly everywhere, and show little.

use crate::decoding::matcher::Matcher;
use crate::sessions::session::Session;
use gcc_grammar_compiler::random::Random;
use gcc_grammar_runtime::{Error, TokenId};
use std::collections::BTreeMap;

/// The class of all non-ASCII bytes, which otherwise would make up most classes.
const NON_ASCII: u32 = u32::MAX;
/// The class of special tokens.
const SPECIAL: u32 = u32::MAX - 1;
/// The class of end tokens.
const END: u32 = u32::MAX - 2;

/// The weight of a class that is not rare; rare classes have the weight 1.
const USUAL: usize = 16;

/// Draws an index with a probability proportional to its weight; none if there are no weights.
fn weighted(random: &mut Random, weights: &[usize]) -> Option<usize> {
    let all: usize = weights.iter().sum();
    let mut left = random.below(all.max(1));
    weights.iter().position(|&weight| {
        let is_here = left < weight;
        left = left.saturating_sub(weight);
        is_here
    })
}

/// The outcome of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// A token that the mask allows.
    Token(u32),
    /// The end of a complete text, with the end token if the vocabulary has one.
    End(Option<u32>),
    /// No token is allowed: the vocabulary cannot spell any continuation.
    Nothing,
}

/// Draws the next token of an output.
///
/// # Errors
/// [`Error::ScratchFull`] at the limit of the scratch.
pub fn draw(matcher: &mut Matcher, random: &mut Random) -> Result<Drawn, Error> {
    let mut groups = groups(matcher)?;
    if matcher.is_accepting()? {
        groups.entry(END).or_default();
    }
    let rare: Vec<u32> =
        b"\\\t\r\n".iter().map(|&byte| matcher.session().engine().grammar().byte_symbol(byte).0).collect();
    let weights: Vec<usize> =
        groups.keys().map(|class| if rare.contains(class) { 1 } else { USUAL }).collect();
    let Some(chosen) = weighted(random, &weights) else { return Ok(Drawn::Nothing) };
    let Some((class, tokens)) = groups.into_iter().nth(chosen) else { return Ok(Drawn::Nothing) };
    let token = if tokens.is_empty() { None } else { Some(tokens[random.below(tokens.len())]) };
    Ok(match token {
        Some(token) if class != END => Drawn::Token(token),
        end => Drawn::End(end),
    })
}

/// The allowed tokens by the class of their first byte.
fn groups(matcher: &mut Matcher) -> Result<BTreeMap<u32, Vec<u32>>, Error> {
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let may_end = matcher.is_accepting()?;
    let session = matcher.session().clone();
    let grammar = session.engine().grammar();
    let vocabulary = session.vocabulary();
    let mut add = |token: u32| {
        let first = vocabulary.tokens().bytes(token).and_then(|bytes| bytes.first());
        let class = match first {
            Some(&byte) if byte.is_ascii() => grammar.byte_symbol(byte).0,
            Some(_) => NON_ASCII,
            // An empty token is allowed everywhere and leads nowhere.
            None if vocabulary.tokens().bytes(token).is_some() => return,
            None if may_end && ends_text(&session, token) => END,
            None => SPECIAL,
        };
        groups.entry(class).or_default().push(token);
    };
    matcher.allowed_ranges()?.into_iter().for_each(|range| range.for_each(&mut add));
    Ok(groups)
}

/// Whether the token ends the text where that may end. An end token of the vocabulary that the grammar names by id is a part of the text.
fn ends_text(session: &Session, token: u32) -> bool {
    session.engine().grammar().ends_text(TokenId(token))
}
