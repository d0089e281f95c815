//! The family of a model, recognized by the marks that its chat template writes around calls.
//!
//! Input is the text of a template, or a JSON document with one: `tokenizer_config.json` and `chat_template.json` of transformers; of `tekken.json`
//! of Mistral AI the version of the tokenizer counts. All marks are looked for. A template with the marks of two families, or of
//! none, is refused with what was found: templates are programs, and this is no interpreter.

use super::builtin;
use super::family::Family;
use super::models::GIVEN;
use gcc_grammar_ir::{Code, Diagnostic};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The longest template, and the longest document with one, in bytes.
const LONGEST_TEMPLATE: usize = 1 << 20;
const LONGEST_DOCUMENT: usize = 64 << 20;

/// The marks of a way to write calls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Marks {
    /// The family, or the form of calls that no built-in family writes.
    writes: String,
    /// Texts that the template has.
    all: Vec<String>,
    /// Texts that it does not have: with them it writes something else.
    #[serde(default)]
    none: Vec<String>,
}

/// The marks of `marks.json`. Their order is that of messages; where several have the same, the family is asked for.
static MARKS: LazyLock<Vec<Marks>> =
    LazyLock::new(|| serde_json::from_str(include_str!("marks.json")).expect("a test reads the table"));

/// The members of the documents of transformers and of Mistral AI that tell the family.
#[derive(Deserialize)]
struct Document {
    chat_template: Option<Templates>,
    config: Option<Tekken>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Templates {
    One(String),
    Named(Vec<Named>),
    ByName(BTreeMap<String, String>),
}

impl Templates {
    /// The template for calls of tools.
    fn chosen(self) -> Result<String, Diagnostic> {
        let mut named = match self {
            Self::One(template) => return Ok(template),
            Self::Named(named) => {
                named.into_iter().map(|Named { name, template }| (name, template)).collect()
            }
            Self::ByName(named) => named,
        };
        let found = named.remove("tool_use").or_else(|| named.remove("default"));
        found.ok_or_else(|| {
            let names = named.into_keys().collect::<Vec<_>>().join(", ");
            refused(format!("none of the chat templates ({names}) is named tool_use or default"))
        })
    }
}

#[derive(Deserialize)]
struct Named {
    name: String,
    template: String,
}

#[derive(Deserialize)]
struct Tekken {
    version: Option<String>,
}

/// Whether a text is a chat template.
pub(super) fn is_template(text: &str) -> bool {
    ["{%", "{{"].iter().any(|begin| text.contains(begin))
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_err()
}

/// The family that a document with a chat template names, of a model that is known to write a family, if it is; none if it has no template.
///
/// # Errors
/// The document is too long or no JSON object, or its template does not tell the family.
pub(super) fn of_document(
    text: &str,
    known: Option<&'static Family>,
) -> Result<Option<&'static Family>, Diagnostic> {
    limited(text, LONGEST_DOCUMENT)?;
    let document: Document = serde_json::from_str(text).map_err(|_| {
        refused("this is no document with a chat template, a list of them, or templates by name")
    })?;
    if let Some(version) = document.config.and_then(|config| config.version) {
        return of_tekken(&version).map(Some);
    }
    let template = document.chat_template.map(Templates::chosen).transpose()?;
    template.map(|template| of_template(&template, known)).transpose()
}

/// The family of a version of Mistral AI's tokenizers.
fn of_tekken(version: &str) -> Result<&'static Family, Diagnostic> {
    let number = version.strip_prefix('v').unwrap_or(version);
    let number = number
        .split(|character: char| !character.is_ascii_digit())
        .next()
        .and_then(|number| number.parse().ok());
    let name = match number {
        Some(3..=10u32) => "mistral",
        Some(11..) => "mistral-v11",
        _ => {
            return Err(refused(format!(
                "models with the tokenizer {version:?} of Mistral AI write no calls"
            )));
        }
    };
    builtin::named(name).ok_or_else(|| refused(format!("there is no family {name}")))
}

/// The family whose marks a chat template has. Where they are those of several, or the templates of a family have none, what is known of the model decides.
///
/// # Errors
/// The template is too long, or has the marks of no family, or of several.
pub(super) fn of_template(text: &str, known: Option<&'static Family>) -> Result<&'static Family, Diagnostic> {
    limited(text, LONGEST_TEMPLATE)?;
    let text = without_comments(text);
    let has = |mark: &String| text.contains(mark);
    let found = MARKS.iter().filter(|marks| marks.all.iter().all(&has) && !marks.none.iter().any(&has));
    let mut found: Vec<&Marks> = found.collect();
    found.dedup_by_key(|marks| &marks.writes);
    if let Some(known) = known
        && found.len() != 1
    {
        let is = |marks: &Marks| marks.writes == known.name;
        let has_no_marks = found.is_empty() && !MARKS.iter().any(is);
        if has_no_marks || found.iter().any(|marks| is(marks)) {
            return Ok(known);
        }
    }
    match found.as_slice() {
        [Marks { writes, .. }] => builtin::named(writes).ok_or_else(|| {
            refused(format!("this chat template writes {writes}, which is no built-in family"))
        }),
        [] => Err(refused(
            "this chat template has the marks of no family: it writes no calls, or calls of another form",
        )),
        several => {
            let found = several.iter().map(|marks| format!("{} ({})", marks.writes, marks.all.join(" ")));
            let found = found.collect::<Vec<_>>().join(" and of ");
            Err(refused(format!("this chat template has the marks of {found}")))
        }
    }
}

/// The template without its comments, which nothing writes.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("{#");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once("#}").map_or("", |(_, rest)| rest))
}

fn limited(text: &str, most: usize) -> Result<(), Diagnostic> {
    if text.len() <= most {
        return Ok(());
    }
    Err(refused(format!("{} bytes are more than the {most} that a chat template may have", text.len())))
}

pub(super) fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Usage, message).help(format!(
        "name the family that the model writes: {}; or describe it as a JSON object. A model is {GIVEN}, or a name",
        builtin::some_names()
    ))
}

#[cfg(test)]
mod tests;
