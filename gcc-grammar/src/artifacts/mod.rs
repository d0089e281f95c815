//! From grammars to artifacts, and artifacts as files.
//!
//! | module | job |
//! |---|---|
//! | `compile` | compiles a grammar |
//! | `findings` | what the analyses find out about it |
//! | `artifact` | [`Artifact`](crate::Artifact): opens and saves |
//! | `packing` | whether the vocabulary is inside |
//! | `key` | the content key |
//! | `pack` | many artifacts in one file |
//! | `seal` | signatures |

pub mod artifact;
pub(crate) mod compile;
pub(crate) mod findings;
pub(crate) mod key;
pub(crate) mod pack;
pub(crate) mod packing;
pub mod seal;
