//! The JSON of a grammar.

use crate::scanner::error;
use gcc_grammar_ir::json::Members;
use gcc_grammar_ir::{Code, Diagnostic};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;

/// A grammar.
pub(super) struct Grammar {
    pub(super) word: Option<String>,
    /// The rules in the order of the text, the start rule first.
    pub(super) rules: Vec<Rule>,
    pub(super) extras: Vec<Content>,
    /// The names of the tokens of the external scanner.
    pub(super) externals: Vec<String>,
    /// Whether words are reserved in some contexts.
    pub(super) has_reserved: bool,
}

/// A rule, and where it is written.
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) content: Content,
}

/// What a rule consists of.
#[derive(Deserialize, Debug)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Content {
    Blank,
    String { value: String },
    Pattern { value: String, flags: Option<String> },
    Symbol { name: String },
    Seq { members: Vec<Content> },
    Choice { members: Vec<Content> },
    Repeat { content: Box<Content> },
    Repeat1 { content: Box<Content> },
    Token { content: Box<Content> },
    ImmediateToken { content: Box<Content> },
    Prec { value: Value, content: Box<Content> },
    PrecLeft { content: Box<Content> },
    PrecRight { content: Box<Content> },
    PrecDynamic { content: Box<Content> },
    Alias { content: Box<Content> },
    Field { content: Box<Content> },
    Reserved { content: Box<Content> },
}

#[derive(Deserialize)]
struct Written<'t> {
    #[serde(rename = "name")]
    _name: String,
    word: Option<String>,
    #[serde(borrow)]
    rules: Members<&'t RawValue>,
    extras: Option<Vec<Content>>,
    externals: Option<Vec<Content>>,
    reserved: Option<Value>,
}

/// Reads a grammar.
pub(super) fn read(text: &str) -> Result<Grammar, Diagnostic> {
    let written: Written<'_> =
        serde_json::from_str(text).map_err(|problem| bad(text, &problem, 0..text.len()))?;
    let mut rules = Vec::new();
    for (name, raw) in written.rules.0 {
        let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
        let span = start..start + raw.get().len();
        let content = serde_json::from_str(raw.get()).map_err(|problem| {
            let message = format!("the rule `{name}` is not one of tree-sitter: {problem}");
            error(Code::BadJson, message, start..start + 1)
                .help("give the `grammar.json` that `tree-sitter generate` writes")
        })?;
        // Of a rule, the first character is marked.
        rules.push(Rule { name, span: span.start..span.start + 1, content });
    }
    let name = |content: Content| match content {
        Content::Symbol { name } => Some(name),
        _ => None,
    };
    let externals = written.externals.unwrap_or_default().into_iter().filter_map(name).collect();
    let blank = || vec![Content::Pattern { value: "\\s".to_owned(), flags: None }];
    let has_reserved =
        written.reserved.is_some_and(|reserved| reserved.as_object().is_some_and(|sets| !sets.is_empty()));
    Ok(Grammar {
        word: written.word,
        rules,
        extras: written.extras.unwrap_or_else(blank),
        externals,
        has_reserved,
    })
}

fn bad(text: &str, problem: &serde_json::Error, _: Range<usize>) -> Diagnostic {
    let line = problem.line().saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let at = (start + problem.column().saturating_sub(1)).min(text.len());
    let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    error(Code::BadJson, format!("this is no grammar of tree-sitter: {problem}"), at..at)
        .help("give the `grammar.json` that `tree-sitter generate` writes")
}

/// The kinds of rules.
const KINDS: &str = "ALIAS BLANK CHOICE FIELD IMMEDIATE_TOKEN PATTERN PREC PREC_DYNAMIC PREC_LEFT PREC_RIGHT \
    REPEAT REPEAT1 RESERVED SEQ STRING SYMBOL TOKEN";

/// Whether a JSON text has a name, and rules of these kinds.
pub(super) fn is_grammar(text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    let is_rule =
        |rule: &Value| rule["type"].as_str().is_some_and(|kind| KINDS.split(' ').any(|known| known == kind));
    let rules = value["rules"].as_object();
    value["name"].is_string() && rules.is_some_and(|rules| !rules.is_empty() && rules.values().all(is_rule))
}
