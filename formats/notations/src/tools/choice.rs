//! Which tools a request lets the model call, in the forms of the services.
//!
//! | service | forms |
//! |---|---|
//! | Chat Completions, Responses | `"auto"`, `"required"`, `"none"`, `{"type": "function", …}`, `{"type": "custom", …}`, `{"type": "allowed_tools", …}` |
//! | Messages of Anthropic | `{"type": "auto" \| "any" \| "none"}` or `{"type": "tool", "name": …}`, with `disable_parallel_tool_use` |
//! | Gemini | `{"functionCallingConfig": {"mode": …, "allowedFunctionNames": […]}}` or its value |
//! | Bedrock's Converse | `{"auto": {}}`, `{"any": {}}`, `{"tool": {"name": …}}` |
//!
//! As a text, a choice is a word, the name of a tool, names with commas between them, or one of these as JSON.

use crate::structural_tag::json::{Object, Place, known_members, nearly};
use gcc_grammar_ir::{Code, Diagnostic};
use serde_json::json;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Whether there are calls, and of which tools.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// What the request says; `Auto` if it says nothing.
    #[default]
    Asked,
    /// Text, in which there may be calls.
    Auto,
    /// Calls and no other text.
    Required,
    /// Text without calls.
    None,
    /// One call of the tool of this name.
    Tool(String),
    /// As `Required` or `Auto`, but only these tools are called.
    Tools {
        /// Their names.
        names: Vec<String>,
        /// Whether there must be a call.
        required: bool,
    },
}

/// The words of all services, and what they mean.
const WORDS: [(&str, Choice); 10] = [
    ("auto", Choice::Auto),
    ("required", Choice::Required),
    ("none", Choice::None),
    ("any", Choice::Required),
    ("AUTO", Choice::Auto),
    ("ANY", Choice::Required),
    ("NONE", Choice::None),
    ("VALIDATED", Choice::Auto),
    ("validated", Choice::Auto),
    ("MODE_UNSPECIFIED", Choice::Auto),
];

/// The words that messages name.
pub(super) const NAMED: &str = "auto, required (or any), none";

fn word(text: &str) -> Option<Choice> {
    WORDS.iter().find(|(word, _)| *word == text).map(|(_, choice)| choice.clone())
}

impl Choice {
    /// The words, for advice on misspelt names.
    pub(super) fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().take(4).map(|(word, _)| *word)
    }

    /// The names of the tools that it names.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Tool(name) => std::slice::from_ref(name),
            Self::Tools { names, .. } => names,
            _ => &[],
        }
    }
}

impl fmt::Display for Choice {
    /// As [`Chosen`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked | Self::Auto => f.pad("auto"),
            Self::Required => f.pad("required"),
            Self::None => f.pad("none"),
            Self::Tool(name) if word(name).is_none() && !name.contains([',', '{', '[', '"']) => f.pad(name),
            Self::Tool(name) => json!({"type": "function", "name": name}).fmt(f),
            Self::Tools { names, required } => {
                let mode = if *required { "required" } else { "auto" };
                let tools: Vec<_> =
                    names.iter().map(|name| json!({"type": "function", "name": name})).collect();
                json!({"type": "allowed_tools", "mode": mode, "tools": tools}).fmt(f)
            }
        }
    }
}

impl FromStr for Choice {
    type Err = Infallible;

    /// Reads `auto`, `required`, `any`, `none`, or the name of a tool.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(word(text).unwrap_or_else(|| Self::Tool(text.to_owned())))
    }
}

/// A choice as a request writes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Chosen {
    /// Whether there are calls, and of which tools.
    pub choice: Choice,
    /// Whether there may be several calls, if it says so.
    pub parallel: Option<bool>,
}

impl From<Choice> for Chosen {
    fn from(choice: Choice) -> Self {
        Self { choice, parallel: None }
    }
}

/// The error that a text is no choice of tools.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongChoice(Box<Diagnostic>);

