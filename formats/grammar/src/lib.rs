//! The intermediate representation of grammars that every front end produces and the compiler consumes, its validation, and
//! the diagnostics that all stages share.
//!
//! ```text
//!  Lark, GBNF, JSON Schema, …  ──front end──▶  Grammar  ──check──▶  valid Grammar  ──compiler──▶  artifact
//!                                  │                       │
//!                                  └──▶ Vec<Diagnostic> ◀──┘ ──render──▶ text, JSON
//! ```
//! | module | contents |
//! |---|---|
//! | [`grammar`] | [`Grammar`]: rules, terminals, lexical contexts |
//! | [`ids`] | index newtypes for terminals and nonterminals |
//! | [`check`](mod@check) | validation: what holds for every grammar that is compiled |
//! | [`components`](fn@components) | the strongly connected components of a graph |
//! | [`diagnostic`] | [`Diagnostic`], [`Code`] with explanations, the renderers |
//! | [`json`] | JSON objects without repeated keys |
//! | `describe` | grammars as text for people |
//! | `fold` | folds of expressions without recursion |
//! | [`special`] | special tokens that literals name |
//! | [`spelling`] | "did you mean …?" |
//! | `weight` | the largest part of a grammar, where [`over_budget`] locates an error |
//! | [`mod@words`] | options that are words: their text form, and the error of a text that is none of them |
//!
//! # Example
//! A grammar for one or more `ab`, built by hand:
//! ```
//! use gcc_grammar_ir::{Body, ContextRules, Discipline, Expr, Grammar, NonterminalId, Pattern, Rule, Symbol};
//! use gcc_grammar_ir::{Terminal, TerminalId, check::check};
//! use gcc_grammar_regular::Regex;
//!
//! let pattern = Pattern::Regex(Regex::literal("ab"));
//! let terminal = Terminal { name: "AB".into(), pattern, priority: 0, literal: true };
//! let ab = Expr::Symbol(Symbol::Terminal(TerminalId::new(0)));
//! let body = Body::Expr(Expr::Repeat { inner: Box::new(ab), min: 1, max: None });
//! let grammar = Grammar {
//!     terminals: vec![terminal],
//!     rules: vec![Rule { name: "start".into(), body, location: None }],
//!     start: NonterminalId::new(0),
//!     ignored: Vec::new(),
//!     discipline: Discipline::AnySplit,
//!     contexts: ContextRules::default(),
//! };
//! let (errors, warnings) = check(&grammar, |_| None);
//! assert!(errors.is_empty() && warnings.is_empty());
//! assert!(grammar.to_string().contains("start: AB+"));
//! ```
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.

#![forbid(unsafe_code)]

pub mod check;
mod components;
mod describe;
pub mod diagnostic;
mod fold;
pub mod grammar;
pub mod ids;
pub mod json;
pub mod special;
pub mod spelling;
mod weight;
pub mod words;

pub use components::components;
pub use diagnostic::{Code, Diagnostic, Location, Severity};
pub use fold::try_fold;
pub use gcc_grammar_artifact::index_newtype;
pub use grammar::{
    After, Body, ContextRules, Discipline, EmbeddedLanguage, Expr, Followed, Grammar, KeyChoice, KeyClause,
    KeyRecord, KeyRole, KeyVariant, LexerMode, ListRole, Parsed, Pattern, Preceded, Role, Rule, SameRole,
    Symbol, SymbolDfa, SymbolDfaState, Terminal, Then, TokenSelector,
};
pub use ids::{NonterminalId, TerminalId};
pub use special::{SpecialNames, SpecialTokens};
pub use weight::over_budget;
pub use words::InvalidOption;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
