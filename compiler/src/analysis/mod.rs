//! Analyses of a whole grammar, for its author. They do not change the artifact.
//!
//! In: the [`Automata`](crate::Automata) of a grammar, the stages that need no vocabulary. Out: findings, which
//! the facade turns into warnings. A finding is always right; an analysis may miss some, because its work is
//! limited and the questions about ambiguity are undecidable.
//!
//! | module | finds |
//! |---|---|
//! | [`mod@conflicts`] | what the actions of each conflict of the parser are about |
//! | [`ambiguity`] | the cost of ambiguity at run time |
//! | [`shadowed_terminals`] | terminals that never win under longest match |
//! | [`shadowed_followers`] | terminals that shadow their followers under longest match |
//! | [`reach`] | what only long texts have |

pub mod ambiguity;
pub mod conflicts;
pub mod shadowed_followers;
pub mod shadowed_terminals;

pub use crate::completion::reach;
