//! Generates random grammars, vocabularies and walks, and makes failing samples small.
//!
//! In: a seed. Out: a [`Sample`], and [`Walk`]s on it. The same seed always gives the same sample, on every machine.

mod expensive;
mod grammar;
mod regex;
mod sample;
pub mod shrink;
mod vocabulary;
mod walk;

pub use expensive::expensive;
pub use gcc_grammar_random::Random;
pub use grammar::is_sound;
pub use sample::Sample;
pub use walk::Walk;
