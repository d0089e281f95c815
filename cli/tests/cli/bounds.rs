//! Whatever a command reads, it ends within bounds on work and memory, with an error that says which.

use crate::support::{Folder, Ran};
use std::process::Stdio;

/// A text that nests so many levels deep.
fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

/// Runs the binary in so many KiB of address space.
fn within(folder: &Folder, kib: u64, arguments: &str) -> Ran {
    let script = format!("ulimit -v {kib}; exec '{}' {arguments}", env!("CARGO_BIN_EXE_gcc-grammar"));
    Ran::of(&folder.shell(&script).stdin(Stdio::null()).output().expect("a shell runs"))
}

/// The memory of a trace does not grow with the square of the depth: of each stack, only the top is in it.
#[cfg(target_os = "linux")]
#[test]
fn deep_texts_are_traced_in_little_memory() {
    let folder = Folder::new();
    folder.write("any.json", "{}");
    folder.write("deep.json", nested(10_000));
    let text = within(&folder, 2_000_000, "trace any.json --text-file deep.json");
    assert_eq!(text.exit, 0, "{}", text.stderr);
    // The innermost brackets are one lexeme.
    assert_eq!(text.text().lines().count(), 20_000);
    let json = within(&folder, 2_000_000, "trace any.json --text-file deep.json --json").json();
    let (lexemes, middle) = (json["lexemes"].as_array().expect("lexemes"), &json["lexemes"][9_998]);
    assert_eq!((lexemes.len(), middle["stack"].as_array().map(Vec::len)), (19_999, Some(32)));
    assert!(middle["depth"].as_u64().is_some_and(|depth| depth >= 9_999), "{middle}");
    let few = folder.run(&["trace", "any.json", "--text-file", "deep.json", "--limit-bytes", "3000000"]);
    assert!(few.exit == 3 && few.stderr.contains("more than 3000000 bytes"), "{}", few.stderr);
}

/// What a matcher or a tokenizer reads has a bound of its own.
#[test]
fn long_texts_are_refused_before_they_are_read() {
    let folder = Folder::new();
    folder.write("any.json", "{}");
    folder.compile("any.json", "any.gcg");
    folder.write("long", vec![b' '; (1 << 22) + 1]);
    for command in [
        "trace any.json --text-file long",
        "replay any.gcg --vocab tiny --text-file long",
        "replay any.gcg --vocab tiny --tokens-file long",
        "mask any.gcg --vocab tiny --text-file long",
        "complete any.gcg --vocab tiny --text-file long",
        "bench any.json --vocab tiny --text-file long --runs 1",
    ] {
        let ran = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert!(ran.exit == 3 && ran.stderr.contains("limit of 4194304 bytes"), "{command}: {}", ran.stderr);
    }
}

/// A number that stands for threads, or for memory that is taken at once, has an upper end.
#[test]
fn huge_numbers_are_refused() {
    let folder = Folder::new();
    folder.write("list.jsonl", "{\"schema\": {}}");
    folder.compile("point.json", "point.gcg");
    let huge = u64::MAX.to_string();
    for (command, option) in [
        ("batch list.jsonl --vocab tiny --store store", "--jobs"),
        ("generate point.gcg --vocab tiny", "--max-tokens"),
        ("generate point.gcg --vocab tiny", "--count"),
        ("verify point.gcg --vocab tiny --deep", "--states"),
        ("bench point.json --vocab tiny", "--runs"),
        ("bench point.json --vocab tiny", "--replays"),
        #[cfg(feature = "serve")]
        ("serve --vocab tiny --store store", "--jobs"),
        #[cfg(feature = "serve")]
        ("serve --vocab tiny --store store", "--queue"),
        #[cfg(feature = "serve")]
        ("serve --vocab tiny --store store", "--requests"),
        #[cfg(feature = "serve")]
        ("serve --vocab tiny --store store", "--connections"),
    ] {
        let arguments: Vec<&str> = command.split(' ').chain([option, &huge]).collect();
        let ran = folder.run(&arguments);
        assert!(ran.exit == 2 && ran.stderr.contains("is not in"), "{command} {option}: {}", ran.stderr);
    }
}

/// Who plants something in a store has nothing overwritten elsewhere, and nobody waits for it.
#[cfg(unix)]
#[test]
fn planted_links_and_pipes_do_no_harm() {
    let folder = Folder::new();
    folder.write("target", "untouched");
    folder.write("list.jsonl", "{\"id\": 1, \"schema\": {\"type\": \"integer\"}}");
    let batch = ["batch", "list.jsonl", "--vocab", "tiny", "--store", "store"];
    let key = folder.succeed(&batch).json()["key"].as_str().expect("a key").to_owned();
    let vocabulary = std::fs::read_dir(folder.path("store/v1")).expect("a store").next();
    let parts = vocabulary.expect("one").expect("an entry").path().join(&key[..2]);
    let (file, lock) = (parts.join(format!("{key}.gcg")), parts.join(".lock"));
    for plant in ["ln -s \"$PWD/target\" ", "mkfifo "] {
        let plant = |path: &std::path::Path| {
            let _ = std::fs::remove_file(path);
            let script = format!("{plant} '{}'", path.display());
            assert!(folder.shell(&script).status().expect("a shell runs").success());
        };
        plant(&file);
        let refused = folder.run(&["verify", &key, "--vocab", "tiny", "--store", "store"]);
        assert!(refused.exit != 0 && refused.stderr.contains("not a regular file"), "{}", refused.stderr);
        let line = folder.succeed(&batch).json();
        assert_eq!(
            (&line["status"], &line["diagnostics"][0]["severity"]),
            (&"compiled".into(), &"warning".into())
        );
        std::fs::remove_file(&file).expect("removed");
        plant(&lock);
        let line = folder.run(&batch).json();
        let message = line["diagnostics"][0]["message"].as_str().expect("a message");
        assert!(line["status"] == "failed" && message.contains("not a regular file"), "{line}");
        std::fs::remove_file(&lock).expect("removed");
    }
    assert_eq!(folder.read("target"), b"untouched");
}
