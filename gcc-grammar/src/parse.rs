//! From a source to a grammar, by the front end of its notation.

use crate::deep::{with_stack, with_stack_for_json};
use crate::error::{Error, ErrorKind, SourceText};
use crate::metadata::{self, Import, ReportEntry};
use crate::options::{Indenter, Lexer, Options, SchemaOptions, Strict, ToolOptions};
use crate::source::{Source, read_source};
use crate::strict;
use crate::vocabulary::Vocabulary;
use gcc_grammar_bundled::WithBundled;
use gcc_grammar_compiler::CompileError;
use gcc_grammar_ir::{
    Code, Diagnostic, Grammar, Location, Pattern, Severity, SpecialNames, SpecialTokens, Terminal,
    over_budget,
};
use gcc_grammar_json_schema::{self as json_schema, Counting, Unenforced};
use gcc_grammar_limits::{Budget, Limits, OverBudget};
use gcc_grammar_notations::notation::Notation;
use gcc_grammar_notations::{
    GrammarOptions, abnf, antlr, bnf, choices, foreign, lark, regex, structural_tag, tools, tree_sitter, w3c,
};
use gcc_grammar_regular::{PatternFlags, RegularLimits};
use gcc_grammar_vocabulary::fewest_tokens;
use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

/// The grammar of a source, with its warnings and report.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The grammar.
    pub grammar: Grammar,
    /// The warnings of the front end.
    pub warnings: Vec<Diagnostic>,
    /// What became of every keyword of the schema, or of the schemas that are embedded.
    pub report: Vec<ReportEntry>,
    /// The source, as the artifact stores it.
    pub source: metadata::Source,
    /// The text, for diagnostics.
    pub text: SourceText,
    /// The options that change the language, by name.
    pub options: Vec<(String, String)>,
    /// The files that were imported, also by other files; bundled grammars are among them, by name.
    pub imported_files: Vec<PathBuf>,
    notation: Notation,
    /// The work units that the front end spent.
    work: u64,
    /// What was parsed, if the grammar has terminals whose characters are counted.
    counted: Option<Arc<Input>>,
}

/// What is parsed.
#[derive(Debug)]
struct Input {
    source: Source,
    names: SpecialNames,
    options: Options,
}

impl Parsed {
    /// Whether the grammar was made from a JSON Schema.
    #[must_use]
    pub fn is_schema(&self) -> bool {
        self.notation == Notation::JsonSchema
    }

    /// The default limits of compiling this grammar.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        default_limits(self.notation, &self.text.text)
    }

    /// The grammar of the same source that counts other lengths. Only where this one counts some.
    fn counting(&self, input: &Input, counting: Counting) -> Result<Self, Error> {
        let mut options = input.options.clone();
        options.schema.counting = counting;
        parse_with(&input.source, input.names.clone(), &options)
    }

    /// The grammar of the same source in which no characters are counted.
    pub(crate) fn spelled_out(&self) -> Result<Cow<'_, Self>, Error> {
        match &self.counted {
            Some(input) => self.counting(input, Counting::Off).map(Cow::Owned),
            None => Ok(Cow::Borrowed(self)),
        }
    }

    /// The grammar to compile instead where this one was not compiled because some characters cannot be counted: the first time they are spelled out, then all
    /// are. Any other error is returned.
    pub(crate) fn after(&self, error: CompileError) -> Result<Self, Error> {
        let (CompileError::NotCounted(terminals), Some(input)) = (&error, &self.counted) else {
            return Err(self.error(error));
        };
        self.counting(input, input.options.schema.counting.without(&self.grammar, terminals))
    }

    /// Makes something of the grammar. If characters cannot be counted that this grammar counts, it is made of a grammar that does not, which is
    /// then returned, too.
    pub(crate) fn countable<T>(
        &self,
        mut make: impl FnMut(&Self) -> Result<T, CompileError>,
    ) -> Result<(T, Option<Self>), Error> {
        let mut other = None;
        loop {
            let parsed = other.as_ref().unwrap_or(self);
            match make(parsed) {
                Ok(made) => return Ok((made, other)),
                Err(error) => other = Some(parsed.after(error)?),
            }
        }
    }

    /// Refuses a grammar with lists whose items differ, or objects whose keys are remembered, where only the grammar is looked at: which items or keys may
    /// follow depends on the texts so far.
    pub(crate) fn without_lists(&self, what: &str) -> Result<(), Error> {
        let has = |role: fn(&Terminal) -> bool| self.grammar.terminals.iter().any(role);
        let (message, help) = if has(|terminal| terminal.pattern.list_role().is_some()) {
            ("that items of arrays with uniqueItems differ", "leave uniqueItems out")
        } else if has(|terminal| terminal.pattern.key_role().is_some()) {
            ("which keys an object has whose keys are remembered", "leave some conditions on keys out")
        } else {
            return Ok(());
        };
        let error = Diagnostic::error(Code::Unenforceable, format!("{what} does not know {message}"))
            .help(format!("use replay or test, which do, or {help}"));
        Err(Error::refused(vec![error], &self.text))
    }

    /// The error that this grammar was not compiled.
    pub(crate) fn error(&self, error: CompileError) -> Error {
        match error {
            CompileError::Grammar(diagnostics) => Error::refused(diagnostics, &self.text),
            CompileError::OverBudget(over) => {
                let diagnostic = over_budget(over.clone(), &self.grammar);
                Error::with(ErrorKind::OverBudget, vec![diagnostic], self.text.clone()).caused_by(over)
            }
            CompileError::NotCounted(_) => {
                let message =
                    "the grammar counts characters for a vocabulary, and this one lacks what it takes";
                Error::refused(vec![Diagnostic::error(Code::TooLarge, message)], &self.text)
            }
        }
    }

    /// What a compilation of this grammar may spend: what the options allow, without the work of the front end.
    pub(crate) fn budget(&self, options: &Options) -> Result<Budget, Error> {
        let budget = Budget::new(options.limits.over(self.default_limits()));
        match budget.stage("parse").charge_work(self.work) {
            Ok(()) => Ok(budget),
            Err(over) => Err(Error::refused(vec![over.into()], &self.text)),
        }
    }
}

