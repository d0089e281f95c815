//! The options that a profile sets.

use crate::options::{IntegerSpelling, Options, Strings, Whitespace};
use crate::profile::Profile;

impl Options {
    /// The options that a profile sets.
    #[must_use]
    pub fn of(profile: Profile) -> Self {
        let options = Self { profile: Some(profile), ..Self::default() };
        let integer_spelling = IntegerSpelling::Plain;
        match profile {
            Profile::OpenAi => options,
            Profile::XGrammar => Self { whitespace: Whitespace::Inner, integer_spelling, ..options },
            Profile::LlGuidance => {
                let (whitespace, strings) = (Whitespace::Inner, Strings::Canonical);
                Self { whitespace, strings, integer_spelling, ..options }
            }
            Profile::Outlines => {
                let (whitespace, strings) = (Whitespace::Single, Strings::Canonical);
                Self { whitespace, strings, integer_spelling, ..options }
            }
        }
    }
}
