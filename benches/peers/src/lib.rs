//! This engine beside others, on the same cases in one run.
//!
//! Each engine is a process that speaks the protocol of [`protocol`] on its standard input and output, so engines share neither memory nor
//! dependencies, and one that crashes or does not end is only a row in the table. The `worker` binary is this engine; `compare` drives any
//! number of workers, case by case in turn, and prints the table.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | what is said between driver and worker |
//! | [`case`] | a job's grammar and texts |
//! | [`engine`] | this engine: compile, open, mask, commit |
//! | [`process`] | what the system says of this process: memory, processor time |
//! | [`sample`] | which cases |
//! | [`drive`] | a worker process with time limits |
//! | [`figures`] | what the reports of an engine come to |
//! | [`goals`] | one engine's figures over another's, and what they should be |
//! | [`pictures`] | the same as plots |

pub mod case;
pub mod drive;
pub mod engine;
pub mod figures;
pub mod goals;
pub mod pictures;
pub mod process;
pub mod protocol;
pub mod sample;