impl Source {
    /// The default limits of compiling this source.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        default_limits(self.notation, &self.text.text)
    }
}

fn default_limits(notation: Notation, text: &str) -> Limits {
    match notation {
        Notation::Choices => Limits::for_choices(text.len() as u64),
        _ => Limits::for_input(text.len() as u64),
    }
}

/// Parses a source into a grammar, whose literals accept their characters only.
///
/// # Errors
/// The text is refused, or a limit of the front end is exceeded.
pub fn parse(source: &Source, options: &Options) -> Result<Parsed, Error> {
    let without = Options { special_tokens: SpecialTokens::Never, ..options.clone() };
    parse_with(source, SpecialNames::default(), &without)
}

/// Parses a source into a grammar for a vocabulary: its literals accept the special tokens that they name, as the options say.
///
/// # Errors
/// The text is refused, or a limit of the front end is exceeded.
pub fn parse_for(source: &Source, vocabulary: &Vocabulary, options: &Options) -> Result<Parsed, Error> {
    let missing = missing_marks(source, vocabulary, options);
    if let Some(warning) = missing.as_ref().filter(|_| options.strict != Strict::Off) {
        let error = Diagnostic { severity: Severity::Error, ..warning.clone() };
        return Err(Error::refused(vec![error], &source.text));
    }
    let mut parsed = parse_counting(source, special_names(vocabulary, options), options)?;
    parsed.warnings.extend(missing);
    Ok(parsed)
}

/// A warning if the vocabulary lacks special tokens that the models of the family have: it is that of other models.
fn missing_marks(source: &Source, vocabulary: &Vocabulary, options: &Options) -> Option<Diagnostic> {
    if source.notation != Notation::Tools {
        return None;
    }
    let text = &source.text.text;
    let family = with_stack_for_json(text, || tools::asked(text, &options.tools).family().ok())?;
    let tokens = vocabulary.tokens();
    let has = |mark: &str| {
        tokens.specials().iter().any(|special| special.text == mark)
            || fewest_tokens(mark.as_bytes(), tokens).is_ok_and(|spelled| spelled.len() == 1)
    };
    let missing: Vec<&str> = family.tokens.iter().map(String::as_str).filter(|mark| !has(mark)).collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!(
        "the vocabulary has no token {}, which the models of the family {} have for calls",
        missing.join(", "),
        family.name
    );
    let warning = Diagnostic::warning(Code::UnknownToken, message).at(Location::Pointer(String::new()));
    Some(
        warning
            .help("give the vocabulary of the model, or the family that the model of this vocabulary writes"),
    )
}

