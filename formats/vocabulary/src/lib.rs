//! Tokenizer files to token bytes, and the vocabulary artifact.
//!
//! ```text
//! name after --vocab ──registry──▶ Builtin | Source (file or model directory) | compiled file
//! tokenizer file ──loaders──▶ Contents ──settings──▶ Contents with the model's end tokens and width
//! Contents ──vocabulary, trie──▶ Vocabulary: id → bytes, byte order, trie, specials, end tokens, fingerprint
//! Vocabulary ◀──artifact──▶ .gcv file, mapped by the runtime
//! text ──tokenizer──▶ ids that spell it
//! ```
//! | module | job |
//! |---|---|
//! | `loaders` | one file per format: `tokenizer.json`, `tekken.json`, SentencePiece, tiktoken |
//! | `settings` | end tokens, width and added tokens from the configurations of a model directory |
//! | `source` | finding and reading those files |
//! | `builtin` | the vocabularies that come with the program |
//! | `vocabulary`, `trie`, `utf8` | what the compiler works with |
//! | `artifact`, `table` | written and read as one file |
//! | `tokenizer` | text to tokens, as the model's own tokenizer cuts it |
//! | `registry` | names, imports, compiled files that are kept |
//!
//! # Glossary
//! - **text token**: a token that stands for bytes of output. It is matched by its bytes.
//! - **special token**: a control token, matched by its id and never by bytes.
//! - **end token**: a token that ends the output; allowed exactly where the text so far is complete.
//! - **hole**: an id that no token has; its mask bit is always 0.
//! - **width**: number of bits of a mask, the *model's* vocabulary size; ids past the tokenizer's own are **padding**.
//! - **byte order**: the text tokens sorted by (bytes, id); a **rank** is a position in it.

#![forbid(unsafe_code)]

mod artifact;
mod builtin;
mod error;
mod loaders;
mod registry;
mod settings;
mod source;
mod table;
mod tokenizer;
mod trie;
mod utf8;
mod vocabulary;

pub use builtin::{BUILTINS, Builtin};
pub use error::{ErrorKind, Place, VocabularyError};
pub use loaders::{Contents, Format};
pub use registry::{Cache, MapFile, Origin, Overrides, Registry, Resolved};
pub use source::Source;
pub use tokenizer::{Tokenization, Tokenizer, TokenizerOptions, Unspellable};
pub use trie::{ByteSet, Node, Trie, symbols};
pub use utf8::{Move, Phase};
pub use vocabulary::{SpecialToken, Vocabulary, begins_character};
