//! Compiles a grammar and a vocabulary into exact next-token masks.
pub mod csr;
pub mod ids;
pub mod lexer;
pub mod limits;
pub mod lr;
pub mod normalize;
pub mod parser;
pub mod sets;
pub mod terminal;
