//! Descriptions of families: the built-in table and those of callers have one form, and one reader.
//!
//! A description is an object with the fields of [`Family`], and a table is a list of them. Errors are located by JSON Pointers. What the types do not
//! say is checked here: every call begins with its trigger and has one place for arguments, styles exist, and patterns are patterns.

use super::family::{Channel, Family, Form, Marks, Message, Messages, OBJECT};
use super::names::Names;
use super::object::Object as Members;
use super::template::{self, Part};
use crate::structural_tag::json::{Object, Place, known_members};
use crate::structural_tag::style::GivenStyle;
use gcc_grammar_ir::{Code, Diagnostic, InvalidOption, Location};
use gcc_grammar_regular::{PatternFlags, Regex};

/// The most bytes of a description or table.
const LONGEST: usize = 1 << 20;

const FAMILY: &str =
    "name source style any_order one_line names thinking tokens marks answers channel forms messages";
const FORM: &str = "trigger open calls object separator close text_after repeats single style";

/// Whether a text is a description or a table, and no template or document of a model.
pub(super) fn is_description(text: &str) -> bool {
    let Ok(root) = Place::root(text, Code::BadFamily) else { return false };
    let has_forms = |object: Object<'_>| object.names().any(|name| name == "forms");
    root.value.get().starts_with('[') || root.object().is_ok_and(has_forms)
}

/// The family of a text with one description.
pub(super) fn one(text: &str) -> Result<Family, Diagnostic> {
    let mut families = table(text)?;
    match families.len() {
        1 => Ok(families.remove(0).0),
        count => Err(not_one(count)),
    }
}

/// The error that a text has another number of families than one.
pub(super) fn not_one(count: usize) -> Diagnostic {
    let error =
        Diagnostic::error(Code::BadFamily, format!("there are {count} families here, and one is needed"));
    error.help("give them with --family (in options: `families`), and name one of them as the model")
}

/// The families of a text, with their places.
pub(super) fn table<'t>(text: &'t str) -> Result<Vec<(Family, Place<'t>)>, Diagnostic> {
    if text.len() > LONGEST {
        let message = format!("{} bytes are more than the {LONGEST} that families may have", text.len());
        return Err(Diagnostic::error(Code::TooLarge, message).help("leave out families that are not used"));
    }
    let root = Place::root(text, Code::BadFamily)?;
    let places = if root.value.get().starts_with('[') { root.list()? } else { vec![root] };
    let read = |place: Place<'t>| {
        let read = place.again().object().and_then(|object| family(&object));
        Ok((read.map_err(help)?, place))
    };
    places.into_iter().map(read).collect()
}

/// The remedy, if there is no better one.
fn help(error: Diagnostic) -> Diagnostic {
    match error.help {
        Some(_) => error,
        None => error.help("the page on tools describes families, with an example"),
    }
}

fn family(object: &Object<'_>) -> Result<Family, Diagnostic> {
    known_members(object, FAMILY, "a family")?;
    let forms = object.list("forms", true)?;
    if forms.is_empty() {
        return Err(object.error("forms", "a family has at least one form of calls"));
    }
    Ok(Family {
        name: name(object)?,
        source: text_or_none(object, "source")?.unwrap_or_default(),
        style: GivenStyle::of(object)?.unwrap_or_default(),
        any_order: object.flag("any_order", false)?,
        one_line: object.flag("one_line", false)?,
        names: names(object)?,
        thinking: object.has("thinking").then(|| marks(&object.object("thinking")?)).transpose()?,
        tokens: object.texts("tokens", false)?,
        marks: object.texts("marks", false)?,
        answers: object
            .list("answers", false)?
            .into_iter()
            .map(|place| marks(&place.object()?))
            .collect::<Result<_, _>>()?,
        channel: object.has("channel").then(|| channel(&object.object("channel")?)).transpose()?,
        forms: forms.into_iter().map(|place| form(&place.object()?)).collect::<Result<_, _>>()?,
        messages: object.has("messages").then(|| messages(&object.object("messages")?)).transpose()?,
    })
}

