//! The families of models: how each writes calls of tools.
//!
//! A [description](super::description) is an object with the fields of [`Family`]; those that are [built in](super::builtin) are one table, and a
//! caller may [give](super::given) others. Texts are [templates](super::template). Which models write a family is told by their [names](super::models) and
//! [chat templates](super::marks).

use super::names::Names;
use super::object::Object;
use super::template::as_written;
use crate::structural_tag::style::GivenStyle;
use gcc_grammar_json_schema::Style;
use serde::Serialize;
use std::cmp::Reverse;

/// The place of the members of a call in its template.
pub(super) const OBJECT: &str = "$object";

/// How the models of a family write calls of tools.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// From where it is known how its models write.
    #[serde(skip_serializing)]
    pub source: String,
    /// The style of the arguments.
    pub(super) style: GivenStyle,
    /// Whether the models write keys in another order than that of the schema.
    pub(super) any_order: bool,
    /// Whether a call stands on one line, because its readers read lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) one_line: bool,
    /// The names of tools and parameters that its readers read.
    #[serde(skip_serializing_if = "is_any")]
    pub(super) names: Names,
    /// The marks around thinking, if its models think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thinking: Option<Marks>,
    /// The special tokens that its models have for calls, as far as it is known. Without them, a vocabulary is not that of such a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<String>,
    /// Marks of calls that stand in calls only: no free text contains them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) marks: Vec<String>,
    /// The marks that may stand around an answer that is no call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) answers: Vec<Marks>,
    /// The channel of text, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) channel: Option<Channel>,
    /// The ways to write calls. The first one is that of the chat template.
    pub(super) forms: Vec<Form>,
    /// How an output is divided into messages, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) messages: Option<Messages>,
}

/// The marks around a text.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Marks {
    pub(super) begin: String,
    pub(super) end: String,
}

/// An output that is `begin TEXT end CALLS? close?`. The prompt may have begun the channel.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Channel {
    pub(super) begin: String,
    pub(super) end: String,
    pub(super) close: String,
}

/// A way to write calls: `open CALL (separator CALL)* close`.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Form {
    /// The template with which calls begin in free text: a beginning of `open` and the call.
    pub(super) trigger: String,
    pub(super) open: String,
    /// The templates of a call.
    pub(super) calls: Vec<String>,
    /// The members of calls that are objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<Object>,
    pub(super) separator: String,
    pub(super) close: String,
    /// Whether free text goes on behind the last call.
    pub(super) text_after: bool,
    /// Whether another enclosure may follow where no other text may.
    pub(super) repeats: bool,
    /// Whether there is one call at most.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) single: bool,
    /// The style of the arguments, if it is another one than that of the family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) style: Option<GivenStyle>,
}

/// A way to write a call, and the beginning of it that is the trigger.
pub(super) struct Written {
    pub(super) trigger: String,
    pub(super) call: String,
    /// Whether the arguments come before the name.
    pub(super) is_late: bool,
}

/// An output that is a list of messages.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Messages {
    pub(super) separator: String,
    pub(super) thinking: Message,
    /// What the user reads before calls.
    pub(super) remark: Message,
    pub(super) answer: Message,
}

/// A message with any text.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Message {
    /// Templates without a place for a name, of which it begins with one.
    #[serde(rename = "begin")]
    pub(super) begins: Vec<String>,
    pub(super) ends: Vec<String>,
}

fn is_any(names: &Names) -> bool {
    *names == Names::Any
}

/// Estimated bytes of a call in a format besides its texts, and how often it may occur there.
const BYTES_PER_CALL: u64 = 400;
const PLACES_PER_CALL: u64 = 2;

impl Family {
    /// Its description: equal families have equal ones, however they were written.
    #[must_use]
    pub fn description(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The marks around thinking, if its models think.
    #[must_use]
    pub fn thinking(&self) -> Option<[&str; 2]> {
        let marks = self.thinking.iter().map(|marks| [marks.begin.as_str(), &marks.end]);
        let messages = self.messages.iter().map(|messages| &messages.thinking);
        marks
            .chain(
                messages
                    .filter_map(|message| Some([message.begins.first()?.as_str(), message.ends.first()?])),
            )
            .next()
    }

    /// The family without all that its parsers take, but its models do not write: with its first form of calls, in the spelling with the most of its
    /// special tokens, of several the shortest.
    #[must_use]
    pub fn as_written(&self) -> Self {
        let marks = |call: &str| self.tokens.iter().filter(|token| call.contains(token.as_str())).count();
        let mut family = self.clone();
        family.forms.truncate(1);
        for form in &mut family.forms {
            if let Some(object) = form.object.as_mut() {
                object.leave_first();
            }
            let best = form
                .written()
                .into_iter()
                .min_by_key(|one| (one.is_late, Reverse(marks(&one.call)), one.call.len()));
            if let Some(Written { trigger, call, .. }) = best {
                (form.trigger, form.calls, form.object) = (trigger, vec![as_written(&call)], None);
            }
            form.trigger = as_written(&form.trigger);
        }
        family
    }

    /// Whether all arguments are JSON.
    pub(super) fn is_json(&self) -> bool {
        let styles = self.forms.iter().filter_map(|form| form.style.as_ref()).chain([&self.style]);
        styles.into_iter().all(|style| style.style() == Style::Json)
    }

    /// Estimated bytes of the calls of a tool.
    pub(super) fn bytes_per_tool(&self) -> u64 {
        let call = |form: &Form, call: &str| (form.open.len() + call.len()) as u64 + BYTES_PER_CALL;
        let of_form = |form: &Form| form.written().iter().map(|one| call(form, &one.call)).sum::<u64>();
        PLACES_PER_CALL * self.forms.iter().map(of_form).sum::<u64>()
    }
}

impl Form {
    /// The ways to write a call: the templates, where those of objects have one for each order of the name and the arguments.
    pub(super) fn written(&self) -> Vec<Written> {
        self.calls.iter().flat_map(|call| self.written_as(call)).collect()
    }

    /// The ways to write a call by a template.
    pub(super) fn written_as(&self, call: &str) -> Vec<Written> {
        if !call.contains(OBJECT) {
            return vec![Written { trigger: self.trigger.clone(), call: call.to_owned(), is_late: false }];
        }
        let spellings = self.object.iter().flat_map(Object::spellings);
        let written = spellings.map(|spelling| Written {
            trigger: self.trigger.replace(OBJECT, &spelling.head),
            call: call.replace(OBJECT, &spelling.whole),
            is_late: spelling.is_late,
        });
        written.collect()
    }
}
