//! Tests of the runtime on toy grammars.
//!
//! `support` has the grammars, a simple compiler for them, and an interpreter of the compiled tables that is
//! independent of the runtime. The tests compare the two.

mod allocation;
mod bounds;
mod full;
mod growth;
mod hostile;
mod support;
mod walks;
