//! Canonical masks: only tokens that the model's own tokenizer writes behind the tokens so far.
//!
//! Two things are known. Where the next bytes are certain, it is the token that the tokenizer cuts from them; what follows does not matter for it. A *run* is what
//! [`forced`](crate::decoding::forced) says at a place: it holds as long as its tokens are committed one after the other, and the next place behind it is asked anew. Elsewhere it is
//! the tokens that some text goes on with so that the tokenizer writes them
//! (`Canonical` of the crate `gcc-grammar-tokenizers`), for the tokenizers that are known so well. Whether the grammar has such a text is looked for where few tokens are left: up to
//! [`DEEPEST`] tokens on, or to a place where more than [`MOST_TRIED`] may come. So what the grammar cannot go on with is found in enumerations, but not everywhere. Where no
//! token is left, the mask is that of the grammar, and up to the next special token the text is not canonical any more.
//!
//! All this is a function of the tokens so far: rolling back and going on gives the same tokens again.

use crate::decoding::exact::Exact;
use crate::decoding::forced::{Certainty, certain};
use crate::decoding::row;
use crate::vocabulary::{CanonicalState, Vocabulary};
use gcc_grammar_runtime::Error;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The tokens before the forced text that the tokenizer may look at.
const BEFORE: usize = 16;
/// What stands for bytes that were committed without a token. No vocabulary has this id.
const NO_TOKEN: u32 = u32::MAX;

/// Where more tokens may come, it is not tried whether the text can go on behind each of them.
const MOST_TRIED: u32 = 64;
/// The tokens behind a token that are tried, one behind the other.
const DEEPEST: usize = 4;
/// The tokens that are tried for one mask.
const MOST_TRIES: u32 = 128;

/// The tokens that are certain at a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    /// The number of commits before them.
    start: u64,
    tokens: Vec<u32>,
}

/// What the tokenizer may write behind some tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Text {
    /// None where nothing is known.
    state: Option<CanonicalState>,
    /// Whether the tokens are those that the tokenizer writes.
    is_canonical: bool,
}

/// The findings about the tokens so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Canonical {
    /// The last tokens, as many as can be rolled back and looked at.
    last: VecDeque<u32>,
    /// The number of commits so far.
    commits: u64,
    /// Runs that rolling back may lead into, the latest at the end.
    runs: VecDeque<Run>,
    /// For the places that rolling back may lead to; the last is here.
    texts: VecDeque<Text>,
    /// The mask here, if it was asked for.
    #[serde(skip)]
    mask: Option<Vec<u32>>,
}

impl Canonical {
    /// The findings at the beginning of an output.
    pub(crate) fn begin(vocabulary: &Vocabulary) -> Self {
        let state = vocabulary.canonical_begin();
        let text = Text { is_canonical: state.is_some(), state };
        Self { texts: VecDeque::from([text]), ..Self::default() }
    }

    /// Whether the tokens so far are those that the tokenizer writes; whether the next ones are does not matter.
    pub(crate) fn is_canonical(&self) -> bool {
        self.texts.back().is_some_and(|text| text.is_canonical)
    }

    /// Fills the mask, which has only tokens that the tokenizer writes.
    pub(crate) fn fill_mask(&mut self, exact: &mut Exact, mask: &mut [u32]) -> Result<(), Error> {
        if let Some(known) = &self.mask {
            mask.copy_from_slice(known);
            return Ok(());
        }
        self.find_mask(exact, mask)?;
        self.mask = Some(mask.to_vec());
        Ok(())
    }

    /// The mask of the grammar is another one: the budget changes.
    pub(crate) fn forget_mask(&mut self) {
        self.mask = None;
    }

    fn find_mask(&mut self, exact: &mut Exact, mask: &mut [u32]) -> Result<(), Error> {
        if let Some(token) = self.next(exact, mask)? {
            row::only(mask, token);
            return Ok(());
        }
        let Some(state) = self.texts.back().and_then(|text| text.state.as_ref()) else { return Ok(()) };
        let mut narrowed = mask.to_vec();
        exact.session().vocabulary().canonical_restrict(state, &mut narrowed);
        if size(&narrowed) == 0 {
            return Ok(());
        }
        mask.copy_from_slice(&narrowed);
        if size(mask) <= MOST_TRIED {
            let mut tries = MOST_TRIES;
            for token in row::tokens(mask) {
                if !goes_on(exact, state, token, DEEPEST, &mut tries)? {
                    row::remove(&mut narrowed, token);
                }
            }
            if size(&narrowed) > 0 {
                mask.copy_from_slice(&narrowed);
            }
        }
        Ok(())
    }

    /// The token that alone may come next. `mask` is a row for the mask of the grammar, which is filled.
    fn next(&mut self, exact: &mut Exact, mask: &mut [u32]) -> Result<Option<u32>, Error> {
        exact.fill_mask(mask)?;
        let token = match self.known() {
            Some(known) => known,
            None => self.find(exact, mask)?,
        };
        // What was saved may have been forged: nothing but tokens of the mask can be certain.
        Ok(token.filter(|token| row::has(mask, *token)))
    }

