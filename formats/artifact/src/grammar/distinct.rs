//! Lists whose items differ: what the runtime has to know about the memory of texts.
//!
//! An item of such a list is one lexeme, of a terminal that is used for nothing else, or the lexemes from one that begins an item to one that ends it. A head of the
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
    /// An item of several lexemes begins with it.
    Begins,
    /// An item of several lexemes ends with it: its text is remembered, and differs from those of the items before it.
    Ends,
    /// It is a scalar within an item of several lexemes. As other terminals, it ends lists within this item.
    Part,
    /// What lies before it in the innermost item is forgotten.
    Other,
}

/// The lists whose items differ.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distinct<'a> {
    items: &'a [U32],
    between: &'a [U32],
    branching: &'a [U32],
    crossing: &'a [U32],
    begins: &'a [U32],
    ends: &'a [U32],
    parts: &'a [U32],
}

/// Words in front of the parts of the section: their lengths.
const LENGTHS: usize = 4;
/// The same where items have several lexemes.
const NESTED_LENGTHS: usize = 7;

impl<'a> Distinct<'a> {
    /// Reads the section.
    pub(super) fn read(container: &Container<'a>, is_nested: bool) -> Result<Self, ArtifactError> {
        let (bytes, _) = container.stored(&DISTINCT)?;
        let problem = "the parts are not as long as the section says";
        let malformed = ArtifactError::MalformedTable { table: DISTINCT.name, index: 0, problem };
        Self::split(wire::words(bytes).unwrap_or_default(), is_nested).ok_or(malformed)
    }

    fn split(words: &'a [U32], is_nested: bool) -> Option<Self> {
        let parts = if is_nested { NESTED_LENGTHS } else { LENGTHS };
        let (lengths, mut rest) = words.split_at_checked(parts)?;
        let mut part = |index: usize| {
            let length = lengths.get(index).map_or(0, |length| length.get() as usize);
            let (part, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(part)
        };
        let all = Self {
            items: part(0)?,
            between: part(1)?,
            branching: part(2)?,
            crossing: part(3)?,
            begins: part(4)?,
            ends: part(5)?,
            parts: part(6)?,
        };
        rest.is_empty().then_some(all)
    }

    /// Whether there are no such lists.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty() && self.begins.is_empty()
    }

    /// Whether items may have several lexemes.
    #[must_use]
    #[inline]
    pub const fn is_nested(&self) -> bool {
        !self.begins.is_empty()
    }

    /// What a terminal does to the memory.
    #[must_use]
    pub fn role(&self, terminal: Terminal) -> Role {
        let is_in = |list: &[U32]| list.binary_search_by_key(&terminal.0, |word| word.get()).is_ok();
        if is_in(self.items) {
            Role::Item
        } else if is_in(self.between) {
            Role::Between
        } else if is_in(self.parts) {
            Role::Part
        } else if is_in(self.begins) {
            Role::Begins
        } else if is_in(self.ends) {
            Role::Ends
        } else {
            Role::Other
        }
    }

    /// Whether, for every item or part of an item that the lexeme can still become, two bytes or more lead to states of which the same holds: so it has at least 2^n texts of
    /// which the first n bytes differ. The state is not a counted one.
    #[must_use]
    pub fn branches(&self, state: LexState) -> bool {
        let word = self.branching.get(state.index() / 32);
        word.is_some_and(|word| word.get() >> (state.0 % 32) & 1 == 1)
    }

    /// The tokens with the end of an item, what stands between two items, and an item of which few begin so: whole, or as far as it goes; and those in which an
    /// item of several lexemes begins behind what stands between two items. Ascending.
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
        for list in [self.begins, self.ends, self.parts] {
            check(list, terminals, "the lexemes of items are no terminals, or do not ascend")?;
        }
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
    /// The terminals with which items of several lexemes begin, ascending.
    pub begins: Vec<u32>,
    /// The terminals with which they end, ascending.
    pub ends: Vec<u32>,
    /// The scalars within them, ascending.
    pub parts: Vec<u32>,
}

#[cfg(feature = "write")]
impl DistinctTables {
    /// Whether items may have several lexemes.
    pub(super) fn is_nested(&self) -> bool {
        !self.begins.is_empty()
    }

    /// The section.
    pub(super) fn words(&self) -> Vec<u32> {
        let parts = [
            &self.items,
            &self.between,
            &self.branching,
            &self.crossing,
            &self.begins,
            &self.ends,
            &self.parts,
        ];
        let parts = if self.is_nested() { &parts[..] } else { &parts[..LENGTHS] };
        let lengths = parts.iter().map(|part| part.len() as u32);
        lengths.chain(parts.iter().flat_map(|part| part.iter().copied())).collect()
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
        let distinct = Distinct::split(&section, false).unwrap();
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
            assert!(Distinct::split(&words(section), false).is_none(), "{section:?}");
            assert!(Distinct::split(&words(section), true).is_none(), "{section:?}");
        }
    }

    #[test]
    fn items_of_several_lexemes_have_three_more_parts() {
        let tables =
            DistinctTables { begins: vec![1], ends: vec![2, 3], parts: vec![4], ..Default::default() };
        let section = words(&tables.words());
        let distinct = Distinct::split(&section, true).unwrap();
        assert!(distinct.is_nested() && !distinct.is_empty());
        let roles = [0, 1, 2, 3, 4].map(|terminal| distinct.role(Terminal(terminal)));
        assert_eq!(roles, [Role::Other, Role::Begins, Role::Ends, Role::Ends, Role::Part]);
        assert!(distinct.validate(5, 0).is_ok() && distinct.validate(4, 0).is_err());
    }
}
