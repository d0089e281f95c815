//! Reads the grammar and the texts of a job from their files.

use crate::protocol::{Job, Kind};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::json::Value;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fs;

/// A grammar in its notation, and texts to read with it.
pub struct Case {
    /// The schema or grammar.
    pub grammar: String,
    /// The texts, in the order of the job.
    pub texts: Vec<Text>,
}

/// A text, and whether it is in the language.
pub struct Text {
    /// The index of the text in the job.
    pub index: usize,
    /// How an instance is written, or `text` for a file.
    pub form: &'static str,
    /// Whether the text is in the language.
    pub valid: bool,
    /// The text.
    pub text: String,
}

/// A MaskBench file.
#[derive(Deserialize)]
struct BenchFile {
    schema: Box<RawValue>,
    #[serde(default)]
    tests: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    valid: bool,
    data: Value,
}

impl Case {
    /// Reads the files of a job.
    ///
    /// # Errors
    /// A file cannot be read, or is no MaskBench file.
    pub fn read(job: &Job) -> Result<Self> {
        let grammar = read(&job.path)?;
        match job.kind {
            Kind::Bench => Ok(bench(&grammar).map_err(|error| format!("{}: {error}", job.path))?),
            Kind::Lark => {
                let files = job.accept.iter().map(|path| (path, true));
                let files = files.chain(job.reject.iter().map(|path| (path, false)));
                let text = |(index, (path, valid)): (usize, (&String, bool))| {
                    Ok(Text { index, form: "text", valid, text: read(path)? })
                };
                let texts: Result<_> = files.enumerate().map(text).collect();
                Ok(Self { grammar, texts: texts? })
            }
        }
    }
}

fn read(path: &str) -> Result<String> {
    Ok(fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?)
}

/// Parses a MaskBench file.
fn bench(file: &str) -> Result<Case, serde_json::Error> {
    let file: BenchFile = serde_json::from_str(file)?;
    let text = |(index, instance): (usize, &Instance)| Text {
        index,
        form: "spaced",
        valid: instance.valid,
        text: instance.data.spaced(),
    };
    let texts = file.tests.iter().enumerate().map(text).collect();
    Ok(Case { grammar: file.schema.get().to_owned(), texts })
}
