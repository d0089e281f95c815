//! Renders results: as text for people, and as JSON for programs. No other module of the program formats them.

pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod difference;
pub(crate) mod events;
pub(crate) mod explanation;
pub(crate) mod explore;
pub(crate) mod findings;
pub(crate) mod inspect;
pub(crate) mod lengths;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod show;
pub(crate) mod stages;
pub(crate) mod stored;
pub(crate) mod summary;
#[cfg(feature = "parquet")]
pub(crate) mod table;
pub(crate) mod tests;
pub(crate) mod trace;
pub(crate) mod vocabulary;
pub(crate) mod wrap;
