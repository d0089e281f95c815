//! Tokens and bytes read as symbols; undoing what failed.

use gcc_grammar_artifact::ids::{SymbolClass, TokenId};

use crate::error::Error;
use crate::matcher::{Matcher, Progress};
use crate::scratch::Heads;

/// The heads after some tokens of an operation that is under way: the newest entry, or the only temporary.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    heads: Heads,
    /// Nothing was read yet: there is no lexeme.
    at_start: bool,
}

/// The steps that operations are made of. They may leave temporaries and cells behind.
impl Matcher<'_, '_> {
    pub(crate) fn position(&self) -> Position {
        Position { heads: self.scratch.newest(), at_start: self.progress.committed == 0 }
    }

    /// Makes the position, which is a temporary, the newest entry.
    pub(crate) fn push(&mut self, position: Position) -> Result<(), Error> {
        self.scratch.push_entry(position.heads)?;
        let Progress { committed, floor } = &mut self.progress;
        *committed += 1;
        *floor = committed.saturating_sub(u64::from(self.max_rollback)).max(*floor);
        Ok(())
    }

    pub(crate) fn read_token(&mut self, position: Position, token: TokenId) -> Result<Position, Error> {
        let engine = self.engine();
        if let Some(symbol) = engine.grammar.special_symbol(token) {
            return self.read_special(position, symbol);
        }
        match engine.tokens.bytes(token) {
            Some(bytes) if !bytes.is_empty() => self.read_bytes(position, bytes),
            _ => Err(Error::Refused),
        }
    }

    pub(crate) fn read_special(
        &mut self,
        position: Position,
        symbol: SymbolClass,
    ) -> Result<Position, Error> {
        let grammar = self.grammar();
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
            heads = self.scratch.step(grammar, heads, grammar.byte_symbol(byte))?;
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

    /// Reads as many of the inputs as are not refused.
    pub(crate) fn try_each<T: Copy>(
        &mut self,
        inputs: &[T],
        read: impl Fn(&mut Self, Position, T) -> Result<Position, Error>,
    ) -> Result<usize, Error> {
        self.trying(|matcher| {
            let mut position = matcher.position();
            for (index, &input) in inputs.iter().enumerate() {
                position = match read(matcher, position, input) {
                    Err(Error::Refused) => return Ok(index),
                    result => result?,
                };
            }
            Ok(inputs.len())
        })
    }

    /// Does an operation. If it fails, the matcher is as before; if there was no room, room is made and the operation
    /// done again.
    pub(crate) fn with_room<T>(
        &mut self,
        mut operation: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let result = self.undoing_failure(&mut operation);
        if !matches!(result, Err(Error::ScratchFull)) {
            return result;
        }
        self.scratch.compact(self.available_rollback());
        self.undoing_failure(&mut operation)
    }

    /// Does an operation and takes back all that it changed.
    pub(crate) fn trying<T>(
        &mut self,
        mut operation: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.with_room(|matcher| {
            let (checkpoint, progress) = (matcher.scratch.checkpoint(), matcher.progress);
            let result = operation(matcher);
            matcher.scratch.restore(checkpoint);
            matcher.progress = progress;
            result
        })
    }

    fn undoing_failure<T>(
        &mut self,
        operation: &mut impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (checkpoint, progress) = (self.scratch.checkpoint(), self.progress);
        let result = operation(self);
        if result.is_err() {
            self.scratch.restore(checkpoint);
            self.progress = progress;
        }
        result
    }
}

fn not_refused(heads: Heads) -> Result<Position, Error> {
    if heads.count == 0 { Err(Error::Refused) } else { Ok(Position { heads, at_start: false }) }
}
