//! `gcc-grammar generate`: generates random valid outputs, each token drawn from the mask.

use super::complete::unfinished;
use crate::arguments::{ArtifactArguments, at_most};
use crate::failure::{Exit, Failure};
use crate::render::show::bytes_json;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::MatchError;
use gcc_grammar::generate::{Generator, RandomNumbers};
use serde_json::json;
use std::io::Write;

/// The most tokens of an output that can be asked for.
const MAX_TOKENS: u64 = 10_000_000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The number of outputs
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    count: u64,
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
    let mut outputs = (0..arguments.count).map(|index| {
        let mut random =
            RandomNumbers(arguments.seed.wrapping_add(index.wrapping_mul(0x5851_f42d_4c95_7f2d)));
        generator.generate(&mut random, arguments.max_tokens).map_err(|error| match error {
            MatchError::CannotComplete => unfinished(session.artifact().name()),
            error => error.into(),
        })
    });
    let text_of = |tokens: &[u32]| session.vocabulary().text_of(tokens);
    if shell.json {
        let values = outputs.map(|tokens: Result<_, Failure>| {
            let tokens = tokens?;
            Ok(json!({ "text": bytes_json(&text_of(&tokens)), "tokens": tokens }))
        });
        return shell.write_json_array(values).map(|()| Exit::Done);
    }
    let mut out = shell.out();
    outputs.try_for_each(|tokens| {
        out.write_all(&text_of(&tokens?))?;
        Ok::<_, Failure>(writeln!(out)?)
    })?;
    out.flush()?;
    Ok(Exit::Done)
}
