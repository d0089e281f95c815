//! Tools, from the forms in which they are described.
//!
//! | form | the schema of the arguments is the member |
//! |---|---|
//! | OpenAI | `function.parameters`, or `parameters` beside the name |
//! | Anthropic | `input_schema` |
//! | Model Context Protocol | `inputSchema` |
//! | Gemini | `parameters` of `functionDeclarations`, in its [dialect](super::gemini), or `parametersJsonSchema` |
//! | Bedrock's Converse | `toolSpec.inputSchema.json` |
//! | OpenAI's custom tools | none: the input is a [text](super::custom) |
//!
//! What is around them is a [document](super::request).

use super::choice::{Chosen, in_namespace};
use super::custom::Custom;
use super::gemini;
use crate::structural_tag::json::{Object, Place, listed, nearly, words};
use gcc_grammar_ir::spelling::{nearest, similar};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The members of a tool of OpenAI, around the function or beside its members.
const FUNCTION: &str =
    "type name description parameters strict cache_control defer_loading allowed_callers output_schema";
const AROUND_FUNCTION: &str = "type function cache_control strict defer_loading allowed_callers";
const ANTHROPIC: &str = "type name description input_schema strict cache_control input_examples defer_loading allowed_callers eager_input_streaming";
const MCP: &str = "name title description inputSchema outputSchema annotations icons execution _meta";
const CUSTOM: &str = "type name description format cache_control defer_loading allowed_callers";
const GEMINI: &str = "name description parameters parametersJsonSchema parameters_json_schema response responseJsonSchema behavior";
const BEDROCK: &str = "name description inputSchema strict";

/// The members that are the schema of the arguments.
const SCHEMAS: &str = "parameters input_schema inputSchema";

/// Members of Gemini's tools that a service runs itself.
const RUN_BY_GEMINI: &str = "googleSearch google_search googleSearchRetrieval google_search_retrieval codeExecution code_execution urlContext url_context \
    computerUse computer_use fileSearch file_search googleMaps google_maps enterpriseWebSearch retrieval mcpServers";

/// Types of tools that are described by members.
const TYPES: &str = "function custom namespace tool_search";

/// The schema of a tool without arguments.
const NO_ARGUMENTS: &str = r#"{"type": "object", "properties": {}, "additionalProperties": false}"#;
/// Estimated bytes of a tool with its formats, and the work to read it.
const BYTES_PER_TOOL: u64 = 2000;
const WORK_PER_TOOL: u64 = 1000;

/// What a text in the document describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A JSON Schema.
    Schema,
    /// A format of structural tags.
    Format,
    /// A format that is made of a text at the place.
    Made,
}

/// A schema or format in the document.
pub(super) struct Schema<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) pointer: String,
    pub(super) kind: Kind,
}

/// A tool: its name, and the number of the schema of its arguments, or of the format of its input.
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) schema: usize,
    /// Whether its input is any text, up to what ends the call.
    pub(super) is_free: bool,
    /// What its input is, if it has no arguments.
    pub(super) custom: Option<Custom>,
    /// Where it is described.
    pub(super) pointer: String,
}

