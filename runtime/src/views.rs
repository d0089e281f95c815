//! A view of the heads of a matcher, for traces and diagnostics.

use gcc_grammar_artifact::ids::{LexState, LrState};

use crate::matcher::Matcher;
use crate::scratch::{Node, Scratch};

/// A head: one reading of the text so far.
#[derive(Clone, Debug)]
pub struct HeadView<'m, 's> {
    /// The lexer state.
    pub lexer: LexState,
    /// The parser stack, top first.
    pub stack: Stack<'m, 's>,
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
            HeadView { lexer: head.lex, stack: Stack { scratch: &self.scratch, next: Some(head.node) } }
        })
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
