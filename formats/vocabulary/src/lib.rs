//! Vocabularies of language models: from tokenizer files to the bytes of every token.
//!
//! The input is a tokenizer file, a model directory, or the name of a built-in or imported vocabulary. The result is a
//! [`Vocabulary`]: the bytes of every text token, the tokens in byte order, a trie over them, the special tokens, the end
//! tokens and the width of a mask. The compiler of grammars works on it. A vocabulary can be written to a compiled file,
//! which is read without sorting. A [`Tokenizer`] cuts text into the same tokens as the model's own tokenizer.
//!
//! ```text
//! name ──registry──▶ built-in vocabulary ──────────────────────────────────────┐
//!              │                                                               ▼
//!              └───▶ Source ──loaders──▶ Contents ──settings──▶ Contents ──vocabulary, trie──▶ Vocabulary ◀──artifact──▶ .gcv file
//!                      │                                                                          │
//!                      └────────────────────────────tokenizer─────────────────────────────────────┴──▶ Tokenizer: text ──▶ ids
//! ```
//!
//! | module | content |
//! |---|---|
//! | `registry` | resolves names; keeps imported and compiled vocabularies in a folder |
//! | `source` | finds and reads the tokenizer file and the configuration files of a model |
//! | `loaders` | one file per format: `tokenizer.json`, `tekken.json`, SentencePiece, tiktoken |
//! | `settings` | end tokens, width and added tokens from the configuration files |
//! | `contents` | the tokens that a file defines, independent of its format |
//! | `builtin` | the built-in vocabularies |
//! | `vocabulary`, `follows`, `trie`, `utf8` | the vocabulary that the compiler works on |
//! | `walks` | what compilations found in the trie, for later ones |
//! | `artifact`, `table` | compiled files |
//! | `tokenizer` | text to tokens |
//! | `error`, `limits`, `files` | errors, limits on sizes, reading of files |
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.

#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod artifact;
mod bases;
mod builtin;
mod contents;
mod error;
mod files;
mod follows;
mod limits;
mod loaders;
mod registry;
mod settings;
mod source;
mod table;
mod tokenizer;
mod trie;
mod utf8;
mod vocabulary;
pub mod walks;

pub use bases::Bases;
pub use builtin::{BUILTINS, Builtin};
pub use contents::Contents;
pub use error::{ErrorKind, Place, VocabularyError};
pub use loaders::Format;
pub use registry::{Cache, FindWalks, MapFile, Origin, Overrides, Registry, Resolved};
pub use source::Source;
pub use tokenizer::{Tokenization, Tokenizer, TokenizerOptions, Unspellable};
pub use trie::{ByteSet, Node, Trie, symbols};
pub use utf8::{Move, Phase, begins_character};
pub use vocabulary::{SpecialToken, Vocabulary};
