//! Resolves the escapes in the strings of Lark, which are the escapes of Python, and in the dialect of llguidance those of JSON.

use gcc_grammar_ir::{Code, Diagnostic, Location};

/// The escapes that strings have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Escapes {
    /// Those of Python. A backslash that begins no escape stands for itself.
    Python,
    /// Those of JSON (RFC 8259, section 7), and `\xHH`. Any other backslash, and a control character, is an error, as in llguidance.
    Json,
}

impl Escapes {
    /// Resolves the escapes in the contents of a string, which begin at `offset` of the grammar's text.
    pub(super) fn resolve(self, text: &str, offset: usize) -> Result<String, Diagnostic> {
        if let (Self::Json, Some(at)) = (self, text.find(|c: char| c < ' ' || c == '\x7F')) {
            let message = "a control character must be escaped in a string of JSON";
            return Err(bad_escape(message.to_owned(), offset + at, 1).help("write \\t for a tab"));
        }
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(backslash) = rest.find('\\') {
            plain.push_str(&rest[..backslash]);
            let escape = &rest[backslash..];
            let at = offset + text.len() - escape.len();
            let (c, length) = self.escape(escape, at)?;
            match c {
                Some(c) => plain.push(c),
                None => plain.push_str(&escape[..length]),
            }
            rest = &escape[length..];
        }
        plain.push_str(rest);
        Ok(plain)
    }

    /// The character of the escape that the text, which is at `at` of the grammar's text, begins with, and its length. There is no
    /// character if the backslash stands for itself.
    fn escape(self, escape: &str, at: usize) -> Result<(Option<char>, usize), Diagnostic> {
        let Some(letter) = escape[1..].chars().next() else { return Ok((None, 1)) };
        let length = 1 + letter.len_utf8();
        let c = match (letter, self) {
            ('n', _) => '\n',
            ('r', _) => '\r',
            ('t', _) => '\t',
            ('f', _) => '\x0C',
            ('b', Self::Json) => '\x08',
            ('/', Self::Json) | ('\\' | '"', _) => letter,
            ('x', _) => return code_point(escape, 2, at),
            ('u', Self::Json) => return utf16(escape, at),
            ('u', Self::Python) => return code_point(escape, 4, at),
            ('U', Self::Python) => return code_point(escape, 8, at),
            (_, Self::Python) => return Ok((None, length)),
            (_, Self::Json) => {
                let message = format!("`\\{letter}` is not an escape in a string of JSON");
                return Err(bad_escape(message, at, length).help(HELP));
            }
        };
        Ok((Some(c), length))
    }
}

/// How to write a backslash.
const HELP: &str = "write \\\\ for a backslash";

/// The character of `\uXXXX`, or of two of these that are a surrogate pair, and the length of the escape.
fn utf16(escape: &str, at: usize) -> Result<(Option<char>, usize), Diagnostic> {
    let high = digits(escape, 4, at)?;
    if let (0xD800..=0xDBFF, true) = (high, escape[6..].starts_with("\\u")) {
        let low = digits(&escape[6..], 4, at + 6)?;
        if (0xDC00..=0xDFFF).contains(&low) {
            return Ok((char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12));
        }
    }
    code_point(escape, 4, at)
}

/// The character of an escape, a backslash, a letter and `count` hexadecimal digits, and its length. It begins at `at` of the grammar's text.
fn code_point(escape: &str, count: usize, at: usize) -> Result<(Option<char>, usize), Diagnostic> {
    let length = 2 + count;
    match char::from_u32(digits(escape, count, at)?) {
        Some(c) => Ok((Some(c), length)),
        None => {
            let message = format!("`{}` is not a Unicode scalar value", &escape[..length]);
            Err(bad_escape(message, at, length))
        }
    }
}

/// The number that the `count` hexadecimal digits behind a backslash and a letter denote.
fn digits(escape: &str, count: usize, at: usize) -> Result<u32, Diagnostic> {
    let hex = escape.get(2..2 + count).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).ok_or_else(|| {
        let length = escape.chars().take(2 + count).map(char::len_utf8).sum::<usize>();
        bad_escape(format!("`{}` needs {count} hexadecimal digits", &escape[..2]), at, length).help(HELP)
    })
}

fn bad_escape(message: String, at: usize, length: usize) -> Diagnostic {
    Diagnostic::error(Code::BadEscape, message).at(Location::Span(at..at + length))
}

#[cfg(test)]
mod tests {
    use super::Escapes;

    #[test]
    fn escapes_are_those_of_python() {
        let plain = |text| Escapes::Python.resolve(text, 0).expect("valid");
        assert_eq!(plain(r#"a\n\t\"\\\x41\u00e9\U0001F600"#), "a\n\t\"\\Aé😀");
        assert_eq!(plain(r"\d\[\é\b\/"), r"\d\[\é\b\/", "unknown escapes stay");
        for text in [r"\u12", r"\ud800", r"\xé1", r"\ud83d\ude00"] {
            assert!(Escapes::Python.resolve(text, 0).is_err(), "{text}");
        }
    }

    /// A string has the value that `serde_json` reads, with which llguidance reads its strings.
    #[test]
    fn escapes_of_llguidance_are_those_of_json() {
        let parts = [
            r"\b",
            r"\/",
            r"\n",
            r"\r",
            r"\t",
            r"\f",
            r#"\""#,
            r"\\",
            r"\u00e9",
            r"\ud83d",
            r"\ude00",
            r"\U0001F600",
            r"\d",
            r"\'",
            r"\u12",
            "\t",
            "é",
            "a",
        ];
        for first in parts {
            for second in parts {
                let text = format!("{first}{second}");
                let json = serde_json::from_str::<String>(&format!("\"{text}\"")).ok();
                assert_eq!(Escapes::Json.resolve(&text, 0).ok(), json, "{text}");
            }
        }
        assert_eq!(Escapes::Json.resolve(r"\x41\b\/", 0).as_deref(), Ok("A\u{8}/"));
        let error = Escapes::Json.resolve(r"ab\d", 10).expect_err("no escape");
        assert_eq!(error.location, Some(gcc_grammar_ir::Location::Span(12..14)));
    }
}
