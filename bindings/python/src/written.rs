//! The text of an output, as its matcher has committed it.

use gcc_grammar::Matcher;

/// The bytes of all commits.
#[derive(Clone, Default)]
pub(crate) struct Written {
    text: Vec<u8>,
    /// The length of the text before each commit.
    before: Vec<usize>,
}

impl Written {
    /// The text of a matcher, if that is at the beginning of an output without free text in front.
    pub(crate) fn at_beginning(matcher: &Matcher) -> Option<Self> {
        (matcher.committed() == 0 && !matcher.is_free()).then(Self::default)
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// A commit of bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.before.push(self.text.len());
        self.text.extend_from_slice(bytes);
    }

    /// Takes back the last commits.
    pub(crate) fn rollback(&mut self, count: u64) {
        let left = self.before.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        if let Some(&length) = self.before.get(left) {
            self.text.truncate(length);
            self.before.truncate(left);
        }
    }
}
