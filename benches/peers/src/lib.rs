//! Compares this engine with other engines on the same cases in one run.
//!
//! Each engine is a process that follows the [`protocol`] on its standard input and output. So engines share neither memory nor
//! dependencies, and an engine that crashes or does not end is only a row in the table. The program `worker` is this engine; `compare`
//! drives any number of workers, case by case in turn, and prints the tables.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | the messages between driver and worker |
//! | [`case`] | the grammar and the texts of a job |
//! | [`engine`] | this engine: compiles, opens and decodes |
//! | [`reading`] | texts read with this engine: the mask and the commit of every token |
//! | [`process`] | memory and processor time of this process |
//! | [`sample`] | the choice of cases |
//! | [`drive`] | a worker process with time limits |
//! | [`figures`] | the figures of an engine, from its reports |
//! | [`goals`] | ratios of the figures of two engines, and the goals for them |
//! | [`ranges`] | the same over several runs: ranges, and who is better |
//! | [`pictures`] | plots |

pub mod case;
pub mod drive;
pub mod engine;
pub mod figures;
pub mod goals;
pub mod pictures;
pub mod process;
pub mod protocol;
pub mod ranges;
pub mod reading;
pub mod sample;
