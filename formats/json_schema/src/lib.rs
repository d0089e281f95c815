//! JSON Schema to a grammar, exactly.
//!
//! The language of the grammar is the set of all JSON texts whose value is valid under the schema. The schema
//! leaves some things open, and there these rules hold:
//! - declared keys come in the order of their declaration, all others after them ([`PropertyOrder`]);
//! - white space is that of common printers ([`Whitespace`]);
//! - strings are spelled as printers of JSON do, and in every way where characters do not matter ([`Strings`]);
//! - numbers have every spelling if only their sign is restricted, else they are in plain notation, with the exponents that printers write for
//!   very small and very large ones if the bounds allow all of these; integers are digits,
//!   with at most a point and zeros after them ([`IntegerSpelling`]);
//! - two members with the same undeclared key are not prevented, but where members are counted: there each key occurs once ([`RepeatedKeys`]).
//!
//! Where such a rule refuses a text of a valid value, the [`Report`] has a [`Narrowed`] entry.
//!
//! A keyword that cannot be enforced is an error, or it is left out and listed in the [`Report`]
//! ([`Unenforced`]).
//!
//! ```
//! use gcc_grammar_json_schema::{Coverage, Narrowing, Options, compile};
//!
//! let schema = r#"{
//!     "type": "object",
//!     "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "minimum": 0}},
//!     "required": ["name"],
//!     "additionalProperties": false
//! }"#;
//! let options = Options { whitespace: "compact".parse()?, ..Options::default() };
//! let compiled = compile(schema, &options).expect("the schema is valid");
//! assert!(compiled.grammar.rules.iter().any(|rule| rule.name == "object1"));
//! assert_eq!(compiled.report.gaps().count(), 0);
//! let age = compiled.report.entries.iter().find(|entry| entry.pointer == "/properties/age").expect("an entry");
//! assert_eq!(age.coverage.narrowing(), Some(Narrowing::NumberSpelling));
//! let minimum = compiled.report.entries.iter().find(|entry| entry.pointer == "/properties/age/minimum");
//! assert_eq!(minimum.expect("an entry").coverage, Coverage::Enforced);
//!
//! let errors = compile(r#"{"type": "string", "pattern": "^(a+)\\1$"}"#, &Options::default()).unwrap_err();
//! assert_eq!(errors[0].code.as_str(), "unenforceable");
//! # Ok::<(), gcc_grammar_json_schema::InvalidOption>(())
//! ```
//!
//! # The pipeline
//!
//! Each stage is a folder, and [`compile`] is this picture in code:
//!
//! ```text
//! text ──read──▶ Documents ──load──▶ Schemas ──algebra──▶ nodes with automata ──graph──▶ Graph ──emit──▶ Grammar
//!                                       │                        │
//!                                       └───── languages ────────┘
//! ```
//! | room | in | out |
//! |---|---|---|
//! | `read` | texts of the schema and its documents | values in which references can be resolved |
//! | `profile` | values | values as another engine reads them |
//! | `load` | values | schemas: the meaning of every keyword, and the report |
//! | `languages` | patterns, formats, bounds | regular languages by number |
//! | `schema` | | the data of loaded schemas |
//! | `algebra` | boolean combinations of schemas | languages and deterministic automata |
//! | `guidance` | the object `x-guidance` of the root | options of the author |
//! | `content` | | the values at one node |
//! | `graph`, `ahead` | the root schema | all reachable nodes, without dead ends |
//! | `nested`, `endless` | the graph | the graph with nodes of their own for arrays and objects that are compared with others |
//! | `excludes` | the graph | the graph without strings that contain excluded texts |
//! | `unsatisfiable` | a schema without values | the keyword that makes it so |
//! | `emit` | the graph | the grammar |
//! | `applied` | a schema and an output as far as it is written | the subschemas that describe a value of it |
//! | `narrowing` | the graph | the texts of valid values that the grammar refuses, for the report |
//! | `kept` | a schema | the same, unless it was compiled before |
//! | `style` | | how the arguments of a tool are written: as JSON or in tags |
//!
//! Rooms share `automaton` (deterministic automata over items or members), `draft` (the drafts of JSON Schema), `conventions` (the options that a
//! profile sets), `record` (conditions on the keys that the runtime remembers) and `topological` (graphs without circles). [`any_object`] makes a schema of any JSON object.
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.