impl From<WrongChoice> for Diagnostic {
    fn from(error: WrongChoice) -> Self {
        *error.0
    }
}

impl fmt::Display for WrongChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { message, help, .. } = &*self.0;
        match help {
            Some(help) => write!(f, "{message}; {help}"),
            None => f.write_str(message),
        }
    }
}

impl std::error::Error for WrongChoice {}

impl FromStr for Chosen {
    type Err = WrongChoice;

    /// Reads a word, the name of a tool, names with commas between them, or the JSON of a service.
    fn from_str(text: &str) -> Result<Self, WrongChoice> {
        let text = text.trim();
        if text.starts_with(['{', '[', '"']) {
            let place = Place::root(text, Code::BadTools);
            return place.and_then(|place| read(&place)).map_err(|error| WrongChoice(Box::new(error)));
        }
        if text.is_empty() {
            let error = Diagnostic::error(Code::BadTools, "the choice of tools is empty");
            return Err(WrongChoice(Box::new(error.help(FORMS))));
        }
        let names: Vec<String> =
            text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
        match names.as_slice() {
            [_] | [] => text.parse().map(Choice::into).map_err(|never: Infallible| match never {}),
            _ => Ok(Choice::Tools { names, required: true }.into()),
        }
    }
}

/// What may be given.
const FORMS: &str = "give auto, required, any, none, the names of tools, or the tool_choice of a request: \
     {\"type\": \"function\", \"name\": …}, {\"type\": \"allowed_tools\", \"mode\": …, \"tools\": […]}, {\"type\": \"tool\", \"name\": …}, \
     {\"mode\": \"ANY\", \"allowedFunctionNames\": […]}";

/// Reads the value of a request.
pub(super) fn read(place: &Place<'_>) -> Result<Chosen, Diagnostic> {
    match place.value.get().as_bytes().first() {
        Some(b'{') => of_object(&place.again().object()?),
        Some(b'[') => {
            let names = names(place.list()?)?;
            some(names, true, place)
        }
        Some(b'"') => Ok(place.text()?.parse().map_or_else(|never: Infallible| match never {}, Choice::into)),
        _ => Err(place.error("expected a choice of tools").help(FORMS)),
    }
}

fn some(names: Vec<String>, required: bool, place: &Place<'_>) -> Result<Chosen, Diagnostic> {
    if names.is_empty() {
        return Err(place.error("this choice names no tool").help("name the tools, or choose none"));
    }
    Ok(Choice::Tools { names, required }.into())
}

fn of_object(object: &Object<'_>) -> Result<Chosen, Diagnostic> {
    if let Some(inner) = object.given("functionCallingConfig function_calling_config").next() {
        let members = format!("{inner} retrievalConfig includeServerSideToolInvocations");
        known_members(object, &members, "this choice")?;
        return of_object(&object.object(inner)?);
    }
    if object.has("type") {
        return of_type(object);
    }
    if object.has("mode") {
        return of_gemini(object);
    }
    for (member, choice) in [("auto", Choice::Auto), ("any", Choice::Required)] {
        if object.has(member) {
            known_members(object, member, "this choice")?;
            return Ok(choice.into());
        }
    }
    if object.has("tool") {
        known_members(object, "tool", "this choice")?;
        return named(&object.object("tool")?, "name");
    }
    // `function_call` of older requests.
    if object.has("name") {
        return named(object, "name");
    }
    Err(object.error("type", "this is no choice of tools: it has neither a type nor a mode").help(FORMS))
}

/// The choice of the tool that a member names.
fn named(object: &Object<'_>, members: &str) -> Result<Chosen, Diagnostic> {
    known_members(object, members, "this choice")?;
    Ok(Choice::Tool(qualified(object)?).into())
}

/// The name of a tool, with its namespace if that is beside it.
fn qualified(object: &Object<'_>) -> Result<String, Diagnostic> {
    let name = object.text("name")?;
    Ok(if object.has("namespace") { in_namespace(&object.text("namespace")?, &name) } else { name })
}

