//! Resolves the escapes in the strings of Lark, which are the escapes of Python.
//!
//! A backslash that begins no escape stands for itself.

use gcc_grammar_ir::{Code, Diagnostic, Location};

/// Resolves the escapes in the contents of a string, which begin at `offset` of the grammar's text.
pub(super) fn unescape(text: &str, offset: usize) -> Result<String, Diagnostic> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = rest.find('\\') {
        plain.push_str(&rest[..backslash]);
        let escape = &rest[backslash..];
        let Some(letter) = escape[1..].chars().next() else {
            plain.push('\\');
            return Ok(plain);
        };
        let mut length = 1 + letter.len_utf8();
        match letter {
            'n' => plain.push('\n'),
            'r' => plain.push('\r'),
            't' => plain.push('\t'),
            'f' => plain.push('\x0C'),
            '\\' | '"' => plain.push(letter),
            'x' | 'u' | 'U' => {
                let digits = match letter {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let at = offset + text.len() - rest.len() + backslash;
                plain.push(code_point(escape, digits, at)?);
                length += digits;
            }
            _ => plain.push_str(&escape[..length]),
        }
        rest = &escape[length..];
    }
    plain.push_str(rest);
    Ok(plain)
}

/// The character that `escape`, a backslash, a letter and `digits` hexadecimal digits, denotes. It begins at `at` of the grammar's text.
fn code_point(escape: &str, digits: usize, at: usize) -> Result<char, Diagnostic> {
    let hex = escape.get(2..2 + digits).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let Some(hex) = hex else {
        let length = escape.chars().take(2 + digits).map(char::len_utf8).sum::<usize>();
        let message = format!("`{}` needs {digits} hexadecimal digits", &escape[..2]);
        return Err(Diagnostic::error(Code::BadEscape, message)
            .at(Location::Span(at..at + length))
            .help("write \\\\ for a backslash"));
    };
    u32::from_str_radix(hex, 16).ok().and_then(char::from_u32).ok_or_else(|| {
        let message = format!("`{}` is not a Unicode scalar value", &escape[..2 + digits]);
        Diagnostic::error(Code::BadEscape, message).at(Location::Span(at..at + 2 + digits))
    })
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_are_those_of_python() {
        let plain = |text| unescape(text, 0).expect("valid");
        assert_eq!(plain(r#"a\n\t\"\\\x41\u00e9\U0001F600"#), "a\n\t\"\\Aé😀");
        assert_eq!(plain(r"\d\[\é"), r"\d\[\é", "unknown escapes stay");
        assert!(
            unescape(r"\u12", 0).is_err() && unescape(r"\ud800", 0).is_err() && unescape(r"\xé1", 0).is_err()
        );
    }
}
