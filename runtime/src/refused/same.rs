//! Masks where texts are repeated: the tokens with which a repeated text could only become another one.
//!
//! The masks of the artifact do not know the texts so far. Where a repeated text is being written, the trie of the vocabulary is walked along what is left of
//! it: all tokens beside this path are wrong, and those that go on behind its end are tried. Where it comes next, so it is behind each place where
//! the lexeme before can end within a token. Tokens with all of that lexeme are listed in the artifact
//! ([`crossing`](gcc_grammar_artifact::grammar::Same::crossing)).

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::ids::{LexState, Terminal, TokenId};
use gcc_grammar_artifact::trie::TrieNode;

use crate::bitmap::{bit, word_of};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::refused::walk::children;
use crate::scratch::{Head, Span};

/// So many ignored lexemes in one token are followed one by one.
const MOST_IGNORED: usize = 4;

/// So many tokens are kept where all others go.
const MOST_KEPT: usize = 256;

/// Tokens that are kept; more than there is room for if the count says so.
struct Kept {
    tokens: [u32; MOST_KEPT],
    count: usize,
}

impl Kept {
    fn add(&mut self, token: u32) {
        if let Some(place) = self.tokens.get_mut(self.count) {
            *place = token;
        }
        self.count += 1;
    }
}

/// What becomes of the tokens at and below a child of the path.
enum Fate {
    /// They go on along the text. Those below are visited by themselves.
    Along,
    /// The text has ended. Those of the grammar's mask may go on behind it if that is certainly right; else they are to be tried.
    Behind { is_right: bool },
    /// They are wrong if that is certain; else they are to be tried.
    Beside { is_certain: bool },
}

/// A place in the trie from which a repeated text is followed.
#[derive(Clone, Copy)]
struct Place {
    node: TrieNode,
    /// The head there, with the state of the lexeme.
    head: Head,
    /// The state of the lexeme before, where that can go on.
    other: LexState,
    is_only: bool,
}

impl Matcher<'_, '_> {
    /// Takes the tokens out of a row of the grammar's mask after which a repeated text could not be that which it repeats.
    pub(crate) fn refuse_unlike(&mut self, row: &mut [u32]) -> Result<(), Error> {
        if self.grammar().same().is_empty() {
            return Ok(());
        }
        for token in self.grammar().same().crossing() {
            self.try_in(row, token)?;
        }
        let Some((trie, root)) = self.engine().tokens.trie().and_then(|trie| Some((trie, trie.node(0)?)))
        else {
            return self.try_all(row);
        };
        self.each_newest_head(|matcher, head, is_only| {
            let place = Place { node: root, head, other: LexState::DEAD, is_only };
            matcher.unlike_of(row, trie, place)
        })
    }

    /// The tokens of a head: those within a repeated text, and those behind the rest of the lexeme before.
    fn unlike_of(&mut self, row: &mut [u32], trie: TokenTrie<'_>, place: Place) -> Result<(), Error> {
        let grammar = self.grammar();
        if self.is_repeating(place.head.lex) {
            let written = self.scratch.text.len() - place.head.start;
            self.unlike_beside(row, trie, place, written)?;
            // They end the lexeme, and have no place in the trie.
            for token in grammar.special_tokens() {
                self.try_in(row, token)?;
            }
        }
        for terminal in grammar.pending(place.head.lex) {
            if terminal == Terminal::IGNORE {
                if self.takes_repeated(place.head)? {
                    self.unlike_behind_ignored(row, trie, place, 0)?;
                }
            } else if grammar.same().is_before(terminal) {
                self.unlike_behind(row, trie, place, terminal)?;
            }
        }
        Ok(())
    }

    /// The tokens behind the rest of a terminal.
    fn unlike_behind(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        place: Place,
        terminal: Terminal,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        if grammar.same().role(terminal).is_some() {
            // Which text is repeated is known only where the terminal has ended.
            return self.try_all(row);
        }
        let tops = self.scratch.shift(grammar, place.head.node, terminal)?;
        for cell in tops.clone() {
            let Some(node) = self.scratch.top_at(&tops, cell)? else { continue };
            let head = Head { node, ..place.head };
            self.each_end(row, (trie, place.node), head, terminal, |matcher, row, node, head, other| {
                let place = Place { node, head, other, ..place };
                matcher.unlike_next(row, trie, place, 0)
            })?;
        }
        Ok(())
    }

    /// The tokens behind the rest of an ignored lexeme.
    fn unlike_behind_ignored(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        place: Place,
        ignored: usize,
    ) -> Result<(), Error> {
        if ignored == MOST_IGNORED {
            return self.refuse_tokens(row, trie, place.node, false);
        }
        let from = (trie, place.node);
        self.each_end(row, from, place.head, Terminal::IGNORE, |matcher, row, node, head, other| {
            matcher.unlike_next(row, trie, Place { node, head, other, ..place }, ignored + 1)
        })
    }

    /// The tokens behind a place where a lexeme begins, which may be a repeated text, or ignored.
    fn unlike_next(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        place: Place,
        ignored: usize,
    ) -> Result<(), Error> {
        if !self.is_repeating(place.head.lex) {
            return Ok(());
        }
        self.unlike_beside(row, trie, place, 0)?;
        match self.grammar().pending(place.head.lex).any(|terminal| terminal == Terminal::IGNORE) {
            true => self.unlike_behind_ignored(row, trie, place, ignored),
            false => Ok(()),
        }
    }

