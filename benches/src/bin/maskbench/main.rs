//! Runs cases of MaskBench through the whole pipeline: compiles the schema, opens the artifact, and reads every instance.
//!
//! ```text
//! maskbench FOLDER [--vocab llama3] [--sample N] [--seed 0] [--threads 1] [--only PART_OF_NAME] [--passes 1]
//!     [--strings printed] [--allow] [--any-order] [--list] [--json]
//! ```
//! A case is a file with `schema` and `tests` (`data`, `valid`). Instances are written with `", "` and `": "` as separators and their keys
//! as they come, and split into tokens by the vocabulary's own tokenizer. An instance that is refused is tried with its keys in other
//! orders: grammars expect the order of the schema, which not all files follow.
//!
//! TTFM (time to first mask) starts with the text of the schema; TBM (time between masks) is a mask and the commit of its token. With
//! several passes the least mask and the least commit of each position count. `--strings` selects the spellings of strings, `--allow` compiles schemas that cannot be enforced exactly,
//! `--any-order` accepts properties in any order, `--list` names the cases behind the numbers, and `--json` prints all results of each case.
//! The exit code is 1 if a valid instance is refused in every order, or an invalid one is accepted in some order.

mod case;
mod report;

use case::{Outcome, Setting};
use clap::Parser;
use gcc_grammar::json_schema::{self, PropertyOrder, Strings, Unenforced};
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The stack of a thread in bytes. The search for orders recurses once for every piece of an instance.
const STACK: usize = 1 << 30;

/// Runs cases of MaskBench through the whole pipeline: compiles the schema, opens the artifact, and reads every instance.
#[derive(Parser)]
struct Arguments {
    /// The folders with the cases.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// The number of cases, chosen at random [default: all].
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    sample: usize,
    /// The seed of the random choice.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// How often each instance is read.
    #[arg(long, default_value_t = 1)]
    passes: usize,
    /// Leave out cases without this text in their path.
    #[arg(long, value_name = "PART_OF_NAME", default_value = "")]
    only: String,
    /// The spellings of strings: printed, all or canonical.
    #[arg(long, default_value_t)]
    strings: Strings,
    /// Compile schemas that cannot be enforced exactly.
    #[arg(long)]
    allow: bool,
    /// Accept properties in any order.
    #[arg(long)]
    any_order: bool,
    /// Name the cases behind the numbers.
    #[arg(long)]
    list: bool,
    /// Print all results as JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The meaning of schemas.
    fn schemas(&self) -> json_schema::Options {
        let mut options = json_schema::Options { strings: self.strings, ..json_schema::Options::default() };
        if self.allow {
            options.unenforced = Unenforced::Allow;
        }
        if self.any_order {
            options.property_order = PropertyOrder::Any;
        }
        options
    }

    /// All cases with `only` in their path, or a random choice of them, sorted.
    fn cases(&self) -> Result<Vec<PathBuf>> {
        let mut cases = files(&self.folders)?;
        cases.retain(|path| {
            path.extension().is_some_and(|extension| extension == "json")
                && path.to_string_lossy().contains(&self.only)
        });
        sample(&mut cases, self.sample, self.seed);
        Ok(cases)
    }
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// Whether no verdict was wrong.
fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary)?;
    let setting = Setting {
        vocabulary: &vocabulary,
        tokenizer: &tokenizer,
        passes: arguments.passes,
        schemas: arguments.schemas(),
    };
    let outcomes = all(&setting, &arguments.cases()?, arguments.threads.max(1))?;
    if arguments.json {
        println!("{:#}", report::json(&outcomes, &arguments.vocabulary));
    } else {
        report::print(&outcomes, arguments.list);
    }
    Ok(outcomes.iter().all(Outcome::is_right))
}

/// Runs the cases on several threads. The outcomes are in the order of the cases.
fn all(setting: &Setting<'_>, cases: &[PathBuf], threads: usize) -> Result<Vec<Outcome>> {
    let outcomes = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(path) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = setting.case(path);
            if let Ok(mut outcomes) = outcomes.lock() {
                outcomes.insert(path, outcome);
            }
        }
    };
    thread::scope(|scope| {
        let start = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        (0..threads).try_for_each(|_| start().map(drop))
    })?;
    outcomes.into_inner().map_err(|error| error.to_string())?.into_values().collect()
}
