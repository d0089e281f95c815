//! The names of tools and parameters that the parsers of a family read.

use gcc_grammar_ir::words;
use serde::{Serialize, Serializer};

/// The names that the parsers of a family read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) enum Names {
    /// Any.
    #[default]
    Any,
    /// Tools without a colon, and any parameters.
    WithoutColon,
    /// Letters, digits and `_`.
    Words,
    /// Names of Python that begin with a letter of ASCII.
    Python,
    /// Tools as names of Python with points between them, and parameters that may be keywords.
    Dotted,
    /// Any tools, and parameters without white space at their ends, which is taken away.
    Stripped,
    /// The same without the sign at which a tag ends.
    Tagged,
    /// Tools as recipients of messages: letters and digits of ASCII, `_`, `.` and `-`, and none of the recipients of texts; any parameters.
    Recipients,
}

words!(Names is "the names of a family" {
    Any = "any",
    WithoutColon = "without-colon",
    Words = "words",
    Python = "python",
    Dotted = "dotted",
    Stripped = "stripped",
    Tagged = "tagged",
    Recipients = "recipients",
});

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The words that are no names in Python.
const KEYWORDS: &str = "False None True and as assert async await break class continue def del elif else except finally for from global if import in is \
    lambda nonlocal not or pass raise return try while with yield";

impl Names {
    pub(super) fn has_tool(self, name: &str) -> bool {
        match self {
            Self::Any | Self::Stripped | Self::Tagged => true,
            Self::WithoutColon => !name.contains(':'),
            Self::Words => is_word(name),
            Self::Python => is_python(name),
            Self::Dotted => name.split('.').all(|part| is_identifier(part) && !is_keyword(part)),
            Self::Recipients => is_recipient(name),
        }
    }

    pub(super) fn has_parameter(self, key: &str) -> bool {
        match self {
            Self::Any | Self::WithoutColon | Self::Recipients => true,
            Self::Stripped => key.trim() == key,
            Self::Tagged => key.trim() == key && !key.contains('>'),
            Self::Words => is_word(key),
            Self::Python => is_python(key),
            Self::Dotted => is_identifier(key),
        }
    }

    /// What the names of tools or parameters are.
    pub(super) const fn said(self, of_tools: bool) -> &'static str {
        match (self, of_tools) {
            (Self::Any, _) => "any",
            (Self::WithoutColon, _) => "names without a colon",
            (Self::Words, _) => "letters, digits and _",
            (Self::Python, _) => {
                "letters, digits and _, begin with a letter from a to z, and are no keywords of Python, such as class"
            }
            (Self::Dotted, true) => {
                "letters, digits and _, with points between parts, and no part is a keyword of Python, such as class"
            }
            (Self::Stripped, _) => "names without white space at their ends",
            (Self::Tagged, _) => "names without white space at their ends, and without >",
            (Self::Recipients, _) => {
                "letters from a to z, digits, and the signs _ . -, and none of self, user, commentary, developer, to which other messages go"
            }
            (Self::Dotted, false) => "letters, digits and _, and begin with no digit",
        }
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || character == '_')
}

fn is_recipient(name: &str) -> bool {
    let is_of_texts = matches!(name, "self" | "user" | "commentary" | "developer");
    !is_of_texts && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

fn is_identifier(name: &str) -> bool {
    is_word(name) && !name.starts_with(char::is_numeric)
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.split_ascii_whitespace().any(|word| word == name)
}

fn is_python(name: &str) -> bool {
    is_word(name) && name.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_keyword(name)
}
