//! Where a schema describes what an output goes on with.

use crate::events::Events;
use crate::options::Options;
use crate::source::Source;
use gcc_grammar_json_schema::{Style, applied};
use gcc_grammar_limits::Budget;
use gcc_grammar_notations::notation::Notation;

/// The places that are listed, at most.
const SHOWN: usize = 8;

/// The JSON Pointers of the subschemas that describe what an output of a schema goes on with behind a text: the values of the keys among the `expected`
/// terminals, or else the value that goes on or comes next. Of alternatives, those that the text contradicts are left out. Empty if the source is no schema, or cannot be read within the limits.
#[must_use]
pub fn places_in_schema<'n>(
    source: &Source,
    options: &Options,
    text: &[u8],
    expected: impl IntoIterator<Item = &'n str>,
) -> Vec<String> {
    if source.notation != Notation::JsonSchema || options.schema.style != Style::Json {
        return Vec::new();
    }
    let pointer = pointer_behind(text).or_else(|| text.trim_ascii().is_empty().then(String::new));
    let (Some(pointer), Some(written)) = (pointer, written(text)) else { return Vec::new() };
    let key = |name: &str| Some(format!("{pointer}/{}", segment(&key_of(name)?)));
    let mut pointers: Vec<String> = expected.into_iter().filter_map(key).collect();
    if pointers.is_empty() {
        pointers.push(pointer.clone());
    }
    let budget = Budget::new(options.limits.over(source.default_limits())).stage("places");
    let places = applied(&source.text.text, &written, &pointers, &options.schema, &budget);
    let mut told = Vec::new();
    for place in places.into_iter().flatten().flatten() {
        if !told.contains(&place) {
            told.push(place);
        }
    }
    told
}

/// The JSON Pointer of the value that would have to go on behind a text of JSON; none outside of values.
pub(crate) fn pointer_behind(text: &[u8]) -> Option<String> {
    let mut events = Events::new(b"");
    events.commit(text);
    events.pointer()
}

/// JSON Pointers in words; only some of them if there are many.
pub(crate) fn places_text(places: &[String]) -> String {
    let shown: Vec<String> = places.iter().take(SHOWN).map(|place| format!("{place:?}")).collect();
    let more = places.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

/// The key that a terminal reads.
fn key_of(terminal: &str) -> Option<String> {
    serde_json::from_str(terminal.strip_suffix(':')?).ok()
}

/// A key as a segment of a JSON Pointer.
fn segment(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// What of a text of JSON is complete, with all that is open closed; none if that is no text. It ends behind the last value that is complete or has begun with a bracket.
fn written(text: &[u8]) -> Option<String> {
    let (mut end, mut closers) = (0, Vec::new());
    let (mut in_string, mut is_escaped, mut is_key) = (false, false, false);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => {
                in_string = !in_string;
                end = if in_string || is_key { end } else { at + 1 };
            }
            _ if in_string => {}
            b'{' | b'[' => {
                closers.push(if byte == b'{' { '}' } else { ']' });
                (end, is_key) = (at + 1, byte == b'{');
            }
            b'}' | b']' => {
                closers.pop();
                (end, is_key) = (at + 1, false);
            }
            b',' => (end, is_key) = (at, closers.last() == Some(&'}')),
            b':' => is_key = false,
            _ => {}
        }
    }
    let written = std::str::from_utf8(&text[..end]).ok()?;
    Some(written.chars().chain(closers.into_iter().rev()).collect())
}

#[cfg(test)]
mod tests {
    use super::written;

    /// What is written of a text at each place is JSON, has what is complete, and nothing else.
    #[test]
    fn what_is_open_is_closed() {
        for (text, expected) in [
            ("", ""),
            ("12", ""),
            ("\"a", ""),
            ("\"a\"", "\"a\""),
            ("{\"a", "{}"),
            ("{\"a\"", "{}"),
            ("{\"a\": tr", "{}"),
            ("{\"a\": true, ", "{\"a\": true}"),
            ("{\"a\": \"\\\"]", "{}"),
            ("{\"a\": [1, {\"b\": \"}\"", "{\"a\": [1, {\"b\": \"}\"}]}"),
            ("{\"a\": [1, {\"b\": \"}\", \"c\": 4", "{\"a\": [1, {\"b\": \"}\"}]}"),
            ("[[], 5", "[[]]"),
        ] {
            assert_eq!(written(text.as_bytes()).as_deref(), Some(expected), "{text}");
        }
        let text = r#" {"k\u00e9\"": {"a": [], "b": [[1.5e3, -2], {}]}, "s": "\ud83d\ude00 \\", "t": [true, false, null, "é"]} "#;
        for end in 0..text.len() {
            let closed = written(&text.as_bytes()[..end]).expect("a text");
            assert!(
                closed.trim().is_empty() || serde_json::from_str::<serde_json::Value>(&closed).is_ok(),
                "{closed}"
            );
        }
    }
}
