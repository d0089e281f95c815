//! The native module `gcc_grammar._lib` of the Python package.
//!
//! It has the types that everything else in the package is made of, and takes and gives plain values: text, bytes, lists of ids,
//! JSON. What Python users see on top of it, such as types as schemas and rows of NumPy and PyTorch, is written in Python.
//!
//! | module | content |
//! |---|---|
//! | `error` | errors of the library as exceptions of `gcc_grammar._errors` |
//! | `vocabulary` | `Vocabulary` |
//! | `input` | `Input`: what is compiled |
//! | `artifact` | `Artifact`: check, compile, open, save, report |
//! | `compile_session` | `CompileSession`: compile, and keep what later texts can use |
//! | `events` | `Events`, `RuleEvents`: what happens to JSON values and to rules while they are written |
//! | `matcher` | `Matcher`, `BoundRow`, `fill_array`, `fill_masks` |
//! | `signals` | what may take long, and a signal ends |
//! | `store` | `Store`: artifacts in a folder or a pack |
//! | `writes` | which call wrote a row last |
//! | `written` | the text of an output, as its matcher has committed it |
//! | `numbered` | `Slots`: masks by number, for accelerators |
//!
//! The interpreter lock is released where work may take longer than a lock costs: loading, compiling, filling masks.

#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

mod artifact;
mod compile_session;
mod error;
mod events;
mod input;
mod matcher;
mod numbered;
mod signals;
mod store;
mod vocabulary;
mod writes;
mod written;

use pyo3::prelude::*;
use std::ffi::OsString;

/// The allocator of this module alone, as in the command line tool: the interpreter and other modules keep theirs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs the command line tool with these arguments, the name of the program first, and returns its exit code.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| gcc_grammar_cli::run(&arguments))
}

/// The native part of gcc_grammar.
#[pymodule]
fn _lib(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<vocabulary::Vocabulary>()?;
    module.add_class::<input::Input>()?;
    module.add_class::<artifact::Artifact>()?;
    module.add_class::<compile_session::CompileSession>()?;
    module.add_class::<events::Events>()?;
    module.add_class::<events::RuleEvents>()?;
    module.add_class::<matcher::Matcher>()?;
    module.add_class::<matcher::BoundRow>()?;
    module.add_class::<numbered::Slots>()?;
    module.add_class::<store::Store>()?;
    module.add_function(wrap_pyfunction!(artifact::artifact_key, module)?)?;
    module.add_function(wrap_pyfunction!(artifact::check, module)?)?;
    module.add_function(wrap_pyfunction!(artifact::read_source, module)?)?;
    module.add_function(wrap_pyfunction!(artifact::python_pattern, module)?)?;
    module.add_function(wrap_pyfunction!(artifact::compile, module)?)?;
    module.add_function(wrap_pyfunction!(artifact::family_of_model, module)?)?;
    module.add_function(wrap_pyfunction!(matcher::fill_array, module)?)?;
    module.add_function(wrap_pyfunction!(matcher::fill_masks, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
