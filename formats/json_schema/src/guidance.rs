//! The object `x-guidance` at the top level of a schema: options of llguidance that the author of the schema has chosen.
//!
//! Input: the root of the schema. Output: a [`Guidance`], or errors located at the members. A member whose meaning cannot be honoured is
//! refused by name. A member that is missing leaves the option of the compilation as it is.
//!
//! | member | meaning here |
//! |---|---|
//! | `whitespace_flexible` | true: any white space between the tokens; false: none |
//! | `whitespace_pattern` | white space that matches this pattern, or none, at each place between the tokens; decides before `whitespace_flexible` |
//! | `item_separator`, `key_separator` | patterns of the comma and the colon; white space is allowed around them as everywhere |
//! | `coerce_one_of` | true: `oneOf` is enforced as `anyOf`, and the report says so |
//! | `lenient` | true: keywords that cannot be enforced are left out and reported, and `oneOf` is enforced as `anyOf` |
//!
//! Of the texts that match a pattern, those count that are JSON: white space, with one comma or colon in a separator. `\s` in a pattern, for
//! example, also matches white space that JSON does not have.
//!
//! Source: `docs/json_schema.md` and `JsonCompileOptions` of [llguidance](https://github.com/guidance-ai/llguidance) 1.9.

use crate::options::{Options, Unenforced};
use crate::read::document::{Value, ValueId, Values};
use crate::read::keywords::child_pointer;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_regular::{Dfa, PatternFlags, Regex, RegularLimits};
use std::sync::Arc;

/// The name of the object.
pub(crate) const KEYWORD: &str = "x-guidance";

/// The members.
const MEMBERS: &str =
    "whitespace_flexible, whitespace_pattern, item_separator, key_separator, coerce_one_of, lenient";

/// What an object `x-guidance` demands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guidance {
    /// The white space at each place between the tokens.
    pub(crate) space: Option<Regex>,
    /// The comma, with white space around it.
    pub(crate) item_separator: Option<Regex>,
    /// The colon, with white space around it.
    pub(crate) key_separator: Option<Regex>,
    /// Whether `oneOf` is enforced as `anyOf`.
    pub(crate) coerce_one_of: bool,
    /// Whether keywords that cannot be enforced are left out.
    lenient: bool,
}

impl Guidance {
    /// Reads the object of a schema, if it has one.
    pub(crate) fn read(
        values: &Values,
        root: ValueId,
        limits: &RegularLimits,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader { values, limits, guidance: Self::default(), errors: Vec::new() };
        if let Value::Object(members) = values.get(root) {
            let guidance = members.iter().find(|(name, _)| &**name == KEYWORD);
            guidance.into_iter().for_each(|(_, value)| reader.object(*value));
        }
        if reader.errors.is_empty() { Ok(reader.guidance) } else { Err(reader.errors) }
    }

    /// Whether the object says something about white space or separators.
    pub(crate) fn has_space(&self) -> bool {
        self.space.is_some() || self.item_separator.is_some() || self.key_separator.is_some()
    }

    /// The options with what the object changes in them.
    pub(crate) fn apply(&self, options: &Options) -> Options {
        let mut options = options.clone();
        if self.lenient {
            options.unenforced = Unenforced::Allow;
        }
        options
    }
}

