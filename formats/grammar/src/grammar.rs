//! The one intermediate representation all front ends produce and the compiler consumes.

use crate::{Diagnostic, Location, NonterminalId, TerminalId};
use gcc_grammar_regular::{Dfa, Regex};
use std::sync::Arc;

/// How text is cut into lexemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discipline {
    /// The lexeme is the longest prefix that any terminal of the context matches; ties go by priority, then
    /// literal over regex, then order of declaration. The context is the set of terminals that have an
    /// action in the current LR state, and the ignored ones, changed by the [`ContextRules`].
    LongestMatch,
    /// A terminal may end wherever it matches, ties keep all terminals: plain context-free semantics.
    AnySplit,
}

/// Rules over terminals over bytes.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// All terminals; [`TerminalId`] indexes it.
    pub terminals: Vec<Terminal>,
    /// One rule per nonterminal; [`NonterminalId`] indexes it.
    pub rules: Vec<Rule>,
    /// The nonterminal that derives whole texts.
    pub start: NonterminalId,
    /// Terminals that may stand anywhere between lexemes (also at both ends) and never reach the parser.
    pub ignored: Vec<TerminalId>,
    /// How text is cut into lexemes.
    pub discipline: Discipline,
    /// Which terminals are recognized elsewhere than the parser expects them.
    pub contexts: ContextRules,
}

/// Changes of the lexical contexts, under longest match only.
///
/// In a state that the parser enters by shifting the lexeme `A`, these terminals are recognized:
/// those that have an action there and those of `everywhere`, without the targets of `after`; then the targets of `after` that name `A`;
/// then the ignored ones. What is recognized and has no action is refused by the parser.
/// Where one of `verbatim` has an action, those of `everywhere` and the ignored ones are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContextRules {
    /// Recognized in every context.
    pub everywhere: Vec<TerminalId>,
    /// Recognized directly after certain lexemes (ignored ones may lie between) and nowhere else.
    pub after: Vec<After>,
    /// Where one of these is expected, only what is expected is recognized.
    pub verbatim: Vec<TerminalId>,
}

/// A terminal that is recognized after certain lexemes only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct After {
    /// What is recognized.
    pub terminal: TerminalId,
    /// After which lexemes.
    pub lexemes: Vec<TerminalId>,
}

/// A grammar and what its author should know.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The grammar.
    pub grammar: Grammar,
    /// What can be used but is probably not meant so.
    pub warnings: Vec<Diagnostic>,
}

/// A named regular language, or a set of special tokens.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// For diagnostics: the name in the grammar, or the quoted literal.
    pub name: String,
    /// What it matches.
    pub pattern: Pattern,
    /// Higher wins a tie under longest match.
    pub priority: i32,
    /// Written as a string literal: wins a tie against regexes of the same priority.
    pub literal: bool,
}

/// What a terminal matches. No pattern may match the empty string.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Text.
    Regex(Regex),
    /// Any one of these tokens, matched by id and never by bytes.
    Token(Vec<TokenSelector>),
}

/// Names a token of the vocabulary; resolved when the vocabulary is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TokenSelector {
    /// A special token by its text, such as `<|eot_id|>`.
    Name(String),
    /// An inclusive range of token ids.
    Ids(u32, u32),
    /// Every special token save these and the end tokens, which end the text.
    AllBut(Vec<TokenSelector>),
    /// Every special token whose name this one matches as a whole.
    Matching(Arc<Dfa>),
}

/// A nonterminal and its right part.
#[derive(Clone, Debug)]
pub struct Rule {
    /// For diagnostics.
    pub name: String,
    /// What it derives.
    pub body: Body,
    /// Where it was written, if anywhere.
    pub location: Option<Location>,
}

/// A regular right part.
#[derive(Clone, Debug)]
pub enum Body {
    /// Written as an expression; the compiler chooses how to lay it out.
    Expr(Expr),
    /// A deterministic automaton over symbols: laid out left-linearly, so alternatives that share a prefix
    /// do not fork. Use it where an expression would be exponential (optional members in fixed order).
    Automaton(SymbolDfa),
}

/// A terminal or a nonterminal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// A terminal.
    Terminal(TerminalId),
    /// A nonterminal.
    Nonterminal(NonterminalId),
}

/// A regular expression over symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// One symbol.
    Symbol(Symbol),
    /// All in order; empty for the empty sequence.
    Sequence(Vec<Expr>),
    /// Any one; empty for "nothing matches".
    Choice(Vec<Expr>),
    /// Between `min` and `max` times (`None`: no bound).
    Repeat {
        /// What is repeated.
        inner: Box<Expr>,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
    },
}

/// A deterministic automaton over symbols. State 0 is the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolDfa {
    /// The states; transitions index it.
    pub states: Vec<SymbolDfaState>,
}

/// A state of a [`SymbolDfa`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolDfaState {
    /// The right part may end here.
    pub accepting: bool,
    /// At most one target per symbol, sorted by symbol.
    pub transitions: Vec<(Symbol, u32)>,
}
