//! Options of a matcher that go beyond the grammar, and their state.

use crate::decoding::canonical::Canonical;
use crate::decoding::prelude::{Prelude, StartAfter};
use crate::error::{Error, ErrorKind};
use crate::text::json_object;
use crate::vocabulary::Vocabulary;
use gcc_grammar_ir::{Code, Diagnostic};
use serde::{Deserialize, Serialize};

/// The commits that can be taken back unless the caller asks for another number.
pub const DEFAULT_ROLLBACK: u32 = 64;

/// Options of a matcher.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatcherOptions {
    /// The commits that can be taken back.
    pub max_rollback: u32,
    /// Whether masks have only tokens that the model's own tokenizer writes: for the built-in vocabularies, files with their tokens, and tekken everywhere, for others where the next bytes are
    /// certain.
    pub canonical: bool,
    /// The most work of a call, in units ([`Matcher::set_max_work`](crate::Matcher::set_max_work)); none stands for
    /// [`DEFAULT_MAX_WORK`](crate::DEFAULT_MAX_WORK).
    pub max_work: Option<u64>,
    /// What free text ends with that the grammar says nothing about.
    pub start_after: Option<StartAfter>,
    /// The most tokens of that free text; then masks have only the tokens of what it ends with. None stands for no limit.
    pub max_free_tokens: Option<u64>,
}

impl Default for MatcherOptions {
    fn default() -> Self {
        Self {
            max_rollback: DEFAULT_ROLLBACK,
            canonical: false,
            max_work: None,
            start_after: None,
            max_free_tokens: None,
        }
    }
}

impl MatcherOptions {
    /// Reads options from a JSON object with the members `max_rollback` (a number), `canonical` (a Boolean), `max_work` (a number), `start_after` (a text, or
    /// the id of a token) and `max_free_tokens` (a number), each of which may be missing.
    ///
    /// # Errors
    /// The text is no such object.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        json_object(text).map_err(|error| refused(error.to_string()))
    }

    /// The state before the first token; none if the options ask for nothing but the grammar.
    pub(crate) fn begin(&self, vocabulary: &Vocabulary) -> Result<Option<Box<Guide>>, Error> {
        if self.canonical && !has_tokenizer(vocabulary)? {
            let message = format!(
                "canonical tokens need the model's own tokenizer, and that of the vocabulary `{}` is not known or changes texts",
                vocabulary.name()
            );
            return Err(refused(message));
        }
        if self.max_free_tokens.is_some() && self.start_after.is_none() {
            return Err(refused("max_free_tokens limits free text: say with start_after what ends it"));
        }
        let prelude = self.start_after.clone();
        let prelude = prelude.map(|after| Prelude::new(after, self.max_free_tokens, vocabulary)).transpose();
        let prelude = prelude.map_err(refused)?;
        let canonical = self.canonical.then(|| Canonical::begin(vocabulary));
        let guide = Guide { prelude, canonical, max_rollback: self.max_rollback.into() };
        Ok((guide.prelude.is_some() || guide.canonical.is_some()).then(|| Box::new(guide)))
    }
}

/// Whether texts can be cut as the model's own tokenizer cuts them.
fn has_tokenizer(vocabulary: &Vocabulary) -> Result<bool, Error> {
    let some_token = vocabulary.tokens().order().first().and_then(|&id| vocabulary.tokens().bytes(id));
    Ok(vocabulary.cut_exactly(some_token.unwrap_or_default())?.is_some())
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Refused, "options", Diagnostic::error(Code::Usage, message.into()))
}

/// The state of the options that go beyond the grammar.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    pub(crate) prelude: Option<Prelude>,
    pub(crate) canonical: Option<Canonical>,
    pub(crate) max_rollback: u64,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    prelude: Option<crate::decoding::prelude::Saved>,
    canonical: Option<Canonical>,
    max_rollback: u32,
}

impl Guide {
    /// The prelude, if its marker did not come yet.
    pub(crate) fn running(&mut self) -> Option<&mut Prelude> {
        self.prelude.as_mut().filter(|prelude| prelude.is_running())
    }

    /// The commits that the grammar did not see.
    pub(crate) fn free_commits(&self) -> u64 {
        self.prelude.as_ref().map_or(0, Prelude::commits)
    }

    /// Notes a commit of a token or, if there is none, of bytes.
    pub(crate) fn push(&mut self, token: Option<u32>, vocabulary: &Vocabulary) {
        if let Some(canonical) = &mut self.canonical {
            canonical.push(token, self.max_rollback, vocabulary);
        }
    }

    /// Goes back to the beginning.
    pub(crate) fn reset(&mut self, vocabulary: &Vocabulary) {
        self.prelude.iter_mut().for_each(Prelude::reset);
        self.canonical.iter_mut().for_each(|canonical| *canonical = Canonical::begin(vocabulary));
    }

    /// The state as text.
    pub(crate) fn save(&self) -> String {
        let saved = Saved {
            prelude: self.prelude.as_ref().map(Prelude::save),
            canonical: self.canonical.clone(),
            max_rollback: u32::try_from(self.max_rollback).unwrap_or(u32::MAX),
        };
        serde_json::to_string(&saved).expect("numbers and texts")
    }

    /// The state of a text, for a matcher whose grammar saw this number of commits; none if no matcher can be in it.
    pub(crate) fn restore(text: &str, vocabulary: &Vocabulary, seen: u64) -> Option<Box<Self>> {
        let saved: Saved = serde_json::from_str(text).ok()?;
        let prelude = match saved.prelude {
            Some(saved) => Some(Prelude::restore(saved, vocabulary, seen)?),
            None => None,
        };
        let guide = Self { prelude, canonical: saved.canonical, max_rollback: saved.max_rollback.into() };
        let commits = guide.free_commits().checked_add(seen)?;
        let is_possible =
            guide.canonical.as_ref().is_none_or(|canonical| canonical.fits(commits, vocabulary));
        is_possible.then(|| Box::new(guide))
    }
}
