//! The format of an output with calls of tools.
//!
//! ```text
//! [thinking] text CALL text CALL text      auto, calls anywhere in text
//! [thinking] text OPEN CALL CALL CLOSE     auto, calls in an enclosure
//! [thinking] OPEN CALL CALL CLOSE          required
//! ```

use super::definitions::{Definitions, Tool};
use super::family::{Family, Form, Message, Messages};
use super::format::{Form as Written, Format};
use super::options::{Calls, Choice, Thinking};
use super::template::{Part, parts};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_json_schema::Style;

/// White space before calls that no text precedes.
const LEAD: &str = r"\n{0,2}";

/// The format of the whole output.
pub(super) fn output(
    family: &Family,
    definitions: &Definitions<'_>,
    calls: &Calls,
) -> Result<Format, Diagnostic> {
    let tools = chosen(definitions, &calls.choice)?;
    let has_thoughts = family.thinking.is_some() || family.messages.is_some();
    if calls.thinking != Thinking::Off && !has_thoughts {
        let message = format!("the models of the family {} do not think", family.name);
        return Err(Diagnostic::error(Code::Usage, message).help("leave out thinking"));
    }
    let output = Output {
        family,
        tools,
        answer: definitions.answer,
        parallel: calls.parallel && !matches!(calls.choice, Choice::Tool(_)),
        thinks: calls.thinking != Thinking::Off,
    };
    if let Some(messages) = &family.messages {
        return Ok(output.messages(messages, &calls.choice));
    }
    let body = match calls.choice {
        Choice::Auto => output.text_with_calls(),
        Choice::None => output.text(),
        Choice::Required | Choice::Tool(_) => {
            sequence(vec![Format::Pattern(LEAD.to_owned()), output.only_calls()])
        }
    };
    Ok(sequence(output.thinking(calls.thinking).into_iter().chain([body]).collect()))
}

/// The tools that may be called.
fn chosen<'d>(definitions: &'d Definitions<'_>, choice: &Choice) -> Result<Vec<&'d Tool>, Diagnostic> {
    let all = || definitions.tools.iter();
    match choice {
        Choice::Tool(name) => {
            let Some(tool) = all().find(|tool| tool.name == *name) else {
                let names: Vec<&str> = all().map(|tool| tool.name.as_str()).collect();
                let error = Diagnostic::error(Code::BadTools, format!("there is no tool {name:?} to choose"));
                return Err(error
                    .at(Location::Pointer(String::new()))
                    .help(format!("the tools are {}", names.join(", "))));
            };
            Ok(vec![tool])
        }
        Choice::Required if definitions.tools.is_empty() => {
            let error = Diagnostic::error(Code::BadTools, "a call is required, but there is no tool");
            Err(error.at(Location::Pointer(String::new())).help("add a tool, or choose auto"))
        }
        _ => Ok(all().collect()),
    }
}

struct Output<'d> {
    family: &'d Family,
    tools: Vec<&'d Tool>,
    /// The schema of an answer without calls.
    answer: Option<usize>,
    parallel: bool,
    thinks: bool,
}

