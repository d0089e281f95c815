//! The C interface of gcc-grammar.
//!
//! Every function is declared and described in `include/gcc_grammar.h`, which is written from this source (`tests/header.rs` compares
//! the two).
//!
//! | module | functions |
//! |---|---|
//! | [`error`] | errors of functions that make something; status codes; no panic leaves a function |
//! | [`vocabulary`] | vocabularies |
//! | [`session`] | compile, open, save, report |
//! | [`matcher`] | masks, commits, rollbacks, saved states, forced tokens |
//! | [`batch`] | the masks of many matchers by several threads |
//!
//! # Memory
//! What a function returns as a pointer to a `gcg_` type belongs to the caller, who gives it back with the `_free` function of the type.
//! Freeing null does nothing. Pointers that are passed in are only used during the call.
//!
//! # Threads
//! Vocabularies and sessions never change: any number of threads may use one at once. A matcher, a row memory and an error may be used
//! by one thread at a time; which thread makes no difference. A pool may be used by several threads at once.

#![allow(unsafe_code)]
// The names are those that C programs read.
#![allow(non_camel_case_types)]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod batch;
pub mod error;
pub mod matcher;
mod memory;
pub mod session;
pub mod vocabulary;
