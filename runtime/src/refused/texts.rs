//! Items of one lexeme: the tokens along remembered texts, and behind their ends.

use gcc_grammar_artifact::ids::{LexState, SymbolClass, Terminal};
use gcc_grammar_artifact::trie::TrieNode;
use gcc_grammar_artifact::{GrammarView, TokenTrie};

use crate::error::Error;
use crate::matcher::Matcher;
use crate::memory::items::{is_item, may_run_out};
use crate::refused::walk::{MOST_BYTES, children};
use crate::scratch::{Head, Node, Sorted, Span};

/// An item that is written along remembered texts.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    /// The head in the item, or in front of it.
    pub(super) head: Head,
    /// What is written of it.
    pub(super) written: Span,
    /// Whether there is no other head.
    pub(super) is_only: bool,
}

impl Matcher<'_, '_> {
    /// The tokens along texts that begin with what is written. Each node of the trie is visited once.
    pub(super) fn refuse_along_texts(
        &mut self,
        row: &mut [u32],
        (trie, from): (TokenTrie<'_>, TrieNode),
        texts: Sorted,
        writing: Writing,
    ) -> Result<(), Error> {
        let written = writing.written.len();
        let mut path = Path::new(from, writing.head.lex);
        let mut ends = Ends::NONE;
        let (mut place, mut before) = (0, None);
        while place < texts.count {
            let text = self.scratch.item(self.scratch.sorted_at(texts, place));
            let start = text.start + written;
            let rest = Span { start, end: text.end.min(start.saturating_add(MOST_BYTES as u32 + 1)) };
            if let Some(before) = before.replace(rest) {
                path.shorten(self.scratch.text.common(before, rest) as usize);
            }
            if self.descend(row, trie, &mut path, rest)? {
                self.refuse_behind(row, trie, path.last(), &mut ends, writing)?;
                place += 1;
            } else {
                let tried = path.depth as u32 + u32::from(!path.is_exhausted(trie));
                let beginning = Span { end: rest.start + tried, ..text };
                place = self.scratch.first_not(texts, place, |scratch, item| {
                    scratch.text.begins_with(scratch.item(item), beginning)
                });
            }
        }
        Ok(())
    }

    /// Goes on along a text, as far as tokens do. Whether they come to its end.
    fn descend(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        path: &mut Path,
        text: Span,
    ) -> Result<bool, Error> {
        let grammar = self.grammar();
        while path.depth < text.len() as usize {
            self.scratch.charge(1)?;
            let byte = self.scratch.text.byte(text.start + path.depth as u32);
            let Some(child) = path.child(trie, byte) else { return Ok(false) };
            let lex = grammar.next(path.last().1, grammar.byte_symbol(byte));
            if lex == LexState::DEAD {
                return Ok(false);
            }
            if !path.push(child, lex) {
                self.refuse_tokens(row, trie, child, false)?;
                return Ok(false);
            }
            if may_run_out(grammar, lex) {
                self.try_tokens(row, trie.tokens_at(child))?;
            }
        }
        Ok(true)
    }

    /// The tokens behind the end of a remembered text.
    fn refuse_behind(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        (node, lex): (usize, LexState),
        ends: &mut Ends,
        writing: Writing,
    ) -> Result<(), Error> {
        let Some(node) = trie.node(node).filter(|node| node.end > node.number + 1) else { return Ok(()) };
        let grammar = self.grammar();
        if ends.lex != lex {
            *ends = self.ends_of(Head { lex, ..writing.head })?;
        }
        for child in children(trie, node) {
            self.scratch.charge(1)?;
            let symbol = grammar.byte_symbol(child.byte);
            if ends.begin_with(grammar, symbol) {
                let goes_on = grammar.next(lex, symbol) != LexState::DEAD;
                self.refuse_tokens(row, trie, child, writing.is_only && ends.are_items && !goes_on)?;
            }
        }
        Ok(())
    }

    /// How lexemes may begin behind that of a head.
    fn ends_of(&mut self, head: Head) -> Result<Ends, Error> {
        let grammar = self.grammar();
        let mut ends = Ends { lex: head.lex, ..Ends::NONE };
        for terminal in grammar.accepts(head.lex) {
            if terminal == Terminal::IGNORE {
                ends.add(grammar.restart(head.lex, self.scratch.lr(head.node)), false);
                continue;
            }
            let is_item = is_item(grammar.distinct().role(terminal));
            let before = self.scratch.cells();
            for cell in self.scratch.shift(grammar, head.node, terminal)? {
                ends.add(grammar.restart(head.lex, self.scratch.lr(Node(cell))), is_item);
            }
            self.scratch.truncate_cells(before);
        }
        Ok(ends)
    }
}

/// A path of the trie along texts in order: nodes, with the states of the lexeme.
struct Path {
    steps: [Step; MOST_BYTES + 1],
    depth: usize,
}

#[derive(Clone, Copy)]
struct Step {
    node: usize,
    /// The child where the next one is looked for. Their bytes ascend, as those of the texts do.
    next: usize,
    lex: LexState,
}

impl Path {
    const fn new(from: TrieNode, lex: LexState) -> Self {
        Self { steps: [Step { node: from.number, next: from.number + 1, lex }; MOST_BYTES + 1], depth: 0 }
    }

