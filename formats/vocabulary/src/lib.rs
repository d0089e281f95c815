//! Vocabularies of language models, as the compiler of grammars needs them.
//!
//! The input is the tokens of a model in any order, with their bytes. The result is a [`Vocabulary`]: the bytes of every
//! text token, the tokens in byte order, a trie over them, the special tokens, the end tokens and the width of a mask. A
//! vocabulary can be written to a compiled file, which is read without sorting.
//!
//! ```text
//! tokens ──vocabulary, trie──▶ Vocabulary ◀──artifact──▶ .gcv file
//! ```
//!
//! | module | content |
//! |---|---|
//! | `vocabulary`, `trie`, `utf8` | the vocabulary that the compiler works on |
//! | `containing` | the tokens that contain a byte |
//! | `bases` | masks of JSON contexts, to which grammars refer |
//! | `walks` | what compilations found in the trie, for later ones |
//! | `artifact`, `table` | compiled files |
//! | `spell` | the fewest tokens that spell a text |
//! | `follows` | parts that follow from the rest, and count for no comparison |
//! | `error`, `limits` | errors, limits on sizes |
//!
//! Tokenizer files are read by the crate `gcc-grammar-tokenizers`. The terms are defined in the glossary of the project,
//! section 4 of `docs/theory.md`.

#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod artifact;
mod bases;
mod containing;
mod error;
mod follows;
pub mod limits;
mod spell;
mod table;
mod trie;
mod utf8;
mod vocabulary;
pub mod walks;

pub use bases::Bases;
pub use error::{ErrorKind, Place, VocabularyError};
pub use spell::fewest_tokens;
pub use trie::{Node, Trie, symbols};
pub use utf8::{Move, Phase, begins_character};
pub use vocabulary::{SpecialToken, Vocabulary, canonical_hash};
