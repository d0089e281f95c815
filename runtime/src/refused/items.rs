//! Masks of lists whose items differ: the tokens after which an item would be one that was there before, or could only become one.
//!
//! The masks of the artifact do not know the texts so far. A token of such a mask can be wrong in two ways only. It goes along a
//! remembered text that begins with what is written of the current item, at least to the end of that text, or to where no other text is left. Or it ends an
//! item and goes on far into the next one; the artifact lists the tokens that do ([`crossing`](gcc_grammar_artifact::grammar::Distinct::crossing)).
//! So the trie of the vocabulary is walked along the remembered texts, [in their order](crate::scratch::Sorted), so that each node is visited once, and the tokens on these paths are tried.
//! Behind the end of a remembered text, no token is tried where the lexeme can only end: all of them are wrong.

use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::Terminal;
use gcc_grammar_artifact::trie::TrieNode;
use gcc_grammar_artifact::{GrammarView, TokenTrie};

use crate::error::Error;
use crate::matcher::Matcher;
use crate::memory::values::Beginning;
use crate::refused::texts::Writing;
use crate::refused::walk::children;
use crate::scratch::{Head, Node, Span};

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
        from: (TokenTrie<'_>, TrieNode),
        last: Node,
        (head, is_only): (Head, bool),
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        self.scratch.sorted(last)?;
        let mut firsts = self.scratch.bytes_behind(Span::EMPTY, last)?;
        if grammar.distinct().is_nested() {
            [b'{', b'['].into_iter().for_each(|bracket| firsts.insert(bracket.into()));
        }
        for terminal in grammar.pending(head.lex) {
            if grammar.distinct().role(terminal) != Role::Between {
                continue;
            }
            let tops = self.scratch.shift(grammar, head.node, terminal)?;
            for cell in tops.clone() {
                let Some(node) = self.scratch.top_at(&tops, cell)? else { continue };
                self.each_end(row, from, Head { node, ..head }, terminal, |matcher, row, at, head, _| {
                    if !children(from.0, at).any(|child| firsts.contains(child.byte.into())) {
                        return Ok(());
                    }
                    matcher.refuse_along(
                        row,
                        (from.0, at),
                        last,
                        Writing { head, written: Span::EMPTY, is_only },
                    )
                })?;
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
        let grammar = self.grammar();
        let may_begin = has_role(grammar, grammar.pending(writing.head.lex), Role::Begins);
        let beginning = Beginning::of(&self.scratch.text, writing.written, !may_begin);
        self.each_part(last, |matcher, items| {
            let texts = matcher.scratch.texts_with(items, writing.written);
            if texts.count > 0 {
                matcher.refuse_along_texts(row, from, texts, writing)?;
            }
            matcher.refuse_along_values(row, from, beginning, items, writing.is_only)
        })
    }
}

/// Whether one of the terminals has a role.
fn has_role(grammar: &GrammarView<'_>, mut terminals: impl Iterator<Item = Terminal>, role: Role) -> bool {
    terminals.any(|terminal| grammar.distinct().role(terminal) == role)
}
