//! Texts that are repeated: what the runtime has to know about terminals whose text is that of an earlier one, such as the name in an end tag.
//!
//! The text of a remembered terminal is kept until a repeated one has the same text, or a forgotten one drops it. Of several, the last one is
//! repeated first. The grammar repeats or drops each remembered text, and nothing else. The masks of the file are those of the grammar without this condition.

use super::meta::SAME;
use crate::container::Container;
use crate::error::ArtifactError;
use crate::ids::{Terminal, TokenId};
use crate::wire::{self, U32};
#[cfg(feature = "write")]
use std::vec::Vec;

/// What a terminal does to the remembered texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameRole {
    /// Its text is remembered.
    Remembered,
    /// Its text is the last remembered one, which is forgotten then.
    Repeated,
    /// The last remembered text is forgotten with it.
    Forgotten,
}

/// The number of parts. In front of them are their lengths.
const PARTS: usize = 5;

/// The terminals with a role, and the tokens that may go on into a repeated text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Same<'a> {
    parts: [&'a [U32]; PARTS],
}

impl<'a> Same<'a> {
    /// Reads the section.
    pub(super) fn read(container: &Container<'a>) -> Result<Self, ArtifactError> {
        let (bytes, _) = container.stored(&SAME)?;
        Self::split(wire::words(bytes).unwrap_or_default())
            .ok_or_else(|| malformed("the parts are not as long as the section says"))
    }

    fn split(words: &'a [U32]) -> Option<Self> {
        let (lengths, mut rest) = words.split_first_chunk::<PARTS>()?;
        let mut parts = [&[][..]; PARTS];
        for (part, length) in parts.iter_mut().zip(lengths) {
            (*part, rest) = rest.split_at_checked(length.get() as usize)?;
        }
        rest.is_empty().then_some(Self { parts })
    }

    /// Whether no text is repeated.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.parts[1].is_empty()
    }

    /// What a terminal does to the remembered texts, if it does something.
    #[must_use]
    pub fn role(&self, terminal: Terminal) -> Option<SameRole> {
        let roles = [SameRole::Remembered, SameRole::Repeated, SameRole::Forgotten];
        roles.into_iter().zip(self.parts).find_map(|(role, part)| has(part, terminal.0).then_some(role))
    }

    /// Whether the text of a terminal is that of an earlier one.
    #[must_use]
    #[inline]
    pub fn is_repeated(&self, terminal: Terminal) -> bool {
        !self.is_empty() && has(self.parts[1], terminal.0)
    }

    /// The terminals whose text is that of an earlier one.
    pub fn repeated(&self) -> impl Iterator<Item = Terminal> + use<'a> {
        self.parts[1].iter().map(|terminal| Terminal(terminal.get()))
    }

    /// Whether a repeated terminal may come directly behind this one.
    #[must_use]
    pub fn is_before(&self, terminal: Terminal) -> bool {
        has(self.parts[3], terminal.0)
    }

    /// The tokens with a whole terminal behind which a repeated one may come, or an ignored one, and more. Ascending.
    pub fn crossing(&self) -> impl ExactSizeIterator<Item = TokenId> + use<'a> {
        self.parts[4].iter().map(|token| TokenId(token.get()))
    }

    /// Checks that terminals and tokens are in range, and that they ascend.
    pub(super) fn validate(&self, terminals: u32, tokens: u32) -> Result<(), ArtifactError> {
        let is_right = |(part, list): (usize, &[U32])| {
            let end = if part + 1 < PARTS { terminals } else { tokens };
            let is_sorted = list.is_sorted_by(|a, b| a.get() < b.get());
            is_sorted && list.last().is_none_or(|last| last.get() < end)
        };
        match self.parts.into_iter().enumerate().all(is_right) {
            true => Ok(()),
            false => Err(malformed("the terminals or tokens are none, or do not ascend")),
        }
    }
}

fn has(ascending: &[U32], number: u32) -> bool {
    ascending.binary_search_by_key(&number, |word| word.get()).is_ok()
}

const fn malformed(problem: &'static str) -> ArtifactError {
    ArtifactError::MalformedTable { table: SAME.name, index: 0, problem }
}

/// The section as a compiler makes it.
#[cfg(feature = "write")]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SameTables {
    /// The terminals whose texts are remembered, ascending.
    pub remembered: Vec<u32>,
    /// Those that repeat them, ascending.
    pub repeated: Vec<u32>,
    /// Those with which they are forgotten, ascending.
    pub forgotten: Vec<u32>,
    /// Those directly behind which a repeated one may come, ascending.
    pub before: Vec<u32>,
    /// The tokens with a whole terminal of these, or an ignored one, and more, ascending.
    pub crossing: Vec<u32>,
}

#[cfg(feature = "write")]
impl SameTables {
    /// The section.
    pub(super) fn words(&self) -> Vec<u32> {
        let parts = [&self.remembered, &self.repeated, &self.forgotten, &self.before, &self.crossing];
        let lengths = parts.iter().map(|part| part.len() as u32);
        lengths.chain(parts.iter().flat_map(|part| part.iter().copied())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn parts_are_split_by_their_lengths() {
        let tables = SameTables {
            remembered: vec![1],
            repeated: vec![2, 3],
            forgotten: vec![],
            before: vec![0],
            crossing: vec![77],
        };
        let words: Vec<U32> = tables.words().into_iter().map(U32::new).collect();
        let same = Same::split(&words).unwrap();
        let roles = [0, 1, 2, 3].map(|terminal| same.role(Terminal(terminal)));
        assert_eq!(
            roles,
            [None, Some(SameRole::Remembered), Some(SameRole::Repeated), Some(SameRole::Repeated)]
        );
        assert!(same.is_before(Terminal(0)) && !same.is_before(Terminal(1)) && !same.is_empty());
        assert_eq!(same.crossing().collect::<Vec<_>>(), [TokenId(77)]);
        assert!(same.validate(4, 78).is_ok());
        assert!(same.validate(3, 78).is_err() && same.validate(4, 77).is_err());
        assert!(Same::split(&words[..words.len() - 1]).is_none() && Same::split(&words[..4]).is_none());
    }
}
