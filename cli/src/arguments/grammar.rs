//! The argument INPUT and its options: the schema or grammar, its notation, and the options of the front ends.

use super::values::{checked, typed, words};
use crate::failure::Failure;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gcc_grammar::json_schema::{
    Draft, Formats, IntegerSpelling, Narrowing, Profile, PropertyOrder, RepeatedKeys, Strings, Unenforced,
    Whitespace,
};
use gcc_grammar::tools::{Chosen, Families, Thinking};
use gcc_grammar::{
    Indenter, Lexer, Notation, Options, Source, SpecialTokens, Strict, TokenBudgets, bundled,
    family_of_model, read_families, read_source,
};
use serde::Serialize;
use std::ffi::OsStr;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

/// The schema or grammar and the options of its front end.
#[derive(Args)]
pub(crate) struct GrammarArguments {
    /// The file of the schema or grammar; `-` is the standard input
    #[arg(value_name = "INPUT", required_unless_present_any = GIVEN)]
    input: Option<PathBuf>,
    /// The notation of the input, if the extension of the file does not tell it
    #[arg(long, value_name = "FORMAT", value_parser = typed::<Notation>(NOTATIONS), conflicts_with_all = GIVEN)]
    format: Option<Notation>,
    #[command(flatten)]
    given: GivenArguments,
    #[command(flatten)]
    front_end: FrontEndArguments,
}

/// The options of the front ends. As JSON, they are those that the library reads, but for what is in files.
#[derive(Args, Serialize)]
pub(crate) struct FrontEndArguments {
    #[command(flatten)]
    #[serde(flatten)]
    tools: ToolArguments,
    #[command(flatten)]
    #[serde(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    #[serde(flatten)]
    schema: SchemaArguments,
}

/// The notation of files.
#[derive(Args)]
pub(crate) struct FormatArguments {
    /// The notation of the input, if the extension of the file does not tell it
    #[arg(long, value_name = "FORMAT", value_parser = typed::<Notation>(NOTATIONS))]
    pub(crate) format: Option<Notation>,
}

/// What the notations are, with their extensions, in their order: for the help text.
const NOTATIONS: &[&str] = &[
    "Lark (.lark)",
    "JSON Schema (.json)",
    "llama.cpp's notation (.gbnf)",
    "XGrammar's notation (.ebnf)",
    "The W3C's notation (.ebnf with what only this notation has)",
    "ABNF (.abnf)",
    "Grammars of ANTLR 4 (.g4)",
    "Grammars of tree-sitter (grammar.json)",
    "A regular expression (.regex)",
    "One text per line (.choices), or one JSON string (.choices.jsonl)",
    "Structural tags (.json with \"type\": \"structural_tag\")",
    "Definitions of tools, as with --tools",
];

/// The arguments that can be given instead of the input.
const GIVEN: [&str; 5] = ["grammar", "regex", "choice", "json_object", "tools"];

#[derive(Args)]
#[command(next_help_heading = "Instead of INPUT")]
struct GivenArguments {
    /// A bundled grammar; `gcc-grammar grammars list` lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["input", "regex", "choice", "json_object", "tools"], value_parser = bundled_names())]
    grammar: Option<String>,
    /// A regular expression that the whole text must match
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["input", "choice", "json_object", "tools"])]
    regex: Option<String>,
    /// An allowed text; may be given several times
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["input", "json_object", "tools"])]
    choice: Vec<String>,
    /// Any JSON object
    #[arg(long, conflicts_with_all = ["input", "tools", "profile"])]
    json_object: bool,
    /// The greatest number of levels to which objects and arrays nest in --json-object
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "regex", "choice"], value_parser = clap::value_parser!(u32).range(1..=64))]
    max_depth: Option<u32>,
    /// The definitions of tools that --model calls, as OpenAI, Anthropic, Google, Amazon or the Model Context Protocol describe them, or a whole request
    /// with them; `-` is the standard input
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    tools: Option<PathBuf>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Tools")]
struct ToolArguments {
    /// The model that calls the tools, or its family, such as Qwen/Qwen3-8B or harmony; or its chat template: a chat_template.jinja, a
    /// tokenizer_config.json, or the folder of the model; `gcc-grammar tools families` lists the families [default: that of --family, if it is one]
    #[arg(long, value_name = "MODEL")]
    #[serde(skip)]
    model: Option<String>,
    #[command(flatten)]
    #[serde(skip)]
    families: FamilyArguments,
    /// Whether there are calls: auto (text, in which there may be calls), required or any (calls and no other text), none, the name of a tool,
    /// which is called once, several names with commas between them, or the JSON of a request's choice [default: as the request says, else auto]
    #[arg(long, value_name = "CHOICE", value_parser = checked::<Chosen>)]
    tool_choice: Option<String>,
    /// Whether there may be several calls, if the request allows them, too [default: true]
    #[arg(long, value_name = "BOOL")]
    parallel: Option<bool>,
    /// Whether the model thinks first: off, on (the mark at the beginning may be in the prompt), or auto (it may) [default: off]
    #[arg(long, value_name = "HOW", value_parser = words::<Thinking>(&[]))]
    thinking: Option<String>,
    /// The most tokens of a block of thoughts, behind which the mark at its end follows
    #[arg(long, value_name = "TOKENS")]
    thinking_tokens: Option<u32>,
}

