//! The text form of codes: printing, comparing and reading them, as for `check --explain CODE`.

use super::code::Code;
use crate::spelling::similar;
use std::fmt;
use std::str::FromStr;

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let similar = || similar(text, Self::ALL.iter().map(|code| code.as_str()));
        let known = Self::ALL.iter().find(|code| code.as_str() == text).copied();
        known.ok_or_else(|| UnknownCode { text: text.to_owned(), similar: similar() })
    }
}

/// The error of reading a [`Code`] from a text that is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownCode {
    /// The text.
    pub text: String,
    /// The code that the text may be a misspelling of.
    pub similar: Option<&'static str>,
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no diagnostic with the code `{}`", self.text)?;
        match self.similar {
            Some(similar) => write!(f, "; did you mean `{similar}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownCode {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::explanation::Explanation;

    #[test]
    fn every_code_is_read_back() {
        for code in Code::ALL {
            assert_eq!(code.to_string().parse(), Ok(*code));
        }
    }

    #[test]
    fn codes_are_sorted_and_kebab_case() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].as_str() < pair[1].as_str()));
        for code in Code::ALL {
            let words: Vec<&str> = code.as_str().split('-').collect();
            let kebab =
                |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'8');
            assert!(words.iter().all(kebab), "{code}");
            assert_eq!(
                words.concat(),
                format!("{code:?}").to_lowercase(),
                "the variant is named like its text form"
            );
        }
    }

    #[test]
    fn unknown_codes_name_a_similar_one() {
        let error = "undefined-nmae".parse::<Code>().expect_err("misspelt");
        assert_eq!(
            error.to_string(),
            "there is no diagnostic with the code `undefined-nmae`; did you mean `undefined-name`?"
        );
        let error: Box<dyn std::error::Error + Send + Sync> = Box::new(error);
        assert!(error.downcast_ref::<UnknownCode>().is_some());
        assert_eq!("xyz".parse::<Code>().map_err(|error| error.similar), Err(None));
    }

    #[test]
    fn explanations_are_sentences() {
        for code in Code::ALL {
            let Explanation { meaning, example, remedy } = code.explanation();
            for text in [meaning, remedy] {
                assert!(text.ends_with('.') && !text.contains('\n'), "{code}: {text}");
                assert!(text.starts_with(|c: char| c.is_uppercase() || c == '`'), "{code}: {text}");
            }
            assert!(example.is_none_or(|example| !example.text.is_empty()), "{code}");
        }
    }
}
