//! The prelude: free text before the part of an output that the grammar constrains, such as the thinking of a model before `</think>`.
//!
//! In: tokens. Out: where the marker ends, which may be inside of a token or behind several; text of that token behind the marker belongs
//! to the grammar. Until then every token may come next, except tokens that continue behind the marker with text that the grammar refuses: so
//! what follows the marker is in the language, and a token is refused exactly if its mask does not have it. An end token ends the output.
//!
//! With a limit, the marker comes at the latest when that number of tokens is committed: from then on, only the token with which it continues
//! ([`Ending`]) may come next, until it is complete.
//!
//! The marker is found as Knuth, Morris and Pratt do: the state is how many of its bytes were matched last.

use crate::decoding::ending::Ending;
use crate::decoding::exact::Exact;
use crate::decoding::row;
use crate::vocabulary::Vocabulary;
use gcc_grammar_runtime::Error;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// What the constrained part of an output comes after.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum StartAfter {
    /// A text, however it is cut into tokens. A special token of this name counts, too.
    Text(String),
    /// A token.
    Token(u32),
}

/// A marker with what finding it takes.
#[derive(Debug)]
struct Marker {
    after: StartAfter,
    /// For each number of matched bytes from 1 on, the next shorter match.
    shorter: Vec<usize>,
    /// The tokens that may continue behind the marker.
    beyond: Vec<u32>,
    /// What comes when the free text is at its limit; none without a limit.
    ending: Option<Ending>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Phase {
    /// In the prelude; this number of bytes of the marker was matched.
    Free(usize),
    /// An end token came before the marker.
    Ended,
    /// Behind the marker.
    Over,
}

/// The state of a prelude.
#[derive(Clone, Debug)]
pub(crate) struct Prelude {
    marker: Arc<Marker>,
    state: State,
}

/// What changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    place: Phase,
    /// The bytes that were matched before each of the last commits.
    before: VecDeque<usize>,
    /// The commits that were free text, also those in front of `before`.
    commits: u64,
    /// Whether the last of them is also the first commit of the grammar.
    shared: bool,
}

/// What is saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    after: StartAfter,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_free_tokens: Option<u64>,
    state: State,
}

/// What a commit does.
enum Step {
    To(Phase),
    /// The marker ends, and this many bytes behind it belong to the grammar.
    Rest(usize),
}

impl Prelude {
    /// The prelude before its first token, with at most this number of tokens of free text; the reason if the marker cannot be found in any output,
    /// or not be forced.
    pub(crate) fn new(after: StartAfter, most: Option<u64>, vocabulary: &Vocabulary) -> Result<Self, String> {
        match &after {
            StartAfter::Text(text) if text.is_empty() => {
                return Err("the text to start after is empty".into());
            }
            StartAfter::Token(token) if *token >= vocabulary.tokens().width() => {
                return Err(format!("the vocabulary has no token {token} to start after"));
            }
            _ => {}
        }
        let marker = after.text();
        let ending = most.map(|most| match after.token(vocabulary) {
            Some(token) => Ok(Ending::with_token(most, token, marker)),
            None => Ending::with_text(most, marker, vocabulary),
        });
        let ending = ending.transpose()?;
        let (shorter, beyond) = (shorter_matches(marker), tokens_beyond(marker, vocabulary));
        let state = State { place: Phase::Free(0), before: VecDeque::new(), commits: 0, shared: false };
        Ok(Self { marker: Arc::new(Marker { after, shorter, beyond, ending }), state })
    }

    /// The token that alone may come next, as the free text is at its limit.
    fn forced_token(&self) -> Option<u32> {
        let Phase::Free(matched) = self.state.place else { return None };
        let ending = self.marker.ending.as_ref().filter(|ending| self.state.commits >= ending.most)?;
        ending.next(matched)
    }

    /// The tokens that complete the marker, if the free text is at its limit.
    pub(crate) fn forced_tokens(&self, vocabulary: &Vocabulary) -> Vec<u32> {
        let mut after = self.clone();
        let next = || {
            let token = after.forced_token()?;
            after.state.place = match after.step(token, vocabulary) {
                Step::To(place) => place,
                Step::Rest(_) => Phase::Over,
            };
            Some(token)
        };
        std::iter::from_fn(next).collect()
    }

