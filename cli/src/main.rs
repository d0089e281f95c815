//! The program `gcc-grammar`. See the library of this crate.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    gcc_grammar_cli::run(&arguments).into()
}
