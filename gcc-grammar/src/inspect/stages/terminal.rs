//! The tokens of the vocabulary, and the Terminal DWA: the lexemes of every token from every lexer state.

use super::names::Names;
use super::table::{Cell, Table};
use gcc_grammar_compiler::ids::{ArcId, ContextId, CutId, LexState, NodeId, SetId};
use gcc_grammar_compiler::lr::Action;
use gcc_grammar_compiler::sets::Sets;
use gcc_grammar_compiler::terminal::{TerminalDwa, Tokens, WalkTables};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use std::sync::Arc;

/// The tokens in byte order, then the special tokens that the grammar uses.
pub(super) fn tokens(names: &Names<'_>) -> Table {
    let rows = names.tokens.iter().enumerate().map(|(rank, token)| {
        vec![rank.to_string().into(), token.to_string().into(), names.token(token).into()]
    });
    Table::new("tokens", &["rank", "id", "token"], rows)
}

/// The roots of the Terminal DWA, and its nodes.
pub(super) fn tables(names: &Names<'_>, budget: &Budget) -> Result<Vec<Table>, OverBudget> {
    let automata = names.automata;
    let tokens = Tokens::new(names.vocabulary, &automata.symbols);
    let any_split = automata.grammar.is_any_split();
    let walks =
        Arc::new(WalkTables::new(automata.decoding().lexer, &automata.symbols, &tokens, any_split, budget)?);
    let mut sets = Sets::new(budget.clone());
    let dwa = TerminalDwa::new(automata.decoding().lexer, &tokens, &walks, budget);
    let mut explorer = Explorer { names, sets: &mut sets, dwa, nodes: Vec::new() };
    let roots = explorer.roots()?;
    Ok(vec![roots, explorer.arcs()?])
}

struct Explorer<'a, 's> {
    names: &'a Names<'a>,
    sets: &'s mut Sets,
    dwa: TerminalDwa<'a>,
    /// The nodes found, in the order in which they were found.
    nodes: Vec<NodeId>,
}

impl Explorer<'_, '_> {
    /// The number of a node among those found.
    fn number(&mut self, node: NodeId) -> usize {
        self.nodes.iter().position(|&known| known == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn roots(&mut self) -> Result<Table, OverBudget> {
        let lexer = self.names.automata.decoding().lexer;
        let mut rows = Vec::new();
        for state in (1..lexer.states()).map(LexState::new) {
            for context in (0..lexer.contexts).map(ContextId::new) {
                let node = self.dwa.root(self.sets, state, context)?;
                let number = self.number(node);
                rows.push(vec![
                    format!("q{}", state.0).into(),
                    format!("c{}", context.0).into(),
                    format!("n{number}").into(),
                ]);
            }
        }
        Ok(Table::new("roots of the Terminal DWA", &["lexer state", "context", "node"], rows))
    }

    /// The arcs of all nodes that can be reached from the roots.
    fn arcs(&mut self) -> Result<Table, OverBudget> {
        let mut rows = Vec::new();
        let mut next = 0;
        while let Some(&id) = self.nodes.get(next) {
            let node = self.dwa.node(id).clone();
            let name = format!("n{next}");
            if node.always != Sets::EMPTY {
                let always = self.tokens(node.always);
                rows.push(vec![name.as_str().into(), "(ignored)".into(), always.into(), "".into()]);
            }
            for arc in node.arcs {
                rows.push(self.arc(&name, arc)?);
            }
            next += 1;
        }
        Ok(Table::new("Terminal DWA", &["node", "terminal", "tokens that end in it", "rest of tokens"], rows))
    }

    fn arc(&mut self, node: &str, arc: ArcId) -> Result<Vec<Cell>, OverBudget> {
        let arc = self.dwa.arc(arc);
        let mut rests = Vec::new();
        if arc.cut != CutId(0) {
            for context in contexts_after(self.names, arc.terminal) {
                if let Some(rest) = self.dwa.after(self.sets, arc.cut, context)? {
                    let number = self.number(rest);
                    rests.push(format!("c{} n{number}", context.0));
                }
            }
        }
        let weight = self.tokens(arc.weight);
        Ok(vec![node.into(), self.names.terminal(arc.terminal).into(), weight.into(), rests.into()])
    }

    fn tokens(&self, set: SetId) -> Vec<String> {
        self.names.tokens(self.sets.ranks(set))
    }
}

/// The contexts of the LR states that a shift of `terminal` leads to.
fn contexts_after(names: &Names<'_>, terminal: TerminalId) -> Vec<ContextId> {
    let (lr, contexts) = (names.automata.decoding().lr, names.automata.decoding().contexts);
    let shifts = lr.actions.items().iter().filter_map(|&(on, action)| match action {
        Action::Shift(state) if on == terminal => Some(contexts.of(state)),
        _ => None,
    });
    let mut found: Vec<ContextId> = shifts.collect();
    found.sort_unstable();
    found.dedup();
    found
}
