//! Grammars on real programs, schemas on real instances: what is accepted, and what it costs.
//!
//! | module | job |
//! |---|---|
//! | [`language`] | a grammar compiled for a built-in vocabulary |
//! | [`tokenization`] | texts cut into tokens: as the model does, and at random |
//! | [`replay`] | a text token by token, with the mask before each |
//! | [`times`] | percentiles |

pub mod language;
pub mod replay;
pub mod times;
pub mod tokenization;
