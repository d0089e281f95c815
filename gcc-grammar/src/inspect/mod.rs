//! What a grammar, an artifact or an output is about, for people.
//!
//! | module | job |
//! |---|---|
//! | `check` | sizes and warnings of a grammar |
//! | `stages` | the tables of every stage |
//! | `trace` | how a text is read |
//! | `explain` | the tokens that are allowed, in words |
//! | `why` | why a token is refused |
//! | `why_places` | where in the source |
//! | `places` | the rules of a grammar by name |
//! | `schema_places` | the places of a schema |
//! | `origin` | the source of an artifact, read again |
//! | `outline` | names and places as JSON |
//! | `difference` | whether two sources accept the same texts |
//! | `events` | values and rules while a model writes |
//! | `lengths` | the shortest output |
//! | `verify` | checks an artifact on random outputs |
//! | `parser_tables` | the LR tables of an artifact |

pub mod check;
pub mod difference;
pub mod events;
pub(crate) mod explain;
pub mod lengths;
pub(crate) mod origin;
pub(crate) mod outline;
pub mod parser_tables;
pub(crate) mod places;
pub(crate) mod schema_places;
pub(crate) mod stages;
pub(crate) mod trace;
pub mod verify;
pub(crate) mod why;
pub(crate) mod why_places;
