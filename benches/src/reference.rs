//! Verdicts of a parser of other people, which is a command.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// What the command says of each text; each comes with the extension of its file. The error is for people.
pub fn verdicts(command: &str, texts: &[(&str, &str)]) -> Result<Vec<bool>, String> {
    let folder = env::temp_dir().join(format!("gcc-grammar-mutations-{}", std::process::id()));
    let verdicts = asked(command, texts, &folder).map_err(|error| format!("{command}: {error}"));
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let verdicts = verdicts?;
    if verdicts.len() == texts.len() {
        return Ok(verdicts);
    }
    Err(format!("{command}: {} lines for {} files", verdicts.len(), texts.len()))
}

fn asked(command: &str, texts: &[(&str, &str)], folder: &Path) -> std::io::Result<Vec<bool>> {
    fs::create_dir_all(folder)?;
    let mut names = String::new();
    for (index, (extension, text)) in texts.iter().enumerate() {
        let path = folder.join(index.to_string()).with_extension(extension);
        fs::write(&path, text)?;
        names.push_str(&format!("{}\n", path.display()));
    }
    let mut child =
        Command::new("sh").arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || input.write_all(names.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().expect("no panic")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim() == "ok").collect())
}
