//! Tensors of random grammars have the tokens of the runtime in every state, and accept where it does.

use gcc_grammar::tensors::{TensorOptions, Tensors, tensors};
use gcc_grammar::{Matcher, Session, Vocabulary};
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_runtime::TokenId;
use gcc_grammar_tests::generate::Sample;
use gcc_grammar_tests::subject::convert;
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
fn session(seed: u64) -> Option<(Session, bool)> {
    let sample = Sample::new(seed);
    let vocabulary = convert(&sample.vocabulary);
    let compiled = compile(&sample.grammar, &vocabulary, &Options::default(), &mut ()).ok()?;
    let named =
        Vocabulary::from_artifact("sample", &vocabulary.to_artifact(), PathBuf::new()).expect("valid");
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
        match part {
            Part::Whole => {
                assert_eq!(targets.keys().copied().collect::<Vec<_>>(), allowed, "seed {seed}, state {state}")
            }
            Part::Some => {
                assert!(targets.keys().all(|token| allowed.contains(token)), "seed {seed}, state {state}")
            }
        }
        let is_end =
            if has_end { matcher.is_terminated() } else { matcher.is_accepting().expect("enough scratch") };
        assert_eq!(tensors.accept[state as usize], is_end, "seed {seed}, state {state}");
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

#[test]
fn states_have_the_tokens_of_the_runtime() {
    let (mut whole, mut parts, mut states) = (0, 0, 0);
    for seed in 0..400 {
        let Some((session, is_certified)) = session(seed) else { continue };
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
