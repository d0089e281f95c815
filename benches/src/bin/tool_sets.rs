//! Measures tool sets: structural tags in which `<function=NAME>` is followed by a value of the schema of this function and `</function>`.
//!
//! ```text
//! tool_sets [FOLDER] [--vocab llama3] [--runs 3] [--sizes 8,32,128] [--save FOLDER]
//! ```
//! The schemas are those of function calls in MaskBench (`Glaive*`, `BFCL*`), taken evenly from all that compile. The compile time is the
//! median of all runs, from the text of the tags to the artifact, with a loaded vocabulary. Each instance of the cases becomes a call, which
//! must have the same verdict as the instance has under its schema alone. Masks and commits are those of all calls, read once. *One changed*
//! and *one more* are the least times to compile a set in which one tool has another property, or that has such a tool besides, in a session
//! that has compiled the set (goal: 15 ms, for 128 tools). The exit code is 1 if a verdict is wrong, or a session makes another artifact, and 0
//! if the cases are not there, which is said. `--save` writes the tags and artifacts to a folder.

use clap::Parser;
use gcc_grammar::{Notation, Session, Source, Vocabulary};
use gcc_grammar_benches::cases::{Case, folder};
use gcc_grammar_benches::corpus::files;
use gcc_grammar_benches::json::Value;
use gcc_grammar_benches::language::{load_vocabulary, parse_source};
use gcc_grammar_benches::replay::{Costs, Verdict, replay};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_compiler::{CompileSession, compile};
use gcc_grammar_json_schema::forget;
use gcc_grammar_runtime::Matcher;
use gcc_grammar_tokenizers::Tokenizer;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Measures tool sets: structural tags with a schema for each function.
#[derive(Parser)]
struct Arguments {
    /// The folder with the cases of MaskBench [default: the shared data].
    folder: Option<PathBuf>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How often each tool set is compiled.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// The numbers of tools.
    #[arg(long, value_delimiter = ',', default_values_t = [8, 32, 128])]
    sizes: Vec<usize>,
    /// Write the tags and their artifacts to this folder.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
}

/// A function.
#[derive(Clone)]
struct Tool {
    name: String,
    schema: String,
    /// JSON texts, and whether the schema alone accepts them.
    instances: Vec<(String, bool)>,
}

/// The tools for measuring.
struct Bench<'v> {
    vocabulary: &'v Vocabulary,
    tokenizer: Tokenizer,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// Whether every verdict is right.
fn run(arguments: &Arguments) -> Result<bool> {
    let Some(folder) = folder(arguments.folder.as_deref()) else { return Ok(true) };
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let bench = Bench { vocabulary: &vocabulary, tokenizer: tokenizer(&vocabulary)? };
    let cases = cases(&folder)?;
    println!(
        "| tools | compile p50 | one changed, one more (goal 15 ms) | artifact | mask p50 / p99 | commit p50 / p99 | calls | verdicts |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut is_right = true;
    for &size in &arguments.sizes {
        is_right &= bench.measure(&bench.tools(&cases, size)?, arguments)?;
    }
    Ok(is_right)
}

/// The files of function calls.
fn cases(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut cases = files(&[folder])?;
    cases.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("Glaive") || name.starts_with("BFCL")
    });
    Ok(cases)
}

/// The structural tags of the tools.
fn tags(tools: &[Tool]) -> String {
    let tag = |Tool { name, schema, .. }: &Tool| {
        format!(
            r#"{{"type": "tag", "begin": "<function={name}>", "content": {{"type": "json_schema", "json_schema": {schema}}}, "end": "</function>"}}"#
        )
    };
    let tags: Vec<String> = tools.iter().map(tag).collect();
    format!(
        r#"{{"type": "structural_tag", "format": {{"type": "triggered_tags", "triggers": ["<function="], "tags": [{}]}}}}"#,
        tags.join(",\n")
    )
}

/// The same tool under another name, with a further property.
fn another(tool: &Tool) -> Result<Tool> {
    let mut schema: serde_json::Value = serde_json::from_str(&tool.schema)?;
    let members = schema.as_object_mut().ok_or("the schema of a tool is an object")?;
    let properties = members.entry("properties").or_insert_with(|| serde_json::json!({}));
    let properties = properties.as_object_mut().ok_or("properties are an object")?;
    properties.insert("remark".to_owned(), serde_json::json!({"type": "string", "maxLength": 40}));
    Ok(Tool { name: format!("{}_again", tool.name), schema: schema.to_string(), instances: Vec::new() })
}

