//! Tools, from the forms in which they are described.
//!
//! | form | the schema of the arguments is the member |
//! |---|---|
//! | OpenAI | `function.parameters`, or `parameters` beside the name |
//! | Anthropic | `input_schema` |
//! | Model Context Protocol | `inputSchema` |
//!
//! A document is a list of tools, a tool, an object with the member `tools` as servers answer to `tools/list`, or `response_format` of OpenAI.

use crate::structural_tag::json::{Object, Place};
use gcc_grammar_ir::spelling::{nearest, similar};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashSet;

/// The members of a tool of OpenAI, around the function or beside its members.
const FUNCTION: [&str; 6] = ["type", "name", "description", "parameters", "strict", "cache_control"];
const ANTHROPIC: [&str; 10] = [
    "type",
    "name",
    "description",
    "input_schema",
    "strict",
    "cache_control",
    "input_examples",
    "defer_loading",
    "allowed_callers",
    "eager_input_streaming",
];
const MCP: [&str; 9] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "icons",
    "execution",
    "_meta",
];
/// The members of an answer to `tools/list`, and those of a request that say what the answer is.
const DOCUMENT: [&str; 5] = ["tools", "nextCursor", "_meta", "response_format", "resultType"];

/// The members that are the schema of the arguments.
const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];

/// The schema of a tool without arguments.
const NO_ARGUMENTS: &str = r#"{"type": "object", "properties": {}, "additionalProperties": false}"#;
/// The schema of an answer that is any object.
const ANY_OBJECT: &str = r#"{"type": "object"}"#;
/// Estimated bytes of a tool with its formats, and the work to read it.
const BYTES_PER_TOOL: u64 = 2000;
const WORK_PER_TOOL: u64 = 1000;

/// A schema in the document.
pub(super) struct Schema<'t> {
    pub(super) text: &'t str,
    pub(super) pointer: String,
}

/// A tool: its name, and the number of the schema of its arguments.
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) schema: usize,
}