/// A name that can be given as the model: no JSON, no path, no template.
fn name(object: &Object<'_>) -> Result<String, Diagnostic> {
    let name = object.text("name")?;
    let is_plain = |character: char| character.is_alphanumeric() || "-_.:/+".contains(character);
    if name.is_empty() || name.len() > 100 || !name.chars().all(is_plain) {
        let error = object.error("name", format!("{name:?} cannot be the name of a family"));
        return Err(error.help("a name has up to 100 letters, digits, and - _ . : / +"));
    }
    Ok(name)
}

fn names(object: &Object<'_>) -> Result<Names, Diagnostic> {
    let given = text_or_none(object, "names")?.unwrap_or_else(|| "any".to_owned());
    given.parse().map_err(|wrong: InvalidOption| object.error("names", wrong.to_string()))
}

fn text_or_none(object: &Object<'_>, field: &str) -> Result<Option<String>, Diagnostic> {
    object.has(field).then(|| object.text(field)).transpose()
}

fn form(object: &Object<'_>) -> Result<Form, Diagnostic> {
    known_members(object, FORM, "a form")?;
    let text = |field| Ok::<_, Diagnostic>(text_or_none(object, field)?.unwrap_or_default());
    let form = Form {
        trigger: object.text("trigger")?,
        open: text("open")?,
        calls: object.texts("calls", true)?,
        object: object.has("object").then(|| members(&object.object("object")?)).transpose()?,
        separator: text("separator")?,
        close: text("close")?,
        text_after: object.flag("text_after", false)?,
        repeats: object.flag("repeats", false)?,
        single: object.flag("single", false)?,
        style: GivenStyle::of(object)?,
    };
    for (field, template) in [
        ("trigger", &form.trigger),
        ("open", &form.open),
        ("separator", &form.separator),
        ("close", &form.close),
    ] {
        patterns(template).map_err(|message| object.error(field, message))?;
    }
    if !template::parts(&form.trigger, "name").iter().any(|part| matches!(part, Part::Text(_)))
        && !form.trigger.contains(OBJECT)
    {
        return Err(object.error("trigger", "a trigger has a text, so that not every place begins a call"));
    }
    calls(&form, object)?;
    Ok(form)
}

/// Checks the calls of a form.
fn calls(form: &Form, object: &Object<'_>) -> Result<(), Diagnostic> {
    let places = object.list("calls", true)?;
    if places.is_empty() {
        return Err(object.error("calls", "a form has at least one call"));
    }
    for (call, place) in form.calls.iter().zip(places) {
        patterns(call).map_err(|message| place.error(message))?;
        if call.contains(OBJECT) && form.object.is_none() {
            let error = place.error("this call is an object, whose members are not described");
            return Err(error.help("describe them beside the calls: \"object\": {\"name\": \"name\", \"arguments\": [\"arguments\"]}"));
        }
        let written = form.written_as(call);
        written
            .iter()
            .try_for_each(|one| form.check(&one.trigger, &one.call))
            .map_err(|(message, advice)| place.error(message).help(advice))?;
    }
    Ok(())
}

impl Form {
    /// What is wrong with a call and its trigger, and what to do.
    fn check(&self, trigger: &str, call: &str) -> Result<(), (String, &'static str)> {
        // No text contains this name by chance.
        let name = "\u{1}";
        let first = template::parts(&format!("{}{call}", self.open), name);
        if template::behind(&first, &template::parts(trigger, name)).is_none() {
            let message = format!("the call {call:?} does not begin with the trigger {trigger:?}");
            return Err((
                message,
                "a trigger is a beginning of `open` and the call, such as \"<tool_call>\"",
            ));
        }
        if first.iter().filter(|part| **part == Part::Arguments).count() != 1 {
            return Err((
                format!("the call {call:?} does not have one place $arguments"),
                "write $arguments where the arguments stand",
            ));
        }
        Ok(())
    }
}