/// The special tokens that literals may name.
fn special_names(vocabulary: &Vocabulary, options: &Options) -> SpecialNames {
    vocabulary.special_names().accepted(options.special_tokens)
}

/// Parses a source [without literals](Source::has_literals) into a grammar for whatever vocabulary, as [`parse_for`] does.
///
/// # Errors
/// The text is refused, or a limit of the front end is exceeded.
pub fn parse_for_any(source: &Source, options: &Options) -> Result<Parsed, Error> {
    parse_counting(source, SpecialNames::default(), options)
}

/// Parses a source into a grammar that counts the characters of strings. Where this fails, it is as without counting: the errors, too.
fn parse_counting(source: &Source, names: SpecialNames, options: &Options) -> Result<Parsed, Error> {
    let schema = SchemaOptions { counting: Counting::Except(Vec::new()), ..options.schema.clone() };
    parse_with(source, names.clone(), &Options { schema, ..options.clone() })
        .or_else(|_| parse_with(source, names, options))
}

/// Parses a source into a grammar for a vocabulary whose rules are the written ones: none of them becomes a part of a lexeme, and no characters are counted.
pub(crate) fn parse_as_written(
    source: &Source,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Result<Parsed, Error> {
    let names = special_names(vocabulary, options);
    read(&FrontEnd { names, keeps_rules: true, ..FrontEnd::new(source, options) })
}

fn parse_with(source: &Source, names: SpecialNames, options: &Options) -> Result<Parsed, Error> {
    read(&FrontEnd { names, ..FrontEnd::new(source, options) })
}

fn read(front_end: &FrontEnd<'_>) -> Result<Parsed, Error> {
    match front_end.source.notation {
        Notation::JsonSchema | Notation::Tools => {
            with_stack_for_json(front_end.text(), || read_here(front_end))
        }
        _ => with_stack(front_end.text(), || read_here(front_end)),
    }
}

fn read_here(front_end: &FrontEnd<'_>) -> Result<Parsed, Error> {
    let FrontEnd { source, options, .. } = *front_end;
    let parsed = match source.notation {
        Notation::Lark => front_end.lark(),
        Notation::Gbnf => front_end.bnf(bnf::Dialect::Gbnf),
        Notation::Ebnf => front_end.bnf(bnf::Dialect::XGrammar),
        Notation::W3c => front_end.parsed(w3c::parse(front_end.text(), &front_end.grammar_options())),
        Notation::Abnf => front_end.parsed(abnf::parse(front_end.text(), &front_end.grammar_options())),
        Notation::TreeSitter => front_end.tree_sitter(),
        Notation::Antlr => front_end.antlr(),
        Notation::Regex => front_end.regex(),
        Notation::Choices => front_end.choices(),
        Notation::StructuralTag | Notation::Tools => front_end.structural_tag(),
        _ => front_end.json_schema(),
    };
    let budget = &front_end.limits.budget;
    if let Some(over) = budget.exceeded() {
        return Err(front_end.over_budget(over, parsed.err()));
    }
    let mut parsed = Parsed { work: budget.spent().0, ..parsed? };
    let names = &front_end.names;
    if parsed
        .grammar
        .terminals
        .iter()
        .any(|terminal| matches!(terminal.pattern.without_role(), Pattern::Counted(..)))
    {
        let input = Input { source: source.clone(), names: names.clone(), options: options.clone() };
        parsed.counted = Some(Arc::new(input));
    }
    match strict::refusals(&parsed.report, options) {
        refusals if refusals.is_empty() => Ok(parsed),
        refusals => Err(front_end.refused(refusals)),
    }
}

/// The limits of a front end: a budget for the whole, and the bounds of one automaton.
fn front_end_limits(source: &Source, options: &Options) -> RegularLimits {
    let limits = options.limits.over(source.default_limits());
    RegularLimits::within(&Budget::new(limits).stage("parse"))
}

/// What becomes of every keyword of the schemas in a source that is refused only because some keywords cannot be enforced, or because it
/// is narrowed; empty for other inputs.
#[must_use]
pub fn coverage_of_refused(source: &Source, options: &Options) -> Vec<ReportEntry> {
    let schema = SchemaOptions { unenforced: Unenforced::Allow, ..options.schema.clone() };
    let options = Options { schema, ..options.clone() };
    let front_end = FrontEnd::new(source, &options);
    let report = with_stack(&source.text.text, || match source.notation {
        Notation::Lark => front_end.read_lark(&front_end.lark_sources()).map(|parsed| parsed.report),
        Notation::StructuralTag | Notation::Tools => {
            front_end.read_structural_tag(&front_end.lark_sources()).map(|parsed| parsed.report)
        }
        Notation::JsonSchema => front_end.read_json_schema().map(|compiled| compiled.report),
        _ => Ok(json_schema::Report::default()),
    });
    report.map_or_else(|_| Vec::new(), |report| report_entries(&report.refused()))
}

struct FrontEnd<'a> {
    source: &'a Source,
    options: &'a Options,
    limits: RegularLimits,
    /// The special tokens that literals may name.
    names: SpecialNames,
    /// Whether the rules stay as they are written.
    keeps_rules: bool,
}

