//! Programs with one lexeme changed: whether a reference parser and the oracle agree with a grammar on them.
//!
//! ```text
//! mutations GRAMMAR FOLDER.. [--reference COMMAND] [--oracle [--own-layout] [--masks 3]] [--each 20] [--edits 0] [--seed 0] [--show 20]
//! ```
//! `GRAMMAR` is a bundled one or a Lark file. Each program is judged as it is, with `--each` random mutations of one lexeme and
//! with `--edits` of one character.
//!
//! `COMMAND` is run once by `sh`; it gets the names of files, a line each, and prints `ok` or `error` for each, in this order (see
//! `benches/references`). The first disagreements are shown. Exit code 1 if a program that the reference takes is refused as it is.
//!
//! With `--oracle`, an independent parser of the same grammar must say the same of each text: how much of it can be read, and whether
//! it may end there. Compiled for llama3, the mask must be what it says of every token, at `--masks` places for each program: random
//! ones, and where a mutated one is refused. All differences are shown. Exit code 1 if there are any. The oracle takes the compiler's
//! layout of productions, which decides what may be recognized where, or `--own-layout`.

use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::language::{Language, files, parse};
use gcc_grammar_benches::mutation::{Comments, edit, lexemes, mutate};
use gcc_grammar_benches::oracle::{GaveUp, Oracle};
use gcc_grammar_benches::reference::verdicts;
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_compiler::{Limits, Options};
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_tests::law::{Law, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

const USAGE: &str = "mutations GRAMMAR FOLDER.. [--reference COMMAND] [--oracle [--own-layout] [--masks N]] [--each N] [--edits N] [--seed N] [--show N]";

struct Arguments {
    grammar: String,
    folders: Vec<PathBuf>,
    reference: Option<String>,
    oracle: bool,
    own_layout: bool,
    each: usize,
    edits: usize,
    masks: usize,
    seed: usize,
    show: usize,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            grammar: words.next().ok_or(USAGE)?,
            folders: Vec::new(),
            reference: None,
            oracle: false,
            own_layout: false,
            each: 20,
            edits: 0,
            masks: 3,
            seed: 0,
            show: 20,
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--oracle" => {
                    arguments.oracle = true;
                    continue;
                }
                "--own-layout" => {
                    arguments.own_layout = true;
                    continue;
                }
                _ if !word.starts_with("--") => {
                    arguments.folders.push(PathBuf::from(word));
                    continue;
                }
                _ => {}
            }
            let value = words.next().ok_or_else(|| format!("{word} wants a value"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("{word} wants a number"));
            match word.as_str() {
                "--reference" => arguments.reference = Some(value),
                "--each" => arguments.each = number()?,
                "--edits" => arguments.edits = number()?,
                "--masks" => arguments.masks = number()?,
                "--seed" => arguments.seed = number()?,
                "--show" => arguments.show = number()?,
                _ => return Err(format!("unknown argument {word}; {USAGE}")),
            }
        }
        let complete = !arguments.folders.is_empty() && (arguments.reference.is_some() || arguments.oracle);
        if complete { Ok(arguments) } else { Err(USAGE.to_owned()) }
    }
}

/// A program, as it is or mutated.
struct Case {
    file: PathBuf,
    /// Where and what is changed.
    change: Option<(usize, String)>,
    text: String,
}

impl Case {
    fn extension(&self) -> &str {
        self.file.extension().and_then(|extension| extension.to_str()).unwrap_or("")
    }

    fn about(&self) -> &str {
        self.change.as_ref().map_or("as it is", |(_, about)| about)
    }

    /// File, line and column.
    fn place(&self, at: usize) -> String {
        // It may be within a character.
        let before = String::from_utf8_lossy(&self.text.as_bytes()[..at]);
        let (line, column) = line_and_column(&before, before.len());
        format!("{}:{line}:{column}", self.file.display())
    }

    /// What is around a place.
    fn around(&self, at: usize, most: usize) -> String {
        let shown = |range: Range<usize>| {
            String::from_utf8_lossy(&self.text.as_bytes()[range]).escape_debug().to_string()
        };
        let end = (at + 60).min(self.text.len());
        format!("{} ⟦here⟧ {}", shown(at.saturating_sub(most)..at), shown(at..end))
    }
}

