//! Counts the instructions of readers for inputs of every notation, and for inputs with twice the parts: a reader takes work in proportion to its input.
//!
//! ```text
//! readers [--parts 2000] [--only 4]
//! ```
//! The program runs itself under Valgrind (`callgrind`) for each input. The exit code is 1 if twice the parts take more than [`MOST`] times the
//! instructions: with a quadratic reader it is four times.

#[path = "../../../gcc-grammar/tests/facade/long_inputs.rs"]
mod long_inputs;

use clap::Parser;
use gcc_grammar::{Notation, Source, parse};
use gcc_grammar_benches::{Result, callgrind, exit_code};
use long_inputs::{each, options, wide};
use std::env;
use std::process::ExitCode;

/// The greatest ratio.
const MOST: f64 = 2.5;

/// Counts the instructions of readers.
#[derive(Parser)]
struct Arguments {
    /// The number of parts
    #[arg(long, default_value_t = 2000)]
    parts: usize,
    /// The number of an input
    #[arg(long)]
    only: Option<usize>,
}

/// Inputs that readers took, or might take, quadratic time for, by the number of their parts.
fn growing(n: usize) -> Vec<(Notation, String)> {
    use Notation::*;
    let mut all = wide(n);
    all.push((
        Antlr,
        format!("grammar T;\ns : A0+ ;\n{}", each(n, "", |i| format!("A{i} : 'k{i}' -> type(B{i}) ;\n"))),
    ));
    all.push((
        Antlr,
        format!(
            "grammar T;\ns : A0+ ;\n{}",
            each(n, "", |i| format!("A{i} : [kK] '{i}' [aA] [bB] [cC] ;\n"))
        ),
    ));
    // Tokens without a text, which lead to another mode.
    all.push((
        Antlr,
        "lexer grammar T;\nA : 'a' ;\n".to_owned()
            + &each(n, "", |i| format!("E{i} : -> mode(M), skip ;\n"))
            + "mode M;\nB : 'b' ;\n",
    ));
    // Rules of operators.
    all.push((
        Antlr,
        "grammar T;\ns : e0 ;\n".to_owned()
            + &each(n, "", |i| format!("e{i} : e{i} '+' e{i} | 'x' e{i} ('[' ']')? | e{} ;\n", (i + 1) % n)),
    ));
    all.push((
        Lark,
        format!(
            "start: {}\n{}",
            each(n, " ", |i| format!("u{i}")),
            each(n, "", |i| format!("d{i}: \"x\"\n"))
        ),
    ));
    all.push((
        Abnf,
        format!("root = {}\r\n", each(n, " / ", |i| format!("u{i}")))
            + &each(n, "", |i| format!("d{i} = \"{i}\"\r\n")),
    ));
    all
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    exit_code(match words.as_slice() {
        [word, input, parts] if word == "input" => read(Some(input), parts).map(|()| true),
        [word, parts] if word == "inputs" => read(None, parts).map(|()| true),
        _ => check(&Arguments::parse()),
    })
}

/// Whether all readers take work in proportion to their inputs.
fn check(&Arguments { parts, only }: &Arguments) -> Result<bool> {
    let inputs = growing(parts);
    let chosen = |number: &usize| only.is_none_or(|only| only == *number);
    // What it takes to write the inputs is no matter of the readers.
    let [written, written_twice] = [instructions(None, parts)?, instructions(None, 2 * parts)?];
    let (mut read, mut beyond) = (0, 0);
    for number in (0..inputs.len()).filter(chosen) {
        let once = instructions(Some(number), parts)?.saturating_sub(written).max(1);
        let twice = instructions(Some(number), 2 * parts)?.saturating_sub(written_twice);
        let ratio = twice as f64 / once as f64;
        let is_beyond = ratio > MOST;
        (read, beyond) = (read + 1, beyond + usize::from(is_beyond));
        let (notation, text) = &inputs[number];
        let start: String = text.chars().take(60).collect();
        let mark = if is_beyond { "  <- beyond" } else { "" };
        println!(
            "{number:3}  {notation:<15} {:9.1} million, ratio {ratio:.2}{mark}  {}",
            once as f64 / 1e6,
            start.replace('\n', " ")
        );
    }
    println!("{read} inputs, {beyond} out of proportion");
    Ok(beyond == 0)
}

/// The instructions of a process that writes all inputs and reads this one.
fn instructions(number: Option<usize>, parts: usize) -> Result<u64> {
    let parts = parts.to_string();
    let counted = match number {
        Some(number) => callgrind::run(&["input", &number.to_string(), &parts]),
        None => callgrind::run(&["inputs", &parts]),
    };
    Ok(counted?.0)
}

/// Writes all inputs and reads one. Whether it is a grammar is no matter here.
fn read(number: Option<&String>, parts: &str) -> Result<()> {
    let mut inputs = growing(parts.parse()?);
    let Some(number) = number else { return Ok(()) };
    let (notation, text) = inputs.swap_remove(number.parse()?);
    _ = parse(&Source::new(notation, text), &options(notation));
    Ok(())
}
