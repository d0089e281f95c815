//! `gcc-grammar export`: writes an artifact in formats for other programs. `--tensors` writes it as a finite automaton over tokens.

use crate::arguments::ArtifactArguments;
use crate::failure::{Exit, Failure};
use crate::render::show::number;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::output;
use gcc_grammar_tensors::{TensorOptions, Tensors, npz, safetensors, tensors};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Write the finite automaton over tokens to this file, whose extension is .npz or .safetensors
    #[arg(long, value_name = "FILE", required = true)]
    tensors: PathBuf,
    /// Leave out outputs that are nested deeper: whose parser stack has some LR state more often
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Leave out states on no output of at most so many tokens, the end token included
    #[arg(long, value_name = "N")]
    tokens: Option<u32>,
    /// States of the automaton before it is minimized
    #[arg(long = "limit-states", value_name = "N", default_value_t = TensorOptions::default().max_states)]
    states: u64,
    /// Elementary steps
    #[arg(long = "limit-work", value_name = "N", default_value_t = TensorOptions::default().max_work)]
    work: u64,
    /// Bytes, estimated
    #[arg(long = "limit-bytes", value_name = "N", default_value_t = TensorOptions::default().max_bytes)]
    bytes: u64,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// The format of a file.
type Writer = fn(&[gcc_grammar_tensors::Array], &Value) -> Vec<u8>;

/// Writes the file, and shows its figures.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let path = &arguments.tensors;
    let write = writer(path)?;
    output::check_distinct(path, [arguments.artifact.path()])?;
    let session = arguments.artifact.session(shell)?;
    let &Arguments { depth, tokens, states, work, bytes, .. } = arguments;
    let options = TensorOptions { depth, tokens, max_states: states, max_work: work, max_bytes: bytes };
    let made = tensors(&session, &options)?;
    let description = made.description(&session, depth, tokens);
    let file = write(&made.arrays(), &description);
    output::write(path, &file)?;
    shell.tell(
        || summary(path, file.len(), &made, &options),
        || json!({ "output": path.display().to_string(), "bytes": file.len(), "tensors": description }),
    )
}

fn writer(path: &Path) -> Result<Writer, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("npz") => Ok(npz),
        Some("safetensors") => Ok(safetensors),
        _ => {
            let message = format!("the format of {} is not known", path.display());
            Err(Failure::usage("--tensors", message, "name a file with the extension .npz or .safetensors"))
        }
    }
}

fn summary(path: &Path, written: usize, tensors: &Tensors, options: &TensorOptions) -> String {
    let count = |value: usize| number(value as u64);
    let mut text = format!(
        "{}  {} bytes\n  states    {}\n  edges     {}, {} distinct labels\n  tokens    {} on edges\n",
        path.display(),
        count(written),
        count(tensors.states()),
        count(tensors.edges()),
        count(tensors.labels()),
        number(tensors.nonzeros()),
    );
    let cut = tensors.cut;
    if let Some(depth) = options.depth.filter(|_| cut.deeper > 0) {
        text += &format!("  cut       {} configurations can nest deeper than {depth}\n", number(cut.deeper));
    }
    if let Some(tokens) = options.tokens.filter(|_| cut.longer > 0) {
        text += &format!(
            "  cut       {} configurations are on no output of {tokens} tokens or go on behind it\n",
            number(cut.longer)
        );
    }
    if cut.is_none() {
        text += "  cut       nothing: the tensors have the whole language\n";
    }
    text
}