/// What a document describes.
#[derive(Default)]
pub(super) struct Definitions<'t> {
    pub(super) tools: Vec<Tool>,
    /// The schema of an answer without calls, if it is not free text.
    pub(super) answer: Option<usize>,
    pub(super) schemas: Vec<Schema<'t>>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'t> Definitions<'t> {
    pub(super) fn read(text: &'t str, budget: &Budget) -> Result<Self, Diagnostic> {
        budget.charge_work(text.len() as u64)?;
        budget.charge_bytes(text.len() as u64)?;
        let mut definitions = Self::default();
        definitions.document(Place::root(text, Code::BadTools)?, budget)?;
        Ok(definitions)
    }

    fn document(&mut self, root: Place<'t>, budget: &Budget) -> Result<(), Diagnostic> {
        if root.value.get().starts_with('[') {
            return self.tools(root.list()?, budget);
        }
        let object = root.object()?;
        if object.has("result") {
            object.only(&["jsonrpc", "id", "result"])?;
            return self.answer_of_server(&object.object("result")?, budget);
        }
        if object.has("tools") || object.has("response_format") {
            return self.answer_of_server(&object, budget);
        }
        let kind = if object.has("type") { object.text("type")? } else { String::new() };
        if matches!(kind.as_str(), "json_schema" | "json_object" | "text") {
            return self.response_format(&object, &kind);
        }
        self.tool(&object)
    }

    fn answer_of_server(&mut self, object: &Object<'t>, budget: &Budget) -> Result<(), Diagnostic> {
        known(object, &DOCUMENT)?;
        self.tools(object.list("tools", false)?, budget)?;
        if object.has("response_format") {
            let format = object.object("response_format")?;
            let kind = format.text("type")?;
            self.response_format(&format, &kind)?;
        }
        Ok(())
    }

    fn tools(&mut self, list: Vec<Place<'t>>, budget: &Budget) -> Result<(), Diagnostic> {
        let mut names = FxHashSet::default();
        for place in list {
            let pointer = place.pointer.clone();
            budget
                .charge_work(WORK_PER_TOOL)
                .and_then(|()| budget.charge_bytes(BYTES_PER_TOOL))
                .map_err(|over| Diagnostic::from(over).at(Location::Pointer(pointer)))?;
            let object = place.object()?;
            self.tool(&object)?;
            let name = self.tools.last().map(|tool| tool.name.clone()).unwrap_or_default();
            if names.contains(&name) {
                return Err(object
                    .error("name", format!("there are two tools {name:?}"))
                    .help("rename one of them"));
            }
            names.insert(name);
        }
        Ok(())
    }

    fn tool(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        if object.has("function") {
            known(object, &["type", "function", "cache_control", "strict"])?;
            is_function(object)?;
            let function = object.object("function")?;
            known(&function, &FUNCTION)?;
            return self.described(&function, "parameters");
        }
        if object.has("input_schema") {
            known(object, &ANTHROPIC)?;
            return self.described(object, "input_schema");
        }
        if object.has("inputSchema") {
            known(object, &MCP)?;
            if object.has("outputSchema") {
                let place = object.place("outputSchema")?;
                let message =
                    "outputSchema is not used: it describes what the tool returns, not what a model writes";
                let warning = Diagnostic::warning(Code::IgnoredKeyword, message);
                self.warnings.push(warning.at(Location::Pointer(place.pointer)));
            }
            return self.described(object, "inputSchema");
        }
        known(object, &FUNCTION)?;
        is_function(object)?;
        self.described(object, "parameters")
    }

    /// A tool whose arguments are described by a member. Without it, there are none.
    fn described(&mut self, object: &Object<'t>, member: &str) -> Result<(), Diagnostic> {
        let name = object.text("name")?;
        if name.is_empty() || !name.chars().all(is_in_name) {
            let error = object.error("name", format!("{name:?} cannot be written as the name of a tool"));
            return Err(error.help("use letters, digits, and the characters _ - . : / $"));
        }
        let schema = match object.has(member) {
            true => self.schema(object.place(member)?)?,
            false => self.add(NO_ARGUMENTS, object.pointer.clone()),
        };
        self.tools.push(Tool { name, schema });
        Ok(())
    }

    fn response_format(&mut self, object: &Object<'t>, kind: &str) -> Result<(), Diagnostic> {
        match kind {
            "text" => known(object, &["type"])?,
            "json_object" => {
                known(object, &["type"])?;
                self.answer = Some(self.add(ANY_OBJECT, object.pointer.clone()));
            }
            "json_schema" => {
                known(object, &["type", "json_schema"])?;
                let inner = object.object("json_schema")?;
                known(&inner, &["name", "description", "schema", "strict"])?;
                self.answer = Some(self.schema(inner.place("schema")?)?);
            }
            _ => {
                let error = object.error("type", format!("there is no response format {kind:?}"));
                return Err(error.help("the formats are json_schema, json_object and text"));
            }
        }
        Ok(())
    }

    fn schema(&mut self, place: Place<'t>) -> Result<usize, Diagnostic> {
        let text = place.value.get();
        if !text.starts_with('{') {
            return Err(place.error("expected a JSON Schema as an object"));
        }
        Ok(self.add(text, place.pointer))
    }

    fn add(&mut self, text: &'t str, pointer: String) -> usize {
        self.schemas.push(Schema { text, pointer });
        self.schemas.len() - 1
    }
}

/// Characters that have no meaning in the syntax of any family.
fn is_in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '/' | '$')
}

/// An error if a tool of OpenAI has another type than a function.
fn is_function(object: &Object<'_>) -> Result<(), Diagnostic> {
    match object.has("type").then(|| object.text("type")).transpose()? {
        Some(kind) if kind != "function" => {
            let error = object
                .error("type", format!("a tool of the type {kind:?} has no arguments that a model writes"));
            Err(error.help("leave it out, or describe a function"))
        }
        _ => Ok(()),
    }
}

/// An error if there are other members, with the one that is meant.
fn known(object: &Object<'_>, members: &[&str]) -> Result<(), Diagnostic> {
    let Some(other) = object.names().find(|name| !members.contains(name)) else { return Ok(()) };
    let meant = nearest(other, members.iter().copied().chain(SCHEMAS), 1);
    let meant = similar(other, meant.into_iter());
    let meant = meant.map_or_else(String::new, |meant| format!("did you mean {meant}? "));
    let error = object.error(other, format!("a tool has no member {other:?} here"));
    Err(error.help(format!(
        "{meant}The members here are {}; the schema of the arguments is function.parameters (OpenAI), input_schema (Anthropic) or \
         inputSchema (MCP)",
        members.join(", ")
    )))
}
