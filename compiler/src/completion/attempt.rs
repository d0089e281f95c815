//! Computes the costs of completions while another thread does something else.
//!
//! In: the automata, before it is known what the other stages spend. Out: the costs that [`build`](super::build) would
//! find after these stages, with the same charges, or none: then they have to be computed after them.
//!
//! An attempt has a small budget of its own, so that memory stays within bounds. Whether it succeeds depends on the
//! input alone, and so does whether there is one.

use super::{Built, Costs, build_within, with_shortfall};
use crate::at_once::at_once;
use crate::automata::Automata;
use crate::options::Budgets;
use gcc_grammar_limits::Budget;
use gcc_grammar_vocabulary::Vocabulary;

/// With fewer lexer states, it takes less time than to start a thread.
const MIN_LEXER_STATES: usize = 256;
/// An attempt may spend half of the half of the half of what is left.
const HALVINGS: usize = 3;

/// A finished attempt.
pub(crate) struct Attempt {
    costs: Option<Costs>,
    /// Work and bytes.
    spent: (u64, u64),
}

impl Attempt {
    /// Does `work` with an attempt beside it.
    pub(crate) fn beside<T>(
        automata: &Automata<'_>,
        vocabulary: &Vocabulary,
        budgets: Budgets,
        budget: &Budget,
        work: impl FnOnce() -> T,
    ) -> (T, Option<Self>) {
        if budgets != Budgets::Bounded || automata.decoding().lexer.states() < MIN_LEXER_STATES {
            return (work(), None);
        }
        let own = (0..HALVINGS).fold(budget.fork(), |budget, _| budget.split()).stage("completion");
        let (result, attempt) = at_once(work, || Self::new(automata, vocabulary, budgets, &own));
        (result, attempt.flatten())
    }

    fn new(
        automata: &Automata<'_>,
        vocabulary: &Vocabulary,
        budgets: Budgets,
        budget: &Budget,
    ) -> Option<Self> {
        let before = budget.spent();
        let costs = build_within(automata, vocabulary, budgets, budget).ok()?;
        let after = budget.spent();
        Some(Self { costs, spent: (after.0 - before.0, after.1 - before.1) })
    }

    /// The costs, provided that they take at most half of what is left of the budget, which is charged.
    pub(crate) fn charged_to(self, budget: &Budget) -> Option<Built> {
        let Self { costs, spent: (work, bytes) } = self;
        let (limits, spent) = (budget.limits(), budget.spent());
        let fits = work <= (limits.work - spent.0) / 2 && bytes <= (limits.bytes - spent.1) / 2;
        let charged = fits && budget.charge_work(work).is_ok() && budget.charge_bytes(bytes).is_ok();
        charged.then(|| with_shortfall(costs, Budgets::Bounded))
    }
}
