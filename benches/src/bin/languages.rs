//! Reads the files of a corpus with a grammar, token by token, and measures masks and commits.
//!
//! ```text
//! languages GRAMMAR FOLDER.. [--vocab llama3] [--sample N] [--passes 1] [--random 2] [--probes 4] [--seed 0]
//! ```
//! `GRAMMAR` is the name of a bundled grammar or a grammar file. Every file in the folders, or a random choice of `--sample` files, is read
//! under the tokenization of the model's own tokenizer, and under `--random` random tokenizations. Under those, each mask is compared
//! with `validate` for `--probes` random tokens.
//!
//! Masks are filled as a whole, and in a row that remembers its content (`update`). With several passes the least time of each position
//! counts. Refused files are listed, and the exit code is 1 if there are any. The last line is the row of the table in `docs/languages.md`.

use clap::Parser;
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::language::Language;
use gcc_grammar_benches::replay::{
    Costs, Verdict, next_bytes, readable, replay_often, replay_probed, replay_updating,
};
use gcc_grammar_benches::times::{SUMMARY, Summary, Times};
use gcc_grammar_benches::tokenization::{Random, at_random, tokenizer};
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_runtime::Matcher;
use gcc_grammar_tokenizers::Tokenizer;
use gcc_grammar_vocabulary::Vocabulary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The number of bytes that are shown before and after the place where a file is refused.
const SHOWN: usize = 60;

/// Reads the files of a corpus with a grammar, token by token, and measures masks and commits.
#[derive(Parser)]
struct Arguments {
    /// The name of a bundled grammar, or a grammar file.
    grammar: String,
    /// The folders with the files.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// The number of files to read, chosen at random [default: all].
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    sample: usize,
    /// How often each file is read.
    #[arg(long, default_value_t = 1)]
    passes: usize,
    /// The random tokenizations of each file.
    #[arg(long, default_value_t = 2)]
    random: u64,
    /// The random tokens that are compared with each mask.
    #[arg(long, default_value_t = 4)]
    probes: usize,
    /// The seed of the random choices.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Arguments {
    /// All files, or a random choice of them.
    fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = files(&self.folders)?;
        sample(&mut files, self.sample, self.seed);
        Ok(files)
    }
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// Whether all files were accepted.
fn run(arguments: &Arguments) -> Result<bool> {
    let files = arguments.files()?;
    let language = Language::compile(&arguments.grammar, &arguments.vocabulary)?;
    print_language(&language);
    let engine = language.session.engine();
    let mut scratch = vec![0; engine.scratch_words()];
    let mut corpus = Corpus {
        arguments,
        tokenizer: tokenizer(language.session.vocabulary())?,
        vocabulary: language.session.vocabulary().tokens(),
        matcher: Matcher::new(engine, &mut scratch, 1)?,
        measured: Measured::default(),
    };
    for (index, file) in files.iter().enumerate() {
        corpus.read(index, file)?;
    }
    let accepted = corpus.measured.accepted;
    corpus.measured.print(arguments, &language, files.len());
    Ok(accepted == files.len())
}

/// The results for all files.
#[derive(Default)]
struct Measured {
    accepted: usize,
    tokens: usize,
    bytes: usize,
    /// Under the model's own tokenization.
    own: Costs,
    /// Under random tokenizations.
    random: Costs,
    /// Rows that remember their content.
    update: Times,
}

/// The tools for reading files, and the results so far.
struct Corpus<'a, 's> {
    arguments: &'a Arguments,
    tokenizer: Tokenizer,
    vocabulary: &'a Vocabulary,
    matcher: Matcher<'a, 's>,
    measured: Measured,
}

