//! Tests of the workspace as a whole, and their tools.
//!
//! ```text
//! seed ──generate──▶ grammar, vocabulary ──compare──▶ oracle ≟ runtime, stages of the compiler
//!                                             └──campaign──▶ a small case that shows the difference
//! ```
//! | module | job |
//! |---|---|
//! | [`vocabulary`], [`files`], [`sources`] | small vocabularies; where files are, and inputs among them |
//! | [`engine`] | the interface of everything that decodes |
//! | [`oracle`] | an independent, slow implementation that serves as the definition of right |
//! | [`compare`] | takes an engine and the oracle along the same walk |
//! | [`subject`], [`stage`] | the engines under test: the runtime, and every stage of the compiler |
//! | [`parsers`] | compares the parsers of the compiler and of the runtime |
//! | [`generate`], [`campaign`] | random samples; many comparisons, whose failures are made small |
//! | [`budgets`] | masks within token budgets of random samples, beside the oracle |
//! | [`keys`] | objects whose keys are remembered, beside lists of all documents |
//! | [`distinct`] | arrays with `uniqueItems`, beside lists of all documents |
//! | [`formula`] | the conditions on objects, as schemas combine them |
//! | [`any_items`] | the same over items of any value, beside a reader of JSON |
//! | [`same`] | texts that are repeated, beside readers of them |
//! | [`memory`] | all of these, and lists and objects that remember in each other |
//! | [`remembered_budgets`] | token budgets where keys or items are remembered, beside lists of all documents |
//! | [`lockstep`] | masks on demand beside those of the artifact, through all operations of a matcher |
//! | [`cases`] | cases as TOML files |
//! | [`mod@print`] | grammars in the notations of the front ends |
//! | [`law`] | membership of texts in the language of a compiled grammar |
//! | [`golden`] | the list of known artifacts |
//!
//! The tests themselves are in `tests/suite`.

#![forbid(unsafe_code)]

pub mod any_items;
pub mod budgets;
pub mod campaign;
pub mod cases;
pub mod compare;
pub mod distinct;
pub mod engine;
pub mod files;
pub mod formula;
pub mod generate;
pub mod golden;
pub mod keys;
pub mod law;
pub mod lockstep;
pub mod memory;
pub mod oracle;
pub mod parsers;
pub mod print;
pub mod remembered_budgets;
pub mod same;
pub mod sources;
pub mod stage;
pub mod subject;
pub mod vocabulary;

pub use vocabulary::{Token, Vocabulary};
