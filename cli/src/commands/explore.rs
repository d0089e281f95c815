//! `gcc-grammar explore`: writes one page that shows what may come next and why, for an artifact, a schema or a grammar.
//!
//! The page has everything inside: the WebAssembly module, the artifact, the vocabulary, and the source, which it can compile anew if the module has the compiler.

use crate::arguments::{BudgetArguments, GrammarArguments, LimitArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::render::explore::{Page, page};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::artifact::is_compressed;
use gcc_grammar::text::number;
use gcc_grammar::{
    Artifact, Notation, Options, Packing, Session, compile_parsed, output, parse_for, read_bytes,
};
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The name of the module's file.
const MODULE: &str = "compiler.wasm";
/// The first bytes of an artifact.
const MAGIC: [u8; 4] = *b"GCCG";
/// The first bytes of a WebAssembly module.
const WASM: &[u8] = b"\0asm";

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The page; `-` is the standard output [default: the name of the input with the extension .html, in the current folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The WebAssembly module that the page runs: `compiler.wasm` of the npm package `gcc-grammar` [default: that file beside this program, or in share/gcc-grammar beside its folder, or else the runtime alone, which cannot compile]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    budgets: BudgetArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Writes the page.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let module = arguments.module()?;
    let output = arguments.output()?;
    let is_stdout = output.as_os_str() == "-";
    if is_stdout {
        shell.expect_binary_output("--output")?;
    }
    output::check_distinct(&output, arguments.grammar.files())?;
    let session = arguments.session(shell)?;
    let name = file_name(session.artifact().name());
    let page = page(&Page { name: &name, module: module.as_deref(), session: &session })?;
    if is_stdout {
        shell.write_binary(page.as_bytes())?;
        return Ok(Exit::Done);
    }
    output::write(&output, page.as_bytes())?;
    let (output, bytes) = (output.display().to_string(), page.len());
    shell.tell(
        || format!("{output}: {} bytes; open it in a browser\n", number(bytes as u64)),
        || json!({ "output": output, "bytes": bytes }),
    )
}

impl Arguments {
    /// The artifact with its vocabulary, opened or compiled.
    fn session(&self, shell: &Shell) -> Result<Session, Failure> {
        if let Some(artifact) = self.artifact()? {
            return Ok(Session::open_with(
                artifact,
                &self.vocabulary.registry(),
                &self.vocabulary.request(),
            )?);
        }
        let options =
            Options { limits: self.limits.options(), ..self.budgets.apply(self.grammar.options()?) };
        let source = self.grammar.source()?;
        let vocabulary = self.vocabulary.load()?;
        let parsed = parse_for(&source, &vocabulary, &options)?;
        shell.warn(&parsed.warnings, &parsed.text);
        let compiled = compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut ())?;
        Ok(Session::new(compiled.artifact, &vocabulary)?)
    }

    /// The input, if it is an artifact: its name says no notation, and its bytes that it is one.
    fn artifact(&self) -> Result<Option<Artifact>, Failure> {
        let mut files = self.grammar.files();
        let Some(path) = files.next().filter(|path| Notation::of_path(path).is_none()) else {
            return Ok(None);
        };
        let is_artifact = path.is_file() && begins_like_an_artifact(path).unwrap_or(false);
        Ok(if is_artifact { Some(Artifact::open(path)?) } else { None })
    }

    fn output(&self) -> Result<PathBuf, Failure> {
        match (&self.output, self.grammar.stem()) {
            (Some(output), _) => Ok(output.clone()),
            (None, Some(stem)) => Ok(Path::new(stem).with_extension("html")),
            (None, None) => Err(Failure::usage(
                "--output",
                "the input has no name to derive one from",
                "add --output FILE",
            )),
        }
    }

    /// The bytes of the module with the compiler, if there is one.
    fn module(&self) -> Result<Option<Vec<u8>>, Failure> {
        let Some(path) = self.module.clone().or_else(module_beside_program) else { return Ok(None) };
        let bytes = read_bytes(&path)?;
        if bytes.starts_with(WASM) {
            return Ok(Some(bytes));
        }
        let message = format!("{} is no WebAssembly module", path.display());
        let help = "take compiler.wasm of the npm package `gcc-grammar`, or leave --module out for a page without the compiler";
        Err(Failure::usage("--module", message, help))
    }
}

/// The name of a file without its folder: a page may be passed on.
fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

fn begins_like_an_artifact(path: &Path) -> io::Result<bool> {
    let mut begin = [0; 4];
    File::open(path)?.read_exact(&mut begin)?;
    Ok(begin == MAGIC || is_compressed(&begin))
}

/// The module beside the program, or where packages of systems put such files.
fn module_beside_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    let places = [folder.join(MODULE), folder.join("../share/gcc-grammar").join(MODULE)];
    places.into_iter().find(|path| path.is_file())
}
