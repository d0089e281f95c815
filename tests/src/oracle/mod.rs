//! The independent, slow, obviously right side: what the compiler's masks are compared with.
//!
//! ```text
//! Grammar ──language──▶ terminals as expressions stepped by derivatives
//!         ──right_part──▶ one small automaton per rule
//! any split:      right parts ──earley──▶ columns, one per unit of text
//! longest match:  Cfg ──lalr──▶ tables ──longest──▶ a set of (stack, run, inhibitors)
//! ```
//!
//! Nothing here is shared with the compiler: regular expressions are stepped by Brzozowski derivatives and
//! never determinized, right parts are interpreted as written, all stacks are followed one by one. To be quick enough for
//! real programs, what was found out once is remembered, and equal values are numbered so that they are compared quickly.
//!
//! # Glossary
//! - **unit**: one letter of the text: a byte, or a special token as a whole.
//! - **viable**: some continuation makes the text a member of the language.
//! - **position**: a place in a rule's right part, see [`right_part`].
//! - **run**: the lexeme in progress, see [`longest`].
//! - **inhibitor**: a run that was cut off and must never match a longer lexeme.

pub mod cfg;
pub mod decoder;
pub mod earley;
mod interner;
pub mod lalr;
pub mod language;
pub mod lexicon;
pub mod longest;
mod lookaheads;
pub mod right_part;
mod runs;
pub mod stacks;
mod utf8;

pub use cfg::Cfg;
pub use decoder::Decoder;
pub use earley::AnySplit;
pub use language::{Language, Languages};
pub use lexicon::Lexicon;
pub use longest::LongestMatch;
pub use stacks::{Stack, Stacks};

use crate::Vocabulary;
use gcc_grammar_ir::{Discipline, Grammar};

/// One letter of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// A byte of an ordinary token.
    Byte(u8),
    /// A special token, by id.
    Token(u32),
}

/// Reads a text unit by unit, with every earlier state at hand.
pub trait Recognizer {
    /// Reads one more unit; true if the text is still viable.
    fn push(&mut self, unit: Unit) -> bool;
    /// How many units have been read.
    fn len(&self) -> usize;
    /// Whether no unit has been read.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Goes back to when `len` units had been read.
    fn truncate(&mut self, len: usize);
    /// Whether the text would be viable after one more unit.
    fn can_push(&mut self, unit: Unit) -> bool {
        let before = self.len();
        let viable = self.push(unit);
        self.truncate(before);
        viable
    }
    /// Whether the text read so far can be continued to (or is) a member of the language.
    fn is_viable(&self) -> bool;
    /// Whether the text read so far is a member of the language.
    fn accepts(&mut self) -> bool;
    /// The recognizer gave up because its state became too large; its answers no longer count.
    fn is_exhausted(&self) -> bool {
        false
    }
    /// Its answers count again: the text was cut to a length at which it had not given up.
    fn forget_exhaustion(&mut self) {}
}

/// The recognizer of `grammar` under its lexical discipline.
///
/// Under longest match the LR states decide the lexical contexts, so the layout of the productions matters:
/// `cfg` is that of the compiler under test, or [`Cfg::from_right_parts`].
#[must_use]
pub fn recognizer(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Box<dyn Recognizer> {
    match grammar.discipline {
        Discipline::AnySplit => Box::new(AnySplit::new(grammar, vocabulary)),
        Discipline::LongestMatch => {
            let cfg = cfg.unwrap_or_else(|| Cfg::new(grammar, vocabulary));
            Box::new(LongestMatch::new(grammar, vocabulary, &cfg))
        }
    }
}
