//! Masks and commits.
//!
//! | module | job |
//! |---|---|
//! | `matcher` | [`Matcher`](crate::Matcher) |
//! | `exact` | masks of a session, or of the artifact behind it |
//! | `guide` | the work of a matcher beyond the grammar |
//! | `prelude` | free text before the constrained part |
//! | `ending` | what ends free text |
//! | `canonical` | only tokens that the tokenizer writes |
//! | `forced` | tokens that are certain |
//! | `allowed` | iterates over the tokens of a mask |
//! | `draft` | trees of proposed tokens |
//! | `row` | rows of masks as sets of tokens |
//! | `numbered` | masks as numbers for an accelerator |
//! | `batch` | masks of many outputs |
//! | `generate` | random outputs |

pub(crate) mod allowed;
pub mod batch;
pub(crate) mod canonical;
pub mod draft;
pub(crate) mod ending;
pub(crate) mod exact;
pub(crate) mod forced;
pub mod generate;
pub(crate) mod guide;
pub(crate) mod matcher;
pub mod numbered;
pub(crate) mod prelude;
pub mod row;
