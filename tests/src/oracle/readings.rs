//! The ways to read the tokens so far: an ordinary token that the grammar matches by id, too, is its bytes or one unit.
//!
//! The readings are paths in a tree from its root. There is one recognizer, which has read one of them; for another reading it goes back to
//! where the two part.

use super::recognizer::Recognizer;
use super::unit::Unit;

/// A reading, by the number of the last piece of it.
pub(super) type Reading = usize;

/// What one token adds to a reading.
struct Piece {
    before: Reading,
    units: Vec<Unit>,
    /// The number of units up to the end of the piece.
    end: usize,
}

/// The viable readings after each commit.
pub(super) struct Readings {
    pub(super) recognizer: Box<dyn Recognizer>,
    /// The first is the beginning of the text.
    pieces: Vec<Piece>,
    /// The readings at the beginning and after each commit.
    history: Vec<Vec<Reading>>,
    /// The reading that the recognizer has read.
    loaded: Reading,
}

impl Readings {
    pub(super) fn new(recognizer: Box<dyn Recognizer>) -> Self {
        let start = Piece { before: 0, units: Vec::new(), end: 0 };
        Self { recognizer, pieces: vec![start], history: vec![vec![0]], loaded: 0 }
    }

    /// The readings of the text so far.
    pub(super) fn current(&self) -> Vec<Reading> {
        self.history.last().cloned().unwrap_or_default()
    }

    /// The number of commits.
    pub(super) fn commits(&self) -> usize {
        self.history.len() - 1
    }

    /// Lets the recognizer read a reading.
    pub(super) fn load(&mut self, reading: Reading) {
        let (mut old, mut path) = (self.loaded, vec![reading]);
        while let Some(&next) = path.last()
            && next != old
        {
            // Pieces come after those before them.
            if old > next { old = self.pieces[old].before } else { path.push(self.pieces[next].before) }
        }
        self.recognizer.truncate(self.pieces[old].end);
        for piece in path.into_iter().rev().skip(1) {
            for &unit in &self.pieces[piece].units {
                self.recognizer.push(unit);
            }
        }
        self.loaded = reading;
    }

    /// Reads one more token in all these ways; false, and nothing changes, if none of them is viable and can be completed.
    pub(super) fn commit(
        &mut self,
        ways: &[Vec<Unit>],
        is_completed: impl Fn(&mut dyn Recognizer) -> bool,
    ) -> bool {
        let mut next = Vec::new();
        for reading in self.current() {
            for units in ways {
                self.load(reading);
                let base = self.recognizer.len();
                let viable = units.iter().all(|&unit| self.recognizer.push(unit))
                    && is_completed(self.recognizer.as_mut());
                if viable {
                    let end = self.recognizer.len();
                    self.loaded = self.pieces.len();
                    next.push(self.loaded);
                    self.pieces.push(Piece { before: reading, units: units.clone(), end });
                } else {
                    self.recognizer.truncate(base);
                }
            }
        }
        let viable = !next.is_empty();
        if viable {
            self.history.push(next);
        }
        viable
    }

    /// A commit that adds nothing.
    pub(super) fn stay(&mut self) {
        self.history.push(self.current());
    }

    /// Takes back commits; false if there were not so many.
    pub(super) fn rollback(&mut self, commits: usize) -> bool {
        let Some(left) = self.commits().checked_sub(commits) else { return false };
        self.history.truncate(left + 1);
        if let Some(&reading) = self.history[left].first() {
            self.load(reading);
        }
        true
    }
}
