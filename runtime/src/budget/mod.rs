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
//! | `heads` | the cost of heads, and of what comes after a token |
//! | `within` | masks within a budget, the shortest completion |
//!
//! A mask seldom needs any of this. The cost is known up to what the tokens since its last computation can have added to
//! it, a number of the artifact for each. As long as the budget is more than that, all allowed tokens are affordable.

mod cells;
mod heads;
mod within;

use gcc_grammar_artifact::grammar::CompletionView;

use crate::error::Error;
use crate::matcher::Matcher;

/// The cost of what cannot be completed. Sums of costs saturate at it.
pub(crate) const NEVER: u32 = u32::MAX;

/// The budget of a matcher.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    /// The number of commits, counted from the beginning, after which the output ends; `None` if there is no budget.
    pub(crate) end: Option<u64>,
    /// A number of commits, and the cost after them. It was computed since the last rollback.
    known: Option<(u64, u32)>,
}

impl Budget {
    /// A budget that ends after so many commits.
    pub(crate) const fn ending(end: Option<u64>) -> Self {
        Self { end, known: None }
    }

    /// Forgets the cost, because commits are taken back.
    pub(crate) const fn forget(&mut self) {
        self.known = None;
    }
}

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
            self.budget = Budget::default();
            return Ok(());
        };
        let needed = self.min_remaining()?.ok_or(Error::CannotComplete)?;
        if needed > remaining {
            return Err(Error::BudgetTooSmall { needed });
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
    /// [`Error::NoBudgets`], [`Error::ScratchFull`].
    pub fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
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
            return Ok(cost);
        }
        let completion = self.completion()?;
        let cost = self.attempt_and_undo(|matcher| {
            let heads = matcher.scratch.newest();
            matcher.scratch.cost_of_heads(matcher.grammar(), completion, heads)
        })?;
        self.budget.known = Some((committed, cost));
        Ok(cost)
    }

    /// Whether all allowed tokens are affordable, because the budget is far from its end. The cost is computed if it is not
    /// known well enough.
    pub(crate) fn is_far_from(&mut self, remaining: u32) -> Result<bool, Error> {
        let loss = self.completion()?.max_loss();
        let is_far = |cost: u32| cost.saturating_add(loss) < remaining;
        Ok(is_far(self.bound()?) || is_far(self.cost()?))
    }

    /// Fails if the newest commit leaves too little of the budget to complete the text.
    pub(crate) fn check_budget(&mut self) -> Result<(), Error> {
        let Some(remaining) = self.remaining() else { return Ok(()) };
        if self.bound()? <= remaining || self.cost()? <= remaining { Ok(()) } else { Err(Error::Refused) }
    }

    /// An upper bound of the cost: what it was, and what the tokens since then have added at most.
    fn bound(&self) -> Result<u32, Error> {
        let loss = self.completion()?.max_loss();
        let Some((at, cost)) = self.budget.known else { return Ok(NEVER) };
        let since = u32::try_from(self.progress.committed.saturating_sub(at)).unwrap_or(NEVER);
        Ok(cost.saturating_add(loss.saturating_mul(since)))
    }
}