    /// The tokens beside what is left of a repeated text, of which so much has been written at a place.
    fn unlike_beside(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        place: Place,
        written: u32,
    ) -> Result<(), Error> {
        let text = self.scratch.text_to_repeat(place.head.memory).unwrap_or(Span::EMPTY);
        let rest = Span { start: (text.start + written).min(text.end), ..text };
        if self.keep_only(row, trie, place, rest)? {
            return Ok(());
        }
        self.follow(trie, place, rest, |matcher, child, fate| match fate {
            Fate::Along | Fate::Behind { is_right: true } => Ok(()),
            Fate::Behind { is_right: false } => matcher.refuse_tokens(row, trie, child, false),
            Fate::Beside { is_certain } => matcher.refuse_tokens(row, trie, child, is_certain),
        })
    }

    /// Leaves only the tokens along the rest of a repeated text, if every token of the only head is one or goes on behind it.
    fn keep_only(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        place: Place,
        rest: Span,
    ) -> Result<bool, Error> {
        let grammar = self.grammar();
        if !place.is_only || place.node.number != 0 || rest.len() == 0 {
            return Ok(false);
        }
        for child in children(trie, place.node) {
            let symbol = grammar.byte_symbol(child.byte);
            let after = grammar.next(place.head.lex, symbol);
            let elsewhere = grammar.next(place.other, symbol);
            if elsewhere != LexState::DEAD || after != LexState::DEAD && !self.is_only_repeating(after) {
                return Ok(false);
            }
        }
        let mut kept = Kept { tokens: [0; MOST_KEPT], count: 0 };
        let is_in =
            |row: &[u32], token: u32| row.get(word_of(token)).is_some_and(|word| word & bit(token) != 0);
        for token in grammar.special_tokens().filter(|token| is_in(row, token.0)) {
            kept.add(token.0);
        }
        self.follow(trie, place, rest, |matcher, child, fate| {
            let (below, is_right) = match fate {
                Fate::Along => (&[][..], true),
                Fate::Behind { is_right } => (trie.tokens_below(child), is_right),
                Fate::Beside { .. } => return Ok(()),
            };
            for &token in trie.tokens_at(child).iter().chain(below) {
                if is_in(row, token) && (is_right || matcher.is_readable(TokenId(token))?) {
                    kept.add(token);
                }
            }
            Ok(())
        })?;
        let Some(tokens) = kept.tokens.get(..kept.count) else { return Ok(false) };
        row.fill(0);
        tokens.iter().for_each(|&token| row[word_of(token)] |= bit(token));
        Ok(true)
    }

    /// Follows the rest of a repeated text from a place on, and visits the children of all nodes of the path that a repeated text could lead to.
    fn follow(
        &mut self,
        trie: TokenTrie<'_>,
        place: Place,
        mut rest: Span,
        mut visit: impl FnMut(&mut Self, TrieNode, Fate) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        let (mut lex, mut other) = (place.head.lex, place.other);
        // Whether the lexeme may have ended on the way, too.
        let mut has_split = false;
        let mut next = Some(place.node);
        while let Some(node) = next.take() {
            let may_end = self.may_end_repeating(lex);
            for child in children(trie, node) {
                self.scratch.charge(1)?;
                let symbol = grammar.byte_symbol(child.byte);
                let after = grammar.next(lex, symbol);
                let is_alone = place.is_only && grammar.next(other, symbol) == LexState::DEAD;
                let has_ended = after == LexState::DEAD;
                let goes_on = !has_ended && self.is_repeating(after);
                let is_certain = is_alone && (has_ended || self.is_only_repeating(after));
                let fate = match rest.len() {
                    1.. if goes_on && self.scratch.text.byte(rest.start) == child.byte => {
                        next = Some(child);
                        Fate::Along
                    }
                    0 if has_ended => Fate::Behind { is_right: is_alone && !has_split },
                    0 if may_end && self.may_follow(place.head, lex, child.byte)? => {
                        Fate::Behind { is_right: false }
                    }
                    _ if goes_on || may_end => Fate::Beside { is_certain },
                    _ => continue,
                };
                visit(self, child, fate)?;
            }
            if let Some(child) = next {
                let symbol = grammar.byte_symbol(child.byte);
                has_split |= may_end && self.may_follow(place.head, lex, child.byte)?;
                (lex, other) = (grammar.next(lex, symbol), grammar.next(other, symbol));
                rest.start += 1;
            }
        }
        Ok(())
    }

    /// Whether the parser takes a repeated text next.
    fn takes_repeated(&mut self, head: Head) -> Result<bool, Error> {
        let grammar = self.grammar();
        for terminal in grammar.same().repeated() {
            if self.scratch.can_shift(grammar, head.node, terminal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a lexeme in this state may become a repeated text.
    fn is_repeating(&self, lex: LexState) -> bool {
        let grammar = self.grammar();
        grammar.pending(lex).any(|terminal| grammar.same().is_repeated(terminal))
    }

    /// Whether it can become nothing else.
    fn is_only_repeating(&self, lex: LexState) -> bool {
        let grammar = self.grammar();
        grammar.pending(lex).all(|terminal| grammar.same().is_repeated(terminal))
    }

    /// Whether it may have ended as a repeated text.
    fn may_end_repeating(&self, lex: LexState) -> bool {
        let grammar = self.grammar();
        grammar.accepts(lex).any(|terminal| grammar.same().is_repeated(terminal))
    }

    /// Whether a lexeme may begin with a byte behind a repeated text, of a head without it, that ends in this state.
    fn may_follow(&mut self, head: Head, lex: LexState, byte: u8) -> Result<bool, Error> {
        let grammar = self.grammar();
        let symbol = grammar.byte_symbol(byte);
        for terminal in grammar.accepts(lex) {
            let tops = self.scratch.shift(grammar, head.node, terminal)?;
            for cell in tops.clone() {
                let Some(node) = self.scratch.top_at(&tops, cell)? else { continue };
                let start = grammar.restart(lex, self.scratch.lr(node));
                if start != LexState::DEAD && grammar.next(start, symbol) != LexState::DEAD {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
