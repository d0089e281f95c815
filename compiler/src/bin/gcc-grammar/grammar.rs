//! Arguments and files of the front ends, to a grammar.

use crate::failure::{Exit, Failure, SourceText};
use clap::{Args, ValueEnum};
use gcc_grammar::metadata::{Import, ReportEntry, Source};
use gcc_grammar_frontends::json_schema::{
    self, Coverage, Draft, Formats, PropertyOrder, Strings, Unenforced, Whitespace,
};
use gcc_grammar_frontends::{Diagnostic, Grammar, lark};
use std::cell::RefCell;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longer inputs are refused.
const MAX_INPUT_BYTES: u64 = 1 << 28;

/// What to compile, and what it means.
#[derive(Args)]
pub(crate) struct GrammarArguments {
    /// The schema or grammar; `-` is the standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// What the input is, if its extension does not say
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    lark: LarkArguments,
    #[command(flatten)]
    schema: SchemaArguments,
}

/// Formats of grammars.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Lark,
    JsonSchema,
}

#[derive(Args)]
#[command(next_help_heading = "Lark grammars")]
struct LarkArguments {
    /// The rule that derives whole texts
    #[arg(long, default_value = "start", value_name = "RULE")]
    start: String,
    /// Where else imported files are looked for
    #[arg(long, value_name = "DIR")]
    import_dir: Vec<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "JSON Schema")]
struct SchemaArguments {
    /// White space between JSON tokens: compact, flexible[:N] (as printers write it, indented by up to N) or any
    #[arg(long, default_value = "flexible:64", value_parser = parse_whitespace, value_name = "HOW")]
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
        "any" => Ok(Whitespace::Any),
        "flexible" => Ok(Whitespace::default()),
        _ => match text.strip_prefix("flexible:") {
            Some(max) => Ok(Whitespace::Flexible { max: bound(max)? }),
            None => Err("expected compact, flexible, flexible:N or any".to_owned()),
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
    /// What became of every keyword; empty for Lark.
    pub(crate) report: Vec<ReportEntry>,
    /// The input, for metadata.
    pub(crate) source: Source,
    /// The input, for diagnostics.
    pub(crate) text: SourceText,
    /// Options that change the language.
    pub(crate) options: Vec<(String, String)>,
}

impl GrammarArguments {
    /// Whether the input is the standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.input.as_os_str() == "-"
    }

    /// Reads the input and has its front end parse it.
    pub(crate) fn parse(&self) -> Result<Parsed, Failure> {
        self.format()?;
        self.parse_text(read_source(&self.input)?)
    }

    /// Has the front end parse the input, which is this text.
    pub(crate) fn parse_text(&self, text: SourceText) -> Result<Parsed, Failure> {
        match self.format()? {
            Format::Lark => self.parse_lark(text),
            Format::JsonSchema => self.parse_schema(text),
        }
    }

    fn format(&self) -> Result<Format, Failure> {
        let extension = self.input.extension().and_then(|extension| extension.to_str());
        match (self.format, extension) {
            (Some(format), _) => Ok(format),
            (None, Some("lark")) => Ok(Format::Lark),
            (None, Some("json")) => Ok(Format::JsonSchema),
            (None, _) => Err(Failure::usage(
                &self.input.display().to_string(),
                "the extension does not say what this is",
                "add --format lark or --format json-schema",
            )),
        }
    }

    fn parse_lark(&self, text: SourceText) -> Result<Parsed, Failure> {
        let base = self.input.parent().unwrap_or(Path::new("")).to_owned();
        let directories = lark::Directories { base, search: self.lark.import_dir.clone() };
        let sources = Recording { sources: directories, imports: RefCell::default() };
        let options =
            lark::Options { start: &self.lark.start, sources: &sources, ..lark::Options::default() };
        let parsed = lark::parse_with(&text.text, &options);
        let parsed = parsed.map_err(|diagnostics| Failure::refused(diagnostics, &text))?;
        Ok(Parsed {
            grammar: parsed.grammar,
            warnings: parsed.warnings,
            report: Vec::new(),
            source: self.source("lark", &text, sources.imports.into_inner()),
            text,
            options: vec![("start".to_owned(), self.lark.start.clone())],
        })
    }

    fn parse_schema(&self, text: SourceText) -> Result<Parsed, Failure> {
        let mut imports = Vec::new();
        for (uri, file) in &self.schema.resource {
            imports.push(Import { name: uri.clone(), text: read_source(file)?.text });
        }
        let resources = imports.iter().map(|import| (import.name.clone(), import.text.clone())).collect();
        let compiled = json_schema::compile(&text.text, &self.schema.options(resources));
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
        let name = self.input.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Source { name, format: format.to_owned(), text: text.text.clone(), imports }
    }
}

impl SchemaArguments {
    fn options(&self, resources: Vec<(String, String)>) -> json_schema::Options {
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
    sources: lark::Directories,
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
        let diagnostic = Diagnostic::error("not-utf8", "the text is not valid UTF-8")
            .at(gcc_grammar_frontends::Location::Offset(offset))
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
        let diagnostic = Diagnostic::error("too-large", message);
        return Err(Failure::new(Exit::OverBudget, path.display().to_string(), diagnostic));
    }
    Ok(bytes)
}
