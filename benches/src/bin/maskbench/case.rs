//! A case: its schema compiled, its instances read.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_benches::json::spaced;
use gcc_grammar_benches::language::TokenBytes;
use gcc_grammar_benches::orders::{InSomeOrder, MAX_TRIES, in_declared_order, in_some_order};
use gcc_grammar_benches::replay::{Costs, Verdict, replay_often};
use gcc_grammar_compiler::{CompileError, Options};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::Unenforced;
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_vocabulary::Tokenizer;
use serde_json::Value;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What became of a case. Instances by number.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    /// Why it was not compiled.
    pub(crate) refused: Option<String>,
    /// Pointers of keywords that are not enforced.
    pub(crate) gaps: Vec<String>,
    /// From the text of the schema to the first mask.
    pub(crate) first_mask: Duration,
    /// Of the artifact.
    pub(crate) bytes: usize,
    pub(crate) opening: Duration,
    /// Mask and commit of every token.
    pub(crate) steps: Vec<Duration>,
    /// Valid instances that are refused as they are, and accepted with their keys in another order.
    pub(crate) reordered: Vec<usize>,
    /// Valid instances that are refused as they are, with too many orders to try.
    pub(crate) undecided: Vec<usize>,
    /// Valid instances that are refused in every order.
    pub(crate) valid_refused: Vec<usize>,
    /// Invalid instances that are accepted, as they are or in some order.
    pub(crate) invalid_accepted: Vec<usize>,
    /// Instances at which the scratch overflowed, or mask and commit disagreed.
    pub(crate) failed: Vec<usize>,
}

impl Outcome {
    /// Whether no verdict is wrong: what is invalid may be accepted where a keyword is said not to be enforced.
    pub(crate) fn is_right(&self) -> bool {
        self.valid_refused.is_empty()
            && self.failed.is_empty()
            && (self.invalid_accepted.is_empty() || !self.gaps.is_empty())
    }
}

/// What all cases share.
pub(crate) struct Setting<'a> {
    pub(crate) vocabulary: &'a TokenBytes,
    pub(crate) tokenizer: &'a Tokenizer<'a>,
    pub(crate) passes: usize,
    /// Whether schemas are compiled that cannot be enforced exactly.
    pub(crate) allow: bool,
}

impl Setting<'_> {
    /// Compiles and reads one. The error is for people.
    pub(crate) fn case(&self, path: &Path) -> Result<Outcome, String> {
        let read = || Ok::<Value, Box<dyn Error>>(serde_json::from_str(&fs::read_to_string(path)?)?);
        let case = read().map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut outcome = Outcome { name, ..Outcome::default() };
        let start = Instant::now();
        match self.compile(&case["schema"].to_string()) {
            Err(reason) => outcome.refused = Some(reason),
            Ok((artifact, gaps)) => {
                let compiled = start.elapsed();
                (outcome.bytes, outcome.gaps) = (artifact.len(), gaps);
                self.decode(&artifact, &case, &mut outcome).map_err(|error| error.to_string())?;
                outcome.first_mask += compiled;
            }
        }
        Ok(outcome)
    }

    /// The artifact and what it does not enforce, or why there is none.
    fn compile(&self, schema: &str) -> Result<(Vec<u8>, Vec<String>), String> {
        let unenforced = if self.allow { Unenforced::Allow } else { Unenforced::Refuse };
        let options = json_schema::Options { unenforced, ..json_schema::Options::default() };
        let reason = |code: &str, message: &str| {
            let text = message.split(&['"', '<'][..]).next().unwrap_or_default();
            format!("{code}: {:.90}", text.trim_end())
        };
        let parsed = json_schema::compile(schema, &options).map_err(|errors| {
            errors.first().map_or_else(String::new, |error| reason(error.code.as_str(), &error.message))
        })?;
        let gaps = parsed.report.gaps().map(|entry| entry.pointer.clone()).collect();
        let compiled = self.vocabulary.compile(&parsed.grammar, &Options::default());
        let (artifact, _) = compiled.map_err(|error| match error {
            CompileError::OverBudget(over) => format!("over-budget: {over}"),
            CompileError::Grammar(errors) => {
                errors.first().map_or_else(String::new, |error| reason(error.code.as_str(), &error.message))
            }
        })?;
        Ok((artifact, gaps))
    }

    fn decode(&self, artifact: &[u8], case: &Value, outcome: &mut Outcome) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        let grammar = GrammarView::open(artifact)?;
        outcome.opening = start.elapsed();
        let engine = Engine::new(grammar, self.vocabulary)?;
        let mut scratch = vec![0; engine.scratch_words()];
        let mut matcher = Matcher::new(&engine, &mut scratch, 1)?;
        let mut row = vec![0; engine.row_words()];
        matcher.fill_mask(&mut row)?;
        outcome.first_mask = start.elapsed();
        for (index, test) in case["tests"].as_array().into_iter().flatten().enumerate() {
            let verdict = self.read(&mut matcher, &test["data"], &mut outcome.steps)?;
            let valid = test["valid"].as_bool() == Some(true);
            let list = match verdict {
                Verdict::Accepted if valid => continue,
                Verdict::Accepted => &mut outcome.invalid_accepted,
                Verdict::Overflow(_) | Verdict::Inconsistent(_) => &mut outcome.failed,
                Verdict::Refused(_) | Verdict::Incomplete => {
                    match reordered(&engine, &in_declared_order(&test["data"], &case["schema"]))? {
                        InSomeOrder::Accepted if valid => &mut outcome.reordered,
                        InSomeOrder::Accepted => &mut outcome.invalid_accepted,
                        InSomeOrder::Unknown if valid => &mut outcome.undecided,
                        InSomeOrder::Refused if valid => &mut outcome.valid_refused,
                        InSomeOrder::Unknown | InSomeOrder::Refused => continue,
                    }
                }
            };
            list.push(index);
        }
        Ok(())
    }

    /// Reads an instance as it is, as often as there are passes; the least cost of each token is added to the steps.
    fn read(
        &self,
        matcher: &mut Matcher<'_, '_>,
        instance: &Value,
        steps: &mut Vec<Duration>,
    ) -> Result<Verdict, Box<dyn Error>> {
        let tokens = self.tokenizer.tokenize(spaced(instance).as_bytes())?.ids;
        let mut costs = Costs::default();
        let verdict = replay_often(matcher, &tokens, self.passes, &mut costs);
        steps.extend(costs.mask.iter().zip(costs.commit.iter()).map(|(mask, commit)| mask + commit));
        Ok(verdict)
    }
}

/// The instance in other orders of its keys, with a matcher that can go back far enough.
fn reordered(engine: &Engine<'_>, instance: &Value) -> Result<InSomeOrder, Box<dyn Error>> {
    let mut scratch = vec![0; engine.scratch_words() + (MAX_TRIES as usize) * 64];
    let mut matcher = Matcher::new(engine, &mut scratch, MAX_TRIES)?;
    Ok(in_some_order(&mut matcher, instance))
}
