//! `gcc-grammar generate`.

use crate::artifact::ArtifactArguments;
use crate::distance::Distances;
use crate::draw::{Drawn, draw};
use crate::failure::{Exit, Failure};
use crate::finish::{ROLLBACK, finish};
use crate::session::{matcher, runtime_failure, scratch};
use crate::shell::Shell;
use crate::show::bytes_json;
use crate::vocabulary::Loaded;
use clap::Args;
use gcc_grammar_compiler::random::Random;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_runtime::{Matcher, TokenId};
use serde_json::{Value, json};
use std::io::Write;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many outputs
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    count: u64,
    /// Equal seeds give equal outputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Random tokens, after which the output is completed the short way
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_tokens: usize,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Draws outputs.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let file = arguments.artifact.open()?;
    let grammar = file.grammar()?;
    let vocabulary = arguments.artifact.vocabulary(&file, &grammar)?;
    let engine = file.engine(grammar, &vocabulary)?;
    let mut scratch = scratch(&engine);
    let mut matcher = matcher(&engine, &mut scratch, ROLLBACK)?;
    let mut distances = Distances::new(grammar);
    let mut values: Vec<Value> = Vec::new();
    let mut out = shell.out();
    for index in 0..arguments.count {
        matcher.reset();
        let mut random = Random(arguments.seed.wrapping_add(index.wrapping_mul(0x5851_f42d_4c95_7f2d)));
        let tokens = generate(&mut matcher, &vocabulary, &mut distances, &mut random, arguments.max_tokens)?;
        let tokens = tokens.ok_or_else(|| unfinished(&file.name))?;
        let text: Vec<u8> = tokens
            .iter()
            .flat_map(|&token| vocabulary.vocabulary.bytes(token).unwrap_or_default())
            .copied()
            .collect();
        if shell.json {
            values.push(json!({ "text": bytes_json(&text), "tokens": tokens }));
        } else {
            out.write_all(&text)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    drop(out);
    if shell.json {
        shell.write_json(&Value::Array(values))?;
    }
    Ok(Exit::Done)
}

/// Tokens of a complete output, the end token included; `None` if it could not be completed.
pub(crate) fn generate(
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Loaded,
    distances: &mut Distances<'_>,
    random: &mut Random,
    max_tokens: usize,
) -> Result<Option<Vec<u32>>, Failure> {
    let mut tokens = Vec::new();
    while tokens.len() < max_tokens {
        let token = match draw(matcher, vocabulary, random)? {
            Drawn::Token(token) => token,
            Drawn::End(end) => {
                tokens.extend(end);
                return Ok(Some(tokens));
            }
            Drawn::Nothing => return Ok(None),
        };
        matcher.commit(TokenId(token)).map_err(runtime_failure)?;
        tokens.push(token);
    }
    let Some(rest) = finish_or_go_back(matcher, vocabulary, distances, &mut tokens)? else { return Ok(None) };
    tokens.extend(rest);
    tokens.extend(vocabulary.vocabulary.end_tokens().first());
    Ok(Some(tokens))
}

/// Tokens that complete the text. Where there are none, tokens are taken back, more and more of them: whether a lexeme can be followed
/// by another one is not looked at before it has ended, so a text may have no way to go on.
fn finish_or_go_back(
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Loaded,
    distances: &mut Distances<'_>,
    tokens: &mut Vec<u32>,
) -> Result<Option<Vec<u32>>, Failure> {
    let mut back = 1;
    loop {
        let rest = finish(matcher, vocabulary, distances)?;
        if rest.is_some() || tokens.is_empty() {
            return Ok(rest);
        }
        tokens.truncate(tokens.len().saturating_sub(back));
        back *= 2;
        matcher.reset();
        for &token in tokens.iter() {
            matcher.commit(TokenId(token)).map_err(runtime_failure)?;
        }
    }
}

fn unfinished(artifact: &str) -> Failure {
    let message = "found no way to complete an output";
    let help = "try another --seed or --max-tokens; it may be that the vocabulary cannot spell some text of the grammar";
    Failure::new(Exit::Refused, artifact, Diagnostic::error(Code::Unfinished, message).help(help))
}
