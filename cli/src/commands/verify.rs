//! `gcc-grammar verify`.
//!
//! The deep check compares two ways of telling whether a token is allowed that share no tables: the mask, which the
//! Parser DWA and the mask store give, and committing the token, which the lexer and the LR automaton decide.

use crate::artifact::{ArtifactArguments, ArtifactFile};
use crate::draw::{Drawn, draw};
use crate::failure::{Exit, Failure};
use crate::session::{matcher, runtime_failure, scratch};
use crate::shell::Shell;
use crate::show::{number, quote, size, token_text};
use crate::vocabulary::Loaded;
use clap::Args;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_compiler::random::Random;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_runtime::{Error, Matcher, TokenId};
use serde_json::json;
use std::io::Write;

/// Tokens of a random walk before it starts anew.
const WALK: usize = 60;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Also compare masks with trying every token, at states along random walks
    #[arg(long)]
    deep: bool,
    /// States compared by the deep check
    #[arg(long, value_name = "N", default_value_t = 50)]
    states: usize,
    /// Seed of the random walks
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    artifact: ArtifactArguments,
}

/// Checks everything.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let file = arguments.artifact.open()?;
    let grammar = file.grammar()?;
    grammar.container().verify().map_err(|error| file.failure(&error))?;
    let metadata = file.metadata(&grammar).map_err(|error| {
        let diagnostic = Diagnostic::error(Code::DamagedArtifact, error.to_string());
        Failure::new(Exit::Refused, file.name.as_str(), diagnostic.help("compile it again"))
    })?;
    let sections = grammar.container().entries().len();
    let compared = if arguments.deep { Some(deep(arguments, &file, grammar)?) } else { None };
    if shell.json {
        shell.write_json(&json!({
            "intact": true,
            "bytes": file.bytes().len(),
            "sections": sections,
            "vocabulary": metadata.vocabulary.name,
            "deep": compared.as_ref().map(|tally| json!({"states": tally.states, "decisions": tally.decisions, "differences": 0})),
        }))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    writeln!(out, "{}: intact, {} in {sections} sections", file.name, size(file.bytes().len()))?;
    if let Some(tally) = compared {
        writeln!(out, "deep: {} states, {} decisions, no difference", tally.states, number(tally.decisions))?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// What was compared.
struct Tally {
    states: usize,
    decisions: u64,
}

fn deep(arguments: &Arguments, file: &ArtifactFile, grammar: GrammarView<'_>) -> Result<Tally, Failure> {
    let vocabulary = arguments.artifact.vocabulary(file, &grammar)?;
    let engine = file.engine(grammar, &vocabulary)?;
    let mut scratch = scratch(&engine);
    let mut matcher = matcher(&engine, &mut scratch, 1)?;
    let mut random = Random(arguments.seed);
    let mut tally = Tally { states: 0, decisions: 0 };
    let mut text = Vec::new();
    let mut steps = 0;
    while tally.states < arguments.states {
        compare(&mut matcher, &vocabulary, &text, file)?;
        tally.states += 1;
        tally.decisions += u64::from(engine.grammar().meta().mask_width);
        // Far from the beginning, states are more varied: walk on for some tokens between comparisons.
        for _ in 0..=random.below(4) {
            steps += 1;
            match draw(&mut matcher, &vocabulary, &mut random)? {
                Drawn::Token(token) if steps < WALK => {
                    matcher.commit(TokenId(token)).map_err(runtime_failure)?;
                    text.extend_from_slice(vocabulary.vocabulary.bytes(token).unwrap_or_default());
                }
                _ => {
                    matcher.reset();
                    text.clear();
                    steps = 0;
                }
            }
        }
    }
    Ok(tally)
}

/// Compares the mask of a state with trying every token.
fn compare(
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Loaded,
    text: &[u8],
    file: &ArtifactFile,
) -> Result<(), Failure> {
    let width = matcher.engine().grammar().meta().mask_width;
    let mut row = vec![0u32; matcher.engine().row_words()];
    matcher.fill_mask(&mut row).map_err(runtime_failure)?;
    for token in 0..width {
        let masked = row[token as usize / 32] >> (token % 32) & 1 == 1;
        let committed = match matcher.commit(TokenId(token)) {
            Ok(()) => {
                matcher.rollback(1).map_err(runtime_failure)?;
                true
            }
            Err(Error::Refused) => false,
            Err(error) => return Err(runtime_failure(error)),
        };
        if masked != committed {
            return Err(difference(vocabulary, token, masked, text, file));
        }
    }
    let counted = matcher.count_allowed().map_err(runtime_failure)?;
    debug_assert_eq!(counted, row.iter().map(|word| word.count_ones()).sum::<u32>());
    Ok(())
}

fn difference(vocabulary: &Loaded, token: u32, masked: bool, text: &[u8], file: &ArtifactFile) -> Failure {
    let (mask, commit) = if masked { ("allows", "refuses") } else { ("forbids", "accepts") };
    let token = format!("{token} {}", token_text(vocabulary, token));
    let message =
        format!("the mask {mask} token {token}, but committing it {commit} it, after {}", quote(text));
    let help = "this is a bug of gcc-grammar: please report it with the schema or grammar";
    Failure::new(Exit::Refused, file.name.as_str(), Diagnostic::error(Code::WrongMask, message).help(help))
}
