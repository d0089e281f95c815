//! Tests that the documents show what the commands print.
//!
//! A `console` block is a session: a command after `$ `, then the lines that it prints, with `...` in place of any lines. `cat` of a file
//! without a folder shows the lines that are written to the file before the session goes on. Durations may differ.

use crate::console::{run, timeless, trim};
use crate::support::Folder;
use std::fs;
use std::path::{Path, PathBuf};

/// A command and the lines that it should print.
struct Step {
    command: String,
    printed: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

fn steps(document: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            _ if !inside => {}
            Some(command) => steps.push(Step { command: command.to_owned(), printed: Vec::new() }),
            None => steps.last_mut().expect("a command").printed.push(line.to_owned()),
        }
    }
    for step in &mut steps {
        trim(&mut step.printed);
    }
    steps
}

/// Whether `lines` are the shown lines, with any lines in place of `...`.
fn are_shown(shown: &[String], lines: &[String]) -> bool {
    match (shown, lines) {
        ([], []) => true,
        ([first, rest @ ..], _) if first == "..." => {
            (0..=lines.len()).any(|skipped| are_shown(rest, &lines[skipped..]))
        }
        ([first, shown @ ..], [line, lines @ ..]) => {
            timeless(first) == timeless(line) && are_shown(shown, lines)
        }
        _ => false,
    }
}

/// The number of commands in a document, and what those print that print something else than is shown.
fn check(document: &Path) -> (usize, Vec<String>) {
    let text = fs::read_to_string(document).expect("a document");
    let folder = Folder::new();
    for shared in ["examples", "grammars"] {
        std::os::unix::fs::symlink(root().join(shared), folder.path(shared)).expect("a link");
    }
    let (steps, mut differences) = (steps(&text), Vec::new());
    for Step { command, printed } in &steps {
        if let Some(file) = command.strip_prefix("cat ").filter(|file| !file.contains('/')) {
            folder.write(file, printed.join("\n") + "\n");
            continue;
        }
        let (lines, _) = run(&folder, command);
        if !are_shown(printed, &lines) {
            differences.push(format!("{}: `{command}` prints\n{}", document.display(), lines.join("\n")));
        }
    }
    (steps.len(), differences)
}

/// The pages of a folder.
fn pages(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the documents");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn documents_show_what_commands_print() {
    let docs = ["docs", "docs/engines", "docs/migration"].into_iter().flat_map(pages);
    let (shown, differences): (Vec<usize>, Vec<Vec<String>>) =
        docs.chain([root().join("README.md")]).map(|document| check(&document)).unzip();
    let differences = differences.concat();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    let shown: usize = shown.iter().sum();
    assert!(shown > 20, "only {shown} commands were found");
}

#[test]
fn lines_may_be_left_out_and_take_any_time() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("done in 3.5 ms, 1 file\na\nb");
    assert!(are_shown(&lines("done in 812 µs, 1 file\n..."), &printed));
    assert!(are_shown(&lines("...\nb"), &printed));
    assert!(!are_shown(&lines("done in 812 µs, 2 files\n..."), &printed));
    assert!(!are_shown(&lines("...\na"), &printed) && !are_shown(&lines(""), &printed));
}
