//! The LR tables of an artifact, for [`Run`](gcc_grammar_compiler::lr::Run).

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action as StoredAction;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, ProductionId, Terminal};
use gcc_grammar_compiler::lr::{Action, Tables};
use gcc_grammar_ir::{NonterminalId, TerminalId};

/// The tables of an artifact.
pub struct ArtifactTables<'g>(pub GrammarView<'g>);

impl Tables for ArtifactTables<'_> {
    fn actions(&self, state: LrState, terminal: TerminalId) -> impl Iterator<Item = Action> {
        let actions = self.0.actions(state, Terminal(terminal.0)).iter();
        actions.map(|&code| match StoredAction::decode(code) {
            StoredAction::Shift(state) => Action::Shift(state),
            StoredAction::Reduce(production) => Action::Reduce(production),
        })
    }

    fn goto(&self, state: LrState, nonterminal: NonterminalId) -> Option<LrState> {
        self.0.goto(state, Nonterminal(nonterminal.0))
    }

    fn production(&self, production: ProductionId) -> (NonterminalId, u32) {
        let (lhs, length) = self.0.production(production);
        (NonterminalId(lhs.0), length)
    }
}

/// A terminal of the artifact as the compiler numbers it: the numbers are the same.
#[must_use]
pub fn terminal_id(terminal: Terminal) -> TerminalId {
    TerminalId(terminal.0)
}
