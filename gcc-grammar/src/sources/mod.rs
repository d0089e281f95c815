//! From texts and files to grammars.
//!
//! | module | job |
//! |---|---|
//! | `source` | [`Source`](crate::Source): a text with its notation |
//! | `parse` | the front end of each notation |
//! | `deep`, `readers` | a stack that is large enough for nested inputs, and the threads that have it |
//! | `options` | [`Options`](crate::Options) |
//! | `options_json` | the options as JSON |
//! | `strict` | refuses a grammar that is narrower than its schema |
//! | `json_lines` | choices as JSON strings |
//! | `model` | the files of a model |

pub(crate) mod deep;
pub(crate) mod json_lines;
pub(crate) mod model;
pub(crate) mod options;
pub(crate) mod options_json;
pub(crate) mod parse;
mod readers;
pub(crate) mod source;
pub(crate) mod strict;
