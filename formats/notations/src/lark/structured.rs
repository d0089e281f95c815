//! `%regex {…}`: regular languages that a JSON object describes, with the meaning they have in llguidance.
//!
//! Input: the text of the object. Output: the automaton of the texts that are a run of consecutive chunks of a given text.

use gcc_grammar_ir::json::Distinct;
use gcc_grammar_regular::{Dfa, RegularLimits};
use serde_json::Value;

/// The automaton of `{"substring_chunks": […]}`, `{"substring_words": "…"}` or `{"substring_chars": "…"}`, or the message of an error.
pub(super) fn automaton(object: &str, limits: &RegularLimits) -> Result<Dfa, String> {
    let Distinct(object) =
        serde_json::from_str(object).map_err(|error| format!("this is not valid JSON: {error}"))?;
    let members: Vec<(&str, &Value)> =
        object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value)).collect();
    let chunks: Option<Vec<&str>> = match members[..] {
        [("substring_chunks", Value::Array(chunks))] => chunks.iter().map(Value::as_str).collect(),
        [("substring_words", Value::String(text))] => Some(words(text)),
        [("substring_chars", Value::String(text))] => Some(text.split_inclusive(|_| true).collect()),
        _ => None,
    };
    let chunks = chunks.ok_or("the only member must be substring_chunks with a list of strings, or substring_words or substring_chars with a string")?;
    Dfa::substrings(&chunks, limits).map_err(|error| error.to_string())
}

/// Cuts a text into runs of letters and digits, runs of white space, and all other characters one by one.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut previous = 0;
    for (at, c) in text.char_indices() {
        if at > 0 && (kind(c) != previous || previous == 0) {
            words.push(&text[start..at]);
            start = at;
        }
        previous = kind(c);
    }
    words.push(&text[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_and_spaces_are_chunks() {
        assert_eq!(words("foo bar.. b_1\n\tz"), ["foo", " ", "bar", ".", ".", " ", "b_1", "\n\t", "z"]);
        assert_eq!(words(""), [""]);
    }
}
