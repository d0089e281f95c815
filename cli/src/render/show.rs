//! Renders the parts that several results have: tokens, sets of tokens, bytes, sizes and times.

use gcc_grammar::{Allowed, Vocabulary};
use serde_json::{Value, json};
use std::fmt::Write;
use std::ops::Range;
use std::time::Duration;

pub(crate) use gcc_grammar::text::number;

/// The number of tokens that are shown by default.
pub(crate) const SAMPLE: usize = 16;
/// The greatest number of ranges that are shown.
const SHOWN_RANGES: usize = 12;

/// Allowed tokens as lines of text: ranges of ids, the bytes that must come next, and a sample of tokens.
pub(crate) fn allowed_text(allowed: &Allowed, vocabulary: &Vocabulary, most: usize) -> String {
    let mut out = format!("ranges    {}\n", ranges_text(&allowed.ranges));
    if !allowed.forced.is_empty() {
        let _ = writeln!(out, "forced    {}", quote(&allowed.forced));
    }
    let sample = allowed.sample(most);
    out += &tokens_text(&sample, vocabulary);
    if (sample.len() as u32) < allowed.count {
        let _ = writeln!(out, "{:>16}  and {} more", "", allowed.count - sample.len() as u32);
    }
    out
}

/// Tokens, one a line.
pub(crate) fn tokens_text(tokens: &[u32], vocabulary: &Vocabulary) -> String {
    let line = |(index, &token): (usize, &u32)| {
        let title = if index == 0 { "tokens" } else { "" };
        format!("{title:<8}{token:>8}  {}\n", token_text(vocabulary, token))
    };
    tokens.iter().enumerate().map(line).collect()
}

fn ranges_text(ranges: &[Range<u32>]) -> String {
    let shown: Vec<String> = ranges.iter().take(SHOWN_RANGES).map(range_text).collect();
    let more = ranges.len().saturating_sub(SHOWN_RANGES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    if shown.is_empty() { "none".to_owned() } else { format!("{}{more}", shown.join(", ")) }
}

/// Allowed tokens as JSON: all ranges of ids, the bytes that must come next, and a sample of tokens.
pub(crate) fn allowed_json(allowed: &Allowed, vocabulary: &Vocabulary, most: usize) -> Value {
    let ranges: Vec<Value> = allowed.ranges.iter().map(range_json).collect();
    let sample: Vec<Value> =
        allowed.sample(most).into_iter().map(|token| token_json(vocabulary, token)).collect();
    json!({
        "count": allowed.count,
        "complete": allowed.complete,
        "ranges": ranges,
        "forced": bytes_json(&allowed.forced),
        "sample": sample,
    })
}

/// A range of ids, whose ends both belong to it, as in text.
fn range_json(range: &Range<u32>) -> Value {
    json!({ "first": range.start, "last": range.end - 1 })
}

fn range_text(range: &Range<u32>) -> String {
    if range.len() == 1 { range.start.to_string() } else { format!("{}-{}", range.start, range.end - 1) }
}

/// A token as text: its bytes in quotes, or its name.
pub(crate) fn token_text(vocabulary: &Vocabulary, token: u32) -> String {
    let vocabulary = vocabulary.tokens();
    let end = if vocabulary.end_tokens().contains(&token) { ", ends the output" } else { "" };
    match (vocabulary.special_text(token), vocabulary.bytes(token)) {
        (Some(name), _) => format!("{}{end}", printable(name)),
        (None, Some(bytes)) => quote(bytes),
        (None, None) if end.is_empty() => "no token".to_owned(),
        (None, None) => "end token".to_owned(),
    }
}

/// A token as JSON.
pub(crate) fn token_json(vocabulary: &Vocabulary, token: u32) -> Value {
    let vocabulary = vocabulary.tokens();
    let mut object = json!({ "id": token });
    if let Some(bytes) = vocabulary.bytes(token) {
        object["bytes"] = bytes_json(bytes);
    }
    if let Some(name) = vocabulary.special_text(token) {
        object["special"] = json!(name);
    }
    if vocabulary.end_tokens().contains(&token) {
        object["end"] = json!(true);
    }
    object
}

/// Bytes as JSON: a string if they are UTF-8, else a list of numbers.
pub(crate) fn bytes_json(bytes: &[u8]) -> Value {
    std::str::from_utf8(bytes).map_or_else(|_| json!(bytes), |text| json!(text))
}

/// Bytes as text in quotes. Characters that could garble a terminal and bytes that are not UTF-8 are escaped.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                _ if is_plain(c) => out.push(c),
                _ => out.extend(c.escape_default()),
            }
        }
        chunk.invalid().iter().for_each(|byte| {
            let _ = write!(out, "\\x{byte:02x}");
        });
    }
    out.push('"');
    out
}

/// Whether a character is shown as itself. Control characters, format characters and unusual white space are not.
fn is_plain(c: char) -> bool {
    let is_format = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    c == ' ' || !(c.is_control() || c.is_whitespace() || is_format)
}

/// A text in which control characters are replaced by U+FFFD.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A size in bytes.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}

/// A duration with three digits and a unit.
pub(crate) fn duration(time: Duration) -> String {
    let nanos = time.as_nanos() as f64;
    let (value, unit) = match nanos {
        n if n < 1e3 => return format!("{n} ns"),
        n if n < 1e6 => (n / 1e3, "µs"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// The value below which `per_mille` of all sorted values lie.
pub(crate) fn percentile(sorted: &[Duration], per_mille: usize) -> Duration {
    let index = (sorted.len() * per_mille).div_ceil(1000).saturating_sub(1);
    sorted.get(index).copied().unwrap_or_default()
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_quoted_without_loss() {
        assert_eq!(quote("a\"\\\n\té\u{202e}".as_bytes()), r#""a\"\\\n\té\u{202e}""#);
        assert_eq!(quote(b"\xff\xc3 \x00"), r#""\xff\xc3 \u{0}""#);
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(duration(Duration::from_nanos(1234)), "1.23 µs");
        assert_eq!(duration(Duration::from_millis(12_345)), "12.3 s");
        assert_eq!([size(9_999), size(123_456), size(1_672_320)], ["9999 B", "123.5 KB", "1.67 MB"]);
    }

    #[test]
    fn percentiles_are_of_the_values() {
        let values: Vec<Duration> = (1..=100).map(Duration::from_nanos).collect();
        assert_eq!(percentile(&values, 500), Duration::from_nanos(50));
        assert_eq!(percentile(&values, 999), Duration::from_nanos(100));
        assert_eq!(percentile(&[], 500), Duration::ZERO);
    }
}
