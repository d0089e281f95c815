//! Front ends that recurse along the nesting of their input, on a thread with enough stack.
//!
//! How deep an input may be nested is limited: by 100 levels of parentheses, 200 of schemas, 256 references in each other. To walk that deep takes more
//! stack than a thread of a program may have (musl's have 128 KB), and less than [`STACK_BYTES`]. A level takes at least one opening bracket,
//! so an input with few of them is read where the caller is. A schema may have some more, if few are open at a time: alternatives side by side are
//! walked one in the other, too, but a tenth of the stack of a level is enough for one. Others are read by a [reader](super::readers).

use super::readers::on_reader;

/// The most levels of an input that is read on the thread of the caller.
const MOST_IN_PLACE: usize = 12;

/// The most opening brackets of a schema that is read on the thread of the caller.
const MOST_SIDE_BY_SIDE: usize = 64;

/// Whether an input has references that may lead back to it, or other files, and so may be deeper than its text.
fn refers(text: &str) -> bool {
    ["Ref\"", "$ref\"", "\\u", "import"].iter().any(|word| text.contains(word))
}

fn opens(byte: &u8) -> bool {
    matches!(byte, b'(' | b'[' | b'{')
}

/// Whether a text has more than `most` opening brackets.
fn has_more(text: &str, most: usize) -> bool {
    text.bytes().filter(opens).nth(most).is_some()
}

/// The most brackets that are open at a time in a JSON text, where each bracket in a string is one more: a string may be a pattern.
fn levels_of_json(text: &str) -> usize {
    let (mut outside, mut within, mut most) = (0_usize, 0, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if std::mem::take(&mut is_escaped) => within += usize::from(opens(&byte)),
            b'"' => (in_string, within) = (!in_string, 0),
            b'\\' if in_string => is_escaped = true,
            _ if in_string => within += usize::from(opens(&byte)),
            b']' | b'}' => outside = outside.saturating_sub(1),
            _ => outside += usize::from(opens(&byte)),
        }
        most = most.max(outside + within);
    }
    most
}

/// Whether an input with this text takes a stack of its own.
pub(crate) fn is_deep(text: &str) -> bool {
    refers(text) || has_more(text, MOST_IN_PLACE)
}

/// The same for schemas and tools: of their brackets, those count most that are open at a time.
pub(crate) fn is_deep_json(text: &str) -> bool {
    refers(text) || has_more(text, MOST_SIDE_BY_SIDE) || levels_of_json(text) > MOST_IN_PLACE
}

/// Reads an input, with a stack of its own if it is deep.
pub(crate) fn with_stack<T: Send + 'static>(is_deep: bool, read: impl FnOnce() -> T + Send + 'static) -> T {
    if is_deep { on_reader(read) } else { read() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn brackets_count_that_are_open_at_a_time() {
        let texts = [
            "{}",
            r#"{"a":[{}],"b":[{}]}"#,
            r#"{"(]}":{}}"#,
            r#"{"a":"\"[[","b":"((\\"}"#,
            r#"[[["]]]",[]]]"#,
        ];
        assert_eq!(texts.map(levels_of_json), [1, 3, 2, 3, 4]);
        assert_eq!(levels_of_json(&"[\"]\",".repeat(100)), 100, "those in strings close nothing");
    }

    #[test]
    fn what_is_read_in_place_takes_little_stack() {
        let alternative = |number: usize| {
            format!(r#"{{"required":["k{number}"],"properties":{{"k{number}":{{"const":{number}}}}}}}"#)
        };
        let alternatives: Vec<String> = (0..15).map(alternative).collect();
        let wide = format!(r#"{{"type":"object","anyOf":[{}]}}"#, alternatives.join(","));
        let deep = format!("{}{{}}{}", r#"{"not":"#.repeat(11), "}".repeat(11));
        for text in [wide, deep] {
            assert!(!is_deep_json(&text));
            // Without optimization, frames are several times as large.
            let read = move || gcc_grammar_json_schema::compile(&text, &Default::default()).is_ok();
            let reader = thread::Builder::new().stack_size(1 << 20).spawn(read).expect("a thread");
            assert!(reader.join().is_ok());
        }
    }
}