/// Reads the members, and collects errors.
struct Reader<'v> {
    values: &'v Values,
    limits: &'v RegularLimits,
    guidance: Guidance,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn object(&mut self, object: ValueId) {
        let Value::Object(members) = self.values.get(object).clone() else {
            return self.error("", Code::InvalidSchema, "an object is expected here".to_owned(), "");
        };
        let mut pattern = None;
        for (name, value) in members.iter() {
            match &**name {
                "whitespace_flexible" => {
                    let flexible = self.flag(name, *value);
                    self.guidance.space = flexible.map(|flexible| match flexible {
                        true => spaces(),
                        false => Regex::empty(),
                    });
                }
                "whitespace_pattern" if matches!(self.values.get(*value), Value::Null) => {}
                "whitespace_pattern" => {
                    pattern = self.pattern(name, *value, &spaces(), "white space").map(Regex::optional)
                }
                "item_separator" => {
                    let form = Regex::concat([spaces(), Regex::literal(","), spaces()]);
                    self.guidance.item_separator =
                        self.pattern(name, *value, &form, "a comma and white space around it");
                }
                "key_separator" => {
                    let form = Regex::concat([spaces(), Regex::literal(":"), spaces()]);
                    self.guidance.key_separator =
                        self.pattern(name, *value, &form, "a colon and white space around it");
                }
                "coerce_one_of" => self.guidance.coerce_one_of |= self.flag(name, *value) == Some(true),
                "lenient" => {
                    let lenient = self.flag(name, *value) == Some(true);
                    self.guidance.lenient |= lenient;
                    self.guidance.coerce_one_of |= lenient;
                }
                "json_allowed_escapes" | "json_allow_general_unicode_escapes" => self.escapes(name, *value),
                _ => {
                    let help = format!("the members are {MEMBERS}");
                    self.error(name, Code::InvalidSchema, format!("{KEYWORD} has no member {name}"), &help);
                }
            }
        }
        if pattern.is_some() {
            self.guidance.space = pattern;
        }
    }

    /// The members about escapes, which may only be null.
    fn escapes(&mut self, name: &str, value: ValueId) {
        if !matches!(self.values.get(value), Value::Null) {
            let message = format!("{name} is not supported");
            let help = "leave it out; the option --strings chooses all spellings of strings, or one for each character";
            self.error(name, Code::Unenforceable, message, help);
        }
    }

    fn flag(&mut self, name: &str, value: ValueId) -> Option<bool> {
        if let Value::Bool(flag) = self.values.get(value) {
            return Some(*flag);
        }
        self.error(name, Code::InvalidSchema, "true or false is expected here".to_owned(), "");
        None
    }

    /// The texts of a pattern that have the form. There must be one.
    fn pattern(&mut self, name: &str, value: ValueId, form: &Regex, texts: &str) -> Option<Regex> {
        let Value::String(pattern) = self.values.get(value) else {
            self.error(name, Code::InvalidSchema, "a string is expected here".to_owned(), "");
            return None;
        };
        match self.language(pattern, form) {
            Ok(Some(language)) => return Some(Regex::Automaton(Arc::new(language))),
            Ok(None) => {
                let message = format!("{name} matches no text that is {texts}");
                self.error(name, Code::Unenforceable, message, "other texts would not be JSON");
            }
            Err((code, message)) => self.error(name, code, message, ""),
        }
        None
    }

    /// The texts of a pattern that have the form; none if there is none.
    fn language(&self, pattern: &str, form: &Regex) -> Result<Option<Dfa>, (Code, String)> {
        let regex = Regex::parse(pattern, PatternFlags::default());
        let regex = regex.map_err(|error| (Code::InvalidSchema, Diagnostic::from(error).message))?;
        let too_large = |error| (Code::TooLarge, format!("this pattern is too large: {error}"));
        let language = regex.to_dfa(self.limits).map_err(too_large)?;
        let form = form.to_dfa(self.limits).map_err(too_large)?;
        let language = language.intersect(&form, self.limits).map_err(too_large)?;
        Ok((!language.is_empty()).then_some(language))
    }

    /// Adds an error at a member, or at the object. `help` may be empty.
    fn error(&mut self, member: &str, code: Code, message: String, help: &str) {
        let object = child_pointer("", KEYWORD);
        let pointer = if member.is_empty() { object } else { child_pointer(&object, member) };
        let mut error = Diagnostic::error(code, message).at(Location::Pointer(pointer));
        error.help = (!help.is_empty()).then(|| help.to_owned());
        self.errors.push(error);
    }
}

/// Any white space of JSON.
fn spaces() -> Regex {
    Regex::Bytes(b" \t\r\n".iter().copied().collect()).star()
}