impl<'a> FrontEnd<'a> {
    /// The front end without a vocabulary.
    fn new(source: &'a Source, options: &'a Options) -> Self {
        Self {
            source,
            options,
            limits: front_end_limits(source, options),
            names: SpecialNames::default(),
            keeps_rules: false,
        }
    }
}

impl FrontEnd<'_> {
    fn lark(&self) -> Result<Parsed, Error> {
        let sources = self.lark_sources();
        let parsed = self.read_lark(&sources)?;
        let mut inputs = self.inputs();
        inputs.source.imports = sources.imports.into_inner();
        if parsed.has_schemas {
            inputs.options.extend(named(&self.options.schema));
            inputs.source.imports.extend(self.resources());
        }
        let imported_files = sources.files.into_inner();
        Ok(Parsed { imported_files, ..self.embedding(parsed, inputs) })
    }

    fn lark_sources(&self) -> Recording {
        let search = self.options.import_folders.clone();
        let folder = self.source.folder.clone();
        let directories = folder.map(|base| lark::Directories { base, search });
        Recording {
            sources: WithBundled(Files { stored: self.source.imports.clone(), directories }),
            imports: RefCell::default(),
            files: RefCell::default(),
        }
    }

    fn read_lark(&self, sources: &Recording) -> Result<gcc_grammar_notations::Parsed, Error> {
        let (start, json) = (self.start(), Some(&self.options.schema));
        let (limits, names) = (self.limits.clone(), self.names.clone());
        let (lexer, indenter) = (self.options.lexer, self.options.indenter.clone());
        let options = lark::Options {
            start,
            sources,
            limits,
            json,
            names,
            lexer,
            indenter,
            keeps_rules: self.keeps_rules,
            ..Default::default()
        };
        lark::parse_with(self.text(), &options).map_err(|errors| self.refused(errors))
    }

    fn bnf(&self, dialect: bnf::Dialect) -> Result<Parsed, Error> {
        let root = self.start();
        let (limits, names) = (self.limits.clone(), self.names.clone());
        let leaves_out = self.options.schema.unenforced == Unenforced::Allow;
        let keeps_rules = self.keeps_rules;
        let options = bnf::Options { root, dialect, limits, names, leaves_out, keeps_rules };
        self.parsed(bnf::parse(self.text(), &options))
    }

    fn grammar_options(&self) -> GrammarOptions<'_> {
        let start = self.options.start.as_deref();
        let keeps_rules = self.keeps_rules;
        GrammarOptions { start, limits: self.limits.clone(), names: self.names.clone(), keeps_rules }
    }

    fn tree_sitter(&self) -> Result<Parsed, Error> {
        let parsed = tree_sitter::parse(self.text(), &self.grammar_options());
        Ok(self.embedding(parsed.map_err(|errors| self.refused(errors))?, self.inputs()))
    }

    fn antlr(&self) -> Result<Parsed, Error> {
        let files = AntlrFiles {
            folders: self.source.folder.iter().chain(&self.options.import_folders).cloned().collect(),
            stored: self.source.imports.clone(),
            may_read: self.source.folder.is_some(),
            imports: RefCell::default(),
            files: RefCell::default(),
        };
        let parsed = antlr::parse(self.text(), &files, &self.grammar_options());
        let parsed = parsed.map_err(|errors| self.refused(errors))?;
        let mut inputs = self.inputs();
        inputs.source.imports = files.imports.into_inner();
        Ok(Parsed { imported_files: files.files.into_inner(), ..self.embedding(parsed, inputs) })
    }

    fn regex(&self) -> Result<Parsed, Error> {
        self.parsed(regex::parse(self.text(), PatternFlags::default(), &self.limits))
    }

    fn choices(&self) -> Result<Parsed, Error> {
        self.parsed(match &self.source.choices {
            Some(texts) => choices::of(texts.iter().map(String::as_str), &self.names, &self.limits.budget),
            None => choices::of_lines(self.text(), &self.names, &self.limits.budget),
        })
    }

    fn structural_tag(&self) -> Result<Parsed, Error> {
        let sources = self.lark_sources();
        let parsed = self.read_structural_tag(&sources)?;
        let mut inputs = self.inputs();
        inputs.source.imports.extend(sources.imports.into_inner());
        let imported_files = sources.files.into_inner();
        Ok(Parsed { imported_files, ..self.embedding(parsed, inputs) })
    }

    fn read_structural_tag(&self, sources: &Recording) -> Result<gcc_grammar_notations::Parsed, Error> {
        let json = self.options.schema.clone();
        let options =
            structural_tag::Options { json, limits: self.limits.clone(), sources, names: self.names.clone() };
        let parsed = match self.source.notation {
            Notation::Tools => tools::parse(self.text(), &self.options.tools, &options),
            _ => structural_tag::parse(self.text(), &options),
        };
        parsed.map_err(|errors| self.refused(errors))
    }

    fn read_json_schema(&self) -> Result<json_schema::Compiled, Error> {
        if let Some(foreign) = foreign::of_json(self.text()) {
            return Err(self.refused(vec![foreign::refused(foreign)]));
        }
        json_schema::compile_within(self.text(), &self.options.schema, &self.limits.budget)
            .map_err(|errors| self.refused(errors))
    }

    fn json_schema(&self) -> Result<Parsed, Error> {
        let compiled = self.read_json_schema()?;
        let report = report_entries(&compiled.report);
        Ok(self.made(compiled.grammar, compiled.warnings, report, self.inputs()))
    }

    fn text(&self) -> &str {
        &self.source.text.text
    }

    /// The rule that derives whole texts.
    fn start(&self) -> &str {
        let default = self.source.notation.default_start().unwrap_or("start");
        self.options.start.as_deref().unwrap_or(default)
    }

    /// The error that the budget is spent, at the place of the first error that the front end gives.
    fn over_budget(&self, over: &OverBudget, mut error: Option<Error>) -> Error {
        let is_unenforceable = |error: &Error| error.diagnostics()[0].code == Code::Unenforceable;
        if let Some(error) = error.take_if(|error| is_unenforceable(error)) {
            return error;
        }
        let location = error.and_then(|error| error.diagnostics().first()?.location.clone());
        self.refused(vec![Diagnostic { location, ..over.clone().into() }])
    }

    fn refused(&self, diagnostics: Vec<Diagnostic>) -> Error {
        Error::refused(diagnostics, &self.source.text)
    }

    /// A grammar with the coverage of the schemas that are embedded in it.
    fn embedding(&self, parsed: gcc_grammar_notations::Parsed, inputs: Inputs) -> Parsed {
        self.made(parsed.grammar, parsed.warnings, report_entries(&parsed.report), inputs)
    }

    fn made(
        &self,
        grammar: Grammar,
        warnings: Vec<Diagnostic>,
        report: Vec<ReportEntry>,
        Inputs { source, options }: Inputs,
    ) -> Parsed {
        Parsed {
            grammar,
            warnings,
            report,
            source,
            text: self.source.text.clone(),
            options,
            notation: self.source.notation,
            imported_files: Vec::new(),
            work: 0,
            counted: None,
        }
    }

    fn parsed(&self, parsed: Result<gcc_grammar_ir::Parsed, Vec<Diagnostic>>) -> Result<Parsed, Error> {
        let parsed = parsed.map_err(|diagnostics| self.refused(diagnostics))?;
        Ok(self.made(parsed.grammar, parsed.warnings, Vec::new(), self.inputs()))
    }

    /// The documents that references of schemas may lead to.
    fn resources(&self) -> Vec<Import> {
        let resources = self.options.schema.resources.iter();
        resources.map(|(name, text)| Import { name: name.clone(), text: text.clone() }).collect()
    }

    /// What the grammar is made from, as the artifact stores it. Which files it imports, and whether a Lark grammar has schemas, is known
    /// only when it has been read.
    fn inputs(&self) -> Inputs {
        let mut inputs = self.inputs_of_notation();
        inputs.options.push(("budgets".to_owned(), self.options.budgets.to_string()));
        inputs.options.extend(self.special_tokens());
        inputs
    }

    /// The option for special tokens, if it is not the default and the notation has literals.
    fn special_tokens(&self) -> Option<(String, String)> {
        let option = self.options.special_tokens;
        (self.source.has_literals() && option != SpecialTokens::default())
            .then(|| ("special-tokens".to_owned(), option.to_string()))
    }

    fn inputs_of_notation(&self) -> Inputs {
        match self.source.notation {
            Notation::Gbnf | Notation::Ebnf => self.with_start(),
            Notation::W3c | Notation::Abnf | Notation::Antlr | Notation::TreeSitter => {
                let start = self.options.start.iter().map(|start| ("start".to_owned(), start.clone()));
                Inputs { options: start.collect(), ..self.without_options() }
            }
            Notation::Lark => {
                let inputs = self.with_start();
                Inputs { options: inputs.options.into_iter().chain(self.lexing()).collect(), ..inputs }
            }
            Notation::Regex => self.without_options(),
            Notation::Choices => Inputs { options: self.choice_lengths(), ..self.without_options() },
            Notation::Tools => {
                let inputs = self.with_schemas();
                Inputs { options: inputs.options.into_iter().chain(self.calls()).collect(), ..inputs }
            }
            _ => self.with_schemas(),
        }
    }

    /// The options for the lexemes of Lark that are not the default.
    fn lexing(&self) -> Vec<(String, String)> {
        let Options { lexer, indenter, .. } = self.options;
        let lexer = (*lexer != Lexer::default()).then(|| ("lexer".to_owned(), lexer.to_string()));
        let indenter =
            (*indenter != Indenter::default()).then(|| ("indenter".to_owned(), indenter.to_string()));
        lexer.into_iter().chain(indenter).collect()
    }

    /// The lengths of the choices in bytes, if the lines of the text are not the choices.
    fn choice_lengths(&self) -> Vec<(String, String)> {
        let text = self.text();
        match &self.source.choices {
            Some(choices) if text.starts_with('\u{FEFF}') || !text.lines().eq(choices) => {
                let lengths: Vec<String> = choices.iter().map(|choice| choice.len().to_string()).collect();
                vec![("choice-lengths".to_owned(), lengths.join(" "))]
            }
            _ => Vec::new(),
        }
    }

    fn without_options(&self) -> Inputs {
        let (format, text) = (self.source.notation.as_str().to_owned(), self.source.text.text.clone());
        Inputs { source: metadata::Source { format, text, imports: Vec::new() }, options: Vec::new() }
    }

    fn with_schemas(&self) -> Inputs {
        Inputs {
            source: metadata::Source { imports: self.resources(), ..self.without_options().source },
            options: named(&self.options.schema),
        }
    }

    /// Which calls of tools there may be. A family has one name here, whatever the model is called.
    fn calls(&self) -> Vec<(String, String)> {
        let asked = tools::asked(self.text(), &self.options.tools);
        // A family that the caller describes is its description.
        let model = match asked.family() {
            Ok(Cow::Borrowed(family)) => family.name.clone(),
            _ => asked.model.clone().unwrap_or_default(),
        };
        let ToolOptions { choice, parallel, thinking, .. } = asked;
        let named = [
            ("model", model),
            ("tool-choice", choice.to_string()),
            ("parallel", parallel.to_string()),
            ("thinking", thinking.to_string()),
        ];
        named.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn with_start(&self) -> Inputs {
        let start = ("start".to_owned(), self.start().to_owned());
        Inputs { options: vec![start], ..self.without_options() }
    }
}

