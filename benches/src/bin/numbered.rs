//! Measures what masks by number take: the base bitmaps of artifacts on a device, and what travels for each row.
//!
//! ```text
//! numbered [FOLDER] [--vocab llama3] [--sample 120]
//! ```
//! The schemas are those of a sample of MaskBench that compile and accept the first of their valid instances. Before each token of this
//! instance, the mask is written as one row. The exit code is 0 if the cases are not there, which is said.

use clap::Parser;
use gcc_grammar::numbered::{BaseSlots, HEADER_WORDS, Staging, WHOLE, staging_words};
use gcc_grammar::{Options, Session, Source, Vocabulary, compile};
use gcc_grammar_benches::cases::{Case, folder};
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::times::nearest_rank;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_tokenizers::Tokenizer;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measures what masks by number take.
#[derive(Parser)]
struct Arguments {
    /// The folder with the cases of MaskBench [default: the shared data].
    folder: Option<PathBuf>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// The number of cases.
    #[arg(long, default_value_t = 120)]
    sample: usize,
}

/// What was found so far.
#[derive(Default)]
struct Tally {
    schemas: usize,
    bases: usize,
    different: HashSet<Vec<u32>>,
    /// Per row that travels by number: its flips.
    flips: Vec<usize>,
    /// The rows that travel whole.
    whole: usize,
    /// The rows with several bases.
    united: usize,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let Some(folder) = folder(arguments.folder.as_deref()) else { return Ok(true) };
    let mut cases = files(&[folder])?;
    sample(&mut cases, arguments.sample, 0);
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary)?;
    let mut tally = Tally::default();
    for case in &cases {
        tally.add(case, &vocabulary, &tokenizer)?;
    }
    tally.print(vocabulary.tokens().width().div_ceil(32) as usize);
    Ok(true)
}

impl Tally {
    /// Adds a case, if it compiles and accepts its first valid instance.
    fn add(&mut self, path: &Path, vocabulary: &Vocabulary, tokenizer: &Tokenizer) -> Result<()> {
        let case = Case::open(path)?;
        let Some(valid) = case.tests.iter().find(|test| test.is_valid) else { return Ok(()) };
        let source = Source::json_schema(case.schema.to_string());
        let Ok(artifact) = compile(&source, vocabulary, &Options::default()) else { return Ok(()) };
        let session = Session::new(artifact, vocabulary)?;
        let Ok(tokens) = tokenizer.tokenize(valid.instance.to_string().as_bytes()) else { return Ok(()) };
        let Some(rows) = rows(&session, &tokens.ids)? else { return Ok(()) };
        self.schemas += 1;
        self.add_bases(&session)?;
        for [kind, _, count] in rows {
            self.united += usize::from(kind != WHOLE && kind > 1);
            if kind == WHOLE { self.whole += 1 } else { self.flips.push(count as usize) }
        }
        Ok(())
    }

    fn add_bases(&mut self, session: &Session) -> Result<()> {
        let mut bases = vec![0; session.base_count() * session.row_words()];
        session.copy_bases(&mut bases)?;
        self.bases += session.base_count();
        self.different.extend(bases.chunks(session.row_words()).map(<[u32]>::to_vec));
        Ok(())
    }

    fn print(&mut self, row_words: usize) {
        self.flips.sort_unstable();
        let (numbered, different) = (self.flips.len(), self.different.len());
        let rows = numbered + self.whole;
        let flips: usize = self.flips.iter().sum();
        let words = rows * HEADER_WORDS + flips + self.whole * row_words;
        let at = |per_mille| nearest_rank(&self.flips, per_mille).unwrap_or(0);
        let mean = |sum: usize, count: usize| sum as f64 / count.max(1) as f64;
        println!(
            "bases   {} of {} schemas, {different} different, {:.1} a schema, {:.0} KB",
            self.bases,
            self.schemas,
            mean(different, self.schemas),
            mean(different * row_words * 4, self.schemas) / 1000.0
        );
        println!(
            "flips   {:.0} a row by number; p50 {}, p90 {}, p99 {}, at most {}",
            mean(flips, numbered),
            at(500),
            at(900),
            at(990),
            at(1000)
        );
        println!(
            "rows    {rows}; {} united, {} whole; {:.0} bytes a row instead of {}",
            self.united,
            self.whole,
            mean(4 * words, rows),
            4 * row_words
        );
    }
}

/// The kind, the beginning and the count of each mask before a token; `None` if the tokens are refused.
fn rows(session: &Session, tokens: &[u32]) -> Result<Option<Vec<[u32; 3]>>> {
    let mut slots = BaseSlots::default();
    slots.insert(session, (0..session.base_count() as u32).collect());
    let mut words = vec![0; staging_words(1, session.row_words())];
    let mut matcher = session.matcher()?;
    let mut rows = Vec::new();
    for &token in tokens {
        Staging::new(&mut words, 1, session.row_words())?.write(0, &mut matcher, &slots)?;
        rows.push([words[0], words[1], words[2]]);
        if matcher.commit(token).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(rows))
}
