//! Where a schema describes how an output continues.

use crate::inspect::events::{Events, segment};
use crate::sources::deep::{is_deep, with_stack};
use crate::sources::options::Options;
use crate::sources::source::Source;
use gcc_grammar_json_schema::{Style, applied};
use gcc_grammar_notations::notation::Notation;

/// The places that are listed, at most.
const SHOWN: usize = 8;

/// A question about a place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The number of bytes before it.
    pub behind: usize,
    /// The names of terminals that come there.
    pub terminals: &'a [&'a str],
}

/// For each place that is asked about in an output of a schema, the JSON Pointers of the subschemas that describe what comes there: the values of the keys among the
/// terminals, or else the value that continues or begins. Alternatives that the text contradicts are left out. Empty if the
/// source is no schema, or cannot be read within the limits.
#[must_use]
pub fn places_in_schema(
    source: &Source,
    options: &Options,
    text: &[u8],
    asked: &[Asked<'_>],
) -> Vec<Vec<String>> {
    let pointers: Vec<Vec<String>> = pointers_behind(text, asked)
        .into_iter()
        .zip(asked)
        .map(|(pointer, Asked { terminals, .. })| {
            pointer.map_or_else(Vec::new, |pointer| of_keys(pointer, terminals))
        })
        .collect();
    let mut places = describing(source, options, text, &pointers.concat()).into_iter();
    pointers.iter().map(|pointers| distinct(places.by_ref().take(pointers.len()).flatten())).collect()
}

/// For the root of an output of a schema and each value on the way to what comes behind a text, the JSON Pointers of the subschemas that describe it. Empty if the source is
/// no schema, or cannot be read within the limits.
#[must_use]
pub fn schemas_around(source: &Source, options: &Options, text: &[u8]) -> Vec<Vec<String>> {
    let here = Asked { behind: text.len(), terminals: &[] };
    let Some(pointer) = pointers_behind(text, &[here]).pop().flatten() else { return Vec::new() };
    let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
    let prefixes: Vec<String> = ends.map(|end| pointer[..end].to_owned()).collect();
    describing(source, options, text, &prefixes)
}

/// The JSON Pointers of the subschemas that describe each of some values of a text.
fn describing(source: &Source, options: &Options, text: &[u8], pointers: &[String]) -> Vec<Vec<String>> {
    let written = written(text).filter(|_| is_json(source, options));
    let budget = options.budget(source.default_limits()).stage("places");
    let (schema, options, asked) = (source.text.text.clone(), options.schema.clone(), pointers.to_vec());
    let described = written.and_then(|written| {
        with_stack(is_deep(&schema) || is_deep(&written), move || {
            applied(&schema, &written, &asked, &options, &budget).ok()
        })
    });
    described.unwrap_or_else(|| vec![Vec::new(); pointers.len()])
}

/// Whether the outputs are JSON of a schema.
fn is_json(source: &Source, options: &Options) -> bool {
    source.notation == Notation::JsonSchema && options.schema.style == Style::Json
}

/// The JSON Pointers of the values that continue or begin at some places of a text; none outside of values.
fn pointers_behind(text: &[u8], asked: &[Asked<'_>]) -> Vec<Option<String>> {
    let mut order: Vec<usize> = (0..asked.len()).collect();
    order.sort_by_key(|&index| asked[index].behind);
    let mut pointers = vec![None; asked.len()];
    let mut events = Events::new(b"");
    for index in order {
        let behind = asked[index].behind.min(text.len());
        events.commit(&text[events.text().len()..behind]);
        let is_before = text[..behind].trim_ascii().is_empty();
        pointers[index] = match text.get(behind) {
            // A number ends before what cannot be a part of it.
            Some(b',' | b'}' | b']') => events.pointer_behind_space(),
            _ => events.pointer(),
        };
        pointers[index] = pointers[index].take().or_else(|| is_before.then(String::new));
    }
    pointers
}

/// The values of the keys among some terminals in the object at a pointer, or else the pointer.
fn of_keys(pointer: String, terminals: &[&str]) -> Vec<String> {
    let keys = terminals.iter().filter_map(|name| Some(format!("{pointer}/{}", segment(&key_of(name)?))));
    let keys: Vec<String> = keys.collect();
    if keys.is_empty() { vec![pointer] } else { keys }
}

/// Places without repetitions.
fn distinct(places: impl Iterator<Item = String>) -> Vec<String> {
    let mut told = Vec::new();
    for place in places {
        if !told.contains(&place) {
            told.push(place);
        }
    }
    told
}

/// The JSON Pointer of the value that would have to continue behind a text of JSON; none outside of values.
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
