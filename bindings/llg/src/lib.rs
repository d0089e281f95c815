//! The C interface of llguidance, implemented by gcc-grammar.
//!
//! A program that calls llguidance through C, such as llama.cpp, gets these masks by preloading `libgcc_grammar_llg.so` or by linking it
//! in place of llguidance. Names, signatures and struct layouts are those of llguidance 1.0 to 1.9; `include/gcc_grammar_llg.h` is
//! written from this source, and `tests/` compares the layouts with numbers.
//!
//! | module | job |
//! |---|---|
//! | [`layout`] | the structs that cross the interface |
//! | [`tokenizer`] | `llg_new_tokenizer` and what tokenizers do |
//! | [`matcher`] | `llg_new_matcher` and `llg_matcher_*` |
//! | [`constraint`] | `llg_new_constraint*`: a matcher that commits forced tokens itself |
//! | [`stop`] | `llg_new_stop_controller` and what controllers do |
//! | `tokens`, `memory` | the tokens of a model, and what C passes in |
//!
//! What the matchers do is [`gcc_grammar_llguidance::engine`], as for the Rust interface of llguidance.
//!
//! # Differences to llguidance
//! Masks are exact where llguidance leaves spellings out: strings of JSON may have U+007F, `\/` and every `\u` escape. The limits of
//! `LlgParserLimits` are read and have no effect; those of gcc-grammar are options.
//!
//! # Memory and threads
//! As in llguidance: what `llg_new_` and `llg_clone_` functions return is given back with the `llg_free_` function of its type. Tokenizers
//! may be used by any number of threads at once, matchers and constraints by one at a time. A tokenizer may be freed before its matchers.

#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]
// The interface of llguidance has these names.
#![expect(clippy::missing_safety_doc, reason = "the safety of a pointer is said where it is used: memory.rs")]

pub mod constraint;
pub mod layout;
pub mod matcher;
mod memory;
pub mod stop;
pub mod tokenizer;
mod tokens;
