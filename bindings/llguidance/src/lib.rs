//! The Rust interface of llguidance, implemented by gcc-grammar.
//!
//! Engines that embed the crate `llguidance`, such as mistral.rs, get these masks without a change of their source: a
//! `[patch.crates-io]` in their workspace puts the package `llguidance` of this repository, which is this crate under that name, in the
//! place of the other ([how](https://docs.rs/crate/gcc-grammar-llguidance)). Names and signatures are those of llguidance 1.0 to 1.9.
//! Tokens come as they are there: as a [`TokEnv`](toktrie::TokEnv) of the crate `toktrie`, which stays what it is.
//!
//! ```
//! use gcc_grammar_llguidance::toktrie::{ApproximateTokEnv, TokEnv};
//! use gcc_grammar_llguidance::{Matcher, ParserFactory, api::TopLevelGrammar};
//!
//! let tokens: TokEnv = std::sync::Arc::new(ApproximateTokEnv::single_byte());
//! let factory = ParserFactory::new_simple(&tokens)?;
//! let grammar = TopLevelGrammar::from_regex("[0-9]{2}");
//! let mut matcher = Matcher::new(factory.create_parser(grammar));
//! assert_eq!(matcher.compute_mask()?.num_set(), 10);
//! matcher.consume_tokens(&tokens.tokenize("42"))?;
//! assert!(matcher.is_stopped());
//! # anyhow::Ok(())
//! ```
//!
//! | module | job |
//! |---|---|
//! | [`api`] | grammars, limits, and why an output stopped |
//! | `factory` | [`ParserFactory`]: the tokens of a model; makes parsers |
//! | `parser` | [`TokenParser`]: one output |
//! | `matcher` | [`Matcher`]: one output, for servers |
//! | `constraint` | [`Constraint`]: one output, which appends certain tokens by itself |
//! | `stop` | [`StopController`]: stop tokens, stop texts, and patterns |
//! | [`engine`] | the code that the C interface shares with this one |
//!
//! # Differences to llguidance
//! The README lists them. Masks are exact where llguidance leaves spellings out; [`ParserLimits`](api::ParserLimits) have no effect; a list
//! of several grammars is refused; there are no captures, no cancellation, no statistics, and nothing is logged.

#![forbid(unsafe_code)]

pub mod api;
mod constraint;
pub mod engine;
mod factory;
mod matcher;
mod parser;
mod stop;

pub use constraint::{CommitResult, Constraint};
pub use factory::ParserFactory;
pub use matcher::Matcher;
pub use parser::TokenParser;
pub use stop::StopController;
pub use toktrie;
