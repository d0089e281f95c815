//! The interface of a recognizer, which reads a text unit by unit and decides whether the text belongs to a language.

use super::token_texts::{Place, TokenTexts};
use super::unit::Unit;

/// Reads a text unit by unit, and can go back to every earlier length.
pub trait Recognizer {
    /// Reads one more unit. Returns whether the text is still viable.
    fn push(&mut self, unit: Unit) -> bool;
    /// The number of units that have been read.
    fn len(&self) -> usize;
    /// Whether no unit has been read.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Cuts the text to its first `len` units.
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
    /// Whether some text of tokens, from a place on, completes the text read so far. All calls have the same tokens.
    fn is_completed_by(&mut self, tokens: &TokenTexts, place: Place) -> bool;
    /// Whether the text read so far is a member of the language.
    fn accepts(&mut self) -> bool;
    /// The recognizer gave up because its state became too large; its answers no longer count.
    fn is_exhausted(&self) -> bool {
        false
    }
    /// Its answers count again: the text was cut to a length at which it had not given up.
    fn forget_exhaustion(&mut self) {}
}
