//! `gcc-grammar replay`.

use crate::artifact::ArtifactArguments;
use crate::failure::{Exit, Failure};
use crate::grammar::{read_bytes, read_source};
use crate::session::{matcher, runtime_failure, scratch};
use crate::shell::Shell;
use crate::show::{Allowed, SAMPLE, bytes_json, duration, percentile, quote, token_json, token_text};
use crate::vocabulary::Loaded;
use clap::Args;
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_runtime::{Error, Matcher, TokenId};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes shown in front of a refused token.
const SHOWN_BEFORE: usize = 40;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    output: Output,
    /// In texts, names of special tokens stand for those tokens
    #[arg(long)]
    special_names: bool,
    /// Accept a text that could go on but does not
    #[arg(long)]
    prefix: bool,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// What is replayed.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Output {
    /// A file with a text, which the vocabulary's tokenizer cuts into tokens; `-` is the standard input
    #[arg(long, value_name = "FILE")]
    text_file: Option<PathBuf>,
    /// A text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Tokens
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    tokens: Option<Vec<u32>>,
    /// A file with tokens, separated by commas or white space
    #[arg(long, value_name = "FILE")]
    tokens_file: Option<PathBuf>,
}

/// The tokens to replay.
struct Tokens {
    ids: Vec<u32>,
    /// Whether the model's own tokenizer would have cut the text like this.
    exact: bool,
    /// Whether the line break at the end of the file was left out.
    shortened: bool,
}

/// How it went.
struct Replay {
    /// Tokens that were accepted.
    accepted: usize,
    /// Bytes of these tokens.
    text: Vec<u8>,
    /// The token that was refused.
    refused: Option<u32>,
    /// What was possible after the accepted tokens.
    allowed: Allowed,
    mask_times: Vec<Duration>,
    commit_times: Vec<Duration>,
}

/// Commits token after token, and tells where it stops.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let file = arguments.artifact.open()?;
    let grammar = file.grammar()?;
    let vocabulary = arguments.artifact.vocabulary(&file, &grammar)?;
    let engine = file.engine(grammar, &vocabulary)?;
    let mut scratch = scratch(&engine);
    let mut matcher = matcher(&engine, &mut scratch, 1)?;
    let readings = arguments.output.readings(&vocabulary, arguments.special_names)?;
    let is_accepted =
        |replay: &Replay| replay.refused.is_none() && (replay.allowed.complete || arguments.prefix);
    let mut replays = Vec::new();
    for tokens in readings {
        matcher.reset();
        let replay = replay(&mut matcher, &tokens.ids, &vocabulary)?;
        replays.push((is_accepted(&replay), replay, tokens));
    }
    let chosen = replays.iter().position(|&(is_accepted, ..)| is_accepted).unwrap_or(0);
    let (is_accepted, replay, tokens) = replays.swap_remove(chosen);
    if shell.json {
        shell.write_json(&replay.to_json(&tokens, &vocabulary, is_accepted))?;
    } else {
        let mut out = shell.out();
        out.write_all(replay.to_text(&tokens, &vocabulary, is_accepted).as_bytes())?;
        out.flush()?;
    }
    Ok(if is_accepted { Exit::Done } else { Exit::Refused })
}

impl Output {
    /// What may be meant: the text as it is, or, if that is refused, without the line break at the end of its file.
    fn readings(&self, vocabulary: &Loaded, special_names: bool) -> Result<Vec<Tokens>, Failure> {
        if let Some(ids) = self.ids()? {
            return Ok(vec![Tokens { ids, exact: true, shortened: false }]);
        }
        let text = match (&self.text, &self.text_file) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(path)) => read_bytes(path)?,
            (None, None) => Vec::new(),
        };
        let cut = |text: &[u8], shortened: bool| {
            let cut = vocabulary.tokenize(text, special_names)?;
            Ok::<_, Failure>(Tokens { ids: cut.ids, exact: cut.exact, shortened })
        };
        let mut readings = vec![cut(&text, false)?];
        if let Some(line) = text.strip_suffix(b"\n").filter(|_| self.text.is_none()) {
            readings.push(cut(line.strip_suffix(b"\r").unwrap_or(line), true)?);
        }
        Ok(readings)
    }

    /// The tokens, if tokens are given.
    fn ids(&self) -> Result<Option<Vec<u32>>, Failure> {
        let Some(path) = &self.tokens_file else { return Ok(self.tokens.clone()) };
        let text = read_source(path)?.text;
        let words = text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
        let ids: Result<Vec<u32>, _> = words.map(str::parse).collect();
        ids.map(Some).map_err(|error| {
            let message = format!("not a list of token ids: {error}");
            Failure::usage(&path.display().to_string(), message, "separate numbers by commas or white space")
        })
    }
}