/// Families of the user.
#[derive(Args)]
pub(crate) struct FamilyArguments {
    /// A file with the description of a family of models, or a list of them, which may be named as the model; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    family: Vec<PathBuf>,
}

impl FamilyArguments {
    /// The families, in the order of their files.
    pub(crate) fn read(&self) -> Result<Families, Failure> {
        let mut all = Families::default();
        for file in &self.family {
            let twice = |error| Failure::refused(&file.display().to_string(), error);
            all.add(read_families(file)?).map_err(twice)?;
        }
        Ok(all)
    }
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Grammars")]
struct RuleArguments {
    /// The rule that derives whole texts [default: `start` in Lark, `root` in GBNF and EBNF, else the first rule]
    #[arg(long, value_name = "RULE")]
    start: Option<String>,
    /// A further folder for files that a Lark grammar imports; may be given several times
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    import_dir: Vec<PathBuf>,
    /// How text is cut into lexemes in Lark: by longest match among the terminals that the parser can take (contextual) or among all (basic),
    /// or anyhow, as with `dynamic_complete` of Lark's parser `earley` (dynamic)
    #[arg(long, value_name = "LEXER", default_value = "contextual", value_parser = words::<Lexer>(&[]))]
    lexer: String,
    /// How Lark's Indenter is set up, as NAME=VALUE,…: NL_type, INDENT_type, DEDENT_type, OPEN_PAREN_types and CLOSE_PAREN_types (names separated
    /// by `+`), tab_len, unit (columns are multiples of it) and levels (the most columns beside 0) [default: tab_len=8,unit=4,levels=12, and the names of Lark's documentation]
    #[arg(long, value_name = "SETTINGS", value_parser = checked::<Indenter>)]
    indenter: Option<String>,
    /// Where a literal contains the text of a special token: the token as well as its characters (literals), the token alone (only), or the
    /// characters alone (never)
    #[arg(long, value_name = "HOW", default_value = "literals", value_parser = words::<SpecialTokens>(&[]))]
    special_tokens: String,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "JSON Schemas, also those in structural tags and in %json of Lark")]
struct SchemaArguments {
    /// The conventions of another engine, for white space, spellings, patterns, and members that a schema does not name; options that are given
    /// beside it decide before it
    #[arg(long, value_name = "PROFILE", value_parser = words::<Profile>(PROFILES))]
    profile: Option<String>,
    /// The white space between JSON tokens: compact (none), spaced (one space after each comma and colon), single (nothing or one space at each place), flexible or flexible:N (as
    /// pretty-printers write it, indented by up to N spaces), bounded:N (up to N characters at each place), inner (all, but none before and after the
    /// whole text) or any [default: flexible:32]
    #[arg(long, value_name = "HOW", value_parser = checked::<Whitespace>)]
    whitespace: Option<String>,
    /// The spellings of strings: those that JSON printers write, all that JSON has for their characters, or one for each character [default: printed]
    #[arg(long, value_name = "STRINGS", value_parser = words::<Strings>(&[]))]
    strings: Option<String>,
    /// The spelling of numbers that are integers: digits (plain), with at most a point and zeros after them (zeros), or also with exponents
    /// as printers write them (all) [default: zeros]
    #[arg(long, value_name = "HOW", value_parser = words::<IntegerSpelling>(&[]))]
    integer_spelling: Option<String>,
    /// The most digits of a number before the point, after it, and in an exponent [default: any number]
    #[arg(long, value_name = "N")]
    number_digits: Option<NonZeroU16>,
    /// The order of keys: as declared, or any order [default: declared]
    #[arg(long, value_name = "PROPERTY_ORDER", value_parser = words::<PropertyOrder>(&[]))]
    property_order: Option<String>,
    /// Whether a key that the schema does not declare may occur twice in an object [default: accept]
    #[arg(long, value_name = "HOW", value_parser = words::<RepeatedKeys>(&[]))]
    repeated_keys: Option<String>,
    /// Whether the keyword `format` restricts values [default: assert]
    #[arg(long, value_name = "FORMATS", value_parser = words::<Formats>(&[]))]
    formats: Option<String>,
    /// Whether keywords that cannot be enforced are refused, or left out [default: refuse]
    #[arg(long, value_name = "UNENFORCED", value_parser = words::<Unenforced>(&[]))]
    unenforced: Option<String>,
    /// The draft of JSON Schema [default: the draft that `$schema` names]
    #[arg(long, value_name = "DRAFT", value_parser = words::<Draft>(&[]))]
    draft: Option<String>,
    /// Whether 1.0 is an integer [default: as the draft says]
    #[arg(long, value_name = "BOOL")]
    integer_with_point: Option<bool>,
    /// A document that `$ref` may refer to; may be given several times
    #[arg(long, value_name = "URI=FILE", value_parser = parse_resource)]
    #[serde(skip)]
    resource: Vec<(String, PathBuf)>,
}

