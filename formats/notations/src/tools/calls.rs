//! The format of an output with calls of tools.
//!
//! ```text
//! [thinking] text CALL text CALL text      auto, calls anywhere in text
//! [thinking] text OPEN CALL CALL CLOSE     auto, calls in an enclosure
//! [thinking] OPEN CALL CALL CLOSE          required
//! ```

use super::asked::{Asked, Mode};
use super::definitions::{Definitions, Tool};
use super::family::{Channel, Family, Form, Message, Messages, Written};
use super::format::{self, Form as Values, Format, Word};
use super::options::Thinking;
use super::template::{Part, SPACE, behind, parts};
use gcc_grammar_ir::{Code, Diagnostic};
use std::collections::{BTreeMap, BTreeSet};

/// Where parsers take keys in any order, every set of keys is a state. There are at most so many for objects with the most keys, one in each tool; objects
/// with more keys have the order of declaration.
const MOST_SETS_OF_KEYS: usize = 128;
/// The most tools whose arguments may come before the name: until the name is read, there is a stack for each tool.
const MOST_WITH_LATE_NAMES: usize = 8;
/// The most keys that come in any order.
const MOST_IN_ANY_ORDER: u32 = 6;

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
        thinking_tokens: asked.thinking_tokens,
    };
    let has_calls = asked.mode != Mode::None && !output.tools.is_empty();
    let rules = family.forms.iter().filter(|_| has_calls).map(|form| output.calls_of(form)).collect();
    let format = match &family.messages {
        Some(messages) => sequence(vec![space(), output.messages(messages, asked.mode), space()]),
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
    /// The most tokens of a block of thoughts.
    thinking_tokens: Option<u32>,
}

