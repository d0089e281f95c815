//! What is said to a worker and what it answers: a JSON value per line, on its standard input and output.
//!
//! The worker first says `ready`. For each job it says `compiled` when compiling is over and `done` at the end. Time limits are the
//! driver's business: it ends a worker that is too slow, and starts another.

use serde::{Deserialize, Serialize};

/// What a grammar is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A MaskBench file: a JSON Schema with instances.
    Bench,
    /// A Lark grammar, and files with texts.
    Lark,
}

/// One grammar with its texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Its name.
    pub id: String,
    /// What the file is.
    pub kind: Kind,
    /// The file.
    pub path: String,
    /// Files whose texts are in the language (Lark only).
    #[serde(default)]
    pub accept: Vec<String>,
    /// Files whose texts are not.
    #[serde(default)]
    pub reject: Vec<String>,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
#[expect(missing_docs, reason = "nanoseconds and sizes, named after what they are of")]
pub enum Note {
    /// Whatever depends on the vocabulary alone is made.
    Ready {
        vocab_ns: u64,
        init_ns: u64,
        first_compile_ns: u64,
        second_compile_ns: u64,
        rss_kib: u64,
        threads: u64,
    },
    /// Compiling is over, the texts begin.
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

/// What became of a job. Times are nanoseconds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The job's.
    pub id: String,
    /// How compiling ended.
    pub compile: Compile,
    /// Why it did not compile.
    pub message: String,
    /// From the text to something that can be saved.
    pub compile_ns: u64,
    /// From the text to the first mask.
    pub ttfm_ns: u64,
    /// Processor time of compiling.
    pub compile_cpu_ns: u64,
    /// By how much memory grew at most while compiling.
    pub compile_peak_kib: u64,
    /// If it can be saved.
    pub artifact: Option<Artifact>,
    /// One per text.
    pub tests: Vec<TestReport>,
    /// What broke after compiling.
    pub run_failure: String,
    /// Threads of the worker.
    pub threads: u64,
}

/// A compiled grammar as a file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Artifact {
    /// Its size.
    pub bytes: u64,
    /// Making the bytes.
    pub save_ns: u64,
    /// Making it usable again.
    pub load_ns: u64,
    /// What was loaded has the same first mask.
    pub same_mask: bool,
    /// Why it cannot be used.
    pub error: String,
}

/// What an engine says of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every token, and the end.
    Accepted,
    /// A token is not in its mask.
    Rejected,
    /// The text may not end here.
    Incomplete,
    /// The engine gave up, or contradicts itself.
    #[default]
    Broken,
}

/// How a text went. The lists have an entry per token; `best` is the least of all passes at the same token.
#[derive(Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named after what they are of")]
pub struct TestReport {
    /// Which of the job's texts.
    pub index: usize,
    /// How the instance was written.
    pub form: String,
    /// What the answer should be.
    pub valid: bool,
    /// What it is.
    pub verdict: Verdict,
    /// How many there are.
    pub tokens: usize,
    /// Committed tokens.
    pub reached: usize,
    /// For people.
    pub detail: String,
    pub mask_ns: Vec<u64>,
    pub commit_ns: Vec<u64>,
    /// Mask and commit.
    pub tbm_ns: Vec<u64>,
    pub best_mask_ns: Vec<u64>,
    pub best_commit_ns: Vec<u64>,
    pub best_tbm_ns: Vec<u64>,
    /// Opening a session.
    pub open_ns: u64,
    pub byte_len: usize,
    /// Tokens in each mask.
    pub allowed: Vec<u32>,
}
