//! Canonical masks: where the next bytes are certain, only the token that the model's own tokenizer cuts from them.
//!
//! In: the tokens so far. Out: the token that alone may come next, if there is one. It is a function of the tokens so far: rolling back and
//! going on gives the same tokens again. A *run* is what [`forced`](crate::forced) says at a place: it holds as long as its tokens are
//! committed one after the other, and the next place behind it is asked anew.

use crate::exact::Exact;
use crate::forced::{Certainty, certain};
use crate::row;
use gcc_grammar_runtime::Error;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The tokens before the forced text that the tokenizer may look at.
const BEFORE: usize = 16;
/// What stands for bytes that were committed without a token. No vocabulary has this id.
const NO_TOKEN: u32 = u32::MAX;

/// The tokens that are certain at a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    /// The number of commits before them.
    start: u64,
    tokens: Vec<u32>,
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
}

impl Canonical {
    /// The token that alone may come next. `mask` is a row for the mask of the grammar, which is filled.
    pub(crate) fn next(&mut self, exact: &mut Exact, mask: &mut [u32]) -> Result<Option<u32>, Error> {
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
    pub(crate) fn push(&mut self, token: Option<u32>, max_rollback: u64) {
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
    pub(crate) fn fits(&self, commits: u64) -> bool {
        let starts = self.runs.iter().map(|run| run.start);
        self.commits == commits
            && self.last.len() as u64 <= commits
            && starts.max().is_none_or(|start| start <= commits)
    }

    /// Takes back commits.
    pub(crate) fn rollback(&mut self, count: u64) {
        self.commits -= count;
        self.last.truncate(self.last.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX)));
        while self.runs.back().is_some_and(|run| run.start > self.commits) {
            self.runs.pop_back();
        }
    }
}
