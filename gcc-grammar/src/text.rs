//! Numbers and bytes as people read them, line breaks at the ends of files, and options as JSON.

use serde::de::{DeserializeOwned, Error as _};

/// A number with its digits in groups of three.
#[must_use]
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Drops the line break at the end of a text, if there is one. Returns whether there was.
pub fn chomp(text: &mut Vec<u8>) -> bool {
    let is_broken = text.pop_if(|byte| *byte == b'\n').is_some();
    if is_broken {
        text.pop_if(|byte| *byte == b'\r');
    }
    is_broken
}

/// What a JSON object stands for. An array of the values without their names is refused, which serde takes as well.
pub(crate) fn json_object<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    match text.trim_start().starts_with('[') {
        true => Err(serde_json::Error::custom("expected a JSON object, found an array")),
        false => serde_json::from_str(text),
    }
}

/// Bytes in quotes.
pub(crate) fn quote(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(
            [number(0), number(999), number(1000), number(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
