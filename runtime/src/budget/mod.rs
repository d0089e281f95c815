//! Token budgets: masks under which every output is complete within a number of tokens.
//!
//! The *cost* of a configuration is the number of tokens that complete its text, the end token included, as far as the
//! tables of the artifact know ([`CompletionView`]). With `remaining` tokens left, a token is allowed if the cost after it
//! is less than `remaining`. From every configuration some token leads to one whose cost is less by one; so a matcher whose
//! budget is not less than the cost never gets stuck, and its output ends within the budget.
//!
//! | file | content |
//! |---|---|
//! | `cells` | the costs of cells, which are remembered in them |
//! | `first` | a token where the bounded search has found none |
//! | `heads` | the cost of heads, and of what comes after a token |
//! | `step_memo` | the cost after tokens that lie within the lexeme |
//! | `remembered` | what is added where keys or items are remembered |
//! | `lexeme` | where characters lead within a lexeme |
//! | `runs` | the cost after tokens whose characters all continue the lexeme alike |
//! | `search` | the bound of the search for affordable tokens, and masks that lack some |
//! | `state` | what a matcher remembers about its budget |
//! | `walk` | the cost after all tokens, by a walk over their trie |
//! | `within` | masks within a budget, the shortest completion |
//!
//! A mask seldom needs any of this. The *worst* cost is that of the dearest head, and infinite if some of its stacks cost
//! more than others. A token raises it at most by a number of the artifact ([`CompletionView::max_loss`]). As long as the
//! budget is more than the worst cost when it was last computed, and what the tokens since then and the next one can have
//! added, all allowed tokens are affordable. Where all tokens of a mask were asked for their cost, the greatest of these costs is
//! remembered, too: as long as the same lexeme stays in the same lexer state, the mask is the same.

mod cells;
mod first;
mod heads;
mod lexeme;
mod remembered;
mod runs;
mod search;
mod state;
mod step_memo;
mod walk;
mod within;

use gcc_grammar_artifact::grammar::CompletionView;
pub(crate) use state::{NEVER, Search, TokenBudget};
use step_memo::StepMemo;

use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Head;

impl<'a> Matcher<'a, '_> {
    /// Limits the number of tokens that may still be committed, the end token included; `None` lifts the limit. Commits
    /// count down, rollbacks count up.
    ///
    /// All masks then allow only tokens after which the text can be completed within the limit, as do
    /// [`commit`](Self::commit), [`allows`](Self::allows) and [`validate`](Self::validate). [`forced`](Self::forced)
    /// returns what all completions within the limit begin with.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] if no completion is known that takes so few tokens, [`Error::CannotComplete`] if none is
    /// known at all, [`Error::NoBudgets`] if the artifact has no costs; [`Error::ScratchFull`].
    pub fn set_budget(&mut self, remaining: Option<u32>) -> Result<(), Error> {
        let Some(remaining) = remaining else {
            self.budget = TokenBudget::default();
            return Ok(());
        };
        let needed = self.min_remaining()?.ok_or(Error::CannotComplete)?;
        if needed > remaining {
            let is_exact = self.completion()?.is_exact();
            return Err(Error::BudgetTooSmall { needed, is_exact });
        }
        self.budget.end = Some(self.progress.committed.saturating_add(u64::from(remaining)));
        Ok(())
    }

    /// The number of tokens that may still be committed, the end token included; `None` if there is no limit.
    #[must_use]
    pub fn remaining(&self) -> Option<u32> {
        let left = self.budget.end?.saturating_sub(self.progress.committed);
        Some(u32::try_from(left).unwrap_or(u32::MAX))
    }

    /// The number of tokens that complete the text, the end token included: the length of
    /// [`shortest_completion`](Self::shortest_completion). It is 0 after an end token. `None` if no completion is known.
    ///
    /// It is the fewest tokens if the artifact is [exact](CompletionView::is_exact), else an upper bound.
    ///
    /// # Errors
    /// [`Error::NoBudgets`], [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
        self.begin_work();
        let cost = self.cost()?;
        Ok((cost != NEVER).then_some(cost))
    }

    pub(crate) fn completion(&self) -> Result<&'a CompletionView<'a>, Error> {
        self.grammar().completion().ok_or(Error::NoBudgets)
    }

    /// The cost of the newest entry. It is remembered.
    fn cost(&mut self) -> Result<u32, Error> {
        let committed = self.progress.committed;
        if let Some((at, cost)) = self.budget.known
            && at == committed
        {
            return Ok(cost.least);
        }
        let completion = self.completion()?;
        let cost = self.attempt_and_undo(|matcher| {
            let heads = matcher.scratch.newest();
            matcher.scratch.cost_of_heads(matcher.grammar(), completion, heads)
        })?;
        self.budget.known = Some((committed, cost));
        Ok(cost.least)
    }

    /// Computes the costs of all cells below the newest heads. What a search finds then does not depend on what was asked for, or forgotten, before.
    fn settle_costs(&mut self) -> Result<(), Error> {
        self.budget.known = None;
        self.cost().map(drop)
    }

    /// Whether all allowed tokens are affordable, because the budget is far from its end. The cost is computed if it is not
    /// known well enough.
    pub(crate) fn is_far_from(&mut self, remaining: u32) -> Result<bool, Error> {
        if let Some((head, costliest)) = self.budget.costliest
            && costliest < remaining
            && self.only_head() == Some(head)
        {
            return Ok(true);
        }
        let loss = self.completion()?.max_loss();
        if loss >= remaining {
            return Ok(false);
        }
        let is_far = |worst: u32| worst.saturating_add(loss) < remaining;
        if is_far(self.worst()?) {
            return Ok(true);
        }
        self.cost()?;
        Ok(is_far(self.worst()?))
    }

    fn only_head(&self) -> Option<Head> {
        let heads = self.scratch.newest();
        (heads.count == 1).then(|| self.scratch.head(heads, 0))
    }

    /// Remembers what the tokens of the mask cost at most. The same mask comes again after each token of a string.
    fn remember_costliest(&mut self, costliest: u32) {
        self.budget.costliest = self.only_head().map(|head| (head, costliest));
    }

    /// The same where tokens were asked with this memory.
    fn remember_costliest_of(&mut self, kept: &StepMemo<'_>) {
        self.remember_costliest(if kept.reads_texts { NEVER } else { kept.costliest });
    }

    /// Fails if the newest commit leaves too little of the budget to complete the text.
    pub(crate) fn check_budget(&mut self) -> Result<(), Error> {
        let Some(remaining) = self.remaining() else { return Ok(()) };
        if self.worst()? <= remaining || self.cost()? <= remaining { Ok(()) } else { Err(Error::Refused) }
    }

    /// An upper bound of the worst cost: what it was, and what the tokens since then have added at most.
    fn worst(&self) -> Result<u32, Error> {
        let loss = self.completion()?.max_loss();
        let Some((at, cost)) = self.budget.known else { return Ok(NEVER) };
        let since = u32::try_from(self.progress.committed.saturating_sub(at)).unwrap_or(NEVER);
        Ok(cost.worst.saturating_add(loss.saturating_mul(since)))
    }
}
