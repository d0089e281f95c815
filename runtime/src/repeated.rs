//! Masks of lists whose items differ: the tokens after which an item would be one that was there before, or could only become one.
//!
//! The masks of the artifact do not know the texts so far. A token of such a mask can be wrong in two ways only. It goes along a
//! remembered text that begins with what is written of the current item, at least to the end of that text, or to where no other text is left. Or it ends an
//! item and goes on far into the next one; the artifact lists the tokens that do ([`crossing`](gcc_grammar_artifact::grammar::Distinct::crossing)).
//! So the trie of the vocabulary is walked along the remembered texts, and the tokens on these paths are tried. Behind the end of a remembered text, no token
//! is tried where the lexeme can only end: all of them are wrong.

use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::{LexState, Terminal, TokenId};
use gcc_grammar_artifact::trie::TrieNode;
use gcc_grammar_artifact::{GrammarView, TokenTrie};

use crate::bitmap::{bit, word_of};
use crate::distinct::may_run_out;
use crate::error::Error;
use crate::likeness::Beginning;
use crate::matcher::Matcher;
use crate::scratch::{Head, Node, Signature, Span};
use crate::simulate::Outcome;

/// Tokens with more bytes than this behind the place where a walk begins are tried without a look at them.
pub(crate) const MOST_BYTES: usize = 128;

/// An item that is written along remembered texts.
#[derive(Clone, Copy)]
struct Writing {
    /// The state of the lexeme.
    lex: LexState,
    /// What is written of it.
    written: Span,
    /// The last remembered item of the list, or name of the object.
    last: Node,
    /// Whether there is no other head.
    is_only: bool,
}

impl Matcher<'_, '_> {
    /// Takes the tokens out of a row of the grammar's mask after which an item of a list could not differ from those before it.
    pub(crate) fn refuse_repeated(&mut self, row: &mut [u32]) -> Result<(), Error> {
        if self.grammar().distinct().is_empty() {
            return Ok(());
        }
        for token in self.grammar().distinct().crossing() {
            self.try_in(row, token)?;
        }
        let heads = self.scratch.newest();
        let has_memory = |index| self.scratch.head(heads, index).memory.is_some();
        if !(0..heads.count).any(has_memory) {
            return Ok(());
        }
        let Some(trie) = self.engine().tokens.trie() else { return self.try_all(row) };
        let mut paths = Paths::new(trie);
        self.each_newest_head(|matcher, head, is_only| match head.memory {
            Some(_) => matcher.refuse_of_head(row, &mut paths, head, is_only),
            None => Ok(()),
        })
    }

