//! The way to the end of a text: few bytes that complete it.
//!
//! An A* search over symbols (Hart, Nilsson and Raphael 1968), guided by [`Distances`]. States that look alike (same lexer
//! states and stacks) are searched once, so loops cost nothing. The way is short, but not always the shortest.

use super::bound::Distances;
use crate::matcher::Matcher;
use crate::vocabulary::Vocabulary;
use gcc_grammar_runtime::{Error, TokenId};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// States searched before giving up.
const MAX_STATES: usize = 50_000;
/// Commits that the search rolls back at most: a matcher must allow that.
pub const ROLLBACK: u32 = 1;

/// One step of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Byte(u8),
    Special(u32),
}

/// Commits tokens that complete the text; returns them, or `None` if no way was found.
pub(crate) fn finish(
    matcher: &mut Matcher,
    distances: &mut Distances<'_>,
) -> Result<Option<Vec<u32>>, Error> {
    let symbols = symbols(matcher);
    match search(matcher, &symbols, distances)? {
        Some(steps) => commit(&steps, matcher),
        None => Ok(None),
    }
}

/// A way: its last step, and the way before it.
#[derive(Clone, Copy)]
struct Way {
    before: Option<usize>,
    step: Step,
    length: u32,
}

/// All ways found so far, and those that may be gone on with.
#[derive(Default)]
struct Ways {
    all: Vec<Way>,
    /// Steps from here to the end through a way, as it seems; the way's own steps; which way it is.
    open: BinaryHeap<Reverse<(u32, Reverse<u32>, usize)>>,
}

impl Ways {
    fn add(&mut self, before: Option<usize>, step: Step, distance: u32) {
        let length = self.length(before) + 1;
        self.open.push(Reverse((length.saturating_add(distance), Reverse(length), self.all.len())));
        self.all.push(Way { before, step, length });
    }

    fn length(&self, way: Option<usize>) -> u32 {
        way.map_or(0, |way| self.all[way].length)
    }

    /// The most promising way, if it is one of `after`.
    fn pop_after(&mut self, after: Option<usize>) -> Option<usize> {
        let Reverse((_, _, way)) = *self.open.peek()?;
        (self.all[way].before == after).then(|| self.open.pop())?;
        Some(way)
    }

    fn steps(&self, way: Option<usize>) -> Vec<Step> {
        let ways = std::iter::successors(way, |&way| self.all[way].before);
        let mut steps: Vec<Step> = ways.map(|way| self.all[way].step).collect();
        steps.reverse();
        steps
    }
}

/// Finds a way to an accepting state.
fn search(
    matcher: &Matcher,
    symbols: &[Step],
    distances: &mut Distances<'_>,
) -> Result<Option<Vec<Step>>, Error> {
    let mut seen = HashSet::from([state(matcher)]);
    let mut ways = Ways::default();
    let mut next = Some(None);
    while let Some(mut way) = next {
        let mut here = matcher.fork()?;
        go(&mut here, &ways.steps(way))?;
        loop {
            if here.is_accepting()? {
                return Ok(Some(ways.steps(way)));
            }
            for &step in symbols {
                if try_step(&mut here, step)? {
                    if seen.insert(state(&here)) {
                        ways.add(way, step, distances.of(&here));
                    }
                    here.rollback(1)?;
                }
            }
            // Straight on, as long as nothing else is nearer.
            let Some(longer) = ways.pop_after(way) else { break };
            way = Some(longer);
            go(&mut here, &[ways.all[longer].step])?;
        }
        if seen.len() > MAX_STATES {
            return Ok(None);
        }
        next = ways.open.pop().map(|Reverse((_, _, way))| Some(way));
    }
    Ok(None)
}

/// One byte of each class, letters first, and the special tokens that the grammar uses.
fn symbols(matcher: &Matcher) -> Vec<Step> {
    let grammar = matcher.session().engine().grammar();
    let is_letter = |byte: &u8| byte.is_ascii_lowercase();
    let bytes = (0..=u8::MAX).filter(is_letter).chain((0..=u8::MAX).filter(|byte| !is_letter(byte)));
    let mut classes = HashSet::new();
    let bytes = bytes.filter(|&byte| classes.insert(grammar.byte_symbol(byte))).map(Step::Byte);
    let session = matcher.session();
    let vocabulary = session.vocabulary();
    let ends = vocabulary.tokens().end_tokens();
    let specials = vocabulary.tokens().specials().iter().map(|special| special.id);
    let specials = specials.filter(|id| !ends.contains(id) && grammar.special_symbol(TokenId(*id)).is_some());
    bytes.chain(specials.map(Step::Special)).collect()
}

/// Commits a way.
fn go(matcher: &mut Matcher, path: &[Step]) -> Result<(), Error> {
    for run in path.chunk_by(|a, b| matches!((a, b), (Step::Byte(_), Step::Byte(_)))) {
        let bytes: Vec<u8> = run
            .iter()
            .filter_map(|step| if let Step::Byte(byte) = step { Some(*byte) } else { None })
            .collect();
        let committed = match run {
            [Step::Special(token)] => matcher.commit(*token),
            _ => matcher.commit_bytes(&bytes),
        };
        committed?;
    }
    Ok(())
}

fn try_step(matcher: &mut Matcher, step: Step) -> Result<bool, Error> {
    let committed = match step {
        Step::Byte(byte) => matcher.commit_bytes(&[byte]),
        Step::Special(token) => matcher.commit(token),
    };
    match committed {
        Ok(()) => Ok(true),
        Err(Error::Refused) => Ok(false),
        Err(error) => Err(error),
    }
}

/// What tells states apart: lexer states and stacks.
fn state(matcher: &Matcher) -> u64 {
    matcher.inspect(|matcher| {
        let mut hasher = DefaultHasher::new();
        for head in matcher.head_views() {
            head.lexer.0.hash(&mut hasher);
            head.stack.for_each(|state| state.0.hash(&mut hasher));
            u32::MAX.hash(&mut hasher);
        }
        hasher.finish()
    })
}

/// Commits a way in long tokens. `None` if the vocabulary cannot spell it.
fn commit(steps: &[Step], matcher: &mut Matcher) -> Result<Option<Vec<u32>>, Error> {
    let session = matcher.session().clone();
    let mut tokens = Vec::new();
    let mut rest = steps;
    while let Some(first) = rest.first() {
        let (token, length) = match *first {
            Step::Special(token) => (token, 1),
            Step::Byte(_) => match longest_token(rest, session.vocabulary()) {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        matcher.commit(token)?;
        tokens.push(token);
        rest = &rest[length..];
    }
    Ok(Some(tokens))
}

/// The longest token that these steps begin with, and its length.
fn longest_token(steps: &[Step], vocabulary: &Vocabulary) -> Option<(u32, usize)> {
    let bytes = steps.iter().map_while(|step| if let Step::Byte(byte) = step { Some(*byte) } else { None });
    let bytes: Vec<u8> = bytes.take(vocabulary.tokens().max_token_len()).collect();
    (1..=bytes.len()).rev().find_map(|length| Some((vocabulary.tokens().find(&bytes[..length])?, length)))
}
