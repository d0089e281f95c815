//! Tokenizers of language models: from files and names to vocabularies, and from text to tokens.
//!
//! The input is a tokenizer file, a model directory, or the name of a built-in or imported vocabulary. The result is a
//! [`Vocabulary`], on which the compiler of grammars works. A [`Tokenizer`] cuts text into the same tokens as the model's
//! own tokenizer.
//!
//! ```text
//! name ──registry──▶ built-in vocabulary ──────────────────────────────────────┐
//!              │                                                               ▼
//!              └───▶ Source ──loaders──▶ Contents ──settings──▶ Contents ──▶ Vocabulary ◀──registry──▶ .gcv file
//!                      │                                                       │
//!                      └────────────────────tokenizer──────────────────────────┴──▶ Tokenizer: text ──▶ ids
//! ```
//!
//! Without the feature `texts`, there are only `loaders` and `contents`: tokenizer files are read from memory, for places without files.
//!
//! | module | content |
//! |---|---|
//! | `registry` | resolves names; keeps imported and compiled vocabularies in a folder |
//! | `source` | finds and reads the tokenizer file and the configuration files of a model |
//! | `loaders` | one file per format: `tokenizer.json`, `tekken.json`, SentencePiece, tiktoken |
//! | `settings` | end tokens, width and added tokens from the configuration files |
//! | `contents` | the tokens that a file defines, independent of its format |
//! | `builtin` | the built-in vocabularies |
//! | `tokenizer` | text to tokens |
//! | `canonical` | which tokens a tokenizer can write behind others |
//! | `files` | reading of files within a limit on their size |
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.

#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(all(doctest, feature = "texts"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "texts")]
mod builtin;
#[cfg(feature = "texts")]
mod canonical;
mod contents;
#[cfg(feature = "texts")]
mod files;
mod loaders;
#[cfg(feature = "texts")]
mod registry;
#[cfg(feature = "texts")]
mod settings;
#[cfg(feature = "texts")]
mod source;
#[cfg(feature = "texts")]
mod tokenizer;

#[cfg(feature = "texts")]
pub use builtin::{BUILTINS, Builtin};
#[cfg(feature = "texts")]
pub use canonical::{Canonical, CanonicalState};
pub use contents::Contents;
pub use gcc_grammar_vocabulary::Vocabulary;
pub use loaders::Format;
#[cfg(feature = "texts")]
pub use registry::{Cache, CompiledFile, FindWalks, MapFile, Origin, Overrides, Registry, Resolved};
#[cfg(feature = "texts")]
pub use source::Source;
#[cfg(feature = "texts")]
pub use tokenizer::{Tokenization, Tokenizer, TokenizerOptions, Unspellable};
