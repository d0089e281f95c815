//! The spelling of byte-fallback tokens: `<0x0A>` stands for the byte 0A.
//!
//! SentencePiece models, and `tokenizer.json` files made from them, have such a token for every byte, for characters
//! that no other token spells.

/// The byte that a token stands for, if it is spelled like a byte-fallback token.
pub(crate) fn fallback_byte(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() != 2 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u8::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hexadecimal_digits_are_a_byte() {
        assert_eq!(fallback_byte("<0x0A>"), Some(10));
        assert_eq!(fallback_byte("<0xff>"), Some(255));
        for other in ["<0x+1>", "<0x1>", "<0x001>", "0x01", "<0x0G>", "<0x\u{e9}>"] {
            assert_eq!(fallback_byte(other), None);
        }
    }
}
