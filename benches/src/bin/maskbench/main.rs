//! Runs cases of MaskBench through the whole pipeline: compiles the schema, opens the artifact, and reads every instance.
//!
//! ```text
//! maskbench FOLDER [--vocab llama3] [--sample N] [--seed 0] [--threads 1] [--only PART_OF_NAME] [--passes 1]
//!     [--allow] [--list] [--json]
//! ```
//! A case is a file with `schema` and `tests` (`data`, `valid`). Instances are written with `", "` and `": "` as separators and their keys
//! as they come, and split into tokens by the vocabulary's own tokenizer. An instance that is refused is tried with its keys in other
//! orders: grammars expect the order of the schema, which not all files follow.
//!
//! TTFM (time to first mask) starts with the text of the schema; TBM (time between masks) is a mask and the commit of its token. With
//! several passes the least mask and the least commit of each position count. `--allow` compiles schemas that cannot be enforced exactly,
//! `--list` names the cases behind the numbers, and `--json` prints all results of each case. The exit code is 1 if a valid instance is
//! refused in every order, or an invalid one is accepted in some order.

mod case;
mod report;

use case::{Outcome, Setting};
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, arguments, exit_code};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The stack of a thread in bytes. The search for orders recurses once for every piece of an instance.
const STACK: usize = 1 << 30;

const USAGE: &str = "maskbench FOLDER [--vocab NAME] [--sample N] [--seed N] [--threads N] [--passes N] \
                     [--only PART_OF_NAME] [--allow] [--list] [--json]";

struct Arguments {
    folders: Vec<String>,
    vocabulary: String,
    sample: usize,
    seed: u64,
    threads: usize,
    passes: usize,
    only: String,
    allow: bool,
    list: bool,
    json: bool,
}

impl Arguments {
    fn read() -> Result<Self> {
        let mut given = arguments::Arguments::from_env(USAGE);
        Ok(Self {
            vocabulary: given.value_or("--vocab", "llama3".to_owned())?,
            sample: given.value_or("--sample", usize::MAX)?,
            seed: given.value_or("--seed", 0)?,
            threads: given.value_or("--threads", 1)?.max(1),
            passes: given.value_or("--passes", 1)?.max(1),
            only: given.value_or("--only", String::new())?,
            allow: given.flag("--allow"),
            list: given.flag("--list"),
            json: given.flag("--json"),
            folders: given.rest(1)?,
        })
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
    exit_code(Arguments::read().and_then(|arguments| run(&arguments)))
}

/// Whether no verdict was wrong.
fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary)?;
    let setting = Setting {
        vocabulary: &vocabulary,
        tokenizer: &tokenizer,
        passes: arguments.passes,
        allow: arguments.allow,
    };
    let outcomes = all(&setting, &arguments.cases()?, arguments.threads)?;
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
