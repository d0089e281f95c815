//! What values there are, and what happens to values and rules.

/// The type of a JSON value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ValueType {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
}

impl ValueType {
    /// Its name in JSON Schema.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
        }
    }
}

/// What happened to a value or a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Happened {
    /// Its first byte was written.
    Began,
    /// A string, a number or a literal, or the innermost rule, has more text than before the commit, and is not ended.
    Grew,
    /// It is complete. A number is when the next byte is written, or the output ends; a rule when every derivation says so.
    Ended,
}

impl Happened {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Began => "began",
            Self::Grew => "grew",
            Self::Ended => "ended",
        }
    }
}
