//! Reads JSON byte by byte, and knows in which value it is.
//!
//! The grammar guarantees that values are JSON. Where they are not, reading continues as well as it can.

use super::kinds::{Happened, ValueType};
use super::string::decoded;
use std::ops::Range;
use std::sync::Arc;

/// Something that happened to the value whose text is in a range.
pub(super) struct Change {
    pub(super) happened: Happened,
    pub(super) document: usize,
    pub(super) pointer: String,
    pub(super) kind: ValueType,
    pub(super) range: Range<usize>,
}

/// A container that has begun, or a place in it.
#[derive(Debug)]
struct Container {
    start: usize,
    kind: ValueType,
    /// Its own place in the container around it.
    step: Step,
    around: Option<Arc<Container>>,
}

/// The place of a value in its container.
#[derive(Clone, Debug)]
enum Step {
    /// It is not in a container.
    Root,
    Key(Arc<str>),
    Index(usize),
}

/// What is read next.
#[derive(Clone, Debug)]
enum Mode {
    /// Text outside of values, with the number of bytes of the marker that were read.
    Outside(usize),
    /// A value, or the end of an empty array.
    Value,
    /// A key, or the end of the object.
    Key,
    /// The rest of a key or a string that began there.
    String { start: usize, is_key: bool, is_escaped: bool },
    /// The rest of a number or a literal that began there.
    Word { start: usize, kind: ValueType },
    /// A colon.
    Colon,
    /// A comma, or the end of the container.
    After,
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    marker: Arc<[u8]>,
    mode: Mode,
    container: Option<Arc<Container>>,
    /// The place of the value that comes or has begun.
    step: Step,
    document: usize,
    /// The bytes of a key.
    key: Vec<u8>,
}

impl Tracker {
    pub(super) fn new(marker: &[u8]) -> Self {
        let mode = Mode::Outside(0);
        Self { marker: marker.into(), mode, container: None, step: Step::Root, document: 0, key: Vec::new() }
    }

    /// The place of the value that comes or has begun, or of the container that continues; none outside of values.
    pub(super) fn pointer(&self) -> Option<String> {
        match self.mode {
            Mode::Outside(_) => None,
            Mode::Value | Mode::String { is_key: false, .. } | Mode::Word { .. } => {
                Some(self.pointer_of(&self.step, self.container.as_ref()))
            }
            Mode::Key | Mode::String { is_key: true, .. } | Mode::Colon | Mode::After => {
                let container = self.container.as_ref()?;
                Some(self.pointer_of(&container.step, container.around.as_ref()))
            }
        }
    }

