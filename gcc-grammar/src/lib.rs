//! Compiles a schema or grammar and a tokenizer vocabulary into exact next-token masks.

pub mod artifact;
pub mod metadata;
