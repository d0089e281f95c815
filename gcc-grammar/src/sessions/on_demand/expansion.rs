//! A grammar whose masks are made on demand, with all that they are made from.

use crate::error::Error;
use crate::sessions::on_demand::uncompiled::{Inputs, Uncompiled};
use crate::sources::parse::Parsed;
use gcc_grammar_artifact::grammar::{CompletionView, Delta, DwaEdge, GrammarTables, LexerSource, MaskSource};
use gcc_grammar_artifact::ids::{BaseId, DwaState, LexState, LrState, MaskId};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_compiler::{Limits, OnDemand, Prepared};
use std::sync::OnceLock;
use std::{fmt, process};

self_cell::self_cell!(
    /// What makes the masks, with what it makes them from.
    struct OwnedOnDemand {
        owner: Prepared,
        #[not_covariant]
        dependent: OnDemand,
    }
);

/// What decodes with a whole artifact.
pub(crate) trait Whole: Clone + Send + Sync {
    /// What completing a text costs.
    fn completion(&self) -> Option<&CompletionView<'_>>;
}

/// The masks of a grammar, and its artifact once it was compiled.
pub(super) struct Expansion<W> {
    inputs: Inputs,
    made: OwnedOnDemand,
    /// What decodes with the artifact, or why there is none.
    completed: OnceLock<Result<W, Error>>,
    /// The same, in a process that was forked while a thread, which is not there, was compiling the artifact.
    completed_after_fork: OnceLock<Result<W, Error>>,
    /// The process that the threads belong to.
    process: u32,
}

impl<W: Whole> Expansion<W> {
    /// Builds the automata of a grammar. Masks are made within `limits`.
    pub(super) fn new(mut inputs: Inputs, limits: Limits) -> Result<Self, Error> {
        let budget = inputs.parsed.budget(&inputs.options)?;
        let options = gcc_grammar_compiler::Options { budgets: inputs.options.budgets, ..budget.into() };
        let tokens = inputs.vocabulary.tokens();
        let prepare = |parsed: &Parsed| Prepared::new(&parsed.grammar, tokens, &options, &mut ());
        let prepared = inputs.parsed.countable(prepare);
        let (prepared, other) = inputs.options.whole(&inputs.parsed.text, prepared)??;
        if let Some(parsed) = other {
            inputs.parsed = parsed;
        }
        let made = OwnedOnDemand::new(prepared, |prepared| OnDemand::new(prepared, limits));
        let (completed, completed_after_fork) = Default::default();
        Ok(Self { inputs, made, completed, completed_after_fork, process: process::id() })
    }

    /// What decodes with the artifact, if it was compiled.
    pub(super) fn completed(&self) -> Option<&W> {
        self.completed.get().or_else(|| self.completed_after_fork.get())?.as_ref().ok()
    }

    /// What decodes with the artifact: what `make` makes, unless it is there.
    pub(super) fn complete(&self, make: impl FnOnce() -> Result<W, Error>) -> Result<W, Error> {
        let made = if process::id() == self.process {
            self.completed.get_or_init(make)
        } else if let Some(made) = self.completed.get() {
            made
        } else {
            // Nothing is made while the cell is locked: a further fork leaves it open or closed.
            if self.completed_after_fork.get().is_none() {
                let _another_thread_was_faster = self.completed_after_fork.set(make());
            }
            self.completed_after_fork.wait()
        };
        made.as_ref().cloned().map_err(Error::without_source)
    }

    pub(super) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    pub(super) fn uncompiled(&self) -> Uncompiled<'_> {
        Uncompiled { inputs: &self.inputs, prepared: self.made.borrow_owner() }
    }

    /// Estimated bytes of the automata, and of all that was made so far.
    pub(super) fn bytes(&self) -> u64 {
        let prepared = self.made.borrow_owner().bytes();
        self.made.with_dependent(|_, on_demand| prepared + on_demand.bytes())
    }

    /// The tables that commits read.
    pub(super) fn parser_tables(&self) -> GrammarTables {
        self.made.borrow_owner().parser_tables()
    }
}

impl<W: Whole> MaskSource for Expansion<W> {
    fn identity(&self) -> u64 {
        self.made.with_dependent(|_, on_demand| on_demand.identity())
    }

    fn lexer(&self) -> Option<&dyn LexerSource> {
        self.made.with_dependent(|_, on_demand| on_demand.lexer())
    }

    fn completion(&self) -> Option<&CompletionView<'_>> {
        self.completed()?.completion()
    }

    fn start(&self, state: LexState) -> DwaState {
        self.made.with_dependent(|_, on_demand| on_demand.start(state))
    }

    fn next(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        self.made.with_dependent(|_, on_demand| on_demand.next(state, read))
    }

    fn mask(&self, mask: MaskId) -> (Option<BaseId>, Delta<'_>) {
        self.made.with_dependent(|_, on_demand| on_demand.mask(mask))
    }

    fn base(&self, base: BaseId) -> &[U32] {
        self.made.with_dependent(|_, on_demand| on_demand.base(base))
    }
}

impl<W> fmt::Debug for Expansion<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made.with_dependent(|_, on_demand| on_demand.fmt(f))
    }
}
