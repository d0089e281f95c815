//! Grammars, limits, and why an output stopped.

use crate::engine::grammar;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::{self, Debug, Display};

/// A grammar. llguidance takes several that refer to each other; gcc-grammar takes one.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TopLevelGrammar {
    /// The grammars.
    pub grammars: Vec<GrammarWithLexer>,
    /// The most tokens of an output, which must not be set.
    pub max_tokens: Option<usize>,
}

/// A JSON Schema or a Lark grammar.
#[derive(Serialize, Deserialize, Clone, Default)]
pub struct GrammarWithLexer {
    /// Its name, which has no meaning for a single grammar.
    pub name: Option<String>,
    /// The schema.
    pub json_schema: Option<Value>,
    /// The Lark grammar.
    pub lark_grammar: Option<String>,
}

/// What a parser is made of.
#[derive(Clone)]
#[non_exhaustive]
pub enum GrammarInit {
    /// A grammar.
    Serialized(TopLevelGrammar),
}

/// Limits of llguidance's parser. They have no effect: limits are options.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(default)]
pub struct ParserLimits {
    /// Items of one row of the chart.
    pub max_items_in_row: usize,
    /// Steps to build the lexer.
    pub initial_lexer_fuel: u64,
    /// Steps of the lexer for one mask.
    pub step_lexer_fuel: u64,
    /// Items of the chart for one mask.
    pub step_max_items: usize,
    /// States of the lexer.
    pub max_lexer_states: usize,
    /// Symbols of the grammar.
    pub max_grammar_size: usize,
    /// Whether large lexemes are computed in advance.
    pub precompute_large_lexemes: bool,
    /// Whether errors have the state of the parser.
    pub verbose_errors: bool,
}

impl Default for ParserLimits {
    fn default() -> Self {
        Self {
            max_items_in_row: 2000,
            initial_lexer_fuel: 1_000_000,
            step_lexer_fuel: 200_000,
            step_max_items: 50_000,
            max_lexer_states: 250_000,
            max_grammar_size: 500_000,
            precompute_large_lexemes: true,
            verbose_errors: true,
        }
    }
}

/// Why an output stopped. gcc-grammar uses [`NotStopped`](Self::NotStopped), [`NoExtension`](Self::NoExtension),
/// [`EndOfSentence`](Self::EndOfSentence) and [`InternalError`](Self::InternalError).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// It has not.
    NotStopped,
    /// The limit on the tokens of the output is reached.
    MaxTokensTotal,
    /// The limit on the tokens of the grammar is reached.
    MaxTokensParser,
    /// Nothing but an end token can come.
    NoExtension,
    /// Nothing but an end token can come, which was found late.
    NoExtensionBias,
    /// An end token came.
    EndOfSentence,
    /// An error, such as a token that could not come.
    InternalError,
    /// The lexer is at a limit.
    LexerTooComplex,
    /// The parser is at a limit.
    ParserTooComplex,
    /// The output was cancelled.
    Cancelled,
}

impl StopReason {
    /// Whether this is no error.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::NotStopped | Self::EndOfSentence | Self::NoExtension | Self::NoExtensionBias)
    }
}

impl Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, formatter)
    }
}

impl Debug for GrammarWithLexer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "GrammarWithLexer [{}]", if self.lark_grammar.is_some() { "lark" } else { "json" })
    }
}

impl TopLevelGrammar {
    /// A Lark grammar, or a list of grammars as JSON.
    ///
    /// # Errors
    /// The text is empty, or not the JSON of a list of grammars.
    pub fn from_lark_or_grammar_list(text: &str) -> Result<Self> {
        match text.trim_start().chars().next() {
            None => bail!("the grammar is empty"),
            Some('{') => Ok(serde_json::from_str(text)?),
            Some(_) => Ok(Self::from_lark(text.to_owned())),
        }
    }

    /// A regular expression.
    #[must_use]
    pub fn from_regex(pattern: &str) -> Self {
        Self::from_grammar(GrammarWithLexer::from_regex(pattern))
    }

    /// A Lark grammar.
    #[must_use]
    pub fn from_lark(grammar: String) -> Self {
        Self::from_grammar(GrammarWithLexer::from_lark(grammar))
    }

    /// A JSON Schema.
    #[must_use]
    pub fn from_json_schema(schema: Value) -> Self {
        Self::from_grammar(GrammarWithLexer::from_json_schema(schema))
    }

    /// A single grammar.
    #[must_use]
    pub fn from_grammar(grammar: GrammarWithLexer) -> Self {
        Self { grammars: vec![grammar], max_tokens: None }
    }

    /// A text, read by its kind: `regex`, `json` or `json_schema`, `json_object`, `lark`, `llguidance` or `guidance`.
    ///
    /// # Errors
    /// The kind is unknown, or the text is not the JSON that it must be.
    pub fn from_tagged_str(kind: &str, text: &str) -> Result<Self> {
        match kind {
            "regex" => Ok(Self::from_regex(text)),
            "json" | "json_schema" => Ok(Self::from_json_schema(serde_json::from_str(text)?)),
            "json_object" => Ok(Self::from_json_schema(json!({"type": "object"}))),
            "lark" => Ok(Self::from_lark(text.to_owned())),
            "llguidance" | "guidance" => Self::from_lark_or_grammar_list(text),
            _ => bail!("unknown constraint type: {kind}"),
        }
    }

    /// The kind and the text that [`grammar::read`] takes.
    pub(crate) fn source(&self) -> Result<(&'static str, String), String> {
        if self.max_tokens.is_some() {
            return Err(
                "max_tokens of a list of grammars is not supported: limit the tokens in the engine".into()
            );
        }
        match self.grammars.as_slice() {
            [GrammarWithLexer { json_schema: Some(schema), lark_grammar: None, .. }] => {
                Ok(("json_schema", schema.to_string()))
            }
            [GrammarWithLexer { json_schema: None, lark_grammar: Some(text), .. }] => {
                Ok(("lark", text.clone()))
            }
            _ => Err(grammar::NOT_ONE.into()),
        }
    }
}

impl GrammarWithLexer {
    /// A Lark grammar.
    #[must_use]
    pub fn from_lark(grammar: String) -> Self {
        Self { name: Some("lark_grammar".into()), lark_grammar: Some(grammar), json_schema: None }
    }

    /// A JSON Schema.
    #[must_use]
    pub fn from_json_schema(schema: Value) -> Self {
        Self { name: Some("json_schema".into()), json_schema: Some(schema), lark_grammar: None }
    }

    /// A regular expression.
    #[must_use]
    pub fn from_regex(pattern: &str) -> Self {
        Self { name: Some("regex".into()), ..Self::from_lark(grammar::of_pattern(pattern)) }
    }
}
