//! Compiles a grammar and a vocabulary into exact next-token masks.
//!
//! # The way of the data
//! ```text
//! Grammar ──terminals──▶ automata ──────────┐
//! Grammar ──normalize──▶ Cfg ──lr──▶ LrTables ──lexer──▶ Lexer, Contexts
//! vocabulary's trie × Lexer ──terminal──▶ Terminal DWA
//! Terminal DWA ∘ stack effects of LrTables ──parser──▶ Parser DWA ──masks──▶ MaskStore ──emit──▶ GrammarTables
//! ```
//! [`pipeline::compile`] is that picture as code; each stage is one module, in this order:
//! [`terminals`], [`normalize`], [`lr`], [`lexer`], [`terminal`], [`parser`], [`masks`], and what they share: [`sets`], [`csr`],
//! [`limits`], [`ids`]. Beside it, [`analysis`] look for what an author should know about a grammar; an [`Observer`] is
//! shown what they need.
//!
//! # Glossary
//! - **terminal**: a named regular language over bytes, or a set of special tokens; the alphabet of the grammar.
//! - **lexeme**: a piece of text that one terminal matched. It ends *lazily*, when the next symbol arrives.
//! - **context**: the terminals that may start a lexeme in an LR state.
//! - **pending**: the terminals a lexeme under way may still become.
//! - **inhibitor**: what a lexeme that ended could still have been; if that ever matches, the lexeme was too short (longest match).
//! - **cut**: the places in tokens at which a lexeme may have ended.
//! - **known part** γ: the LR states pushed above the deepest stack symbol read so far.
//! - **stack effect**: what a terminal does to the stack: pops, then pushes. An effect whose pops go below the known part is *suspended*.
//! - **item**: a suspended run; a state of the Parser DWA is a set of items.
//! - **mask**: the set of tokens allowed next. **base**, **delta**: how it is stored.

#![forbid(unsafe_code)]

pub mod analysis;
mod automata;
pub mod csr;
mod emit;
pub mod error;
pub mod ids;
pub mod lexer;
pub mod limits;
pub mod lr;
pub mod masks;
mod names;
pub mod normalize;
pub mod options;
pub mod parser;
mod partition;
mod pipeline;
pub mod random;
pub mod sets;
mod stand_in;
pub mod stats;
pub mod terminal;
pub mod terminals;

pub use automata::{Automata, Observer};
pub use error::CompileError;
pub use limits::{Limits, OverBudget};
pub use options::Options;
pub use pipeline::{Compiled, compile};
pub use stats::Stats;
