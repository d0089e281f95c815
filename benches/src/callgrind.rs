//! Counts the instructions of a program under Valgrind (`callgrind`), and has the vocabulary of such measurements.

use crate::Result;
use crate::tokenization::Random;
use gcc_grammar_vocabulary::Vocabulary;
use std::env;
use std::process::Command;

/// Runs this program with these arguments. Returns the number of its instructions, and what it prints.
///
/// # Errors
/// Valgrind is not there, or the program fails.
pub fn run(arguments: &[&str]) -> Result<(u64, String)> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(env::current_exe()?);
    let output = valgrind.args(arguments).output();
    let output = output.map_err(|error| format!("valgrind: {error}; install it to count instructions"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    let count = count.filter(|_| output.status.success()).ok_or_else(|| format!("{arguments:?}: {text}"))?;
    Ok((count, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// A vocabulary of all bytes and of words of letters that are frequent in JSON. It is always the same.
///
/// # Errors
/// None.
pub fn vocabulary() -> Result<Vocabulary> {
    const LETTERS: &[u8] = b"etaoinshrdlu \"\":,{}[]0123456789-._";
    let mut random = Random(6);
    let mut words: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    for _ in 0..8_000 {
        let length = 2 + random.below(6);
        words.push((0..length).map(|_| LETTERS[random.below(LETTERS.len())]).collect());
    }
    for word in ["name", "kind", "size", "when", "tags", "\": \"", "\", \"", "{\"", "ing", "tion", "opened"] {
        words.push(word.as_bytes().to_vec());
    }
    words.sort();
    words.dedup();
    let end = words.len() as u32;
    let tokens = (0..).zip(words).collect();
    Ok(Vocabulary::from_tokens(tokens, Vec::new(), vec![end], end + 1)?)
}
