//! Oracle, generators, corpora and end-to-end tests.

#![forbid(unsafe_code)]

pub mod campaign;
pub mod cases;
pub mod compare;
pub mod files;
pub mod generate;
pub mod golden;
pub mod law;
pub mod oracle;
pub mod parsers;
pub mod print;
pub mod stage;
pub mod subject;
pub mod vocabulary;

pub use vocabulary::{Token, Vocabulary};
