//! The texts of a family, with places for what differs from call to call.
//!
//! | in a template | is |
//! |---|---|
//! | `$name` | the name of the tool |
//! | `$arguments` | its arguments, in the style of the family |
//! | `$_` | white space, of up to 34 characters |
//! | `$object` | the members of a call that is an object, in any order ([`Object`](super::object::Object)) |
//! | `$(PATTERN)` | a text that the pattern matches |
//! | anything else | itself |

/// White space, with a bound, so that no model writes it for ever. Parsers of calls take any.
pub(super) const SPACE: &str = r"[ \t\r\n]{0,34}";

/// A part of a template.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    Text(String),
    Pattern(String),
    Arguments,
}

impl Part {
    /// The text, if it is one.
    pub(super) fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The pattern, if it is one.
    pub(super) fn into_pattern(self) -> Option<String> {
        match self {
            Self::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }
}

/// The parts of a template for a tool; texts that follow each other are one.
pub(super) fn parts(template: &str, name: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        text(&mut parts, &rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("name") {
            text(&mut parts, name);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("arguments") {
            parts.push(Part::Arguments);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('_') {
            parts.push(Part::Pattern(SPACE.to_owned()));
            rest = after;
        } else if let Some(length) = enclosed(rest) {
            parts.push(Part::Pattern(rest[1..length - 1].to_owned()));
            rest = &rest[length..];
        } else {
            text(&mut parts, "$");
        }
    }
    text(&mut parts, rest);
    parts
}

/// The parts of a text behind those that it begins with.
pub(super) fn behind(parts: &[Part], beginning: &[Part]) -> Option<Vec<Part>> {
    let Some((last, whole)) = beginning.split_last() else { return Some(parts.to_vec()) };
    let rest = parts.strip_prefix(whole)?;
    match (rest.split_first()?, last) {
        ((Part::Text(text), rest), Part::Text(last)) => {
            let left = text.strip_prefix(last.as_str())?;
            let left = (!left.is_empty()).then(|| Part::Text(left.to_owned()));
            Some(left.into_iter().chain(rest.iter().cloned()).collect())
        }
        ((part, rest), last) => (part == last).then(|| rest.to_vec()),
    }
}

/// A template with the first of the words of each pattern that lists words, as models write it.
pub(super) fn as_written(template: &str) -> String {
    let written = parts(template, "$name").into_iter().map(|part| match part {
        Part::Text(text) => text,
        Part::Arguments => "$arguments".to_owned(),
        Part::Pattern(pattern) if pattern == SPACE => "$_".to_owned(),
        Part::Pattern(pattern) => first_word(&pattern).unwrap_or_else(|| format!("$({pattern})")),
    });
    written.collect()
}

/// The first word of a pattern such as `(a|b)` or `(a\\.)?`.
fn first_word(pattern: &str) -> Option<String> {
    let inner = pattern.strip_prefix('(')?;
    let words = inner.strip_suffix(")?").or_else(|| inner.strip_suffix(')'))?;
    let word = words.split('|').next()?.replace("\\.", ".");
    word.chars()
        .all(|character| character.is_ascii_alphanumeric() || "._".contains(character))
        .then_some(word)
}

fn text(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Part::Text(last)) => last.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

/// The length of the parenthesis at the beginning of a text. No pattern has a parenthesis that is a character.
fn enclosed(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (character == ')').then_some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_models_write() {
        let written =
            as_written("<$_$((functions\\.)?)$name:$([0-9]{1,4}) $((json|code)) $(( *x)?)$arguments>");
        assert_eq!(written, "<$_functions.$name:$([0-9]{1,4}) json $(( *x)?)$arguments>");
    }

    #[test]
    fn places_are_found() {
        let text = |text: &str| Part::Text(text.to_owned());
        assert_eq!(
            parts("<$name:$((a|b)+)>$_$arguments$", "f"),
            [
                text("<f:"),
                Part::Pattern("(a|b)+".to_owned()),
                text(">"),
                Part::Pattern(SPACE.to_owned()),
                Part::Arguments,
                text("$")
            ]
        );
        assert_eq!(parts("", "f"), []);
        assert_eq!(parts("$name$name", "a"), [text("aa")]);
    }
}
