//! What the compiler makes masks from, owned.

use crate::error::Error;
use crate::options::Options;
use crate::parse::Parsed;
use crate::vocabulary::Vocabulary;
use gcc_grammar_compiler::terminal::Shortcuts;
use gcc_grammar_compiler::{Limits, OnDemand, Prepared};
use gcc_grammar_limits::{Budget, OverBudget};
use std::sync::Arc;

/// A grammar with the vocabulary that it is compiled for.
pub(super) struct Inputs {
    pub(super) parsed: Parsed,
    pub(super) vocabulary: Vocabulary,
}

self_cell::self_cell!(
    /// The automata of a grammar, with the grammar.
    pub(super) struct OwnedPrepared {
        owner: Inputs,
        #[covariant]
        dependent: Prepared,
    }
);

self_cell::self_cell!(
    /// The automaton that is made on demand, with what it is made from.
    struct OwnedOnDemand {
        owner: Arc<OwnedPrepared>,
        #[not_covariant]
        dependent: OnDemand,
    }
);

/// Builds the automata of a grammar.
pub(super) fn prepare(inputs: Inputs, options: &Options) -> Result<OwnedPrepared, Error> {
    let budget = inputs.parsed.budget(options)?;
    let shortcuts = Shortcuts::ON_DEMAND;
    let options = gcc_grammar_compiler::Options { budgets: options.budgets, shortcuts, ..budget.into() };
    OwnedPrepared::try_new(inputs, |Inputs { parsed, vocabulary }| {
        Prepared::new(&parsed.grammar, vocabulary.tokens(), &options, &mut ())
            .map_err(|error| parsed.error(error))
    })
}

/// The automaton that is made on demand.
pub(super) struct Expansion(OwnedOnDemand);

impl Expansion {
    pub(super) fn new(prepared: &Arc<OwnedPrepared>, limits: Limits) -> Result<Self, OverBudget> {
        let budget = Budget::new(limits);
        OwnedOnDemand::try_new(Arc::clone(prepared), |prepared| {
            OnDemand::new(prepared.borrow_dependent(), &budget)
        })
        .map(Self)
    }

    /// Asks the automaton.
    pub(super) fn ask<T>(&mut self, question: impl FnOnce(&mut OnDemand<'_>) -> T) -> T {
        self.0.with_dependent_mut(|_, on_demand| question(on_demand))
    }
}