#![forbid(unsafe_code)]

mod ahead;
mod algebra;
pub mod any_object;
mod applied;
mod automaton;
mod content;
mod conventions;
mod draft;
mod emit;
mod endless;
mod excludes;
mod graph;
mod guidance;
mod kept;
mod languages;
mod load;
mod narrowing;
mod nested;
mod options;
mod profile;
mod read;
mod record;
mod report;
mod schema;
mod style;
mod topological;
mod unsatisfiable;

pub use applied::applied;
pub use draft::Draft;
pub use emit::within_string;
pub use kept::{compile_once, forget};
pub use options::{
    Counting, Formats, IntegerSpelling, InvalidOption, Limits, Options, PropertyOrder, RepeatedKeys, Strings,
    Unenforced, Whitespace,
};
pub use profile::Profile;
pub use report::{Coverage, Entry, NO_OPTION, Narrowed, Narrowing, Report};
pub use style::{ItemTag, KEY, KIND, Kind, Marked, Style, Tags};

use algebra::{Algebra, AlgebraError};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Grammar, Location};
use gcc_grammar_limits::Budget;
use graph::Graph;
use guidance::Guidance;
use load::{Hindsight, Loader};
use schema::SchemaId;

/// A compiled schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compiled {
    /// The grammar of the valid texts.
    pub grammar: Grammar,
    /// For every keyword, whether it is enforced.
    pub report: Report,
    /// Warnings for the author of the schema.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles the text of a schema within the default budget.
///
/// # Errors
/// The schema is not valid JSON or not a valid schema, some keyword cannot be enforced, no value is valid, or
/// a limit of the options is exceeded.
pub fn compile(text: &str, options: &Options) -> Result<Compiled, Vec<Diagnostic>> {
    compile_within(text, options, &Budget::default())
}

/// Compiles the text of a schema within a budget that other stages may share.
///
/// # Errors
/// As for [`compile`]; also if the budget is spent.
pub fn compile_within(text: &str, options: &Options, budget: &Budget) -> Result<Compiled, Vec<Diagnostic>> {
    if options.unenforced == Unenforced::Refuse {
        return compile_again(text, options, budget, Hindsight::default());
    }
    let whole = budget.fork();
    match compile_again(text, options, &whole, Hindsight::default()) {
        Err(errors) if errors.iter().any(is_limit) => {
            let hindsight = Hindsight { leaves_out: true, ..Hindsight::default() };
            compile_again(text, options, budget, hindsight)
        }
        compiled => {
            budget.settle(&whole).map_err(|over| vec![over.into()])?;
            compiled
        }
    }
}

/// Whether there was too much to do.
fn is_limit(error: &Diagnostic) -> bool {
    matches!(error.code, Code::TooLarge | Code::OverBudget)
}

/// Compiles a schema anew until nothing more is found out about it.
fn compile_again(
    text: &str,
    options: &Options,
    budget: &Budget,
    mut hindsight: Hindsight,
) -> Result<Compiled, Vec<Diagnostic>> {
    loop {
        let (_, bytes) = budget.spent();
        let mut more = Hindsight::default();
        let compiled = compile_knowing(text, options, budget, &hindsight, &mut more);
        if more.is_empty() {
            return compiled;
        }
        // Keywords that turned out not to be enforceable are refused at their places, or left out.
        hindsight.extend(more);
        budget.release_bytes(budget.spent().1.saturating_sub(bytes));
    }
}