/// What a document describes.
#[derive(Default)]
pub(super) struct Definitions<'t> {
    pub(super) tools: Vec<Tool>,
    names: FxHashSet<String>,
    /// The schema of an answer without calls, if it is not free text.
    pub(super) answer: Option<usize>,
    /// The model, the choice of tools, and whether there may be several calls, as far as the request says so.
    pub(super) model: Option<String>,
    pub(super) chosen: Option<Chosen>,
    /// Where the choice stands.
    pub(super) chosen_at: String,
    pub(super) parallel: Option<bool>,
    /// Where the request asks the model to think.
    pub(super) thinks_at: Option<String>,
    pub(super) schemas: Vec<Schema<'t>>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'t> Definitions<'t> {
    /// Reads a list of tools.
    pub(super) fn tools(&mut self, list: Vec<Place<'t>>, budget: &Budget) -> Result<(), Diagnostic> {
        for place in list {
            let pointer = place.pointer.clone();
            budget
                .charge_work(WORK_PER_TOOL)
                .and_then(|()| budget.charge_bytes(BYTES_PER_TOOL))
                .map_err(|over| Diagnostic::from(over).at(Location::Pointer(pointer)))?;
            self.tool(&place.object()?, budget)?;
        }
        Ok(())
    }

    /// Reads a tool, or what lists some.
    pub(super) fn tool(&mut self, object: &Object<'t>, budget: &Budget) -> Result<(), Diagnostic> {
        if object.has("function") {
            is_function(object)?;
            known(object, AROUND_FUNCTION)?;
            let function = object.object("function")?;
            known(&function, FUNCTION)?;
            return self.described(&function, "parameters");
        }
        if object.has("input_schema") {
            known(object, ANTHROPIC)?;
            return self.described(object, "input_schema");
        }
        if object.has("inputSchema") {
            known(object, MCP)?;
            self.note_outputs(object, "outputSchema")?;
            return self.described(object, "inputSchema");
        }
        if let Some(member) = object.names().find(|name| is_of_gemini(name)) {
            let member = member.to_owned();
            return self.of_gemini(object, &member, budget);
        }
        if object.given("toolSpec systemTool cachePoint").next().is_some() {
            return self.of_bedrock(object);
        }
        match type_of(object)?.as_deref() {
            Some("custom") => self.custom(object),
            Some("namespace") => self.namespace(object, budget),
            Some(kind) if kind.starts_with("tool_search") => {
                let message = format!("{kind} is not used: the tools that it may find are described here");
                self.not_used(message, object.pointer.clone());
                Ok(())
            }
            _ => {
                is_function(object)?;
                known(object, FUNCTION)?;
                self.described(object, "parameters")
            }
        }
    }

    /// `functionDeclarations`, beside which there may be tools that the service runs.
    fn of_gemini(&mut self, object: &Object<'t>, member: &str, budget: &Budget) -> Result<(), Diagnostic> {
        if is_run_by_gemini(member) {
            return Err(run_by_service(object.error(member, format!("the service runs {member:?} itself"))));
        }
        known(object, member)?;
        for place in object.list(member, true)? {
            budget.charge_work(WORK_PER_TOOL)?;
            budget.charge_bytes(BYTES_PER_TOOL)?;
            self.declaration(&place.object()?)?;
        }
        Ok(())
    }

    /// A function of Gemini.
    pub(super) fn declaration(&mut self, function: &Object<'t>) -> Result<(), Diagnostic> {
        known(function, GEMINI)?;
        self.note_outputs(function, "response responseJsonSchema")?;
        match function.given("parametersJsonSchema parameters_json_schema").next() {
            Some(member) => self.described(function, member),
            None if function.has("parameters") => {
                let place = function.place("parameters")?;
                let schema = gemini::schema(&place)?;
                let schema = self.add(schema.into(), place.pointer, Kind::Schema);
                self.named(function, schema, None)
            }
            None => self.described(function, "parameters"),
        }
    }

    /// A tool of Bedrock's Converse.
    fn of_bedrock(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        if object.has("systemTool") {
            return Err(run_by_service(object.error("systemTool", "the service runs this tool itself")));
        }
        known(object, "toolSpec cachePoint")?;
        if !object.has("toolSpec") {
            return Ok(());
        }
        let tool = object.object("toolSpec")?;
        known(&tool, BEDROCK)?;
        if !tool.has("inputSchema") {
            return self.described(&tool, "inputSchema");
        }
        let inner = tool.object("inputSchema")?;
        known(&inner, "json")?;
        let schema = self.schema(inner.place("json")?)?;
        self.named(&tool, schema, None)
    }

    /// A custom tool of OpenAI: its members are beside the type, or in `custom`.
    fn custom(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        let inner = match object.has("custom") {
            true => {
                known(object, "type custom defer_loading allowed_callers cache_control")?;
                Some(object.object("custom")?)
            }
            false => None,
        };
        let tool = inner.as_ref().unwrap_or(object);
        known(tool, CUSTOM)?;
        let custom = Custom::read(tool)?;
        // What stands for the input depends on the family.
        self.named(tool, 0, Some(custom))
    }

    /// A namespace of OpenAI: its tools have its name before theirs.
    fn namespace(&mut self, object: &Object<'t>, budget: &Budget) -> Result<(), Diagnostic> {
        known(object, "type name description tools")?;
        let namespace = object.text("name")?;
        let first = self.tools.len();
        self.tools(object.list("tools", true)?, budget)?;
        for place in first..self.tools.len() {
            let tool = &mut self.tools[place];
            self.names.remove(&tool.name);
            tool.name = in_namespace(&namespace, &tool.name);
            if !self.names.insert(tool.name.clone()) {
                return Err(object
                    .error("tools", format!("there are two tools {:?}", tool.name))
                    .help("rename one of them"));
            }
        }
        match namespace.chars().all(is_in_name) && !namespace.is_empty() {
            true => Ok(()),
            false => Err(unwritable(object, &namespace)),
        }
    }

    /// Notes that schemas of what a tool returns are not used.
    fn note_outputs(&mut self, object: &Object<'t>, members: &str) -> Result<(), Diagnostic> {
        for member in object.given(members) {
            let message =
                format!("{member} is not used: it describes what the tool returns, not what a model writes");
            self.not_used(message, object.place(member)?.pointer);
        }
        Ok(())
    }

    pub(super) fn not_used(&mut self, message: impl Into<String>, pointer: String) {
        let warning = Diagnostic::warning(Code::IgnoredKeyword, message);
        self.warnings.push(warning.at(Location::Pointer(pointer)));
    }

    /// A tool whose arguments are described by a member. Without it, there are none.
    fn described(&mut self, object: &Object<'t>, member: &str) -> Result<(), Diagnostic> {
        let schema = match object.has(member) {
            true => self.schema(object.place(member)?)?,
            false => self.add(NO_ARGUMENTS.into(), object.pointer.clone(), Kind::Schema),
        };
        self.named(object, schema, None)
    }

    /// Adds a tool by its name.
    fn named(
        &mut self,
        object: &Object<'t>,
        schema: usize,
        custom: Option<Custom>,
    ) -> Result<(), Diagnostic> {
        let name = object.text("name")?;
        if name.is_empty() || !name.chars().all(is_in_name) {
            return Err(unwritable(object, &name));
        }
        if !self.names.insert(name.clone()) {
            return Err(object
                .error("name", format!("there are two tools {name:?}"))
                .help("rename one of them"));
        }
        self.tools.push(Tool { name, schema, is_free: false, custom, pointer: object.pointer.clone() });
        Ok(())
    }

    /// Adds a JSON Schema.
    pub(super) fn schema(&mut self, place: Place<'t>) -> Result<usize, Diagnostic> {
        let text = place.value.get();
        if !text.starts_with('{') {
            return Err(place.error("expected a JSON Schema as an object"));
        }
        Ok(self.add(text.into(), place.pointer, Kind::Schema))
    }

    /// Adds a JSON Schema that is the text of a string.
    pub(super) fn schema_in_text(&mut self, place: Place<'t>) -> Result<usize, Diagnostic> {
        let text = place.text()?;
        match Place::root(&text, Code::BadTools).and_then(Place::object) {
            Ok(_) => Ok(self.add(text.into(), place.pointer, Kind::Schema)),
            Err(error) => Err(place.error(format!("expected a JSON Schema in this text: {}", error.message))),
        }
    }

    pub(super) fn add(&mut self, text: Cow<'t, str>, pointer: String, kind: Kind) -> usize {
        self.schemas.push(Schema { text, pointer, kind });
        self.schemas.len() - 1
    }
}

