//! `gcc-grammar verify`: verifies an artifact: its checksums and structure, and with `--deep` its masks.

use crate::arguments::{ArtifactArguments, at_most};
use crate::failure::{Exit, Failure};
use crate::render::show::{number, quote, size, token_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::verify::{DeepCheck, Difference, deep_check};
use gcc_grammar::{Artifact, Code, Diagnostic, Session};
use serde_json::json;

/// The most states that can be asked for.
const MAX_STATES: u64 = 1_000_000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Also compare masks with trial commits of every token, at states along random walks
    #[arg(long)]
    deep: bool,
    /// The number of states that --deep compares
    #[arg(long, value_name = "N", default_value = "50", value_parser = at_most(MAX_STATES))]
    states: usize,
    /// The seed of the random walks of --deep
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Verifies checksums, structure and metadata, and with `--deep` the masks.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let artifact = arguments.artifact.artifact()?;
    let sections = shallow(&artifact)?;
    let bytes = artifact.bytes().len();
    let deep = if arguments.deep { Some(deep(arguments, shell)?) } else { None };
    let deep_text = |DeepCheck { states, decisions, .. }: &DeepCheck| {
        format!("deep: {states} states, {} decisions, no difference\n", number(*decisions))
    };
    let text = || {
        let text = format!("{}: intact, {} in {sections} sections\n", artifact.name(), size(bytes));
        text + &deep.as_ref().map_or_else(String::new, deep_text)
    };
    let deep_json =
        |deep: &DeepCheck| json!({"states": deep.states, "decisions": deep.decisions, "differences": 0});
    shell.write(text, || {
        json!({ "intact": true, "bytes": bytes, "sections": sections, "deep": deep.as_ref().map(deep_json) })
    })
}

/// Verifies everything but the masks. Returns the number of sections.
fn shallow(artifact: &Artifact) -> Result<usize, Failure> {
    let grammar = artifact.grammar()?;
    artifact.metadata(&grammar).map_err(|error| {
        let diagnostic = Diagnostic::error(Code::DamagedArtifact, error.to_string());
        Failure::refused(artifact.name(), diagnostic.help("compile it again"))
    })?;
    Ok(grammar.container().entries().len())
}

/// Compares masks with trial commits.
fn deep(arguments: &Arguments, shell: &Shell) -> Result<DeepCheck, Failure> {
    let session = arguments.artifact.session(shell)?;
    let check = deep_check(&session, arguments.states, arguments.seed)?;
    match &check.difference {
        None => Ok(check),
        Some(difference) => Err(wrong_mask(&session, difference)),
    }
}

fn wrong_mask(session: &Session, difference: &Difference) -> Failure {
    let &Difference { token, is_in_mask, ref text, .. } = difference;
    let (mask, commit) = if is_in_mask { ("allows", "refuses") } else { ("forbids", "accepts") };
    let token = format!("{token} {}", token_text(session.vocabulary(), token));
    let message =
        format!("the mask {mask} token {token}, but committing it {commit} it, after {}", quote(text));
    let help = "this is a bug of gcc-grammar: please report it with the schema or grammar";
    Failure::refused(session.artifact().name(), Diagnostic::error(Code::WrongMask, message).help(help))
}
