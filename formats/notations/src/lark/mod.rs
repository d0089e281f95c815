//! Grammars in the language of [Lark](https://lark-parser.readthedocs.io/en/stable/grammar.html).
//!
//! ```text
//! text ──token──▶ tokens ──syntax.lalrpop──▶ ast ──program──▶ definitions of all imported files
//!      ──names──▶ checked ──terminals──▶ regular expressions ──rules──▶ Grammar ──check──▶ diagnostics
//! ```
//! Differences from Lark, which are about the language only, never about parse trees:
//! - A terminal matches as a regular language: the longest match counts, whatever the order of alternatives. Only if it has a
//!   lazy repetition (`.*?`) does it match what a backtracking matcher would.
//! - Conflicts between rules are explored, not resolved, so priorities of rules are read and have no effect; [`precedence`] can be declared.
//! - Aliases, `?`, `!` and leading underscores shape trees only and have no effect.
//! - Look-around and back-references are refused.
//!
//! `%layout` and `%enclose` are for languages in which indentation has meaning, see [`layout`].
//!
//! Of the dialect of [llguidance](https://github.com/guidance-ai/llguidance/blob/main/docs/syntax.md) these are read, too:
//! special tokens (`<name>`, `<[ids]>`), any tokens (`<[*]>*`), `x{2,5}`, `&` and `~` on terminals, `%regex {…}`, hyphens in names, the
//! attributes `lazy`, `suffix` and `stop`, and JSON Schemas (`%json {…}`), between whose lexemes nothing is ignored. The directive
//! `%llguidance {…}` also makes regular expressions those of Rust, and lets terminals match the empty string: their uses become optional.

mod ast;
mod attributes;
mod contexts;
mod escape;
mod layout;
mod lexemes;
mod names;
mod precedence;
mod program;
mod python_regex;
#[cfg(test)]
mod round_trip;
mod rules;
mod sources;
mod stops;
mod structured;
mod terminals;
#[cfg(test)]
mod tests;
mod token;

pub use gcc_grammar_ir::Parsed;
pub use sources::{BuiltIn, Directories, Source, Sources};

use ast::Item;
use gcc_grammar_ir::{Code, Diagnostic, Location, check};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::RegularLimits;
use lalrpop_util::{ParseError, lalrpop_mod};
use program::Program;
use std::convert::Infallible;
use token::{Span, Token};

lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unreachable_pub, missing_docs, private_interfaces, unused)]
    syntax,
    "/lark/syntax.rs"
);

/// How a grammar is read.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// The rule that derives whole texts.
    pub start: &'o str,
    /// Where imported files come from.
    pub sources: &'o dyn Sources,
    /// What each terminal may cost.
    pub limits: RegularLimits,
    /// What `%json` makes of schemas; none for the default.
    pub json: Option<&'o json_schema::Options>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { start: "start", sources: &BuiltIn, limits: RegularLimits::default(), json: None }
    }
}

/// Reads a grammar whose start rule is `start` and that imports only what is built in.
pub fn parse(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse_with(text, &Options::default())
}

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse_with(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let mut program = Program::load(text, options.sources)?;
    names::check_names(&program)?;
    stops::join(&mut program, options.start)?;
    let terminals = terminals::Terminals::build(&program, &options.limits)?;
    let lowered = rules::lower(&program, &terminals, options)?;
    let (errors, mut warnings) =
        check::check(&lowered.grammar, |terminal| lowered.terminal_location(terminal));
    if !errors.is_empty() {
        return Err(errors);
    }
    warnings.retain(|warning| !lowered.is_of_lowering(warning));
    warnings.extend(lowered.warnings);
    Ok(Parsed { grammar: lowered.grammar, warnings })
}

/// A file of a grammar.
struct Module {
    name: String,
    text: String,
    /// Where the given file imports it, directly or not; none for the given file itself.
    imported_at: Option<Span>,
}

/// Parses one file.
fn syntax_tree(text: &str) -> Result<Vec<Item>, Diagnostic> {
    let tokens = token::tokenize(text)?;
    let parsed = syntax::ItemsParser::new().parse(tokens.into_iter().map(Ok));
    parsed.map_err(|error| syntax_error(error, text))
}

fn syntax_error(error: ParseError<usize, Token, Infallible>, text: &str) -> Diagnostic {
    let (found, span, expected) = match error {
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            (token.to_string(), start..end, expected)
        }
        ParseError::ExtraToken { token: (start, token, end) } => (token.to_string(), start..end, Vec::new()),
        ParseError::UnrecognizedEof { location, expected } => {
            ("end of text".to_string(), location..location, expected)
        }
        ParseError::InvalidToken { location } => ("nothing".to_string(), location..location, Vec::new()),
        ParseError::User { error } => match error {},
    };
    let message = match found.as_str() {
        "end of line" => "the definition ends too early".to_string(),
        _ => format!("{found} is out of place"),
    };
    let start = span.start.min(text.len());
    let error = Diagnostic::error(Code::Syntax, message).at(Location::Span(start..span.end.min(text.len())));
    if expected.is_empty() { error } else { error.help(format!("expected {}", list(&expected))) }
}

/// The expected tokens in words; what can begin a value is summed up.
fn list(expected: &[String]) -> String {
    let expected: Vec<&str> = expected.iter().map(|name| name.trim_matches('"')).collect();
    let value = ["text", "pattern", "rule", "terminal"];
    let any_value = value.iter().all(|name| expected.contains(name));
    let mut words: Vec<String> = Vec::new();
    if any_value {
        words.push("a name, a string or a regular expression".to_string());
    }
    let summed_up = |name: &str| {
        value.contains(&name) || matches!(name, "special" | "%regex" | "%json" | "times" | "bounds_token")
    };
    words.extend(expected.into_iter().filter(|name| !(any_value && summed_up(name))).map(in_words));
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// A token of the syntax as its users know it.
fn in_words(name: &str) -> String {
    match name {
        "rule" => "the name of a rule",
        "terminal" => "the name of a terminal",
        "number" => "a number",
        "text" => "a string",
        "pattern" => "a regular expression",
        "special" => "a special token",
        "json" => "a JSON object",
        "bounds_token" => "`{`",
        "times" => "`~`",
        "modifier" => "`?` or `!`",
        "Newline" => "the end of the line",
        sign => return format!("`{sign}`"),
    }
    .to_string()
}
