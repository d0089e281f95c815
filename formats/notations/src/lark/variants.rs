//! Puts variants in place of terminals whose texts depend on the text before them.
//!
//! Input: a grammar, and what such a terminal matches behind which texts. Output: a grammar in which it is several terminals, each of which is
//! recognized only behind its own texts. At any place, there is one of them at most.

use super::lexemes::Variant;
use crate::grammar_builder::choice;
use gcc_grammar_ir::{
    Body, Expr, Followed, Grammar, Location, Preceded, Symbol, SymbolDfa, Terminal, TerminalId,
};

/// Replaces terminals by their variants, and the locations of the terminals accordingly.
pub(super) fn replace(
    mut grammar: Grammar,
    variants: Vec<(TerminalId, Vec<Variant>)>,
    locations: &mut Vec<Location>,
) -> Grammar {
    let mut by: Vec<Vec<TerminalId>> = Vec::with_capacity(grammar.terminals.len());
    let (mut terminals, mut places): (Vec<Terminal>, Vec<Location>) = Default::default();
    let (mut followed, mut preceded): (Vec<Followed>, Vec<Preceded>) = Default::default();
    let mut variants = variants.into_iter().peekable();
    for (index, (terminal, place)) in grammar.terminals.into_iter().zip(locations.drain(..)).enumerate() {
        let first = terminals.len();
        match variants.next_if(|(id, _)| id.index() == index) {
            None => terminals.push(terminal),
            Some((_, own)) => {
                for Variant { before, pattern, after } in own {
                    let id = TerminalId::new(terminals.len());
                    terminals.push(Terminal { pattern, ..terminal.clone() });
                    preceded.push(Preceded { terminal: id, before });
                    if !after.is_empty() {
                        followed.push(Followed { terminal: id, after });
                    }
                }
            }
        }
        places.resize(terminals.len(), place);
        by.push((first..terminals.len()).map(TerminalId::new).collect());
    }
    *locations = places;
    grammar.terminals = terminals;
    grammar.ignored = grammar.ignored.iter().flat_map(|id| &by[id.index()]).copied().collect();
    grammar.contexts = grammar.contexts.replaced(&by);
    grammar.contexts.followed.extend(followed);
    grammar.contexts.preceded.extend(preceded);
    for rule in &mut grammar.rules {
        match &mut rule.body {
            Body::Expr(expr) => expr.replace(&mut |symbol| {
                let Symbol::Terminal(id) = symbol else { return None };
                Some(choice(by[id.index()].iter().map(|&id| Expr::Symbol(Symbol::Terminal(id))).collect()))
            }),
            Body::Automaton(automaton) => replace_letters(automaton, &by),
        }
    }
    grammar
}

fn replace_letters(automaton: &mut SymbolDfa, by: &[Vec<TerminalId>]) {
    for state in &mut automaton.states {
        let replaced = state.transitions.iter().flat_map(|&(symbol, to)| {
            let own = match symbol {
                Symbol::Terminal(id) => by[id.index()].iter().map(|&id| Symbol::Terminal(id)).collect(),
                other => vec![other],
            };
            own.into_iter().map(move |symbol| (symbol, to))
        });
        state.transitions = replaced.collect();
        state.transitions.sort_unstable();
    }
}
