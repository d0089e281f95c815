//! The oracle: an independent, slow and simple implementation. The masks of the compiler are compared with its masks.
//!
//! ```text
//! Grammar ──language──▶ terminals as expressions stepped by derivatives
//!         ──right_part──▶ one small automaton per rule
//! any split:      right parts ──earley──▶ columns, one per unit of text
//! longest match:  Cfg ──lalr──▶ tables ──longest──▶ a set of (stack, run, inhibitors)
//! ```
//!
//! The oracle shares no code with the compiler. Regular expressions are stepped by Brzozowski derivatives and never
//! determinized, right-hand sides are interpreted as they are written, and all stacks are followed one by one. To be fast enough
//! for real programs, results are memoized, and equal values have equal numbers so that they are compared quickly.
//!
//! # Glossary
//! - **unit**: one letter of the text: a byte, or a special token as a whole.
//! - **place**: the part of a token that has been read, see [`token_texts`].
//! - **viable**: some continuation makes the text a member of the language.
//! - **position**: a place in the right-hand side of a rule, see [`right_part`].
//! - **run**: the lexeme in progress, see [`longest`].
//! - **inhibitor**: a longest-match constraint, a run that was cut off and must never match a longer lexeme.

pub mod cfg;
mod columns;
pub mod completion;
mod completion_of_any_split;
mod decoder;
mod discipline;
pub mod earley;
mod interner;
pub mod lalr;
pub mod language;
pub mod lexicon;
pub mod longest;
mod lookaheads;
mod pushdown;
mod readings;
mod recognizer;
pub mod right_part;
mod runs;
pub mod stacks;
pub mod token_texts;
mod unit;
mod utf8;

pub use cfg::Cfg;
pub use decoder::Decoder;
pub use discipline::recognizer;
pub use earley::AnySplit;
pub use language::{Language, Languages};
pub use lexicon::{Lexicon, has_limits};
pub use longest::LongestMatch;
pub use recognizer::Recognizer;
pub use stacks::{Stack, Stacks};
pub use token_texts::TokenTexts;
pub use unit::Unit;
