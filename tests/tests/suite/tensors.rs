//! Tensors of random grammars have the tokens of the runtime in every state, and accept where it does.

use gcc_grammar::{MatchError, Matcher, Session};
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_runtime::TokenId;
use gcc_grammar_tensors::{TensorOptions, Tensors, tensors};
use gcc_grammar_tests::generate::Sample;
use gcc_grammar_tests::subject::convert;
use gcc_grammar_tests::{Token, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The states of a sample that are compared at most.
const MOST_STATES: u64 = 200;
/// The work for the tensors of a sample; ambiguous grammars may need any.
const MOST_WORK: u64 = 10_000_000;

/// How much of the language the tensors have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All of it: a token of the mask that is missing is wrong.
    Whole,
    /// A part of it: only a token that the mask does not have is wrong.
    Some,
}

/// The session of a sample, and whether its masks are certified; none if it does not compile.
fn session(sample: &Sample) -> Option<(Session, bool)> {
    let vocabulary = convert(&sample.vocabulary);
    let compiled = compile(&sample.grammar.clone().into(), &vocabulary, &Options::default(), &mut ()).ok()?;
    let named = gcc_grammar::Vocabulary::from_artifact("sample", &vocabulary.to_artifact(), PathBuf::new())
        .expect("valid");
    let session = Session::from_bytes("sample", compiled.to_artifact(&vocabulary), &named)
        .expect("the same vocabulary");
    Some((session, compiled.liveness == Liveness::Certified))
}

/// By state and token: the target.
fn edges(tensors: &Tensors) -> Vec<BTreeMap<u32, u32>> {
    let mut edges = vec![BTreeMap::new(); tensors.states()];
    for edge in 0..tensors.edges() {
        for &token in tensors.tokens(tensors.label[edge]) {
            assert_eq!(edges[tensors.source[edge] as usize].insert(token, tensors.target[edge]), None);
        }
    }
    edges
}

/// Whether some token of the vocabulary ends an output.
fn has_end(session: &Session) -> bool {
    let grammar = session.engine().grammar();
    let ends = session.vocabulary().tokens().end_tokens().iter();
    ends.filter_map(|&token| grammar.special_symbol(TokenId(token))).any(|symbol| grammar.is_end(symbol))
}

/// Compares every state that is reached, and returns how many.
fn compare(session: &Session, tensors: &Tensors, part: Part, seed: u64) -> usize {
    let (has_end, edges) = (has_end(session), edges(tensors));
    let mut seen = BTreeSet::from([0]);
    let mut open: Vec<(u32, Matcher)> = vec![(0, session.matcher().expect("enough scratch"))];
    while let Some((state, mut matcher)) = open.pop() {
        let targets = &edges[state as usize];
        let allowed: Vec<u32> =
            matcher.allowed_ranges().expect("enough scratch").into_iter().flatten().collect();
        let is_end =
            if has_end { matcher.is_terminated() } else { matcher.is_accepting().expect("enough scratch") };
        let accepts = tensors.accept[state as usize];
        match part {
            Part::Whole => {
                assert_eq!(
                    targets.keys().copied().collect::<Vec<_>>(),
                    allowed,
                    "seed {seed}, state {state}"
                );
                assert_eq!(accepts, is_end, "seed {seed}, state {state}");
            }
            Part::Some => {
                assert!(targets.keys().all(|token| allowed.contains(token)), "seed {seed}, state {state}");
                assert!(is_end || !accepts, "seed {seed}, state {state}");
            }
        }
        for (&token, &target) in targets {
            if seen.insert(target) {
                let mut next = matcher.fork().expect("enough scratch");
                next.commit(token).expect("the mask has the token");
                open.push((target, next));
            }
        }
    }
    assert_eq!(seen.len(), tensors.states(), "seed {seed}");
    seen.len()
}

/// By state: the least number of tokens to an accepting state.
fn distances(tensors: &Tensors) -> Vec<u32> {
    let mut distances: Vec<u32> =
        tensors.accept.iter().map(|&accepts| if accepts { 0 } else { u32::MAX }).collect();
    loop {
        let before = distances.clone();
        for (&source, &target) in tensors.source.iter().zip(&tensors.target) {
            let along = before[target as usize].saturating_add(1);
            distances[source as usize] = distances[source as usize].min(along);
        }
        if distances == before {
            return distances;
        }
    }
}

/// The tokens of the runtime's mask within a budget; none if it says that the budget is too small.
fn within(matcher: &Matcher, remaining: u32) -> Vec<u32> {
    let mut fork = matcher.fork().expect("enough scratch");
    match fork.set_budget(Some(remaining)) {
        Ok(()) => fork.allowed_ranges().expect("enough scratch").into_iter().flatten().collect(),
        Err(MatchError::BudgetTooSmall { .. }) => Vec::new(),
        Err(error) => panic!("{error}"),
    }
}

