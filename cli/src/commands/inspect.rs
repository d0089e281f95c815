//! `gcc-grammar inspect`: shows the header, the metadata and the sections of an artifact.

use crate::failure::{Exit, Failure};
use crate::render::inspect::{artifact_json, header_text, metadata_json, metadata_text, sections_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::Artifact;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The artifact; `-` is the standard input
    #[arg(value_name = "ARTIFACT")]
    path: PathBuf,
    /// Show the schema or grammar that the artifact was compiled from
    #[arg(long)]
    source: bool,
    /// Show the coverage of every keyword of a schema
    #[arg(long)]
    report: bool,
}

/// Shows the header, the metadata and the sections.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let artifact = Artifact::open(&arguments.path)?;
    let grammar = artifact.grammar()?;
    let metadata = artifact.metadata(&grammar);
    if shell.json {
        let metadata =
            metadata.as_ref().map_or_else(|error| json!({"error": error.to_string()}), metadata_json);
        shell.write_json(&artifact_json(&artifact, &grammar, metadata))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    out.write_all(header_text(&artifact, &grammar).as_bytes())?;
    match &metadata {
        Ok(metadata) => {
            out.write_all(metadata_text(metadata, arguments.source, arguments.report).as_bytes())?;
        }
        Err(error) => writeln!(out, "metadata     {error}")?,
    }
    out.write_all(sections_text(&grammar).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
