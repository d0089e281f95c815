//! Lists of heads, in the temporaries or in an entry of the history.
//!
//! A head is one reading of the text so far: a lexer state and the top of a parser stack. A list is stored as
//! pairs of words, with a word more if lexemes have ages, and two more if the text is remembered, and referred to by [`Heads`]. New lists are built at the bottom of the temporaries, head by
//! head.

use gcc_grammar_artifact::ids::LexState;

use super::items::Memory;
use super::regions::{HEAD, Scratch};
use super::stack::Node;
use crate::error::Error;

/// A lexer state with the top of a parser stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) lex: LexState,
    pub(crate) node: Node,
    /// The number of tokens that began in the current lexeme, if the grammar has limits on them and this one may have such a limit; else 0.
    pub(crate) age: u32,
    /// Where the current lexeme began in the text, if that is remembered; else 0.
    pub(crate) start: u32,
    /// The items of the list that is being read, if they are remembered.
    pub(crate) memory: Memory,
}

/// A list of heads in the scratch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Heads {
    /// The address of the first head.
    pub(super) start: usize,
    pub(crate) count: usize,
}

impl Scratch<'_> {
    #[inline]
    pub(crate) fn head(&self, heads: Heads, index: usize) -> Head {
        let address = heads.start + self.head_words * index;
        let (mut age, mut start, mut memory) = (0, 0, None);
        if self.head_words > HEAD {
            age = if self.has_ages() { self.words[address + HEAD] } else { 0 };
            if self.has_text() {
                start = self.words[address + self.head_words - 2];
                memory = Node::from_link(self.words[address + self.head_words - 1]);
            }
        }
        Head { lex: LexState(self.words[address]), node: Node(self.words[address + 1]), age, start, memory }
    }

    pub(crate) fn set_head(&mut self, heads: Heads, index: usize, head: Head) {
        let address = heads.start + self.head_words * index;
        self.words[address] = head.lex.0;
        self.words[address + 1] = head.node.0;
        if self.has_ages() {
            self.words[address + HEAD] = head.age;
        }
        if self.has_text() {
            self.words[address + self.head_words - 2] = head.start;
            self.words[address + self.head_words - 1] = link(head.memory);
        }
    }

    /// The list of so many heads at an address.
    pub(crate) const fn heads_at(&self, start: usize, count: usize) -> Heads {
        Heads { start, count }
    }

    /// The first heads of a list.
    pub(crate) const fn first_heads(&self, heads: Heads, count: usize) -> Heads {
        Heads { start: heads.start, count }
    }

    /// One head of a list, as a list.
    pub(crate) const fn only(&self, heads: Heads, index: usize) -> Heads {
        Heads { start: heads.start + self.head_words * index, count: 1 }
    }

    /// An empty list at the bottom of the temporaries.
    pub(crate) const fn empty_heads(&self) -> Heads {
        Heads { start: self.bottom, count: 0 }
    }

    /// Adds a head to the list at the bottom of the temporaries. Its lexer state must be known.
    pub(crate) fn push_head(&mut self, heads: &mut Heads, head: Head) -> Result<(), Error> {
        debug_assert_eq!(heads.start, self.bottom);
        if head.lex == LexState::UNKNOWN {
            return Err(Error::MaskOverLimit);
        }
        if self.has_text() {
            self.push(link(head.memory))?;
            self.push(head.start)?;
        }
        if self.has_ages() {
            self.push(head.age)?;
        }
        self.push(head.node.0)?;
        self.push(head.lex.0)?;
        *heads = Heads { start: self.bottom, count: heads.count + 1 };
        Ok(())
    }

    /// Drops all temporaries but the list at their bottom.
    pub(crate) fn keep_heads(&mut self, heads: Heads) -> Heads {
        debug_assert_eq!(heads.start, self.bottom);
        self.slide(heads.count * self.head_words, self.history);
        Heads { start: self.bottom, count: heads.count }
    }

    /// Replaces all temporaries by a list of one head.
    pub(crate) fn keep_head(&mut self, head: Head) -> Result<Heads, Error> {
        self.drop_temporaries();
        let mut heads = self.empty_heads();
        self.push_head(&mut heads, head)?;
        Ok(heads)
    }

    /// Shortens the list, which is the only temporary, to its first `count` heads.
    pub(crate) fn truncate_heads(&mut self, heads: Heads, count: usize) -> Heads {
        let len = count * self.head_words;
        self.words.copy_within(heads.start..heads.start + len, self.history - len);
        self.bottom = self.history - len;
        Heads { start: self.bottom, count }
    }
}

/// A memory as it is stored.
fn link(memory: Memory) -> u32 {
    memory.map_or(Node::NONE, |item| item.0)
}
