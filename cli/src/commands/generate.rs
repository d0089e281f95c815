//! `gcc-grammar generate`: generates random valid outputs, each token drawn from the mask.

use super::complete::unfinished;
use crate::arguments::{ArtifactArguments, at_most};
use crate::failure::{Exit, Failure};
use crate::render::show::bytes_json;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::{Code, Diagnostic, MatchError};
use serde_json::json;
use std::io::{self, Write};

/// The most tokens of an output that can be asked for.
const MAX_TOKENS: u64 = 10_000_000;
/// The most outputs that can be asked for.
const MAX_OUTPUTS: u64 = 1_000_000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The number of outputs
    #[arg(short = 'n', long = "count", value_name = "N", default_value = "1", value_parser = at_most(MAX_OUTPUTS))]
    count: usize,
    /// The seed of the random numbers; equal seeds give equal outputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The most tokens of an output, the end token included
    #[arg(long, value_name = "N", default_value = "100", value_parser = at_most(MAX_TOKENS))]
    max_tokens: usize,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Generates outputs.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let session = arguments.artifact.session(shell)?;
    let mut generator = Generator::new(&session)?;
    let outputs = (0..arguments.count as u64).map(|index| {
        let mut random =
            RandomNumbers(arguments.seed.wrapping_add(index.wrapping_mul(0x5851_f42d_4c95_7f2d)));
        let before = generator.degraded_masks();
        let tokens = generator.generate(&mut random, arguments.max_tokens).map_err(|error| match error {
            MatchError::CannotComplete => unfinished(session.artifact().name()),
            MatchError::BudgetTooSmall { needed, .. } => {
                too_small(session.artifact().name(), arguments.max_tokens, needed)
            }
            MatchError::NoBudgets => none_found(session.artifact().name(), arguments.max_tokens),
            error => error.into(),
        })?;
        Ok::<_, Failure>((tokens, generator.degraded_masks() > before))
    });
    let text_of = |tokens: &[u32]| session.vocabulary().text_of(tokens);
    if shell.json {
        for output in outputs {
            let (tokens, is_degraded) = output?;
            let mut value = json!({ "text": bytes_json(&text_of(&tokens)), "tokens": tokens });
            if is_degraded {
                value["degraded"] = true.into();
            }
            shell.write_json_line(&value)?;
        }
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    let mut degraded = 0;
    for output in outputs {
        let (tokens, is_degraded) = output?;
        degraded += u64::from(is_degraded);
        out.write_all(&text_of(&tokens))?;
        writeln!(out)?;
        out.flush()?;
    }
    if degraded > 0 && !shell.quiet {
        let note =
            "had masks whose search for affordable tokens went beyond its bound: some may have been missing";
        writeln!(io::stderr(), "{degraded} of the outputs {note}")?;
    }
    Ok(Exit::Done)
}

/// The failure that chance found no output as short as asked for.
fn none_found(artifact: &str, most: usize) -> Failure {
    let message = format!(
        "no output of at most {most} tokens was found, and the artifact has no budgets that lead to one"
    );
    let diagnostic = Diagnostic::error(Code::Runtime, message);
    Failure::refused(artifact, diagnostic.help("raise --max-tokens, or take another --seed"))
}

/// The failure that no output is as short as asked for.
fn too_small(artifact: &str, most: usize, enough: u32) -> Failure {
    let message = format!("no output of at most {most} tokens is known, the end token included");
    let diagnostic = Diagnostic::error(Code::Runtime, message);
    Failure::refused(artifact, diagnostic.help(format!("--max-tokens {enough} is enough")))
}
