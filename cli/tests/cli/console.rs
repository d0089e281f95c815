//! Command lines, run by a shell as a reader of the documents would run them.

use crate::support::Folder;
use std::path::Path;

/// The lines that a command line prints, errors and output as they come, and its exit code.
pub(crate) fn run(folder: &Folder, command: &str) -> (Vec<String>, i32) {
    let binaries = Path::new(env!("CARGO_BIN_EXE_gcc-grammar")).parent().expect("a folder").display();
    let script = format!("PATH='{binaries}':\"$PATH\"; exec 2>&1; {command}");
    let output = folder.shell(&script).output().expect("a shell");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!printed.contains("panicked"), "{command}: {printed}");
    let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    trim(&mut lines);
    (lines, output.status.code().unwrap_or_else(|| panic!("{command}: ended by a signal")))
}

/// Removes blank lines at the end.
pub(crate) fn trim(lines: &mut Vec<String>) {
    while lines.pop_if(|line| line.is_empty()).is_some() {}
}

/// The line with all durations alike.
pub(crate) fn timeless(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches(',');
        let number = words[at - 1].trim_start_matches('(').replace(',', "");
        if matches!(unit, "ns" | "µs" | "ms" | "s") && number.parse::<f64>().is_ok() {
            (words[at - 1], words[at]) = ("some", if unit == words[at] { "time" } else { "time," });
        }
    }
    words.join(" ").trim_end().to_owned()
}
