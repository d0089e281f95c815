//! The bytes that are certain to come (jump-forward decoding).

use crate::error::Error;
use crate::matcher::Matcher;
use crate::read::Position;

impl Matcher<'_, '_> {
    /// Finds the bytes that are certain to come next, as many as the buffer holds: the text cannot end before them,
    /// and nothing else can come. Returns how many there are. Tokenizing them is up to the caller.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn forced(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.trying(|matcher| {
            for (index, slot) in buffer.iter_mut().enumerate() {
                let Some(byte) = matcher.forced_byte()? else { return Ok(index) };
                *slot = byte;
                let position = matcher.read_bytes(matcher.position(), &[byte])?;
                matcher.push(position)?;
            }
            Ok(buffer.len())
        })
    }

    /// The only byte that can come after the newest entry, if nothing else can.
    fn forced_byte(&mut self) -> Result<Option<u8>, Error> {
        if self.can_finish()? || self.can_read_special()? {
            return Ok(None);
        }
        let mut forced = None;
        // Symbols are tried once. One that is possible is tried again for its second byte, which settles it.
        let mut impossible = [false; 256];
        for byte in 0..=u8::MAX {
            let symbol = self.grammar().byte_symbol(byte).index();
            if impossible[symbol] {
                continue;
            }
            if !self.can_read(|matcher, position| matcher.read_bytes(position, &[byte]))? {
                impossible[symbol] = true;
            } else if forced.replace(byte).is_some() {
                return Ok(None);
            }
        }
        Ok(forced)
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

    /// Whether this can be read after the newest entry.
    fn can_read(
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
