//! This engine: from a grammar to artifact, matcher, masks.

use crate::case::{Case, Text};
use crate::process;
use crate::protocol::{Artifact, Compile, Job, Kind, Note, Report, TestReport, Verdict};
use gcc_grammar_compiler::{CompileError, Limits, Options};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_benches::language::TokenBytes;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::{Strings, Whitespace};
use gcc_grammar_ir::{Diagnostic, Grammar};
use gcc_grammar_notations::lark;
use gcc_grammar_runtime::{Engine, Error, MaskRow, Matcher, TokenId};
use gcc_grammar_vocabulary::{SpecialToken, Tokenizer, Vocabulary};
use std::time::Instant;

/// Compiled once before the first job, so that no job pays for what depends on the vocabulary alone.
const WARM_UP: &str =
    r#"{"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "number"}}}"#;

/// A vocabulary, and how schemas are read.
pub struct Setting {
    vocabulary: TokenBytes,
    schemas: json_schema::Options,
    /// Rows remember what they hold.
    update: bool,
    /// No second thread compiles.
    one_thread: bool,
    passes: usize,
}

/// A row, filled or updated.
enum Row<'a, 'r> {
    Filled(&'r mut [u32]),
    Updated(MaskRow<'a, 'r>),
}

/// Nanoseconds since then.
#[must_use]
pub fn since(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}

impl Setting {
    /// `mode` is a list of `fixed` (JSON separators are exactly `", "` and `": "`), `canonical` (one spelling per string), `update` (rows
    /// remember what they hold) and `one-thread` (large automata are not built in two parts at the same time).
    pub fn new(vocabulary: &str, mode: &str, passes: usize) -> Result<Self, String> {
        let mut schemas = json_schema::Options::default();
        let (mut update, mut one_thread) = (false, false);
        for word in mode.split(',').filter(|word| !word.is_empty()) {
            match word {
                "fixed" => schemas.whitespace = Whitespace::Spaced,
                "canonical" => schemas.strings = Strings::Canonical,
                "update" => update = true,
                "one-thread" => one_thread = true,
                other => return Err(format!("unknown mode {other}")),
            }
        }
        Ok(Self { vocabulary: load(vocabulary)?, schemas, update, one_thread, passes })
    }

    /// What cuts texts into tokens.
    pub fn tokenizer(&self) -> Result<Tokenizer<'_>, String> {
        tokenizer(&self.vocabulary.0)
    }

    /// Compiles a small schema, and fills a mask.
    pub fn warm_up(&self) -> Result<(), String> {
        let artifact = self.compile(Kind::Bench, WARM_UP)?;
        self.first_mask(&open(&artifact)?).map(drop)
    }

    /// Does a job; `say` is told when compiling is over.
    pub fn run(&self, job: &Job, tokenizer: &Tokenizer<'_>, say: impl FnMut(&Note)) -> Report {
        let mut report = Report { id: job.id.clone(), ..Report::default() };
        match Case::read(job) {
            Ok(case) => self.run_case(job, &case, tokenizer, &mut report, say),
            Err(message) => report.message = message,
        }
        report.threads = process::status("Threads");
        report
    }

    fn run_case(
        &self,
        job: &Job,
        case: &Case,
        tokenizer: &Tokenizer<'_>,
        report: &mut Report,
        mut say: impl FnMut(&Note),
    ) {
        process::reset_peak();
        let (memory, processor) = (process::status("VmRSS"), process::processor_time());
        let start = Instant::now();
        let compiled = self.compile(job.kind, &case.grammar);
        report.compile_ns = since(start);
        report.compile_cpu_ns = process::processor_time() - processor;
        report.compile_peak_kib = process::status("VmHWM").saturating_sub(memory);
        let artifact = match compiled {
            Ok(artifact) => artifact,
            Err(message) => {
                report.compile = Compile::Error;
                report.message = message;
                return;
            }
        };
        report.compile = Compile::Ok;
        let start = Instant::now();
        let opened = open(&artifact).and_then(|view| Ok((view, self.first_mask(&view)?)));
        report.ttfm_ns = report.compile_ns + since(start);
        let decoded = opened.and_then(|(view, row)| {
            say(&Note::Compiled { id: job.id.clone() });
            report.artifact = Some(self.reopen(&artifact, &row));
            let engine = self.engine(view)?;
            // A server keeps memory for its sessions, too.
            let mut memory = (vec![0; engine.scratch_words()], row);
            let read = |text| self.read_text(&engine, tokenizer, text, &mut memory);
            report.tests = case.texts.iter().map(read).collect::<Result<_, String>>()?;
            Ok(())
        });
        report.run_failure = decoded.err().unwrap_or_default();
    }

