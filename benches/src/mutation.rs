//! Mutates programs: [`mutate`] deletes, doubles or replaces one lexeme, [`edit`] changes one character.
//!
//! Lexemes are found in a rough way that fits many languages: words and numbers, strings, and single other characters. Comments and
//! white space are not lexemes.

use crate::tokenization::Random;
use std::ops::Range;

/// The comments of a language: the text that begins a comment up to the end of the line, and whether there are comments in `/* */`.
#[derive(Clone, Copy, Debug)]
pub struct Comments {
    line: &'static str,
    block: bool,
}

impl Comments {
    /// The comments of the language whose files have this extension.
    #[must_use]
    pub fn of_extension(extension: &str) -> Self {
        match extension {
            "py" | "yaml" => Self { line: "#", block: false },
            "lua" => Self { line: "--", block: false },
            "sql" => Self { line: "--", block: true },
            "xml" => Self { line: "<!--", block: false },
            _ => Self { line: "//", block: true },
        }
    }
}

/// The byte ranges of the lexemes, in order.
#[must_use]
pub fn lexemes(text: &str, comments: Comments) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, kept) = if next.is_whitespace() {
            (next.len_utf8(), false)
        } else if rest.starts_with(comments.line) {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if comments.block && rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), false)
        } else {
            (lexeme_length(rest, next), true)
        };
        if kept {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

/// The length of the lexeme at the beginning of `rest`.
fn lexeme_length(rest: &str, first: char) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match first {
        '"' | '\'' | '`' => string_length(rest, first),
        _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        _ => first.len_utf8(),
    }
}

/// The length of a string with its quotes. Without a closing quote on the line the opening quote is a lexeme of its own.
fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote != '`' => break,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    1
}

/// A change of a program, and the changed program.
#[derive(Debug)]
pub struct Mutation {
    /// The byte offset of the change.
    pub at: usize,
    /// A description of the change.
    pub description: String,
    /// The changed program.
    pub text: String,
}

/// Deletes or doubles a random lexeme, or replaces it by another lexeme of the program. `lexemes` is not empty.
pub fn mutate(text: &str, lexemes: &[Range<usize>], random: &mut Random) -> Mutation {
    let place = lexemes[random.below(lexemes.len())].clone();
    let old = &text[place.clone()];
    let (description, new) = match random.below(3) {
        0 => (format!("{old:?} deleted"), String::new()),
        1 => (format!("{old:?} doubled"), format!("{old} {old}")),
        _ => {
            let other = &text[lexemes[random.below(lexemes.len())].clone()];
            (format!("{old:?} replaced by {other:?}"), other.to_owned())
        }
    };
    let text = format!("{}{new}{}", &text[..place.start], &text[place.end..]);
    Mutation { at: place.start, description, text }
}

/// Characters that begin or end lexemes in many languages.
const MARKS: &str = " \n\t\r\\\"'`/*#-+.,:;=<>(){}[]_$@!&|xe0u9é\u{2028}\u{0}";

/// Deletes or replaces a random character, or inserts a character before it. The text is not empty.
pub fn edit(text: &str, random: &mut Random) -> Mutation {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let pick = |random: &mut Random, from: &str| {
        from.chars().nth(random.below(from.chars().count())).expect("the number is below the count")
    };
    let at = starts[random.below(starts.len())];
    let old = text[at..].chars().next().expect("a character starts here");
    let other = starts[random.below(starts.len())];
    let new = match random.below(4) {
        0 => String::new(),
        1 => String::from_iter([pick(random, MARKS), old]),
        2 => String::from(pick(random, MARKS)),
        _ => text[other..].chars().take(1).chain([old]).collect(),
    };
    let description = format!("{old:?} edited to {new:?}");
    let text = format!("{}{new}{}", &text[..at], &text[at + old.len_utf8()..]);
    Mutation { at, description, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_white_space_are_no_lexemes() {
        let text = "f(\"a\\\"b\", x1) /* ( */ + 'it // )\n";
        let found = lexemes(text, Comments::of_extension("c"));
        let texts: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(texts, ["f", "(", "\"a\\\"b\"", ",", "x1", ")", "+", "'", "it"]);
    }

    #[test]
    fn mutations_change_one_lexeme() {
        let places = lexemes("a b", Comments::of_extension("c"));
        let mut random = Random(1);
        for _ in 0..20 {
            let text = mutate("a b", &places, &mut random).text;
            assert!(["a ", " b", "a a b", "a b b", "a b", "a a", "b b"].contains(&text.as_str()), "{text}");
        }
    }
}