    /// The last node, and the state of the lexeme.
    const fn last(&self) -> (usize, LexState) {
        (self.steps[self.depth].node, self.steps[self.depth].lex)
    }

    fn shorten(&mut self, depth: usize) {
        self.depth = self.depth.min(depth);
    }

    /// The child of the last node for a byte.
    fn child(&mut self, trie: TokenTrie<'_>, byte: u8) -> Option<TrieNode> {
        let step = &mut self.steps[self.depth];
        let end = trie.node(step.node)?.end;
        while step.next < end
            && let Some(child) = trie.node(step.next)
        {
            if child.byte >= byte {
                return Some(child).filter(|child| child.byte == byte);
            }
            step.next = child.end;
        }
        None
    }

    /// Whether no further text goes on from the last node.
    fn is_exhausted(&self, trie: TokenTrie<'_>) -> bool {
        let step = self.steps[self.depth];
        trie.node(step.node).is_none_or(|node| step.next >= node.end)
    }

    /// Whether there was room for a further node.
    fn push(&mut self, node: TrieNode, lex: LexState) -> bool {
        let has_room = self.depth < MOST_BYTES;
        if has_room {
            self.depth += 1;
            self.steps[self.depth] = Step { node: node.number, next: node.number + 1, lex };
        }
        has_room
    }
}

/// How lexemes may begin behind one that ends in a state.
#[derive(Clone, Copy)]
struct Ends {
    lex: LexState,
    starts: [LexState; MOST_STARTS],
    count: usize,
    /// Whether all of them are there.
    are_all: bool,
    /// Whether it can only end as an item.
    are_items: bool,
}

/// More states are not told apart.
const MOST_STARTS: usize = 8;

impl Ends {
    const NONE: Self = Self {
        lex: LexState::DEAD,
        starts: [LexState::DEAD; MOST_STARTS],
        count: 0,
        are_all: true,
        are_items: true,
    };

    fn add(&mut self, start: LexState, is_item: bool) {
        self.are_items &= is_item;
        if self.starts[..self.count].contains(&start) {
            return;
        }
        match self.starts.get_mut(self.count) {
            Some(place) => {
                *place = start;
                self.count += 1;
            }
            None => (self.are_all, self.are_items) = (false, false),
        }
    }

    /// Whether a lexeme may begin with a symbol.
    fn begin_with(&self, grammar: &GrammarView<'_>, symbol: SymbolClass) -> bool {
        let begins = |start| grammar.next(start, symbol) != LexState::DEAD;
        match self.are_all {
            true => self.starts[..self.count].iter().any(|&start| begins(start)),
            false => grammar.restarts(self.lex).any(begins),
        }
    }
}
