//! Tests of the standard input and output as `-`, of closed pipes, and of completions and help.

use crate::support::{Folder, POINT, SUMS};
use std::io::Read;
use std::process::Stdio;

#[test]
fn grammar_from_stdin_artifact_to_stdout() {
    let folder = Folder::new();
    let arguments = ["compile", "-", "--format", "lark", "--vocab", "tiny", "-o", "-"];
    let ran = folder.run_with(&arguments, SUMS.as_bytes());
    assert_eq!(ran.exit, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with(b"GCCG"), "nothing but the artifact");
    let inspected = folder.run_with(&["inspect", "-"], &ran.stdout);
    assert!(inspected.exit == 0 && inspected.text().contains("grammar artifact"), "{}", inspected.text());
    let mask = folder.run_with(&["mask", "-", "--vocab", "tiny", "--text", "1"], &ran.stdout);
    assert_eq!(mask.exit, 0, "{}", mask.stderr);
}

#[test]
fn text_from_stdin() {
    let folder = Folder::new();
    folder.compile("point.json", "a.gcg");
    let replay = ["replay", "a.gcg", "--vocab", "tiny", "--text-file", "-"];
    assert_eq!(folder.run_with(&replay, br#"{"x": 12}"#).exit, 0);
    assert_eq!(folder.run_with(&replay, br#"{"z": 12}"#).exit, 1);
    let check = folder.run_with(&["check", "-", "--format", "json-schema"], POINT.as_bytes());
    assert!(check.exit == 0 && check.text().starts_with("<stdin>"), "{}", check.text());
}

#[test]
fn bitmask_to_stdout() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    assert_eq!(folder.succeed(&["mask", "a.gcg", "--vocab", "tiny", "--bitmask", "-"]).stdout.len(), 36);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    let arguments = ["generate", "a.gcg", "--vocab", "tiny", "-n", "1000000"];
    let mut child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    // The pipe is closed here.
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn completions_for_shells() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.succeed(&["completions", shell]).text();
        assert!(script.contains("gcc-grammar") && script.contains("replay"), "{shell}");
    }
}

#[test]
fn a_manual_page_for_each_command() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("man")).unwrap();
    folder.succeed(&["man", "man"]);
    let page = |name: &str| String::from_utf8(folder.read(&format!("man/{name}.1"))).unwrap();
    assert!(page("gcc-grammar").contains("gcc\\-grammar\\-compile(1)"), "{}", page("gcc-grammar"));
    assert!(page("gcc-grammar-compile").contains("\\-\\-vocab"), "{}", page("gcc-grammar-compile"));
    assert!(page("gcc-grammar-vocab-import").contains(".SH SYNOPSIS"));
    let ran = folder.run(&["man", "missing"]);
    assert!(ran.exit == 2 && ran.stderr.contains("missing"), "{}", ran.stderr);
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    assert!(folder.succeed(&["--version"]).text().starts_with("gcc-grammar "));
    for command in ["compile", "check", "inspect", "verify", "mask", "replay", "generate", "vocab", "bench"] {
        assert!(folder.succeed(&[command, "--help"]).text().contains("Usage: "), "{command}");
    }
}

#[test]
fn unwritable_outputs_are_named() {
    let folder = Folder::new();
    let ran = folder.run(&["compile", "sums.lark", "--vocab", "tiny", "-o", "missing/a.gcg"]);
    assert!(ran.exit == 2 && ran.stderr.contains("missing/a.gcg"), "{}", ran.stderr);
    assert!(!ran.stderr.contains(".gcc-grammar-"), "the message names a temporary file: {}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn outputs_that_are_links_or_pipes_stay_what_they_are() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    folder.write("target.gcg", "");
    std::os::unix::fs::symlink("target.gcg", folder.path("link.gcg")).unwrap();
    folder.compile("sums.lark", "link.gcg");
    assert!(folder.path("link.gcg").is_symlink());
    assert_eq!(folder.read("target.gcg"), folder.read("a.gcg"));

    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of POSIX");
    let arguments = ["compile", "sums.lark", "--vocab", "tiny", "-q", "-o", "pipe"];
    let mut child = folder.command(&arguments).spawn().unwrap();
    assert!(folder.read("pipe") == folder.read("a.gcg"), "the pipe has other bytes");
    assert!(child.wait().unwrap().success());
    // Without a reader, there is an error instead of waiting.
    let ran = folder.run(&arguments);
    assert!(ran.exit == 2 && ran.stderr.contains("nobody reads"), "{}", ran.stderr);
}