    /// Does something with each head, and with whether it is the only one. The scratch may be compacted before that is done once more, which moves
    /// what heads refer to.
    pub(crate) fn each_newest_head(
        &mut self,
        mut operation: impl FnMut(&mut Self, Head, bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for index in 0..self.scratch.newest().count {
            self.attempt_and_undo(|matcher| {
                let heads = matcher.scratch.newest();
                let head = matcher.scratch.head(heads, index);
                operation(matcher, head, heads.count == 1)
            })?;
        }
        Ok(())
    }

    /// Tries a token, if the row has it, and takes it out if it cannot be read.
    pub(crate) fn try_in(&mut self, row: &mut [u32], token: TokenId) -> Result<(), Error> {
        let Some(word) = row.get_mut(word_of(token.0)) else { return Ok(()) };
        if *word & bit(token.0) != 0 && !self.is_readable(token)? {
            *word &= !bit(token.0);
        }
        Ok(())
    }

    pub(crate) fn try_tokens(&mut self, row: &mut [u32], tokens: &[u32]) -> Result<(), Error> {
        tokens.iter().try_for_each(|&token| self.try_in(row, TokenId(token)))
    }

    /// Tries all tokens of the row.
    pub(crate) fn try_all(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let width = self.grammar().meta().mask_width;
        (0..width).try_for_each(|token| self.try_in(row, TokenId(token)))
    }

    /// The tokens of a head that remembers items: those of the current item, and those behind the rest of what stands before the next one.
    fn refuse_of_head(
        &mut self,
        row: &mut [u32],
        paths: &mut Paths<'_>,
        head: Head,
        is_only: bool,
    ) -> Result<(), Error> {
        let Some(root) = paths.trie.node(0) else { return Ok(()) };
        let written = Span { start: head.start, end: self.scratch.text.len() };
        let (grammar, items) = (self.grammar(), self.scratch.items_of(head.memory));
        let pends =
            |roles: &[Role]| roles.iter().any(|&role| has_role(grammar, grammar.pending(head.lex), role));
        let along = match pends(&[Role::Name]) {
            true => self.scratch.names_of(head.memory)?,
            false => items.filter(|_| pends(&[Role::Item, Role::Begins, Role::BeginsEndless])),
        };
        let writing = |last| Writing { lex: head.lex, written, last, is_only };
        if let Some(last) = along {
            self.refuse_along(row, paths, root, writing(last))?;
        }
        if pends(&[Role::Between]) {
            let list = match items {
                None => self.scratch.names_of(head.memory)?,
                items => items,
            };
            if let Some(last) = list {
                self.refuse_behind_between(row, paths, root, head, writing(last))?;
            }
        }
        self.refuse_like_open(row, (paths.trie, root), head, is_only)
    }

    /// The tokens that begin with the rest of what stands before the next item: few bytes continue it.
    fn refuse_behind_between(
        &mut self,
        row: &mut [u32],
        paths: &mut Paths<'_>,
        root: TrieNode,
        head: Head,
        writing: Writing,
    ) -> Result<(), Error> {
        let firsts = self.scratch.bytes_behind(Span::EMPTY, writing.last)?;
        // The states of the lexeme along the current path of the trie, by the depth of its nodes.
        let mut path = [LexState::DEAD; MOST_BETWEEN + 1];
        path[0] = head.lex;
        self.refuse_next_item(row, paths, root, head, writing)?;
        let mut number = root.number + 1;
        while let Some(node) = paths.trie.node(number) {
            if node.depth > MOST_BETWEEN {
                return self.try_all(row);
            }
            self.scratch.charge(1)?;
            let symbol = self.grammar().byte_symbol(node.byte);
            let lex = self.grammar().next(path[node.depth.saturating_sub(1)], symbol);
            path[node.depth] = lex;
            if lex == LexState::DEAD {
                number = node.end;
            } else {
                if paths.goes_on(node, &firsts) {
                    self.refuse_next_item(row, paths, node, Head { lex, ..head }, writing)?;
                }
                number = node.number + 1;
            }
        }
        Ok(())
    }

    /// The tokens behind a node of the trie where what stands before the next item has been read.
    fn refuse_next_item(
        &mut self,
        row: &mut [u32],
        paths: &mut Paths<'_>,
        node: TrieNode,
        head: Head,
        writing: Writing,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        for terminal in grammar.accepts(head.lex) {
            if grammar.distinct().role(terminal) != Role::Between {
                continue;
            }
            match self.scratch.simulate(grammar, head.node, terminal) {
                Outcome::Refused => {}
                Outcome::Shifted { target, .. } => {
                    let lex = grammar.restart(head.lex, target);
                    self.refuse_along(row, paths, node, Writing { lex, written: Span::EMPTY, ..writing })?;
                }
                Outcome::Ambiguous | Outcome::Long(_) => {
                    return self.try_tokens(row, paths.trie.tokens_below(node));
                }
            }
        }
        Ok(())
    }

    /// The tokens along all remembered texts that begin with what is written, from a node of the trie on.
    fn refuse_along(
        &mut self,
        row: &mut [u32],
        paths: &mut Paths<'_>,
        from: TrieNode,
        writing: Writing,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        let may_begin = has_role(grammar, grammar.pending(writing.lex), Role::Begins);
        let beginning = Beginning::of(&self.scratch.text, writing.written, !may_begin);
        let mut next = Some(writing.last);
        while let Some(item) = next {
            self.scratch.charge(1)?;
            let text = self.scratch.item(item);
            if Signature::of_tag(self.scratch.tag(item))
                .is_some_and(|signature| signature.least_len() > EMPTY)
            {
                self.refuse_as_value(row, (paths.trie, from), beginning, item, None, writing.is_only)?;
            } else if text.len() > EMPTY && self.scratch.text.is_composite(text) {
                if let Some(rest) = self.scratch.text.behind(writing.written, text) {
                    self.refuse_rest(row, (paths.trie, from), rest, None, writing.is_only)?;
                }
            } else if self.scratch.text.begins_with(text, writing.written) {
                self.refuse_along_one(row, paths, from, writing, text)?;
            }
            next = self.scratch.listed_before(item);
        }
        Ok(())
    }

    fn refuse_along_one(
        &mut self,
        row: &mut [u32],
        paths: &mut Paths<'_>,
        from: TrieNode,
        writing: Writing,
        text: Span,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        let (mut node, mut lex) = (from, writing.lex);
        for (depth, at) in (text.start + writing.written.len()..text.end).enumerate() {
            let byte = self.scratch.text.byte(at);
            self.scratch.charge(1)?;
            let Some(child) = paths.child(node, byte, depth) else { return Ok(()) };
            (node, lex) = (child, grammar.next(lex, grammar.byte_symbol(byte)));
            if lex == LexState::DEAD {
                return Ok(());
            }
            if may_run_out(grammar, lex) {
                self.try_tokens(row, paths.trie.tokens_at(node))?;
            }
        }
        self.refuse_behind(row, paths.trie, node, Writing { lex, ..writing })
    }

    /// The tokens behind the end of a remembered text.
    fn refuse_behind(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        node: TrieNode,
        writing: Writing,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        let mut number = node.number + 1;
        while number < node.end
            && let Some(child) = trie.node(number)
        {
            self.scratch.charge(1)?;
            number = child.end;
            let symbol = grammar.byte_symbol(child.byte);
            let goes_on = grammar.next(writing.lex, symbol) != LexState::DEAD;
            let mut starts = grammar.restarts(writing.lex);
            let ends = starts.any(|start| grammar.next(start, symbol) != LexState::DEAD);
            if ends {
                self.refuse_tokens(row, trie, child, writing.is_only && !goes_on)?;
            }
        }
        Ok(())
    }

    /// Takes the tokens at and below a node out of a row, or tries them.
    pub(crate) fn refuse_tokens(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        node: TrieNode,
        is_certain: bool,
    ) -> Result<(), Error> {
        for tokens in [trie.tokens_at(node), trie.tokens_below(node)] {
            if is_certain { self.remove(row, tokens)? } else { self.try_tokens(row, tokens)? }
        }
        Ok(())
    }

    /// Takes tokens out of a row.
    fn remove(&mut self, row: &mut [u32], tokens: &[u32]) -> Result<(), Error> {
        self.scratch.charge(tokens.len())?;
        for &token in tokens {
            if let Some(word) = row.get_mut(word_of(token)) {
                *word &= !bit(token);
            }
        }
        Ok(())
    }
}

/// Descends the trie along many texts. The children of the nodes at which most of them branch are in tables.
struct Paths<'a> {
    trie: TokenTrie<'a>,
    /// Per depth of the descent: a node, and its child for each byte; 0 if there is none.
    tables: [(usize, [u32; 256]); 2],
}

