//! Parsers of argument values: spellings, which the library defines, and numbers within bounds.

use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use std::num::NonZeroUsize;
use std::str::FromStr;

/// A parser that accepts these spellings, each with its help text. The library must parse all of them.
pub(crate) fn spellings<T>(
    values: &'static [(&'static str, &'static str)],
) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let shown = |&(name, help): &(&'static str, &'static str)| {
        let value = PossibleValue::new(name);
        if help.is_empty() { value } else { value.help(help) }
    };
    PossibleValuesParser::new(values.iter().map(shown)).try_map(|text| text.parse())
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
