//! Frames of zstd (RFC 8878): a text that is packed into one, and read from one as a stream.
//!
//! | module | content |
//! |---|---|
//! | `library` | by libzstd |
//! | `portable` | without C, for WebAssembly: a decoder in Rust, and frames whose blocks are stored as they are |
//!
//! Both read what the other one writes.

#[cfg(not(target_family = "wasm"))]
mod library;
#[cfg(any(target_family = "wasm", test))]
mod portable;

#[cfg(not(target_family = "wasm"))]
pub(crate) use library::{content_size, pack, reader};
#[cfg(target_family = "wasm")]
pub(crate) use portable::{content_size, pack, reader};

#[cfg(test)]
mod tests {
    use super::{library, portable};
    use std::io::Read;

    /// Texts whose lengths are at the borders of the fields of a frame and of its blocks.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let lengths = [0, 1, 255, 256, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 400_000];
        lengths.into_iter().map(|length: u32| (0..length).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect())
    }

    fn read(reader: std::io::Result<impl Read>) -> Option<Vec<u8>> {
        let mut plain = Vec::new();
        reader.ok()?.read_to_end(&mut plain).ok()?;
        Some(plain)
    }

    #[test]
    fn each_reads_what_the_other_writes() {
        for text in texts() {
            for level in [1, 19] {
                let frame = library::pack(&text, level);
                assert_eq!(portable::content_size(&frame), Some(text.len() as u64));
                assert!(read(portable::reader(&frame)).as_ref() == Some(&text), "{} bytes", text.len());
            }
            let frame = portable::pack(&text, 1);
            assert_eq!(library::content_size(&frame), Some(text.len() as u64));
            assert!(read(library::reader(&frame)).as_ref() == Some(&text), "{} bytes", text.len());
            assert!(read(portable::reader(&frame)) == Some(text));
        }
    }

    #[test]
    fn a_frame_that_is_cut_off_or_followed_by_bytes_is_an_error() {
        let frame = library::pack(b"a text, and a text, and a text", 3);
        for length in 0..frame.len() {
            assert_eq!(read(portable::reader(&frame[..length])), None, "{length} bytes");
        }
        assert_eq!(read(portable::reader(&[&frame[..], &frame].concat())), None);
        assert_eq!(portable::content_size(b"no frame"), None);
        let silent = zstd::encode_all(&b"a text"[..], 1).unwrap();
        assert_eq!(portable::content_size(&silent), None);
    }

    #[test]
    fn damaged_frames_are_errors_or_other_texts() {
        let text: Vec<u8> = texts().last().expect("a text")[..5000].to_vec();
        let frame = library::pack(&text, 19);
        let mut refused = 0;
        for index in 0..frame.len() {
            for bit in 0..8 {
                let mut changed = frame.clone();
                changed[index] ^= 1 << bit;
                let reader = portable::reader(&changed).map(|reader| reader.take(1 << 16));
                refused += usize::from(read(reader).is_none());
            }
        }
        assert!(refused > 0, "{refused} of {} bits", 8 * frame.len());
    }
}