fn main() -> ExitCode {
    exit_code(Arguments::read(env::args().skip(1)).and_then(|arguments| run(&arguments)))
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let cases = cases(arguments)?;
    let options = Options::from(Limits { work: 20_000_000_000, bytes: 8 << 30, ..Limits::default() });
    let law = Law::new(&parse(&arguments.grammar)?.grammar, &options);
    let law = law.map_err(|error| format!("{error:?}"))?;
    let mut right = true;
    if let Some(command) = &arguments.reference {
        right &= compare_with_reference(arguments, &law, &cases, command)?;
    }
    if arguments.oracle {
        let mut oracle = Oracle::new(&arguments.grammar, arguments.own_layout)?;
        right &= compare_with_oracle(&law, &cases, &mut oracle);
        if arguments.masks > 0 {
            right &= compare_masks(arguments, &cases, &mut oracle)?;
        }
    }
    Ok(right)
}

/// How much of a text can be read, and whether all of it is accepted.
fn verdict(read: &mut Read<'_>, text: &[u8]) -> (usize, bool) {
    let (at, accepting) = read(text);
    (at, accepting && at == text.len())
}

/// Whether every program that the reference takes is accepted.
fn compare_with_reference(
    arguments: &Arguments,
    law: &Law,
    cases: &[Case],
    command: &str,
) -> Result<bool, String> {
    let texts: Vec<_> = cases.iter().map(|case| (case.extension(), case.text.as_str())).collect();
    let expected = verdicts(command, &texts)?;
    let mut counts = [[0usize; 2]; 2];
    let mut shown = 0;
    let mut complete = true;
    law.judge(|read| {
        for (case, &expected) in cases.iter().zip(&expected) {
            let (at, accepted) = verdict(read, case.text.as_bytes());
            if case.change.is_some() {
                counts[usize::from(expected)][usize::from(accepted)] += 1;
            }
            complete &= case.change.is_some() || accepted || !expected;
            if accepted != expected && (case.change.is_none() || shown < arguments.show) {
                shown += usize::from(case.change.is_some());
                show(case, expected, at);
            }
        }
    });
    let [[both_refuse, only_we_accept], [only_we_refuse, both_accept]] = counts;
    let all = counts.as_flattened().iter().sum::<usize>();
    let agreed = both_refuse + both_accept;
    println!("mutations  {all}: both accept {both_accept}, both refuse {both_refuse}");
    println!(
        "           accepted and refused by the reference {only_we_accept}, refused and accepted by it {only_we_refuse}"
    );
    println!("agreement  {:.2} %", agreed as f64 * 100.0 / all.max(1) as f64);
    Ok(complete)
}

/// Every file as it is and mutated, the last mutation first, so that the oracle needs to read each program only once.
fn cases(arguments: &Arguments) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (index, file) in files(&arguments.folders)?.into_iter().enumerate() {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let case = Case { file, change: None, text };
        let places = lexemes(&case.text, Comments::of_extension(case.extension()));
        let mut random = Random((arguments.seed as u64) << 32 | index as u64);
        let each = if places.is_empty() { 0 } else { arguments.each };
        let mut mutations: Vec<_> = (0..each).map(|_| mutate(&case.text, &places, &mut random)).collect();
        let edits = if case.text.is_empty() { 0 } else { arguments.edits };
        mutations.extend((0..edits).map(|_| edit(&case.text, &mut random)));
        mutations.sort_by_key(|mutation| std::cmp::Reverse(mutation.at));
        let file = case.file.clone();
        cases.push(case);
        cases.extend(mutations.into_iter().map(|mutation| {
            let change = Some((mutation.at, mutation.about));
            Case { file: file.clone(), change, text: mutation.text }
        }));
    }
    Ok(cases)
}

fn show(case: &Case, expected: bool, read: usize) {
    let at = case.change.as_ref().map_or(read, |(at, _)| *at);
    let verdict = if expected { "refused, the reference accepts" } else { "accepted, the reference refuses" };
    println!("{}: {}: {verdict}", case.place(at), case.about());
    println!("    {}", case.around(at, 60));
    if expected && read != at {
        println!("    read up to: {}", case.around(read, 40));
    }
}

