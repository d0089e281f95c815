//! Arguments and files of the front ends, to a grammar.

use crate::commands::grammars;
use crate::failure::{Exit, Failure, SourceText};
use clap::{Args, ValueEnum};
use gcc_grammar::metadata::{Import, ReportEntry, Source};
use gcc_grammar_bundled::{Bundled, WithBundled};
use gcc_grammar_compiler::limits::Limits;
use gcc_grammar_frontends as frontends;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Grammar};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::any_object;
use gcc_grammar_json_schema::{Coverage, Draft, Formats, PropertyOrder, Strings, Unenforced, Whitespace};
use gcc_grammar_notations::{bnf, choices, lark, regex, structural_tag};
use gcc_grammar_regular::{PatternFlags, RegularLimits};
use serde_json::Value;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longer inputs are refused.
const MAX_INPUT_BYTES: u64 = 1 << 28;

/// What to compile, and what it means.
#[derive(Args)]
pub(crate) struct GrammarArguments {
    /// The schema or grammar; `-` is the standard input
    #[arg(value_name = "INPUT", required_unless_present_any = GIVEN)]
    input: Option<PathBuf>,
    /// What the input is, if its extension does not say
    #[arg(long, value_enum, conflicts_with_all = GIVEN)]
    format: Option<Format>,
    #[command(flatten)]
    given: GivenArguments,
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    schema: SchemaArguments,
}

/// Formats of grammars.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Lark (.lark)
    Lark,
    /// JSON Schema (.json)
    JsonSchema,
    /// llama.cpp's notation (.gbnf)
    Gbnf,
    /// XGrammar's notation (.ebnf)
    Ebnf,
    /// A regular expression (.regex)
    Regex,
    /// One text per line (.choices)
    Choices,
    /// Structural tags (.json with "type": "structural_tag")
    StructuralTag,
}

/// File extensions that say what a file is.
const EXTENSIONS: [(&str, Format); 6] = [
    ("lark", Format::Lark),
    ("json", Format::JsonSchema),
    ("gbnf", Format::Gbnf),
    ("ebnf", Format::Ebnf),
    ("regex", Format::Regex),
    ("choices", Format::Choices),
];

/// Arguments that take the place of the input.
const GIVEN: [&str; 4] = ["grammar", "regex", "choice", "json_object"];

#[derive(Args)]
#[command(next_help_heading = "Instead of INPUT")]
struct GivenArguments {
    /// A bundled grammar, see `gcc-grammar grammars list`
    #[arg(long, value_name = "NAME", conflicts_with_all = ["input", "regex", "choice", "json_object"], value_parser = grammars::names())]
    grammar: Option<String>,
    /// A regular expression that the whole text must match
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["input", "choice", "json_object"])]
    regex: Option<String>,
    /// A text to choose; may be given several times
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["input", "json_object"])]
    choice: Vec<String>,
    /// Any JSON object
    #[arg(long, conflicts_with = "input")]
    json_object: bool,
    /// How deep objects and arrays may nest in --json-object
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "regex", "choice"], value_parser = clap::value_parser!(u32).range(1..=64))]
    max_depth: Option<u32>,
}

#[derive(Args)]
#[command(next_help_heading = "Grammars")]
struct RuleArguments {
    /// The rule that derives whole texts; `start` in Lark, `root` in GBNF and EBNF
    #[arg(long, value_name = "RULE")]
    start: Option<String>,
    /// Where else files that a Lark grammar imports are looked for
    #[arg(long, value_name = "DIR")]
    import_dir: Vec<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "JSON Schema")]
