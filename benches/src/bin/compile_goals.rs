//! Measures how long schemas and grammars take to compile, each in a process of its own, and prints the project's goals beside the results.
//!
//! ```text
//! compile_goals [FOLDER] [--vocab llama3] [--runs 5]
//! ```
//! `FOLDER` has the everyday schemas (`benches/everyday`). Besides, the bundled grammars of JSON and SQL and a thousand keyword rules are
//! compiled. Each time is the least of all runs, from the text to the bytes of the artifact, in a process that has mapped the vocabulary and
//! compiled nothing before. The columns of the session are the same in a session that has compiled all other everyday schemas, and in one that
//! has compiled the same input, too. (The second says what is left when all walks are known; a store of artifacts answers faster.) The tool sets and MaskBench have programs of their own, `tool_sets` and `maskbench`. The exit code is 0 also if
//! a goal is missed: times depend on the machine.

use clap::Parser;
use gcc_grammar::{Source, Vocabulary};
use gcc_grammar_benches::language::{find_source, large_limits, load_vocabulary, parse_source};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::{Result, exit_code, keyword_rules};
use gcc_grammar_compiler::{CompileSession, Options, compile};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Measures how long schemas and grammars take to compile, and prints the project's goals beside the results.
#[derive(Parser)]
struct Arguments {
    /// The folder with the everyday schemas.
    #[arg(default_value = "benches/everyday")]
    folder: PathBuf,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How often each input is compiled.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Compile this input, and print microseconds alone, in a session and once more, and bytes.
    #[arg(long, hide = true)]
    only: Option<String>,
}

/// The name of the input that is not a file or a bundled grammar.
const KEYWORD_RULES: &str = "1,000 keyword rules";

/// What is compiled besides the everyday schemas, with goals for the time in milliseconds and the size in megabytes.
const GRAMMARS: [(&str, Option<(u64, u64)>); 3] =
    [("json", None), ("sql", Some((3_000, 6))), (KEYWORD_RULES, Some((4_000, 8)))];

/// The goals of the everyday schemas.
const P50: Duration = Duration::from_millis(20);
const WORST: Duration = Duration::from_millis(50);
const WARM: Duration = Duration::from_millis(8);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    exit_code(
        arguments.only.as_ref().map_or_else(|| run(&arguments), |input| compile_once(input, &arguments)),
    )
}

fn run(arguments: &Arguments) -> Result<bool> {
    // The first process would build the vocabulary.
    drop(load_vocabulary(&arguments.vocabulary)?);
    println!(
        "| | compile, least of {} | in a session | again | artifact |\n|---|---|---|---|---|",
        arguments.runs
    );
    let mut everyday: [Times; 3] = Default::default();
    for path in schemas(&arguments.folder)? {
        let (times, bytes) = measure(&path.to_string_lossy(), arguments)?;
        everyday.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let [alone, session, again] = times;
        println!("| {name} | {alone:.1?} | {session:.1?} | {again:.1?} | {} KB |", bytes / 1000);
    }
    let [[p50, worst], session, again] = everyday.map(|mut times| times.percentiles([500, 1000]));
    println!(
        "| everyday schemas, p50 and worst | {p50:.1?} and {worst:.1?} (goals {P50:?} and {WORST:?}) \
         | {:.1?} and {:.1?} (goal {WARM:?}) | {:.1?} and {:.1?} | |",
        session[0], session[1], again[0], again[1]
    );
    for (name, goal) in GRAMMARS {
        let ([time, session, again], bytes) = measure(name, arguments)?;
        let (limit, size) = goal.map_or_else(Default::default, |(milliseconds, megabytes)| {
            (format!(" (goal {milliseconds} ms)"), format!(" (goal {megabytes} MB)"))
        });
        println!("| {name} | {time:.1?}{limit} | {session:.1?} | {again:.1?} | {} KB{size} |", bytes / 1000);
        if name == "json" {
            println!(
                "| everyday p50 and worst by JSON | {:.1} and {:.1} times | | | |",
                ratio(p50, time),
                ratio(worst, time)
            );
        }
    }
    Ok(true)
}

fn ratio(numerator: Duration, denominator: Duration) -> f64 {
    numerator.as_secs_f64() / denominator.as_secs_f64()
}

/// The schemas of a folder, by name.
fn schemas(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

/// The least times of all runs, alone, in a session and again, and the size of the artifact in bytes.
fn measure(input: &str, arguments: &Arguments) -> Result<([Duration; 3], usize)> {
    let mut least = [Duration::MAX; 3];
    let mut size = 0;
    for _ in 0..arguments.runs.max(1) {
        let mut command = Command::new(env::current_exe()?);
        let output = command
            .arg(&arguments.folder)
            .args(["--only", input, "--vocab", &arguments.vocabulary])
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let numbers =
            text.split_whitespace().map(str::parse).collect::<std::result::Result<Vec<u64>, _>>()?;
        let [times @ .., bytes] = &*numbers else {
            return Err(format!("{input}: {}", String::from_utf8_lossy(&output.stderr)).into());
        };
        for (least, &time) in least.iter_mut().zip(times) {
            *least = (*least).min(Duration::from_micros(time));
        }
        size = *bytes as usize;
    }
    Ok((least, size))
}

fn compile_once(input: &str, arguments: &Arguments) -> Result<bool> {
    let vocabulary: Vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokens = vocabulary.tokens();
    let source = match input {
        KEYWORD_RULES => Source::lark(keyword_rules::grammar(1_000)),
        _ => find_source(input)?,
    };
    let options: Options = large_limits().into();
    let start = Instant::now();
    let parsed = parse_source(&source)?;
    let artifact = compile(&parsed.grammar, tokens, &options, &mut ())?.to_artifact(tokens);
    print!("{}", start.elapsed().as_micros());
    let mut session = CompileSession::default();
    for other in
        schemas(&arguments.folder)?.iter().map(|path| path.to_string_lossy()).filter(|path| path != input)
    {
        session.compile(&parse_source(&find_source(&other)?)?.grammar, tokens, &options, &mut ())?;
    }
    for _ in 0..2 {
        let start = Instant::now();
        let parsed = parse_source(&source)?;
        let again = session.compile(&parsed.grammar, tokens, &options, &mut ())?.to_artifact(tokens);
        print!(" {}", start.elapsed().as_micros());
        if again != artifact {
            return Err(format!("{input}: the session makes another artifact").into());
        }
    }
    println!(" {}", artifact.len());
    Ok(true)
}
