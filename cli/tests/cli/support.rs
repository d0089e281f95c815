//! A temporary folder with a grammar, a schema and a small vocabulary, in which the tests run the binary.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A grammar for sums such as `1 + (2 + 33)`.
pub(crate) const SUMS: &str = r#"
start: sum
sum: value ("+" value)*
value: NUMBER | "(" sum ")"
NUMBER: /[0-9]+/
%ignore " "
"#;

/// A schema of a small object with two integers.
pub(crate) const POINT: &str = r#"{
  "type": "object",
  "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
  "required": ["x"],
  "additionalProperties": false
}"#;

/// A folder with files in it, in which the binary runs.
pub(crate) struct Folder(TempDir);

/// The exit code and the output of a run.
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Folder {
    /// A new folder with the grammar, the schema, and a model directory of the small vocabulary.
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        folder.write("sums.lark", SUMS);
        folder.write("point.json", POINT);
        write_model(&folder.path("tiny"), 8);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a file is written");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files and folders, in order.
    pub(crate) fn list(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort_unstable();
        names
    }

    /// The command that runs the binary with these arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.here(env!("CARGO_BIN_EXE_gcc-grammar"));
        command.args(arguments);
        command
    }

    /// The command that runs a script.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = self.here("sh");
        command.args(["-c", script]);
        command
    }

    /// A program in this folder. Vocabularies are kept with the build, so that large ones are compiled only once. Variables that change
    /// what is printed do not reach the program.
    fn here(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-data");
        command.current_dir(self.0.path()).env("XDG_DATA_HOME", data);
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs the binary with an empty standard input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// Runs the binary with these bytes on the standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = stdin.to_vec();
        // A thread writes the input, because otherwise both sides could wait for each other. The binary may end without reading.
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &bytes).is_ok());
        let output = child.wait_with_output().expect("the binary ends");
        writer.join().expect("the writer ends");
        Ran::of(&output)
    }

    /// Runs the binary, and expects it to succeed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.exit, 0, "{arguments:?}: {} {}", ran.stderr, ran.text());
        ran
    }

    /// Compiles a file for the small vocabulary, to `OUTPUT`.
    pub(crate) fn compile(&self, input: &str, output: &str) {
        self.succeed(&["compile", input, "--vocab", "tiny", "-o", output]);
    }
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
        let exit = output.status.code().unwrap_or_else(|| panic!("ended by a signal: {stderr}"));
        Self { exit, stdout: output.stdout.clone(), stderr }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// The values of an output with one on each line.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.text().lines().map(parse).collect()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// A model directory: tiktoken ranks for all bytes and a few longer tokens, one end token, and `padding` more ids.
pub(crate) fn write_model(path: &Path, padding: usize) {
    let long = ["\": ", "{\"x\": ", "12", "123", "+(", ")+", "}\n", " + ", "\"y\"", "ab", "é"];
    let bytes =
        (0..=u8::MAX).map(|byte| vec![byte]).chain(long.iter().map(|token| token.as_bytes().to_vec()));
    let ranks: String =
        bytes.enumerate().map(|(rank, token)| format!("{} {rank}\n", base64(&token))).collect();
    let end = 256 + long.len();
    fs::create_dir_all(path).expect("a folder is made");
    fs::write(path.join("tokenizer.model"), ranks).expect("ranks are written");
    let config = format!(r#"{{"eos_token_id": {end}, "vocab_size": {}}}"#, end + 1 + padding);
    fs::write(path.join("config.json"), config).expect("a configuration is written");
    let names =
        format!(r#"{{"added_tokens_decoder": {{"{end}": {{"content": "<end>", "special": true}}}}}}"#);
    fs::write(path.join("tokenizer_config.json"), names).expect("a configuration is written");
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().chain([0, 0].iter()).take(3).fold(0u32, |group, &byte| group << 8 | u32::from(byte));
        for index in 0..4 {
            let digit = char::from(DIGITS[(group >> (18 - 6 * index)) as usize & 63]);
            out.push(if index <= chunk.len() { digit } else { '=' });
        }
    }
    out
}
