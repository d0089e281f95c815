//! The messages between the driver and a worker: one JSON value per line, on the worker's standard input and output.
//!
//! A worker first sends `ready`. For each job it sends `compiled` when compiling is over, and `done` at the end. The driver enforces the time
//! limits: it ends a worker that is too slow, and starts another.

use serde::{Deserialize, Serialize};

/// The kind of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A MaskBench file: a JSON Schema with instances.
    Bench,
    /// A Lark grammar, and files with texts.
    Lark,
}

/// A grammar with its texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The name of the job.
    pub id: String,
    /// The kind of the file.
    pub kind: Kind,
    /// The file with the grammar.
    pub path: String,
    /// Files with texts of the language (Lark only).
    #[serde(default)]
    pub accept: Vec<String>,
    /// Files with other texts (Lark only).
    #[serde(default)]
    pub reject: Vec<String>,
}

/// A message from a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
#[expect(missing_docs, reason = "times in nanoseconds and sizes, named after what they measure")]
pub enum Note {
    /// All tables that depend on the vocabulary alone are there.
    Ready {
        vocab_ns: u64,
        init_ns: u64,
        first_compile_ns: u64,
        second_compile_ns: u64,
        rss_kib: u64,
        threads: u64,
    },
    /// Compiling is over, and the worker begins to read texts.
    Compiled { id: String },
    /// The job is done.
    Done(Box<Report>),
}

/// How compiling ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named after what happened")]
pub enum Compile {
    Ok,
    Error,
    Panic,
    Timeout,
    Crash,
    #[default]
    Unknown,
}

/// The result of a job. Times are in nanoseconds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The name of the job.
    pub id: String,
    /// How compiling ended.
    pub compile: Compile,
    /// Why the grammar was not compiled.
    pub message: String,
    /// The time from the text of the grammar to something that can be saved.
    pub compile_ns: u64,
    /// The time from the text of the grammar to the first mask.
    pub ttfm_ns: u64,
    /// The processor time of compiling.
    pub compile_cpu_ns: u64,
    /// The largest growth of memory while compiling.
    pub compile_peak_kib: u64,
    /// What the compiled grammar takes in memory, if the engine says it.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
    /// The compiled grammar as a file, if the engine can save it.
    pub artifact: Option<Artifact>,
    /// The results of the texts.
    pub tests: Vec<TestReport>,
    /// The failure after compiling, if there was one.
    pub run_failure: String,
    /// The number of threads of the worker.
    pub threads: u64,
}

impl Report {
    /// The time to the first mask, and of all masks and commits of the first text of the language in its first pass.
    #[must_use]
    pub fn first_text_ns(&self) -> Option<u64> {
        let text = self.tests.iter().find(|test| test.verdict == Verdict::Accepted)?;
        Some(self.ttfm_ns + text.tbm_ns.iter().sum::<u64>())
    }
}

/// A compiled grammar as a file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Artifact {
    /// The size in bytes.
    pub bytes: u64,
    /// The time to write the file, if that is not part of compiling.
    pub save_ns: u64,
    /// The time to open the file.
    pub load_ns: u64,
    /// Whether the opened file gives the same first mask.
    pub same_mask: bool,
    /// Why the file cannot be used.
    pub error: String,
}

/// The verdict of an engine on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every token and the end of the text are allowed.
    Accepted,
    /// A mask does not allow the token that follows.
    Rejected,
    /// The text may not end here.
    Incomplete,
    /// The engine gave up, or contradicts itself.
    #[default]
    Broken,
}

/// The result of a text. The lists have an entry for each token; `best` is the least of all passes at the same token.
#[derive(Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "times in nanoseconds, named after what they measure")]
pub struct TestReport {
    /// The index of the text in the job.
    pub index: usize,
    /// How the instance was written.
    pub form: String,
    /// Whether the text should be accepted.
    pub valid: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// The number of tokens.
    pub tokens: usize,
    /// The number of committed tokens.
    pub reached: usize,
    /// An explanation for people.
    pub detail: String,
    pub mask_ns: Vec<u64>,
    pub commit_ns: Vec<u64>,
    /// Mask and commit together.
    pub tbm_ns: Vec<u64>,
    pub best_mask_ns: Vec<u64>,
    pub best_commit_ns: Vec<u64>,
    pub best_tbm_ns: Vec<u64>,
    /// The time to open a session.
    pub open_ns: u64,
    pub byte_len: usize,
    /// The number of tokens in each mask.
    pub allowed: Vec<u32>,
}
