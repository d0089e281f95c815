//! The LR tables of an artifact, for [`Run`](gcc_grammar_compiler::lr::Run).

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action as StoredAction;
use gcc_grammar_artifact::ids;
use gcc_grammar_compiler::ids::{LrState, ProductionId};
use gcc_grammar_compiler::lr::{Action, Tables};
use gcc_grammar_ir::{NonterminalId, TerminalId};

/// The tables of an artifact.
pub struct ArtifactTables<'g>(pub GrammarView<'g>);

impl Tables for ArtifactTables<'_> {
    fn actions(&self, state: LrState, terminal: TerminalId) -> impl Iterator<Item = Action> {
        let actions = self.0.actions(ids::LrState(state.0), ids::Terminal(terminal.0)).iter();
        actions.map(|&code| match StoredAction::decode(code) {
            StoredAction::Shift(state) => Action::Shift(lr_state(state)),
            StoredAction::Reduce(production) => Action::Reduce(ProductionId(production.0)),
        })
    }

    fn goto(&self, state: LrState, nonterminal: NonterminalId) -> Option<LrState> {
        self.0.goto(ids::LrState(state.0), ids::Nonterminal(nonterminal.0)).map(lr_state)
    }

    fn production(&self, production: ProductionId) -> (NonterminalId, u32) {
        let (lhs, length) = self.0.production(ids::Production(production.0));
        (NonterminalId(lhs.0), length)
    }
}

/// A state of the artifact as the compiler numbers it: the numbers are the same.
#[must_use]
pub fn lr_state(state: ids::LrState) -> LrState {
    LrState(state.0)
}

/// A terminal of the artifact as the compiler numbers it.
#[must_use]
pub fn terminal_id(terminal: ids::Terminal) -> TerminalId {
    TerminalId(terminal.0)
}
