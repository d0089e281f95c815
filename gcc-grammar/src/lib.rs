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
//! The rooms behind these, in the order in which they use each other; each has a page that names its files:
//!
//! | room | job |
//! |---|---|
//! | `error`, `suggest`, `text`, `metadata`, `vocabulary` (with `precomputed_walks`) | what all rooms need |
//! | `files` | bytes in files: mapped, checked, compressed, written as a whole |
//! | `sources` | reads sources: the front ends, and their options |
//! | `artifacts` | compiles grammars; artifacts, packs, keys, signatures |
//! | `sessions` | artifacts with their vocabularies; masks on demand, and many compilations |
//! | `decoding` | matchers, and what they do beyond the grammar |
//! | `inspect` | explains: grammars, masks, texts |
//!
//! Terms: a *terminal* is a named regular language over bytes; a *lexeme* is a piece of text that one terminal matched; a *mask* is the
//! set of tokens that may come next; an *artifact* is a compiled grammar as bytes. The runtime without allocation is
//! [`gcc_grammar_runtime`], the stages of the compiler are [`gcc_grammar_compiler`].

#![deny(unsafe_code)]

mod artifacts;
mod decoding;
mod error;
mod files;
mod inspect;
pub mod metadata;
#[cfg(feature = "tokenizers")]
mod precomputed_walks;
mod sessions;
mod sources;
mod suggest;
pub mod text;
pub mod vocabulary;

pub use artifacts::artifact;
pub use artifacts::artifact::Artifact;
pub use artifacts::compile::{Compilation, compile, compile_parsed};
pub use artifacts::findings::{Findings, NamedGrowth};
pub use artifacts::key::{Key, artifact_key};
pub use artifacts::pack::Pack;
pub use artifacts::packing::Packing;
pub use artifacts::seal;
pub use artifacts::seal::Seal;
pub use decoding::allowed::Allowed;
pub use decoding::batch;
pub use decoding::draft;
pub use decoding::exact::RowMemory;
pub use decoding::forced::Certainty;
pub use decoding::generate;
pub use decoding::guide::{DEFAULT_ROLLBACK, MatcherOptions};
pub use decoding::matcher::Matcher;
pub use decoding::numbered;
pub use decoding::prelude::StartAfter;
pub use decoding::row;
pub use error::{Error, ErrorKind, SourceText};
pub use files::output;
pub use gcc_grammar_bundled as bundled;
pub use gcc_grammar_compiler::{Budget, Interrupt, Limits, Observer, Reuse, Shortfall, Stats};
pub use gcc_grammar_ir::diagnostic;
pub use gcc_grammar_ir::words::{InvalidOption, Words};
pub use gcc_grammar_ir::{Code, Diagnostic, Location, Severity};
pub use gcc_grammar_json_schema as json_schema;
pub use gcc_grammar_notations::notation::Notation;
pub use gcc_grammar_notations::tools;
pub use gcc_grammar_owned::MOST_FORCED_BYTES;
pub use gcc_grammar_runtime as runtime;
pub use gcc_grammar_runtime::{DEFAULT_MAX_WORK, Error as MatchError};
pub use inspect::check::{self, check};
pub use inspect::difference;
pub use inspect::events;
pub use inspect::explain::{Explanation, explain};
pub use inspect::lengths;
pub use inspect::origin::WrittenRule;
pub use inspect::parser_tables;
pub use inspect::schema_places::{Asked, places_in_schema, schemas_around};
pub use inspect::stages::{Cell, Selection, Table, stages};
pub use inspect::trace::{Counts, MAX_SYMBOLS, Stuck, Trace, TracedLexeme, Tracer, trace, trace_with};
pub use inspect::verify;
pub use inspect::why::Why;
pub use inspect::why_places::WhyPlaces;
pub use sessions::compile_session::CompileSession;
pub use sessions::on_demand::{DemandOptions, Uncompiled};
#[cfg(feature = "tokenizers")]
pub use sessions::opening::VocabularyRequest;
pub use sessions::session::Session;
pub use sources::model::{family_of_model, read_families};
pub use sources::options::{
    Indenter, Lexer, LimitOptions, Options, SchemaOptions, SpecialTokens, Strict, TokenBudgets, ToolOptions,
};
pub use sources::parse::{Parsed, coverage_of_refused, parse, parse_for, parse_for_any};
pub use sources::source::{Source, is_stdin, read_bytes, read_output, read_source};
pub use sources::strict::narrowed_counts;
pub use vocabulary::Vocabulary;

/// The code in the README of this crate compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod crate_readme {}

/// The code of the page for users of Rust runs to its end.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
mod rust_page {}
