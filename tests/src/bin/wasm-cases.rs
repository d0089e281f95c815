//! Writes what the tests of the WebAssembly module compare with: artifacts, vocabularies, and masks along walks.
//!
//! ```text
//! wasm-cases FOLDER [MASKBENCH]
//! ```
//! `FOLDER/cases.json` has the cases of `tests/cases` with their expected masks; their artifacts and vocabularies lie in `FOLDER/cases`.
//! `FOLDER/sources.json` has the sources of the golden list, those in the folder `MASKBENCH` included if it is given: each with
//! what the native compiler makes of it, the artifact in `FOLDER/artifacts`, random walks, and a digest of each mask. Times are in milliseconds.

use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::{Artifact, Error, ErrorKind, Options, Session, Vocabulary, compile};
use gcc_grammar_tests::cases::{Expected, all_cases};
use gcc_grammar_tests::compare::Step;
use gcc_grammar_tests::golden::{Input, inputs, maskbench_inputs, vocabulary};
use gcc_grammar_tests::subject::convert;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The vocabulary of the sources.
const VOCABULARY: &str = "llama3";
/// Random outputs of each source.
const WALKS: u64 = 2;
/// Tokens of a random output, at most.
const TOKENS: usize = 200;

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().expect("the folder to write to is the first argument");
    for name in ["cases", "artifacts"] {
        fs::create_dir_all(folder.join(name)).expect("the folder can be made");
    }
    write(&folder.join("cases.json"), &cases(&folder));
    let tokens = vocabulary(VOCABULARY);
    fs::write(folder.join("vocabulary.gcv"), tokens.tokens().to_artifact()).expect("a file");
    let maskbench = arguments.next().map(|folder| maskbench_inputs(&folder)).unwrap_or_default();
    let all = inputs().into_iter().chain(maskbench).filter(|input| !input.is_slow()).enumerate();
    let sources: Value = all.map(|(number, input)| source(&folder, number, &input, &tokens)).collect();
    write(&folder.join("sources.json"), &sources);
}

fn write(path: &Path, value: &Value) {
    fs::write(path, value.to_string()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The cases that compile, with the masks that they state.
fn cases(folder: &Path) -> Value {
    let mut written = Vec::new();
    for (name, case) in all_cases() {
        let Expected::Steps(steps) = &case.expected else { continue };
        let tokens = convert(&case.sample.vocabulary);
        let options = gcc_grammar_compiler::Options::default();
        let compiled = gcc_grammar_compiler::compile(&case.sample.grammar.into(), &tokens, &options, &mut ());
        let artifact = compiled.unwrap_or_else(|error| panic!("{name}: {error:?}")).to_artifact(&tokens);
        let place = |extension: &str| folder.join(format!("cases/{}.{extension}", written.len()));
        fs::write(place("gcg"), artifact).expect("a file");
        fs::write(place("gcv"), tokens.to_artifact()).expect("a file");
        let steps: Value = steps
            .iter()
            .map(|step| {
                let then = match step.then {
                    None => Value::Null,
                    Some(Step::Commit(token)) => json!({ "commit": token }),
                    Some(Step::Rollback(count)) => json!({ "rollback": count }),
                };
                json!({ "allowed": step.allowed, "accepting": step.accepting, "then": then })
            })
            .collect();
        written.push(json!({ "name": name, "steps": steps }));
    }
    written.into()
}

/// A source and what becomes of it.
fn source(folder: &Path, number: usize, input: &Input, tokens: &Vocabulary) -> Value {
    let Input { label, source, .. } = input;
    let begun = Instant::now();
    let compiled = compile(&source.clone().without_files(), tokens, &Options::default());
    let compile_ms = begun.elapsed().as_secs_f64() * 1e3;
    let mut value = json!({ "label": label, "notation": source.notation().to_string(), "name": source.text().name, "source": source.text().text });
    match compiled.and_then(|artifact| walks(folder, number, artifact, tokens)) {
        Ok((walks, mask_ms)) => {
            value["walks"] = walks;
            value["compile_ms"] = compile_ms.into();
            value["mask_ms"] = mask_ms.into();
        }
        Err(error) if error.kind() == ErrorKind::OverBudget => value["error"] = "over-budget".into(),
        Err(_) => value["error"] = "refused".into(),
    }
    value
}

/// Random walks through an artifact, which is written to its file, with the digest of each mask; and the mean time of a mask.
fn walks(
    folder: &Path,
    number: usize,
    artifact: Artifact,
    tokens: &Vocabulary,
) -> Result<(Value, f64), Error> {
    fs::write(folder.join(format!("artifacts/{number}.gcg")), artifact.bytes()).expect("a file");
    let session = Session::new(artifact, tokens)?;
    let mut generator = Generator::new(&session)?;
    let mut row = vec![0; session.row_words()];
    let (mut walks, mut nanoseconds, mut masks) = (Vec::new(), 0, 0);
    for seed in 0..WALKS {
        let Ok(drawn) = generator.generate(&mut RandomNumbers(seed), TOKENS) else { continue };
        let mut matcher = session.matcher()?;
        let mut digests = Vec::new();
        for &token in &drawn {
            let begun = Instant::now();
            matcher.fill_mask(&mut row)?;
            nanoseconds += begun.elapsed().as_nanos();
            masks += 1;
            digests.push(digest(&row));
            matcher.commit(token)?;
        }
        walks.push(json!({ "tokens": drawn, "digests": digests }));
    }
    Ok((walks.into(), nanoseconds as f64 / f64::from(masks.max(1)) / 1e6))
}

/// FNV-1a of the words of a mask.
fn digest(row: &[u32]) -> u32 {
    row.iter().fold(0x811c_9dc5, |hash, word| (hash ^ word).wrapping_mul(0x0100_0193))
}