/// What artifacts say about token budgets.
#[derive(Args)]
pub(crate) struct BudgetArguments {
    /// Token budgets: bounded (every output is complete within a number of tokens), exact (that number is the least one; takes longer to
    /// compile), or off (a smaller artifact)
    #[arg(long, value_name = "HOW", default_value = "bounded", value_parser = typed::<TokenBudgets>(&[]))]
    budgets: TokenBudgets,
}

impl BudgetArguments {
    /// The options with these budgets.
    pub(crate) fn apply(&self, options: Options) -> Options {
        Options { budgets: self.budgets, ..options }
    }
}

/// Whether schemas with narrowings are refused.
#[derive(Args)]
#[command(next_help_heading = "JSON Schemas, also those in structural tags and in %json of Lark")]
pub(crate) struct StrictArguments {
    /// Refuse a schema if the grammar refuses texts of valid values, such as keys in another order, that some option admits; with `all`, also texts that none does
    #[arg(long, value_name = "all", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = strict)]
    strict: Option<Strict>,
    /// The kinds of narrowings that --strict allows, separated by commas, or all
    #[arg(long, value_name = "KIND", value_delimiter = ',', requires = "strict", value_parser = narrowings())]
    allow_narrowed: Vec<Allowed>,
}

impl StrictArguments {
    /// The options with these.
    pub(crate) fn apply(&self, options: Options) -> Options {
        let kinds = self.allow_narrowed.iter().flat_map(|Allowed(kinds)| kinds.iter().copied());
        Options { strict: self.strict.unwrap_or_default(), allow_narrowed: kinds.collect(), ..options }
    }
}

fn strict(text: &str) -> Result<Strict, String> {
    match text {
        "" => Ok(Strict::On),
        "all" => Ok(Strict::All),
        _ => Err("expected --strict or --strict=all".to_owned()),
    }
}

/// Kinds of narrowings that are allowed.
#[derive(Clone)]
struct Allowed(Vec<Narrowing>);

/// Accepts a kind of narrowings, or all of them.
fn narrowings() -> impl TypedValueParser<Value = Allowed> {
    let shown = Narrowing::ALL.iter().zip(NARROWINGS).map(|(kind, help)| (kind.as_str(), *help));
    let shown = shown.chain([("all", "All of these")]);
    PossibleValuesParser::new(shown.map(|(name, help)| PossibleValue::new(name).help(help))).map(|name| {
        let kinds = Narrowing::ALL.iter().copied();
        Allowed(kinds.filter(|kind| name == "all" || name == kind.as_str()).collect())
    })
}

/// What the kinds of narrowings are, in their order: for the help text.
const NARROWINGS: &[&str] = &[
    "Texts of a format that its specification allows",
    "Escapes of half a surrogate pair",
    "Items in another notation, in arrays with uniqueItems",
    "Keys in another order",
    "Keys that the style of the arguments of a tool cannot write",
    "Strings and arrays that are longer than is counted",
    "Numbers with more digits than --number-digits",
    "Numbers in another notation, such as 1e1",
    "Values that the profile refuses, such as members without a name in the schema",
    "Members that are repeated, where keys are declared or members counted",
    "Other escapes in strings and keys",
    "Other white space between the tokens",
];

/// What the profiles are, in their order: for the help text.
const PROFILES: &[&str] = &[
    "Strict mode: closed objects, all properties required, some keywords forbidden",
    "Any white space inside, closed objects and arrays, patterns match whole strings",
    "Any white space inside, one spelling for each character",
    "At most one space, closed objects and arrays, patterns match whole strings",
];

/// Accepts the name of a bundled grammar.
pub(crate) fn bundled_names() -> PossibleValuesParser {
    PossibleValuesParser::new(bundled::ALL.iter().map(|bundled| bundled.name))
}

