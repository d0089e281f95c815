//! The characters of a JSON string that is not complete.

/// The characters that are certain after the opening quote: up to the closing quote, an escape that is not complete, or a character whose bytes are not
/// all there. Half a surrogate pair that is not followed by the other half is U+FFFD.
pub(super) fn decoded(text: &[u8]) -> String {
    let complete = match str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut out = String::new();
    let mut rest = complete;
    while let Some(character) = rest.chars().next() {
        match character {
            '"' => break,
            '\\' => match escape(rest.as_bytes()) {
                Some((character, length)) => {
                    out.push(character);
                    rest = &rest[length..];
                }
                None => break,
            },
            _ => {
                out.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    out
}

/// The character of the escape at the beginning, and its length; none if the escape is not complete.
fn escape(text: &[u8]) -> Option<(char, usize)> {
    let character = match text.get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unit(text),
        &other => char::from(other),
    };
    Some((character, 2))
}

/// The character of `\uXXXX` at the beginning, or of two such escapes that are a surrogate pair.
fn unit(text: &[u8]) -> Option<(char, usize)> {
    let first = hex(text)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 6));
    }
    let follows = &text[6..];
    let may_be_pair = first < 0xDC00 && b"\\u".starts_with(&follows[..follows.len().min(2)]);
    match hex(follows) {
        Some(second @ 0xDC00..0xE000) if first < 0xDC00 => {
            let pair = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            Some((char::from_u32(pair).unwrap_or('\u{FFFD}'), 12))
        }
        // The other half may come.
        None if may_be_pair => None,
        _ => Some(('\u{FFFD}', 6)),
    }
}

/// The number of `\uXXXX` at the beginning.
fn hex(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_decoded() {
        for (text, expected) in [
            (&br#"ab"#[..], "ab"),
            (br#"a\"b" , "#, "a\"b"),
            (br#"a\"#, "a"),
            (br"a\n\u00e", "a\n"),
            (br"\u00e9x", "éx"),
            (br"\ud83d", ""),
            (br"\ud83d\", ""),
            (br"\ud83d\ude0", ""),
            (br"\ud83d\ude00", "😀"),
            (br"\ud83dx", "\u{FFFD}x"),
            (br"\ud83d\n", "\u{FFFD}\n"),
            (br"\ude00a", "\u{FFFD}a"),
            (b"a\xc3", "a"),
            (b"a\xc3\xa9", "aé"),
        ] {
            assert_eq!(decoded(text), expected, "{}", text.escape_ascii());
        }
    }
}
