//! MaskBench through the whole pipeline: compile, open, and mask and commit for every token of every instance.
//!
//! ```text
//! maskbench FOLDER [--vocab llama3] [--sample N] [--seed 0] [--threads 1] [--only PART_OF_NAME] [--passes 1] [--allow] [--list] [--json]
//! ```
//! A case is a file with `schema` and `tests` (`data`, `valid`). Instances are written with `", "` and `": "`, their keys as they come, and
//! cut into tokens by the vocabulary's own tokenizer. An instance that is refused so is tried in other orders of its keys: the protocol has keys in
//! the order of the schema, and not all files keep to it. TTFM is the time from the text of the schema to the first mask, TBM a mask and the
//! commit of its token; with several passes the least mask and the least commit of a position count. `--allow` compiles schemas that cannot be enforced
//! exactly, `--list` names the cases behind the numbers, `--json` prints all there is of each case. Exit code 1 if a verdict is wrong in all
//! orders, or if what is invalid is accepted in one.

mod case;
mod report;

use case::{Outcome, Setting};
use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::language::TokenBytes;
use gcc_grammar_benches::tokenization::{sample, tokenizer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// Of a thread: the search for orders takes stack for every piece of an instance.
const STACK: usize = 1 << 30;

struct Arguments {
    folder: PathBuf,
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
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let usage = "maskbench FOLDER [--vocab NAME] [--sample N] [--seed N] [--threads N] [--passes N] \
                     [--only PART_OF_NAME] [--allow] [--list] [--json]";
        let mut arguments = Self {
            folder: PathBuf::from(words.next().ok_or(usage)?),
            vocabulary: "llama3".to_owned(),
            sample: usize::MAX,
            seed: 0,
            threads: 1,
            passes: 1,
            only: String::new(),
            allow: false,
            list: false,
            json: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
            let number =
                |value: String| value.parse::<usize>().map_err(|_| format!("{value} is not a number"));
            match word.as_str() {
                "--allow" => arguments.allow = true,
                "--list" => arguments.list = true,
                "--json" => arguments.json = true,
                "--only" => arguments.only = value()?,
                "--vocab" => arguments.vocabulary = value()?,
                "--sample" => arguments.sample = number(value()?)?,
                "--seed" => arguments.seed = number(value()?)? as u64,
                "--threads" => arguments.threads = number(value()?)?.max(1),
                "--passes" => arguments.passes = number(value()?)?.max(1),
                _ => return Err(format!("unknown argument {word}; {usage}")),
            }
        }
        Ok(arguments)
    }

    /// All cases whose names hold `only`, or a random choice of them, sorted.
    fn cases(&self) -> Result<Vec<PathBuf>, String> {
        let entries =
            fs::read_dir(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let mut cases: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        cases.retain(|path| {
            path.extension().is_some_and(|extension| extension == "json")
                && path.to_string_lossy().contains(&self.only)
        });
        sample(&mut cases, self.sample, self.seed);
        Ok(cases)
    }
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| run(&arguments)))
}

/// Whether no verdict was wrong.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let vocabulary = TokenBytes::built_in(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary.0)?;
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

/// What became of the cases, in their order.
fn all(setting: &Setting<'_>, cases: &[PathBuf], threads: usize) -> Result<Vec<Outcome>, String> {
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
    })
    .map_err(|error| error.to_string())?;
    outcomes.into_inner().map_err(|error| error.to_string())?.into_values().collect()
}
