//! Lists whose items differ: what the runtime has to know about the memory of texts.
//!
//! An item of such a list is one lexeme, of a terminal that is used for nothing else. A head of the
//! runtime remembers where the items of the list that is being read lie in the text ([`Role`]), and refuses an item whose text is that of
//! an earlier one. The masks of the file are those of the grammar without this condition; what has to be taken out of them
//! follows from the texts and from the two tables here.

use super::meta::DISTINCT;
use crate::container::Container;
use crate::error::ArtifactError;
use crate::ids::{LexState, Terminal, TokenId};
use crate::wire::{self, U32};

/// What a terminal does to the memory of the list that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is an item: its text is remembered, and differs from those of the items before it.
    Item,
    /// It stands between two items: the memory goes on behind it.
    Between,
    /// What lies before it is forgotten.
    Other,
}

/// The lists whose items differ.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distinct<'a> {
    items: &'a [U32],
    between: &'a [U32],
    branching: &'a [U32],
    crossing: &'a [U32],
}

/// Words in front of the parts of the section: their lengths.
const LENGTHS: usize = 4;

impl<'a> Distinct<'a> {
    /// Reads the section.
    pub(super) fn read(container: &Container<'a>) -> Result<Self, ArtifactError> {
        let (bytes, _) = container.stored(&DISTINCT)?;
        let problem = "the parts are not as long as the section says";
        let malformed = ArtifactError::MalformedTable { table: DISTINCT.name, index: 0, problem };
        Self::split(wire::words(bytes).unwrap_or_default()).ok_or(malformed)
    }

    fn split(words: &'a [U32]) -> Option<Self> {
        let (lengths, mut rest) = words.split_first_chunk::<LENGTHS>()?;
        let mut part = |length: U32| {
            let (part, after) = rest.split_at_checked(length.get() as usize)?;
            rest = after;
            Some(part)
        };
        let [items, between, branching, crossing] = lengths.map(&mut part);
        let all = Self { items: items?, between: between?, branching: branching?, crossing: crossing? };
        rest.is_empty().then_some(all)
    }

    /// Whether there are no such lists.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What a terminal does to the memory.
    #[must_use]
    pub fn role(&self, terminal: Terminal) -> Role {
        let is_in = |list: &[U32]| list.binary_search_by_key(&terminal.0, |word| word.get()).is_ok();
        if is_in(self.items) {
            Role::Item
        } else if is_in(self.between) {
            Role::Between
        } else {
            Role::Other
        }
    }

    /// Whether, for every item that the lexeme can still become, two bytes or more lead to states of which the same holds: so it has at least 2^n texts of
    /// which the first n bytes differ. The state is not a counted one.
    #[must_use]
    pub fn branches(&self, state: LexState) -> bool {
        let word = self.branching.get(state.index() / 32);
        word.is_some_and(|word| word.get() >> (state.0 % 32) & 1 == 1)
    }

    /// The tokens with the end of an item, what stands between two items, and an item of which few begin so: whole, or as far as it goes. Ascending.
    pub fn crossing(&self) -> impl ExactSizeIterator<Item = TokenId> + use<'a> {
        self.crossing.iter().map(|token| TokenId(token.get()))
    }

    /// Checks that terminals and tokens are in range, and that they ascend.
    pub(super) fn validate(&self, terminals: u32, tokens: u32) -> Result<(), ArtifactError> {
        let check = |list: &[U32], end: u32, problem| {
            let is_sorted = list.is_sorted_by(|a, b| a.get() < b.get());
            if is_sorted && list.last().is_none_or(|last| last.get() < end) {
                return Ok(());
            }
            Err(ArtifactError::MalformedTable { table: DISTINCT.name, index: LENGTHS, problem })
        };
        check(self.items, terminals, "the items are no terminals, or do not ascend")?;
        check(self.between, terminals, "what stands between items is no terminal, or does not ascend")?;
        check(self.crossing, tokens, "the tokens are no tokens, or do not ascend")
    }
}

/// The tables of lists whose items differ, for the writer.
#[cfg(feature = "write")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistinctTables {
    /// The terminals of items, ascending.
    pub items: Vec<u32>,
    /// The terminals that stand between items, ascending.
    pub between: Vec<u32>,
    /// A bit for each lexer state ([`Distinct::branches`]).
    pub branching: Vec<u32>,
    /// Tokens, ascending ([`Distinct::crossing`]).
    pub crossing: Vec<u32>,
}

#[cfg(feature = "write")]
impl DistinctTables {
    /// The section.
    pub(super) fn words(&self) -> Vec<u32> {
        let parts = [&self.items, &self.between, &self.branching, &self.crossing];
        let lengths = parts.map(|part| part.len() as u32);
        lengths.into_iter().chain(parts.into_iter().flatten().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<U32> {
        words.iter().map(|&word| U32::new(word)).collect()
    }

    #[test]
    fn parts_are_split_by_their_lengths() {
        let section = words(&[2, 1, 1, 1, 3, 5, 4, 0b10, 77]);
        let distinct = Distinct::split(&section).unwrap();
        assert_eq!(distinct.role(Terminal(5)), Role::Item);
        assert_eq!(distinct.role(Terminal(4)), Role::Between);
        assert_eq!(distinct.role(Terminal(6)), Role::Other);
        assert!(distinct.branches(LexState(1)) && !distinct.branches(LexState(32)));
        assert_eq!(distinct.crossing().collect::<Vec<_>>(), [TokenId(77)]);
        assert!(distinct.validate(6, 78).is_ok());
        assert!(distinct.validate(5, 78).is_err() && distinct.validate(6, 77).is_err());
    }

    #[test]
    fn parts_that_are_too_long_are_refused() {
        for section in [&[][..], &[1, 0, 0], &[1, 0, 0, 0], &[u32::MAX, 0, 0, 0, 1], &[0, 0, 0, 0, 9]] {
            assert!(Distinct::split(&words(section)).is_none(), "{section:?}");
        }
    }
}
