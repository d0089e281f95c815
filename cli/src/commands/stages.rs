//! `gcc-grammar stages`: the tables of every stage of the compiler, for a small grammar and a small
//! vocabulary.

use crate::arguments::{GrammarArguments, LimitArguments, VocabularyArguments, warn_if_not_kept};
use crate::failure::{Exit, Failure};
use crate::render::stages::{stages_json, stages_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Options, Selection, Vocabulary, parse_for, stages};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The tokens of the vocabulary as a JSON array of texts, instead of --vocab; a token `<end>` is added
    #[arg(long, value_name = "ARRAY", conflicts_with_all = ["name", "width", "end_tokens"])]
    tokens: Option<String>,
    /// Show also how the mask after this text is read from the parser stack
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Show this table only; may be given several times
    #[arg(long, value_name = "NAME")]
    table: Vec<String>,
    /// Refuse tables with more rows
    #[arg(long, value_name = "N", default_value_t = Selection::default().max_rows)]
    max_rows: usize,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Shows the tables.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let options = Options { limits: arguments.limits.options(), ..arguments.grammar.options()? };
    let source = arguments.grammar.source()?;
    let vocabulary = vocabulary(arguments)?;
    let parsed = parse_for(&source, &vocabulary, &options)?;
    shell.warn(&parsed.warnings, &parsed.text);
    let selection =
        Selection { max_rows: arguments.max_rows, text: arguments.text.clone().map(String::into_bytes) };
    warn_if_not_kept(&vocabulary, shell);
    let mut tables = stages(&parsed, &vocabulary, &options, &selection)?;
    if let Some(unknown) = arguments.table.iter().find(|name| tables.iter().all(|table| table.name != **name))
    {
        let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
        let help = format!("the tables are: {}", names.join(", "));
        return Err(Failure::usage("--table", format!("there is no table `{unknown}`"), &help));
    }
    tables
        .retain(|table| arguments.table.is_empty() || arguments.table.iter().any(|name| name == table.name));
    shell.write(|| stages_text(&tables), || stages_json(&tables))
}

fn vocabulary(arguments: &Arguments) -> Result<Vocabulary, Failure> {
    let Some(tokens) = &arguments.tokens else { return arguments.vocabulary.load() };
    let tokens: Vec<String> = serde_json::from_str(tokens).map_err(|error| {
        let help = r#"write the tokens as in --tokens '["{", "}", " a"]'"#;
        Failure::usage("--tokens", format!("not a JSON array of texts: {error}"), help)
    })?;
    Ok(Vocabulary::from_tokens("--tokens", tokens)?)
}
