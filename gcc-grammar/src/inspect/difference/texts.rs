//! The texts that lead from pair to pair, as a tree that shares their parts.

use super::alphabet::Symbol;

/// A text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TextId(u32);

#[derive(Clone, Copy)]
enum Text {
    Empty,
    /// A text, and a symbol after it.
    Step(TextId, u16),
    /// A text, and another one after it.
    Joined(TextId, TextId),
}

/// All texts of a search.
pub(super) struct Texts(Vec<Text>);

impl Texts {
    /// The empty text.
    pub(super) const EMPTY: TextId = TextId(0);

    pub(super) fn new() -> Self {
        Self(vec![Text::Empty])
    }

    pub(super) fn step(&mut self, before: TextId, symbol: usize) -> TextId {
        self.add(Text::Step(before, symbol as u16))
    }

    pub(super) fn join(&mut self, before: TextId, after: TextId) -> TextId {
        if after == Self::EMPTY { before } else { self.add(Text::Joined(before, after)) }
    }

    fn add(&mut self, text: Text) -> TextId {
        self.0.push(text);
        TextId(self.0.len() as u32 - 1)
    }

    /// The bytes of a text, and the names of its special tokens.
    pub(super) fn bytes(&self, text: TextId, symbols: &[Symbol]) -> Vec<u8> {
        let (mut open, mut read) = (vec![text], Vec::new());
        while let Some(text) = open.pop() {
            match self.0[text.0 as usize] {
                Text::Empty => {}
                Text::Step(before, symbol) => {
                    read.push(symbol);
                    open.push(before);
                }
                // The text after comes off the top first.
                Text::Joined(before, after) => open.extend([before, after]),
            }
        }
        read.iter().rev().flat_map(|&symbol| symbols[usize::from(symbol)].text.clone()).collect()
    }
}
