//! What follows from the flags of the rules that derive the empty string ([`gcc_grammar_ir::check::nullable`]).

use gcc_grammar_ir::{Symbol, SymbolDfa};

/// Whether `symbol` derives the empty string.
pub(super) fn symbol_is_nullable(symbol: Symbol, nullable: &[bool]) -> bool {
    match symbol {
        Symbol::Terminal(_) => false,
        Symbol::Nonterminal(n) => nullable[n.index()],
    }
}

/// The states that are reachable from the start over nullable symbols alone; the start is the first of them.
pub(super) fn null_closure(dfa: &SymbolDfa, nullable: &[bool]) -> Vec<usize> {
    let mut seen = vec![false; dfa.states.len()];
    let mut order: Vec<usize> = if dfa.states.is_empty() { Vec::new() } else { vec![0] };
    let mut next = 0;
    while let Some(&q) = order.get(next) {
        next += 1;
        seen[q] = true;
        for &(symbol, to) in &dfa.states[q].transitions {
            let to = to as usize;
            if symbol_is_nullable(symbol, nullable) && !seen[to] {
                seen[to] = true;
                order.push(to);
            }
        }
    }
    order
}
