//! The whole pipeline: what is parsed is compiled within small limits, and the artifact keeps its promises.
//!
//! The first line of an input names the notation, after `!`: `!gbnf`. For schemas, a line of options may follow.

use super::front_ends::{check_error, check_parse, default_options, mutate_with_options, split};
use super::samples::vocabulary;
use crate::mutate::{json, text};
use crate::target::{Target, no_seeds};
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::verify::deep_check;
use gcc_grammar::{
    Artifact, Error, Notation, Options, Packing, Parsed, Session, Source, compile_parsed, trace,
};
use gcc_grammar_artifact::container::checksum;
use gcc_grammar_runtime::Error as MatchError;
use gcc_grammar_tests::generate::Random;

pub(super) const COMPILE: Target = Target {
    name: "compile",
    about: "what is parsed compiles to exact masks, or exceeds a limit; outputs are accepted and traced",
    seeds: no_seeds,
    mutate,
    check,
    executions: 400,
};

/// States of an artifact in which masks are compared with commits.
const STATES: usize = 4;
/// Outputs that are generated, and the most tokens of each.
const OUTPUTS: usize = 2;
const TOKENS: usize = 40;

/// Splits the notation off.
fn notation(input: &[u8]) -> (Notation, &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let named = end.and_then(|end| Some((str::from_utf8(input[..end].strip_prefix(b"!")?).ok()?, end + 1)));
    let parsed = named.and_then(|(name, start)| Some((name.parse().ok()?, &input[start..])));
    parsed.unwrap_or((Notation::Gbnf, input))
}

fn mutate(random: &mut Random, input: &[u8], pool: &[Vec<u8>]) -> Vec<u8> {
    let (name, body) = notation(input);
    // Half of the parts of other inputs are in the same notation.
    let others: Vec<Vec<u8>> = pool
        .iter()
        .filter(|other| notation(other).0 == name)
        .map(|other| notation(other).1.to_vec())
        .collect();
    let pool = if others.is_empty() { pool } else { &others };
    let mutated = match name {
        Notation::JsonSchema => mutate_with_options(random, body, pool),
        Notation::StructuralTag => json::mutate(random, body, pool),
        _ => text::mutate(random, body, pool),
    };
    [format!("!{name}\n").as_bytes(), &mutated].concat()
}

fn check(input: &[u8]) {
    let (notation, body) = notation(input);
    let (options, body) =
        if notation == Notation::JsonSchema { split(body) } else { (default_options(), body) };
    let Ok(text) = str::from_utf8(body) else { return };
    let Ok(parsed) = check_parse(&Source::new(notation, text), &options) else { return };
    let artifact = match compiled(&parsed, &options) {
        Ok(artifact) => artifact,
        Err(error) => return check_error(&error, text),
    };
    let again = compiled(&parsed, &options).expect("it was compiled before");
    assert!(artifact.bytes() == again.bytes(), "two artifacts for one text");
    let session = Session::new(artifact, vocabulary()).expect("the artifact just compiled opens");
    let seed = checksum(input);
    check_masks(&session, seed);
    check_outputs(&session, &parsed, &options, seed);
}

fn compiled(parsed: &Parsed, options: &Options) -> Result<Artifact, Error> {
    let compiled = compile_parsed(parsed, vocabulary(), options, Packing::Referenced, &mut ());
    compiled.map(|compilation| compilation.artifact)
}

/// Masks are what can be committed.
fn check_masks(session: &Session, seed: u64) {
    match deep_check(session, STATES, seed) {
        Ok(check) => assert_eq!(check.difference, None, "the mask and the commits differ"),
        Err(error) => assert_eq!(error, MatchError::ScratchFull),
    }
}

/// Outputs are accepted by another matcher, end where the text may end, and can be traced.
fn check_outputs(session: &Session, parsed: &Parsed, options: &Options, seed: u64) {
    let mut generator = Generator::new(session).expect("room for the beginning");
    let mut random = RandomNumbers(seed);
    for _ in 0..OUTPUTS {
        let Ok(tokens) = generator.generate(&mut random, TOKENS) else { continue };
        let mut matcher = session.matcher().expect("room for the beginning");
        let mut text: &[u32] = &tokens;
        for (index, token) in tokens.iter().enumerate() {
            assert_eq!(matcher.commit(*token), Ok(()), "token {index} of a generated output: {tokens:?}");
        }
        if matcher.is_terminated() {
            text = &tokens[..tokens.len() - 1];
            assert_eq!(matcher.rollback(1), Ok(()), "the end is taken back");
        } else {
            // The grammar names all end tokens, so that they are parts of the text.
            let mut end = session.vocabulary().tokens().end_tokens().iter();
            let ends = end.any(|end| {
                matcher.commit(*end).is_ok() && (matcher.is_terminated() || matcher.rollback(1).is_err())
            });
            assert!(!ends, "the end token of a generated output is left out: {tokens:?}");
        }
        assert_eq!(matcher.is_accepting(), Ok(true), "a generated output is complete: {tokens:?}");
        let rest = matcher.shortest_completion().map(|rest| rest.map(|rest| rest.len()));
        assert!(
            matches!(rest, Ok(Some(0..=1))),
            "what is complete needs the end token alone: {tokens:?}, {rest:?}"
        );
        check_trace(session, parsed, options, text);
    }
}

/// A text without special tokens is read by the compiler's own parser, too.
fn check_trace(session: &Session, parsed: &Parsed, options: &Options, tokens: &[u32]) {
    let vocabulary = session.vocabulary();
    if tokens.iter().any(|&token| vocabulary.tokens().bytes(token).is_none()) {
        return;
    }
    let text = vocabulary.text_of(tokens);
    if let Ok(trace) = trace(parsed, &text, options) {
        assert!(
            trace.is_accepted || trace.gave_up,
            "a generated output cannot be traced: {:?}",
            String::from_utf8_lossy(&text)
        );
    }
}
