//! Embeds grammars in a grammar, such as JSON Schemas in a Lark grammar.
//!
//! Input: the host, a grammar with one rule for each part, and the parts, grammars of their own. Output: one grammar in which the rule of a
//! part derives the part's language. Two properties of the host must not change the language of a part:
//! - **Ignored terminals** of the host stand between the lexemes of the host only. So `%ignore` becomes explicit ([`ignored`]): every
//!   lexeme of the host, and every part, is followed by a rule for any number of ignored lexemes.
//! - **Ties.** Under longest match, one of two terminals that match the same text wins. Terminals of one part that can compete are
//!   disjoint, but terminals of two parts need not be. So overlapping terminals of different parts are cut into disjoint pieces, and each
//!   terminal is replaced by the choice of its pieces ([`pieces`]).
//!
//! Ties between terminals of the host and of a part are resolved as in the host.

mod ignored;
mod pieces;
mod rules;
#[cfg(test)]
mod tests;

use gcc_grammar_ir::{Body, Expr, Grammar, NonterminalId, Rule, Symbol, SymbolDfa};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::RegularLimits;
use ignored::make_ignored_explicit;
use pieces::Pieces;
use rules::{choice, rule};

/// A grammar to be embedded, and the rule of the host that stands for it.
pub(crate) struct Part {
    /// The rule of the host; its body is replaced.
    pub(crate) place: NonterminalId,
    /// The grammar whose language the rule gets.
    pub(crate) grammar: Grammar,
}

/// Embeds the parts in the host, which keeps its lexical discipline.
pub(crate) fn embed(
    mut host: Grammar,
    parts: Vec<Part>,
    limits: &RegularLimits,
) -> Result<Grammar, OverBudget> {
    let places: Vec<NonterminalId> = parts.iter().map(|part| part.place).collect();
    if !host.ignored.is_empty() {
        make_ignored_explicit(&mut host, &places);
    }
    let mut pieces = Pieces::default();
    for part in &parts {
        for terminal in &part.grammar.terminals {
            pieces.add(terminal, limits)?;
        }
    }
    if parts.len() > 1 {
        pieces.cut(limits)?;
    }
    let symbols = pieces.into_symbols(&mut host);
    let mut symbols = symbols.as_slice();
    for part in parts {
        let (own, rest) = symbols.split_at(part.grammar.terminals.len());
        append_rules(&mut host, part, own);
        symbols = rest;
    }
    Ok(host)
}

/// Appends the rules of a part. `symbols` has, for each terminal of the part, the symbols whose union it is.
fn append_rules(host: &mut Grammar, part: Part, symbols: &[Vec<Symbol>]) {
    let offset = host.rules.len();
    let moved = |id: NonterminalId| Symbol::Nonterminal(NonterminalId::new(id.index() + offset));
    let location = host.rules[part.place.index()].location.clone();
    host.rules[part.place.index()].body = Body::Expr(Expr::Symbol(moved(part.grammar.start)));
    // Additional rules that an automaton needs come after the rules of the part.
    let mut further = Vec::new();
    let next = offset + part.grammar.rules.len();
    for Rule { name, body, .. } in part.grammar.rules {
        let body = match body {
            Body::Expr(mut expr) => {
                replace(&mut expr, symbols, &moved);
                Body::Expr(expr)
            }
            Body::Automaton(automaton) => {
                Body::Automaton(replace_letters(automaton, symbols, &moved, |choice| {
                    further.push(Rule { location: location.clone(), ..rule("%choice", choice) });
                    NonterminalId::new(next + further.len() - 1)
                }))
            }
        };
        host.rules.push(Rule { name, body, location: location.clone() });
    }
    host.rules.append(&mut further);
}

/// Replaces the symbols of a part by symbols of the host.
fn replace(expr: &mut Expr, symbols: &[Vec<Symbol>], moved: &impl Fn(NonterminalId) -> Symbol) {
    match expr {
        Expr::Symbol(Symbol::Terminal(id)) => *expr = choice(&symbols[id.index()]),
        Expr::Symbol(Symbol::Nonterminal(id)) => *expr = Expr::Symbol(moved(*id)),
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| replace(part, symbols, moved))
        }
        Expr::Repeat { inner, .. } => replace(inner, symbols, moved),
    }
}

/// Replaces the letters of an automaton. Where pieces of two letters of one state coincide, the second letter becomes a rule
/// for its pieces, so that the automaton stays deterministic.
fn replace_letters(
    automaton: SymbolDfa,
    symbols: &[Vec<Symbol>],
    moved: &impl Fn(NonterminalId) -> Symbol,
    mut new_rule: impl FnMut(Expr) -> NonterminalId,
) -> SymbolDfa {
    let mut states = automaton.states;
    for state in &mut states {
        let mut transitions: Vec<(Symbol, u32)> = Vec::with_capacity(state.transitions.len());
        for &(letter, target) in &state.transitions {
            let pieces = match letter {
                Symbol::Nonterminal(id) => vec![moved(id)],
                Symbol::Terminal(id) => symbols[id.index()].clone(),
            };
            let taken = pieces.iter().any(|piece| transitions.iter().any(|(symbol, _)| symbol == piece));
            let pieces = if taken { vec![Symbol::Nonterminal(new_rule(choice(&pieces)))] } else { pieces };
            transitions.extend(pieces.into_iter().map(|piece| (piece, target)));
        }
        transitions.sort_unstable();
        state.transitions = transitions;
    }
    SymbolDfa { states }
}
