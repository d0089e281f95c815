//! In which rules the terminals of a grammar stand.

use crate::sources::parse::Parsed;
use gcc_grammar_ir::{Body, Expr, Symbol};

impl Parsed {
    /// For each terminal of the grammar, the numbers of the rules in which it stands, in order. The rules have the places where they are written.
    #[must_use]
    pub fn rules_of_terminals(&self) -> Vec<Vec<usize>> {
        let mut rules = vec![Vec::new(); self.grammar.terminals.len()];
        for (number, rule) in self.grammar.rules.iter().enumerate() {
            for symbol in symbols_of(&rule.body) {
                if let Symbol::Terminal(terminal) = symbol
                    && let Some(rules) = rules.get_mut(terminal.index())
                    && rules.last() != Some(&number)
                {
                    rules.push(number);
                }
            }
        }
        rules
    }
}

/// The symbols of a right part.
fn symbols_of(body: &Body) -> Vec<Symbol> {
    match body {
        Body::Expr(expr) => {
            let (mut found, mut open) = (Vec::new(), vec![expr]);
            while let Some(expr) = open.pop() {
                match expr {
                    Expr::Symbol(symbol) => found.push(*symbol),
                    Expr::Sequence(parts) | Expr::Choice(parts) => open.extend(parts),
                    Expr::Repeat { inner, .. } => open.push(inner),
                }
            }
            found
        }
        Body::Automaton(dfa) => {
            dfa.states.iter().flat_map(|state| &state.transitions).map(|(symbol, _)| *symbol).collect()
        }
    }
}
