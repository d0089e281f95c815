//! The file format of compiled grammars and compiled vocabularies: sections in one memory-mappable file.
//!
//! The compiler writes a file once; any number of readers then use its bytes in place. Opening a file checks
//! the header, the checksums and every table, unless the caller vouches for its content. No access can go out of
//! bounds, for any content of the file. Nothing is copied, and reading needs neither `std` nor `alloc`.
//!
//! ```text
//!  GrammarTables ──write──▶ file: header │ directory │ section │ section │ … ──open──▶ GrammarView
//!  (compiler)                                                                          (runtime)
//! ```
//!
//! # Modules
//! | module | content |
//! |---|---|
//! | [`error`] | [`ArtifactError`]: every way in which a file can be unusable |
//! | [`ids`] | index newtypes, one per kind of numbered thing |
//! | [`wire`] | little-endian records and tables, declared once for writing, reading and documentation |
//! | [`container`] | header, directory, checksums: read by [`Container`], written by `ContainerWriter` |
//! | [`grammar`] | the tables of a grammar: read by [`GrammarView`], written by `GrammarTables` |
//! | [`trie`] | the trie of the tokens of a vocabulary, as the runtime walks it |
//! | [`json_string`] | places within a JSON string, and the characters that begin in a text from there |
//! | [`bases`] | the base bitmaps of a vocabulary, to which grammars refer |
//! | [`pack`] | many artifacts for one vocabulary in one file, with their base bitmaps once |
//! | [`vocabulary`] | the tables of a vocabulary: [`VocabularyView`] reads those for the runtime |
//!
//! FORMAT.md describes the layout byte by byte. A test compares it with the declarations here.
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.
//!
//! # Features
//! `write`: the writing half, for the compiler. It links `std`.

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "write"), no_std)]

#[macro_use]
pub mod wire;

pub mod bases;
pub mod container;
pub mod error;
pub mod grammar;
pub mod ids;
pub mod json_string;
pub mod pack;
pub mod trie;
pub mod vocabulary;

pub use bases::VocabularyBases;
#[cfg(feature = "write")]
pub use container::ContainerWriter;
pub use container::{Container, FileKind, Fingerprint, Fingerprints, Header, Section, SectionElement};
pub use error::ArtifactError;
#[cfg(feature = "write")]
pub use grammar::GrammarTables;
pub use grammar::GrammarView;
pub use trie::TokenTrie;
pub use vocabulary::VocabularyView;

/// The example of the README is a test.
#[cfg(all(doctest, feature = "write"))]
#[doc = include_str!("../README.md")]
struct Readme;
