//! How often a reference parser agrees with a grammar on programs with one lexeme changed.
//!
//! ```text
//! mutations GRAMMAR FOLDER.. --reference COMMAND [--each 20] [--seed 0] [--show 20]
//! ```
//! `GRAMMAR` is a bundled one or a Lark file. `COMMAND` is run once by `sh`; it gets the names of files, a line each, and prints
//! `ok` or `error` for each, in this order (see `benches/references`). Each program is judged as it is and with `--each` random
//! mutations. The first disagreements are shown. Exit code 1 if a program that the reference takes is refused as it is.

use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::judge::Law;
use gcc_grammar_benches::language::files;
use gcc_grammar_benches::mutation::{Comments, lexemes, mutate};
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_frontends::diagnostic::line_and_column;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

const USAGE: &str = "mutations GRAMMAR FOLDER.. --reference COMMAND [--each N] [--seed N] [--show N]";

struct Arguments {
    grammar: String,
    folders: Vec<PathBuf>,
    reference: String,
    each: usize,
    seed: usize,
    show: usize,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            grammar: words.next().ok_or(USAGE)?,
            folders: Vec::new(),
            reference: String::new(),
            each: 20,
            seed: 0,
            show: 20,
        };
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                arguments.folders.push(PathBuf::from(word));
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("{word} wants a number"));
            match word.as_str() {
                "--reference" => arguments.reference = value,
                "--each" => arguments.each = number()?,
                "--seed" => arguments.seed = number()?,
                "--show" => arguments.show = number()?,
                _ => return Err(format!("unknown argument {word}; {USAGE}")),
            }
        }
        let complete = !arguments.folders.is_empty() && !arguments.reference.is_empty();
        if complete { Ok(arguments) } else { Err(USAGE.to_owned()) }
    }
}

/// A program, as it is or mutated.
struct Case {
    file: PathBuf,
    /// Where and what is changed.
    change: Option<(usize, String)>,
    text: String,
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| run(&arguments)))
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let cases = cases(arguments)?;
    let expected = references(&arguments.reference, &cases)?;
    let mut counts = [[0usize; 2]; 2];
    let mut shown = 0;
    let mut complete = true;
    Law::new(&arguments.grammar)?.judge(|read| {
        for (case, &expected) in cases.iter().zip(&expected) {
            let (at, accepted) = read(case.text.as_bytes());
            if case.change.is_some() {
                counts[usize::from(expected)][usize::from(accepted)] += 1;
            }
            complete &= case.change.is_some() || accepted || !expected;
            if accepted != expected && (case.change.is_none() || shown < arguments.show) {
                shown += usize::from(case.change.is_some());
                show(case, expected, at);
            }
        }
    });
    let [[both_refuse, only_we_accept], [only_we_refuse, both_accept]] = counts;
    let all = cases.len() - cases.iter().filter(|case| case.change.is_none()).count();
    let agreed = both_refuse + both_accept;
    println!("mutations  {all}: both accept {both_accept}, both refuse {both_refuse}");
    println!(
        "           accepted and refused by the reference {only_we_accept}, refused and accepted by it {only_we_refuse}"
    );
    println!("agreement  {:.2} %", agreed as f64 * 100.0 / all.max(1) as f64);
    Ok(complete)
}

/// Every file as it is and mutated.
fn cases(arguments: &Arguments) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (index, file) in files(&arguments.folders)?.into_iter().enumerate() {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let places = lexemes(&text, Comments::of_extension(extension));
        let mut random = Random((arguments.seed as u64) << 32 | index as u64);
        for _ in 0..if places.is_empty() { 0 } else { arguments.each } {
            let mutation = mutate(&text, &places, &mut random);
            let change = Some((mutation.at, mutation.about));
            cases.push(Case { file: file.clone(), change, text: mutation.text });
        }
        cases.push(Case { file, change: None, text });
    }
    Ok(cases)
}

/// What the reference says of each.
fn references(command: &str, cases: &[Case]) -> Result<Vec<bool>, String> {
    let folder = env::temp_dir().join(format!("gcc-grammar-mutations-{}", std::process::id()));
    let verdicts = asked(command, cases, &folder).map_err(|error| format!("{command}: {error}"));
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let verdicts = verdicts?;
    if verdicts.len() == cases.len() {
        return Ok(verdicts);
    }
    Err(format!("{command}: {} lines for {} files", verdicts.len(), cases.len()))
}

fn asked(command: &str, cases: &[Case], folder: &Path) -> std::io::Result<Vec<bool>> {
    fs::create_dir_all(folder)?;
    let mut names = String::new();
    for (index, case) in cases.iter().enumerate() {
        let extension = case.file.extension().unwrap_or_default();
        let path = folder.join(index.to_string()).with_extension(extension);
        fs::write(&path, &case.text)?;
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

fn show(case: &Case, expected: bool, read: usize) {
    let at = case.change.as_ref().map_or(read, |(at, _)| *at);
    let (line, column) = line_and_column(&case.text, at);
    let about = case.change.as_ref().map_or("as it is", |(_, about)| about);
    let verdict = if expected { "refused, the reference accepts" } else { "accepted, the reference refuses" };
    println!("{}:{line}:{column}: {about}: {verdict}", case.file.display());
    let shown = |range: std::ops::Range<usize>| {
        String::from_utf8_lossy(&case.text.as_bytes()[range]).escape_debug().to_string()
    };
    let end = |at: usize| (at + 60).min(case.text.len());
    println!("    {} ⟦here⟧ {}", shown(at.saturating_sub(60)..at), shown(at..end(at)));
    if expected && read != at {
        println!(
            "    read up to: {} ⟦here⟧ {}",
            shown(read.saturating_sub(40)..read),
            shown(read..end(read))
        );
    }
}