/// Compares masks within budgets with GCD on tensors, in every state. Returns the number of masks, and of
/// those that are equal.
fn compare_budgets(session: &Session, tensors: &Tensors, is_exact: bool, seed: u64) -> (usize, usize) {
    let (edges, distances) = (edges(tensors), distances(tensors));
    let mut seen = BTreeSet::from([0]);
    let mut open: Vec<(u32, Matcher)> = vec![(0, session.matcher().expect("enough scratch"))];
    let (mut masks, mut equal) = (0, 0);
    while let Some((state, matcher)) = open.pop() {
        for remaining in 0..distances[state as usize] + 4 {
            let near = |&(_, target): &(&u32, &u32)| distances[*target as usize] < remaining;
            let wanted: Vec<u32> =
                edges[state as usize].iter().filter(near).map(|(&token, _)| token).collect();
            let found = within(&matcher, remaining);
            if is_exact {
                assert_eq!(found, wanted, "seed {seed}, state {state}, {remaining} left");
            } else {
                assert!(
                    found.iter().all(|token| wanted.contains(token)),
                    "seed {seed}, state {state}, {remaining} left"
                );
            }
            masks += 1;
            equal += usize::from(found == wanted);
        }
        for (&token, &target) in &edges[state as usize] {
            if seen.insert(target) {
                let mut next = matcher.fork().expect("enough scratch");
                next.commit(token).expect("the mask has the token");
                open.push((target, next));
            }
        }
    }
    (masks, equal)
}

/// The sample with its special tokens, and a token for each byte. No token spans lexemes.
fn of_bytes(seed: u64) -> Sample {
    let Sample { grammar, vocabulary } = Sample::new(seed);
    let is_text = |token: &Token| matches!(token, Token::Text(_));
    let mut tokens = vocabulary.tokens;
    tokens.iter_mut().filter(|token| is_text(token)).for_each(|token| *token = Token::Hole);
    tokens.extend((0..=u8::MAX).map(|byte| Token::Text(vec![byte])));
    Sample { grammar, vocabulary: Vocabulary { tokens, ..vocabulary } }
}

/// Compares the masks within budgets of samples.
fn budgets(seeds: std::ops::Range<u64>, sample: impl Fn(u64) -> Sample, are_exact: bool) -> usize {
    let (mut masks, mut equal) = (0, 0);
    for seed in seeds {
        let Some((session, true)) = session(&sample(seed)) else { continue };
        let all = TensorOptions { max_states: MOST_STATES, max_work: MOST_WORK, ..TensorOptions::default() };
        if let (true, Ok(tensors)) = (has_end(&session), tensors(&session, &all)) {
            let found = compare_budgets(&session, &tensors, are_exact, seed);
            (masks, equal) = (masks + found.0, equal + found.1);
        }
    }
    println!("{equal} of {masks} masks are equal");
    masks
}

/// The runtime knows the fewest tokens among those that lie within a lexeme each. So with a token for each byte, its masks within a budget are
/// those of globally constrained decoding on tensors.
#[test]
fn budgets_are_those_of_tensors_if_no_token_spans_lexemes() {
    assert!(budgets(0..250, of_bytes, true) > 5000);
}

/// With other tokens, they never have a token that globally constrained decoding does not have.
#[test]
fn budgets_are_never_above_those_of_tensors() {
    assert!(budgets(0..250, Sample::new, false) > 2000);
}

#[test]
fn states_have_the_tokens_of_the_runtime() {
    let (mut whole, mut parts, mut states) = (0, 0, 0);
    for seed in 0..420 {
        let Some((session, is_certified)) = session(&Sample::new(seed)) else { continue };
        let all = TensorOptions { max_states: MOST_STATES, max_work: MOST_WORK, ..TensorOptions::default() };
        if let Ok(tensors) = tensors(&session, &all) {
            assert!(tensors.cut.is_none());
            states += compare(&session, &tensors, if is_certified { Part::Whole } else { Part::Some }, seed);
            whole += 1;
        }
        for options in [TensorOptions { depth: Some(2), ..all }, TensorOptions { tokens: Some(3), ..all }] {
            if let Ok(tensors) = tensors(&session, &options) {
                states += compare(&session, &tensors, Part::Some, seed);
                parts += 1;
            }
        }
    }
    println!("{whole} whole, {parts} parts, {states} states");
    assert!(whole > 200 && parts > 600 && states > 6000, "{whole} whole, {parts} parts, {states} states");
}
