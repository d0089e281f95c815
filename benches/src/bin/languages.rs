//! A grammar on a corpus.
//!
//! ```text
//! languages GRAMMAR FOLDER.. [--vocab llama3] [--sample N] [--passes 1] [--random 2] [--probes 4] [--seed 0]
//! ```
//! `GRAMMAR` is a bundled one or a Lark file. Every file of the folders, or `N` of them, is replayed token by token under the
//! vocabulary's own tokenization and under some random ones, where each mask is also compared with what is said of some random
//! tokens one by one; refused files are listed. Exit code 1 if there are any. Masks are filled as a whole, and in a row that remembers what it holds
//! (`update`); with several passes the least of each position counts.
//! The last line is the row of the README's table of languages.

use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::language::{Language, files};
use gcc_grammar_benches::replay::{
    Costs, Verdict, next_bytes, readable, replay_often, replay_probed, replay_updating,
};
use gcc_grammar_benches::times::{Summary, Times};
use gcc_grammar_benches::tokenization::{Random, at_random, sample, tokenizer};
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_runtime::{Engine, Matcher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// Bytes shown before and after the place where a file is refused.
const SHOWN: usize = 60;

struct Arguments {
    grammar: String,
    folders: Vec<PathBuf>,
    vocabulary: String,
    sample: usize,
    passes: usize,
    random: u64,
    probes: usize,
    seed: u64,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let usage = "languages GRAMMAR FOLDER.. [--vocab NAME] [--sample N] [--passes N] [--random N] [--probes N] [--seed N]";
        let grammar = words.next().ok_or(usage)?;
        let vocabulary = "llama3".to_owned();
        let mut arguments = Self {
            grammar,
            folders: Vec::new(),
            vocabulary,
            sample: usize::MAX,
            passes: 1,
            random: 2,
            probes: 4,
            seed: 0,
        };
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                arguments.folders.push(PathBuf::from(word));
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{word} wants a number"));
            match word.as_str() {
                "--vocab" => arguments.vocabulary = value,
                "--sample" => arguments.sample = usize::try_from(number()?).unwrap_or(usize::MAX),
                "--probes" => arguments.probes = usize::try_from(number()?).unwrap_or(usize::MAX),
                "--passes" => arguments.passes = usize::try_from(number()?.max(1)).unwrap_or(usize::MAX),
                "--random" => arguments.random = number()?,
                "--seed" => arguments.seed = number()?,
                _ => return Err(format!("unknown argument {word}; {usage}")),
            }
        }
        if arguments.folders.is_empty() { Err(usage.to_owned()) } else { Ok(arguments) }
    }

    /// All files, or a random choice of them.
    fn files(&self) -> Result<Vec<PathBuf>, String> {
        let mut files = files(&self.folders)?;
        sample(&mut files, self.sample, self.seed);
        Ok(files)
    }
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| run(&arguments)))
}

/// Whether all files were accepted.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let files = arguments.files()?;
    let language = Language::compile(&arguments.grammar, &arguments.vocabulary)?;
    print_language(&language);
    let engine = Engine::new(language.grammar(), &language.vocabulary).map_err(|error| error.to_string())?;
    let mut scratch = vec![0; engine.scratch_words()];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).map_err(|error| error.to_string())?;
    let tokenizer = tokenizer(&language.vocabulary.0)?;
    let vocabulary = &language.vocabulary.0.vocabulary;
    let (mut own, mut others, mut update) = (Costs::default(), Costs::default(), Times::default());
    let (mut accepted, mut tokens_read, mut bytes) = (0, 0, 0);
    for (index, file) in files.iter().enumerate() {
        let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let tokens = tokenizer.tokenize(&text).map_err(|error| error.to_string())?.ids;
        (tokens_read, bytes) = (tokens_read + tokens.len(), bytes + text.len());
        let verdict = replay_often(&mut matcher, &tokens, arguments.passes, &mut own);
        if verdict == Verdict::Accepted {
            let updated = replay_updating(&mut matcher, &tokens, arguments.passes, &mut update);
            updated.map_err(|error| error.to_string())?;
        }
        let mut agreed = true;
        for round in 0..arguments.random {
            let mut random = Random(arguments.seed ^ (round << 32 | index as u64));
            let tokens = at_random(vocabulary, &text, &mut random).ok_or("a byte that no token spells")?;
            let other = replay_probed(&mut matcher, &tokens, arguments.probes, &mut random, &mut others);
            agreed &= (verdict == Verdict::Accepted) == (other == Verdict::Accepted);
        }
        if !agreed {
            println!("{}: TOKENIZATIONS DISAGREE", file.display());
        }
        accepted += usize::from(verdict == Verdict::Accepted && agreed);
        if verdict != Verdict::Accepted {
            explain(&mut matcher, file, &text, verdict);
        }
    }
    let percent = accepted as f64 * 100.0 / files.len().max(1) as f64;
    println!(
        "accepted  {accepted} of {} files ({percent:.2} %), {tokens_read} tokens, {bytes} bytes",
        files.len()
    );
    print_costs("", &mut own);
    println!("{}", Summary("update", [500, 990, 999, 1000].map(|p| update.per_mille(p))));
    if arguments.random > 0 {
        print_costs(" (random tokenization)", &mut others);
    }
    let [mask, worst_mask, commit] =
        [costs_at(&mut own.mask, 500), costs_at(&mut own.mask, 990), costs_at(&mut own.commit, 500)];
    println!(
        "row       | {} | {accepted} of {} | {:.1?} | {:.1} MB | {mask} / {worst_mask} | {commit} |",
        arguments.grammar,
        files.len(),
        language.compile_time,
        language.artifact.len() as f64 / 1e6,
    );
    Ok(accepted == files.len())
}

fn costs_at(times: &mut Times, per_mille: usize) -> String {
    format!("{:.2} µs", times.per_mille(per_mille).as_secs_f64() * 1e6)
}

fn print_language(language: &Language) {
    let stats = &language.stats;
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    println!(
        "compiled  {:.2?}, artifact {:.2} MB, peak {:.0} MB",
        language.compile_time,
        megabytes(language.artifact.len()),
        megabytes(language.peak_bytes.unwrap_or(0)),
    );
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

fn print_costs(what: &str, costs: &mut Costs) {
    let percentiles = [500, 990, 999, 1000];
    println!("{}{what}", Summary("mask", percentiles.map(|p| costs.mask.per_mille(p))));
    println!("{}{what}", Summary("commit", percentiles.map(|p| costs.commit.per_mille(p))));
    println!("heads     at most {}{what}", costs.most_heads);
}

/// Where a file is refused, and what would have been possible.
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