/// A source with all that it imports, and the options that change the language, by name.
pub(crate) struct Inputs {
    pub(crate) source: metadata::Source,
    pub(crate) options: Vec<(String, String)>,
}

/// What a grammar is made from. Lark grammars and structural tags are parsed for this, since they may import others. With strict options everything is: what was compiled without them may be
/// found by its key, and must be refused all the same.
pub(crate) fn inputs(source: &Source, options: &Options) -> Result<Inputs, Error> {
    if matches!(source.notation, Notation::Lark | Notation::Antlr | Notation::StructuralTag)
        || options.strict != Strict::Off
    {
        let Parsed { source, options, .. } = parse_with(source, SpecialNames::default(), options)?;
        return Ok(Inputs { source, options });
    }
    Ok(FrontEnd::new(source, options).inputs())
}

/// The options of schemas by name, as they are given on the command line.
fn named(options: &SchemaOptions) -> Vec<(String, String)> {
    let named = [
        ("whitespace", Some(options.whitespace.to_string())),
        ("strings", Some(options.strings.to_string())),
        ("integer-spelling", Some(options.integer_spelling.to_string())),
        ("number-digits", options.number_digits.map(|digits| digits.to_string())),
        ("property-order", Some(options.property_order.to_string())),
        ("profile", options.profile.map(|profile| profile.to_string())),
        ("formats", Some(options.formats.to_string())),
        ("unenforced", Some(options.unenforced.to_string())),
        ("draft", options.draft.map(|draft| draft.to_string())),
        ("integer-with-point", options.integer_with_point.map(|value| value.to_string())),
    ];
    let given = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let resources = options.resources.iter().map(|(uri, _)| ("resource".to_owned(), uri.clone()));
    // Where keywords that are too large may be left out, the bounds of one automaton change the language.
    let json_schema::Limits { max_depth, max_automaton_states, max_automaton_steps, max_key_transitions } =
        options.limits;
    let keys = max_key_transitions.map(|most| format!(" {most}")).unwrap_or_default();
    let bounds = format!("{max_depth} {max_automaton_states} {max_automaton_steps}{keys}");
    let is_default = options.limits == json_schema::Limits::default();
    let bounds = (!is_default).then(|| ("bounds".to_owned(), bounds));
    given.chain(resources).chain(bounds).collect()
}

