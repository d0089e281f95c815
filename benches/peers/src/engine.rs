//! This engine as a worker uses it: compiles the grammar of a job, opens the artifact, and reads the texts.

use crate::case::Case;
use crate::process;
use crate::process::since;
use crate::protocol::{Artifact, Compile, Job, Kind, Note, Report};
use crate::reading::Reader;
use gcc_grammar::artifact::GrammarView;
use gcc_grammar::json_schema::{Strings, Whitespace};
use gcc_grammar::{Options, Parsed, Source, Vocabulary, parse};
use gcc_grammar_artifact::Fingerprints;
use gcc_grammar_benches::Result;
use gcc_grammar_benches::language::{large_limits, load_vocabulary};
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_compiler::{OnDemand, Prepared, compile};
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_vocabulary::walks::PrecomputedWalks;
use gcc_grammar_tokenizers::Tokenizer;
use gcc_grammar_vocabulary::SpecialToken;
use std::time::Instant;

/// A schema that is compiled before the first job, so that no job pays for tables that depend on the vocabulary alone.
const WARM_UP: &str =
    r#"{"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "number"}}}"#;

/// A vocabulary, and how grammars are compiled and texts are read.
pub struct Setting {
    vocabulary: Vocabulary,
    /// The options of the front ends.
    options: Options,
    /// Whether rows remember their content.
    update: bool,
    /// Whether large automata are built in one part, by one thread.
    one_thread: bool,
    /// Whether masks are made on demand, and nothing is compiled.
    on_demand: bool,
    /// How often each text is read.
    passes: usize,
}

impl Setting {
    /// Loads a vocabulary. `mode` is a list of words, separated by commas:
    ///
    /// | word | meaning |
    /// |---|---|
    /// | `fixed` | the separators of JSON are exactly `", "` and `": "` |
    /// | `canonical` | each string of JSON has one spelling |
    /// | `update` | rows remember their content |
    /// | `one-thread` | large automata are not built in two parts at the same time |
    /// | `on-demand` | masks are made on demand; compiling is what comes before the first one |
    ///
    /// # Errors
    /// The vocabulary or a word is unknown.
    pub fn new(vocabulary: &str, mode: &str, passes: usize) -> Result<Self> {
        let mut options = Options::default();
        let (mut update, mut one_thread, mut on_demand) = (false, false, false);
        for word in mode.split(',').filter(|word| !word.is_empty()) {
            match word {
                "fixed" => options.schema.whitespace = Whitespace::Spaced,
                "canonical" => options.schema.strings = Strings::Canonical,
                "update" => update = true,
                "one-thread" => one_thread = true,
                "on-demand" => on_demand = true,
                other => return Err(format!("unknown mode {other}").into()),
            }
        }
        Ok(Self { vocabulary: load(vocabulary)?, options, update, one_thread, on_demand, passes })
    }

    /// The tokenizer of the vocabulary.
    ///
    /// # Errors
    /// The vocabulary has no usable tokenizer.
    pub fn tokenizer(&self) -> Result<Tokenizer> {
        tokenizer(&self.vocabulary)
    }

    /// Compiles a small schema, and fills a mask.
    ///
    /// # Errors
    /// The schema cannot be compiled with these options.
    pub fn warm_up(&self) -> Result<()> {
        let artifact = self.compile(Kind::Bench, WARM_UP)?;
        self.first_mask(open(&artifact)?).map(drop)
    }

    /// Does a job. `send` gets a note when compiling is over.
    pub fn run(&self, job: &Job, tokenizer: &Tokenizer, send: impl FnMut(&Note)) -> Report {
        let mut report = Report { id: job.id.clone(), ..Report::default() };
        match Case::read(job) {
            Ok(case) if self.on_demand => {
                let done = self.run_on_demand(job, &case, tokenizer, &mut report, send);
                report.message = done.err().map_or_else(String::new, |error| error.to_string());
            }
            Ok(case) => self.run_case(job, &case, tokenizer, &mut report, send),
            Err(error) => report.message = error.to_string(),
        }
        report.threads = process::status("Threads");
        report
    }

    fn run_case(
        &self,
        job: &Job,
        case: &Case,
        tokenizer: &Tokenizer,
        report: &mut Report,
        mut send: impl FnMut(&Note),
    ) {
        let Some(artifact) = self.compile_measured(job.kind, &case.grammar, report) else { return };
        let start = Instant::now();
        let opened = open(&artifact).and_then(|view| Ok((view, self.first_mask(view)?)));
        report.ttfm_ns = report.compile_ns + since(start);
        let decoded = opened.and_then(|(view, row)| {
            send(&Note::Compiled { id: job.id.clone() });
            // The artifact is used where it lies.
            report.memory_bytes = Some(artifact.len() as u64);
            report.artifact = Some(self.reopen(&artifact, &row));
            self.read(view, case, tokenizer, report)
        });
        report.run_failure = decoded.err().map_or_else(String::new, |error| error.to_string());
    }

