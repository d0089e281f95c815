//! Documents with tools: whole requests of services, and what they contain.
//!
//! A document is a list of tools, a tool, an answer to `tools/list` of the Model Context Protocol, `response_format` of OpenAI, or a request: of Chat Completions, of
//! Responses, of Messages (Anthropic), of `generateContent` (Gemini) or of Converse (Bedrock). Of a request, what the grammar depends on is read: tools, the choice of
//! tools, the format of the answer, and the model. Other members are known by name, and ignored; any other one is an error.

use super::answer;
use super::choice;
use super::definitions::Definitions;
use crate::structural_tag::json::{Object, Place, known_members, listed, nearly, words};
use gcc_grammar_ir::json::Members;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;
use std::sync::LazyLock;

/// The members that are read, by one of which a request is known.
const READ: &str = "tools functions function_call tool_choice parallel_tool_calls response_format text output_format output_config toolConfig \
    tool_config generationConfig generation_config model modelId functionDeclarations function_declarations toolChoice \
    outputConfig format extra_body";

/// The members that are read, but do not alone make an object a request.
const NOT_ALONE: &str = "function_call outputConfig format extra_body";

/// Members that make an object a request, though they are no matter of the grammar.
const CONVERSATION: &str = "messages contents input";

/// The members of an answer to `tools/list`.
const OF_SERVER: &str = "nextCursor _meta resultType";

/// The members of requests that are no matter of the grammar, by service.
static IGNORED: LazyLock<Members<Vec<String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("requests.json")).expect("a test reads the table"));

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
            object.only("jsonrpc id result")?;
            return self.request(&object.object("result")?, budget);
        }
        let kind = if object.has("type") { object.text("type")? } else { String::new() };
        if answer::is_format(&kind) {
            return self.response_format(&object);
        }
        // Tools have some of these members, too, but no request has a name.
        let alone = |member: &&str| words(NOT_ALONE).all(|other| other != *member);
        let is_of_request =
            object.given(READ).any(|member| alone(&member)) || object.given(CONVERSATION).next().is_some();
        let is_request = !object.has("name") && is_of_request;
        if is_request { self.request(&object, budget) } else { self.tool(&object, budget) }
    }

    /// A request, or what a server of the Model Context Protocol answers.
    fn request(&mut self, object: &Object<'t>, budget: &Budget) -> Result<(), Diagnostic> {
        known(object)?;
        for member in object.given("model modelId") {
            self.model = Some(object.text(member)?);
        }
        self.tools(object.list("tools", false)?, budget)?;
        for member in object.given("functionDeclarations function_declarations") {
            for place in object.list(member, true)? {
                self.declaration(&place.object()?)?;
            }
        }
        if object.has("functions") {
            self.tools(object.list("functions", true)?, budget)?;
            // An answer of this older interface has one `function_call`.
            self.parallel = Some(false);
        }
        for member in object.given("toolConfig tool_config") {
            self.tool_config(&object.object(member)?, budget)?;
        }
        self.choose(object, "tool_choice toolChoice function_call")?;
        if object.has("parallel_tool_calls") {
            self.parallel = Some(object.flag("parallel_tool_calls", true)?);
        }
        self.thoughts(object)?;
        self.formats(object)?;
        // What clients of OpenAI merge into the request.
        object.given("extra_body").try_for_each(|member| self.request(&object.object(member)?, budget))
    }

    /// Whether the model is asked to think.
    fn thoughts(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        for member in object.given("thinking enable_thinking think") {
            self.thought(object.place(member)?);
        }
        for member in object.given("chat_template_kwargs") {
            let inner = object.object(member)?;
            for member in inner.given("enable_thinking thinking") {
                self.thought(inner.place(member)?);
            }
        }
        Ok(())
    }

    /// `true`, a level, or an object whose type is `enabled` or `adaptive`.
    fn thought(&mut self, place: Place<'t>) {
        let value = place.value.get();
        let disabled = value == "false" || value.starts_with('{') && value.contains("\"disabled\"");
        if !disabled {
            self.thinks_at = Some(place.pointer);
        }
    }

    /// `toolConfig`: with tools and their choice in Converse, with the choice alone in Gemini.
    fn tool_config(&mut self, object: &Object<'t>, budget: &Budget) -> Result<(), Diagnostic> {
        if object.has("tools") || object.has("toolChoice") {
            known_members(object, "tools toolChoice", "toolConfig")?;
            self.tools(object.list("tools", false)?, budget)?;
            return self.choose(object, "toolChoice");
        }
        const CHOICES: &str = "functionCallingConfig function_calling_config";
        let others = "retrievalConfig retrieval_config includeServerSideToolInvocations";
        known_members(object, &format!("{CHOICES} {others}"), "toolConfig")?;
        self.choose(object, CHOICES)
    }

    fn choose(&mut self, object: &Object<'t>, members: &str) -> Result<(), Diagnostic> {
        for member in object.given(members) {
            let place = object.place(member)?;
            self.chosen = Some(choice::read(&place)?);
            self.chosen_at = place.pointer;
        }
        Ok(())
    }

    /// What the answer is.
    fn formats(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        for member in object.given("response_format output_format") {
            self.response_format(&object.object(member)?)?;
        }
        for (around, members) in
            [("text", "format verbosity"), ("output_config", "format effort task_budget")]
        {
            for around in object.given(around) {
                let inner = object.object(around)?;
                known_members(&inner, members, around)?;
                for format in inner.given("format") {
                    self.response_format(&inner.object(format)?)?;
                }
            }
        }
        for member in object.given("format") {
            self.format_of_ollama(object.place(member)?)?;
        }
        for member in object.given("generationConfig generation_config") {
            self.generation(&object.object(member)?)?;
        }
        if object.has("outputConfig") {
            self.output_config(&object.object("outputConfig")?)?;
        }
        Ok(())
    }

    /// `outputConfig` of Converse, whose schema is a text.
    fn output_config(&mut self, object: &Object<'t>) -> Result<(), Diagnostic> {
        known_members(object, "textFormat", "outputConfig")?;
        for member in object.given("textFormat") {
            let format = object.object(member)?;
            known_members(&format, "type structure", "this format")?;
            let structure = format.object("structure")?;
            known_members(&structure, "jsonSchema", "this format")?;
            let inner = structure.object("jsonSchema")?;
            known_members(&inner, "name description schema", "this format")?;
            self.answer = Some(self.schema_in_text(inner.place("schema")?)?);
        }
        Ok(())
    }
}

fn ignored() -> impl Iterator<Item = &'static str> {
    IGNORED.0.iter().flat_map(|(_, members)| members).map(String::as_str)
}

/// An error if a request has a member that no service knows, with the one that is meant.
fn known(object: &Object<'_>) -> Result<(), Diagnostic> {
    let known = || words(READ).chain(words(OF_SERVER)).chain(ignored());
    let Some(other) = object.names().find(|name| known().all(|known| known != *name)) else { return Ok(()) };
    let advice = nearly(other, words(READ).chain(ignored()));
    let error = object.error(other, format!("a request has no member {other:?}"));
    Err(error.help(format!(
        "{advice}Of requests, {} are read; members that the grammar does not depend on are ignored by name",
        listed(READ)
    )))
}

#[cfg(test)]
mod tests;