fn report_entries(report: &json_schema::Report) -> Vec<ReportEntry> {
    let entry = |entry: &json_schema::Entry| ReportEntry {
        pointer: entry.pointer.clone(),
        coverage: entry.coverage.as_str().to_owned(),
        kind: entry.coverage.narrowing().map(|kind| kind.to_string()).unwrap_or_default(),
        note: entry.coverage.note().into_owned(),
    };
    report.entries.iter().map(entry).collect()
}

/// The files that a source may import.
struct Files {
    /// Files by the names of imports.
    stored: Vec<Import>,
    /// Where others are looked for, if they may be imported.
    directories: Option<lark::Directories>,
}

impl lark::Sources for Files {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<lark::Source, String> {
        let wanted = path.join(".");
        if let Some(Import { name, text }) = self.stored.iter().find(|import| import.name == wanted) {
            return Ok(lark::Source { name: name.clone(), text: text.clone() });
        }
        match &self.directories {
            Some(directories) => directories.find(importer, relative, path),
            None => lark::BuiltIn.find(importer, relative, path),
        }
    }
}

/// Finds imported grammars of ANTLR, and records them.
struct AntlrFiles {
    stored: Vec<Import>,
    folders: Vec<PathBuf>,
    may_read: bool,
    imports: RefCell<Vec<Import>>,
    files: RefCell<Vec<PathBuf>>,
}