impl Bench<'_> {
    /// Tools of some of the cases, evenly distributed. In place of a schema that does not compile, the next one is taken.
    fn tools(&self, cases: &[PathBuf], size: usize) -> Result<Vec<Tool>> {
        let mut tools: Vec<Tool> = Vec::new();
        let mut next = 0;
        for index in 0..size {
            next = next.max(index * cases.len() / size);
            let tool = loop {
                let path = cases.get(next).ok_or("there are not enough cases")?;
                next += 1;
                if let Some(tool) = self.tool(path)? {
                    break tool;
                }
            };
            tools.push(tool);
        }
        Ok(tools)
    }

    /// The tool of a case; none if its schema does not compile.
    fn tool(&self, path: &Path) -> Result<Option<Tool>> {
        let Case { schema, tests } = Case::open(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let schema = schema.to_string();
        let Ok(artifact) = self.compile(&schema, Notation::JsonSchema) else { return Ok(None) };
        let session = Session::from_bytes(&name, artifact, self.vocabulary)?;
        let texts: Vec<String> = tests.iter().map(|test| Value::spaced(&test.instance)).collect();
        let verdicts = self.read(&session, &texts, &mut Costs::default())?;
        Ok(Some(Tool { name, schema, instances: texts.into_iter().zip(verdicts).collect() }))
    }

    fn compile(&self, text: &str, notation: Notation) -> Result<Vec<u8>> {
        let parsed = parse_source(&Source::new(notation, text))?;
        let tokens = self.vocabulary.tokens();
        Ok(compile(&parsed.grammar, tokens, &parsed.default_limits().into(), &mut ())?.to_artifact(tokens))
    }

    /// The least times to compile the set with one tool changed, and with one tool more, in sessions that know the set.
    fn warm(&self, tools: &[Tool], runs: usize) -> Result<[Duration; 2]> {
        let middle = tools.len() / 2;
        let new = another(&tools[middle])?;
        let mut changed = tools.to_vec();
        changed[middle] = Tool { name: tools[middle].name.clone(), ..new.clone() };
        let more = [tools, &[new]].concat();
        let (known, others) = (tags(tools), [tags(&changed), tags(&more)]);
        let mut least = [Duration::MAX; 2];
        for (least, text) in least.iter_mut().zip(&others) {
            let alone = self.compile(text, Notation::StructuralTag)?;
            for _ in 0..runs {
                forget();
                let mut session = CompileSession::default();
                self.compile_in(&mut session, &known)?;
                let start = Instant::now();
                let artifact = self.compile_in(&mut session, text)?;
                *least = (*least).min(start.elapsed());
                if artifact != alone {
                    return Err("the session makes another artifact".into());
                }
            }
        }
        Ok(least)
    }

    fn compile_in(&self, session: &mut CompileSession, tags: &str) -> Result<Vec<u8>> {
        let parsed = parse_source(&Source::new(Notation::StructuralTag, tags))?;
        let tokens = self.vocabulary.tokens();
        let options = parsed.default_limits().into();
        Ok(session.compile(&parsed.grammar, tokens, &options, &mut ())?.to_artifact(tokens))
    }

    /// Whether each text is accepted.
    fn read(&self, session: &Session, texts: &[String], costs: &mut Costs) -> Result<Vec<bool>> {
        let engine = session.engine();
        let mut scratch = vec![0; engine.scratch_words()];
        let mut matcher = Matcher::new(engine, &mut scratch, 1)?;
        let verdict = |text: &String| {
            let tokens = self.tokenizer.tokenize(text.as_bytes())?.ids;
            match replay(&mut matcher, &tokens, costs) {
                Verdict::Accepted => Ok(true),
                Verdict::Refused(_) | Verdict::Incomplete => Ok(false),
                other => Err(format!("{other:?}: {text}").into()),
            }
        };
        texts.iter().map(verdict).collect()
    }

    /// Prints the costs of a tool set. Returns whether every verdict is right.
    fn measure(&self, tools: &[Tool], arguments: &Arguments) -> Result<bool> {
        let text = tags(tools);
        let mut times = Times::default();
        let mut artifact = Vec::new();
        for _ in 0..arguments.runs.max(1) {
            forget();
            let start = Instant::now();
            artifact = self.compile(&text, Notation::StructuralTag)?;
            times.push(start.elapsed());
        }
        if let Some(folder) = &arguments.save {
            fs::write(folder.join(format!("tools-{}.json", tools.len())), &text)?;
            fs::write(folder.join(format!("tools-{}.gcg", tools.len())), &artifact)?;
        }
        let bytes = artifact.len();
        let [changed, more] = self.warm(tools, arguments.runs.max(1))?;
        let session = Session::from_bytes("tools", artifact, self.vocabulary)?;
        let (mut costs, mut calls, mut wrong) = (Costs::default(), 0, 0);
        for Tool { name, instances, .. } in tools {
            let call = |(instance, _): &(String, bool)| format!("<function={name}>{instance}</function>");
            let texts: Vec<String> = instances.iter().map(call).collect();
            let verdicts = self.read(&session, &texts, &mut costs)?;
            calls += texts.len();
            wrong += instances.iter().zip(verdicts).filter(|((_, alone), verdict)| alone != verdict).count();
        }
        let Costs { mask, commit, .. } = &mut costs;
        println!(
            "| {} | {:.1?} | {changed:.1?}, {more:.1?} | {bytes} | {:.2?} / {:.2?} | {:.2?} / {:.2?} | {calls} | {} |",
            tools.len(),
            times.per_mille(500),
            mask.per_mille(500),
            mask.per_mille(990),
            commit.per_mille(500),
            commit.per_mille(990),
            if wrong == 0 { "right".to_owned() } else { format!("{wrong} wrong") },
        );
        Ok(wrong == 0)
    }
}