    fn compile(&self, kind: Kind, text: &str) -> Result<Vec<u8>, String> {
        let grammar = self.parse(kind, text)?;
        // Ten times the default, since the others have no limits at all.
        let limits = Limits { work: 20_000_000_000, bytes: 8 << 30, ..Limits::default() };
        let mut options = Options::from(limits);
        if self.one_thread {
            options.two_parts_from = usize::MAX;
        }
        let compiled = self.vocabulary.compile(&grammar, &options);
        compiled.map(|(artifact, _)| artifact).map_err(|error| match error {
            CompileError::OverBudget(over) => over.to_string(),
            CompileError::Grammar(errors) => first(&errors),
        })
    }

    fn parse(&self, kind: Kind, text: &str) -> Result<Grammar, String> {
        match kind {
            Kind::Bench => json_schema::compile(text, &self.schemas).map(|compiled| compiled.grammar),
            Kind::Lark => lark::parse(text).map(|parsed| parsed.grammar),
        }
        .map_err(|errors| first(&errors))
    }

    fn engine<'a>(&'a self, view: GrammarView<'a>) -> Result<Engine<'a>, String> {
        Engine::new(view, &self.vocabulary).map_err(|error| error.to_string())
    }

    fn first_mask(&self, view: &GrammarView<'_>) -> Result<Vec<u32>, String> {
        let engine = self.engine(*view)?;
        let mut scratch = vec![0; engine.scratch_words()];
        let mut row = vec![0; engine.row_words()];
        let matcher = Matcher::new(&engine, &mut scratch, 1);
        let filled = matcher.and_then(|mut matcher| matcher.fill_mask(&mut row));
        filled.map(|()| row).map_err(|error| error.to_string())
    }

    /// Opens the artifact as another process would, from a copy of its bytes.
    fn reopen(&self, artifact: &[u8], row: &[u32]) -> Artifact {
        let copy = artifact.to_vec();
        let start = Instant::now();
        let opened = open(&copy);
        let load_ns = since(start);
        let again = opened.and_then(|view| self.first_mask(&view));
        Artifact {
            bytes: artifact.len() as u64,
            // The bytes are what compiling gives.
            save_ns: 0,
            load_ns,
            same_mask: again.as_deref() == Ok(row),
            error: again.err().unwrap_or_default(),
        }
    }

    fn row<'a, 'r>(&self, words: &'r mut [u32]) -> Row<'a, 'r> {
        if self.update { Row::Updated(MaskRow::new(words)) } else { Row::Filled(words) }
    }

    fn read_text<'a>(
        &self,
        engine: &'a Engine<'a>,
        tokenizer: &Tokenizer<'_>,
        text: &Text,
        (scratch, row): &mut (Vec<u32>, Vec<u32>),
    ) -> Result<TestReport, String> {
        let tokens = tokenizer.tokenize(text.text.as_bytes()).map_err(|error| error.to_string())?.ids;
        let mut report = pass(engine, &tokens, scratch, self.row(row));
        report.best_mask_ns = report.mask_ns.clone();
        report.best_commit_ns = report.commit_ns.clone();
        report.best_tbm_ns = report.tbm_ns.clone();
        for _ in 1..self.passes {
            let again = pass(engine, &tokens, scratch, self.row(row));
            if (again.verdict, again.reached) != (report.verdict, report.reached) {
                report.detail = format!("{} [passes disagree]", report.detail);
            }
            keep_least(&mut report.best_mask_ns, &again.mask_ns);
            keep_least(&mut report.best_commit_ns, &again.commit_ns);
            keep_least(&mut report.best_tbm_ns, &again.tbm_ns);
        }
        report.index = text.index;
        text.form.clone_into(&mut report.form);
        report.valid = text.valid;
        report.tokens = tokens.len();
        report.byte_len = text.text.len();
        Ok(report)
    }
}

