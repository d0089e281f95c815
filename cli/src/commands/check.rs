//! `gcc-grammar check`: diagnostics and coverage of a schema or grammar, without a vocabulary; with one, how long its outputs are.

use crate::arguments::{GrammarArguments, LimitArguments, StrictArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::render::check::{check_json, check_text};
use crate::render::code::{explanation_json, explanation_text};
use crate::render::lengths::{lengths_json, lengths_text, unknown_json, unknown_text};
use crate::render::report::{entry_text, report_json};
use crate::render::show::{bytes_json, quote};
use crate::shell::{Shell, failure_json};
use clap::Args;
use gcc_grammar::lengths::{Lengths, Unknown, lengths, shortest_text};
use gcc_grammar::metadata::ReportEntry;
use gcc_grammar::{
    Code, Error, Options, Parsed, Source, Vocabulary, check, coverage_of_refused, parse, parse_for,
};
use serde_json::{Value, json};

/// The conflicts shown to people, at most.
const SHOWN_CONFLICTS: usize = 20;
/// The conflicts listed as JSON, at most.
const LISTED_CONFLICTS: usize = 10_000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Explain where the grammar is ambiguous, or needs to look further ahead than one terminal, and what that costs
    #[arg(long)]
    conflicts: bool,
    /// Show the grammar as the compiler sees it
    #[arg(long)]
    grammar_text: bool,
    /// Explain a code of errors and warnings, such as undefined-name, instead of checking an input
    #[arg(long, value_name = "CODE", conflicts_with_all = ["input", "grammar", "regex", "choice", "json_object", "tools"])]
    explain: Option<Code>,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    strict: StrictArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

/// Shows what the front end and the stages before the vocabulary find.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    if let Some(code) = arguments.explain {
        return shell.write(|| explanation_text(code), || explanation_json(code));
    }
    let options = arguments.strict.apply(arguments.grammar.options()?);
    let options = Options { limits: arguments.limits.options(), ..options };
    let source = arguments.grammar.source()?;
    let parsed = match parse(&source, &options) {
        Ok(parsed) => parsed,
        Err(error) => return refused(error, &coverage_of_refused(&source, &options), shell),
    };
    shell.warn(&parsed.warnings, &parsed.text);
    let most = match (arguments.conflicts, shell.json) {
        (false, _) => 0,
        (true, true) => LISTED_CONFLICTS,
        (true, false) => SHOWN_CONFLICTS,
    };
    let check = check(&parsed, &options, most)?;
    shell.warn(&check.findings.warnings, &parsed.text);
    let lengths = Shown::new(arguments, &source, &parsed, &options, check.has_empty_text)?;
    let json = || {
        let mut object = check_json(&parsed, &check, arguments.conflicts);
        object["lengths"] = lengths.json();
        object
    };
    let text = || {
        let text = check_text(&parsed, &check, arguments.conflicts, &lengths.text());
        if arguments.grammar_text { text + &parsed.grammar.to_string() } else { text }
    };
    shell.write(text, json)
}

/// How long outputs are.
enum Shown {
    /// In tokens.
    Tokens(Vocabulary, Lengths),
    /// Without a vocabulary: the text with the fewest bytes.
    Text(Result<Vec<u8>, Unknown>),
}

impl Shown {
    fn new(
        arguments: &Arguments,
        source: &Source,
        parsed: &Parsed,
        options: &Options,
        has_empty_text: bool,
    ) -> Result<Self, Failure> {
        if !arguments.vocabulary.is_named() {
            let is_empty = has_empty_text.then(|| Ok(Vec::new()));
            return Ok(Self::Text(is_empty.unwrap_or_else(|| shortest_text(parsed, options))));
        }
        let vocabulary = arguments.vocabulary.load()?;
        // Literals accept the special tokens that they name.
        let parsed = parse_for(source, &vocabulary, options)?;
        let lengths = lengths(&parsed, options, &vocabulary)?;
        Ok(Self::Tokens(vocabulary, lengths))
    }

    fn text(&self) -> String {
        match self {
            Self::Tokens(_, lengths) => lengths_text(lengths),
            Self::Text(Ok(text)) => format!("  shortest   {}\n", quote(text)),
            Self::Text(Err(unknown)) => format!("  shortest   {}\n", unknown_text(unknown)),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Tokens(vocabulary, lengths) => lengths_json(vocabulary, lengths),
            Self::Text(text) => {
                json!({
                    "shortest": text.as_ref().ok().map(|text| json!({"text": bytes_json(text)})),
                    "shortest_unknown": text.as_ref().err().map(unknown_json),
                })
            }
        }
    }
}

/// Shows the keywords that are enforced, too, if a schema is refused because of others.
fn refused(error: Error, report: &[ReportEntry], shell: &Shell) -> Result<Exit, Failure> {
    let failure = Failure::from(error);
    let Failure::Reported(exit, error) = &failure else { return Err(failure) };
    if shell.json {
        let mut object = failure_json(*exit, error);
        object["report"] = report_json(report);
        shell.write_json_line(&object)?;
        return Ok(*exit);
    }
    shell.write_binary(report.iter().map(entry_text).collect::<String>().as_bytes())?;
    Err(failure)
}