impl Corpus<'_, '_> {
    /// Reads a file under all tokenizations.
    fn read(&mut self, index: usize, file: &Path) -> Result<()> {
        let Self { arguments, matcher, measured, .. } = self;
        let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let tokens = self.tokenizer.tokenize(&text)?.ids;
        measured.tokens += tokens.len();
        measured.bytes += text.len();
        let verdict = replay_often(matcher, &tokens, arguments.passes, &mut measured.own);
        if verdict == Verdict::Accepted {
            replay_updating(matcher, &tokens, arguments.passes, &mut measured.update)?;
        } else {
            explain(matcher, file, &text, verdict);
        }
        let is_accepted = verdict == Verdict::Accepted;
        let mut agreed = true;
        for round in 0..arguments.random {
            let mut random = Random(arguments.seed ^ (round << 32 | index as u64));
            let tokens = at_random(self.vocabulary, &text, &mut random).ok_or("no token has this byte")?;
            let verdict =
                replay_probed(matcher, &tokens, arguments.probes, &mut random, &mut measured.random);
            agreed &= is_accepted == (verdict == Verdict::Accepted);
        }
        if !agreed {
            println!("{}: TOKENIZATIONS DISAGREE", file.display());
        }
        measured.accepted += usize::from(is_accepted && agreed);
        Ok(())
    }
}

impl Measured {
    fn print(&mut self, arguments: &Arguments, language: &Language, files: usize) {
        let Self { accepted, tokens, bytes, .. } = self;
        let percent = *accepted as f64 * 100.0 / files.max(1) as f64;
        println!("accepted  {accepted} of {files} files ({percent:.2} %), {tokens} tokens, {bytes} bytes");
        print_costs("", &mut self.own);
        println!("{} (mask and commit)", Summary("first pass", self.own.first.percentiles(SUMMARY)));
        println!("{}", Summary("update", self.update.percentiles(SUMMARY)));
        if arguments.random > 0 {
            print_costs(" (random tokenization)", &mut self.random);
        }
        let [mask, worst_mask] = self.own.mask.percentiles([500, 990]).map(|time| time.as_secs_f64() * 1e6);
        let commit = self.own.commit.per_mille(500).as_secs_f64() * 1e6;
        println!(
            "row       | {} | {accepted} of {files} | {:.1?} | {:.1} MB | {mask:.2} µs / {worst_mask:.2} µs | {commit:.2} µs |",
            arguments.grammar,
            language.compile_time,
            megabytes(language.session.artifact().bytes().len()),
        );
    }
}

fn print_language(language: &Language) {
    println!(
        "compiled  {:.2?}, artifact {:.2} MB, peak {:.0} MB",
        language.compile_time,
        megabytes(language.session.artifact().bytes().len()),
        megabytes(language.peak_bytes.unwrap_or(0)),
    );
    let stats = &language.stats;
    println!(
        "sizes     {} terminals, {} LR states, {} conflicts, {} contexts, {} lexer states, {} DWA states, {} transitions, {} masks",
        stats.terminals,
        stats.lr_states,
        stats.conflicts,
        stats.contexts,
        stats.lexer_states,
        stats.dwa_states,
        stats.dwa_transitions,
        stats.masks,
    );
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// Prints costs; `note` says at the end of each line under which tokenization.
fn print_costs(note: &str, costs: &mut Costs) {
    println!("{}{note}", Summary("mask", costs.mask.percentiles(SUMMARY)));
    println!("{}{note}", Summary("commit", costs.commit.percentiles(SUMMARY)));
    println!("heads     at most {}{note}", costs.most_heads);
}

/// Shows where a file is refused, and which bytes would be possible there.
fn explain(matcher: &mut Matcher<'_, '_>, file: &Path, text: &[u8], verdict: Verdict) {
    let at = readable(matcher, text);
    let possible = next_bytes(matcher);
    let (line, column) = line_and_column(&String::from_utf8_lossy(&text[..at]), usize::MAX);
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).escape_debug().to_string();
    let before = shown(&text[at.saturating_sub(SHOWN)..at]);
    let after = shown(&text[at..text.len().min(at + SHOWN)]);
    println!("{}:{line}:{column}: {verdict:?}\n    {before} ⟦here⟧ {after}", file.display());
    println!("    possible: {}", shown(&possible.into_iter().filter(u8::is_ascii).collect::<Vec<_>>()));
}
