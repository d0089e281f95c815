//! Events while an output is written: which JSON values began, grew or ended with each commit ([`Events`]), or which rules of a grammar ([`RuleEvents`]).
//!
//! ```text
//! bytes of a commit ──tracker──▶ places of values ──▶ events: JSON Pointer, type, text so far
//! ```
//! The text is read byte by byte, whatever its tokens are. Before the first value, between values and after the last there may be other text: with a
//! marker, such as `<tool_call>`, a value begins after each marker, and without one wherever a value can begin.
//! Commits can be taken back: the events after that are those of a text that was never written otherwise.

mod kinds;
mod rules;
mod string;
mod tracker;

use string::decoded;
pub(crate) use tracker::segment;
use tracker::{Change, Tracker};

pub use kinds::{Happened, ValueType};
pub use rules::{RuleEvent, RuleEvents};
use serde::de::IgnoredAny;

/// Something that happened to a value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What happened.
    pub happened: Happened,
    /// The number of the value that is not inside another one, from 0.
    pub document: usize,
    /// The JSON Pointer of the value within it.
    pub pointer: String,
    /// Its type.
    pub kind: ValueType,
    /// Its text so far: of strings the characters that are certain, otherwise what was written. Empty when a value begins.
    pub text: String,
}

/// Reads an output as it is written, and tells what happens to its JSON values.
#[derive(Clone, Debug)]
pub struct Events {
    text: Vec<u8>,
    tracker: Tracker,
    /// The length of the text and the tracker before each commit.
    before: Vec<(usize, Tracker)>,
}

