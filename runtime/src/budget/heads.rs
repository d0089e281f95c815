//! What completing the text costs from a list of heads.
//!
//! A head completes its lexeme, then the parser takes the terminal, and the rest costs what the cell on top says.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::{CellCost, CompletionView, LexemeCost};
use gcc_grammar_artifact::ids::{LexState, LrState, Terminal, TokenId};

use super::state::{Cost, NEVER};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::{Head, Heads, Node, Scratch};
use crate::simulate::{Outcome, Pushed};

impl Matcher<'_, '_> {
    /// The cost after a token; `None` if the grammar does not allow the token. It leaves temporaries and cells behind.
    pub(super) fn cost_after(&mut self, token: TokenId) -> Result<Option<u32>, Error> {
        let completion = self.completion()?;
        let checkpoint = self.scratch.checkpoint();
        let cost = match self.read_token(self.position(), token) {
            Ok(position) => self
                .scratch
                .cost_of_heads(self.grammar(), completion, position.heads)
                .map(|cost| Some(cost.least)),
            Err(Error::Refused) => Ok(None),
            Err(error) => Err(error),
        };
        self.scratch.restore(checkpoint);
        cost
    }
}

impl Scratch<'_> {
    /// The costs of the heads. It may leave temporaries and cells behind.
    pub(super) fn cost_of_heads(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        heads: Heads,
    ) -> Result<Cost, Error> {
        let mut all = Cost { least: NEVER, worst: 0 };
        for index in 0..heads.count {
            let head = self.head(heads, index);
            let cost = self.cost_of_head(grammar, completion, head)?;
            all.least = all.least.min(cost);
            let is_single = head.lex == LexState::DEAD || self.costs(completion, head.node)?.are_single();
            all.worst = if is_single { all.worst.max(cost) } else { NEVER };
        }
        Ok(all)
    }

    pub(super) fn cost_of_head(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        head: Head,
    ) -> Result<u32, Error> {
        if head.lex == LexState::DEAD {
            // The end of the text was read.
            return Ok(0);
        }
        let mut least = NEVER;
        let state = grammar.number(grammar.uncounted(head.lex)).ok_or(Error::MaskOverLimit)?;
        for lexeme in completion.lexeme_costs(state) {
            let LexemeCost { terminal, end, tokens } = lexeme;
            if tokens >= least {
                continue;
            }
            self.charge(1)?;
            let rest = self.cost_behind(grammar, completion, head.node, terminal, end)?;
            if tokens.saturating_add(rest) < least {
                let tokens = self.tokens_to_end(grammar, completion, head, lexeme)?;
                least = least.min(tokens.saturating_add(rest));
            }
        }
        Ok(least)
    }

    /// The cost behind a lexeme of a terminal that ends so.
    fn cost_behind(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        node: Node,
        terminal: Terminal,
        end: u32,
    ) -> Result<u32, Error> {
        if terminal == Terminal::IGNORE {
            let costs = self.costs(completion, node)?;
            return Ok(least_after(completion, self.lr(node), costs.iter(), end));
        }
        if terminal == grammar.end_terminal() {
            return Ok(if self.can_shift(grammar, node, terminal)? { 0 } else { NEVER });
        }
        match self.simulate(grammar, node, terminal) {
            Outcome::Refused => Ok(NEVER),
            Outcome::Shifted { reduced: None, target } => {
                let costs = self.costs(completion, node)?;
                let above = costs.iter().filter_map(|cost| completion.above(self.lr(node), cost, target));
                Ok(least_after(completion, target, above, end))
            }
            Outcome::Shifted { reduced: Some(Pushed { state, on }), target } => {
                let costs = self.costs(completion, on)?;
                let reduced = costs.iter().filter_map(|cost| completion.above(self.lr(on), cost, state));
                let above = reduced.filter_map(|cost| completion.above(state, cost, target));
                Ok(least_after(completion, target, above, end))
            }
            Outcome::Ambiguous | Outcome::Long(_) => {
                self.cost_behind_all(grammar, completion, (node, terminal), end)
            }
        }
    }

    /// The cost behind a lexeme where there is a choice, over all stacks that shift the terminal.
    fn cost_behind_all(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        (node, terminal): (Node, Terminal),
        end: u32,
    ) -> Result<u32, Error> {
        let before = self.cells();
        let tops = self.shift(grammar, node, terminal)?;
        let mut least = NEVER;
        for cell in tops.clone() {
            if let Some(top) = self.top_at(&tops, cell)? {
                let costs = self.costs(completion, top)?;
                least = least.min(least_after(completion, self.lr(top), costs.iter(), end));
            }
        }
        self.truncate_cells(before);
        Ok(least)
    }
}

/// The least cost behind a lexeme that ended so, with a cell of one of these costs on top.
fn least_after(
    completion: &CompletionView<'_>,
    state: LrState,
    costs: impl Iterator<Item = CellCost>,
    end: u32,
) -> u32 {
    costs.filter_map(|cost| completion.after(state, cost, end)).min().unwrap_or(NEVER)
}
