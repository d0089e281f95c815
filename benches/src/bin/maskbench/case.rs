//! One case of MaskBench: compiles its schema, and reads its instances.

use gcc_grammar::artifact::GrammarView;
use gcc_grammar::json_schema::{self, PropertyOrder};
use gcc_grammar::{Code, Diagnostic, Vocabulary};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::cases::Case;
use gcc_grammar_benches::json::Value;
use gcc_grammar_benches::orders::{InSomeOrder, MAX_TRIES, in_declared_order, in_some_order};
use gcc_grammar_benches::replay::{Costs, Verdict, replay_often};
use gcc_grammar_compiler::{CompileError, Options, compile};
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_tokenizers::Tokenizer;
use std::path::Path;
use std::time::{Duration, Instant};

/// The result of a case. Instances are named by their index.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    /// Why the schema was not compiled.
    pub(crate) refused: Option<String>,
    /// The JSON Pointers of keywords that are not enforced.
    pub(crate) gaps: Vec<String>,
    /// The time from the text of the schema to the first mask.
    pub(crate) first_mask: Duration,
    /// The size of the artifact.
    pub(crate) bytes: usize,
    /// The time to open the artifact.
    pub(crate) opening: Duration,
    /// The time for the mask and the commit of every token.
    pub(crate) steps: Vec<Duration>,
    /// Valid instances that are accepted only with their keys in another order.
    pub(crate) reordered: Vec<usize>,
    /// Valid instances that are refused, with too many orders to try.
    pub(crate) undecided: Vec<usize>,
    /// Valid instances that are refused in every order.
    pub(crate) valid_refused: Vec<usize>,
    /// Invalid instances that are accepted in some order.
    pub(crate) invalid_accepted: Vec<usize>,
    /// Instances at which the scratch was full, or mask and commit disagreed.
    pub(crate) failed: Vec<usize>,
}

impl Outcome {
    /// Whether no verdict is wrong. Invalid instances may be accepted if a keyword is reported as not enforced.
    pub(crate) fn is_right(&self) -> bool {
        self.valid_refused.is_empty()
            && self.failed.is_empty()
            && (self.invalid_accepted.is_empty() || !self.gaps.is_empty())
    }
}

/// The settings that all cases share.
pub(crate) struct Setting<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) tokenizer: &'a Tokenizer,
    pub(crate) passes: usize,
    pub(crate) schemas: json_schema::Options,
}

impl Setting<'_> {
    /// Compiles the schema of a case, and reads its instances.
    pub(crate) fn case(&self, path: &Path) -> Result<Outcome> {
        let case = Case::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut outcome = Outcome { name, ..Outcome::default() };
        let schema = case.schema.to_string();
        let start = Instant::now();
        match self.compile(&schema) {
            Err(reason) => outcome.refused = Some(reason),
            Ok((artifact, gaps)) => {
                let compiled = start.elapsed();
                (outcome.bytes, outcome.gaps) = (artifact.len(), gaps);
                self.decode(&artifact, &case, &mut outcome)?;
                outcome.first_mask += compiled;
            }
        }
        Ok(outcome)
    }

    /// The artifact and the pointers of keywords that are not enforced, or why the schema is refused.
    fn compile(&self, schema: &str) -> Result<(Vec<u8>, Vec<String>), String> {
        let tokens = self.vocabulary.tokens();
        let mut schemas = self.schemas.clone();
        schemas.counting = json_schema::Counting::Except(Vec::new());
        let (compiled, report) = loop {
            let parsed = json_schema::compile(schema, &schemas).map_err(|errors| reason(&errors))?;
            let grammar = parsed.grammar.into();
            match compile(&grammar, tokens, &Options::default(), &mut ()) {
                Err(CompileError::NotCounted(terminals)) => {
                    schemas.counting = schemas.counting.without(&grammar, &terminals);
                }
                other => break (other, parsed.report),
            }
        };
        let compiled = compiled.map_err(|error| match error {
            CompileError::Grammar(errors) => reason(&errors),
            error => format!("{}: {error}", Code::OverBudget),
        })?;
        let gaps = report.gaps().map(|entry| entry.pointer.clone()).collect();
        Ok((compiled.to_artifact(tokens), gaps))
    }

    /// Opens the artifact, makes the first mask, and judges all instances.
    fn decode(&self, artifact: &[u8], case: &Case, outcome: &mut Outcome) -> Result<()> {
        let start = Instant::now();
        let grammar = GrammarView::open(artifact)?;
        outcome.opening = start.elapsed();
        let engine = Engine::new(grammar, self.vocabulary)?;
        let mut scratch = vec![0; engine.scratch_words()];
        let mut matcher = Matcher::new(&engine, &mut scratch, 1)?;
        let mut row = vec![0; engine.row_words()];
        matcher.fill_mask(&mut row)?;
        outcome.first_mask = start.elapsed();
        for (index, test) in case.tests.iter().enumerate() {
            let list = match self.read(&mut matcher, &test.instance, &mut outcome.steps)? {
                Verdict::Accepted if test.is_valid => continue,
                Verdict::Accepted => &mut outcome.invalid_accepted,
                Verdict::Overflow(_) | Verdict::Inconsistent(_) => &mut outcome.failed,
                Verdict::Refused(_) | Verdict::Incomplete => {
                    match self.reordered(&engine, case, &test.instance)? {
                        InSomeOrder::Accepted if test.is_valid => &mut outcome.reordered,
                        InSomeOrder::Accepted => &mut outcome.invalid_accepted,
                        InSomeOrder::Unknown if test.is_valid => &mut outcome.undecided,
                        InSomeOrder::Refused if test.is_valid => &mut outcome.valid_refused,
                        InSomeOrder::Unknown | InSomeOrder::Refused => continue,
                    }
                }
            };
            list.push(index);
        }
        Ok(())
    }

    /// Reads an instance with its keys in other orders, with a matcher that can roll back far enough. A grammar of any order refuses all of them.
    fn reordered(&self, engine: &Engine<'_>, case: &Case, instance: &Value) -> Result<InSomeOrder> {
        if self.schemas.property_order == PropertyOrder::Any {
            return Ok(InSomeOrder::Refused);
        }
        let mut scratch = vec![0; engine.scratch_words() + (MAX_TRIES as usize) * 64];
        let mut matcher = Matcher::new(engine, &mut scratch, MAX_TRIES)?;
        Ok(in_some_order(&mut matcher, &in_declared_order(instance, &case.schema)))
    }

    /// Reads an instance with its keys as they come. The least cost of each token over all passes is added to `steps`.
    fn read(
        &self,
        matcher: &mut Matcher<'_, '_>,
        instance: &Value,
        steps: &mut Vec<Duration>,
    ) -> Result<Verdict> {
        let tokens = self.tokenizer.tokenize(instance.spaced().as_bytes())?.ids;
        let mut costs = Costs::default();
        let verdict = replay_often(matcher, &tokens, self.passes, &mut costs);
        steps.extend(costs.mask.iter().zip(costs.commit.iter()).map(|(mask, commit)| mask + commit));
        Ok(verdict)
    }
}

/// The code and the message of the first error, without the quoted texts that differ from case to case.
fn reason(errors: &[Diagnostic]) -> String {
    let Some(Diagnostic { code, message, .. }) = errors.first() else { return String::new() };
    let text = message.split(&['"', '<'][..]).next().unwrap_or_default();
    format!("{code}: {:.90}", text.trim_end())
}