/// Whether the oracle says the same of every text.
fn compare_with_oracle(law: &Law, cases: &[Case], oracle: &mut Oracle) -> bool {
    let start = Instant::now();
    let (mut accepted, mut refused, mut different, mut given_up) = (0, 0, 0, 0);
    law.judge(|read| {
        for case in cases {
            let found = verdict(read, case.text.as_bytes());
            match oracle.judge(case.text.as_bytes()) {
                Ok(expected) if expected == found && found.1 => accepted += 1,
                Ok(expected) if expected == found => refused += 1,
                Ok(expected) => {
                    different += 1;
                    let at = found.0.min(expected.0);
                    println!("{}: {}: {found:?}, the oracle {expected:?}", case.place(at), case.about());
                    println!("    {}", case.around(at, 60));
                }
                Err(GaveUp) => {
                    given_up += 1;
                    println!("{}: {}: the oracle gave up", case.file.display(), case.about());
                }
            }
        }
    });
    println!(
        "oracle     {} texts: both accept {accepted}, both refuse at the same byte {refused}",
        cases.len()
    );
    println!("           different {different}, oracle gave up {given_up}; {:.1?}", start.elapsed());
    different == 0
}

/// One of a program's cases, and a place that can be read up to: any, or the last.
fn place<'c>(cases: &'c [Case], oracle: &mut Oracle, random: &mut Random) -> (&'c Case, usize) {
    let case = &cases[random.below(cases.len())];
    let readable = oracle.judge(case.text.as_bytes()).map_or(0, |(readable, _)| readable);
    let last = random.below(2) == 0;
    (case, if last { readable } else { random.below(readable + 1) })
}

/// Whether the masks at some places of the programs are as the oracle says.
fn compare_masks(arguments: &Arguments, cases: &[Case], oracle: &mut Oracle) -> Result<bool, String> {
    let start = Instant::now();
    let language = Language::compile(&arguments.grammar, "llama3")?;
    let tokens = ordinary_tokens(&language);
    let engine = Engine::new(language.grammar(), &language.vocabulary).map_err(|error| error.to_string())?;
    let mut scratch = vec![0; engine.scratch_words()];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).map_err(|error| error.to_string())?;
    let (mut masks, mut allowed, mut different, mut given_up) = (0, 0, 0, 0);
    for (index, cases) in cases.chunk_by(|_, next| next.change.is_some()).enumerate() {
        let mut random = Random((arguments.seed as u64) << 32 | index as u64);
        for _ in 0..arguments.masks {
            let (case, at) = place(cases, oracle, &mut random);
            let text = &case.text.as_bytes()[..at];
            let row = mask(&mut matcher, text).map_err(|error| format!("{}: {error}", case.place(at)))?;
            let Ok(expected) = oracle.allowed(text, tokens.iter().map(|token| token.0)) else {
                given_up += 1;
                continue;
            };
            masks += 1;
            allowed += expected.iter().filter(|&&allowed| allowed).count();
            for (&(bytes, id), expected) in tokens.iter().zip(expected) {
                if (row[id as usize / 32] >> (id % 32) & 1 == 1) != expected {
                    different += 1;
                    let token = String::from_utf8_lossy(bytes);
                    println!(
                        "{}: token {id} {token:?}: {}, the oracle {expected}",
                        case.place(at),
                        !expected
                    );
                    println!("    {}", case.around(at, 60));
                }
            }
        }
    }
    println!("masks      {masks} of {} tokens, {allowed} times allowed by both", tokens.len());
    println!("           different {different}, oracle gave up {given_up}; {:.1?}", start.elapsed());
    Ok(different == 0)
}

/// The tokens with bytes, sorted by them.
fn ordinary_tokens(language: &Language) -> Vec<(&[u8], u32)> {
    let vocabulary = &language.vocabulary.0.vocabulary;
    let tokens = (0..vocabulary.ids()).filter_map(|id| Some((vocabulary.bytes(id)?, id)));
    let mut tokens: Vec<_> = tokens.filter(|token| !token.0.is_empty()).collect();
    tokens.sort_unstable();
    tokens
}

/// The mask after a text.
fn mask(matcher: &mut Matcher<'_, '_>, text: &[u8]) -> Result<Vec<u32>, gcc_grammar_runtime::Error> {
    matcher.reset();
    matcher.commit_bytes(text)?;
    let mut row = vec![0; matcher.engine().row_words()];
    matcher.fill_mask(&mut row)?;
    Ok(row)
}
