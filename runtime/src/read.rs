//! Reads tokens and bytes, symbol by symbol.
//!
//! A [`Position`] is a list of heads in the scratch: the newest entry of the history, or the only temporary.
//! Each function takes a position and returns the position after its input, or [`Error::Refused`] if the grammar
//! does not allow the input there. Every head of the result is viable. The functions may leave temporaries
//! and cells behind; callers run them as an [attempt](Matcher::attempt), which cleans up.

use gcc_grammar_artifact::ids::{SymbolClass, TokenId};

use crate::error::Error;
use crate::matcher::{Matcher, Progress};
use crate::scratch::Heads;

/// The heads after the input that an operation has read so far.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) heads: Heads,
    /// Nothing was read since the beginning, so there is no lexeme.
    at_start: bool,
}

impl Position {
    /// The same position over a copy of its heads.
    fn over(self, heads: Heads) -> Self {
        Self { heads, ..self }
    }
}

impl Matcher<'_, '_> {
    /// The position at the newest entry.
    pub(crate) fn position(&self) -> Position {
        Position { heads: self.scratch.newest(), at_start: self.progress.committed == 0 }
    }

    /// Makes the position, which is the only temporary, the newest entry.
    pub(crate) fn push(&mut self, position: Position) -> Result<(), Error> {
        self.scratch.push_entry(position.heads)?;
        let Progress { committed, floor } = &mut self.progress;
        *committed += 1;
        *floor = committed.saturating_sub(u64::from(self.max_rollback)).max(*floor);
        Ok(())
    }

    /// Reads a token.
    pub(crate) fn read_token(&mut self, position: Position, token: TokenId) -> Result<Position, Error> {
        self.as_token(position, |matcher, position| matcher.read_any(position, token))
    }

    /// Reads an input as one token: lexemes that have as many tokens as they may have end behind it.
    pub(crate) fn as_token(
        &mut self,
        position: Position,
        read: impl FnOnce(&mut Self, Position) -> Result<Position, Error>,
    ) -> Result<Position, Error> {
        self.begin_token();
        let after = read(self, position);
        self.scratch.begun = 0;
        let after = after?;
        if !self.scratch.has_ages() {
            return Ok(after);
        }
        Ok(after.over(self.scratch.end_limited(self.grammar(), after.heads)?))
    }

    fn read_any(&mut self, position: Position, token: TokenId) -> Result<Position, Error> {
        let engine = self.engine();
        let bytes = engine.tokens.bytes(token).filter(|bytes| !bytes.is_empty());
        match (engine.grammar.special_symbol(token), bytes) {
            (None, None) => Err(Error::Refused),
            (None, Some(bytes)) => self.read_bytes(position, bytes),
            (Some(symbol), Some(bytes)) if !engine.grammar.is_end(symbol) => {
                self.read_both(position, symbol, bytes)
            }
            (Some(symbol), _) if !engine.grammar.is_end(symbol) && engine.grammar.ends_text(token) => {
                self.end_or_read(position, symbol)
            }
            (Some(symbol), _) => self.read_special(position, symbol),
        }
    }

    /// Reads an end token that literals contain, too: it ends the text where that may end, and is its symbol elsewhere.
    fn end_or_read(&mut self, position: Position, symbol: SymbolClass) -> Result<Position, Error> {
        // The heads are read twice, so they must not be a temporary.
        if position.heads != self.scratch.newest() {
            self.push(position)?;
        }
        let before = self.scratch.newest();
        let ended = self.scratch.finish(self.grammar(), before, position.at_start)?;
        if ended.count > 0 {
            return not_refused(ended);
        }
        self.scratch.drop_temporaries();
        self.read_special(position.over(before), symbol)
    }

    /// Reads an ordinary token that the grammar also matches by id: as its bytes, and as its symbol.
    fn read_both(
        &mut self,
        position: Position,
        symbol: SymbolClass,
        bytes: &[u8],
    ) -> Result<Position, Error> {
        // The heads are read twice, so they must not be a temporary.
        if position.heads != self.scratch.newest() {
            self.push(position)?;
        }
        let before = self.scratch.newest();
        let as_text = match self.read_bytes(position.over(before), bytes) {
            Ok(after) => after.heads,
            Err(Error::Refused) => {
                self.scratch.drop_temporaries();
                self.scratch.empty_heads()
            }
            Err(error) => return Err(error),
        };
        self.begin_token();
        let heads = self.scratch.step_also(self.grammar(), before, symbol, as_text)?;
        self.viable(heads)
    }

    pub(crate) fn read_special(
        &mut self,
        position: Position,
        symbol: SymbolClass,
    ) -> Result<Position, Error> {
        let grammar = self.grammar();
        self.scratch.read_symbol();
        if !grammar.is_end(symbol) {
            let heads = self.scratch.step(grammar, position.heads, symbol)?;
            return self.viable(heads);
        }
        let heads = self.scratch.finish(grammar, position.heads, position.at_start)?;
        not_refused(heads)
    }

    pub(crate) fn read_bytes(&mut self, position: Position, bytes: &[u8]) -> Result<Position, Error> {
        let grammar = self.grammar();
        let mut heads = position.heads;
        for &byte in bytes {
            self.scratch.read_byte(byte)?;
            heads = self.scratch.step(grammar, heads, grammar.byte_symbol(byte))?;
            self.scratch.begun = 0;
            if heads.count == 0 {
                return Err(Error::Refused);
            }
        }
        self.viable(heads)
    }

    fn viable(&mut self, heads: Heads) -> Result<Position, Error> {
        self.scratch.retain_viable(self.grammar(), heads).and_then(not_refused)
    }

    /// Whether the text may end at the newest entry.
    pub(crate) fn can_finish(&mut self) -> Result<bool, Error> {
        let Position { heads, at_start } = self.position();
        let ended = self.scratch.finish(self.grammar(), heads, at_start)?;
        self.scratch.drop_temporaries();
        Ok(ended.count > 0)
    }
}

fn not_refused(heads: Heads) -> Result<Position, Error> {
    if heads.count == 0 { Err(Error::Refused) } else { Ok(Position { heads, at_start: false }) }
}
