//! Oracle, generators, corpora and end-to-end tests.

pub mod compare;
pub mod generate;
pub mod oracle;
pub mod vocabulary;

pub use vocabulary::{Token, Vocabulary};
