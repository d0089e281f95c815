//! Forced bytes, for jump-forward decoding: the bytes that every continuation of the text begins with.
//!
//! They are found byte by byte: a byte is forced if the text cannot end here, no special token is allowed,
//! and it is the only byte that can be read. The matcher is unchanged afterwards. Turning the bytes into
//! tokens is up to the caller.

use gcc_grammar_artifact::ids::TokenId;

use crate::error::Error;
use crate::matcher::Matcher;
use crate::read::Position;

impl Matcher<'_, '_> {
    /// Writes the bytes that must come next into the buffer, as many as it holds, and returns how many there
    /// are. The text cannot end before them, and no other bytes can come.
    ///
    /// Near the end of a budget these are at least the bytes that all affordable tokens begin with.
    ///
    /// # Errors
    /// [`Error::ScratchFull`], [`Error::TooMuchWork`].
    pub fn forced(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let forced = self.forced_by_grammar(buffer)?;
        match self.remaining() {
            Some(remaining) => {
                self.begin_work();
                if self.is_far_from(remaining)? { Ok(forced) } else { self.forced_within(buffer, forced) }
            }
            None => Ok(forced),
        }
    }

    /// Writes the bytes that all tokens of the mask begin with, if they are more than the first `forced` bytes of the
    /// buffer, which all continuations begin with.
    fn forced_within(&mut self, buffer: &mut [u8], forced: usize) -> Result<usize, Error> {
        let tokens = self.engine().tokens;
        let degraded = self.degraded_masks();
        let mut common: Option<&[u8]> = None;
        self.each_allowed_range(|range| {
            for token in range.map(TokenId) {
                let bytes = tokens.bytes(token).unwrap_or_default();
                let length = common.map_or(bytes.len(), |common| common_prefix(common, bytes));
                common = Some(&bytes[..length]);
            }
        })?;
        if self.degraded_masks() > degraded {
            // The mask lacks tokens that may begin otherwise.
            return Ok(forced);
        }
        let common = common.unwrap_or_default();
        let length = common.len().min(buffer.len());
        if length <= forced {
            return Ok(forced);
        }
        buffer[..length].copy_from_slice(&common[..length]);
        Ok(length)
    }

    fn forced_by_grammar(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.attempt_and_undo(|matcher| {
            for (index, slot) in buffer.iter_mut().enumerate() {
                matcher.begin_work();
                let Some(byte) = matcher.forced_byte()? else { return Ok(index) };
                *slot = byte;
                let position = matcher.read_bytes(matcher.position(), &[byte])?;
                matcher.push(position)?;
            }
            Ok(buffer.len())
        })
    }

    /// The only byte that can be read at the newest entry, if there is exactly one continuation.
    fn forced_byte(&mut self) -> Result<Option<u8>, Error> {
        if self.can_finish()? || self.can_read_special()? {
            return Ok(None);
        }
        let mut forced = None;
        // A symbol that cannot be read is tried once for all its bytes. A second byte that can be read ends
        // the search.
        let mut impossible = [false; 256];
        for byte in 0..=u8::MAX {
            // Bytes have symbols below 256.
            let symbol = usize::from(self.grammar().byte_symbol(byte).0 as u8);
            if impossible[symbol] {
                continue;
            }
            if !self.can_read(|matcher, position| matcher.read_bytes(position, &[byte]))? {
                impossible[symbol] = true;
            } else if forced.replace(byte).is_some() {
                return Ok(None);
            }
        }
        // Where a lexeme has a limit on its tokens, it depends on them whether it continues.
        let goes_on = |byte: &u8| !self.continues_limited(self.grammar().byte_symbol(*byte));
        Ok(forced.filter(goes_on))
    }

    fn can_read_special(&mut self) -> Result<bool, Error> {
        let grammar = self.grammar();
        for symbol in grammar.special_symbols().filter(|&symbol| !grammar.is_end(symbol)) {
            if self.can_read(|matcher, position| matcher.read_special(position, symbol))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an input can be read at the newest entry.
    pub(crate) fn can_read(
        &mut self,
        read: impl FnOnce(&mut Self, Position) -> Result<Position, Error>,
    ) -> Result<bool, Error> {
        let checkpoint = self.scratch.checkpoint();
        let result = read(self, self.position());
        self.scratch.restore(checkpoint);
        match result {
            Ok(_) => Ok(true),
            Err(Error::Refused) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The number of bytes that both texts begin with.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
