//! Front ends: from a schema or grammar text to one [`Grammar`].
//!
//! ```text
//! text ──lark | json_schema──▶ Grammar { rules with regular right parts, terminals as regexes }
//! ```
//!
//! # Glossary
//! - **terminal**: a named regular language over bytes; the alphabet of the rules.
//! - **lexeme**: a piece of text that one terminal matched.
//! - **right part**: the body of a rule, a regular expression or automaton over symbols.
//! - **ignored terminal**: one whose lexemes may stand between any two others and never reach the parser.
//! - **lexical discipline**: how text is cut into lexemes, see [`Discipline`].

#![forbid(unsafe_code)]

pub mod check;
mod describe;
pub mod diagnostic;
pub mod embed;
pub mod grammar;
pub mod ids;
pub mod json_schema;
pub mod lark;
pub mod regular;

pub use diagnostic::{Diagnostic, Location, Severity};
pub use grammar::{
    Body, Discipline, Expr, Grammar, Pattern, Rule, Symbol, SymbolDfa, SymbolDfaState, Terminal,
    TokenSelector,
};
pub use ids::{NonterminalId, TerminalId};
pub use regular::{Dfa, Regex};
