//! Measures other packages with the same outputs: `peers.py` runs in the Python interpreter in which they are installed.

use super::arguments::Arguments;
use super::measured::Peer;
use crate::failure::Failure;
use crate::render::show::hex;
use gcc_grammar::{Source, Vocabulary};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = include_str!("peers.py");

/// The times of the engines that are installed.
pub(super) fn measure(
    arguments: &Arguments,
    python: &Path,
    source: &Source,
    vocabulary: &Vocabulary,
    outputs: &[Vec<u32>],
) -> Result<Vec<Peer>, Failure> {
    if vocabulary.tokens().end_tokens().is_empty() {
        let message =
            format!("the vocabulary {} has no end token, which other engines need", vocabulary.name());
        return Err(Failure::usage("--peers", message, "choose another vocabulary"));
    }
    let job = job(arguments, source, vocabulary, outputs);
    let said = run(python, &job).map_err(|error| {
        let message = format!("{} does not run: {error}", python.display());
        Failure::usage(
            "--peers",
            message,
            "name the Python interpreter that has the packages: --peers=PYTHON",
        )
    })?;
    // The packages may write lines of their own.
    Ok(said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn job(arguments: &Arguments, source: &Source, vocabulary: &Vocabulary, outputs: &[Vec<u32>]) -> Value {
    let tokens = vocabulary.tokens();
    let text_of = |id: u32| match tokens.special_text(id) {
        Some(name) => name.as_bytes(),
        None => tokens.bytes(id).unwrap_or_default(),
    };
    json!({
        "notation": source.notation().as_str(),
        "text": source.text().text,
        "tokens": (0..tokens.ids()).map(|id| hex(text_of(id))).collect::<Vec<_>>(),
        "specials": (0..tokens.ids()).filter(|&id| tokens.special_text(id).is_some()).collect::<Vec<_>>(),
        "ends": tokens.end_tokens(),
        "width": tokens.width(),
        "outputs": outputs,
        "runs": arguments.runs.max(1),
        "replays": arguments.replays.max(1),
    })
}

/// Runs the program, and returns what it writes. It reads the whole job before it writes anything.
fn run(python: &Path, job: &Value) -> io::Result<String> {
    let mut child =
        Command::new(python).args(["-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    input.write_all(job.to_string().as_bytes())?;
    drop(input);
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(io::Error::other(output.status.to_string())),
    }
}
