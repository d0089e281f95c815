//! Parsers of argument values: words and texts, which the library defines, and numbers within bounds.

use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use gcc_grammar::Words;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// A parser that accepts the words of an option, with their help texts, if they have some.
pub(crate) fn words<T: Words>(helps: &'static [&'static str]) -> PossibleValuesParser {
    let helps = helps.iter().map(Some).chain(std::iter::repeat(None));
    let shown = |(word, help): (&&'static str, Option<&&'static str>)| match help {
        Some(help) => PossibleValue::new(*word).help(*help),
        None => PossibleValue::new(*word),
    };
    PossibleValuesParser::new(T::WORDS.iter().zip(helps).map(shown))
}

/// The same, for the value of the option.
pub(crate) fn typed<T>(helps: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: Words + FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    words::<T>(helps).try_map(|word| word.parse())
}

/// A text that is a value of an option.
pub(crate) fn checked<T: FromStr>(text: &str) -> Result<String, T::Err> {
    text.parse::<T>().map(|_| text.to_owned())
}

/// A parser of a number that is at most `most`: one by which memory is taken or work is done.
pub(crate) fn at_most(most: u64) -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::<u64>::new().range(..=most).map(|number| number as usize)
}

/// The same for a number that is at least 1.
pub(crate) fn from_one_to(most: u64) -> impl TypedValueParser<Value = NonZeroUsize> {
    let parser = RangedU64ValueParser::<u64>::new().range(1..=most);
    parser.map(|number| NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN))
}
