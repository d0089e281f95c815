//! Masks of lists whose items differ: the tokens after which an item would be one that was there before, or could only become one.
//!
//! The masks of the artifact do not know the texts so far. A token of such a mask can be wrong in two ways only. It goes along a
//! remembered text that begins with what is written of the current item, at least to the end of that text, or to where no other text is left. Or it ends an
//! item and goes on far into the next one; the artifact lists the tokens that do ([`crossing`](gcc_grammar_artifact::grammar::Distinct::crossing)).
//! So the trie of the vocabulary is walked along the remembered texts, [in their order](crate::scratch::Sorted), so that each node is visited once, and the tokens on these paths are tried.
//! Behind the end of a remembered text, no token is tried where the lexeme can only end: all of them are wrong.

use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::{LexState, SymbolClass, Terminal, TokenId};
use gcc_grammar_artifact::trie::TrieNode;
use gcc_grammar_artifact::{GrammarView, TokenTrie};

use crate::bitmap::{bit, word_of};
use crate::distinct::may_run_out;
use crate::error::Error;
use crate::likeness::Beginning;
use crate::matcher::Matcher;
use crate::scratch::{Head, Node, Sorted, Span};

/// Tokens with more bytes than this behind the place where a walk begins are tried without a look at them.
pub(crate) const MOST_BYTES: usize = 128;

/// An item that is written along remembered texts.
#[derive(Clone, Copy)]
struct Writing {
    /// The head in the item, or in front of it.
    head: Head,
    /// What is written of it.
    written: Span,
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
        self.each_newest_head(|matcher, head, is_only| match head.memory {
            Some(_) => matcher.refuse_of_head(row, trie, head, is_only),
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
        trie: TokenTrie<'_>,
        head: Head,
        is_only: bool,
    ) -> Result<(), Error> {
        let Some(root) = trie.node(0) else { return Ok(()) };
        let written = Span { start: head.start, end: self.scratch.text.len() };
        let (grammar, items) = (self.grammar(), self.scratch.items_of(head.memory));
        let pends =
            |roles: &[Role]| roles.iter().any(|&role| has_role(grammar, grammar.pending(head.lex), role));
        let along = match pends(&[Role::Name]) {
            true => self.scratch.names_of(head.memory)?,
            false => items.filter(|_| pends(&[Role::Item, Role::Begins, Role::BeginsEndless])),
        };
        if let Some(last) = along {
            self.refuse_along(row, (trie, root), last, Writing { head, written, is_only })?;
        }
        if pends(&[Role::Between]) {
            let list = match items {
                None => self.scratch.names_of(head.memory)?,
                items => items,
            };
            if let Some(last) = list {
                self.refuse_behind_between(row, (trie, root), last, (head, is_only))?;
            }
        }
        self.refuse_like_open(row, (trie, root), head, is_only)
    }

    /// The tokens that begin with the rest of what stands before the next item: few bytes continue it.
    fn refuse_behind_between(
        &mut self,
        row: &mut [u32],
        (trie, root): (TokenTrie<'_>, TrieNode),
        last: Node,
        (head, is_only): (Head, bool),
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        self.scratch.sorted(last)?;
        let mut firsts = self.scratch.bytes_behind(Span::EMPTY, last)?;
        for bracket in [b'{', b'['] {
            firsts[usize::from(bracket)] |= grammar.distinct().is_nested();
        }
        for terminal in grammar.pending(head.lex) {
            if grammar.distinct().role(terminal) != Role::Between {
                continue;
            }
            let tops = self.scratch.shift(grammar, head.node, terminal)?;
            for cell in tops.clone() {
                let Some(node) = self.scratch.top_at(&tops, cell)? else { continue };
                let mut path = [LexState::DEAD; MOST_BYTES + 1];
                path[0] = head.lex;
                let mut next = Some(root);
                while let Some(at) = next {
                    let lex = path[at.depth];
                    let ends = grammar.accepts(lex).any(|accepted| accepted == terminal);
                    if ends && children(trie, at).any(|child| firsts[usize::from(child.byte)]) {
                        let lex = grammar.restart(lex, self.scratch.lr(node));
                        let head = Head { lex, node, ..head };
                        let writing = Writing { head, written: Span::EMPTY, is_only };
                        self.refuse_along(row, (trie, at), last, writing)?;
                    }
                    next = self.next_in_lexeme(row, trie, at, &mut path)?;
                }
            }
        }
        Ok(())
    }

    /// The tokens along all items of a list that begin with what is written, from a node of the trie on.
    fn refuse_along(
        &mut self,
        row: &mut [u32],
        from: (TokenTrie<'_>, TrieNode),
        last: Node,
        writing: Writing,
    ) -> Result<(), Error> {
        if let Some(items) = self.scratch.sorted(last)? {
            return self.refuse_along_sorted(row, from, items, writing);
        }
        let mut next = Some(last);
        while let Some(item) = next {
            self.scratch.charge(1)?;
            self.refuse_along_sorted(row, from, Sorted::one(item), writing)?;
            next = self.scratch.listed_before(item);
        }
        Ok(())
    }

    fn refuse_along_sorted(
        &mut self,
        row: &mut [u32],
        from: (TokenTrie<'_>, TrieNode),
        items: Sorted,
        writing: Writing,
    ) -> Result<(), Error> {
        let texts = self.scratch.texts_with(items, writing.written);
        if texts.count > 0 {
            self.refuse_along_texts(row, from, texts, writing)?;
        }
        let grammar = self.grammar();
        let may_begin = has_role(grammar, grammar.pending(writing.head.lex), Role::Begins);
        let beginning = Beginning::of(&self.scratch.text, writing.written, !may_begin);
        self.refuse_along_values(row, from, beginning, items, (None, writing.is_only))
    }

    /// The tokens along texts that begin with what is written. Each node of the trie is visited once.
    fn refuse_along_texts(
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
            if let Some(before) = before {
                path.shorten((self.scratch.text.common(before, text) - written) as usize);
            }
            before = Some(text);
            let rest = Span { start: text.start + written, ..text };
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
            let is_item = matches!(grammar.distinct().role(terminal), Role::Item | Role::Name);
            let before = self.scratch.cells();
            for cell in self.scratch.shift(grammar, head.node, terminal)? {
                ends.add(grammar.restart(head.lex, self.scratch.lr(Node(cell))), is_item);
            }
            self.scratch.truncate_cells(before);
        }
        Ok(ends)
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

/// The children of a node.
fn children(trie: TokenTrie<'_>, node: TrieNode) -> impl Iterator<Item = TrieNode> {
    let mut number = node.number + 1;
    core::iter::from_fn(move || {
        let child = if number < node.end { trie.node(number) } else { None };
        number = child.map_or(node.end, |child| child.end);
        child
    })
}

/// Whether one of the terminals has a role.
fn has_role(grammar: &GrammarView<'_>, mut terminals: impl Iterator<Item = Terminal>, role: Role) -> bool {
    terminals.any(|terminal| grammar.distinct().role(terminal) == role)
}
