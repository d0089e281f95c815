//! Regular languages: everything that a schema says about one string, key or number.
//!
//! What comes in are keywords (`pattern`, `format`, `minLength`, `minimum`, `multipleOf`, constants); what
//! comes out is a [`LanguageId`], the number of a minimal automaton. Languages of strings and keys are sets
//! of *texts*, not of their JSON spellings: characters are counted and patterns match on texts. Spellings
//! come last, when the grammar is emitted.
//!
//! | file | job |
//! |---|---|
//! | `pool` | languages by number and the operations on them |
//! | `lengths` | texts that are restricted in length only |
//! | `texts` | the members of finite languages |
//! | `pattern` | ECMA-262 regular expressions |
//! | `format` | the formats that are enforced |
//! | `number` | sets of numbers |

pub(crate) mod format;
mod lengths;
pub(crate) mod number;
pub(crate) mod pattern;
mod pool;
pub(crate) mod texts;

pub(crate) use lengths::{Frame, Lengths, MAX_LENGTH};
pub(crate) use pool::{LanguageId, Languages};
