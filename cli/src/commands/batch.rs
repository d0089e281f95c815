//! `gcc-grammar batch`: compiles the items of a list into a store, and reports each as a line of JSON.

use crate::arguments::{
    LimitArguments, SignArguments, StoreArguments, VocabularyArguments, warn_if_not_kept,
};
use crate::failure::{Exit, Failure};
use crate::progress::BatchProgress;
use crate::render::batch::{Counts, outcome_json};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::Packing;
use gcc_grammar::store::batch::Batch;
use gcc_grammar::store::items::{Defaults, Items, Shard};
use gcc_grammar::store::make::Maker;
use serde_json::{Map, Value};
use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A list of items, one JSON object per line; `-` is the standard input. Or a folder of schemas and grammars
    #[arg(value_name = "LIST|FOLDER")]
    input: PathBuf,
    /// The number of items that are compiled at once [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Compile only part K of M, so that M processes share the items; K is a number from 0 to M - 1
    #[arg(long, value_name = "K/M", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// The options of all items, as a JSON object; names are those of the command line, with underscores
    #[arg(long, value_name = "JSON", value_parser = parse_options, default_value = "{}")]
    options: Map<String, Value>,
    /// Put the tokens of the vocabulary into the artifacts
    #[arg(long)]
    self_contained: bool,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    sign: SignArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Compiles the items, and writes the report.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let store = arguments.store.expect_sealed(&arguments.store.seal_with(&arguments.sign)?)?;
    let items = Items::open(&arguments.input, arguments.shard.unwrap_or(Shard::ALL))?;
    let vocabulary = arguments.vocabulary.load()?;
    warn_if_not_kept(&vocabulary, shell);
    let maker = Maker {
        store,
        vocabulary,
        packing: if arguments.self_contained { Packing::SelfContained } else { Packing::Referenced },
        defaults: Defaults { options: arguments.options.clone(), limits: arguments.limits.options() },
    };
    let jobs = arguments.jobs.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let batch = Batch { maker: &maker, jobs };
    let progress = BatchProgress::new(shell, items.total());
    let mut counts = Counts::default();
    batch.run(items, |outcome| {
        counts.add(&outcome);
        progress.show(outcome.end, &counts);
        write_line(&outcome_json(&outcome))
    })?;
    drop(progress);
    if !shell.quiet && !shell.json {
        // If the standard error is closed, the summary is lost.
        let _ = writeln!(std::io::stderr().lock(), "{}", counts.text());
    }
    Ok(if counts.are_done() { Exit::Done } else { Exit::Refused })
}

/// Writes a line of the report at once, so that it is there if the program is ended.
fn write_line(line: &Value) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    Ok(out.flush()?)
}

pub(crate) fn parse_options(text: &str) -> Result<Map<String, Value>, String> {
    let options: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    gcc_grammar::Options::from_json(text).map_err(|error| error.to_string())?;
    Ok(options)
}