impl Output<'_> {
    /// An output that is not divided into messages.
    fn texts(&self, asked: Asked) -> Format {
        let body = match (&self.family.channel, asked.mode) {
            (Some(channel), mode) => self.in_channel(channel, mode),
            (None, Mode::Auto) => self.text_with_calls(),
            (None, Mode::None) => self.text(),
            (None, Mode::Required) => sequence(vec![space(), self.only_calls(), space()]),
        };
        sequence(self.thinking(asked.thinking).into_iter().chain([body]).collect())
    }

    /// An output whose text stands in a channel, which the prompt may have begun.
    fn in_channel(&self, channel: &Channel, mode: Mode) -> Format {
        let optional =
            |mark: &String| Format::Optional(Box::new(sequence(vec![space(), Format::Text(mark.clone())])));
        let channel_with = |content: Format| {
            let ends = vec![channel.end.clone()];
            let content = Format::Tag { begin: String::new(), content: Box::new(content), ends };
            sequence(vec![optional(&channel.begin), content])
        };
        let answer = || match self.answer {
            Some(schema) => Format::Schema(schema, Values::default()),
            None => Format::Free(self.excludes()),
        };
        let calls = || sequence(vec![channel_with(space()), self.only_calls()]);
        let body = match mode {
            Mode::Required => calls(),
            Mode::Auto if self.tools.is_empty() => channel_with(answer()),
            Mode::Auto if self.answer.is_some() => choice(vec![calls(), channel_with(answer())]),
            Mode::Auto => {
                let further = Format::Optional(Box::new(self.only_calls()));
                sequence(vec![channel_with(answer()), further])
            }
            Mode::None => channel_with(answer()),
        };
        sequence(vec![body, optional(&channel.close), space()])
    }

    /// What is thought before everything else.
    fn thinking(&self, thinking: Thinking) -> Option<Format> {
        let marks = self.family.thinking.as_ref()?;
        let begin = || sequence(vec![Format::Pattern(r"\n?".to_owned()), Format::Text(marks.begin.clone())]);
        // Without the mark at the beginning, the text itself must not have it.
        let thoughts = Format::Tag {
            begin: String::new(),
            content: Box::new(self.thoughts(vec![word(marks.begin.trim_end())])),
            ends: vec![marks.end.clone()],
        };
        match thinking {
            Thinking::Off => None,
            Thinking::On => Some(sequence(vec![Format::Optional(Box::new(begin())), thoughts])),
            Thinking::Auto => Some(Format::Optional(Box::new(sequence(vec![begin(), thoughts])))),
        }
    }

    /// Thoughts without these words.
    fn thoughts(&self, excludes: Vec<Word>) -> Format {
        match self.thinking_tokens {
            Some(most) => Format::Limited(excludes, most),
            None => Format::Free(excludes),
        }
    }

    /// The words that no free text contains.
    fn excludes(&self) -> Vec<Word> {
        let marks = self.family.thinking.iter().chain(&self.family.answers);
        let marks = marks.flat_map(|marks| [marks.begin.trim_end(), marks.end.trim_end()]);
        let marks = marks.chain(self.family.marks.iter().map(String::as_str));
        marks.filter(|mark| !mark.is_empty()).map(word).collect()
    }

    /// Text without calls.
    fn text(&self) -> Format {
        if let Some(answer) = self.answer {
            return self.answers(Format::Schema(answer, Values::default()));
        }
        let triggers = self.family.forms.iter().flat_map(Form::written).map(|written| written.trigger);
        let triggers: BTreeSet<Word> = triggers
            .flat_map(|trigger| self.tools.iter().map(move |tool| parts(&trigger, &tool.name)))
            .collect();
        self.with_answer(Format::Free(self.excludes().into_iter().chain(triggers).collect()))
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
            content: Box::new(Format::Free(self.excludes())),
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
                space(),
                Format::Choice(vec![
                    sequence(vec![self.only_calls(), space()]),
                    self.answers(Format::Schema(answer, Values::default())),
                ]),
            ]);
        }
        let again = self.parallel && self.family.forms.iter().all(|form| form.text_after && !form.single);
        let mut rules: BTreeMap<Word, Vec<Format>> = BTreeMap::new();
        for (number, form) in self.family.forms.iter().enumerate() {
            for (trigger, firsts) in self.first_calls(form) {
                let rest = self.after_first(number, !form.text_after).into_iter();
                let rest = rest.chain((!again).then(space));
                let rest = sequence([choice(firsts)].into_iter().chain(rest).collect());
                rules.entry(trigger).or_default().push(rest);
            }
        }
        let excludes = self.excludes().into_iter().chain(self.left_out(&rules)).collect();
        let rules = rules.into_iter().map(|(trigger, rests)| (trigger, choice(rests))).collect();
        self.with_answer(Format::Dispatch { rules, excludes, again })
    }

    /// The ways to write a call with these tools.
    fn written(&self, form: &Form) -> Vec<Written> {
        let mut written = form.written();
        written.retain(|written| !written.is_late || self.tools.len() <= MOST_WITH_LATE_NAMES);
        written
    }

    /// How the calls begin that are left out, where that is no trigger: no other text begins so, since parsers would take it for a call.
    fn left_out(&self, rules: &BTreeMap<Word, Vec<Format>>) -> BTreeSet<Word> {
        let all = self.family.forms.iter().flat_map(Form::written).filter(|written| written.is_late);
        let begins = |trigger: &Word| !rules.contains_key(trigger);
        all.map(|written| parts(&written.trigger, "")).filter(begins).collect()
    }

    /// The first calls of a form without the trigger, by trigger.
    fn first_calls(&self, form: &Form) -> BTreeMap<Word, Vec<Format>> {
        let mut by_trigger: BTreeMap<Word, Vec<Format>> = BTreeMap::new();
        for Written { trigger, call, .. } in self.written(form) {
            for tool in &self.tools {
                let trigger = parts(&trigger, &tool.name);
                let first = self.call(form, tool, &format!("{}{call}", form.open), &trigger);
                by_trigger.entry(trigger).or_default().push(first);
            }
        }
        by_trigger
    }

    /// What follows the first call: further ones, if there may be, and the end.
    fn after_first(&self, number: usize, has_more: bool) -> Vec<Format> {
        let form = &self.family.forms[number];
        let enclosed = !form.close.is_empty();
        let mut rest = Vec::new();
        if self.parallel && !form.single && (has_more || enclosed) {
            let more = self.plain(&form.separator).into_iter().chain([Format::Rule(number)]).collect();
            rest.push(Format::Star(Box::new(sequence(more))));
        }
        rest.extend(self.plain(&form.close));
        rest
    }

    /// Calls, and no other text.
    fn only_calls(&self) -> Format {
        choice((0..self.family.forms.len()).map(|number| self.only_calls_of(number)).collect())
    }

    /// Calls of a form.
    fn only_calls_of(&self, number: usize) -> Format {
        let form = &self.family.forms[number];
        let open = self.plain(&form.open).into_iter();
        let all =
            sequence(open.chain([Format::Rule(number)]).chain(self.after_first(number, true)).collect());
        if !form.repeats || !self.parallel {
            return all;
        }
        let further = sequence(vec![space(), all.clone()]);
        sequence(vec![all, Format::Star(Box::new(further))])
    }

    /// A call of any of the tools: the rule of a form.
    fn calls_of(&self, form: &Form) -> Format {
        let written = self.written(form);
        let calls =
            self.tools.iter().flat_map(|tool| written.iter().map(move |written| (tool, &written.call)));
        choice(calls.map(|(tool, call)| self.call(form, tool, call, &Word::new())).collect())
    }

    /// A call without the word that it begins with.
    fn call(&self, form: &Form, tool: &Tool, template: &str, without: &Word) -> Format {
        let parts = parts(template, &tool.name);
        let parts = behind(&parts, without).unwrap_or(parts);
        let style = form.style.as_ref().unwrap_or(&self.family.style).clone();
        let written = Values { style, any_order: self.any_order(), only_objects: true };
        let arguments = Format::Schema(tool.schema, written);
        let mut formats = Vec::new();
        let mut parts = parts.into_iter();
        while let Some(part) = parts.next() {
            formats.push(match part {
                Part::Text(text) => Format::Text(text),
                Part::Pattern(pattern) => Format::Pattern(pattern),
                // Any text goes on up to what ends the call, white space before that included.
                Part::Arguments if tool.is_free => {
                    let ends = parts.by_ref().find_map(Part::into_text).into_iter().collect();
                    Format::Tag { begin: String::new(), content: Box::new(arguments.clone()), ends }
                }
                Part::Arguments => arguments.clone(),
            });
        }
        sequence(formats)
    }

    /// The most keys of an object that come in any order. Decided by the number of tools, before any work.
    fn any_order(&self) -> u32 {
        let sets_of_a_tool = MOST_SETS_OF_KEYS / self.tools.len().max(1);
        let keys = sets_of_a_tool.checked_ilog2().unwrap_or(0).min(MOST_IN_ANY_ORDER);
        if self.family.any_order { keys } else { 0 }
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

    /// A message with a content.
    fn message(&self, message: &Message, content: &Format) -> Format {
        let with_beginning = |begin: &String| {
            let tag =
                |begin| Format::Tag { begin, content: Box::new(content.clone()), ends: message.ends.clone() };
            let mut formats = self.plain(begin);
            let last = formats.pop();
            match last {
                Some(Format::Text(text)) => formats.push(tag(text)),
                last => formats.extend(last.into_iter().chain([tag(String::new())])),
            }
            sequence(formats)
        };
        choice(message.begins.iter().map(with_beginning).collect())
    }

    /// A message with any text but marks.
    fn any_message(&self, message: &Message) -> Format {
        self.message(message, &Format::Free(self.excludes()))
    }

    /// A message with a call, or with calls between marks.
    fn message_of(&self, number: usize) -> Format {
        let form = &self.family.forms[number];
        let is_single = form.open.is_empty() && form.close.is_empty();
        if is_single { Format::Rule(number) } else { self.only_calls_of(number) }
    }

    /// An output that is a list of messages.
    fn messages(&self, messages: &Messages, mode: Mode) -> Format {
        let separator = || sequence(self.plain(&messages.separator));
        let between = |message: Format| sequence(vec![message, separator()]);
        let more = |message: Format| Format::Star(Box::new(sequence(vec![separator(), message])));
        let answer = match self.answer {
            None => self.any_message(&messages.answer),
            Some(schema) => self.message(&messages.answer, &Format::Schema(schema, Values::default())),
        };
        // A remark that begins as an answer does is one, unless a call follows for sure.
        let is_answer = messages.remark.begins == messages.answer.begins && mode != Mode::Required;
        let remark = if is_answer { answer.clone() } else { self.any_message(&messages.remark) };
        let thoughts = self.thinks.then(|| self.message(&messages.thinking, &self.thoughts(self.excludes())));
        let remarks: Vec<Format> = [remark].into_iter().chain(thoughts).collect();
        let remark = choice(remarks.clone());
        let calls = choice((0..self.family.forms.len()).map(|number| self.message_of(number)).collect());
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
                let others = (!is_answer).then_some(answer).into_iter().chain(has_calls.then_some(calls));
                let any = choice(remarks.into_iter().chain(others).collect());
                sequence(vec![any.clone(), more(any)])
            }
        }
    }
}

/// White space before calls that no text precedes, and after calls that no text follows.
fn space() -> Format {
    Format::Pattern(SPACE.to_owned())
}

/// A text as a word that free text does not contain.
fn word(text: &str) -> Word {
    vec![Part::Text(text.to_owned())]
}

fn sequence(mut formats: Vec<Format>) -> Format {
    if formats.len() == 1 { formats.remove(0) } else { Format::Sequence(formats) }
}

fn choice(mut formats: Vec<Format>) -> Format {
    if formats.len() == 1 { formats.remove(0) } else { Format::Choice(formats) }
}
