//! Repetition operators, `*`, `+`, `?` and `{2,5}`, and the options of rules.
//!
//! Each method reads the construct at the cursor and moves the cursor behind it, or returns an error located in the text.

use super::cursor::{Cursor, error};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use std::ops::Range;

/// The bounds of a repetition, and where it is written.
pub(super) type Times = (u32, Option<u32>, Range<usize>);

impl Cursor<'_> {
    /// The repetition that comes next, and where it stands.
    pub(super) fn times(&mut self) -> Result<Option<Times>, Diagnostic> {
        let start = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.bounds().map(Some),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some((min, max, start..self.at)))
    }

    fn bounds(&mut self) -> Result<Times, Diagnostic> {
        let start = self.at;
        self.at += 1;
        self.space(false);
        if self.rest().starts_with(',') {
            return Err(self.expected("the smaller number").help("write {0,n} for at most n times"));
        }
        let min = self.number()?;
        self.space(false);
        let mut max = Some(min);
        if self.eat(",") {
            self.space(false);
            max = if self.rest().starts_with('}') { None } else { Some(self.number()?) };
            self.space(false);
        }
        if !self.eat("}") {
            return Err(self.expected("`}` after the numbers of a repetition"));
        }
        let span = start..self.at;
        if max.is_some_and(|max| max < min) {
            let message = "the second number is less than the first";
            return Err(error(Code::BadRepetition, message, span).help("write the smaller number first"));
        }
        Ok((min, max, span))
    }

    /// Skips options such as `[temperature=0.7, capture="x"]` after the name of a rule, which do not change the language. Returns the
    /// warning that one of them is not enforced, if so.
    pub(super) fn rule_options(&mut self) -> Result<Option<Diagnostic>, Diagnostic> {
        let start = self.at;
        if !self.eat("[") {
            return Ok(None);
        }
        let rest = self.rest();
        let end = rest.find([']', '\n']).filter(|&end| rest[end..].starts_with(']'));
        let Some(end) = end else { return Err(self.expected("`]` after the options of a rule")) };
        self.at += end + 1;
        let options: Vec<RuleOption<'_>> = rest[..end].split(',').map(RuleOption::read).collect();
        if let Some(help) = options.iter().find_map(RuleOption::refusal) {
            return Err(error(Code::BadOption, "there is no option of this form", start..self.at).help(help));
        }
        let span = start..self.at;
        self.space(false);
        Ok(options.iter().any(|option| option.name == "max_tokens").then(|| {
            let message = "max_tokens is not enforced: the number of tokens depends on the vocabulary";
            let warning = Diagnostic::warning(Code::NotEnforced, message).at(Location::Span(span));
            warning.help("bound the characters instead, as in [a-z]{0,200}")
        }))
    }
}

/// An option of a rule.
struct RuleOption<'t> {
    name: &'t str,
    value: Option<&'t str>,
}

impl<'t> RuleOption<'t> {
    fn read(text: &'t str) -> Self {
        match text.split_once('=') {
            Some((name, value)) => Self { name: name.trim(), value: Some(value.trim()) },
            None => Self { name: text.trim(), value: None },
        }
    }

    /// What to write instead, if the option is not supported.
    fn refusal(&self) -> Option<&'static str> {
        let is_number = || {
            self.value.and_then(|value| value.parse::<f64>().ok()).is_some_and(|n| n >= 0.0 && n.is_finite())
        };
        match self.name {
            "capture" | "stop_capture" => None,
            "temperature" | "max_tokens" if is_number() => None,
            "lazy" => Some(
                "write a text up to its first end as TagDispatch((\"<end>\", rest), loop_after_dispatch=false), \
                 or use Lark, which has lazy rules",
            ),
            "max_chars" => Some("count the characters instead, as in [a-z]{0,200}"),
            _ => Some("the options of a rule are capture, stop_capture, temperature=0.7 and max_tokens=20"),
        }
    }
}
