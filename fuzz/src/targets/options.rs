//! The values of options: what is read is written in the same way, and what cannot be read is refused with the known values.

use crate::mutate::text;
use crate::target::Target;
use gcc_grammar::json_schema::{
    Draft, Formats, Profile, PropertyOrder, RepeatedKeys, Strings, Unenforced, Whitespace,
};
use gcc_grammar::{Code, Notation, SchemaOptions};
use gcc_grammar_tests::generate::Random;
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub(super) const OPTIONS: Target = Target {
    name: "options",
    about: "values of options are read as they are written",
    seeds,
    mutate: text::mutate,
    check,
    executions: 20_000,
};

fn seeds() -> Vec<Vec<u8>> {
    let words = WORDS.iter().map(|word| (*word).to_owned());
    let notations = Notation::ALL.iter().map(ToString::to_string);
    words.chain(notations).map(String::into_bytes).collect()
}

fn check(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    check_value::<Whitespace>(text);
    check_value::<Strings>(text);
    check_value::<PropertyOrder>(text);
    check_value::<RepeatedKeys>(text);
    check_value::<Formats>(text);
    check_value::<Unenforced>(text);
    check_value::<Draft>(text);
    check_value::<Profile>(text);
    check_value::<Notation>(text);
    check_value::<Code>(text);
}

fn check_value<T: FromStr + Display + Debug + PartialEq>(text: &str)
where
    T::Err: Display + Debug + PartialEq,
{
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse().as_ref(), Ok(&value), "written and read again"),
        Err(error) => assert!(!error.to_string().is_empty(), "an error without a message"),
    }
}

/// Values of options of schemas. No word belongs to two options.
const WORDS: [&str; 29] = [
    "compact",
    "spaced",
    "single",
    "flexible",
    "flexible:2",
    "flexible:0",
    "printed",
    "all",
    "canonical",
    "plain",
    "zeros",
    "declared",
    "order=any",
    "repeated=refuse",
    "assert",
    "annotate",
    "refuse",
    "allow",
    "4",
    "openapi-3.0",
    "6",
    "7",
    "2019-09",
    "2020-12",
    "openai",
    "xgrammar",
    "llguidance",
    "outlines",
    "point",
];

/// Reads the options of schemas from words. The same word could mean two things only for `any`, which is white space here.
pub(super) fn read_words(words: &str) -> SchemaOptions {
    let mut options = SchemaOptions::default();
    for word in words.split_whitespace() {
        if let Ok(value) = word.parse() {
            options.whitespace = value;
        } else if let Ok(value) = word.parse() {
            options.strings = value;
        } else if let Ok(value) = word.parse() {
            options.integer_spelling = value;
        } else if let Some(Ok(value)) = word.strip_prefix("order=").map(str::parse) {
            options.property_order = value;
        } else if let Some(Ok(value)) = word.strip_prefix("repeated=").map(str::parse) {
            options.repeated_keys = value;
        } else if let Ok(value) = word.parse() {
            options.formats = value;
        } else if let Ok(value) = word.parse() {
            options.unenforced = value;
        } else if let Ok(value) = word.parse() {
            options.draft = Some(value);
        } else if let Ok(value) = word.parse() {
            options.profile = Some(value);
        } else if word == "point" {
            options.integer_with_point = Some(true);
        }
    }
    options
}

/// Adds, replaces or removes a word.
pub(super) fn mutate_words(random: &mut Random, words: &str) -> String {
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let at = random.below(words.len() + 1);
    match random.below(3) {
        0 if at < words.len() => drop(words.remove(at)),
        1 if at < words.len() => words[at] = *random.pick(&WORDS),
        _ => words.insert(at, *random.pick(&WORDS)),
    }
    words.join(" ")
}
