//! The library with its compiler.

use crate::failure::Failure;
use gcc_grammar::artifact::{Artifact, embedded_vocabulary};
use gcc_grammar::{MatchError, MatcherOptions};
use serde_json::json;
use std::path::PathBuf;

pub(crate) use gcc_grammar::{Matcher, Session, Vocabulary};

/// The name of bytes in errors.
const BYTES: &str = "<bytes>";

pub(crate) fn open_vocabulary(file: &[u8]) -> Result<Vocabulary, Failure> {
    Ok(Vocabulary::from_artifact(BYTES, file, PathBuf::from(BYTES))?)
}

/// Opens an artifact with a vocabulary, or with the one inside it.
pub(crate) fn open(file: Vec<u8>, vocabulary: Option<Vocabulary>) -> Result<Session, Failure> {
    let artifact = Artifact::from_bytes(BYTES, file)?;
    let inside = || {
        let bytes = embedded_vocabulary(&artifact.grammar()?).map_err(Failure::usage)?.map(<[u8]>::to_vec);
        open_vocabulary(&bytes.ok_or_else(Failure::no_vocabulary)?)
    };
    let vocabulary = vocabulary.map_or_else(inside, Ok)?;
    Ok(Session::new(artifact, &vocabulary)?)
}

/// The matcher at the beginning of an output.
pub(crate) fn begin(
    session: &Session,
    max_rollback: u32,
    max_work: Option<u64>,
    options: &str,
) -> Result<Matcher, Failure> {
    let options = if options.is_empty() { "{}" } else { options };
    let options = MatcherOptions { max_rollback, max_work, ..MatcherOptions::from_json(options)? };
    Ok(session.matcher_with(&options)?)
}

/// A JSON object with the width, the end tokens and the special tokens of a vocabulary.
pub(crate) fn about(vocabulary: &Vocabulary) -> String {
    let tokens = vocabulary.tokens();
    let specials: Vec<_> = tokens.specials().iter().map(|special| (&special.text, special.id)).collect();
    json!({ "width": tokens.width(), "end_tokens": tokens.end_tokens(), "special_tokens": specials })
        .to_string()
}

pub(crate) fn token(vocabulary: &Vocabulary, token: u32) -> Option<&[u8]> {
    vocabulary.tokens().bytes(token)
}

pub(crate) fn vocabulary_file(vocabulary: &Vocabulary) -> Vec<u8> {
    vocabulary.tokens().to_artifact()
}

/// The artifact; where masks are made on demand, it is compiled now.
pub(crate) fn grammar_file(session: &Session) -> Result<Vec<u8>, Failure> {
    Ok(session.complete()?.artifact().bytes().to_vec())
}

/// The matcher of saved bytes.
pub(crate) fn restore(session: &Session, saved: &[u8]) -> Result<Matcher, MatchError> {
    session.restore(saved)
}

/// Whether the output is still in the free text in front.
pub(crate) fn is_free(matcher: &Matcher) -> bool {
    matcher.is_free()
}