/// Characters that have no meaning in the syntax of any family.
fn is_in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '/' | '$')
}

fn unwritable(object: &Object<'_>, name: &str) -> Diagnostic {
    let error = object.error("name", format!("{name:?} cannot be written as the name of a tool"));
    error.help("use letters, digits, and the characters _ - . : / $")
}

fn is_run_by_gemini(member: &str) -> bool {
    words(RUN_BY_GEMINI).any(|known| known == member)
}

fn is_of_gemini(member: &str) -> bool {
    matches!(member, "functionDeclarations" | "function_declarations") || is_run_by_gemini(member)
}

fn run_by_service(error: Diagnostic) -> Diagnostic {
    error.help("leave it out: no model writes its arguments as those of a function")
}

fn type_of(object: &Object<'_>) -> Result<Option<String>, Diagnostic> {
    object.has("type").then(|| object.text("type")).transpose()
}

/// An error if a tool of OpenAI has another type than a function.
fn is_function(object: &Object<'_>) -> Result<(), Diagnostic> {
    match type_of(object)? {
        Some(kind) if kind != "function" => {
            let message = format!("a tool of the type {kind:?} is not described here: its service knows it");
            let begun = words(TYPES).find(|known| kind.len() > 2 && known.starts_with(kind.as_str()));
            let advice = nearly(&kind, begun.into_iter().chain(words(TYPES)));
            let advice = begun.map_or(advice, |meant| format!("did you mean {meant}? "));
            let error = object.error("type", message);
            Err(error.help(format!("{advice}leave it out, or describe what the model writes as a function")))
        }
        _ => Ok(()),
    }
}

/// An error if there are other members, with the one that is meant.
fn known(object: &Object<'_>, members: &str) -> Result<(), Diagnostic> {
    let Some(other) = object.names().find(|name| words(members).all(|known| known != *name)) else {
        return Ok(());
    };
    let meant = nearest(other, words(members).chain(words(SCHEMAS)), 1);
    let meant = similar(other, meant.into_iter());
    let meant = meant.map_or_else(String::new, |meant| format!("did you mean {meant}? "));
    let error = object.error(other, format!("a tool has no member {other:?} here"));
    Err(error.help(format!(
        "{meant}The members here are {}; the schema of the arguments is function.parameters (OpenAI), input_schema (Anthropic) or \
         inputSchema (MCP)",
        listed(members)
    )))
}
