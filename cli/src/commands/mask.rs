//! `gcc-grammar mask`.

use crate::artifact::ArtifactArguments;
use crate::failure::{Exit, Failure};
use crate::grammar::read_bytes;
use crate::session::{matcher, runtime_failure, scratch};
use crate::shell::Shell;
use crate::show::{Allowed, SAMPLE, quote, token_text};
use crate::vocabulary::Loaded;
use clap::Args;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_runtime::{Error, Matcher, TokenId};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    prefix: Prefix,
    /// Write the mask to a file: bit t % 32 of little-endian word t / 32 is token t; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    bitmask: Option<PathBuf>,
    /// How many tokens are shown
    #[arg(long, value_name = "N", default_value_t = SAMPLE)]
    sample: usize,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// What comes before the mask.
#[derive(Args)]
#[group(multiple = false)]
struct Prefix {
    /// The text so far
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// A file with the text so far; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// The tokens so far
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    tokens: Option<Vec<u32>>,
}

/// Shows what may come next.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let file = arguments.artifact.open()?;
    let grammar = file.grammar()?;
    let vocabulary = arguments.artifact.vocabulary(&file, &grammar)?;
    let engine = file.engine(grammar, &vocabulary)?;
    let mut scratch = scratch(&engine);
    let mut matcher = matcher(&engine, &mut scratch, 1)?;
    arguments.prefix.commit(&mut matcher, &vocabulary)?;
    let allowed = Allowed::ask(&mut matcher)?;
    if let Some(path) = &arguments.bitmask {
        write_bitmask(path, &mut matcher, engine.row_words())?;
        if path.as_os_str() == "-" {
            return Ok(Exit::Done);
        }
    }
    if shell.json {
        shell.write_json(&allowed.to_json(&vocabulary, arguments.sample))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    let width = engine.grammar().meta().mask_width;
    let complete = if allowed.complete { "the text may end here" } else { "the text is not complete" };
    writeln!(out, "{} of {width} tokens allowed; {complete}", allowed.count)?;
    out.write_all(allowed.to_text(&vocabulary, arguments.sample).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

fn write_bitmask(path: &Path, matcher: &mut Matcher<'_, '_>, words: usize) -> Result<(), Failure> {
    let mut row = vec![0u32; words];
    matcher.fill_mask(&mut row).map_err(runtime_failure)?;
    let bytes: Vec<u8> = row.iter().flat_map(|word| word.to_le_bytes()).collect();
    if path.as_os_str() == "-" {
        let mut out = std::io::stdout().lock();
        out.write_all(&bytes)?;
        return Ok(out.flush()?);
    }
    fs::write(path, bytes).map_err(|error| Failure::io(path, "cannot be written", &error))
}

impl Prefix {
    fn commit(&self, matcher: &mut Matcher<'_, '_>, vocabulary: &Loaded) -> Result<(), Failure> {
        if let Some(tokens) = &self.tokens {
            return commit_tokens(tokens, matcher, vocabulary);
        }
        let text = match (&self.text, &self.text_file) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(path)) => read_bytes(path)?,
            (None, None) => Vec::new(),
        };
        commit_text(&text, matcher, vocabulary)
    }
}

fn commit_tokens(tokens: &[u32], matcher: &mut Matcher<'_, '_>, vocabulary: &Loaded) -> Result<(), Failure> {
    for (index, &token) in tokens.iter().enumerate() {
        match matcher.commit(TokenId(token)) {
            Ok(()) => {}
            Err(Error::Refused) => {
                let message = format!(
                    "token {token} ({}), number {} of {}, is refused",
                    token_text(vocabulary, token),
                    index + 1,
                    tokens.len()
                );
                return Err(refused(Diagnostic::error(Code::RefusedToken, message), matcher, vocabulary)?);
            }
            Err(error) => return Err(runtime_failure(error)),
        }
    }
    Ok(())
}

fn commit_text(text: &[u8], matcher: &mut Matcher<'_, '_>, vocabulary: &Loaded) -> Result<(), Failure> {
    match matcher.commit_bytes(text) {
        Ok(()) => Ok(()),
        Err(Error::Refused) => {
            let valid = matcher.validate_bytes(text).map_err(runtime_failure)?;
            matcher.commit_bytes(&text[..valid]).map_err(runtime_failure)?;
            let message =
                format!("the text is refused at byte {valid}, which is {}", quote(&text[valid..=valid]));
            let diagnostic = Diagnostic::error(Code::RefusedText, message).at(Location::Offset(valid as u64));
            Err(refused(diagnostic, matcher, vocabulary)?)
        }
        Err(error) => Err(runtime_failure(error)),
    }
}

/// The failure that the prefix is refused, with what would have been possible there.
fn refused(
    diagnostic: Diagnostic,
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Loaded,
) -> Result<Failure, Failure> {
    let allowed = Allowed::ask(matcher)?;
    let tokens: Vec<String> =
        allowed.sample(6).into_iter().map(|token| token_text(vocabulary, token)).collect();
    let help = format!("{} tokens are possible there, such as {}", allowed.count, tokens.join(", "));
    Ok(Failure::new(Exit::Refused, "the text so far", diagnostic.help(help)))
}
