//! Frames by libzstd.

use std::io::{self, Read};

/// A frame that says how long its content is, `level` from 1 (fast) to 22 (small).
pub(crate) fn pack(plain: &[u8], level: i32) -> Vec<u8> {
    zstd::bulk::compress(plain, level).expect("memory to memory")
}

/// The length of the content in bytes; none if it is no frame, or one that does not say it.
pub(crate) fn content_size(frame: &[u8]) -> Option<u64> {
    zstd::zstd_safe::get_frame_content_size(frame).ok().flatten()
}

/// The content.
pub(crate) fn reader(frame: &[u8]) -> io::Result<impl Read> {
    zstd::Decoder::new(frame)
}