    /// The bytes that complete the marker, if the free text is at its limit and it ends with text.
    pub(crate) fn forced_bytes(&self, vocabulary: &Vocabulary) -> &[u8] {
        match (self.state.place, self.forced_token()) {
            (Phase::Free(matched), Some(token)) if vocabulary.tokens().bytes(token).is_some() => {
                self.marker.after.text().get(matched..).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// How many of the bytes may come as far as the limit goes: all of them in front of it, behind it those of the marker and what follows it.
    fn within_limit(&self, bytes: &[u8]) -> usize {
        let Phase::Free(matched) = self.state.place else { return bytes.len() };
        if self.forced_token().is_none() {
            return bytes.len();
        }
        let rest = self.marker.after.text().get(matched..).unwrap_or_default();
        let same = rest.iter().zip(bytes).take_while(|(marker, byte)| marker == byte).count();
        if same == rest.len() && same > 0 { bytes.len() } else { same }
    }

    /// Whether the marker did not come yet.
    pub(crate) fn is_running(&self) -> bool {
        self.state.place != Phase::Over
    }

    /// Whether an end token came before the marker.
    pub(crate) fn is_ended(&self) -> bool {
        self.state.place == Phase::Ended
    }

    /// How many of the bytes could be committed in a running prelude.
    pub(crate) fn validate_bytes(&self, exact: &mut Exact, bytes: &[u8]) -> Result<usize, Error> {
        let bytes = &bytes[..self.within_limit(bytes)];
        match self.step_bytes(bytes) {
            _ if self.is_ended() => Ok(0),
            Step::To(_) => Ok(bytes.len()),
            Step::Rest(rest) => {
                let free = bytes.len() - rest;
                Ok(free + exact.validate_bytes(&bytes[free..])?)
            }
        }
    }

    /// The commits behind the prelude, if the grammar saw that number.
    pub(crate) fn commits_behind(&self, seen: u64) -> u64 {
        seen - u64::from(self.state.shared)
    }

    /// The commits that the grammar did not see.
    pub(crate) fn commits(&self) -> u64 {
        self.state.commits - u64::from(self.state.shared)
    }

    /// Writes the mask of a running prelude.
    pub(crate) fn fill_mask(&self, exact: &mut Exact, row: &mut [u32]) -> Result<(), Error> {
        let vocabulary = exact.session().vocabulary().clone();
        if self.is_ended() {
            row.fill(0);
            return Ok(());
        }
        if let Some(token) = self.forced_token() {
            row::only(row, token);
            return Ok(());
        }
        row::all(row, vocabulary.tokens().width());
        for &token in &self.marker.beyond {
            let bytes = vocabulary.tokens().bytes(token).unwrap_or_default();
            if let Step::Rest(rest) = self.step_bytes(bytes)
                && exact.validate_bytes(&bytes[bytes.len() - rest..])? < rest
            {
                row::remove(row, token);
            }
        }
        Ok(())
    }

    /// Commits a token of a running prelude, and what of it is behind the marker to the grammar.
    pub(crate) fn commit(&mut self, exact: &mut Exact, token: u32, most: u64) -> Result<(), Error> {
        let vocabulary = exact.session().vocabulary().clone();
        let is_other = |forced| forced != token;
        if self.is_ended()
            || token >= vocabulary.tokens().width()
            || self.forced_token().is_some_and(is_other)
        {
            return Err(Error::Refused);
        }
        let bytes = vocabulary.tokens().bytes(token).unwrap_or_default();
        self.take(exact, &self.step(token, &vocabulary), bytes, most)
    }

    /// Where a token leads.
    fn step(&self, token: u32, vocabulary: &Vocabulary) -> Step {
        let tokens = vocabulary.tokens();
        let bytes = tokens.bytes(token).unwrap_or_default();
        match () {
            () if self.marker.after.token(vocabulary) == Some(token) => Step::To(Phase::Over),
            () if tokens.end_tokens().contains(&token) => Step::To(Phase::Ended),
            () if bytes.is_empty() => Step::To(Phase::Free(0)),
            () => self.step_bytes(bytes),
        }
    }

    /// Commits bytes in a running prelude.
    pub(crate) fn commit_bytes(&mut self, exact: &mut Exact, bytes: &[u8], most: u64) -> Result<(), Error> {
        if self.is_ended() || self.within_limit(bytes) < bytes.len() {
            return Err(Error::Refused);
        }
        self.take(exact, &self.step_bytes(bytes), bytes, most)
    }

    fn take(&mut self, exact: &mut Exact, step: &Step, bytes: &[u8], most: u64) -> Result<(), Error> {
        let Phase::Free(matched) = self.state.place else { return Err(Error::Refused) };
        self.state.place = match *step {
            Step::To(place) => place,
            Step::Rest(rest) => {
                exact.commit_bytes(&bytes[bytes.len() - rest..])?;
                self.state.shared = true;
                Phase::Over
            }
        };
        self.state.commits += 1;
        self.state.before.push_back(matched);
        while self.state.before.len() as u64 > most {
            self.state.before.pop_front();
        }
        Ok(())
    }

    /// Where bytes lead.
    fn step_bytes(&self, bytes: &[u8]) -> Step {
        let Phase::Free(mut matched) = self.state.place else { return Step::To(self.state.place) };
        let marker = self.marker.after.text();
        if marker.is_empty() {
            return Step::To(Phase::Free(0));
        }
        for (at, byte) in bytes.iter().enumerate() {
            while matched > 0 && marker[matched] != *byte {
                matched = self.marker.shorter[matched - 1];
            }
            matched += usize::from(marker[matched] == *byte);
            if matched == marker.len() {
                let rest = bytes.len() - at - 1;
                return if rest == 0 { Step::To(Phase::Over) } else { Step::Rest(rest) };
            }
        }
        Step::To(Phase::Free(matched))
    }

    /// Takes back the last `count` of its commits, or all that are available.
    pub(crate) fn rollback(&mut self, count: u64) {
        for _ in 0..count {
            if let Some(matched) = self.state.before.pop_back() {
                self.state.place = Phase::Free(matched);
                self.state.commits -= 1;
                self.state.shared = false;
            }
        }
    }

    /// The commits that can be taken back.
    pub(crate) fn available(&self) -> u64 {
        self.state.before.len() as u64
    }

    /// Goes back to the beginning.
    pub(crate) fn reset(&mut self) {
        self.state = State { place: Phase::Free(0), before: VecDeque::new(), commits: 0, shared: false };
    }

    /// What is saved.
    pub(crate) fn save(&self) -> Saved {
        let max_free_tokens = self.marker.ending.as_ref().map(|ending| ending.most);
        Saved { after: self.marker.after.clone(), max_free_tokens, state: self.state.clone() }
    }

    /// The prelude that was saved with a grammar that saw this number of commits; none if no prelude can be in this state.
    pub(crate) fn restore(saved: Saved, vocabulary: &Vocabulary, seen: u64) -> Option<Self> {
        let fresh = Self::new(saved.after, saved.max_free_tokens, vocabulary).ok()?;
        let length = fresh.marker.after.text().len().max(1);
        let state = saved.state;
        let is_match = |matched: &usize| *matched < length;
        let is_free = match state.place {
            Phase::Free(matched) => is_match(&matched) && seen == 0,
            Phase::Ended => state.commits > 0 && seen == 0,
            Phase::Over => state.commits > 0,
        };
        let is_possible = is_free
            && state.before.iter().all(is_match)
            && state.before.len() as u64 <= state.commits
            && (!state.shared || (state.place == Phase::Over && seen > 0));
        is_possible.then_some(Self { state, ..fresh })
    }
}

impl StartAfter {
    /// The bytes to look for; none for a token.
    fn text(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Token(_) => &[],
        }
    }

    /// The token that is meant; none if it is a text that is no name of a special token.
    fn token(&self, vocabulary: &Vocabulary) -> Option<u32> {
        match self {
            Self::Text(text) => vocabulary.tokens().special(text),
            Self::Token(token) => Some(*token),
        }
    }
}

/// For each prefix of the marker, the length of its longest proper prefix that is also a suffix of it.
fn shorter_matches(marker: &[u8]) -> Vec<usize> {
    let mut shorter = vec![0; marker.len()];
    let mut matched = 0;
    for at in 1..marker.len() {
        while matched > 0 && marker[matched] != marker[at] {
            matched = shorter[matched - 1];
        }
        matched += usize::from(marker[matched] == marker[at]);
        shorter[at] = matched;
    }
    shorter
}

/// The tokens in which the marker, or the end of the marker, is followed by more text.
fn tokens_beyond(marker: &[u8], vocabulary: &Vocabulary) -> Vec<u32> {
    let bytes = |id: u32| vocabulary.tokens().bytes(id).unwrap_or_default();
    let order = vocabulary.tokens().order();
    let mut found = Vec::new();
    for start in 1..marker.len() {
        // Tokens are in the order of their bytes: those that begin with a text follow one another.
        let end = &marker[start..];
        let behind = order[order.partition_point(|&id| bytes(id) <= end)..].iter();
        found.extend(behind.take_while(|&&id| bytes(id).starts_with(end)));
    }
    let has_inside = |id: &u32| {
        let bytes = bytes(*id);
        let inside = bytes.len().checked_sub(1).map_or(&[][..], |last| &bytes[..last]);
        inside.len() >= marker.len() && inside.windows(marker.len().max(1)).any(|window| window == marker)
    };
    if !marker.is_empty() {
        found.extend(order.iter().filter(|id| has_inside(id)));
    }
    found.sort_unstable();
    found.dedup();
    found
}
