//! A job's grammar and texts.

use crate::protocol::{Job, Kind};
use gcc_grammar_benches::json::spaced;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fs;

/// A grammar as it is written, and texts.
pub struct Case {
    /// The schema or grammar.
    pub grammar: String,
    /// What is read with it.
    pub texts: Vec<Text>,
}

/// A text, and whether it is in the language.
pub struct Text {
    /// Its number in the job.
    pub index: usize,
    /// How it is written.
    pub form: &'static str,
    /// Whether it is in the language.
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
    /// Reads the files of a job. The error is for people.
    pub fn read(job: &Job) -> Result<Self, String> {
        let grammar = read(&job.path)?;
        match job.kind {
            Kind::Bench => schema(&grammar).map_err(|error| format!("{}: {error}", job.path)),
            Kind::Lark => {
                let files = job.accept.iter().map(|path| (path, true));
                let files = files.chain(job.reject.iter().map(|path| (path, false)));
                let text = |(index, (path, valid)): (usize, (&String, bool))| {
                    Ok(Text { index, form: "text", valid, text: read(path)? })
                };
                let texts: Result<_, String> = files.enumerate().map(text).collect();
                Ok(Self { grammar, texts: texts? })
            }
        }
    }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

fn schema(file: &str) -> Result<Case, serde_json::Error> {
    let file: BenchFile = serde_json::from_str(file)?;
    let instance = |(index, instance): (usize, &Instance)| Text {
        index,
        form: "spaced",
        valid: instance.valid,
        text: spaced(&instance.data),
    };
    let texts = file.tests.iter().enumerate().map(instance).collect();
    Ok(Case { grammar: file.schema.get().to_owned(), texts })
}
