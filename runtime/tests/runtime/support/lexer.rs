//! The lexer automaton of a toy grammar, by subset construction.
//!
//! Runs are matched as far as possible: after a run, the next lexeme may not start with a byte of the run.

use std::collections::{BTreeMap, BTreeSet};

use super::{Pattern, Toy};
use gcc_grammar_artifact::grammar::IGNORE;

/// A state: terminals with the lengths to which they are matched, and the run whose bytes may not come first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct State {
    matched: BTreeSet<(u32, usize)>,
    inhibited: Option<u32>,
}

#[derive(Default)]
pub(crate) struct Lexer {
    pub(crate) byte_class: Vec<u32>,
    pub(crate) class_count: u32,
    pub(crate) special: Vec<(u32, u32)>,
    pub(crate) end_symbol: u32,
    pub(crate) transitions: Vec<u32>,
    /// Per state, with IGNORE for the ignored terminal, sorted.
    pub(crate) accepts: Vec<Vec<u32>>,
    pub(crate) pending: Vec<Vec<u32>>,
    pub(crate) end_class: Vec<u32>,
    pub(crate) restart: Vec<u32>,
}

/// Builds the automaton. `contexts` are the sets of terminals with which a lexeme may start.
pub(crate) fn build(toy: &Toy, contexts: &[BTreeSet<u32>]) -> Lexer {
    let mut lexer = symbols(toy);
    let mut numbers: BTreeMap<State, u32> = BTreeMap::from([(State::default(), 0)]);
    let mut states = vec![State::default()];
    let mut intern = |states: &mut Vec<State>, mut state: State| {
        if state.matched.is_empty() {
            state.inhibited = None;
        }
        *numbers.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        })
    };
    for end_class in 0..=toy.terminals.len() as u32 {
        for context in contexts {
            // Where a text may end is up to the parser.
            let end = toy.end();
            let starts = context.iter().chain(&toy.ignored).chain([&end]);
            let matched = starts.map(|&terminal| (terminal, 0)).collect();
            let inhibited = end_class.checked_sub(1);
            lexer.restart.push(intern(&mut states, State { matched, inhibited }));
        }
    }
    let mut index = 0;
    while index < states.len() {
        let state = states[index].clone();
        for class in 0..lexer.class_count {
            let next = advance(toy, &lexer, &state, class);
            lexer.transitions.push(intern(&mut states, next));
        }
        describe(toy, &mut lexer, &state);
        index += 1;
    }
    lexer
}

/// Each byte that occurs in a pattern is a class of its own; all others are class 0.
fn symbols(toy: &Toy) -> Lexer {
    let mut byte_class = vec![0; 256];
    let mut count = 1;
    for pattern in &toy.terminals {
        if let Pattern::Literal(text) | Pattern::Run(text) = pattern {
            for byte in text.bytes().map(usize::from) {
                if byte_class[byte] == 0 {
                    byte_class[byte] = count;
                    count += 1;
                }
            }
        }
    }
    let mut special = Vec::new();
    for pattern in &toy.terminals {
        if let Pattern::Special(token) = *pattern {
            special.push((token, count));
            count += 1;
        }
    }
    special.extend(toy.vocabulary.end_tokens.iter().map(|&token| (token, count)));
    special.sort_unstable();
    Lexer { byte_class, class_count: count + 1, special, end_symbol: count, ..Lexer::default() }
}

fn advance(toy: &Toy, lexer: &Lexer, state: &State, class: u32) -> State {
    let is_class = |byte: u8| lexer.byte_class[usize::from(byte)] == class;
    let inhibits = |terminal: u32| match &toy.terminals[terminal as usize] {
        Pattern::Run(bytes) => bytes.bytes().any(is_class),
        _ => false,
    };
    if state.inhibited.is_some_and(inhibits) {
        return State::default();
    }
    let step = |&(terminal, at): &(u32, usize)| {
        let Some(pattern) = toy.terminals.get(terminal as usize) else {
            return (at == 0 && class == lexer.end_symbol).then_some((terminal, 1));
        };
        let at = match pattern {
            Pattern::Literal(text) => text.as_bytes().get(at).filter(|&&byte| is_class(byte)).map(|_| at + 1),
            Pattern::Run(bytes) => bytes.bytes().any(is_class).then_some(1),
            Pattern::Special(token) => (at == 0 && lexer.special.contains(&(*token, class))).then_some(1),
        };
        at.map(|at| (terminal, at))
    };
    State { matched: state.matched.iter().filter_map(step).collect(), inhibited: None }
}

fn describe(toy: &Toy, lexer: &mut Lexer, state: &State) {
    let is_complete = |&&(terminal, at): &&(u32, usize)| match toy.terminals.get(terminal as usize) {
        Some(Pattern::Literal(text)) => at == text.len(),
        Some(Pattern::Run(_) | Pattern::Special(_)) | None => at == 1,
    };
    let name = |terminal: u32| if Some(terminal) == toy.ignored { IGNORE } else { terminal };
    let sorted = |terminals: BTreeSet<u32>| terminals.into_iter().collect::<Vec<_>>();
    let complete: BTreeSet<u32> = state.matched.iter().filter(is_complete).map(|m| m.0).collect();
    let run = complete
        .iter()
        .find(|&&terminal| matches!(toy.terminals.get(terminal as usize), Some(Pattern::Run(_))));
    lexer.end_class.push(run.map_or(0, |&terminal| terminal + 1));
    lexer.accepts.push(sorted(complete.iter().map(|&terminal| name(terminal)).collect()));
    lexer.pending.push(sorted(state.matched.iter().map(|m| name(m.0)).collect()));
}
