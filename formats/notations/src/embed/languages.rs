//! Embeds a grammar under longest match as a language of its own: with its ignored text, its lexical contexts and its ties.
//!
//! Input: the host, and a grammar. Output: the host with the terminals and rules of the grammar, and an [`EmbeddedLanguage`]. Terminals stay
//! apart from those of other parts, because the language competes among itself only.

use super::rules::for_each_symbol;
use gcc_grammar_ir::{Body, EmbeddedLanguage, Expr, Grammar, NonterminalId, Symbol, TerminalId};

/// Appends a grammar to the host, and gives the rule `place` its language.
pub(super) fn append_language(host: &mut Grammar, place: NonterminalId, mut grammar: Grammar) {
    let (terminals, rules) = (host.terminals.len(), host.rules.len());
    let terminal = |id: TerminalId| TerminalId::new(terminals + id.index());
    let symbol = |symbol: Symbol| match symbol {
        Symbol::Terminal(id) => Symbol::Terminal(terminal(id)),
        Symbol::Nonterminal(id) => Symbol::Nonterminal(NonterminalId::new(rules + id.index())),
    };
    let moved = |list: Vec<TerminalId>| list.into_iter().map(terminal).collect::<Vec<_>>();
    let own = own_terminals(&grammar);
    let ignored = grammar.ignored.iter().copied().filter(|id| own.contains(id)).collect::<Vec<_>>();
    let by: Vec<_> = (0..grammar.terminals.len()).map(|id| vec![TerminalId::new(terminals + id)]).collect();
    let mut contexts = grammar.contexts.replaced(&by);
    let everywhere = std::mem::take(&mut contexts.everywhere);
    contexts.languages.push(EmbeddedLanguage { terminals: moved(own), everywhere, ignored: moved(ignored) });
    host.contexts.append(contexts);
    host.ignored.extend(moved(grammar.ignored));
    host.terminals.append(&mut grammar.terminals);
    let start = symbol(Symbol::Nonterminal(grammar.start));
    let location = host.rules[place.index()].location.clone();
    host.rules[place.index()].body = Body::Expr(Expr::Symbol(start));
    for mut rule in grammar.rules {
        for_each_symbol(&mut rule.body, &mut |id| *id = symbol(*id));
        rule.location = location.clone();
        host.rules.push(rule);
    }
}

/// The terminals of a grammar that belong to none of the languages in it, sorted.
fn own_terminals(grammar: &Grammar) -> Vec<TerminalId> {
    let all = (0..grammar.terminals.len()).map(TerminalId::new);
    all.filter(|&id| grammar.contexts.language_of(id).is_none()).collect()
}
