//! The format of an output with calls of tools.
//!
//! ```text
//! [thinking] text CALL text CALL text      auto, calls anywhere in text
//! [thinking] text OPEN CALL CALL CLOSE     auto, calls in an enclosure
//! [thinking] OPEN CALL CALL CLOSE          required
//! ```

use super::asked::{Asked, Mode};
use super::definitions::{Definitions, Tool};
use super::family::{Family, Form, Message, Messages};
use super::format::{self, Form as Written, Format};
use super::options::Thinking;
use super::template::{Part, parts};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_json_schema::Style;
use std::collections::BTreeMap;

/// White space before calls that no text precedes.
const LEAD: &str = r"\n{0,2}";

/// The format of the whole output.
pub(super) fn output(
    family: &Family,
    definitions: &Definitions<'_>,
    asked: Asked,
) -> Result<format::Output, Diagnostic> {
    let has_thoughts = family.thinking.is_some() || family.messages.is_some();
    if asked.thinking != Thinking::Off && !has_thoughts {
        let message = format!("the models of the family {} do not think", family.name);
        return Err(Diagnostic::error(Code::Usage, message).help("leave out thinking"));
    }
    let output = Output {
        family,
        tools: definitions.tools.iter().collect(),
        answer: definitions.answer,
        parallel: asked.parallel,
        thinks: asked.thinking != Thinking::Off,
    };
    let has_calls = asked.mode != Mode::None && !output.tools.is_empty();
    let rules = family.forms.iter().filter(|_| has_calls).map(|form| output.calls_of(form)).collect();
    let format = match &family.messages {
        Some(messages) => output.messages(messages, asked.mode),
        None => output.texts(asked),
    };
    Ok(format::Output { format, rules })
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
    /// An output that is not divided into messages.
    fn texts(&self, asked: Asked) -> Format {
        let body = match asked.mode {
            Mode::Auto => self.text_with_calls(),
            Mode::None => self.text(),
            Mode::Required => sequence(vec![Format::Pattern(LEAD.to_owned()), self.only_calls()]),
        };
        sequence(self.thinking(asked.thinking).into_iter().chain([body]).collect())
    }

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
        let mut rules: BTreeMap<String, Vec<Format>> = BTreeMap::new();
        for (number, form) in self.family.forms.iter().enumerate() {
            for (trigger, firsts) in self.first_calls(form) {
                let rest = self.after_first(number, !form.text_after);
                let rest = sequence([choice(firsts)].into_iter().chain(rest).collect());
                rules.entry(trigger).or_default().push(rest);
            }
        }
        let again = self.parallel && self.family.forms.iter().all(|form| form.text_after);
        let rules = rules.into_iter().map(|(trigger, rests)| (trigger, choice(rests))).collect();
        self.with_answer(Format::Dispatch { rules, excludes: self.excludes(), again })
    }

    /// The first calls of a form without the trigger, by trigger.
    fn first_calls(&self, form: &Form) -> BTreeMap<String, Vec<Format>> {
        let mut by_trigger: BTreeMap<String, Vec<Format>> = BTreeMap::new();
        for tool in &self.tools {
            let trigger = form.trigger(&tool.name);
            for call in &form.calls {
                let first = self.call(form, tool, &format!("{}{call}", form.open), &trigger);
                by_trigger.entry(trigger.clone()).or_default().push(first);
            }
        }
        by_trigger
    }

    /// What follows the first call: further ones, if there may be, and the end.
    fn after_first(&self, number: usize, has_more: bool) -> Vec<Format> {
        let form = &self.family.forms[number];
        let enclosed = !form.close.is_empty();
        let mut rest = Vec::new();
        if self.parallel && (has_more || enclosed) {
            let more = self.plain(&form.separator).into_iter().chain([Format::Rule(number)]).collect();
            rest.push(Format::Star(Box::new(sequence(more))));
        }
        rest.extend(self.plain(&form.close));
        rest
    }

    /// Calls, and no other text.
    fn only_calls(&self) -> Format {
        let forms = self.family.forms.iter().enumerate().map(|(number, form)| {
            let open = self.plain(&form.open).into_iter();
            sequence(open.chain([Format::Rule(number)]).chain(self.after_first(number, true)).collect())
        });
        choice(forms.collect())
    }

    /// A call of any of the tools: the rule of a form.
    fn calls_of(&self, form: &Form) -> Format {
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
        let arguments = Format::Schema(tool.schema, written);
        let mut formats = Vec::new();
        let mut parts = parts.into_iter();
        while let Some(part) = parts.next() {
            formats.push(match part {
                Part::Text(text) => Format::Text(text),
                Part::Pattern(pattern) => Format::Pattern(pattern),
                // Any text goes on up to what ends the call.
                Part::Arguments if tool.is_free => {
                    let ends = parts.next().into_iter().filter_map(Part::into_text).collect();
                    Format::Tag { begin: String::new(), content: Box::new(arguments.clone()), ends }
                }
                Part::Arguments => arguments.clone(),
            });
        }
        sequence(formats)
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
    fn messages(&self, messages: &Messages, mode: Mode) -> Format {
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
        let calls = choice((0..self.family.forms.len()).map(Format::Rule).collect());
        match mode {
            Mode::Required => {
                let further = self.parallel.then(|| more(calls.clone()));
                sequence(
                    [Format::Star(Box::new(between(remark))), calls].into_iter().chain(further).collect(),
                )
            }
            Mode::Auto if !self.tools.is_empty() && !self.parallel => {
                sequence(vec![Format::Star(Box::new(between(remark))), choice(vec![answer, calls])])
            }
            _ => {
                let has_calls = mode == Mode::Auto && !self.tools.is_empty();
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