struct SchemaArguments {
    /// White space between JSON tokens: compact, spaced (one after each comma and colon), flexible[:N] (as printers
    /// write it, indented by up to N) or any
    #[arg(long, default_value = "flexible:32", value_parser = parse_whitespace, value_name = "HOW")]
    whitespace: Whitespace,
    /// Spellings of strings: every one that JSON has, or one per character
    #[arg(long, value_enum, default_value_t = StringsArgument::All)]
    strings: StringsArgument,
    /// Order of keys: as declared, or any (for objects with few keys)
    #[arg(long, value_enum, default_value_t = OrderArgument::Declared)]
    property_order: OrderArgument,
    /// Whether `format` restricts values
    #[arg(long, value_enum, default_value_t = FormatsArgument::Assert)]
    formats: FormatsArgument,
    /// What happens with keywords that cannot be enforced
    #[arg(long, value_enum, default_value_t = UnenforcedArgument::Refuse)]
    unenforced: UnenforcedArgument,
    /// The draft, if not the one that `$schema` names
    #[arg(long, value_enum)]
    draft: Option<DraftArgument>,
    /// Whether 1.0 is an integer, if not as the draft says
    #[arg(long, value_name = "BOOL")]
    integer_with_point: Option<bool>,
    /// A document that `$ref` may lead to
    #[arg(long, value_name = "URI=FILE", value_parser = parse_resource)]
    resource: Vec<(String, PathBuf)>,
}

