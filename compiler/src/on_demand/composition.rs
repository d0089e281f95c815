//! The Parser DWA and the masks of a grammar, one by one.
//!
//! Everything is remembered, within the limits. After an error it is of no more use.

use crate::emit::{self, Masks};
use crate::ids::{DwaState, LexState, LrState, SetId};
use crate::lexer::Lexer;
use crate::masks::{LazyMask, LazyMasks, MaskStore};
use crate::parser::{Composer, Dwa, Transition};
use crate::prepared::Prepared;
use crate::sets::Sets;
use crate::terminal::{KeptWalks, Lexemes, TokenIds};
use gcc_grammar_artifact::grammar::GrammarTables;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The Parser DWA and the masks of a grammar, made on demand by one thread.
pub(super) struct Composition<'p> {
    composer: Composer<'p>,
    masks: LazyMasks<'p>,
    tokens: TokenIds<'p>,
}

impl<'p> Composition<'p> {
    /// Nothing is made yet.
    ///
    /// # Errors
    /// The budget is spent.
    pub(super) fn new(
        prepared: &'p Prepared,
        lexer: Lexemes<'p>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let (budget, vocabulary) = (budget.stage("parser"), &prepared.vocabulary);
        let sets = Sets::new(budget.stage("sets"));
        let masks = LazyMasks::new(prepared.options.refers.then(|| vocabulary.bases()), vocabulary.width());
        let walks = KeptWalks::new(budget.clone());
        Ok(Self {
            composer: Composer::new(prepared.sources(), lexer, sets, walks, budget),
            masks,
            tokens: TokenIds::new(vocabulary, &prepared.automata.symbols),
        })
    }

    /// Estimated bytes of the memory.
    pub(super) fn bytes(&self) -> u64 {
        self.composer.budget.spent().1
    }

    /// The transition on the top of the stack, where reading starts in a lexer state.
    ///
    /// # Errors
    /// The budget is spent.
    pub(super) fn start(&mut self, state: LexState, top: LrState) -> Result<Transition, OverBudget> {
        self.composer.start(state, top)
    }

    /// The transition of a state that a transition led to, on the next LR state of the stack.
    ///
    /// # Errors
    /// The budget is spent.
    pub(super) fn next(&mut self, state: DwaState, read: LrState) -> Result<Transition, OverBudget> {
        self.composer.next(state, read)
    }

    /// The tokens of an output.
    ///
    /// # Errors
    /// The budget is spent.
    pub(super) fn mask(&mut self, set: SetId) -> Result<LazyMask, OverBudget> {
        let Self { composer, masks, tokens } = self;
        masks.mask(&mut composer.sets, set, tokens, &composer.budget)
    }
}

impl Prepared {
    /// The tables that commits read: those of an artifact without Parser DWA, masks, costs and budgets. Where lexer states are made on
    /// demand, there is only the dead state.
    #[must_use]
    pub fn parser_tables(&self) -> GrammarTables {
        self.parser_tables_with(self.automata.decoding().lexer)
    }

    /// The same, with this lexer.
    pub(super) fn parser_tables_with(&self, lexer: &Lexer) -> GrammarTables {
        let dwa = Dwa {
            default: vec![None],
            exceptions: vec![Vec::new()],
            start: vec![DwaState::STOP; lexer.states()],
        };
        let mask_of = FxHashMap::from_iter([(Sets::EMPTY, 0)]);
        let masks = Masks { dwa: &dwa, mask_of: &mask_of, store: MaskStore::empty(self.vocabulary.width()) };
        GrammarTables { masks_on_demand: true, ..emit::emit(self, lexer, masks) }
    }
}
