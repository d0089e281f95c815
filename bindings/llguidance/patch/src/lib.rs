//! gcc-grammar under the name of llguidance: a package for `[patch.crates-io]`.

#![forbid(unsafe_code)]

pub use gcc_grammar_llguidance::*;
