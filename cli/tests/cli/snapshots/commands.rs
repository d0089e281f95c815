//! What each command prints: as text, as JSON, and its help.

use super::Snapshots;
use super::inputs::folder;
use super::sessions::{SESSIONS, WITHOUT_SESSION};
use super::stable::{json_text, stable_json, stable_line};
use crate::console::run;
use crate::schemas;
use crate::support::Folder;
use serde_json::Value;
use std::collections::BTreeSet;

/// Runs each command line, and compares what it prints with the snapshot of its command.
fn compare_sessions(kind: &str, show: impl Fn(&Folder, &str) -> String) {
    let folder = folder();
    let mut snapshots = Snapshots::new(kind);
    for (command, lines) in SESSIONS {
        let printed: String = lines.iter().map(|line| show(&folder, line) + "\n").collect();
        snapshots.compare(&file_name(command), &printed);
    }
    snapshots.finish();
}

/// A command line with the lines that it prints.
pub(super) fn text_session(folder: &Folder, line: &str) -> String {
    let (printed, exit) = run(folder, &format!("gcc-grammar {line}"));
    let printed: String = printed.iter().map(|line| stable_line(line) + "\n").collect();
    format!("$ gcc-grammar {line}\n{printed}{}", exit_text(exit))
}

/// A command line with the JSON value that it prints.
pub(super) fn json_session(folder: &Folder, line: &str) -> String {
    let (printed, exit) = run(folder, &format!("gcc-grammar {line} --json"));
    let printed = printed.join("\n");
    let values = serde_json::Deserializer::from_str(&printed).into_iter();
    let values: Vec<Value> =
        values.map(|value| value.unwrap_or_else(|error| panic!("{line}: {error}: {printed}"))).collect();
    schemas::expect_valid(line, &values);
    let printed: String = values.into_iter().map(|value| json_text(&stable_json(value)) + "\n").collect();
    format!("$ gcc-grammar {line} --json\n{printed}{}", exit_text(exit))
}

fn exit_text(exit: i32) -> String {
    if exit == 0 { String::new() } else { format!("(exit code {exit})\n") }
}

/// The name of a command as the name of a file.
fn file_name(command: &str) -> String {
    if command.is_empty() { "gcc-grammar".to_owned() } else { command.replace(' ', "-") }
}

/// The commands that the help lists, and after each the commands that its own help lists.
fn listed(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.succeed(&command.split_whitespace().chain(["--help"]).collect::<Vec<_>>()).text();
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let names = list.lines().take_while(|line| !line.is_empty());
    let names =
        names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    let mut all = Vec::new();
    for name in names.filter(|name| command.is_empty() || *name != "help") {
        let name = format!("{command} {name}").trim().to_owned();
        let inner = if name == "help" { Vec::new() } else { listed(folder, &name) };
        all.push(name);
        all.extend(inner);
    }
    all
}

#[test]
fn commands_print_text() {
    compare_sessions("text", text_session);
}

#[test]
fn commands_print_json() {
    compare_sessions("json", json_session);
}

/// The features that change what the help says; a build has none of them, or all.
const FEATURES: [bool; 3] = [cfg!(feature = "serve"), cfg!(feature = "sign"), cfg!(feature = "parquet")];

/// The commands whose help these features change. With them, it is in a folder of its own.
const CHANGED_BY_FEATURES: &[&str] = &["", "batch", "serve"];

#[test]
fn commands_have_help() {
    let folder = Folder::new();
    let has_features = FEATURES[0];
    assert_eq!(FEATURES, [has_features; 3], "these snapshots need none of the features, or all");
    let mut by_default = Snapshots::new("help");
    let mut with_features = Snapshots::new("help-with-features");
    let commands = [vec![String::new()], listed(&folder, "")].concat();
    for command in commands.iter().filter(|command| *command != "help") {
        let (help, exit) = run(&folder, &format!("gcc-grammar {command} --help"));
        assert_eq!(exit, 0, "{command}");
        let is_changed = has_features && CHANGED_BY_FEATURES.contains(&command.as_str());
        let snapshots = if is_changed { &mut with_features } else { &mut by_default };
        snapshots.compare(&file_name(command), &help.join("\n"));
    }
    if has_features {
        with_features.finish();
    } else {
        by_default.finish();
    }
}

#[test]
fn every_command_has_snapshots() {
    let all = listed(&Folder::new(), "");
    // A command that lists commands does nothing itself.
    let is_group = |command: &String| all.iter().any(|other| other.starts_with(&format!("{command} ")));
    let found: BTreeSet<&str> = all.iter().filter(|command| !is_group(command)).map(String::as_str).collect();
    let known = SESSIONS.iter().map(|&(command, _)| command);
    let known = known.chain(WITHOUT_SESSION.iter().map(|&(command, _)| command));
    // The tests of the service run it.
    let known: BTreeSet<&str> = known.chain(cfg!(feature = "serve").then_some("serve")).collect();
    assert_eq!(found, known, "each command needs a session for its snapshots, or a reason for having none");
}