fn first(errors: &[Diagnostic]) -> String {
    errors.first().map_or_else(String::new, |error| format!("{}: {}", error.code, error.message))
}

fn open(artifact: &[u8]) -> Result<GrammarView<'_>, String> {
    GrammarView::open(artifact).map_err(|error| error.to_string())
}

/// `o200k_base` is the built-in `o200k` without what a later model added: the same ids, and only two special tokens.
fn load(name: &str) -> Result<TokenBytes, String> {
    if name != "o200k_base" {
        return TokenBytes::built_in(name);
    }
    let mut loaded = TokenBytes::built_in("o200k")?;
    let tokens = loaded.0.vocabulary.text_tokens().map(|(id, bytes)| (id, bytes.to_vec())).collect();
    let special = |id, text: &str| SpecialToken { id, text: text.to_owned() };
    let specials = vec![special(199_999, "<|endoftext|>"), special(200_018, "<|endofprompt|>")];
    let vocabulary = Vocabulary::from_tokens(tokens, specials, vec![199_999], 200_019);
    loaded.0.vocabulary = vocabulary.map_err(|error| error.to_string())?;
    Ok(loaded)
}

/// Reads the tokens once, in a session of its own.
fn pass<'a>(engine: &'a Engine<'a>, tokens: &[u32], scratch: &mut [u32], mut row: Row<'a, '_>) -> TestReport {
    let mut report = TestReport::default();
    let start = Instant::now();
    let matcher = Matcher::new(engine, scratch, 1);
    report.open_ns = since(start);
    match matcher {
        Ok(mut matcher) => report.verdict = feed(&mut matcher, tokens, &mut row, &mut report),
        Err(error) => report.detail = error.to_string(),
    }
    report
}

impl<'a> Row<'a, '_> {
    fn make(&mut self, matcher: &mut Matcher<'a, '_>) -> Result<(), Error> {
        match self {
            Self::Filled(row) => matcher.fill_mask(row),
            Self::Updated(row) => matcher.update_mask(row),
        }
    }

    fn words(&self) -> &[u32] {
        match self {
            Self::Filled(row) => row,
            Self::Updated(row) => row.words(),
        }
    }
}

fn feed<'a>(
    matcher: &mut Matcher<'a, '_>,
    tokens: &[u32],
    row: &mut Row<'a, '_>,
    report: &mut TestReport,
) -> Verdict {
    for &token in tokens {
        let start = Instant::now();
        let filled = row.make(matcher);
        let masked = Instant::now();
        let allowed = row.words()[token as usize / 32] >> (token % 32) & 1 == 1;
        let committed = if allowed { matcher.commit(TokenId(token)) } else { Ok(()) };
        let end = Instant::now();
        report.mask_ns.push((masked - start).as_nanos() as u64);
        report.tbm_ns.push((end - start).as_nanos() as u64);
        report.allowed.push(row.words().iter().map(|word| word.count_ones()).sum());
        if let Err(error) = filled.and(committed) {
            report.detail = format!("token {token} after {}: {error}", report.reached);
            return Verdict::Broken;
        }
        if !allowed {
            // The mask says no, so the commit has to.
            let refused = matcher.commit(TokenId(token)).is_err();
            report.detail = format!("token {token} after {} of {}", report.reached, tokens.len());
            return if refused { Verdict::Rejected } else { Verdict::Broken };
        }
        report.commit_ns.push((end - masked).as_nanos() as u64);
        report.reached += 1;
    }
    match matcher.is_accepting() {
        Ok(true) => Verdict::Accepted,
        Ok(false) => Verdict::Incomplete,
        Err(error) => {
            report.detail = error.to_string();
            Verdict::Broken
        }
    }
}

fn keep_least(best: &mut [u64], other: &[u64]) {
    best.iter_mut().zip(other).for_each(|(best, other)| *best = (*best).min(*other));
}
