//! Artifacts with their vocabularies, before and after they are compiled.
//!
//! | module | job |
//! |---|---|
//! | `session` | [`Session`](crate::Session) |
//! | `on_demand` | masks before the artifact is there |
//! | `compile_session` | many sources for one vocabulary |
//! | `opening` | opens an artifact and finds its vocabulary |

pub(crate) mod compile_session;
pub(crate) mod on_demand;
#[cfg(feature = "tokenizers")]
pub(crate) mod opening;
pub(crate) mod session;
