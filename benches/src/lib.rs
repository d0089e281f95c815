//! Grammars on real programs, schemas on real instances: what is accepted, and what it costs.
//!
//! | module | job |
//! |---|---|
//! | [`language`] | a grammar compiled for a built-in vocabulary |
//! | [`json`] | instances as JSON text |
//! | [`mutation`] | programs with one lexeme changed |
//! | [`oracle`] | the same texts and masks by an independent parser of the same grammar |
//! | [`orders`] | instances with their keys in some order |
//! | [`mod@reference`] | the same texts by a parser of other people |
//! | [`tokenization`] | texts cut into tokens: as the model does, and at random |
//! | [`replay`] | a text token by token, with the mask before each |
//! | [`svg`] | line plots |
//! | [`times`] | percentiles |

pub mod json;
pub mod language;
pub mod mutation;
pub mod oracle;
pub mod orders;
pub mod reference;
pub mod replay;
pub mod svg;
pub mod times;
pub mod tokenization;

use std::process::ExitCode;

/// What the command line tool has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// 0 if all is as it should be, 1 if not, 2 with a message if that could not be found out.
#[must_use]
pub fn exit_code(outcome: Result<bool, String>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