/// Masks and commits token after token, up to the first one that is refused.
fn replay(matcher: &mut Matcher<'_, '_>, tokens: &[u32], vocabulary: &Loaded) -> Result<Replay, Failure> {
    let mut row = vec![0u32; matcher.engine().row_words()];
    let mut text = Vec::new();
    let (mut mask_times, mut commit_times) = (Vec::new(), Vec::new());
    let mut refused = None;
    for &token in tokens {
        let start = Instant::now();
        matcher.fill_mask(&mut row).map_err(runtime_failure)?;
        let masked = Instant::now();
        let committed = matcher.commit(TokenId(token));
        commit_times.push(masked.elapsed());
        mask_times.push(masked - start);
        match committed {
            Ok(()) => text.extend_from_slice(vocabulary.vocabulary.bytes(token).unwrap_or_default()),
            Err(Error::Refused) => {
                refused = Some(token);
                break;
            }
            Err(error) => return Err(runtime_failure(error)),
        }
    }
    mask_times.sort_unstable();
    commit_times.sort_unstable();
    let accepted = commit_times.len() - usize::from(refused.is_some());
    Ok(Replay { accepted, text, refused, allowed: Allowed::ask(matcher)?, mask_times, commit_times })
}

impl Replay {
    fn to_text(&self, tokens: &Tokens, vocabulary: &Loaded, is_accepted: bool) -> String {
        let mut out = String::new();
        let (all, bytes) = (tokens.ids.len(), self.text.len());
        let _ = match self.refused {
            Some(token) => {
                let (line, column) = line_and_column(&String::from_utf8_lossy(&self.text), usize::MAX);
                writeln!(
                    out,
                    "refused: token {} of {all}, {token} {}, at byte {bytes} (line {line}, column {column})",
                    self.accepted + 1,
                    token_text(vocabulary, token)
                )
            }
            None if is_accepted => writeln!(out, "accepted: {all} tokens, {bytes} bytes"),
            None => writeln!(out, "refused: the text ends too early, after {all} tokens, {bytes} bytes"),
        };
        if !is_accepted {
            let before = &self.text[bytes.saturating_sub(SHOWN_BEFORE)..];
            let _ = writeln!(out, "after     {}", quote(before));
            let _ = writeln!(out, "possible  {} tokens there", self.allowed.count);
            out.push_str(&self.allowed.to_text(vocabulary, SAMPLE));
        }
        if !tokens.exact {
            out.push_str("note: the vocabulary's own tokenizer could not cut this text; the fewest tokens were taken\n");
        }
        if tokens.shortened {
            out.push_str("note: without the line break at the end of the file\n");
        }
        for (name, times) in [("mask", &self.mask_times), ("commit", &self.commit_times)] {
            let [p50, p99, p999] = [500, 990, 999].map(|per_mille| duration(percentile(times, per_mille)));
            let max = duration(times.last().copied().unwrap_or_default());
            let _ = writeln!(out, "{name:<9} p50 {p50}, p99 {p99}, p99.9 {p999}, max {max}");
        }
        out
    }

    fn to_json(&self, tokens: &Tokens, vocabulary: &Loaded, is_accepted: bool) -> Value {
        let refused = self.refused.map(|token| {
            let mut object = token_json(vocabulary, token);
            object["index"] = json!(self.accepted);
            object["offset"] = json!(self.text.len());
            object
        });
        let nanos = |times: &[Duration]| {
            let [p50, p99, p999] =
                [500, 990, 999].map(|per_mille| percentile(times, per_mille).as_nanos() as u64);
            json!({"p50_ns": p50, "p99_ns": p99, "p999_ns": p999})
        };
        json!({
            "accepted": is_accepted,
            "tokens": tokens.ids.len(),
            "tokens_accepted": self.accepted,
            "text": bytes_json(&self.text),
            "exact_tokenization": tokens.exact,
            "without_final_line_break": tokens.shortened,
            "refused": refused,
            "possible": self.allowed.to_json(vocabulary, SAMPLE),
            "mask": nanos(&self.mask_times),
            "commit": nanos(&self.commit_times),
        })
    }
}