    fn pointer_of(&self, step: &Step, container: Option<&Arc<Container>>) -> String {
        let mut steps = vec![step];
        let mut container = container;
        while let Some(inner) = container {
            steps.push(&inner.step);
            container = inner.around.as_ref();
        }
        let mut pointer = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Root => {}
                Step::Key(key) => {
                    pointer.push('/');
                    pointer.push_str(&segment(key));
                }
                Step::Index(index) => pointer.push_str(&format!("/{index}")),
            }
        }
        pointer
    }

    /// Reads the byte at an offset.
    pub(super) fn read(&mut self, byte: u8, at: usize, changes: &mut Vec<Change>) {
        match self.mode {
            Mode::Outside(matched) => self.outside(matched, byte, at, changes),
            Mode::String { start, is_key, is_escaped } => {
                self.string(start, is_key, is_escaped, byte, at, changes);
            }
            Mode::Word { start, kind } if is_of_word(byte) => self.mode = Mode::Word { start, kind },
            Mode::Word { start, kind } => {
                self.ended(kind, start..at, changes);
                self.read(byte, at, changes);
            }
            _ if byte.is_ascii_whitespace() => {}
            Mode::Value => self.value(byte, at, changes),
            Mode::Key if byte == b'"' => {
                self.key.clear();
                self.mode = Mode::String { start: at, is_key: true, is_escaped: false };
            }
            Mode::Colon if byte == b':' => self.mode = Mode::Value,
            Mode::Key | Mode::After if matches!(byte, b'}' | b']') => self.close(at, changes),
            Mode::After if byte == b',' => self.next(),
            Mode::Key | Mode::Colon | Mode::After => {}
        }
    }

    /// The value that is not ended at the end of the text, if its text can grow.
    pub(super) fn growth(&self, end: usize) -> Option<Change> {
        let (start, kind) = match self.mode {
            Mode::String { start, is_key: false, .. } => (start, ValueType::String),
            Mode::Word { start, kind } => (start, kind),
            _ => return None,
        };
        Some(self.change(Happened::Grew, kind, start..end))
    }

    fn change(&self, happened: Happened, kind: ValueType, range: Range<usize>) -> Change {
        let pointer = self.pointer_of(&self.step, self.container.as_ref());
        Change { happened, document: self.document, pointer, kind, range }
    }

    fn outside(&mut self, matched: usize, byte: u8, at: usize, changes: &mut Vec<Change>) {
        if self.marker.is_empty() {
            return self.value(byte, at, changes);
        }
        let read = [&self.marker[..matched], &[byte]].concat();
        let matched = (0..=read.len()).rev().find(|&length| read.ends_with(&self.marker[..length]));
        self.mode = match matched.unwrap_or(0) {
            matched if matched == self.marker.len() => Mode::Value,
            matched => Mode::Outside(matched),
        };
    }

    fn value(&mut self, byte: u8, at: usize, changes: &mut Vec<Change>) {
        let kind = match byte {
            b'{' => ValueType::Object,
            b'[' => ValueType::Array,
            b'"' => ValueType::String,
            b'-' | b'0'..=b'9' => ValueType::Number,
            b't' | b'f' => ValueType::Boolean,
            b'n' => ValueType::Null,
            b']' if self.container.is_some() => return self.close(at, changes),
            _ if self.container.is_none() => return self.mode = Mode::Outside(0),
            _ => return,
        };
        changes.push(self.change(Happened::Began, kind, at..at));
        match kind {
            ValueType::Object | ValueType::Array => {
                let around = self.container.take();
                let (step, mode) = match kind {
                    ValueType::Object => (Step::Root, Mode::Key),
                    _ => (Step::Index(0), Mode::Value),
                };
                let step = std::mem::replace(&mut self.step, step);
                self.container = Some(Arc::new(Container { start: at, kind, step, around }));
                self.mode = mode;
            }
            ValueType::String => {
                self.mode = Mode::String { start: at, is_key: false, is_escaped: false };
            }
            _ => self.mode = Mode::Word { start: at, kind },
        }
    }

    fn string(
        &mut self,
        start: usize,
        is_key: bool,
        is_escaped: bool,
        byte: u8,
        at: usize,
        changes: &mut Vec<Change>,
    ) {
        if byte == b'"' && !is_escaped {
            if is_key {
                self.step = Step::Key(decoded(&self.key).into());
                self.mode = Mode::Colon;
            } else {
                self.ended(ValueType::String, start..at + 1, changes);
            }
            return;
        }
        if is_key {
            self.key.push(byte);
        }
        self.mode = Mode::String { start, is_key, is_escaped: byte == b'\\' && !is_escaped };
    }

    /// A value has ended.
    fn ended(&mut self, kind: ValueType, range: Range<usize>, changes: &mut Vec<Change>) {
        changes.push(self.change(Happened::Ended, kind, range));
        self.mode = Mode::After;
        if self.container.is_none() {
            self.document += 1;
            self.mode = Mode::Outside(0);
        }
    }

    /// The container ends.
    fn close(&mut self, at: usize, changes: &mut Vec<Change>) {
        let Some(container) = self.container.take() else { return };
        self.step = container.step.clone();
        self.container.clone_from(&container.around);
        self.ended(container.kind, container.start..at + 1, changes);
    }

    /// The next member of the container follows.
    fn next(&mut self) {
        match &mut self.step {
            Step::Index(index) => {
                *index += 1;
                self.mode = Mode::Value;
            }
            _ => self.mode = Mode::Key,
        }
    }
}

/// Whether a byte continues a number or a literal.
const fn is_of_word(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E')
}

/// A key as a segment of a JSON Pointer.
pub(crate) fn segment(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