/// The members of a call that is an object.
fn members(object: &Object<'_>) -> Result<Members, Diagnostic> {
    known_members(object, "name arguments others", "the object of a call")?;
    let arguments = object.texts("arguments", true)?;
    if arguments.is_empty() {
        return Err(object.error("arguments", "the member with the arguments needs a name"));
    }
    let mut others = std::collections::BTreeMap::new();
    if object.has("others") {
        let given = object.object("others")?;
        for member in given.names() {
            let pattern = given.text(member)?;
            is_pattern(&pattern).map_err(|message| given.error(member, message))?;
            others.insert(member.to_owned(), pattern);
        }
    }
    Ok(Members { name: object.text("name")?, arguments, others })
}

fn marks(object: &Object<'_>) -> Result<Marks, Diagnostic> {
    known_members(object, "begin end", "this pair of marks")?;
    let text = |field| match object.text(field)? {
        mark if mark.trim().is_empty() => Err(object.error(field, "this mark must not be empty")),
        mark => Ok(mark),
    };
    Ok(Marks { begin: text("begin")?, end: text("end")? })
}

fn channel(object: &Object<'_>) -> Result<Channel, Diagnostic> {
    known_members(object, "begin end close", "a channel")?;
    let text = |field| match object.text(field)? {
        mark if mark.is_empty() => Err(object.error(field, "this mark must not be empty")),
        mark => Ok(mark),
    };
    Ok(Channel { begin: text("begin")?, end: text("end")?, close: text("close")? })
}

/// How a message begins: a template, or a list of some.
fn beginnings(object: &Object<'_>) -> Result<Vec<String>, Diagnostic> {
    let begins = match object.place("begin")?.value.get().starts_with('[') {
        true => object.texts("begin", true)?,
        false => vec![object.text("begin")?],
    };
    let wrong = begins.iter().find_map(|begin| patterns(begin).err());
    match wrong {
        Some(message) => Err(object.error("begin", message)),
        None if begins.is_empty() => Err(object.error("begin", "a message has a beginning")),
        None => Ok(begins),
    }
}

fn messages(object: &Object<'_>) -> Result<Messages, Diagnostic> {
    known_members(object, "separator thinking remark answer", "messages")?;
    let message = |field| {
        let object = object.object(field)?;
        known_members(&object, "begin ends", "a message")?;
        let ends = object.texts("ends", true)?;
        match ends.is_empty() {
            true => Err(object.error("ends", "a message has an end")),
            false => Ok(Message { begins: beginnings(&object)?, ends }),
        }
    };
    let separator = object.text("separator")?;
    patterns(&separator).map_err(|message| object.error("separator", message))?;
    Ok(Messages {
        separator,
        thinking: message("thinking")?,
        remark: message("remark")?,
        answer: message("answer")?,
    })
}

/// Whether the patterns of a template are patterns.
fn patterns(template: &str) -> Result<(), String> {
    let patterns = template::parts(template, "").into_iter().filter_map(Part::into_pattern);
    patterns.into_iter().try_for_each(|pattern| is_pattern(&pattern))
}

fn is_pattern(pattern: &str) -> Result<(), String> {
    let flags = PatternFlags { extensions: true, ..PatternFlags::default() };
    Regex::parse(pattern, flags).map(drop).map_err(|error| format!("{pattern:?} is no pattern: {error}"))
}

/// An error about a description that is an option: its place is not one of the input, so it is said.
pub(super) fn in_options(error: Diagnostic) -> Diagnostic {
    match error.location {
        Some(Location::Pointer(pointer)) => {
            let message = format!("{}, at #{pointer} of the family", error.message);
            Diagnostic { message, location: None, ..error }
        }
        _ => Diagnostic { location: None, ..error },
    }
}

#[cfg(test)]
mod tests;
