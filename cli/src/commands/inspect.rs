//! `gcc-grammar inspect`: shows the header, the metadata and the sections of an artifact.

use crate::arguments::{ArtifactArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::render::inspect::{artifact_json, header_text, metadata_json, metadata_text, sections_text};
use crate::render::lengths::{count_json, count_text, shortest_json, shortest_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::artifact::GrammarView;
use gcc_grammar::lengths::{Shortest, fewest_tokens};
use gcc_grammar::{Artifact, MatchError, Session};
use serde_json::{Value, json};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Show the schema or grammar that the artifact was compiled from
    #[arg(long)]
    source: bool,
    /// Show the coverage of every keyword of a schema
    #[arg(long)]
    report: bool,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Shows the header, the metadata and the sections.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let artifact = arguments.artifact.artifact()?;
    let vocabulary = arguments.artifact.vocabulary();
    let grammar = artifact.grammar()?;
    let metadata = artifact.metadata(&grammar);
    let fewest = fewest_tokens(&grammar);
    let is_exact = grammar.completion().is_some_and(|completion| completion.is_exact());
    if shell.json {
        let metadata =
            metadata.as_ref().map_or_else(|error| json!({"error": error.to_string()}), metadata_json);
        let mut object = artifact_json(&artifact, &grammar, metadata);
        let shortest = shortest(artifact, vocabulary)?;
        object["shortest"] = shortest.map_or_else(
            || fewest.map_or(Value::Null, |count| count_json(count, is_exact)),
            |(session, shortest)| shortest_json(session.vocabulary(), &shortest),
        );
        shell.write_json(&object)?;
        return Ok(Exit::Done);
    }
    let header = header_text(&artifact, &grammar);
    let mut rest = match &metadata {
        Ok(metadata) => metadata_text(metadata, arguments.source, arguments.report),
        Err(error) => format!("metadata     {error}\n"),
    };
    rest.push_str(&sections_text(&grammar));
    let unknown = unknown_to(&grammar);
    let shortest = shortest(artifact, vocabulary)?;
    let shortest = shortest.map(|(_, shortest)| shortest_text(&shortest));
    let shortest = shortest.or_else(|| Some(count_text(fewest?, is_exact)));
    let shortest = shortest.unwrap_or_else(|| unknown.to_owned());
    shell.write_binary(format!("{header}shortest     {shortest}\n{rest}").as_bytes())?;
    Ok(Exit::Done)
}

/// Why an artifact does not tell the shortest output.
fn unknown_to(grammar: &GrammarView<'_>) -> &'static str {
    match grammar.completion() {
        None => "unknown: the artifact has no token budgets",
        Some(_) => "unknown: no sequence of tokens is known to complete a text",
    }
}

/// The shortest output; `None` if none is known, or if no vocabulary is named and that of the artifact is not found.
fn shortest(
    artifact: Artifact,
    vocabulary: &VocabularyArguments,
) -> Result<Option<(Session, Shortest)>, Failure> {
    let session = match Session::open_with(artifact, &vocabulary.registry(), &vocabulary.request()) {
        Err(_) if !vocabulary.is_named() => return Ok(None),
        session => session?,
    };
    match Shortest::of(&session) {
        Ok(shortest) => Ok(shortest.map(|shortest| (session, shortest))),
        Err(MatchError::NoBudgets) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