fn parse_resource(text: &str) -> Result<(String, PathBuf), String> {
    let (uri, file) = text.rsplit_once('=').ok_or("expected URI=FILE")?;
    Ok((uri.to_owned(), PathBuf::from(file)))
}

impl GrammarArguments {
    /// Reads the input.
    pub(crate) fn source(&self) -> Result<Source, Failure> {
        let source = match &self.input {
            Some(input) => Source::file(input, self.format)?,
            None => self.given.source()?,
        };
        self.front_end.expect_tools(&source)?;
        Ok(source)
    }

    /// The options of the front ends.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        self.front_end.options()
    }

    /// The files that are named: the input or the tools, families, and the resources.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let resources = self.front_end.schema.resource.iter().map(|(_, file)| file.as_path());
        let resources = resources.chain(self.front_end.tools.families.family.iter().map(PathBuf::as_path));
        self.input.as_deref().into_iter().chain(self.given.tools.as_deref()).chain(resources)
    }

    /// The stem of the input's name, if it is a file or a bundled grammar.
    pub(crate) fn stem(&self) -> Option<&OsStr> {
        if let Some(name) = &self.given.grammar {
            return Some(OsStr::new(name));
        }
        let is_stdin = |input: &&Path| input.as_os_str() == "-";
        let file = self.input.as_deref().or(self.given.tools.as_deref());
        file.filter(|input| !is_stdin(input)).and_then(Path::file_stem)
    }
}

impl FrontEndArguments {
    /// Reads a file.
    pub(crate) fn read(&self, file: &Path, format: Option<Notation>) -> Result<Source, Failure> {
        let source = Source::file(file, format)?;
        self.expect_tools(&source)?;
        Ok(source)
    }

    /// Refuses options for tools if there are none.
    fn expect_tools(&self, source: &Source) -> Result<(), Failure> {
        match self.tools.given() {
            Some(option) if source.notation() != Notation::Tools => Err(Failure::usage(
                option,
                "this input has no tools",
                "give the definitions of tools with --tools",
            )),
            _ => Ok(()),
        }
    }

    /// The options.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let written = serde_json::to_string(self).expect("names, words and numbers");
        let mut options = Options::from_json(&written)?;
        options.import_folders.clone_from(&self.rules.import_dir);
        options.tools.families = self.tools.families.read()?;
        options.tools.model = model_of(self.tools.model.as_deref(), &options.tools.families)?;
        for (uri, file) in &self.schema.resource {
            options.schema.resources.push((uri.clone(), read_source(file)?.text));
        }
        Ok(options)
    }
}

impl GivenArguments {
    fn source(&self) -> Result<Source, Failure> {
        if let Some(name) = &self.grammar {
            let unknown =
                || Failure::usage("--grammar", "no such grammar", "see `gcc-grammar grammars list`");
            return Source::bundled(name).ok_or_else(unknown);
        }
        if let Some(file) = &self.tools {
            return Ok(Source::file(file, Some(Notation::Tools))?);
        }
        Ok(match &self.regex {
            Some(pattern) => Source::regex(pattern),
            None if self.json_object => Source::json_object(self.max_depth),
            None => Source::choices(&self.choice),
        })
    }
}

impl ToolArguments {
    /// An option that is given, if there is one.
    fn given(&self) -> Option<&'static str> {
        let given = [
            ("--model", self.model.is_some()),
            ("--family", !self.families.family.is_empty()),
            ("--tool-choice", self.tool_choice.is_some()),
            ("--parallel", self.parallel.is_some()),
            ("--thinking", self.thinking.is_some()),
            ("--thinking-tokens", self.thinking_tokens.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }
}

/// The model: that which is named, or the only family that is given.
pub(crate) fn model_of(named: Option<&str>, families: &Families) -> Result<Option<String>, Failure> {
    match named {
        Some(name) if families.named(name).is_some() => Ok(Some(name.to_owned())),
        Some(name) => family(name).map(Some),
        None => Ok(families.only().ok().map(|family| family.name.clone())),
    }
}

/// The model, or its family if it is a file or a folder.
fn family(model: &str) -> Result<String, Failure> {
    let path = Path::new(model);
    if path.exists() {
        return Ok(family_of_model(path)?);
    }
    let looks_like_file =
        [".json", ".jinja"].iter().any(|end| model.ends_with(end)) && !model.trim_start().starts_with('{');
    if looks_like_file || model.starts_with(['.', '/']) {
        return Err(Failure::usage(
            "--model",
            format!("there is no file {model:?}"),
            "name a model or a family, or give the file of a chat template",
        ));
    }
    Ok(model.to_owned())
}
