//! Measures compiled grammars on real programs and schemas: whether they accept the right texts, and what compiling and decoding cost.
//!
//! The programs in `src/bin` are the measurements. This library has what they share:
//!
//! | module | job |
//! |---|---|
//! | [`callgrind`] | instructions of a program |
//! | [`cases`] | cases of MaskBench |
//! | [`corpus`] | the files of a corpus, or a random choice of them |
//! | [`language`] | a grammar compiled for a vocabulary |
//! | [`json`] | JSON values that keep the order of keys |
//! | [`keyword_rules`] | a language of many statements with a keyword each |
//! | [`mutation`] | programs with one lexeme or one character changed |
//! | [`oracle`] | verdicts of an independent parser of the same grammar |
//! | [`orders`] | instances with their keys in another order |
//! | [`mod@reference`] | verdicts of another project's parser |
//! | [`tokenization`] | texts split into tokens, by the model's tokenizer or at random |
//! | [`replay`] | a text committed token by token, with the mask before each token |
//! | [`times`] | percentiles |
//! | [`varied`] | any number of schemas, made of those of MaskBench |

pub mod callgrind;
pub mod cases;
pub mod corpus;
pub mod json;
pub mod keyword_rules;
pub mod language;
pub mod mutation;
pub mod oracle;
pub mod orders;
pub mod reference;
pub mod replay;
pub mod times;
pub mod tokenization;
pub mod varied;

use std::error::Error;
use std::process::ExitCode;

/// A result whose error is, by default, a message for the user of a program.
pub type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The allocator of the command line tool, so that times are comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code of a program: 0 if all results are right, 1 if a result is wrong, 2 with a message if the program could not run.
#[must_use]
pub fn exit_code(outcome: Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