impl antlr::Files for AntlrFiles {
    fn find(&self, name: &str) -> Result<lark::Source, String> {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if let Some(Import { text, .. }) = self.stored.iter().find(|import| import.name == name) {
            return Ok(lark::Source { name: name.to_owned(), text: text.clone() });
        }
        let missing = || format!("there is no file {name}.g4");
        if !self.may_read || !is_name {
            return Err(missing());
        }
        let path =
            self.folders.iter().map(|folder| folder.join(format!("{name}.g4"))).find(|path| path.is_file());
        let path = path.ok_or_else(missing)?;
        let text = read_source(&path).map_err(|error| error.to_string())?.text;
        self.imports.borrow_mut().push(Import { name: name.to_owned(), text: text.clone() });
        self.files.borrow_mut().push(path.clone());
        Ok(lark::Source { name: path.display().to_string(), text })
    }
}

/// Finds imported files, and records them.
struct Recording {
    sources: WithBundled<Files>,
    imports: RefCell<Vec<Import>>,
    files: RefCell<Vec<PathBuf>>,
}

impl lark::Sources for Recording {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<lark::Source, String> {
        let source = self.sources.find(importer, relative, path)?;
        let import = Import { name: path.join("."), text: source.text.clone() };
        let mut imports = self.imports.borrow_mut();
        if !imports.contains(&import) {
            imports.push(import);
        }
        self.files.borrow_mut().push(PathBuf::from(&source.name));
        Ok(source)
    }
}