/// Declares an argument with the values of an option of a front end.
macro_rules! mirror {
    ($argument:ident is $option:ty { $($(#[$meta:meta])* $argument_value:ident => $value:path),+ $(,)? }) => {
        #[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
        enum $argument { $($(#[$meta])* $argument_value),+ }

        impl From<$argument> for $option {
            fn from(argument: $argument) -> Self {
                match argument { $($argument::$argument_value => $value),+ }
            }
        }
    };
}

mirror!(StringsArgument is Strings { All => Strings::All, Canonical => Strings::Canonical });
mirror!(OrderArgument is PropertyOrder { Declared => PropertyOrder::Declared, Any => PropertyOrder::Any });
mirror!(FormatsArgument is Formats { Assert => Formats::Assert, Annotate => Formats::Annotate });
mirror!(UnenforcedArgument is Unenforced { Refuse => Unenforced::Refuse, Allow => Unenforced::Allow });
mirror!(DraftArgument is Draft {
    #[value(name = "4")]
    Draft4 => Draft::Draft4,
    #[value(name = "openapi-3.0")]
    OpenApi30 => Draft::OpenApi30,
    #[value(name = "6")]
    Draft6 => Draft::Draft6,
    #[value(name = "7")]
    Draft7 => Draft::Draft7,
    #[value(name = "2019-09")]
    Draft2019 => Draft::Draft2019,
    #[value(name = "2020-12")]
    Draft2020 => Draft::Draft2020,
});

fn parse_whitespace(text: &str) -> Result<Whitespace, String> {
    let bound = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number"));
    match text {
        "compact" => Ok(Whitespace::Compact),
        "spaced" => Ok(Whitespace::Spaced),
        "any" => Ok(Whitespace::Any),
        "flexible" => Ok(Whitespace::default()),
        _ => match text.strip_prefix("flexible:") {
            Some(max) => Ok(Whitespace::Flexible { max: bound(max)? }),
            None => Err("expected compact, spaced, flexible, flexible:N or any".to_owned()),
        },
    }
}

fn parse_resource(text: &str) -> Result<(String, PathBuf), String> {
    let (uri, file) = text.rsplit_once('=').ok_or("expected URI=FILE")?;
    Ok((uri.to_owned(), PathBuf::from(file)))
}

/// What a front end made of its input.
pub(crate) struct Parsed {
    pub(crate) grammar: Grammar,
    pub(crate) warnings: Vec<Diagnostic>,
    /// What became of every keyword of a schema.
    pub(crate) report: Vec<ReportEntry>,
    /// The input, for metadata.
    pub(crate) source: Source,
    /// The input, for diagnostics.
    pub(crate) text: SourceText,
    /// Options that change the language.
    pub(crate) options: Vec<(String, String)>,
}

impl Parsed {
    /// Whether the grammar was made of a schema.
    pub(crate) fn is_schema(&self) -> bool {
        self.source.format == "json-schema"
    }

    /// What compiling it may cost if nothing else is said.
    pub(crate) fn limits(&self) -> Limits {
        match self.source.format.as_str() {
            "choices" => Limits::of_choices(self.text.text.len() as u64),
            _ => Limits::default(),
        }
    }
}

impl GrammarArguments {
    /// Whether the input is the standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.input.as_ref().is_some_and(|input| input.as_os_str() == "-")
    }

    /// The stem of the input's name, if it is a file or a bundled grammar.
    pub(crate) fn stem(&self) -> Option<&OsStr> {
        if let Some(name) = &self.given.grammar {
            return Some(OsStr::new(name));
        }
        self.input.as_deref().filter(|_| !self.is_stdin()).and_then(Path::file_stem)
    }

    /// Reads the input.
    pub(crate) fn read(&self) -> Result<SourceText, Failure> {
        let given = &self.given;
        if let Some(input) = &self.input {
            self.format(input)?;
            return read_source(input);
        }
        if let Some(bundled) = self.given.bundled() {
            return Ok(SourceText { name: format!("{}.lark", bundled.name), text: bundled.text.to_owned() });
        }
        Ok(match &given.regex {
            Some(pattern) => SourceText { name: "--regex".to_owned(), text: pattern.clone() },
            None if given.json_object => {
                SourceText { name: "--json-object".to_owned(), text: json_object::schema(given.max_depth) }
            }
            None => SourceText { name: "--choice".to_owned(), text: given.choice.join("\n") },
        })
    }

    /// Reads the input and has its front end parse it.
    pub(crate) fn parse(&self) -> Result<Parsed, Failure> {
        self.parse_text(self.read()?)
    }

    /// Has the front end parse the input, which is this text.
    pub(crate) fn parse_text(&self, text: SourceText) -> Result<Parsed, Failure> {
        let Some(input) = &self.input else {
            return match &self.given {
                given if given.json_object => self.parse_schema(text),
                GivenArguments { grammar: Some(_), .. } => self.parse_lark(Path::new(""), text),
                GivenArguments { regex: Some(_), .. } => self.parse_regex(text),
                GivenArguments { choice, .. } => {
                    let parsed = choices::of(choice.iter().map(String::as_str));
                    self.parsed("choices", text, parsed)
                }
            };
        };
        match self.format(input)? {
            Format::Lark => self.parse_lark(input, text),
            Format::JsonSchema if self.format.is_none() && is_structural_tag(&text.text) => {
                self.parse_structural_tag(text)
            }
            Format::JsonSchema => self.parse_schema(text),
            Format::Gbnf => self.parse_bnf(bnf::Dialect::Gbnf, text),
            Format::Ebnf => self.parse_bnf(bnf::Dialect::XGrammar, text),
            Format::Regex => self.parse_regex(without_line_break(text)),
            Format::Choices => {
                let parsed = choices::of_lines(&text.text);
                self.parsed("choices", text, parsed)
            }
            Format::StructuralTag => self.parse_structural_tag(text),
        }
    }

    /// What becomes of every keyword of a schema that was refused because of some; nothing for other inputs.
    pub(crate) fn coverage_of_refused(&self, text: &SourceText) -> Vec<ReportEntry> {
        let format = self.input.as_deref().and_then(|input| self.format(input).ok());
        let Some(Format::JsonSchema) = format else { return Vec::new() };
        let Ok(imports) = self.schema.resources() else { return Vec::new() };
        let report = json_schema::coverage_of_refused(&text.text, &self.schema.options(&imports));
        report.map_or_else(Vec::new, |report| report.entries.iter().map(report_entry).collect())
    }

    fn format(&self, input: &Path) -> Result<Format, Failure> {
        let extension = input.extension().and_then(OsStr::to_str);
        let known = EXTENSIONS.iter().find(|(known, _)| extension == Some(*known));
        self.format.or(known.map(|&(_, format)| format)).ok_or_else(|| {
            let formats: Vec<String> = Format::value_variants().iter().copied().map(value_name).collect();
            Failure::usage(
                &input.display().to_string(),
                "the extension does not say what this is",
                &format!("add --format with one of {}", formats.join(", ")),
            )
        })
    }

    fn parse_lark(&self, input: &Path, text: SourceText) -> Result<Parsed, Failure> {
        let base = input.parent().unwrap_or(Path::new("")).to_owned();
        let directories = lark::Directories { base, search: self.rules.import_dir.clone() };
        let sources = Recording { sources: WithBundled(directories), imports: RefCell::default() };
        let start = self.rules.start.as_deref().unwrap_or("start");
        let options = lark::Options { start, sources: &sources, ..lark::Options::default() };
        let parsed = self.parsed("lark", text.clone(), lark::parse_with(&text.text, &options))?;
        let source = self.source("lark", &text, sources.imports.into_inner());
        Ok(Parsed { source, options: vec![("start".to_owned(), start.to_owned())], ..parsed })
    }

    fn parse_bnf(&self, dialect: bnf::Dialect, text: SourceText) -> Result<Parsed, Failure> {
        let root = self.rules.start.as_deref().unwrap_or("root");
        let parsed = bnf::parse(&text.text, &bnf::Options { root, ..bnf::Options::new(dialect) });
        let name = if dialect == bnf::Dialect::Gbnf { "gbnf" } else { "ebnf" };
        let parsed = self.parsed(name, text, parsed)?;
        Ok(Parsed { options: vec![("start".to_owned(), root.to_owned())], ..parsed })
    }

    fn parse_regex(&self, text: SourceText) -> Result<Parsed, Failure> {
        let parsed = regex::parse(&text.text, PatternFlags::default(), &RegularLimits::default());
        self.parsed("regex", text, parsed)
    }

    fn parse_structural_tag(&self, text: SourceText) -> Result<Parsed, Failure> {
        let imports = self.schema.resources()?;
        let json = self.schema.options(&imports);
        let options = structural_tag::Options { json, limits: RegularLimits::default() };
        let parsed = structural_tag::parse(&text.text, &options);
        let parsed = self.parsed("structural-tag", text, parsed)?;
        let source = self.source("structural-tag", &parsed.text, imports);
        Ok(Parsed { source, options: self.schema.named(), ..parsed })
    }

    fn parsed(
        &self,
        format: &str,
        text: SourceText,
        parsed: Result<frontends::Parsed, Vec<Diagnostic>>,
    ) -> Result<Parsed, Failure> {
        let parsed = parsed.map_err(|diagnostics| Failure::refused(diagnostics, &text))?;
        let source = self.source(format, &text, Vec::new());
        let (report, options) = Default::default();
        Ok(Parsed { grammar: parsed.grammar, warnings: parsed.warnings, report, source, text, options })
    }

    fn parse_schema(&self, text: SourceText) -> Result<Parsed, Failure> {
        let imports = self.schema.resources()?;
        let compiled = json_schema::compile(&text.text, &self.schema.options(&imports));
        let compiled = compiled.map_err(|diagnostics| Failure::refused(diagnostics, &text))?;
        Ok(Parsed {
            grammar: compiled.grammar,
            warnings: compiled.warnings,
            report: compiled.report.entries.iter().map(report_entry).collect(),
            source: self.source("json-schema", &text, imports),
            text,
            options: self.schema.named(),
        })
    }

    fn source(&self, format: &str, text: &SourceText, imports: Vec<Import>) -> Source {
        let file = self.input.as_deref().map(|input| input.file_name().unwrap_or_default());
        let name = file.map_or_else(|| text.name.clone(), |name| name.to_string_lossy().into_owned());
        Source { name, format: format.to_owned(), text: text.text.clone(), imports }
    }
}

impl GivenArguments {
    fn bundled(&self) -> Option<&'static Bundled> {
        gcc_grammar_bundled::find(self.grammar.as_deref()?)
    }
}

/// Whether a JSON text describes structural tags. No JSON Schema has such a type.
fn is_structural_tag(text: &str) -> bool {
    text.contains("structural_tag")
        && serde_json::from_str::<Value>(text).is_ok_and(|value| value["type"] == "structural_tag")
}

/// Without the line break at the end of a file, which is no part of a regular expression.
fn without_line_break(mut text: SourceText) -> SourceText {
    let length = text.text.trim_end_matches(['\n', '\r']).len();
    text.text.truncate(length);
    text
}

impl SchemaArguments {
    /// The documents that references may lead to.
    fn resources(&self) -> Result<Vec<Import>, Failure> {
        let read =
            |(uri, file): &(String, PathBuf)| Ok(Import { name: uri.clone(), text: read_source(file)?.text });
        self.resource.iter().map(read).collect()
    }

    fn options(&self, resources: &[Import]) -> json_schema::Options {
        let resources = resources.iter().map(|import| (import.name.clone(), import.text.clone())).collect();
        json_schema::Options {
            draft: self.draft.map(Draft::from),
            whitespace: self.whitespace,
            strings: self.strings.into(),
            property_order: self.property_order.into(),
            formats: self.formats.into(),
            unenforced: self.unenforced.into(),
            integer_with_point: self.integer_with_point,
            resources,
            ..json_schema::Options::default()
        }
    }

    /// The options by name, as they are given on the command line.
    fn named(&self) -> Vec<(String, String)> {
        let whitespace = match self.whitespace {
            Whitespace::Compact => "compact".to_owned(),
            Whitespace::Spaced => "spaced".to_owned(),
            Whitespace::Flexible { max } => format!("flexible:{max}"),
            Whitespace::Any => "any".to_owned(),
        };
        let named = [
            ("whitespace", Some(whitespace)),
            ("strings", Some(value_name(self.strings))),
            ("property-order", Some(value_name(self.property_order))),
            ("formats", Some(value_name(self.formats))),
            ("unenforced", Some(value_name(self.unenforced))),
            ("draft", self.draft.map(value_name)),
            ("integer-with-point", self.integer_with_point.map(|value| value.to_string())),
        ];
        let given = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let resources = self.resource.iter().map(|(uri, _)| ("resource".to_owned(), uri.clone()));
        given.chain(resources).collect()
    }
}

fn value_name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn report_entry(entry: &json_schema::Entry) -> ReportEntry {
    let (coverage, note) = match &entry.coverage {
        Coverage::Enforced => ("enforced", String::new()),
        Coverage::Superset { why, admits } => ("superset", format!("{why}; also admits {admits}")),
        Coverage::Annotation => ("annotation", String::new()),
        Coverage::Refused { why, help } => ("refused", format!("{why}; {help}")),
    };
    ReportEntry { pointer: entry.pointer.clone(), coverage: coverage.to_owned(), note }
}

/// Finds imported files, and remembers them.
struct Recording {
    sources: WithBundled<lark::Directories>,
    imports: RefCell<Vec<Import>>,
}

impl lark::Sources for Recording {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<lark::Source, String> {
        let source = self.sources.find(importer, relative, path)?;
        let import = Import { name: path.join("."), text: source.text.clone() };
        let mut imports = self.imports.borrow_mut();
        if !imports.contains(&import) {
            imports.push(import);
        }
        Ok(source)
    }
}

/// Reads a text file, or the standard input for `-`.
pub(crate) fn read_source(path: &Path) -> Result<SourceText, Failure> {
    let bytes = read_bytes(path)?;
    let name = if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() };
    String::from_utf8(bytes).map(|text| SourceText { name: name.clone(), text }).map_err(|error| {
        let offset = error.utf8_error().valid_up_to() as u64;
        let diagnostic = Diagnostic::error(Code::NotUtf8, "the text is not valid UTF-8")
            .at(gcc_grammar_ir::Location::Offset(offset))
            .help("save it as UTF-8");
        Failure::new(Exit::Refused, name, diagnostic)
    })
}

/// Reads a file, or the standard input for `-`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = |reader: &mut dyn Read| {
        let mut bytes = Vec::new();
        reader.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = if path.as_os_str() == "-" {
        read(&mut io::stdin().lock())
    } else {
        fs::File::open(path).and_then(|mut file| read(&mut file))
    };
    let bytes = bytes.map_err(|error| Failure::io(path, "cannot be read", &error))?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        let message = format!("the input is longer than {MAX_INPUT_BYTES} bytes");
        let diagnostic = Diagnostic::error(Code::TooLarge, message);
        return Err(Failure::new(Exit::OverBudget, path.display().to_string(), diagnostic));
    }
    Ok(bytes)
}
