//! The families of models: how each writes calls of tools.
//!
//! The table is [`families.json`](https://www.rfc-editor.org/rfc/rfc8259), a list of objects with the fields of [`Family`]. Texts are
//! [templates](super::template).

use serde::Deserialize;
use std::sync::LazyLock;

/// How the models of a family write calls of tools.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// How names of its models begin, in small letters and without `-`, `_` and spaces.
    pub models: Vec<String>,
    /// The style of the arguments.
    #[serde(default = "json")]
    pub(super) style: String,
    /// The marks around thinking, if its models think.
    pub(super) thinking: Option<Marks>,
    /// The marks that may stand around an answer that is no call.
    pub(super) answer: Option<Marks>,
    /// The ways to write calls. The first one is that of the chat template.
    pub(super) forms: Vec<Form>,
    /// How an output is divided into messages, if it is.
    pub(super) messages: Option<Messages>,
}

/// The marks around a text.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Marks {
    pub(super) begin: String,
    pub(super) end: String,
}

/// A way to write calls: `open CALL (separator CALL)* close`.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// The text with which calls begin in free text: a beginning of `open` and the call.
    pub(super) trigger: String,
    #[serde(default)]
    pub(super) open: String,
    /// The templates of a call.
    pub(super) calls: Vec<String>,
    #[serde(default)]
    pub(super) separator: String,
    #[serde(default)]
    pub(super) close: String,
    /// Whether free text goes on behind the last call.
    #[serde(default)]
    pub(super) text_after: bool,
    /// The style of the arguments, if it is another one than that of the family.
    pub(super) style: Option<String>,
}

/// An output that is a list of messages.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Messages {
    pub(super) separator: String,
    /// The text before the user.
    pub(super) thinking: Message,
    pub(super) remark: Message,
    pub(super) answer: Message,
}

/// A message with any text.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Message {
    pub(super) begin: String,
    pub(super) ends: Vec<String>,
}

fn json() -> String {
    "json".to_owned()
}

/// All families.
pub fn families() -> &'static [Family] {
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("families.json")).expect("a test reads the table")
    });
    &FAMILIES
}

/// The family of this name, or the family of the model of this name: that with the longest beginning of it.
pub(super) fn find(name: &str) -> Option<&'static Family> {
    let last = name.rsplit('/').next().unwrap_or(name);
    if let Some(family) = families().iter().find(|family| family.name.eq_ignore_ascii_case(last)) {
        return Some(family);
    }
    let letters = last.chars().filter(|letter| !matches!(letter, '-' | '_' | ' '));
    let model: String = letters.flat_map(char::to_lowercase).collect();
    let models = families().iter().flat_map(|family| family.models.iter().map(move |model| (model, family)));
    let matching = models.filter(|(beginning, _)| model.starts_with(beginning.as_str()));
    matching.max_by_key(|(beginning, _)| beginning.len()).map(|(_, family)| family)
}