impl Events {
    /// At the beginning of an output. With a marker that is not empty, values begin only after a marker.
    #[must_use]
    pub fn new(marker: &[u8]) -> Self {
        Self { text: Vec::new(), tracker: Tracker::new(marker), before: Vec::new() }
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The number of commits that can be taken back: all.
    #[must_use]
    pub fn commits(&self) -> usize {
        self.before.len()
    }

    /// The JSON Pointer of the innermost value that has begun and not ended, or that the next byte begins or continues; none outside of values.
    #[must_use]
    pub fn pointer(&self) -> Option<String> {
        self.tracker.pointer()
    }

    /// The same if white space follows: a number ends before it.
    pub(crate) fn pointer_behind_space(&self) -> Option<String> {
        let mut tracker = self.tracker.clone();
        tracker.read(b' ', self.text.len(), &mut Vec::new());
        tracker.pointer()
    }

    /// Reads the bytes of a commit, and tells what happened.
    pub fn commit(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.before.push((self.text.len(), self.tracker.clone()));
        self.text.extend_from_slice(bytes);
        let start = self.text.len() - bytes.len();
        let mut changes = Vec::new();
        for (index, &byte) in bytes.iter().enumerate() {
            self.tracker.read(byte, start + index, &mut changes);
        }
        let growth = self.tracker.growth(self.text.len());
        changes.extend(growth.filter(|grown| self.has_grown(grown, start)));
        self.events(changes)
    }

    /// The output ends here: a number that is not followed by anything ends, unless it was cut off, as `1.` is. The text may continue all the same.
    #[must_use]
    pub fn end(&self) -> Vec<Event> {
        let mut changes = Vec::new();
        self.tracker.clone().read(b' ', self.text.len(), &mut changes);
        let mut events = self.events(changes);
        events.retain(|event| serde_json::from_str::<IgnoredAny>(&event.text).is_ok());
        events
    }

    /// Takes back commits.
    ///
    /// # Errors
    /// There are fewer commits; then nothing changes. The error is their number.
    pub fn rollback(&mut self, count: usize) -> Result<(), usize> {
        let left = self.before.len().checked_sub(count).ok_or(self.before.len())?;
        if let Some((length, tracker)) = self.before.drain(left..).next() {
            self.text.truncate(length);
            self.tracker = tracker;
        }
        Ok(())
    }

    /// Whether the text of a value is longer than at an offset.
    fn has_grown(&self, Change { kind, range, .. }: &Change, since: usize) -> bool {
        let before = since.max(range.start);
        match kind {
            ValueType::String => {
                let first = range.start + 1;
                decoded(&self.text[first..before.max(first)]).len()
                    < decoded(&self.text[first..range.end]).len()
            }
            _ => before < range.end,
        }
    }

    fn events(&self, changes: Vec<Change>) -> Vec<Event> {
        let event = |Change { happened, document, pointer, kind, range }: Change| {
            let text = match (happened, kind) {
                (Happened::Began, _) => String::new(),
                (_, ValueType::String) => decoded(&self.text[range.start + 1..range.end]),
                _ => String::from_utf8_lossy(&self.text[range]).into_owned(),
            };
            Event { happened, document, pointer, kind, text }
        };
        changes.into_iter().map(event).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of commits, as `what pointer type text`.
    fn told(events: &[Event]) -> Vec<String> {
        let told = |Event { happened, document, pointer, kind, text }: &Event| {
            format!("{document} {} {pointer} {} {text}", happened.as_str(), kind.as_str())
        };
        events.iter().map(told).collect()
    }

    fn commits(events: &mut Events, commits: &[&str]) -> Vec<String> {
        commits.iter().flat_map(|commit| told(&events.commit(commit.as_bytes()))).collect()
    }

    #[test]
    fn values_begin_grow_and_end() {
        let mut events = Events::new(b"");
        let told =
            commits(&mut events, &["{\"a/~\": [1", "2, tr", "ue, null], \"b\": \"x", "\\", "n\"", "}"]);
        assert_eq!(
            told,
            [
                "0 began  object ",
                "0 began /a~1~0 array ",
                "0 began /a~1~0/0 number ",
                "0 grew /a~1~0/0 number 1",
                "0 ended /a~1~0/0 number 12",
                "0 began /a~1~0/1 boolean ",
                "0 grew /a~1~0/1 boolean tr",
                "0 ended /a~1~0/1 boolean true",
                "0 began /a~1~0/2 null ",
                "0 ended /a~1~0/2 null null",
                "0 ended /a~1~0 array [12, true, null]",
                "0 began /b string ",
                "0 grew /b string x",
                "0 ended /b string x\n",
                "0 ended  object {\"a/~\": [12, true, null], \"b\": \"x\\n\"}",
            ]
        );
    }

    #[test]
    fn values_come_after_markers() {
        let mut events = Events::new(b"<<a>");
        let told = commits(&mut events, &["no 1 <<<a> 5 <<", "a>[] 3"]);
        assert_eq!(told, ["0 began  number ", "0 ended  number 5", "1 began  array ", "1 ended  array []"]);
        assert!(events.end().is_empty());
    }

    #[test]
    fn numbers_end_with_the_output() {
        let mut events = Events::new(b"");
        assert_eq!(commits(&mut events, &["-1"]), ["0 began  number ", "0 grew  number -1"]);
        assert_eq!(told(&events.end()), ["0 ended  number -1"]);
        assert_eq!(commits(&mut events, &["0"]), ["0 grew  number -10"]);
    }

    #[test]
    fn what_was_cut_off_does_not_end() {
        for text in ["-", "1.", "1e", "1e+", "n", "[tr", "\"a", "{\"a\":-", "[1, [2."] {
            let mut events = Events::new(b"");
            let _ = events.commit(text.as_bytes());
            assert_eq!(told(&events.end()), [""; 0], "{text}");
        }
        let mut events = Events::new(b"");
        let _ = events.commit(b"1e999");
        assert_eq!(told(&events.end()), ["0 ended  number 1e999"]);
    }

    /// After a rollback, everything is as if what was taken back had never been written, at every place of a text.
    #[test]
    fn what_is_taken_back_leaves_no_trace() {
        let text = r#" {"k\u00e9\"": {"a": [], "b": [[1.5e3, -2], {}]}, "s": "\ud83d\ude00 \\", "t": [true, false, null, "é"]} "#.as_bytes();
        for length in 1..4 {
            let commits: Vec<&[u8]> = text.chunks(length).collect();
            let mut plain = Events::new(b"");
            let mut wandering = Events::new(b"");
            for (index, commit) in commits.iter().enumerate() {
                let detour = commits.iter().rev().take(index % 5);
                let taken = detour.map(|commit| wandering.commit(commit)).count();
                assert_eq!(wandering.rollback(taken), Ok(()));
                assert_eq!(wandering.commit(commit), plain.commit(commit));
                assert_eq!((wandering.pointer(), wandering.text()), (plain.pointer(), plain.text()));
            }
            assert_eq!(wandering.rollback(commits.len() + 1), Err(commits.len()));
        }
    }
}
