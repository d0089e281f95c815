//! Runs another project's parser, which is a shell command, on many texts.
//!
//! The command reads names of files from its standard input, one per line, and prints `ok` or `error` for each, in the same order.
//! `benches/references` has such commands.

use crate::Result;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// Whether the command accepts each of the texts. A text comes with the extension of its file.
///
/// # Errors
/// The command cannot be run, or does not print a line for each text.
pub fn verdicts(command: &str, texts: &[(&str, &str)]) -> Result<Vec<bool>> {
    let folder = env::temp_dir().join(format!("gcc-grammar-mutations-{}", std::process::id()));
    let verdicts = run(command, texts, &folder).map_err(|error| format!("{command}: {error}"));
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let verdicts = verdicts?;
    if verdicts.len() == texts.len() {
        return Ok(verdicts);
    }
    Err(format!("{command}: it printed {} lines for {} files", verdicts.len(), texts.len()).into())
}

/// Writes the texts to files in `folder`, and runs the command on them.
fn run(command: &str, texts: &[(&str, &str)], folder: &Path) -> io::Result<Vec<bool>> {
    fs::create_dir_all(folder)?;
    let mut names = String::new();
    for (index, (extension, text)) in texts.iter().enumerate() {
        let path = folder.join(index.to_string()).with_extension(extension);
        fs::write(&path, text)?;
        names.push_str(&format!("{}\n", path.display()));
    }
    let mut child =
        Command::new("sh").arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("the standard input is a pipe");
    // The command may print before it has read all names, so both pipes must be served at the same time.
    let writer = std::thread::spawn(move || input.write_all(names.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().expect("the writer does not panic")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim() == "ok").collect())
}
