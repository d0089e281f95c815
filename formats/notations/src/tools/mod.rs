//! Reads definitions of tools: what a model of a family writes when it calls them.
//!
//! ```text
//! JSON ──request──▶ tools ──calls──▶ Format ──format──▶ structural tag ──structural_tag──▶ Grammar
//!                  families.json ──▲
//! ```
//! Input: a JSON text with tools as services describe them, or with a whole request, and [`Calls`]: the model, and which calls
//! it may make. Output: the grammar of the whole output, which is free text with calls in the syntax of the [family] of the model.
//! Diagnostics and the report are located by JSON Pointers into the definitions.
//!
//! | file | job |
//! |---|---|
//! | `options` | the model, and which calls it may make |
//! | `choice` | which tools may be called, in the forms of the services |
//! | `asked` | what the options say, and else the request |
//! | `request`, `members` | documents with tools, such as whole requests; members that are not known |
//! | `definitions`, `custom`, `gemini` | tools, from the forms in which they are described; texts as inputs; a dialect of JSON Schema |
//! | `names`, `unread` | the names of tools and parameters that the parsers of a family read; definitions with others |
//! | `inputs` | what stands for texts as inputs in the output of a family |
//! | `answer` | what an answer is that is no call |
//! | `family` | the syntax of a family |
//! | `description` | families as they are described in JSON |
//! | `builtin`, `families.json`, `given` | the families that are built in, and those of callers |
//! | `models`, `models.json` | the names of known models, and the family of each |
//! | `marks` | the family of a chat template |
//! | `recognize` | the family of a model, by any of these |
//! | `object` | calls that are objects, whose members come in any order |
//! | `template` | the texts of a family with places for names and arguments |
//! | `calls` | the format of the output |
//! | `format` | the format as the text of a structural tag |

mod answer;
mod asked;
mod builtin;
mod calls;
mod choice;
mod custom;
mod definitions;
mod description;
mod family;
mod format;
mod gemini;
mod given;
mod inputs;
mod marks;
mod models;
mod names;
mod object;
mod options;
mod recognize;
mod request;
mod template;
#[cfg(test)]
mod tests;
mod unread;

pub use builtin::families;
pub use choice::{Choice, Chosen, WrongChoice};
pub use family::Family;
pub use given::Families;
pub use options::{Calls, Thinking};

use crate::parsed::{Parsed, relocated};
use crate::structural_tag;
use asked::Mode;
use definitions::Definitions;
use format::{Places, Written};
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_json_schema::Whitespace;
use gcc_grammar_limits::{Budget, Limits};

/// Reads definitions of tools. Locations of diagnostics are JSON Pointers into them, or byte ranges if they are not valid JSON.
pub fn parse(
    text: &str,
    calls: &Calls,
    options: &structural_tag::Options<'_>,
) -> Result<Parsed, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let mut definitions = Definitions::read(text, &options.limits.budget).map_err(one)?;
    let calls = calls.within(&definitions);
    let family = calls.family().map_err(one)?;
    let asked = calls.choose(&mut definitions).map_err(one)?;
    definitions.settle(&family).map_err(one)?;
    definitions.note_thoughts(&family, calls.thinking);
    if asked.mode != Mode::None {
        definitions.check_names(&family).map_err(one)?;
    }
    definitions.check_answer(asked.mode != Mode::None && !definitions.tools.is_empty()).map_err(one)?;
    let bytes = family.bytes_per_tool().saturating_mul(definitions.tools.len() as u64);
    options.limits.budget.charge_bytes(bytes).map_err(|over| vec![over.into()])?;
    let format = calls::output(&family, &definitions, asked).map_err(one)?;
    let budget = &options.limits.budget;
    let Written { text, places } = format::write(&format, &definitions.schemas, budget).map_err(one)?;
    let parsed = structural_tag::parse(&text, &with_space(options, &family));
    let parsed = parsed.map_err(|errors| places.relocate_all(errors))?;
    let mut warnings = definitions.warnings;
    warnings.extend(places.relocate_all(parsed.warnings));
    let mut report = parsed.report;
    report.entries = relocated(&report, |pointer| places.find(pointer)).collect();
    // A schema that stands in several places of the tag has one place in the definitions.
    let mut known = std::collections::BTreeSet::new();
    report.entries.retain(|entry| known.insert((entry.pointer.clone(), entry.coverage.note().into_owned())));
    Ok(Parsed { warnings, report, ..parsed })
}

/// What is asked of the model: the calls, with what the request in a document says where they say nothing. A document that is not read says nothing.
#[must_use]
pub fn asked(text: &str, calls: &Calls) -> Calls {
    let budget = Budget::new(Limits::default());
    let definitions = Definitions::read(text, &budget.stage("parse")).unwrap_or_default();
    calls.within(&definitions)
}

/// The families of a text that describes some; none if it is something else, such as a document of a model.
///
/// # Errors
/// The description is wrong.
pub fn described_families(text: &str) -> Result<Option<Families>, Diagnostic> {
    description::is_description(text).then(|| Families::read(text)).transpose()
}

/// The family whose calls a chat template writes; none if the text has no template. It is the text of a template, or a JSON document with one such as
/// `tokenizer_config.json`, or a `tekken.json`. The name of the model, if there is one, must agree; it decides between families whose templates have the same marks, or none.
///
/// # Errors
/// The template has the marks of no family, or of several, or those of another family than the name.
pub fn family_of_template(text: &str, name: Option<&str>) -> Result<Option<&'static Family>, Diagnostic> {
    let known = name.and_then(models::find).and_then(|model| model.only_family());
    let found = match text.trim_start().starts_with('{') && !marks::is_template(text) {
        true => marks::of_document(text, known)?,
        false => Some(marks::of_template(text, known)?),
    };
    if let (Some(family), Some(name)) = (found, name) {
        models::agrees(name, family)?;
    }
    Ok(found)
}

/// The most white space at a place of JSON in calls, if the options do not choose it: with it, all that printers write is accepted.
const MAX_SPACE: u32 = 34;

/// Models write line breaks in JSON where no printer does, and the parsers of the families read them. So the default is any white space up to a bound, but
/// for families whose calls stand on one line.
fn with_space<'o>(options: &structural_tag::Options<'o>, family: &Family) -> structural_tag::Options<'o> {
    let mut options = options.clone();
    if options.json.whitespace == Whitespace::default() {
        options.json.whitespace =
            if family.one_line { Whitespace::Single } else { Whitespace::Bounded { max: MAX_SPACE } };
    }
    options
}

impl Places {
    /// Moves diagnostics about the structural tag to the definitions, each once.
    fn relocate_all(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for mut diagnostic in diagnostics {
            diagnostic.location = match diagnostic.location {
                Some(Location::Pointer(pointer)) => Some(Location::Pointer(self.find(&pointer))),
                _ => None,
            };
            if !all.contains(&diagnostic) {
                all.push(diagnostic);
            }
        }
        all
    }
}
