//! `gcc-grammar mask`: shows which tokens may come next after a text, or writes them as a bitmask.

use crate::arguments::ArtifactArguments;
use crate::failure::{Exit, Failure};
use crate::render::show::{SAMPLE, allowed_json, allowed_text, quote, token_text};
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{Allowed, Code, Diagnostic, Location, MatchError, Matcher, output, read_bytes};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    prefix: Prefix,
    /// Write the mask to a file, where token t is bit t % 32 of the little-endian word t / 32; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    bitmask: Option<PathBuf>,
    /// The greatest number of tokens to show
    #[arg(long, value_name = "N", default_value_t = SAMPLE)]
    sample: usize,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// The output before the mask.
#[derive(Args)]
#[group(multiple = false)]
struct Prefix {
    /// The text so far
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// A file with the text so far; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// The ids of the tokens so far
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    tokens: Option<Vec<u32>>,
}

/// Shows the tokens that may come next.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let bitmask_to_stdout = arguments.bitmask.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if bitmask_to_stdout {
        shell.expect_binary_output("--bitmask")?;
    }
    if let Some(path) = &arguments.bitmask {
        let inputs = [Some(arguments.artifact.path()), arguments.prefix.text_file.as_deref()];
        output::check_distinct(path, inputs.into_iter().flatten())?;
    }
    let session = arguments.artifact.session(shell)?;
    let mut matcher = session.matcher_with_rollback(1)?;
    arguments.prefix.commit(&mut matcher)?;
    let allowed = Allowed::new(&mut matcher)?;
    if let Some(path) = &arguments.bitmask {
        write_bitmask(path, &mut matcher, shell)?;
        if bitmask_to_stdout {
            return Ok(Exit::Done);
        }
    }
    if shell.json {
        shell.write_json(&allowed_json(&allowed, session.vocabulary(), arguments.sample))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    let width = session.engine().grammar().meta().mask_width;
    let complete = if allowed.complete { "the text may end here" } else { "the text is not complete" };
    writeln!(out, "{} of {width} tokens allowed; {complete}", allowed.count)?;
    out.write_all(allowed_text(&allowed, session.vocabulary(), arguments.sample).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

fn write_bitmask(path: &Path, matcher: &mut Matcher, shell: &Shell) -> Result<(), Failure> {
    let mut row = vec![0u32; matcher.session().row_words()];
    matcher.fill_mask(&mut row)?;
    let bytes: Vec<u8> = row.iter().flat_map(|word| word.to_le_bytes()).collect();
    if path.as_os_str() == "-" {
        return shell.write_binary(&bytes);
    }
    Ok(output::write(path, &bytes)?)
}

impl Prefix {
    /// Commits the text or the tokens so far.
    fn commit(&self, matcher: &mut Matcher) -> Result<(), Failure> {
        if let Some(tokens) = &self.tokens {
            return commit_tokens(tokens, matcher);
        }
        let text = match (&self.text, &self.text_file) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(path)) => read_bytes(path)?,
            (None, None) => Vec::new(),
        };
        commit_text(&text, matcher)
    }
}

fn commit_tokens(tokens: &[u32], matcher: &mut Matcher) -> Result<(), Failure> {
    for (index, &token) in tokens.iter().enumerate() {
        match matcher.commit(token) {
            Ok(()) => {}
            Err(MatchError::Refused) => {
                let message = format!(
                    "token {token} ({}), number {} of {}, is refused",
                    token_text(matcher.session().vocabulary(), token),
                    index + 1,
                    tokens.len()
                );
                return Err(refused(Diagnostic::error(Code::RefusedToken, message), matcher)?);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn commit_text(text: &[u8], matcher: &mut Matcher) -> Result<(), Failure> {
    match matcher.commit_bytes(text) {
        Ok(()) => Ok(()),
        Err(MatchError::Refused) => {
            let valid = matcher.validate_bytes(text)?;
            matcher.commit_bytes(&text[..valid])?;
            let message =
                format!("the text is refused at byte {valid}, which is {}", quote(&text[valid..=valid]));
            let diagnostic = Diagnostic::error(Code::RefusedText, message).at(Location::Offset(valid as u64));
            Err(refused(diagnostic, matcher)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The failure that the text so far is refused, with tokens that are possible at that place.
fn refused(diagnostic: Diagnostic, matcher: &mut Matcher) -> Result<Failure, Failure> {
    let allowed = Allowed::new(matcher)?;
    let vocabulary = matcher.session().vocabulary();
    let tokens: Vec<String> =
        allowed.sample(6).into_iter().map(|token| token_text(vocabulary, token)).collect();
    let help = format!("{} tokens are possible there, such as {}", allowed.count, tokens.join(", "));
    Ok(Failure::refused("the text so far", diagnostic.help(help)))
}
