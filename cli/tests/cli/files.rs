//! Tests of inputs that are no regular files or claim to be huge, and of what happens to output files.

use crate::support::{Folder, Ran, SUMS};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Runs the binary with at most 2 GiB of address space, so that claiming more would fail.
#[cfg(target_os = "linux")]
fn run_in_little_memory(folder: &Folder, arguments: &str) -> Ran {
    let script = format!("ulimit -v 2097152; exec {} {arguments}", env!("CARGO_BIN_EXE_gcc-grammar"));
    Ran::of(&folder.shell(&script).output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn huge_artifacts_are_refused_by_their_headers() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    let real = folder.read("a.gcg");
    let sparse = |name: &str, start: &[u8]| {
        let mut file = File::create(folder.path(name)).unwrap();
        file.write_all(start).unwrap();
        file.set_len(5 << 30).unwrap();
    };
    sparse("zeros.gcg", b"");
    sparse("longer.gcg", &real);
    sparse("forged.gcg", &with_length(&real, 5 << 30));
    for (name, exit, message) in [
        ("zeros.gcg", 1, "not a compiled grammar or vocabulary"),
        ("longer.gcg", 1, "something was appended to it"),
        ("forged.gcg", 3, "more than the limit of 536870912 bytes"),
    ] {
        let ran = run_in_little_memory(&folder, &format!("verify {name}"));
        assert!(ran.exit == exit && ran.stderr.contains(message), "{name}: {} {}", ran.exit, ran.stderr);
    }
}

/// The header of a file with another length, and the checksum for it.
#[cfg(target_os = "linux")]
fn with_length(file: &[u8], length: u64) -> Vec<u8> {
    let mut forged = file.to_vec();
    forged[32..40].copy_from_slice(&length.to_le_bytes());
    let sum = gcc_grammar_artifact::container::checksum(&forged[..184]);
    forged[184..192].copy_from_slice(&sum.to_le_bytes());
    forged
}

#[cfg(unix)]
#[test]
fn inputs_are_regular_files() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    folder.write("imports.lark", "start: x\n%import pipe.x\n");
    let _listener = std::os::unix::net::UnixListener::bind(folder.path("socket")).unwrap();
    for pipe in ["pipe", "pipe.lark"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(pipe)).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of POSIX");
    }
    std::os::unix::fs::symlink("pipe", folder.path("link")).unwrap();
    for (path, kind) in [
        ("pipe", "a named pipe"),
        ("link", "a named pipe"),
        ("socket", "a socket"),
        ("/dev/zero", "a device"),
        ("/dev/null", "a device"),
        ("tiny", "a directory"),
    ] {
        let resource = format!("urn:x={path}");
        for arguments in [
            &["check", path, "--format", "lark"][..],
            &["check", "point.json", "--resource", &resource],
            &["compile", "sums.lark", "-o", "x.gcg", "--vocab", path],
            &["vocab", "import", path, "--name", "x", "--vocab-dir", "kept"],
            &["inspect", path],
            &["mask", path, "--vocab", "tiny"],
            &["mask", "a.gcg", "--vocab", "tiny", "--text-file", path],
            &["replay", "a.gcg", "--vocab", "tiny", "--text-file", path],
            &["replay", "a.gcg", "--vocab", "tiny", "--tokens-file", path],
        ] {
            if path == "tiny" && (arguments[0] == "compile" || arguments[0] == "vocab") {
                continue; // A vocabulary may be a directory.
            }
            let ran = folder.run(arguments);
            let expected = format!("it is {kind}, not a regular file");
            assert!(
                ran.exit == 2 && ran.stderr.contains(&expected),
                "{arguments:?}: {} {}",
                ran.exit,
                ran.stderr
            );
        }
    }
    let ran = folder.run(&["check", "imports.lark"]);
    assert!(ran.exit == 1 && ran.stderr.contains("it is a named pipe"), "{}", ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn long_texts_are_refused_before_they_are_read() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    for name in ["long.lark", "long.json", "long.gbnf"] {
        File::create(folder.path(name)).unwrap().set_len(5 << 30).unwrap();
    }
    for arguments in [
        "check long.lark",
        "check long.json",
        "check long.gbnf",
        "check point.json --resource urn:x=long.json",
        "replay a.gcg --vocab tiny --text-file long.json",
    ] {
        let ran = run_in_little_memory(&folder, arguments);
        assert!(
            ran.exit == 3 && ran.stderr.contains("more than the limit of"),
            "{arguments}: {}",
            ran.stderr
        );
    }
    let ran = run_in_little_memory(&folder, "compile sums.lark --vocab long.json");
    assert!(ran.exit == 1 && ran.stderr.contains("larger than the limit of"), "{} {}", ran.exit, ran.stderr);
    let ran = run_in_little_memory(&folder, "check - --format lark < long.json");
    assert!(ran.exit == 3 && ran.stderr.contains("<stdin>"), "{} {}", ran.exit, ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn compressed_bombs_are_not_expanded() {
    let folder = Folder::new();
    // 20 KB of zstd that announce and hold 600 MB, and 16 MB without an announcement.
    folder.write("announced.gcg", zeros(600 << 20, true));
    folder.write("silent.gcg", zeros(1 << 24, false));
    folder.write("zeros.gcg", zeros(1 << 24, true));
    for (name, exit, message) in [
        ("announced.gcg", 3, "more than the limit"),
        ("silent.gcg", 1, "cannot be expanded"),
        ("zeros.gcg", 1, "not a compiled grammar"),
    ] {
        let ran = run_in_little_memory(&folder, &format!("verify {name}"));
        assert!(ran.exit == exit && ran.stderr.contains(message), "{name}: {} {}", ran.exit, ran.stderr);
    }
}

/// A zstd frame of zeros in blocks of run length encoding (RFC 8878, section 3.1.1).
#[cfg(target_os = "linux")]
fn zeros(length: u64, announced: bool) -> Vec<u8> {
    const BLOCK: u64 = 1 << 17;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd];
    // A window of 128 KiB; the length takes eight bytes, or none.
    frame.extend(if announced { [0b1100_0000, 0x38] } else { [0, 0x38] });
    if announced {
        frame.extend(length.to_le_bytes());
    }
    for block in 0..length / BLOCK {
        let is_last = u64::from((block + 1) * BLOCK == length);
        frame.extend(&(BLOCK << 3 | 1 << 1 | is_last).to_le_bytes()[..3]);
        frame.push(0);
    }
    frame
}

#[cfg(unix)]
#[test]
fn permissions_of_outputs_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.compile("sums.lark", "fresh.gcg");
    for mode in [0o600, 0o444, 0o640] {
        folder.write("a.gcg", "old");
        fs::set_permissions(folder.path("a.gcg"), fs::Permissions::from_mode(mode)).unwrap();
        folder.compile("sums.lark", "a.gcg");
        folder.succeed(&["mask", "fresh.gcg", "--vocab", "tiny", "--bitmask", "a.gcg"]);
        let found = fs::metadata(folder.path("a.gcg")).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{found:o} instead of {mode:o}");
        fs::remove_file(folder.path("a.gcg")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn links_to_nothing_are_not_written() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("nowhere", folder.path("link.gcg")).unwrap();
    let ran = folder.run(&["compile", "sums.lark", "--vocab", "tiny", "-o", "link.gcg"]);
    let message = "cannot be written: it is a symbolic link that leads to no file";
    assert!(ran.exit == 2 && ran.stderr.contains(message), "{}", ran.stderr);
    assert!(ran.stderr.contains("--> link.gcg"), "{}", ran.stderr);
    assert!(folder.path("link.gcg").is_symlink() && !folder.path("nowhere").exists());
}

#[cfg(unix)]
#[test]
fn outputs_do_not_replace_inputs() {
    let folder = Folder::new();
    folder.write("main.lark", "start: x\n%import part.x\n");
    folder.write("part.lark", "x: \"a\"\n");
    folder.write("other.json", "{}");
    std::os::unix::fs::symlink("sums.lark", folder.path("soft")).unwrap();
    fs::hard_link(folder.path("sums.lark"), folder.path("hard")).unwrap();
    folder.compile("sums.lark", "a.gcg");
    let files = ["sums.lark", "part.lark", "other.json", "tiny/tokenizer.model", "tiny/config.json", "a.gcg"];
    let contents = || files.map(|file| folder.read(file));
    let before = contents();
    for arguments in [
        &["compile", "sums.lark", "-o", "sums.lark"][..],
        &["compile", "sums.lark", "-o", "./tiny/../sums.lark"],
        &["compile", "sums.lark", "-o", "soft"],
        &["compile", "soft", "--format", "lark", "-o", "hard"],
        &["compile", "main.lark", "-o", "part.lark"],
        &["compile", "point.json", "--resource", "urn:x=other.json", "-o", "other.json"],
        &["compile", "sums.lark", "-o", "tiny/tokenizer.model"],
        &["compile", "sums.lark", "-o", "tiny/config.json"],
        &["mask", "a.gcg", "--bitmask", "a.gcg"],
    ] {
        let ran = folder.run(&[arguments, &["--vocab", "tiny"]].concat());
        assert!(
            ran.exit == 2 && ran.stderr.contains("the output is the input"),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
    assert_eq!(contents(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    fs::write(folder.path("").join(name(b"s\xff\xfeums.lark")), SUMS).unwrap();
    fs::write(folder.path("").join(name(b"p\xff.schema.json")), r#"{"type": "null"}"#).unwrap();
    let run = |arguments: &[&OsStr]| {
        let mut command = folder.command(&[]);
        Ran::of(&command.args(arguments).output().unwrap())
    };
    let tail = ["--vocab", "tiny", "--json"].map(OsStr::new);
    for (input, output) in [
        (name(b"s\xff\xfeums.lark"), name(b"s\xff\xfeums.gcg")),
        (name(b"p\xff.schema.json"), name(b"p\xff.gcg")),
    ] {
        let ran = run(&[&[OsStr::new("compile"), input][..], &tail].concat());
        assert_eq!(ran.exit, 0, "{}", ran.text());
        assert!(ran.json()["output"].is_string());
        assert!(folder.path("").join(output).is_file(), "{:?}", folder.list());
    }
    let chosen = name(b"\xffchosen");
    let arguments = [OsStr::new("compile"), OsStr::new("sums.lark"), OsStr::new("-o"), chosen];
    assert_eq!(run(&[&arguments[..], &tail].concat()).exit, 0);
    assert!(folder.path("").join(chosen).is_file());
}

/// Compiles that write to one file at the same time leave the file of one of them, and nothing else.
#[test]
fn racing_compiles_leave_one_whole_file() {
    let folder = Folder::new();
    folder.write("other.lark", format!("{SUMS}%ignore \"\\t\"\n"));
    folder.compile("sums.lark", "sums.gcg");
    folder.compile("other.lark", "other.gcg");
    let whole = [folder.read("sums.gcg"), folder.read("other.gcg")];
    assert_ne!(whole[0], whole[1]);
    let before = folder.list();
    for _ in 0..10 {
        let compile = |input| ["compile", input, "--vocab", "tiny", "-q", "-o", "out.gcg"];
        let children: Vec<_> = ["sums.lark", "other.lark", "sums.lark", "other.lark"]
            .into_iter()
            .map(|input| folder.command(&compile(input)).spawn().unwrap())
            .collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
            assert!(whole.contains(&folder.read("out.gcg")), "a reader sees a whole file at any time");
        }
        fs::remove_file(folder.path("out.gcg")).unwrap();
        assert_eq!(folder.list(), before, "no temporary files stay");
    }
}

/// A disk that is full while the file is written: here, a limit on the size of files.
#[cfg(target_os = "linux")]
#[test]
fn errors_name_the_file_of_the_user() {
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    let before = folder.list();
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} compile sums.lark --vocab tiny -o a.gcg",
        env!("CARGO_BIN_EXE_gcc-grammar")
    );
    let ran = Ran::of(&folder.shell(&script).output().unwrap());
    assert_eq!(ran.stderr, "error[io]: cannot be written: File too large (os error 27)\n --> a.gcg\n");
    assert_eq!(ran.exit, 2);
    assert_eq!(folder.list(), before);
    folder.succeed(&["verify", "a.gcg"]);
}

/// Signals that arrive while the output is being written.
#[cfg(target_os = "linux")]
mod signals {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, ExitStatus};

    /// Compiles, and sends the signal when a temporary file is seen. Returns none if none was seen.
    fn interrupted(folder: &Folder, signal: &str) -> Option<ExitStatus> {
        let mut child = compile(folder).spawn().unwrap();
        while child.try_wait().unwrap().is_none() {
            if folder.list().iter().any(|name| name.starts_with(".gcc-grammar-")) {
                Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
                return Some(child.wait().unwrap());
            }
        }
        None
    }

    fn compile(folder: &Folder) -> Command {
        let vocabulary = ["--vocab", "large", "--vocab-dir", "kept"];
        let arguments = ["compile", "sums.lark", "--self-contained", "-q", "-o", "out.gcg"];
        folder.command(&[&arguments[..], &vocabulary].concat())
    }

    /// A vocabulary with 36 MB of names, so that writing the artifact takes some time.
    fn write_large_model(folder: &Folder) {
        crate::support::write_model(&folder.path("large"), 1000);
        let name = |id: u32| format!("<{id}{}>", "-".repeat(60_000));
        let token = |id: u32| format!(r#""{id}": {{"content": "{}", "special": true}}"#, name(id));
        let tokens: Vec<String> = (268..868).map(token).collect();
        let config = format!(r#"{{"added_tokens_decoder": {{{}}}}}"#, tokens.join(","));
        folder.write("large/tokenizer_config.json", config);
    }

    #[test]
    fn temporary_files_are_removed() {
        let folder = Folder::new();
        write_large_model(&folder);
        assert!(compile(&folder).status().unwrap().success());
        fs::remove_file(folder.path("out.gcg")).unwrap();
        let before = folder.list();
        for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
            // A signal that the parent ignores stays ignored: shells ignore SIGINT for what runs in the background.
            if folder.shell(&format!("kill {signal} $$")).status().unwrap().success() {
                eprintln!("skipped: the parent of this test ignores {signal}");
                continue;
            }
            let is_caught = (0..200).any(|_| {
                let status = interrupted(&folder, signal);
                let is_whole = fs::remove_file(folder.path("out.gcg")).is_ok();
                assert_eq!(folder.list(), before, "{signal} leaves a temporary file");
                let Some(status) = status else { return false };
                // The file may have been complete before the signal came.
                assert!(status.signal() == Some(number) || (status.success() && is_whole), "{status}");
                !is_whole
            });
            assert!(is_caught, "no attempt met a process that was writing");
        }
    }

    #[test]
    fn ignored_signals_stay_ignored() {
        let folder = Folder::new();
        let binary = env!("CARGO_BIN_EXE_gcc-grammar");
        // The signal arrives while the program reads its input.
        let script = format!(
            "trap '' HUP; mkfifo pipe; {binary} check - --format lark < pipe & \
            exec 3> pipe; sleep 0.2; kill -HUP $!; cat sums.lark >&3; exec 3>&-; wait $!"
        );
        let status = folder.shell(&script).status().unwrap();
        assert!(status.success(), "{status}");
    }
}

/// What docs/command-line.md says about files that are changed in place while a process has mapped them.
#[cfg(target_os = "linux")]
#[test]
fn a_mapped_file_that_is_truncated_ends_the_process() {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    let folder = Folder::new();
    folder.compile("sums.lark", "a.gcg");
    folder.write("copy.gcg", folder.read("a.gcg"));
    let generating = || {
        let arguments = ["generate", "a.gcg", "--vocab", "tiny", "-n", "1000000"];
        let mut child = folder.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut start = [0; 100];
        child.stdout.as_mut().unwrap().read_exact(&mut start).unwrap();
        child
    };
    // Replaced as a whole, as this program does it: the process goes on with the old file.
    let mut child = generating();
    folder.compile("point.json", "a.gcg");
    let mut more = vec![0; 1 << 18];
    child.stdout.as_mut().unwrap().read_exact(&mut more).unwrap();
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
    // Truncated in place.
    fs::copy(folder.path("copy.gcg"), folder.path("a.gcg")).unwrap();
    let mut child = generating();
    File::options().write(true).open(folder.path("a.gcg")).unwrap().set_len(0).unwrap();
    let mut rest = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(7), "SIGBUS");
}

#[test]
fn without_a_home_nothing_is_kept_in_the_current_folder() {
    let folder = Folder::new();
    let bare = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        for variable in ["HOME", "XDG_DATA_HOME", "LOCALAPPDATA"] {
            command.env_remove(variable);
        }
        Ran::of(&command.output().unwrap())
    };
    // A vocabulary where earlier versions looked for it: the one of another model directory.
    crate::support::write_model(&folder.path("other"), 100);
    folder.succeed(&["vocab", "inspect", "other", "--vocab-dir", ".gcc-grammar"]);
    let before = folder.list();
    let ran = bare(&["vocab", "inspect", "tiny"]);
    assert!(ran.exit == 0 && ran.text().contains("not kept: "), "{} {}", ran.text(), ran.stderr);
    let ran = bare(&["compile", "sums.lark", "--vocab", "tiny", "-o", "a.gcg"]);
    let warning = "the vocabulary is compiled each time: there is no folder for compiled vocabularies";
    assert!(
        ran.exit == 0 && ran.stderr.contains(warning) && ran.stderr.contains("--vocab-dir"),
        "{}",
        ran.stderr
    );
    let ran = bare(&["mask", "a.gcg", "--vocab", "tiny", "--text", "1"]);
    assert!(ran.exit == 0 && ran.stderr.contains(warning), "{}", ran.stderr);
    let ran = bare(&["vocab", "import", "tiny", "--name", "mine"]);
    assert!(ran.exit == 2 && ran.stderr.contains("there is no folder"), "{} {}", ran.exit, ran.stderr);
    fs::remove_file(folder.path("a.gcg")).unwrap();
    assert_eq!(folder.list(), before);
    // Relative folders count for nothing, as they depend on the current folder.
    for variable in ["HOME", "XDG_DATA_HOME", "LOCALAPPDATA"] {
        let mut command = folder.command(&["vocab", "inspect", "tiny"]);
        for other in ["HOME", "XDG_DATA_HOME", "LOCALAPPDATA"] {
            command.env_remove(other);
        }
        let ran = Ran::of(&command.env(variable, ".").output().unwrap());
        assert!(ran.text().contains("not kept: "), "{variable}: {}", ran.text());
    }
    assert_eq!(folder.list(), before);
    assert!(!Path::new(&folder.path("gcc-grammar")).exists());
}
