//! A grammar whose masks are made on demand, with all that they are made from.

use crate::error::Error;
use crate::options::Options;
use crate::parse::Parsed;
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::grammar::{Delta, DwaEdge, GrammarTables, MaskSource};
use gcc_grammar_artifact::ids::{BaseId, DwaState, LexState, LrState, MaskId};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_compiler::{Limits, OnDemand, Prepared};
use std::fmt;

/// A grammar with the vocabulary that it is compiled for.
pub(super) struct Inputs {
    pub(super) parsed: Parsed,
    pub(super) vocabulary: Vocabulary,
}

self_cell::self_cell!(
    /// The automata of a grammar, with the grammar.
    struct OwnedPrepared {
        owner: Inputs,
        #[covariant]
        dependent: Prepared,
    }
);

self_cell::self_cell!(
    /// What makes the masks, with what it makes them from.
    struct OwnedOnDemand {
        owner: OwnedPrepared,
        #[not_covariant]
        dependent: OnDemand,
    }
);

/// The masks of a grammar.
pub(super) struct Expansion(OwnedOnDemand);

impl Expansion {
    /// Builds the automata of a grammar. Masks are made within `limits`.
    pub(super) fn new(mut inputs: Inputs, options: &Options, limits: Limits) -> Result<Self, Error> {
        let budget = inputs.parsed.budget(options)?;
        let options = gcc_grammar_compiler::Options { budgets: options.budgets, ..budget.into() };
        let prepared = loop {
            let prepared = OwnedPrepared::try_new_or_recover(inputs, |Inputs { parsed, vocabulary }| {
                Prepared::new(&parsed.grammar, vocabulary.tokens(), &options, &mut ())
            });
            match prepared {
                Ok(prepared) => break prepared,
                Err((Inputs { parsed, vocabulary }, error)) => {
                    inputs = Inputs { parsed: parsed.after(error)?, vocabulary };
                }
            }
        };
        Ok(Self(OwnedOnDemand::new(prepared, |prepared| OnDemand::new(prepared.borrow_dependent(), limits))))
    }

    pub(super) fn inputs(&self) -> &Inputs {
        self.0.borrow_owner().borrow_owner()
    }

    /// Estimated bytes of the automata, and of all that was made so far.
    pub(super) fn bytes(&self) -> u64 {
        let prepared = self.0.borrow_owner().borrow_dependent().bytes();
        self.0.with_dependent(|_, on_demand| prepared + on_demand.bytes())
    }

    /// The tables that commits read.
    pub(super) fn parser_tables(&self) -> GrammarTables {
        self.0.borrow_owner().borrow_dependent().parser_tables()
    }
}

impl MaskSource for Expansion {
    fn start(&self, state: LexState) -> DwaState {
        self.0.with_dependent(|_, on_demand| on_demand.start(state))
    }

    fn next(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        self.0.with_dependent(|_, on_demand| on_demand.next(state, read))
    }

    fn mask(&self, mask: MaskId) -> (Option<BaseId>, Delta<'_>) {
        self.0.with_dependent(|_, on_demand| on_demand.mask(mask))
    }

    fn base(&self, base: BaseId) -> &[U32] {
        self.0.with_dependent(|_, on_demand| on_demand.base(base))
    }
}

impl fmt::Debug for Expansion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.with_dependent(|_, on_demand| on_demand.fmt(f))
    }
}
