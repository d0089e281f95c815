//! Embeds grammars in a grammar, such as JSON Schemas in a Lark grammar.
//!
//! Input: the host, a grammar with one rule for each part, and the parts, grammars of their own. Output: one grammar in which the rule of a
//! part derives the part's language. Two properties of the host must not change the language of a part:
//! - **Ignored terminals** of the host stand between the lexemes of the host only. So `%ignore` becomes explicit ([`ignored`]): every
//!   lexeme of the host, and every part, is followed by a rule for any number of ignored lexemes.
//! - **Ties.** Under longest match, one of two terminals that match the same text wins. Terminals of one part that can compete are
//!   disjoint, but terminals of two parts need not be. So the terminals of all parts share ties ([`ContextRules::together`]).
//!
//! Terminals of different parts with the same language are one terminal ([`terminals`]); overlapping ones stay as they are. Cutting them
//! into disjoint pieces would take a boolean algebra over all parts, also over those that never meet.
//!
//! Ties between terminals of the host and of a part are resolved as in the host.
//!
//! [`ContextRules::together`]: gcc_grammar_ir::ContextRules::together

mod ignored;
mod terminals;
#[cfg(test)]
mod tests;

use gcc_grammar_ir::{Body, Discipline, Expr, Grammar, NonterminalId, Rule, Symbol, SymbolDfa, TerminalId};
use gcc_grammar_regular::{RegularLimits, TooLarge};
use ignored::make_ignored_explicit;
use terminals::SharedTerminals;

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
) -> Result<Grammar, TooLarge> {
    let places: Vec<NonterminalId> = parts.iter().map(|part| part.place).collect();
    if !host.ignored.is_empty() {
        make_ignored_explicit(&mut host, &places);
    }
    let own = host.terminals.len();
    let mut shared = SharedTerminals::default();
    for part in parts {
        let symbols = shared.append(&mut host.terminals, &part.grammar.terminals, limits)?;
        append_rules(&mut host, part, &symbols);
    }
    if host.discipline == Discipline::LongestMatch {
        host.contexts.together = (own..host.terminals.len()).map(TerminalId::new).collect();
    }
    Ok(host)
}

/// Appends the rules of a part. `symbols` has, for each terminal of the part, the symbol of the host that stands for it.
fn append_rules(host: &mut Grammar, part: Part, symbols: &[Symbol]) {
    let offset = host.rules.len();
    let moved = |symbol: Symbol| match symbol {
        Symbol::Terminal(id) => symbols[id.index()],
        Symbol::Nonterminal(id) => Symbol::Nonterminal(NonterminalId::new(id.index() + offset)),
    };
    let place = &mut host.rules[part.place.index()];
    let location = place.location.clone();
    place.body = Body::Expr(Expr::Symbol(moved(Symbol::Nonterminal(part.grammar.start))));
    for Rule { name, mut body, .. } in part.grammar.rules {
        match &mut body {
            Body::Expr(expr) => replace(expr, &moved),
            Body::Automaton(automaton) => replace_letters(automaton, &moved),
        }
        host.rules.push(Rule { name, body, location: location.clone() });
    }
}

/// Replaces the symbols of a part by symbols of the host.
fn replace(expr: &mut Expr, moved: &impl Fn(Symbol) -> Symbol) {
    match expr {
        Expr::Symbol(symbol) => *symbol = moved(*symbol),
        Expr::Sequence(parts) | Expr::Choice(parts) => parts.iter_mut().for_each(|part| replace(part, moved)),
        Expr::Repeat { inner, .. } => replace(inner, moved),
    }
}

/// Replaces the letters of an automaton. It stays deterministic, since different symbols of a part stay different.
fn replace_letters(automaton: &mut SymbolDfa, moved: &impl Fn(Symbol) -> Symbol) {
    for state in &mut automaton.states {
        state.transitions.iter_mut().for_each(|(letter, _)| *letter = moved(*letter));
        state.transitions.sort_unstable();
    }
}
