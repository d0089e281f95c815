//! A view of the heads of a matcher, for traces and diagnostics.

use gcc_grammar_artifact::ids::{LexState, LrState};

use crate::matcher::Matcher;
use crate::scratch::{Memory, Node, Scratch, Span};

/// A head: one reading of the text so far.
#[derive(Clone, Debug)]
pub struct HeadView<'m, 's> {
    /// The lexer state.
    pub lexer: LexState,
    /// The parser stack, top first.
    pub stack: Stack<'m, 's>,
    scratch: &'m Scratch<'s>,
    /// Where the lexeme began, and what is remembered, if anything is.
    start: u32,
    memory: Memory,
}

/// Something that is remembered, by its number from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// An item of the list.
    Item(usize),
    /// A member of the object, by its name.
    Name(usize),
}

/// An iterator over the LR states of a parser stack, top first. Where stacks were merged, it follows one of
/// them.
#[derive(Clone, Debug)]
pub struct Stack<'m, 's> {
    scratch: &'m Scratch<'s>,
    next: Option<Node>,
}

impl<'a, 's> Matcher<'a, 's> {
    /// The heads: all the ways in which the text so far can be read.
    pub fn head_views(&self) -> impl ExactSizeIterator<Item = HeadView<'_, 's>> + use<'_, 'a, 's> {
        let heads = self.scratch.newest();
        (0..heads.count).map(move |index| {
            let head = self.scratch.head(heads, index);
            let (scratch, start, memory) = (&self.scratch, head.start, head.memory);
            HeadView {
                lexer: head.lex,
                stack: Stack { scratch, next: Some(head.node) },
                scratch,
                start,
                memory,
            }
        })
    }
}

impl HeadView<'_, '_> {
    /// What is remembered and equal to what is written, or, if a byte comes next, begins like both together: an item of the list, or a name of the object, in which
    /// the lexeme or an item around it is. Texts are compared byte by byte.
    #[must_use]
    pub fn earlier_like(&self, next: Option<u8>) -> Option<Earlier> {
        let scratch = self.scratch;
        let listed = |memory: Memory| memory.filter(|&item| !scratch.is_open(item) || scratch.is_name(item));
        let chain = core::iter::successors(self.memory, |&item| scratch.item_before(item));
        let around = chain.filter(|&item| scratch.is_open_item(item));
        let around =
            around.map(|open| (scratch.item(open).start, scratch.items_of(scratch.item_before(open))));
        let mut compared = core::iter::once((self.start, listed(self.memory))).chain(around);
        compared.find_map(|(start, last)| self.earlier_in(last, start, next))
    }

    /// The same in a list or an object with the last item or name of it.
    fn earlier_in(&self, last: Memory, start: u32, next: Option<u8>) -> Option<Earlier> {
        let scratch = self.scratch;
        let written = Span { start, end: scratch.text.len() };
        let is_like = |&item: &Node| {
            let text = scratch.item(item);
            let rest =
                text.len().checked_sub(written.len()).filter(|_| scratch.text.begins_with(text, written));
            rest.is_some_and(|rest| match next {
                None => rest == 0,
                Some(next) => rest > 0 && scratch.text.byte(text.start + written.len()) == next,
            })
        };
        let mut listed = core::iter::successors(last, |&item| scratch.listed_before(item));
        let item = listed.find(is_like)?;
        let number = listed.count() + 1;
        Some(if scratch.is_name(item) { Earlier::Name(number) } else { Earlier::Item(number) })
    }
}

impl Iterator for Stack<'_, '_> {
    type Item = LrState;

    fn next(&mut self) -> Option<LrState> {
        let node = self.next?;
        self.next = self.scratch.parent(node);
        Some(self.scratch.lr(node))
    }
}
