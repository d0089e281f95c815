//! Parsers of argument values. The library defines the spellings of these values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
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
