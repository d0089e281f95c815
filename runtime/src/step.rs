//! One symbol on all heads: lexer and parser together.
//!
//! A symbol on head `(l, n)` either goes on with the lexeme, or shows that the lexeme ended before it: then each
//! terminal that `l` accepts goes to the parser, and the symbol is the first of the next lexeme. Both may hold.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, SymbolClass, Terminal};

use crate::error::Error;
use crate::scratch::{Head, Heads, Node, Scratch};

impl Scratch<'_> {
    /// Reads one symbol. `heads` may be the newest entry or the only temporary; the result is the only temporary.
    pub(crate) fn step(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        symbol: SymbolClass,
    ) -> Result<Heads, Error> {
        if heads.count == 1 {
            let head = self.head(heads, 0);
            if grammar.accepts(head.lex).len() == 0 {
                return self.stay(grammar, head, symbol);
            }
        }
        let mut next = self.no_heads();
        for index in 0..heads.count {
            let head = self.head(heads, index);
            let kept = grammar.next(head.lex, symbol);
            if kept != LexState::DEAD {
                self.add_head(&mut next, Head { lex: kept, node: head.node })?;
            }
            for terminal in grammar.accepts(head.lex) {
                self.end_lexeme(grammar, &mut next, head, terminal, symbol)?;
            }
        }
        Ok(self.only_heads(next))
    }

    /// Reads one symbol where there is one head, whose lexeme cannot have ended.
    fn stay(&mut self, grammar: &GrammarView<'_>, head: Head, symbol: SymbolClass) -> Result<Heads, Error> {
        let lex = grammar.next(head.lex, symbol);
        if lex == LexState::DEAD {
            self.drop_temporaries();
            return Ok(self.no_heads());
        }
        self.only_head(Head { lex, ..head })
    }

    /// The lexeme of `head` was a `terminal`, and `symbol` is the first of the next one.
    fn end_lexeme(
        &mut self,
        grammar: &GrammarView<'_>,
        next: &mut Heads,
        head: Head,
        terminal: Terminal,
        symbol: SymbolClass,
    ) -> Result<(), Error> {
        let mut start = |scratch: &mut Self, node| {
            let restarted = grammar.restart(head.lex, scratch.lr(node));
            let lex = grammar.next(restarted, symbol);
            if lex == LexState::DEAD {
                Ok(false)
            } else {
                scratch.add_head(next, Head { lex, node }).map(|()| true)
            }
        };
        if terminal == Terminal::IGNORE {
            return start(self, head.node).map(|_| ());
        }
        let before = self.cells();
        let tops = self.shift(grammar, head.node, terminal)?;
        let mut used = false;
        for cell in tops.clone() {
            if let Some(node) = self.top_at(&tops, cell) {
                used |= start(self, node)?;
            }
        }
        if !used {
            self.truncate_cells(before);
        }
        Ok(())
    }

    /// Adds a head; one with the same lexer and LR state is merged with it.
    fn add_head(&mut self, heads: &mut Heads, head: Head) -> Result<(), Error> {
        for index in 0..heads.count {
            let other = self.head(*heads, index);
            if other.lex == head.lex && self.lr(other.node) == self.lr(head.node) {
                let node = self.merge(other.node, head.node)?;
                self.set_head(*heads, index, Head { node, ..other });
                return Ok(());
            }
        }
        self.push_head(heads, head)
    }

    /// Reads an end token: ends the lexemes and shifts the end terminal. The result is the only temporary.
    ///
    /// `at_start` says that there is no lexeme to end.
    pub(crate) fn finish(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        at_start: bool,
    ) -> Result<Heads, Error> {
        let mut next = self.no_heads();
        for index in 0..heads.count {
            let head = self.head(heads, index);
            if at_start {
                self.shift_end(grammar, &mut next, head.node)?;
            }
            for terminal in grammar.accepts(head.lex) {
                self.finish_lexeme(grammar, &mut next, head.node, terminal)?;
            }
        }
        Ok(self.only_heads(next))
    }

    fn finish_lexeme(
        &mut self,
        grammar: &GrammarView<'_>,
        next: &mut Heads,
        node: Node,
        terminal: Terminal,
    ) -> Result<(), Error> {
        if terminal == Terminal::IGNORE {
            return self.shift_end(grammar, next, node);
        }
        let tops = self.shift(grammar, node, terminal)?;
        for cell in tops.clone() {
            if let Some(top) = self.top_at(&tops, cell) {
                self.shift_end(grammar, next, top)?;
            }
        }
        Ok(())
    }

    fn shift_end(&mut self, grammar: &GrammarView<'_>, next: &mut Heads, node: Node) -> Result<(), Error> {
        let tops = self.shift(grammar, node, grammar.end_terminal())?;
        for cell in tops.clone() {
            if let Some(node) = self.top_at(&tops, cell) {
                self.add_head(next, Head { lex: LexState::DEAD, node })?;
            }
        }
        Ok(())
    }

    /// Keeps the heads that are viable; `heads` is the only temporary, and so is the result.
    pub(crate) fn retain_viable(&mut self, grammar: &GrammarView<'_>, heads: Heads) -> Result<Heads, Error> {
        let mut kept = 0;
        for index in 0..heads.count {
            let head = self.head(heads, index);
            if self.is_viable(grammar, head)? {
                self.set_head(heads, kept, head);
                kept += 1;
            }
        }
        Ok(if kept == heads.count { heads } else { self.truncate_heads(heads, kept) })
    }

    /// Whether the lexeme can become a terminal that the parser takes.
    fn is_viable(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        for terminal in grammar.pending(head.lex) {
            if terminal == Terminal::IGNORE || self.can_shift(grammar, head.node, terminal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
