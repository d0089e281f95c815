//! The container of compiled grammars and vocabularies: sections in one memory-mappable file.
//!
//! # Map
//! | module | job |
//! |---|---|
//! | [`wire`] | little-endian records, declared once for writing, reading and documentation |
//! | [`container`] | header, section directory, checksums; [`Container::open`] and `ContainerWriter` |
//! | [`grammar`] | the tables of a compiled grammar: `GrammarTables` (written) and [`GrammarView`] (read, validated) |
//! | [`vocabulary`] | the tables of a compiled vocabulary, and [`VocabularyView`] (read, validated) |
//! | [`ids`] | index newtypes: one per kind of thing that is numbered |
//! | [`error`] | everything that can be wrong with a file, each its own error |
//!
//! The layout in bytes is FORMAT.md, which a test compares with the declarations here.
//!
//! # Reading and writing
//! Reading needs neither `std` nor `alloc`: a view borrows the bytes of the file, wherever they lie and however they
//! are aligned. Everything a view hands out was validated when it was made, so that whoever follows an index from one
//! table into another stays in bounds. Writing is behind the feature `write`, which links `std`.

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "write"), no_std)]

#[macro_use]
pub mod wire;

pub mod container;
pub mod error;
pub mod grammar;
pub mod ids;
pub mod vocabulary;

#[cfg(feature = "write")]
pub use container::ContainerWriter;
pub use container::{Container, FileKind, Fingerprint, Fingerprints, Header, Section, SectionElement};
pub use error::ArtifactError;
#[cfg(feature = "write")]
pub use grammar::GrammarTables;
pub use grammar::GrammarView;
pub use vocabulary::VocabularyView;