/// Compiles a schema with what is known of it. If `more` is found, the result has no meaning.
fn compile_knowing(
    text: &str,
    options: &Options,
    budget: &Budget,
    hindsight: &Hindsight,
    more: &mut Hindsight,
) -> Result<Compiled, Vec<Diagnostic>> {
    let documents = read::read(text, options, budget)?;
    let (resource, root) = documents.root;
    let guidance = Guidance::read(&documents.values, root, &options.limits.automaton(budget))?;
    let options = &guidance.apply(options);
    let (mut loader, schema) = load::load(documents, options, &guidance, hindsight, budget);
    loader.check_form()?;
    let graph = Graph::build(&mut Algebra::new(&mut loader), schema, &options.excludes);
    more.extend(std::mem::take(&mut loader.more_hindsight));
    if !more.is_empty() {
        return Err(Vec::new());
    }
    // The algebra has loaded the targets of references.
    loader.check_all(root)?;
    if let Err((AlgebraError::OverBudget(over), _)) = &graph {
        budget.give_up(over);
    }
    let graph = graph.map_err(|(error, schema)| vec![of_algebra(&error, &loader, schema)])?;
    if graph.is_empty() {
        return Err(vec![unsatisfiable::unsatisfiable(&mut loader, (resource, root), options)]);
    }
    if (options.only_objects || options.style != Style::Json) && !graph.has_objects() {
        return Err(vec![no_members()]);
    }
    let pointers = loader.loaded.pointers(budget).map_err(|over| vec![over.into()])?;
    let parts = (&loader.schemas, &pointers);
    let grammar = emit::emit(&graph, parts, &mut loader.languages, options, &guidance, budget);
    let (grammar, narrow) = grammar.map_err(|(error, schema)| vec![at_schema(error, &loader, schema)])?;
    let narrowings = emit::refused_space(options, &guidance, budget)
        .and_then(|space| loader.narrowings(&graph, &narrow, resource, space))
        .map_err(|over| vec![over.into()])?;
    let report = loader.complete_report(root, &narrowings).map_err(|error| vec![error])?;
    let barren = unsatisfiable::warnings(&mut loader, graph.barren(), options);
    loader.findings.warnings.extend(barren);
    Ok(Compiled { grammar, report, warnings: loader.findings.warnings })
}

/// The error that there is no object to write.
fn no_members() -> Diagnostic {
    Diagnostic::error(Code::Unsatisfiable, "no value of this schema is an object, as arguments of a call are")
        .at(Location::Pointer(String::new()))
        .help("describe an object")
}

/// The error of the algebra at the place of a schema, or at the first keyword there that multiplies with others.
fn of_algebra(error: &AlgebraError, loader: &Loader, schema: Option<SchemaId>) -> Diagnostic {
    let pointer = schema.and_then(|schema| match error {
        AlgebraError::Kinds { .. } => loader.first_with(schema, &["patternProperties"]),
        AlgebraError::Circular(_) => None,
        AlgebraError::OverBudget(_) | AlgebraError::Limit { .. } | AlgebraError::AnyOrder { .. } => {
            loader.first_multiplying(schema)
        }
    });
    let mut found = error.diagnostic();
    if loader.options.property_order == PropertyOrder::Any
        && matches!(error, AlgebraError::OverBudget(_) | AlgebraError::Limit { .. })
    {
        let help = found.help.take().unwrap_or_default();
        found.help =
            Some(format!("{help}; keys in the declared order take least (--property-order declared)"));
    }
    match pointer {
        Some(pointer) => found.at(Location::Pointer(pointer)),
        None => at_schema(found, loader, schema),
    }
}

/// The error at the place of a schema, unless it has a place.
fn at_schema(error: Diagnostic, loader: &Loader, schema: Option<SchemaId>) -> Diagnostic {
    if error.location.is_some() {
        return error;
    }
    let pointer = schema.and_then(|schema| loader.loaded.places().get(&schema).copied());
    error.at(Location::Pointer(pointer.map_or(String::new(), |(pointer, _)| pointer.to_owned())))
}
