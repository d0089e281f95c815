//! Options that are words: their text form, and the error of a text that is none of them.

use std::error::Error;
use std::fmt;

/// Gives an enum of words its text form: `ALL`, `as_str`, `Display` and `FromStr`. A value may have further words that are read only.
#[macro_export]
macro_rules! words {
    ($option:ident is $name:literal { $($value:ident = $word:literal $(| $also:literal)*),+ $(,)? }) => {
        impl $option {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The value as the command line spells it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }
        }

        impl $crate::words::Words for $option {
            const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl std::fmt::Display for $option {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $option {
            type Err = $crate::words::InvalidOption;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word $(| $also)* => Ok(Self::$value),)+
                    _ => {
                        let expected = $crate::words::list(<Self as $crate::words::Words>::WORDS);
                        Err($crate::words::InvalidOption::new($name, text, expected))
                    }
                }
            }
        }
    };
}

/// An option that is one of these words.
pub trait Words {
    /// The words that are written, in the order of the values.
    const WORDS: &'static [&'static str];
}

/// A text that is not among the values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidOption {
    option: &'static str,
    text: String,
    expected: String,
}

impl InvalidOption {
    /// A text that is none of the values of an option.
    #[must_use]
    pub fn new(option: &'static str, text: &str, expected: String) -> Self {
        Self { option, text: text.to_owned(), expected }
    }
}

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { option, text, expected } = self;
        write!(f, "`{text}` is not a value for {option}; expected {expected}")
    }
}

impl Error for InvalidOption {}

/// The words as a list in a sentence: `a, b or c`.
#[must_use]
pub fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [words @ .., last] => format!("{} or {last}", words.join(", ")),
    }
}
