//! How deep a JSON text nests, without parsing it: a bound that holds before anything else reads the text.

/// The deepest level of brackets and braces outside strings. A text that is not JSON has some level, too.
pub(crate) fn depth(text: &[u8]) -> usize {
    let (mut level, mut deepest, mut in_string) = (0_usize, 0, false);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            // What follows belongs to it.
            b'\\' if in_string => drop(bytes.next()),
            b'[' | b'{' if !in_string => {
                level += 1;
                deepest = deepest.max(level);
            }
            b']' | b'}' if !in_string => level = level.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn strings_do_not_nest() {
        for (text, expected) in [
            ("", 0),
            ("1", 0),
            ("[]", 1),
            (r#"{"a": [{}, []]}"#, 3),
            (r#"["[[[", "\"[[", "\\", []]"#, 2),
            ("]]][[", 2),
            ("\"[[", 0),
        ] {
            assert_eq!(depth(text.as_bytes()), expected, "{text}");
        }
    }
}
