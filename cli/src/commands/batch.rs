//! `gcc-grammar batch`: compiles the items of a list into a store, and reports each as a line of JSON.

use crate::arguments::{ItemArguments, VocabulariesArguments, from_one_to, jobs_or_processors};
use crate::failure::{Exit, Failure};
use crate::progress::BatchProgress;
use crate::render::batch::{Counts, outcome_json};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::Notation;
use gcc_grammar_store::batch::{Batch, MAX_JOBS};
use gcc_grammar_store::items::{Items, Shard};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A list of items, one JSON object per line; `-` is the standard input. Or a folder of schemas and grammars
    #[arg(value_name = "LIST|FOLDER")]
    input: PathBuf,
    /// The number of items that are compiled at once, each within --limit-bytes [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = from_one_to(MAX_JOBS as u64))]
    jobs: Option<NonZeroUsize>,
    /// Compile only part K of M, so that M processes share the items; K is a number from 0 to M - 1
    #[arg(long, value_name = "K/M", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// Write the report to this file, too, as a table
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    #[command(flatten)]
    items: ItemArguments,
    #[command(flatten)]
    vocabularies: VocabulariesArguments,
}

/// Compiles the items, and writes the report.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    #[cfg(feature = "parquet")]
    if let Some(path) = &arguments.parquet {
        return crate::render::table::write(path, |add| {
            compile(arguments, shell, |line| {
                shell.write_json_line(&line)?;
                add(line)
            })
        });
    }
    compile(arguments, shell, |line| shell.write_json_line(&line))
}

/// Compiles the items. `report` gets the line of each.
fn compile(
    arguments: &Arguments,
    shell: &Shell,
    mut report: impl FnMut(Value) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let store = arguments.items.store()?;
    let items = Items::open(&arguments.input, arguments.shard.unwrap_or(Shard::ALL))?;
    let skipped = items.skipped();
    let vocabularies = arguments.vocabularies.load()?.into_iter();
    let defaults = arguments.items.defaults()?;
    let makers = vocabularies
        .map(|vocabulary| arguments.items.maker(Arc::clone(&store), vocabulary, defaults.clone(), shell));
    let makers: Vec<_> = makers.collect();
    let batch = Batch { makers: &makers, jobs: jobs_or_processors(arguments.jobs) };
    let progress = BatchProgress::new(shell, items.total());
    let mut counts = Counts::default();
    batch.run(items, |outcome| {
        counts.add(&outcome);
        progress.show(outcome.end, &counts);
        report(outcome_json(&outcome))
    })?;
    drop(progress);
    let skipped = skipped.load(Ordering::Relaxed);
    if counts.all() == 0 && arguments.shard.is_none() && arguments.input.is_dir() {
        let message = format!("the folder has no schemas and grammars, and {skipped} other files");
        let extensions: BTreeSet<&str> = Notation::ALL.iter().map(|notation| notation.extension()).collect();
        let extensions = Vec::from_iter(extensions).join(", ");
        let help = format!("name them with one of the extensions {extensions}, or list them in a file");
        return Err(Failure::usage(&arguments.input.display().to_string(), message, &help));
    }
    if !shell.quiet && !shell.json {
        // If the standard error is closed, the summary is lost.
        let _ = writeln!(std::io::stderr().lock(), "{}{}", counts.text(), skipped_text(skipped));
    }
    Ok(if counts.are_done() { Exit::Done } else { Exit::Refused })
}

/// How many files of a folder are left out.
fn skipped_text(skipped: u64) -> String {
    match skipped {
        0 => String::new(),
        skipped => format!("; left out, with other extensions: {skipped}"),
    }
}
