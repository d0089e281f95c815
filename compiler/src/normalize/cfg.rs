//! The normalized grammar: productions over terminals and nonterminals.
//!
//! The invariants of a [`Cfg`] are listed in [`normalize`](crate::normalize). Terminals keep the numbers of
//! the grammar; the end of text follows the last of them. Nonterminals are numbered anew, and [`Origin`] says
//! why each of them exists.

use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use std::ops::Range;

/// A production `lhs -> rhs`; `rhs` is never empty.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Production {
    /// Left-hand side.
    pub lhs: NonterminalId,
    /// Right-hand side.
    pub rhs: Vec<Symbol>,
}

/// Why a nonterminal of a [`Cfg`] exists. Rules are named by their number in the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is this rule.
    Rule(NonterminalId),
    /// It helps to write down this rule, and perhaps later rules with an equal part.
    Helper(Helper, NonterminalId),
    /// It is the start symbol of the augmented grammar.
    Start,
}

impl Origin {
    /// The rule that the nonterminal was made for.
    #[must_use]
    pub fn rule(self) -> Option<NonterminalId> {
        match self {
            Self::Rule(rule) | Self::Helper(_, rule) => Some(rule),
            Self::Start => None,
        }
    }
}

/// What a helper nonterminal derives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// A choice of sequences.
    Choice,
    /// A list of at least some length.
    List,
    /// A fixed number of repetitions.
    Count,
    /// The non-empty words that lead to a state of a right part's automaton.
    AutomatonState,
    /// The common beginning of several productions ([`Cfg::unions`]).
    Union,
}

/// An epsilon-free context-free grammar over terminals.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Number of terminals, END included; terminals keep the numbers of the
    /// [`Grammar`](gcc_grammar_ir::Grammar).
    pub terminal_count: usize,
    /// Per nonterminal: its name, for diagnostics.
    pub names: Vec<String>,
    /// Per nonterminal: why it exists.
    pub origins: Vec<Origin>,
    /// Per nonterminal: the number of symbols in each word of a union, or 0 for a nonterminal that is no
    /// union. A union only occurs as the first symbol of a right-hand side, and the parser never reduces to
    /// it (see [`lr`](crate::lr)).
    pub unions: Vec<u32>,
    /// Sorted by left-hand side.
    pub productions: Vec<Production>,
    /// The start symbol of the augmented grammar.
    pub start: NonterminalId,
    /// The end of text, the terminal after the last terminal of the grammar.
    pub end: TerminalId,
}

impl Cfg {
    /// Whether `symbol` is a union.
    #[must_use]
    pub fn is_union(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Nonterminal(n) if self.unions[n.index()] > 0)
    }

    /// The same productions, with unions as ordinary nonterminals.
    pub(crate) fn without_unions(&self) -> Self {
        Self { unions: vec![0; self.unions.len()], ..self.clone() }
    }

    /// The positions of the productions of a nonterminal.
    #[must_use]
    pub fn span(&self, lhs: NonterminalId) -> Range<usize> {
        span(&self.productions, lhs)
    }

    /// The number of states that the parser pops when it reduces by `production`.
    #[must_use]
    pub fn length(&self, production: &Production) -> u32 {
        let of = |symbol: &Symbol| match symbol {
            Symbol::Nonterminal(n) => self.unions[n.index()].max(1),
            Symbol::Terminal(_) => 1,
        };
        production.rhs.iter().map(of).sum()
    }
}

/// The positions of the productions of a nonterminal in a list that is sorted by left-hand side.
fn span(productions: &[Production], lhs: NonterminalId) -> Range<usize> {
    productions.partition_point(|p| p.lhs < lhs)..productions.partition_point(|p| p.lhs <= lhs)
}

/// The productions of a nonterminal in a list that is sorted by left-hand side.
pub(super) fn productions_of(productions: &[Production], lhs: NonterminalId) -> &[Production] {
    &productions[span(productions, lhs)]
}