impl Output<'_> {
    /// What is thought before everything else.
    fn thinking(&self, thinking: Thinking) -> Option<Format> {
        let marks = self.family.thinking.as_ref()?;
        let begin = || sequence(vec![Format::Pattern(r"\n?".to_owned()), Format::Text(marks.begin.clone())]);
        // Without the mark at the beginning, the text itself must not have it.
        let thoughts = Format::Tag {
            begin: String::new(),
            content: Box::new(Format::Free(vec![marks.begin.trim_end().to_owned()])),
            ends: vec![marks.end.clone()],
        };
        match thinking {
            Thinking::Off => None,
            Thinking::On => Some(sequence(vec![Format::Optional(Box::new(begin())), thoughts])),
            Thinking::Auto => Some(Format::Optional(Box::new(sequence(vec![begin(), thoughts])))),
        }
    }

    /// The words that no free text contains.
    fn excludes(&self) -> Vec<String> {
        let marks = self.family.thinking.iter().chain(&self.family.answers);
        let mut words: Vec<String> = marks
            .flat_map(|marks| [marks.begin.trim_end().to_owned(), marks.end.trim_end().to_owned()])
            .collect();
        words.retain(|word| !word.is_empty());
        words
    }

    /// Text without calls.
    fn text(&self) -> Format {
        if let Some(answer) = self.answer {
            return self.answers(Format::Schema(answer, Written::default()));
        }
        let mut excludes = self.excludes();
        for form in &self.family.forms {
            excludes.extend(self.tools.iter().map(|tool| form.trigger(&tool.name)));
        }
        excludes.dedup();
        self.with_answer(Format::Free(excludes))
    }

    /// An answer with marks, or without.
    fn answers(&self, content: Format) -> Format {
        let between = self.family.answers.iter().map(|marks| {
            let [begin, end] = [&marks.begin, &marks.end].map(|mark| Format::Text(mark.clone()));
            sequence(vec![begin, content.clone(), end])
        });
        choice(between.chain([content.clone()]).collect())
    }

    /// A text, or an answer between marks.
    fn with_answer(&self, text: Format) -> Format {
        let answers = self.family.answers.iter().map(|marks| Format::Tag {
            begin: marks.begin.clone(),
            content: Box::new(Format::Free(Vec::new())),
            ends: vec![marks.end.clone()],
        });
        choice(answers.chain([text]).collect())
    }

    /// Text in which there may be calls.
    fn text_with_calls(&self) -> Format {
        if self.tools.is_empty() {
            return self.text();
        }
        if let Some(answer) = self.answer {
            return sequence(vec![
                Format::Pattern(LEAD.to_owned()),
                Format::Choice(vec![
                    self.only_calls(),
                    self.answers(Format::Schema(answer, Written::default())),
                ]),
            ]);
        }
        let mut rules: Vec<(String, Vec<Format>)> = Vec::new();
        for form in &self.family.forms {
            for (trigger, firsts) in self.first_calls(form) {
                let rest = sequence(
                    [choice(firsts)].into_iter().chain(self.after_first(form, !form.text_after)).collect(),
                );
                match rules.iter_mut().find(|(known, _)| *known == trigger) {
                    Some((_, rests)) => rests.push(rest),
                    None => rules.push((trigger, vec![rest])),
                }
            }
        }
        let again = self.parallel && self.family.forms.iter().all(|form| form.text_after);
        let rules = rules.into_iter().map(|(trigger, rests)| (trigger, choice(rests))).collect();
        self.with_answer(Format::Dispatch { rules, excludes: self.excludes(), again })
    }

    /// The first calls of a form without the trigger, by trigger.
    fn first_calls(&self, form: &Form) -> Vec<(String, Vec<Format>)> {
        let mut by_trigger: Vec<(String, Vec<Format>)> = Vec::new();
        for tool in &self.tools {
            let trigger = form.trigger(&tool.name);
            for call in &form.calls {
                let first = self.call(form, tool, &format!("{}{call}", form.open), &trigger);
                match by_trigger.iter_mut().find(|(known, _)| *known == trigger) {
                    Some((_, firsts)) => firsts.push(first),
                    None => by_trigger.push((trigger.clone(), vec![first])),
                }
            }
        }
        by_trigger
    }

    /// What follows the first call: further ones, if there may be, and the end.
    fn after_first(&self, form: &Form, has_more: bool) -> Vec<Format> {
        let enclosed = !form.close.is_empty();
        let mut rest = Vec::new();
        if self.parallel && (has_more || enclosed) {
            let more = self.plain(&form.separator).into_iter().chain([self.any_call(form)]).collect();
            rest.push(Format::Star(Box::new(sequence(more))));
        }
        rest.extend(self.plain(&form.close));
        rest
    }

    /// Calls, and no other text.
    fn only_calls(&self) -> Format {
        let forms = self.family.forms.iter().map(|form| {
            let open = self.plain(&form.open).into_iter();
            sequence(open.chain([self.any_call(form)]).chain(self.after_first(form, true)).collect())
        });
        choice(forms.collect())
    }

    /// A call of any of the tools.
    fn any_call(&self, form: &Form) -> Format {
        let calls = self.tools.iter().flat_map(|tool| form.calls.iter().map(move |call| (tool, call)));
        choice(calls.map(|(tool, call)| self.call(form, tool, call, "")).collect())
    }

    /// A call without the text that it begins with.
    fn call(&self, form: &Form, tool: &Tool, template: &str, without: &str) -> Format {
        let mut parts = parts(template, &tool.name);
        if let Some(Part::Text(first)) = parts.first_mut() {
            *first = first.strip_prefix(without).unwrap_or(first).to_owned();
        }
        let style = form.style.as_ref().unwrap_or(&self.family.style);
        let style = style.parse::<Style>().unwrap_or_default();
        let written = Written { style, any_order: self.family.any_order };
        let formats = parts.into_iter().map(|part| match part {
            Part::Text(text) => Format::Text(text),
            Part::Pattern(pattern) => Format::Pattern(pattern),
            Part::Arguments => Format::Schema(tool.schema, written),
        });
        sequence(formats.collect())
    }

    /// The formats of a template without a place for a name.
    fn plain(&self, template: &str) -> Vec<Format> {
        let formats = parts(template, "").into_iter().map(|part| match part {
            Part::Pattern(pattern) => Format::Pattern(pattern),
            Part::Text(text) => Format::Text(text),
            Part::Arguments => Format::Sequence(Vec::new()),
        });
        formats.collect()
    }

    /// An output that is a list of messages.
    fn messages(&self, messages: &Messages, choice_of: &Choice) -> Format {
        let between = |message: Format| sequence(vec![message, Format::Text(messages.separator.clone())]);
        let more = |message: Format| {
            Format::Star(Box::new(sequence(vec![Format::Text(messages.separator.clone()), message])))
        };
        let mut remarks = vec![any_message(&messages.remark)];
        if self.thinks {
            remarks.push(any_message(&messages.thinking));
        }
        let remark = choice(remarks.clone());
        let answer = match self.answer {
            None => any_message(&messages.answer),
            Some(schema) => with_content(&messages.answer, Format::Schema(schema, Written::default())),
        };
        let calls = choice(self.family.forms.iter().map(|form| self.any_call(form)).collect());
        match choice_of {
            Choice::Required | Choice::Tool(_) => {
                let further = self.parallel.then(|| more(calls.clone()));
                sequence(
                    [Format::Star(Box::new(between(remark))), calls].into_iter().chain(further).collect(),
                )
            }
            Choice::Auto if !self.tools.is_empty() && !self.parallel => {
                sequence(vec![Format::Star(Box::new(between(remark))), choice(vec![answer, calls])])
            }
            _ => {
                let has_calls = *choice_of == Choice::Auto && !self.tools.is_empty();
                let any =
                    choice(remarks.into_iter().chain([answer]).chain(has_calls.then_some(calls)).collect());
                sequence(vec![any.clone(), more(any)])
            }
        }
    }
}

/// A message with any text.
fn any_message(message: &Message) -> Format {
    with_content(message, Format::Free(Vec::new()))
}

fn with_content(message: &Message, content: Format) -> Format {
    Format::Tag { begin: message.begin.clone(), content: Box::new(content), ends: message.ends.clone() }
}

fn sequence(mut formats: Vec<Format>) -> Format {
    if formats.len() == 1 { formats.remove(0) } else { Format::Sequence(formats) }
}

fn choice(mut formats: Vec<Format>) -> Format {
    if formats.len() == 1 { formats.remove(0) } else { Format::Choice(formats) }
}