impl<'a> Paths<'a> {
    const fn new(trie: TokenTrie<'a>) -> Self {
        Self { trie, tables: [(usize::MAX, [0; 256]); 2] }
    }

    /// The children of a node.
    fn children(&self, node: TrieNode) -> impl Iterator<Item = TrieNode> + use<'a> {
        let (trie, mut number) = (self.trie, node.number + 1);
        core::iter::from_fn(move || {
            let child = if number < node.end { trie.node(number) } else { None };
            number = child.map_or(node.end, |child| child.end);
            child
        })
    }

    /// Whether some child has one of these bytes.
    fn goes_on(&self, node: TrieNode, bytes: &[bool; 256]) -> bool {
        self.children(node).any(|child| bytes[usize::from(child.byte)])
    }

    /// The child of a node for a byte.
    fn child(&mut self, node: TrieNode, byte: u8, depth: usize) -> Option<TrieNode> {
        if depth >= self.tables.len() {
            return self
                .children(node)
                .take_while(|child| child.byte <= byte)
                .find(|child| child.byte == byte);
        }
        if self.tables[depth].0 != node.number {
            let mut table = [0; 256];
            self.children(node).for_each(|child| table[usize::from(child.byte)] = child.number as u32);
            self.tables[depth] = (node.number, table);
        }
        match self.tables[depth].1[usize::from(byte)] {
            0 => None,
            number => self.trie.node(number as usize),
        }
    }
}

/// The bytes of an empty array or object, which is one lexeme.
const EMPTY: u32 = 2;

/// What stands between two items has at most this number of bytes in a token, or all tokens are tried.
const MOST_BETWEEN: usize = 64;

/// Whether one of the terminals has a role.
fn has_role(grammar: &GrammarView<'_>, mut terminals: impl Iterator<Item = Terminal>, role: Role) -> bool {
    terminals.any(|terminal| grammar.distinct().role(terminal) == role)
}
