//! From rules with regular right parts to an epsilon-free, trimmed context-free grammar.
//!
//! 1. [`nullable`]: which rules derive the empty string.
//! 2. [`layout`]: every right part becomes productions that are never empty; where a part may be empty, the
//!    alternatives without it are written out. Lists become left-recursive helpers, so the parser stack stays
//!    flat; automata become left-linear productions, so alternatives that share a prefix do not fork, and
//!    [`unions`] write out once what many of them begin with.
//! 3. [`trim`]: unproductive and unreachable symbols go, and with them every dead end a mask could lead into.
//!
//! After this point: no production is empty, no `A -> A`, no unit cycle, every symbol occurs in a derivation of some text,
//! and the start production is `start' -> start END` (also `start' -> END` if the empty text is in the language).

mod automaton;
mod layout;
mod nullable;
mod trim;
mod unions;

use crate::limits::{Budget, OverBudget};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Grammar, NonterminalId, Symbol, TerminalId};
use std::ops::Range;

/// A production `lhs -> rhs`; `rhs` is never empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Production {
    /// Left-hand side.
    pub lhs: NonterminalId,
    /// Right-hand side.
    pub rhs: Vec<Symbol>,
}

/// An epsilon-free context-free grammar over terminals.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Number of terminals, END included; terminals keep the numbers of the [`Grammar`].
    pub terminal_count: usize,
    /// Names of the nonterminals, for diagnostics.
    pub names: Vec<String>,
    /// Per nonterminal: 0, or how many symbols each word of a union has (see [`unions`]). A union is the first symbol of right-hand
    /// sides and nothing else; the parser never reduces to it.
    pub unions: Vec<u32>,
    /// Sorted by left-hand side.
    pub productions: Vec<Production>,
    /// The start symbol of the augmented grammar.
    pub start: NonterminalId,
    /// The end of text, the terminal after the last one of the grammar.
    pub end: TerminalId,
}

impl Cfg {
    /// Whether `symbol` is a union.
    #[must_use]
    pub fn is_union(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Nonterminal(n) if self.unions[n.index()] > 0)
    }

    /// Where the productions of a nonterminal are.
    #[must_use]
    pub fn span(&self, lhs: NonterminalId) -> Range<usize> {
        span(&self.productions, lhs)
    }

    /// How many states the parser pops when it reduces by `production`.
    #[must_use]
    pub fn length(&self, production: &Production) -> u32 {
        let of = |symbol: &Symbol| match symbol {
            Symbol::Nonterminal(n) => self.unions[n.index()].max(1),
            Symbol::Terminal(_) => 1,
        };
        production.rhs.iter().map(of).sum()
    }
}

/// Where the productions of a nonterminal are in a list that is sorted by left-hand side.
fn span(productions: &[Production], lhs: NonterminalId) -> Range<usize> {
    productions.partition_point(|p| p.lhs < lhs)..productions.partition_point(|p| p.lhs <= lhs)
}

/// Why a grammar could not be normalized.
#[derive(Clone, Debug)]
pub enum NormalizeError {
    /// The grammar is wrong.
    Grammar(Diagnostic),
    /// A limit was passed.
    OverBudget(OverBudget),
}

impl From<OverBudget> for NormalizeError {
    fn from(e: OverBudget) -> Self {
        Self::OverBudget(e)
    }
}

/// Normalizes `grammar`; `usable[t]` tells whether terminal `t` matches anything at all.
pub fn normalize(grammar: &Grammar, usable: &[bool], budget: &Budget) -> Result<Cfg, NormalizeError> {
    let budget = budget.stage("normalize");
    let nullable = nullable::nullable_rules(grammar, &budget)?;
    let laid_out = layout::lay_out(grammar, &nullable, &budget)?;
    let mut cfg = trim::trim(laid_out, usable)?;
    while let Some(cycle) = trim::unit_cycle(&cfg) {
        let names: Vec<String> = cycle.iter().map(|&n| cfg.names[n].clone()).collect();
        // Automata that loop over a nullable rule make cycles of helpers; those of written rules are mistakes.
        if !names.iter().any(|name| name.contains(".part")) {
            return Err(NormalizeError::Grammar(cyclic(&names)));
        }
        trim::merge(&mut cfg, &cycle);
    }
    Ok(cfg)
}

fn cyclic(names: &[String]) -> Diagnostic {
    let chain = names.join(" -> ");
    Diagnostic::error(Code::CyclicRule, format!("a rule derives itself without reading anything: {chain}"))
        .help(
            "remove one of the alternatives that consist of the next rule alone; the language stays the same",
        )
}