    /// What the last run says of this place; none if it says nothing.
    fn known(&self) -> Option<Option<u32>> {
        let run = self.runs.back()?;
        let place = usize::try_from(self.commits.checked_sub(run.start)?).ok()?;
        match run.tokens.get(place) {
            Some(&token) => Some(Some(token)),
            None => (place == 0).then_some(None),
        }
    }

    fn find(&mut self, exact: &mut Exact, mask: &[u32]) -> Result<Option<u32>, Error> {
        let vocabulary = exact.session().vocabulary().clone();
        // To look for certain text takes longer than a mask.
        let tokens = if row::begin_alike(mask, &vocabulary) {
            let before: Vec<u32> = self.last.iter().rev().take(BEFORE).rev().copied().collect();
            // That the tokenizer can be used was found out when the matcher was made.
            let cut = |text: &[u8]| vocabulary.cut_exactly(text).ok().flatten().unwrap_or_default();
            certain(exact, &before, &cut, Certainty::Canonical)?
        } else {
            Vec::new()
        };
        let token = tokens.first().copied();
        self.runs.push_back(Run { start: self.commits, tokens });
        Ok(token)
    }

    /// Notes a commit. `token` is none if bytes were committed.
    pub(crate) fn push(&mut self, token: Option<u32>, max_rollback: u64, vocabulary: &Vocabulary) {
        self.forget_mask();
        self.texts.extend(self.texts.back().map(|text| text.push(token, vocabulary)));
        while self.texts.len() as u64 > max_rollback + 1 {
            self.texts.pop_front();
        }
        if let Some(run) = self.runs.back_mut()
            && let Some(place) = self.commits.checked_sub(run.start)
            && let Ok(place) = usize::try_from(place)
            && run.tokens.get(place).is_some_and(|certain| Some(*certain) != token)
        {
            run.tokens.truncate(place);
        }
        self.commits += 1;
        self.last.push_back(token.unwrap_or(NO_TOKEN));
        while self.last.len() as u64 > max_rollback + BEFORE as u64 {
            self.last.pop_front();
        }
        // The last run before the reach of a rollback may still hold there.
        let reach = self.commits.saturating_sub(max_rollback);
        while self.runs.get(1).is_some_and(|next| next.start <= reach) {
            self.runs.pop_front();
        }
    }

    /// Whether this can be the state after this number of commits.
    pub(crate) fn fits(&self, commits: u64, vocabulary: &Vocabulary) -> bool {
        let starts = self.runs.iter().map(|run| run.start);
        let mut states = self.texts.iter().filter_map(|text| text.state.as_ref());
        self.commits == commits
            && !self.texts.is_empty()
            && self.texts.len() as u64 <= commits.saturating_add(1)
            && states.all(|state| vocabulary.canonical_has(state))
            && self.last.len() as u64 <= commits
            && starts.max().is_none_or(|start| start <= commits)
    }

    /// Takes back commits.
    pub(crate) fn rollback(&mut self, count: u64) {
        self.forget_mask();
        self.commits -= count;
        let count_of_texts = usize::try_from(count).unwrap_or(usize::MAX);
        self.texts.truncate(self.texts.len().saturating_sub(count_of_texts));
        self.last.truncate(self.last.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX)));
        while self.runs.back().is_some_and(|run| run.start > self.commits) {
            self.runs.pop_back();
        }
    }
}

fn size(row: &[u32]) -> u32 {
    row.iter().map(|word| word.count_ones()).sum()
}

/// Whether the text can go on behind a token, as far as that is looked for.
fn goes_on(
    exact: &Exact,
    state: &CanonicalState,
    token: u32,
    deepest: usize,
    tries: &mut u32,
) -> Result<bool, Error> {
    let vocabulary = exact.session().vocabulary();
    if deepest == 0 || *tries == 0 || vocabulary.tokens().bytes(token).is_none() {
        return Ok(true);
    }
    *tries -= 1;
    let Some(state) = vocabulary.canonical_push(state, token) else { return Ok(false) };
    let mut after = exact.fork()?;
    after.commit(token)?;
    let mut mask = vec![0; after.session().row_words()];
    after.fill_mask(&mut mask)?;
    vocabulary.canonical_restrict(&state, &mut mask);
    if size(&mask) > MOST_TRIED {
        return Ok(true);
    }
    for next in row::tokens(&mask) {
        if goes_on(&after, &state, next, deepest - 1, tries)? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Text {
    /// What the tokenizer may write behind another token, or behind bytes that were committed without one.
    fn push(&self, token: Option<u32>, vocabulary: &Vocabulary) -> Self {
        let is_special = token.is_some_and(|token| vocabulary.tokens().bytes(token).is_none());
        let state =
            self.state.as_ref().zip(token).and_then(|(state, token)| vocabulary.canonical_push(state, token));
        let is_canonical = self.is_canonical && state.is_some();
        // Behind a special token, the tokenizer begins anew.
        Self { state: if is_special { vocabulary.canonical_begin() } else { state }, is_canonical }
    }
}
