//! Lexical predicates on the text of a Lark grammar: how long the name, the string, the JSON object at its beginning is, and whether a
//! definition begins there. The functions look at a text and change nothing.

/// Whether a character may stand within a name.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name that `text` begins with. A hyphen belongs to it if a letter or digit follows.
pub(super) fn name_prefix(text: &str) -> &str {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        end += rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let hyphen = text[end..].strip_prefix('-').is_some_and(|after| after.starts_with(is_name_char));
        if end == 0 || !hyphen {
            return &text[..end];
        }
        end += 1;
    }
}

/// Reads `{low}`, `{low,}`, `{,high}` or `{low,high}` and returns the digits of both bounds, and the length.
pub(super) fn bounds(text: &str) -> Option<(&str, Option<&str>, usize)> {
    let end = text.find('}')?;
    let inner = text.get(1..end)?;
    let (low, high) = inner.split_once(',').map_or((inner, None), |(low, high)| (low, Some(high)));
    let (low, high) = (low.trim(), high.map(str::trim));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let some = !low.is_empty() || high.is_some();
    (some && digits(low) && high.is_none_or(digits)).then_some((low, high, end + 1))
}

/// The length of the JSON object that `text` begins with; none if it has no end. Braces within strings do not count.
pub(super) fn object_length(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

/// The length of the grammar in braces that `text` begins with; none if it has no end. Braces within strings, patterns and comments do not
/// count.
pub(super) fn grammar_length(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        at += match rest.as_bytes()[0] {
            b'{' => {
                depth += 1;
                1
            }
            b'}' if depth <= 1 => return (depth == 1).then_some(at + 1),
            b'}' => {
                depth -= 1;
                1
            }
            b'#' => line_length(rest),
            b'/' if rest.starts_with("//") => line_length(rest),
            b'"' => closing(rest, '"', false)? + 1,
            b'/' => closing(rest, '/', true)? + 1,
            _ if depth == 0 => return None,
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    None
}

/// The length of the expression over a parameter that `text` begins with: up to white space outside of parentheses and brackets, or the end of the
/// line.
pub(super) fn parameter_length(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return at,
            ')' | ']' => depth -= 1,
            '\n' => return at,
            c if depth == 0 && !(c.is_ascii_alphanumeric() || c == '_') => return at,
            _ => {}
        }
    }
    text.len()
}

/// The number of bytes before the end of the line.
pub(super) fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The text without white space, line breaks and comments at its beginning.
pub(super) fn skip_blank(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if !text.starts_with("//") && !text.starts_with('#') {
            return text;
        }
        text = &text[line_length(text)..];
    }
}

/// Whether `text` begins with the head of a definition: a name, parameters, attributes, a priority and a colon.
pub(super) fn starts_definition(text: &str) -> bool {
    let text = text.trim_start_matches(['?', '!']);
    let name = name_prefix(text);
    let mut rest = text[name.len()..].trim_start_matches([' ', '\t']);
    if name.is_empty() {
        return false;
    }
    if let Some(after) = rest.strip_prefix('[') {
        rest = after[attributes_length(after)..].trim_start_matches([' ', '\t']);
    }
    if let Some(after) = rest.strip_prefix("::_") {
        rest = after.trim_start_matches([' ', '\t']);
    }
    if let Some(after) = rest.strip_prefix('{') {
        rest = after[after.find(['}', '\n']).unwrap_or(after.len())..].trim_start_matches(['}', ' ', '\t']);
    }
    if let Some(after) = rest.strip_prefix('.') {
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || "+- \t".contains(c));
    }
    rest.starts_with(':') && !rest.starts_with("::")
}

/// The length up to and including the closing bracket of attributes on this line; 0 if there is none. Brackets within strings do not
/// count.
fn attributes_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(next) = text[at..].find([']', '"', '\n']) {
        let rest = &text[at + next..];
        match rest.as_bytes()[0] {
            b']' => return at + next + 1,
            b'"' => match closing(rest, '"', false) {
                Some(end) => at += next + end + 1,
                None => break,
            },
            _ => break,
        }
    }
    0
}

/// The position of the delimiter that closes the one at the beginning of `text`. Delimiters behind a backslash do not count, and `lines`
/// says whether line breaks may come before.
pub(super) fn closing(text: &str, delimiter: char, lines: bool) -> Option<usize> {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            '\n' if !lines => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == delimiter => return Some(index),
            _ => {}
        }
    }
    None
}
