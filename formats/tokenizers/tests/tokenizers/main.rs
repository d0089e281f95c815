//! Tests of tokenizers, in one program.

mod errors;
mod hostile;
mod real_vocabularies;
