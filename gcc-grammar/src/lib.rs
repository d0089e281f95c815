//! Compiles a schema or grammar and a tokenizer vocabulary into exact next-token masks, and decodes with them.
//!
//! ```text
//! Source ──parse──▶ Parsed ──compile──▶ Artifact ──Session──▶ Matcher: fill_mask, commit, rollback
//!                     └──check, trace──▶ diagnostics for its author
//! ```
//! # Map
//! | item | job |
//! |---|---|
//! | [`Source`] | a schema or grammar, from a text, a file or the bundled grammars |
//! | [`Vocabulary`] | the tokens of a model: built in, imported, or from a tokenizer file |
//! | [`compile()`], [`Artifact`] | compile, save and open artifacts |
//! | [`CompileSession`] | compile many sources for a vocabulary, and keep their common parts |
//! | [`Session`], [`Matcher`] | decode: masks, commits, rollbacks, saved states; owned, `Send`, scratch grows on demand |
//! | [`MatcherOptions`] | options of a matcher beyond the grammar: budgets, canonical masks, free text before the constrained part |
//! | [`draft`], [`row`] | trees of proposed tokens; rows of masks as sets of tokens |
//! | [`Session::on_demand`] | decode before the artifact is compiled |
//! | [`lengths`] | the shortest output, and the parts that only long outputs have |
//! | [`verify`] | checks the promises of an artifact on random outputs |
//! | [`difference`] | whether two sources accept the same texts, and shortest texts that only one accepts |
//! | [`check()`], [`trace()`], [`explain()`], [`Why`] | sizes and warnings of a grammar; how a text is read; why tokens are refused |
//! | [`events`] | which JSON values, or rules of a grammar, began, grew or ended with each commit |
//! | [`batch`], [`numbered`] | the masks of many outputs: filled by threads, or as numbers for an accelerator |
//! | [`generate`] | random outputs |
//! | [`artifact_key`], [`Pack`], [`seal`] | the key of an artifact, many artifacts in one file, signatures |
//! | [`stages()`] | the tables of every stage, for small grammars |
//! | [`parser_tables`] | the LR tables of an artifact, to simulate its parser |
//! | [`family_of_model`], [`read_families`], [`tools`] | how a model calls tools, from its files; families of one's own, and those that are built in |
//! | [`metadata`] | the source, options and coverage of an artifact |
//! | [`Options`], [`Error`] | the options of a compilation, and the error of every operation |
//! | [`output`], [`mod@text`] | writing files as a whole; numbers and bytes as people read them |
//!
//! Rooms behind these, by what a change is about:
//!
//! | about | files |
//! |---|---|
//! | reading sources | `source`, `parse`, `deep` (with enough stack), `options`, `options_json`, `vocabulary`, `error`, `strict` (refuses a grammar that is narrower than its schema), `suggest` (suggestions for wrong names), `json_lines` (choices as JSON strings), `model` (the files of a model) |
//! | compiling | `compile`, `compile_session`, `recent` (the artifacts used last), `precomputed_walks`, `on_demand` |
//! | artifacts as files | `artifact`, `bytes`, `mapped`, `opening`, `verified` (the files that this process has checked), `frame` (zstd), `pack`, `packing`, `key`, `seal` |
//! | decoding | `session`, `exact` (masks, and the artifact behind a session on demand) inside `matcher`; `guide` has the work of a matcher beyond the grammar: `prelude` and `ending` (free text), `canonical` and `forced` (certain tokens); `allowed` |
//! | explaining | `explain`, `why`, `why_places`, `trace`, `origin` (the source of an artifact, read again), `outline` (names and places as JSON), `places` (rules), `schema_places`, `findings`, `check`, `stages` |
//!
//! Terms: a *terminal* is a named regular language over bytes; a *lexeme* is a piece of text that one terminal matched; a *mask* is the
//! set of tokens that may come next; an *artifact* is a compiled grammar as bytes. The runtime without allocation is
//! [`gcc_grammar_runtime`], the stages of the compiler are [`gcc_grammar_compiler`].

#![deny(unsafe_code)]

mod allowed;
pub mod artifact;
pub mod batch;
mod bytes;
mod canonical;
pub mod check;
mod compile;
mod compile_session;
mod deep;
pub mod difference;
pub mod draft;
mod ending;
mod error;
pub mod events;
mod exact;
mod explain;
mod findings;
mod forced;
mod frame;
pub mod generate;
mod guide;
mod json_lines;
mod key;
pub mod lengths;
mod mapped;
mod matcher;
pub mod metadata;
mod model;
pub mod numbered;
mod on_demand;
#[cfg(feature = "tokenizers")]
mod opening;
mod options;
mod options_json;
mod origin;
mod outline;
pub mod output;
mod pack;
mod packing;
mod parse;
pub mod parser_tables;
mod places;
#[cfg(feature = "tokenizers")]
mod precomputed_walks;
mod prelude;
mod recent;
pub mod row;
mod schema_places;
pub mod seal;
mod session;
mod source;
mod stages;
mod strict;
mod suggest;
pub mod text;
mod trace;
mod verified;
pub mod verify;
pub mod vocabulary;
mod why;
mod why_places;

pub use allowed::Allowed;
pub use artifact::Artifact;
pub use check::check;
pub use compile::{Compilation, compile, compile_parsed};
pub use compile_session::CompileSession;
pub use error::{Error, ErrorKind, SourceText};
pub use exact::RowMemory;
pub use explain::{Explanation, explain};
pub use findings::{Findings, NamedGrowth};
pub use forced::Certainty;
pub use gcc_grammar_bundled as bundled;
pub use gcc_grammar_compiler::{Budget, Limits, Observer, Reuse, Shortfall, Stats};
pub use gcc_grammar_ir::diagnostic;
pub use gcc_grammar_ir::{Code, Diagnostic, Location, Severity};
pub use gcc_grammar_json_schema as json_schema;
pub use gcc_grammar_notations::notation::Notation;
pub use gcc_grammar_notations::tools;
pub use gcc_grammar_owned::MOST_FORCED_BYTES;
pub use gcc_grammar_runtime as runtime;
pub use gcc_grammar_runtime::{DEFAULT_MAX_WORK, Error as MatchError};
pub use guide::{DEFAULT_ROLLBACK, MatcherOptions};
pub use key::{Key, artifact_key};
pub use matcher::Matcher;
pub use model::{family_of_model, read_families};
pub use on_demand::{DemandOptions, Uncompiled};
#[cfg(feature = "tokenizers")]
pub use opening::VocabularyRequest;
pub use options::{
    Indenter, Lexer, LimitOptions, Options, SchemaOptions, SpecialTokens, Strict, TokenBudgets, ToolOptions,
};
pub use origin::WrittenRule;
pub use pack::Pack;
pub use packing::Packing;
pub use parse::{Parsed, coverage_of_refused, parse, parse_for, parse_for_any};
pub use prelude::StartAfter;
pub use schema_places::{Asked, places_in_schema, schemas_around};
pub use seal::Seal;
pub use session::Session;
pub use source::{Source, is_stdin, read_bytes, read_output, read_source};
pub use stages::{Cell, Selection, Table, stages};
pub use strict::narrowed_counts;
pub use trace::{Counts, MAX_SYMBOLS, Stuck, Trace, TracedLexeme, Tracer, trace, trace_with};
pub use vocabulary::Vocabulary;
pub use why::Why;
pub use why_places::WhyPlaces;

/// The code in the README of this crate compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod crate_readme {}

/// The code of the page for users of Rust runs to its end.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
mod rust_page {}
