//! Frames without C.

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The descriptor of a frame with one segment, whose content's length follows in eight bytes.
const SINGLE_SEGMENT: u8 = 0b1110_0000;
/// The most bytes of a block.
const BLOCK: usize = 1 << 17;

/// A frame that says how long its content is. Its blocks are stored, whatever the level.
pub(crate) fn pack(plain: &[u8], _: i32) -> Vec<u8> {
    let mut frame = [&MAGIC[..], &[SINGLE_SEGMENT], &(plain.len() as u64).to_le_bytes()].concat();
    let last = plain.len().saturating_sub(1) / BLOCK;
    for number in 0..=last {
        let block = &plain[number * BLOCK..plain.len().min((number + 1) * BLOCK)];
        // One bit for the last block, two for its kind (0: stored), and the length.
        let header = (block.len() << 3 | usize::from(number == last)) as u32;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

/// The length of the content in bytes; none if it is no frame, or one that does not say it.
pub(crate) fn content_size(frame: &[u8]) -> Option<u64> {
    let (&descriptor, rest) = frame.strip_prefix(&MAGIC)?.split_first()?;
    let is_single = descriptor & 0b10_0000 != 0;
    let (size, base) = match (descriptor >> 6, is_single) {
        (0, false) => return None,
        (0, true) => (1, 0),
        (1, _) => (2, 256),
        (2, _) => (4, 0),
        _ => (8, 0),
    };
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 0b11)];
    let field = rest.get(dictionary + usize::from(!is_single)..)?.get(..size)?;
    let mut number = [0; 8];
    number[..size].copy_from_slice(field);
    u64::from_le_bytes(number).checked_add(base)
}

/// The content, if the bytes are one frame and nothing else.
pub(crate) fn reader(frame: &[u8]) -> io::Result<impl Read> {
    let size = content_size(frame).unwrap_or(0);
    StreamingDecoder::new_with_max_window_size(frame, size.max(BLOCK as u64))
        .map(Whole)
        .map_err(io::Error::other)
}

/// A decoder behind whose frame nothing may follow.
struct Whole<'f>(StreamingDecoder<&'f [u8], FrameDecoder>);

impl Read for Whole<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        if read == 0 && !buffer.is_empty() && !self.0.get_ref().is_empty() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(read)
    }
}
