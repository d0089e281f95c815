//! The families of models: how each writes calls of tools.
//!
//! The table is `families.json`, a list of objects with the fields of [`Family`]. Texts are [templates](super::template). A caller may describe
//! a family of his own as such an object. Which models write a family is told by their [names](super::models) and [chat templates](super::marks).

use super::object::Object;
use super::template::{self, Part};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_json_schema::Style;
use serde::Deserialize;
use std::sync::LazyLock;

/// How the models of a family write calls of tools.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// The style of the arguments.
    #[serde(default = "json")]
    pub(super) style: String,
    /// The marks around thinking, if its models think.
    pub(super) thinking: Option<Marks>,
    /// Whether the models write keys in another order than that of the schema.
    #[serde(default)]
    pub(super) any_order: bool,
    /// Marks of calls that stand in calls only: no free text contains them.
    #[serde(default)]
    pub(super) marks: Vec<String>,
    /// The marks that may stand around an answer that is no call.
    #[serde(default)]
    pub(super) answers: Vec<Marks>,
    /// The ways to write calls. The first one is that of the chat template.
    pub(super) forms: Vec<Form>,
    /// How an output is divided into messages, if it is.
    pub(super) messages: Option<Messages>,
}

/// The marks around a text.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Marks {
    pub(super) begin: String,
    pub(super) end: String,
}

/// A way to write calls: `open CALL (separator CALL)* close`.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// The template with which calls begin in free text: a beginning of `open` and the call.
    trigger: String,
    #[serde(default)]
    pub(super) open: String,
    /// The templates of a call.
    calls: Vec<String>,
    /// The members of calls that are objects.
    object: Option<Object>,
    #[serde(default)]
    pub(super) separator: String,
    #[serde(default)]
    pub(super) close: String,
    /// Whether free text goes on behind the last call.
    #[serde(default)]
    pub(super) text_after: bool,
    /// Whether another enclosure may follow where no other text may.
    #[serde(default)]
    pub(super) repeats: bool,
    /// The style of the arguments, if it is another one than that of the family.
    pub(super) style: Option<String>,
}

/// A way to write a call, and the beginning of it that is the trigger.
pub(super) struct Written {
    pub(super) trigger: String,
    pub(super) call: String,
    /// Whether the arguments come before the name.
    pub(super) is_late: bool,
}

/// An output that is a list of messages.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Messages {
    pub(super) separator: String,
    pub(super) thinking: Message,
    /// What the user reads before calls.
    pub(super) remark: Message,
    pub(super) answer: Message,
}

/// A message with any text.
#[derive(Deserialize, Clone, Debug)]
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

/// The names of all families.
pub(super) fn names() -> Vec<&'static str> {
    families().iter().map(|family| family.name.as_str()).collect()
}

/// The family of this name.
pub(super) fn named(name: &str) -> Option<&'static Family> {
    families().iter().find(|family| family.name.eq_ignore_ascii_case(name))
}

pub(super) fn wrong(message: impl Into<String>) -> Diagnostic {
    let error = Diagnostic::error(Code::Usage, format!("this is no family: {}", message.into()));
    error.help("give it a name, and forms with a trigger and calls; the page on tools has an example")
}

/// The place of the members of a call.
const OBJECT: &str = "$object";

/// Estimated bytes of a call in a format besides its texts, and how often it may occur there.
const BYTES_PER_CALL: u64 = 400;
const PLACES_PER_CALL: u64 = 2;

impl Family {
    /// Whether all arguments are JSON.
    pub(super) fn is_json(&self) -> bool {
        let styles = self.forms.iter().filter_map(|form| form.style.as_ref()).chain([&self.style]);
        styles.into_iter().all(|style| *style == json())
    }

    /// Estimated bytes of the calls of a tool.
    pub(super) fn bytes_per_tool(&self) -> u64 {
        let call = |form: &Form, call: &str| (form.open.len() + call.len()) as u64 + BYTES_PER_CALL;
        let of_form = |form: &Form| form.written().iter().map(|one| call(form, &one.call)).sum::<u64>();
        PLACES_PER_CALL * self.forms.iter().map(of_form).sum::<u64>()
    }

    /// Checks what the type does not say: every call begins with its trigger and has one place for arguments, and styles exist.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        if self.forms.is_empty() {
            return Err(wrong("there is no form"));
        }
        for form in &self.forms {
            let style = form.style.as_ref().unwrap_or(&self.style);
            style.parse::<Style>().map_err(|error| wrong(error.to_string()))?;
            if form.calls.is_empty() || form.trigger.is_empty() {
                return Err(wrong("a form has no call, or no trigger"));
            }
            form.written().iter().try_for_each(|written| form.check_call(written))?;
        }
        Ok(())
    }
}

impl Form {
    /// The ways to write a call: the templates, where those of objects have one for each order of the name and the arguments.
    pub(super) fn written(&self) -> Vec<Written> {
        let spellings = self.object.iter().flat_map(Object::spellings).collect::<Vec<_>>();
        let all = self.calls.iter().flat_map(|call| {
            let in_object = spellings.iter().filter(|_| call.contains(OBJECT)).map(|spelling| Written {
                trigger: self.trigger.replace(OBJECT, &spelling.head),
                call: call.replace(OBJECT, &spelling.whole),
                is_late: spelling.is_late,
            });
            let plain = Written { trigger: self.trigger.clone(), call: call.clone(), is_late: false };
            in_object.chain((!call.contains(OBJECT)).then_some(plain))
        });
        all.collect()
    }

    fn check_call(&self, Written { trigger, call, .. }: &Written) -> Result<(), Diagnostic> {
        // No text contains this name by chance.
        let name = "\u{1}";
        let first = template::parts(&format!("{}{call}", self.open), name);
        if template::behind(&first, &template::parts(trigger, name)).is_none() {
            return Err(wrong(format!("the call {call:?} does not begin with the trigger {trigger:?}")));
        }
        if first.iter().filter(|part| **part == Part::Arguments).count() != 1 {
            return Err(wrong(format!("the call {call:?} does not have one place $arguments")));
        }
        Ok(())
    }
}