    /// The same, where masks are made on demand and nothing is saved. Fails if the grammar is refused.
    fn run_on_demand(
        &self,
        job: &Job,
        case: &Case,
        tokenizer: &Tokenizer,
        report: &mut Report,
        mut send: impl FnMut(&Note),
    ) -> Result<()> {
        report.compile = Compile::Error;
        let (start, processor) = (Instant::now(), process::processor_time());
        let parsed = self.parse(job.kind, &case.grammar)?;
        let options = self.compiler_options();
        let prepared = Prepared::new(&parsed.grammar, self.vocabulary.tokens(), &options, &mut ())?;
        let fingerprints =
            Fingerprints { vocabulary: self.vocabulary.tokens().fingerprint(), ..Fingerprints::default() };
        let tables = prepared.parser_tables().write(fingerprints, Vec::new());
        let on_demand = OnDemand::new(&prepared, large_limits());
        let view = GrammarView::open_on_demand(&tables, &on_demand)?;
        report.compile_ns = since(start);
        report.compile_cpu_ns = process::processor_time() - processor;
        report.compile = Compile::Ok;
        self.first_mask(view)?;
        report.ttfm_ns = since(start);
        send(&Note::Compiled { id: job.id.clone() });
        let read = self.read(view, case, tokenizer, report);
        report.memory_bytes = Some(tables.len() as u64 + prepared.bytes() + on_demand.bytes());
        report.run_failure = read.err().map_or_else(String::new, |error| error.to_string());
        Ok(())
    }

    /// Reads the texts of a case.
    fn read(
        &self,
        view: GrammarView<'_>,
        case: &Case,
        tokenizer: &Tokenizer,
        report: &mut Report,
    ) -> Result<()> {
        let engine = Engine::new(view, &self.vocabulary)?;
        let mut reader = Reader::new(&engine, self.update, self.passes);
        for text in &case.texts {
            let tokens = tokenizer.tokenize(text.text.as_bytes())?.ids;
            report.tests.push(reader.read(text, &tokens));
        }
        Ok(())
    }

    /// Compiles a grammar, and reports time and memory. `None` if the grammar is refused.
    fn compile_measured(&self, kind: Kind, grammar: &str, report: &mut Report) -> Option<Vec<u8>> {
        process::reset_peak();
        let (memory, processor) = (process::status("VmRSS"), process::processor_time());
        let start = Instant::now();
        let compiled = self.compile(kind, grammar);
        report.compile_ns = since(start);
        report.compile_cpu_ns = process::processor_time() - processor;
        report.compile_peak_kib = process::status("VmHWM").saturating_sub(memory);
        report.compile = if compiled.is_ok() { Compile::Ok } else { Compile::Error };
        compiled.map_err(|error| report.message = error.to_string()).ok()
    }

    fn compile(&self, kind: Kind, text: &str) -> Result<Vec<u8>> {
        let parsed = self.parse(kind, text)?;
        let tokens = self.vocabulary.tokens();
        Ok(compile(&parsed.grammar, tokens, &self.compiler_options(), &mut ())?.to_artifact(tokens))
    }

    fn parse(&self, kind: Kind, text: &str) -> Result<Parsed> {
        let source = match kind {
            Kind::Bench => Source::json_schema(text),
            Kind::Lark => Source::lark(text),
        };
        Ok(parse(&source, &self.options)?)
    }

    fn compiler_options(&self) -> gcc_grammar_compiler::Options {
        // The other engines have no limits at all.
        let mut options = gcc_grammar_compiler::Options::from(large_limits());
        if self.one_thread {
            options.two_parts_from = usize::MAX;
        }
        options
    }

    fn first_mask(&self, view: GrammarView<'_>) -> Result<Vec<u32>> {
        let engine = Engine::new(view, &self.vocabulary)?;
        let mut scratch = vec![0; engine.scratch_words()];
        let mut row = vec![0; engine.row_words()];
        Matcher::new(&engine, &mut scratch, 1)?.fill_mask(&mut row)?;
        Ok(row)
    }

    /// Opens a copy of the artifact, as another process would, and compares the first mask.
    fn reopen(&self, artifact: &[u8], row: &[u32]) -> Artifact {
        let copy = artifact.to_vec();
        let start = Instant::now();
        let opened = open(&copy);
        let load_ns = since(start);
        let again = opened.and_then(|view| self.first_mask(view));
        Artifact {
            bytes: artifact.len() as u64,
            // Compiling ends with the bytes.
            save_ns: 0,
            load_ns,
            same_mask: again.as_deref().is_ok_and(|again| again == row),
            error: again.err().map_or_else(String::new, |error| error.to_string()),
        }
    }
}

fn open(artifact: &[u8]) -> Result<GrammarView<'_>> {
    Ok(GrammarView::open(artifact)?)
}

/// Loads a vocabulary. `o200k_base` is the built-in `o200k` without the special tokens that a later model added; the ids are the same.
fn load(name: &str) -> Result<Vocabulary> {
    if name != "o200k_base" {
        return load_vocabulary(name);
    }
    let o200k = load_vocabulary("o200k")?;
    let tokens = o200k.tokens().text_tokens().map(|(id, bytes)| (id, bytes.to_vec())).collect();
    let special = |id, text: &str| SpecialToken { id, text: text.to_owned() };
    let specials = vec![special(199_999, "<|endoftext|>"), special(200_018, "<|endofprompt|>")];
    let vocabulary =
        gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, specials, vec![199_999], 200_019)?;
    // The text tokens are the same, and so are the walks of their trie.
    let vocabulary = match o200k.tokens().walks() {
        Some(walks) => vocabulary.with_walks(PrecomputedWalks::clone(walks)),
        None => vocabulary,
    };
    let mut resolved = o200k.resolved().clone();
    resolved.vocabulary = vocabulary;
    Ok(resolved.into())
}
