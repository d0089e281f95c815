//! What values there are, and what happens to values and rules.

use gcc_grammar_ir::words;

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

words!(ValueType is "the type of a value" {
    Object = "object",
    Array = "array",
    String = "string",
    Number = "number",
    Boolean = "boolean",
    Null = "null",
});

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

words!(Happened is "what happened" { Began = "began", Grew = "grew", Ended = "ended" });
