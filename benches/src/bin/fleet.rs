//! Measures a process that uses many artifacts: opening, memory, hits, and masks with room for a tenth of them.
//!
//! ```text
//! fleet STORE [--vocab llama3] [--count 1000] [--seconds 60] [--threads 8] [--trusted]
//! ```
//! STORE is a folder or a pack. *Opened* is the time for all artifacts, and the growth of the resident memory of the process meanwhile. *Hit* is
//! the time to get the session of a random key that is kept, by one thread and by all threads at once. *One* are masks and commits of a
//! single artifact. *All* are those of random artifacts on all threads, in a set with room for a tenth of their bytes: each thread takes a
//! random artifact and makes 20 steps with random allowed tokens. The exit code is 1 if an artifact cannot be opened or a mask is empty.

use clap::Parser;
use gcc_grammar::{Key, Session};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_store::{ArtifactSet, SetOptions, Store};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Steps with one artifact.
const STEPS: usize = 20;
/// Hits that are measured together.
const HITS: u32 = 2_000_000;

/// Measures a process that uses many artifacts.
#[derive(Parser)]
struct Arguments {
    /// A folder or a pack.
    store: String,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// The number of artifacts.
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// How long masks are made.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The number of threads.
    #[arg(long, default_value_t = 8)]
    threads: usize,
    /// Do not read the content of artifacts when they are opened.
    #[arg(long)]
    trusted: bool,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let set = |most_bytes| -> Result<ArtifactSet> {
        let options = SetOptions { most_bytes, trusted: arguments.trusted };
        Ok(ArtifactSet::new(Store::open(&arguments.store, None)?, vocabulary.clone(), options))
    };
    let mut keys = Store::open(&arguments.store, None)?.keys(&vocabulary)?;
    keys.truncate(arguments.count);
    let (before, start) = (resident()?, Instant::now());
    let all = set(u64::MAX)?;
    let errors = all.prefetch(keys.iter().copied());
    let (time, grown) = (start.elapsed(), resident()?.saturating_sub(before));
    let (count, bytes) = all.kept();
    println!(
        "opened    {count} artifacts of {bytes} bytes in {time:.2?}; {} bytes resident each",
        grown / count.max(1) as u64
    );
    for threads in [1, arguments.threads] {
        println!("hit       {threads} threads: {:.1} ns", hits(&all, &keys, threads));
    }
    let one = masks(&all, &keys[..1], 1, Duration::from_secs(2));
    one.show("one");
    drop(all);
    let tenth = set(bytes / 10)?;
    let many = masks(&tenth, &keys, arguments.threads, Duration::from_secs(arguments.seconds));
    many.show("all");
    println!("kept      {} artifacts of {} bytes; {} errors", tenth.kept().0, tenth.kept().1, many.errors);
    Ok(errors.is_empty() && one.errors + many.errors == 0)
}

/// The resident memory of the process in bytes.
fn resident() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
}

/// Nanoseconds for a session that is kept, on each of some threads.
fn hits(set: &ArtifactSet, keys: &[Key], threads: usize) -> f64 {
    let run = |seed: usize| {
        let mut random = Random(seed as u64 + 1);
        let start = Instant::now();
        let found = (0..HITS).filter(|_| set.get(keys[random.below(keys.len())]).is_ok()).count();
        assert_eq!(found, HITS as usize);
        start.elapsed().as_nanos() as f64 / f64::from(HITS)
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|seed| scope.spawn(move || run(seed))).collect();
        let times = running.into_iter().map(|thread| thread.join().expect("it ends"));
        times.sum::<f64>() / threads as f64
    })
}

/// Times of masks and commits, in nanoseconds, and of getting a session.
#[derive(Default)]
struct Measured {
    steps: Vec<u64>,
    gets: Vec<u64>,
    errors: usize,
}

impl Measured {
    fn show(&self, name: &str) {
        let at = |times: &[u64], per_mille: usize| {
            let mut times: Times = times.iter().copied().map(Duration::from_nanos).collect();
            times.per_mille(per_mille)
        };
        let (steps, gets) = (&self.steps, &self.gets);
        println!(
            "{name}       mask and commit p50 {:.2?}, p99.9 {:.2?} of {}; get p50 {:.2?}, p99.9 {:.2?} of {}",
            at(steps, 500),
            at(steps, 999),
            steps.len(),
            at(gets, 500),
            at(gets, 999),
            gets.len()
        );
    }

    /// Takes random steps.
    fn walk(
        &mut self,
        session: &Session,
        random: &mut Random,
    ) -> std::result::Result<(), gcc_grammar::MatchError> {
        let mut matcher = session.matcher()?;
        let mut row = vec![0_u32; session.row_words()];
        for _ in 0..STEPS {
            let start = Instant::now();
            matcher.fill_mask(&mut row)?;
            let masked = start.elapsed();
            let Some(token) = any(&row, random) else { break };
            let start = Instant::now();
            matcher.commit(token)?;
            self.steps.push((masked + start.elapsed()).as_nanos() as u64);
            if matcher.is_terminated() {
                break;
            }
        }
        Ok(())
    }
}

/// An allowed token: the first one after a random place.
fn any(row: &[u32], random: &mut Random) -> Option<u32> {
    let start = random.below(row.len());
    let word = (start..row.len()).chain(0..start).find(|&word| row[word] != 0)?;
    Some(32 * word as u32 + row[word].trailing_zeros())
}

fn masks(set: &ArtifactSet, keys: &[Key], threads: usize, time: Duration) -> Measured {
    let run = |seed: usize| {
        let (mut measured, mut random, end) =
            (Measured::default(), Random(seed as u64 + 77), Instant::now() + time);
        while Instant::now() < end {
            let start = Instant::now();
            let got = set.get(keys[random.below(keys.len())]);
            measured.gets.push(start.elapsed().as_nanos() as u64);
            let walked = got.is_ok_and(|session| measured.walk(&session, &mut random).is_ok());
            measured.errors += usize::from(!walked);
        }
        measured
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|seed| scope.spawn(move || run(seed))).collect();
        running.into_iter().map(|thread| thread.join().expect("it ends")).fold(
            Measured::default(),
            |mut all, one| {
                all.steps.extend(one.steps);
                all.gets.extend(one.gets);
                all.errors += one.errors;
                all
            },
        )
    })
}
