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
//! | [`compile_session`] | compile, and keep what later inputs can use |
//! | [`matcher`] | masks, commits, rollbacks, saved states, forced tokens |
//! | [`batch`] | the masks of many matchers by several threads |
//!
//! # Memory
//! What a function returns as a pointer to a `gcg_` type belongs to the caller, who gives it back with the `_free` function of the type.
//! Freeing null does nothing. Pointers that are passed in are only used during the call.
//!
//! # Threads
//! A function changes only what it gets through a pointer that is not `const`. So calls that share an object may run at once if it is
//! `const` in each of them, and everything may be used and freed by another thread than the one that made it. `tests/c/threads.c` checks
//! that under ThreadSanitizer, and the types are checked below.

#![allow(unsafe_code)]
// The names are those that C programs read.
#![allow(non_camel_case_types)]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod batch;
pub mod compile_session;
pub mod error;
pub mod matcher;
pub mod session;
pub mod vocabulary;

/// What the header promises about threads.
const _: () = {
    const fn may_be_shared<T: Send + Sync>() {}
    may_be_shared::<vocabulary::gcg_vocabulary>();
    may_be_shared::<session::gcg_session>();
    may_be_shared::<compile_session::gcg_compile_session>();
    may_be_shared::<matcher::gcg_matcher>();
    may_be_shared::<matcher::gcg_row_memory>();
    may_be_shared::<batch::gcg_pool>();
    may_be_shared::<error::gcg_error>();
};
