//! The way to the end of a text: few bytes that complete it.
//!
//! A best-first search over symbols, from the state of the matcher to one that is accepting or has a lower parser stack;
//! from there again, until the text is complete. States that look alike (same lexer states and stacks) are searched once, so
//! loops cost nothing; stacks that grow cost extra, so the search does not get lost in nesting. The way is short, but
//! not always the shortest.

use crate::failure::Failure;
use crate::session::runtime_failure;
use crate::vocabulary::Loaded;
use gcc_grammar_runtime::{Error, Matcher, TokenId};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// States searched before giving up.
const MAX_STATES: usize = 20_000;
/// What one more level of nesting costs, in bytes.
const LEVEL: usize = 6;
/// Commits that the search rolls back at most: a matcher must allow that.
pub(crate) const ROLLBACK: u32 = 64;

/// One step of a way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    Byte(u8),
    Special(u32),
}

/// Commits tokens that complete the text; returns them, or `None` if no way was found.
pub(crate) fn finish(
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Loaded,
) -> Result<Option<Vec<u32>>, Failure> {
    let mut tokens = Vec::new();
    while !matcher.is_accepting().map_err(runtime_failure)? {
        let Some(steps) = search(matcher, vocabulary)? else { return Ok(None) };
        let Some(spelled) = commit(&steps, matcher, vocabulary)? else { return Ok(None) };
        tokens.extend(spelled);
    }
    Ok(Some(tokens))
}

/// Finds a way to a state that is accepting, or whose stack is lower.
fn search(matcher: &mut Matcher<'_, '_>, vocabulary: &Loaded) -> Result<Option<Vec<Step>>, Failure> {
    let start = depth(matcher);
    let symbols = symbols(matcher, vocabulary);
    let mut seen = HashSet::from([state(matcher)]);
    let mut open = BinaryHeap::from([Reverse((0, Vec::new()))]);
    while let Some(Reverse((_, path))) = open.pop() {
        let commits = go(matcher, &path)?;
        for &step in &symbols {
            if !try_step(matcher, step)? {
                continue;
            }
            let depth = depth(matcher);
            let is_goal = depth < start || matcher.is_accepting().map_err(runtime_failure)?;
            let is_new = seen.insert(state(matcher));
            matcher.rollback(1).map_err(runtime_failure)?;
            let longer = || [path.as_slice(), &[step]].concat();
            if is_goal {
                matcher.rollback(commits).map_err(runtime_failure)?;
                return Ok(Some(longer()));
            }
            if is_new {
                open.push(Reverse((path.len() + 1 + LEVEL * (depth - start), longer())));
            }
        }
        matcher.rollback(commits).map_err(runtime_failure)?;
        if seen.len() > MAX_STATES {
            return Ok(None);
        }
    }
    Ok(None)
}

/// One byte of each class, letters first, and the special tokens that the grammar uses.
fn symbols(matcher: &Matcher<'_, '_>, vocabulary: &Loaded) -> Vec<Step> {
    let grammar = matcher.engine().grammar();
    let is_letter = |byte: &u8| byte.is_ascii_lowercase();
    let bytes = (0..=u8::MAX).filter(is_letter).chain((0..=u8::MAX).filter(|byte| !is_letter(byte)));
    let mut classes = HashSet::new();
    let bytes = bytes.filter(|&byte| classes.insert(grammar.byte_symbol(byte))).map(Step::Byte);
    let ends = vocabulary.vocabulary.end_tokens();
    let specials = vocabulary.vocabulary.specials().iter().map(|special| special.id);
    let specials = specials.filter(|id| !ends.contains(id) && grammar.special_symbol(TokenId(*id)).is_some());
    bytes.chain(specials.map(Step::Special)).collect()
}

/// Commits a way; returns in how many commits.
fn go(matcher: &mut Matcher<'_, '_>, path: &[Step]) -> Result<u64, Failure> {
    let before = matcher.committed();
    for run in path.chunk_by(|a, b| matches!((a, b), (Step::Byte(_), Step::Byte(_)))) {
        let bytes: Vec<u8> = run
            .iter()
            .filter_map(|step| if let Step::Byte(byte) = step { Some(*byte) } else { None })
            .collect();
        let committed = match run {
            [Step::Special(token)] => matcher.commit(TokenId(*token)),
            _ => matcher.commit_bytes(&bytes),
        };
        committed.map_err(runtime_failure)?;
    }
    Ok(matcher.committed() - before)
}

fn try_step(matcher: &mut Matcher<'_, '_>, step: Step) -> Result<bool, Failure> {
    let committed = match step {
        Step::Byte(byte) => matcher.commit_bytes(&[byte]),
        Step::Special(token) => matcher.commit(TokenId(token)),
    };
    match committed {
        Ok(()) => Ok(true),
        Err(Error::Refused) => Ok(false),
        Err(error) => Err(runtime_failure(error)),
    }
}

/// Height of the lowest stack.
fn depth(matcher: &Matcher<'_, '_>) -> usize {
    matcher.head_views().map(|head| head.stack.count()).min().unwrap_or(0)
}

/// What tells states apart: lexer states and stacks.
fn state(matcher: &Matcher<'_, '_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for head in matcher.head_views() {
        head.lexer.0.hash(&mut hasher);
        head.stack.for_each(|state| state.0.hash(&mut hasher));
        u32::MAX.hash(&mut hasher);
    }
    hasher.finish()
}

/// Commits a way in long tokens. `None` if the vocabulary cannot spell it.
fn commit(
    steps: &[Step],
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Loaded,
) -> Result<Option<Vec<u32>>, Failure> {
    let mut tokens = Vec::new();
    let mut rest = steps;
    while let Some(first) = rest.first() {
        let (token, length) = match *first {
            Step::Special(token) => (token, 1),
            Step::Byte(_) => match longest_token(rest, vocabulary) {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        matcher.commit(TokenId(token)).map_err(runtime_failure)?;
        tokens.push(token);
        rest = &rest[length..];
    }
    Ok(Some(tokens))
}

/// The longest token that these steps begin with, and its length.
fn longest_token(steps: &[Step], vocabulary: &Loaded) -> Option<(u32, usize)> {
    let bytes = steps.iter().map_while(|step| if let Step::Byte(byte) = step { Some(*byte) } else { None });
    let bytes: Vec<u8> = bytes.take(vocabulary.vocabulary.max_token_len()).collect();
    (1..=bytes.len()).rev().find_map(|length| Some((vocabulary.vocabulary.find(&bytes[..length])?, length)))
}
