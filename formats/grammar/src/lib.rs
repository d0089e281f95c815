//! The intermediate representation that every front end produces and the compiler consumes.
//!
//! A [`Grammar`] has rules whose right parts are regular expressions or automata over symbols, and terminals that are regular
//! languages over bytes or sets of special tokens. This crate also has what all front ends share: [`Diagnostic`]s with their
//! renderers, and [`check`](mod@check), the validation of a grammar.
//!
//! # Glossary
//! - **terminal**: a named regular language over bytes; the alphabet of the rules.
//! - **lexeme**: a piece of text that one terminal matched.
//! - **right part**: the right-hand side of a rule, a regular expression or automaton over symbols.
//! - **ignored terminal**: a terminal whose lexemes may stand between any two others and never reach the parser.
//! - **lexical discipline**: how text is cut into lexemes, see [`Discipline`].

#![forbid(unsafe_code)]

pub mod check;
mod describe;
pub mod diagnostic;
pub mod grammar;
pub mod ids;
pub mod spelling;

pub use diagnostic::{Code, Diagnostic, Location, Severity};
pub use grammar::{
    After, Body, ContextRules, Discipline, Expr, Grammar, Parsed, Pattern, Rule, Symbol, SymbolDfa,
    SymbolDfaState, Terminal, TokenSelector,
};
pub use ids::{NonterminalId, TerminalId};
