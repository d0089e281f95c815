//! Measures decoding: a mask and a commit for each token of the replayed outputs.

use super::arguments::{Arguments, bug};
use super::measured::Decoding;
use crate::failure::Failure;
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::runtime::{MaskRow, Matcher, TokenId};
use gcc_grammar::{Code, Diagnostic, MatchError, Session, read_output};
use std::time::{Duration, Instant};

/// The number of random outputs that are replayed if no text is given.
const OUTPUTS: u64 = 50;
/// The number of random tokens of each output.
const OUTPUT_TOKENS: usize = 100;
/// The size of the scratch memory in words of 32 bits, which suffices for outputs that nest a million levels deep. The system maps only
/// the pages that are used.
const SCRATCH_WORDS: usize = 1 << 22;

/// Replays outputs, with a mask and a commit for each token.
pub(super) fn decode(
    arguments: &Arguments,
    session: &Session,
    outputs: &[Vec<u32>],
) -> Result<Decoding, Failure> {
    let engine = session.engine();
    let name = session.artifact().name();
    let mut decoding = Decoding { tokens: outputs.iter().map(Vec::len).sum(), ..Decoding::default() };
    let mut scratch = vec![0; SCRATCH_WORDS.max(engine.scratch_words())];
    let mut row = vec![0u32; engine.row_words()];
    let mut matcher = Matcher::new(engine, &mut scratch, 1)?;
    for output in std::iter::repeat_n(outputs, arguments.replays.max(1)).flatten() {
        matcher.reset();
        for &token in output {
            let start = Instant::now();
            matcher.fill_mask(&mut row)?;
            let masked = start.elapsed();
            let committed = matcher.commit(TokenId(token));
            let both = start.elapsed();
            decoding.mask.push(masked);
            decoding.commit.push(both - masked);
            decoding.both.push(both);
            let allowed = row.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1);
            if allowed != committed.is_ok() {
                return Err(bug(name, format!("mask and commit disagree about token {token}")));
            }
            if committed.is_err() {
                return Err(refused(arguments, token));
            }
        }
    }
    decoding.update = update(arguments, outputs, &mut matcher)?.ok_or_else(|| {
        bug(name, "a row that remembers its previous mask differs from the mask".to_owned())
    })?;
    decoding.copy = copy(arguments, outputs, &mut matcher)?;
    for times in [
        &mut decoding.mask,
        &mut decoding.commit,
        &mut decoding.both,
        &mut decoding.update,
        &mut decoding.copy,
    ] {
        times.sort_unstable();
    }
    Ok(decoding)
}

/// The times of the masks in a row that remembers its previous mask. In a first replay, which is not timed, each row is compared with a
/// row that is filled as a whole; `None` if they differ.
fn update<'a>(
    arguments: &Arguments,
    outputs: &[Vec<u32>],
    matcher: &mut Matcher<'a, '_>,
) -> Result<Option<Vec<Duration>>, Failure> {
    let mut times = Vec::new();
    let (mut words, mut filled) =
        (vec![0u32; matcher.engine().row_words()], vec![0u32; matcher.engine().row_words()]);
    let mut row = MaskRow::new(&mut words);
    for replay in 0..=arguments.replays.max(1) {
        for output in outputs {
            matcher.reset();
            for &token in output {
                let start = Instant::now();
                matcher.update_mask(&mut row)?;
                times.push(start.elapsed());
                if replay == 0 {
                    matcher.fill_mask(&mut filled)?;
                    if row.words() != filled {
                        return Ok(None);
                    }
                }
                matcher.commit(TokenId(token))?;
            }
        }
        if replay == 0 {
            times.clear();
        }
    }
    Ok(Some(times))
}

/// The times of copying a row for each token.
fn copy(
    arguments: &Arguments,
    outputs: &[Vec<u32>],
    matcher: &mut Matcher<'_, '_>,
) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    let (source, mut row) =
        (vec![1u32; matcher.engine().row_words()], vec![0u32; matcher.engine().row_words()]);
    for output in std::iter::repeat_n(outputs, arguments.replays.max(1)).flatten() {
        matcher.reset();
        for &token in output {
            let start = Instant::now();
            row.copy_from_slice(&source);
            std::hint::black_box(&mut row);
            times.push(start.elapsed());
            matcher.commit(TokenId(token))?;
        }
    }
    Ok(times)
}

fn refused(arguments: &Arguments, token: u32) -> Failure {
    let name = arguments.text_file.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let diagnostic = Diagnostic::error(Code::RefusedText, format!("the text is refused at token {token}"));
    Failure::refused(&name, diagnostic.help("`gcc-grammar replay` shows where and why"))
}

/// The tokens of the outputs to replay: those of the given text, or those of random outputs.
pub(super) fn outputs(arguments: &Arguments, session: &Session) -> Result<Vec<Vec<u32>>, Failure> {
    if let Some(path) = &arguments.text_file {
        return Ok(vec![session.vocabulary().tokenize(&read_output(path)?, false)?.ids]);
    }
    let mut generator = Generator::new(session)?;
    let mut outputs = Vec::new();
    for seed in 0..OUTPUTS {
        let random = &mut RandomNumbers(seed);
        outputs.push(match generator.generate(random, OUTPUT_TOKENS) {
            // The beginning of an output has masks, too.
            Err(MatchError::NoBudgets) => generator.beginning(random, OUTPUT_TOKENS)?,
            output => output?,
        });
    }
    Ok(outputs)
}