/// The name that a model writes for a tool of a namespace.
pub(super) fn in_namespace(namespace: &str, name: &str) -> String {
    format!("{namespace}.{name}")
}

fn of_gemini(object: &Object<'_>) -> Result<Chosen, Diagnostic> {
    const NAMES: &str = "allowedFunctionNames allowed_function_names";
    known_members(object, &format!("mode {NAMES} streamFunctionCallArguments"), "this choice")?;
    let choice = mode_of(&object.place("mode")?)?;
    let names = object.given(NAMES).next().map(|member| object.place(member)).transpose()?;
    match names {
        Some(names) if choice != Choice::None => some(names_of(&names)?, choice == Choice::Required, &names),
        _ => Ok(choice.into()),
    }
}

/// The word of a mode.
fn mode_of(place: &Place<'_>) -> Result<Choice, Diagnostic> {
    let mode = place.text()?;
    word(&mode).ok_or_else(|| {
        let advice = nearly(&mode, Choice::words());
        place
            .error(format!("there is no mode {mode:?}"))
            .help(format!("{advice}the modes are {NAMED}, and AUTO, ANY, NONE, VALIDATED of Gemini"))
    })
}

fn of_type(object: &Object<'_>) -> Result<Chosen, Diagnostic> {
    let kind = object.text("type")?;
    let parallel = match object.has("disable_parallel_tool_use") {
        true => Some(!object.flag("disable_parallel_tool_use", false)?),
        false => None,
    };
    let chosen = match kind.as_str() {
        "auto" | "any" | "none" | "required" => {
            known_members(object, "type disable_parallel_tool_use", "this choice")?;
            word(&kind).unwrap_or_default().into()
        }
        "tool" => named(object, "type name disable_parallel_tool_use")?,
        "function" | "custom" if object.has(&kind) => {
            known_members(object, &format!("type {kind}"), "this choice")?;
            named(&object.object(&kind)?, "name namespace")?
        }
        "function" | "custom" => named(object, "type name namespace")?,
        "allowed_tools" if object.has("allowed_tools") => {
            known_members(object, "type allowed_tools", "this choice")?;
            allowed(&object.object("allowed_tools")?)?
        }
        "allowed_tools" => allowed(object)?,
        _ => {
            let advice = nearly(
                &kind,
                ["function", "custom", "allowed_tools", "tool", "auto", "any", "none"].into_iter(),
            );
            let error = object
                .error("type", format!("a choice of the type {kind:?} names no tool that is described here"));
            return Err(error.help(format!("{advice}{FORMS}")));
        }
    };
    Ok(Chosen { parallel, ..chosen })
}

fn allowed(object: &Object<'_>) -> Result<Chosen, Diagnostic> {
    known_members(object, "type mode tools", "this choice")?;
    let choice = if object.has("mode") { mode_of(&object.place("mode")?)? } else { Choice::Auto };
    let tools = object.place("tools")?;
    match choice {
        Choice::None => Ok(choice.into()),
        choice => some(names_of(&tools)?, choice == Choice::Required, &tools),
    }
}

fn names_of(place: &Place<'_>) -> Result<Vec<String>, Diagnostic> {
    names(place.list()?)
}

/// The names of a list, of which each is a text or an object such as `{"type": "function", "name": …}`.
fn names(list: Vec<Place<'_>>) -> Result<Vec<String>, Diagnostic> {
    let name = |place: Place<'_>| {
        if place.value.get().starts_with('"') {
            return place.text();
        }
        let object = place.object()?;
        for inner in ["function", "custom"] {
            if object.has(inner) {
                return qualified(&object.object(inner)?);
            }
        }
        known_members(&object, "type name namespace", "this choice")?;
        qualified(&object)
    };
    list.into_iter().map(name).collect()
}

#[cfg(test)]
mod tests;
