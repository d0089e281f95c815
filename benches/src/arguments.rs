//! Reads the arguments of a benchmark program: options, which begin with `--`, and positional words.
//!
//! A program takes its options by name, in any order, and then the [`rest`](Arguments::rest). An option that was not taken by then is
//! unknown.

use crate::Result;
use std::env;
use std::fmt::Display;
use std::str::FromStr;

/// The words of a command line that have not been taken yet.
pub struct Arguments {
    words: Vec<String>,
    usage: &'static str,
}

impl Arguments {
    /// The arguments of this process. Errors quote `usage`.
    #[must_use]
    pub fn from_env(usage: &'static str) -> Self {
        Self { words: env::args().skip(1).collect(), usage }
    }

    /// Takes an option without a value. Returns whether it was given.
    pub fn flag(&mut self, name: &str) -> bool {
        let count = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() < count
    }

    /// Takes all values of an option that may be repeated.
    ///
    /// # Errors
    /// The option stands at the end, without a value.
    pub fn values(&mut self, name: &str) -> Result<Vec<String>> {
        let mut values = Vec::new();
        while let Some(at) = self.words.iter().position(|word| word == name) {
            if at + 1 == self.words.len() {
                return Err(format!("{name} needs a value; usage: {}", self.usage).into());
            }
            values.extend(self.words.drain(at..at + 2).nth(1));
        }
        Ok(values)
    }

    /// Takes the value of an option. If the option is repeated the last value counts.
    ///
    /// # Errors
    /// The option has no value, or the value is not of this type.
    pub fn value<T: FromStr<Err: Display>>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.values(name)?.pop() else { return Ok(None) };
        value.parse().map(Some).map_err(|error| format!("{name} {value}: {error}").into())
    }

    /// Takes the value of an option that has a default.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn value_or<T: FromStr<Err: Display>>(&mut self, name: &str, default: T) -> Result<T> {
        Ok(self.value(name)?.unwrap_or(default))
    }

    /// Takes the positional words, at least `least` of them.
    ///
    /// # Errors
    /// There are fewer words, or an unknown option is left.
    pub fn rest(self, least: usize) -> Result<Vec<String>> {
        if let Some(unknown) = self.words.iter().find(|word| word.starts_with("--")) {
            return Err(format!("unknown option {unknown}; usage: {}", self.usage).into());
        }
        if self.words.len() < least { Err(format!("usage: {}", self.usage).into()) } else { Ok(self.words) }
    }

    /// Checks that no word is left.
    ///
    /// # Errors
    /// There is an unknown option or an unexpected word.
    pub fn finish(self) -> Result<()> {
        let usage = self.usage;
        match self.rest(0)?.first() {
            Some(word) => Err(format!("unexpected argument {word}; usage: {usage}").into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> Arguments {
        Arguments { words: line.split_whitespace().map(str::to_owned).collect(), usage: "program FOLDER.." }
    }

    #[test]
    fn options_may_stand_anywhere() {
        let mut arguments = arguments("a --seed 1 b --list --seed 2");
        assert!(arguments.flag("--list") && !arguments.flag("--list"));
        assert_eq!(arguments.value_or("--seed", 0).unwrap(), 2);
        assert_eq!(arguments.value_or("--show", 20).unwrap(), 20);
        assert_eq!(arguments.rest(1).unwrap(), ["a", "b"]);
    }

    #[test]
    fn errors_say_which_word_is_wrong() {
        let unknown = arguments("a --sed 1").rest(1).unwrap_err();
        assert_eq!(unknown.to_string(), "unknown option --sed; usage: program FOLDER..");
        let no_number = arguments("--seed one").value_or("--seed", 0).unwrap_err();
        assert_eq!(no_number.to_string(), "--seed one: invalid digit found in string");
        assert!(arguments("--seed").value::<u64>("--seed").is_err());
        assert!(arguments("").rest(1).is_err() && arguments("a").finish().is_err());
    }
}
