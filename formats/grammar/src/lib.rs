//! Front ends: from a schema or grammar text to one [`Grammar`].
//!
//! ```text
//! text ──lark | bnf | regex | choices | structural_tag | json_schema──▶ Grammar { rules with regular right parts, terminals as regexes }
//! ```
//!
//! # Glossary
//! - **terminal**: a named regular language over bytes; the alphabet of the rules.
//! - **lexeme**: a piece of text that one terminal matched.
//! - **right part**: the body of a rule, a regular expression or automaton over symbols.
//! - **ignored terminal**: one whose lexemes may stand between any two others and never reach the parser.
//! - **lexical discipline**: how text is cut into lexemes, see [`Discipline`].

#![forbid(unsafe_code)]

pub mod bnf;
pub mod check;
pub mod choices;
mod describe;
pub mod diagnostic;
mod draft;
pub mod embed;
pub mod free_text;
pub mod grammar;
pub mod ids;
pub mod json_object;
pub mod json_schema;
pub mod lark;
#[cfg(test)]
mod random;
pub mod regex;
pub mod regular;
pub mod regularize;
mod spelling;
pub mod structural_tag;

pub use diagnostic::{Diagnostic, Location, Severity};
pub use grammar::{
    After, Body, ContextRules, Discipline, Expr, Grammar, Parsed, Pattern, Rule, Symbol, SymbolDfa,
    SymbolDfaState, Terminal, TokenSelector,
};
pub use ids::{NonterminalId, TerminalId};
pub use regular::{Dfa, Regex};
