//! What the Rust interface and the C interface of llguidance have in common.
//!
//! | module | job |
//! |---|---|
//! | `grammar` | what a kind and a text mean |
//! | [`tokens`] | the tokens of a model and its tokenizer |
//! | `store` | compiled grammars in memory and in a folder |
//! | [`state`] | the state of one output |
//! | [`run`] | a state that keeps its first error |
//! | [`stop`] | stop tokens and stop texts |

pub(crate) mod grammar;
pub mod run;
pub mod state;
pub mod stop;
mod store;
pub mod tokens;
