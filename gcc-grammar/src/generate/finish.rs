//! Completes a text with few bytes.
//!
//! This is an A* search over symbols (Hart, Nilsson and Raphael 1968). Its heuristic is the lower bound of [`Bounds`]. Configurations with the same
//! lexer states and parser stacks are expanded once, so loops cost nothing. Input: a matcher. Output: tokens that lead to acceptance,
//! or none. The completion is short in bytes, but not always the shortest, and longest tokens are chosen to spell it.

use super::bound::Bounds;
use crate::matcher::Matcher;
use crate::vocabulary::Vocabulary;
use gcc_grammar_runtime::Error;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of configurations after which the search gives up.
const MAX_STATES: usize = 50_000;
/// The number of cells of parser stacks, over all configurations, after which the search gives up: without a completion within reach, stacks
/// become as deep as there are configurations.
const MAX_CELLS: u64 = 4_000_000;
/// The number of commits that the search takes back at once. A matcher must allow as many.
pub const ROLLBACK: u32 = 1;

/// A symbol on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Byte(u8),
    Special(u32),
}

/// Commits tokens that complete the text and returns them; `None` if no completion was found.
pub(crate) fn finish(matcher: &mut Matcher, bounds: &mut Bounds<'_>) -> Result<Option<Vec<u32>>, Error> {
    let symbols = symbols(matcher);
    match search(matcher, &symbols, bounds)? {
        Some(steps) => commit(&steps, matcher),
        None => Ok(None),
    }
}

/// A path through configurations: its last step, and the path before it.
#[derive(Clone, Copy)]
struct Path {
    before: Option<usize>,
    step: Step,
    length: u32,
}

/// All paths found so far, and the open ones among them.
#[derive(Default)]
struct Paths {
    all: Vec<Path>,
    /// The bound on the length of a completion that begins with a path; the length of the path; the number of the path.
    open: BinaryHeap<Reverse<(u32, Reverse<u32>, usize)>>,
}

impl Paths {
    fn add(&mut self, before: Option<usize>, step: Step, distance: u32) {
        let length = self.length(before) + 1;
        self.open.push(Reverse((length.saturating_add(distance), Reverse(length), self.all.len())));
        self.all.push(Path { before, step, length });
    }

    fn length(&self, path: Option<usize>) -> u32 {
        path.map_or(0, |path| self.all[path].length)
    }

    /// The open path with the least bound, if it extends `after` by one step.
    fn pop_after(&mut self, after: Option<usize>) -> Option<usize> {
        let Reverse((_, _, path)) = *self.open.peek()?;
        (self.all[path].before == after).then(|| self.open.pop())?;
        Some(path)
    }

    fn steps(&self, path: Option<usize>) -> Vec<Step> {
        let paths = std::iter::successors(path, |&path| self.all[path].before);
        let mut steps: Vec<Step> = paths.map(|path| self.all[path].step).collect();
        steps.reverse();
        steps
    }
}

/// Finds a path to an accepting configuration.
fn search(matcher: &Matcher, symbols: &[Step], bounds: &mut Bounds<'_>) -> Result<Option<Vec<Step>>, Error> {
    let mut seen = HashSet::from([configuration(matcher)]);
    let mut paths = Paths::default();
    let mut next = Some(None);
    let most_cells = bounds.cells_read() + MAX_CELLS;
    while let Some(mut path) = next {
        let mut here = matcher.fork()?;
        commit_steps(&mut here, &paths.steps(path))?;
        loop {
            if here.is_accepting()? {
                return Ok(Some(paths.steps(path)));
            }
            if seen.len() > MAX_STATES || bounds.cells_read() > most_cells {
                return Ok(None);
            }
            for &step in symbols {
                if try_step(&mut here, step)? {
                    if seen.insert(configuration(&here)) {
                        paths.add(path, step, bounds.of(&here));
                    }
                    here.rollback(1)?;
                }
            }
            // Extend the same path as long as no other path has a lesser bound.
            let Some(longer) = paths.pop_after(path) else { break };
            path = Some(longer);
            commit_steps(&mut here, &[paths.all[longer].step])?;
        }
        next = paths.open.pop().map(|Reverse((_, _, path))| Some(path));
    }
    Ok(None)
}

/// One byte of each class, letters first, and one token of each class that the grammar matches by id.
fn symbols(matcher: &Matcher) -> Vec<Step> {
    let grammar = matcher.session().engine().grammar();
    let is_letter = |byte: &u8| byte.is_ascii_lowercase();
    let bytes = (0..=u8::MAX).filter(is_letter).chain((0..=u8::MAX).filter(|byte| !is_letter(byte)));
    let mut classes = HashSet::new();
    let bytes = bytes.filter(|&byte| classes.insert(grammar.byte_symbol(byte))).map(Step::Byte);
    let mut steps: Vec<Step> = bytes.collect();
    let by_id = grammar.special_tokens().filter(|&token| {
        let class = grammar.special_symbol(token).filter(|&class| !grammar.is_end(class));
        class.is_some_and(|class| classes.insert(class))
    });
    steps.extend(by_id.map(|token| Step::Special(token.0)));
    steps
}

/// Commits the steps of a path.
fn commit_steps(matcher: &mut Matcher, path: &[Step]) -> Result<(), Error> {
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

/// A hash of the configuration: lexer states and parser stacks.
fn configuration(matcher: &Matcher) -> u64 {
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

/// Commits the steps of a path in long tokens. `None` if the vocabulary cannot spell them.
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

/// The longest token that the steps begin with, and its length.
fn longest_token(steps: &[Step], vocabulary: &Vocabulary) -> Option<(u32, usize)> {
    let bytes = steps.iter().map_while(|step| if let Step::Byte(byte) = step { Some(*byte) } else { None });
    let bytes: Vec<u8> = bytes.take(vocabulary.tokens().max_token_len()).collect();
    (1..=bytes.len()).rev().find_map(|length| Some((vocabulary.tokens().find(&bytes[..length])?, length)))
}
