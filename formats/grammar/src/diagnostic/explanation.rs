//! The explanation of a kind of diagnostic: its meaning, an example, and the remedy.

use std::fmt;

/// The explanation of a [`Code`](crate::Code).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// What the code means, in one sentence.
    pub meaning: &'static str,
    /// A small input that gives a diagnostic with this code.
    pub example: Option<Example>,
    /// What to do about it, in one or two sentences.
    pub remedy: &'static str,
}

/// An input that gives a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Example {
    /// What kind of input it is.
    pub notation: Notation,
    /// The input.
    pub text: &'static str,
}

/// The kind of input of an [`Example`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Notation {
    /// A grammar in Lark's notation.
    Lark,
    /// A grammar in GBNF, the notation of llama.cpp.
    Gbnf,
    /// A grammar in EBNF, the notation of XGrammar.
    Ebnf,
    /// A grammar in the EBNF of the W3C.
    W3c,
    /// A grammar in ABNF.
    Abnf,
    /// A grammar of ANTLR.
    Antlr,
    /// A grammar of tree-sitter.
    TreeSitter,
    /// A regular expression.
    Regex,
    /// Choices, one on each line.
    Choices,
    /// A JSON Schema.
    JsonSchema,
    /// A structural tag.
    StructuralTag,
    /// A command line.
    Command,
}

impl Notation {
    /// The name of the notation, such as `json-schema`; for the command line `sh`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lark => "lark",
            Self::Gbnf => "gbnf",
            Self::Ebnf => "ebnf",
            Self::W3c => "w3c",
            Self::Abnf => "abnf",
            Self::Antlr => "antlr",
            Self::TreeSitter => "tree-sitter",
            Self::Regex => "regex",
            Self::Choices => "choices",
            Self::JsonSchema => "json-schema",
            Self::StructuralTag => "structural-tag",
            Self::Command => "sh",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
