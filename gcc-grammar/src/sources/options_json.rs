//! Options as JSON, for bindings to other languages: the names are those of the command line, with underscores.
//!
//! In: an object such as `{"whitespace": "compact", "limits": {"work": 1000000}}`; every member may be missing or null. Out: [`Options`].
//! Unknown members and values are refused.

use crate::error::{Error, ErrorKind, SourceText};
use crate::sources::options::{LimitOptions, Options, SchemaOptions, Strict, ToolOptions};
use crate::text::json_object;
use gcc_grammar_compiler::Interrupt;
use gcc_grammar_ir::json::Members;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_json_schema::Narrowing;
use gcc_grammar_notations::tools::{Chosen, Families};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::str::FromStr;

/// The name of the input in errors.
const NAME: &str = "options";

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default, expecting = "an object of options")]
struct Written {
    start: Option<String>,
    import_folders: Option<Vec<PathBuf>>,
    lexer: Option<String>,
    indenter: Option<String>,
    model: Option<Box<RawValue>>,
    families: Option<Box<RawValue>>,
    tool_choice: Option<Box<RawValue>>,
    #[serde(alias = "parallel_tool_calls")]
    parallel: Option<bool>,
    thinking: Option<String>,
    thinking_tokens: Option<u32>,
    profile: Option<String>,
    whitespace: Option<String>,
    strings: Option<String>,
    integer_spelling: Option<String>,
    number_digits: Option<NonZeroU16>,
    property_order: Option<String>,
    repeated_keys: Option<String>,
    formats: Option<String>,
    unenforced: Option<String>,
    draft: Option<String>,
    integer_with_point: Option<bool>,
    resources: Option<Members<String>>,
    strict: Option<WrittenStrict>,
    allow_narrowed: Option<Vec<String>>,
    special_tokens: Option<String>,
    budgets: Option<String>,
    #[serde(deserialize_with = "limits")]
    limits: Option<LimitOptions>,
}

/// `true`, `false` or `"all"`.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "strict is true, false or \"all\"")]
enum WrittenStrict {
    Is(bool),
    Word(StrictWord),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StrictWord {
    All,
}

impl From<WrittenStrict> for Strict {
    fn from(written: WrittenStrict) -> Self {
        match written {
            WrittenStrict::Is(false) => Self::Off,
            WrittenStrict::Is(true) => Self::On,
            WrittenStrict::Word(StrictWord::All) => Self::All,
        }
    }
}

impl Options {
    /// Reads options from a JSON object with the members `start`, `import_folders`, `lexer`, `indenter`, `model` (a name, or the object of a family), `families` (such objects, or the text of a file with them), `tool_choice` (a text, or as requests
    /// write it), `parallel`, `thinking`, `thinking_tokens`, `profile`, `whitespace`, `strings`, `integer_spelling`, `number_digits`, `property_order`, `repeated_keys`,
    /// `formats`, `unenforced`, `draft`, `integer_with_point`, `resources` (an object from URI to text), `strict` (`true`, `false` or `"all"`), `allow_narrowed` (a
    /// list of kinds, with `strict` only), `special_tokens`, `budgets` and `limits` (an object with `work`, `bytes`, `lr_states`, `lexer_states`, `dwa_states`, `terminal_states`).
    ///
    /// # Errors
    /// The text is no such object.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let written: Written = json_object(text).map_err(refused)?;
        Ok(Self {
            tools: written.tools()?,
            schema: written.schema()?,
            allow_narrowed: written.allow_narrowed()?,
            special_tokens: value(written.special_tokens.as_deref())?,
            budgets: value(written.budgets.as_deref())?,
            strict: written.strict(),
            start: written.start,
            import_folders: written.import_folders.unwrap_or_default(),
            lexer: value(written.lexer.as_deref())?,
            indenter: value(written.indenter.as_deref())?,
            limits: written.limits.unwrap_or_default(),
            interrupt: Interrupt::default(),
        })
    }
}

impl Written {
    fn strict(&self) -> Strict {
        self.strict.map_or_else(Strict::default, Strict::from)
    }

    fn allow_narrowed(&self) -> Result<Vec<Narrowing>, Error> {
        let kinds = self.allow_narrowed.as_deref().unwrap_or_default();
        if self.strict() == Strict::Off && !kinds.is_empty() {
            return Err(refused("allow_narrowed has an effect only if strict is true"));
        }
        kinds.iter().map(|kind| kind.parse().map_err(refused)).collect()
    }

    fn tools(&self) -> Result<ToolOptions, Error> {
        let default = ToolOptions::default();
        let chosen = value::<Chosen>(self.tool_choice.as_deref().map(unquoted).as_deref())?;
        let parallel = [self.parallel, chosen.parallel].into_iter().all(|allowed| allowed != Some(false));
        let families = self.families()?;
        let only = || families.only().ok().map(|family| family.name.clone());
        Ok(ToolOptions {
            model: self.model.as_deref().map(unquoted).or_else(only),
            families,
            choice: chosen.choice,
            parallel,
            thinking: value_or(self.thinking.as_deref(), default.thinking)?,
            thinking_tokens: self.thinking_tokens,
        })
    }

    fn families(&self) -> Result<Families, Error> {
        let Some(text) = self.families.as_deref().map(unquoted) else { return Ok(Families::default()) };
        Families::read(&text).map_err(|error| {
            Error::refused(vec![error], &SourceText { text, ..SourceText::named("families") })
        })
    }

    fn schema(&self) -> Result<SchemaOptions, Error> {
        let profile = self.profile.as_deref().map(str::parse).transpose().map_err(refused)?;
        let default = profile.map_or_else(SchemaOptions::default, SchemaOptions::of);
        Ok(SchemaOptions {
            whitespace: value_or(self.whitespace.as_deref(), default.whitespace)?,
            strings: value_or(self.strings.as_deref(), default.strings)?,
            integer_spelling: value_or(self.integer_spelling.as_deref(), default.integer_spelling)?,
            property_order: value_or(self.property_order.as_deref(), default.property_order)?,
            repeated_keys: value_or(self.repeated_keys.as_deref(), default.repeated_keys)?,
            formats: value_or(self.formats.as_deref(), default.formats)?,
            unenforced: value_or(self.unenforced.as_deref(), default.unenforced)?,
            draft: self.draft.as_deref().map(str::parse).transpose().map_err(refused)?,
            number_digits: self.number_digits,
            integer_with_point: self.integer_with_point,
            resources: self.resources.clone().unwrap_or_default().0,
            ..default
        })
    }
}

/// The text of a string, or the JSON of another value.
fn unquoted(value: &RawValue) -> String {
    serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned())
}

fn value<T: FromStr<Err: std::fmt::Display> + Default>(text: Option<&str>) -> Result<T, Error> {
    value_or(text, T::default())
}

fn value_or<T: FromStr<Err: std::fmt::Display>>(text: Option<&str>, default: T) -> Result<T, Error> {
    text.map_or(Ok(default), |text| text.parse().map_err(refused))
}

/// Limits, which are an object, too.
fn limits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LimitOptions>, D::Error> {
    let written = Option::<Box<RawValue>>::deserialize(deserializer)?;
    let read = |written: Box<RawValue>| json_object(written.get()).map_err(|error| in_limits(&error));
    written.map(read).transpose().map_err(D::Error::custom)
}

/// An error in the limits without its place, which would count from their beginning.
fn in_limits(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("limits: {}", message.strip_suffix(&place).unwrap_or(&message))
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Refused, NAME, Diagnostic::error(Code::Usage, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::SpecialTokens;
    use gcc_grammar_json_schema::{Strings, Whitespace};
    use gcc_grammar_notations::tools::{Choice, Thinking};

    #[test]
    fn options_are_read_from_json() {
        let options = Options::from_json(
            r#"{"start": "s", "whitespace": "flexible:4", "strings": "canonical", "draft": null,
                "resources": {"a": "{}"}, "strict": true, "allow_narrowed": ["key-order"], "special_tokens": "only", "limits": {"work": 7}}"#,
        );
        let options = options.expect("valid");
        assert_eq!(options.start.as_deref(), Some("s"));
        assert_eq!(options.schema.whitespace, Whitespace::Flexible { max: 4 });
        assert_eq!((options.schema.strings, options.schema.draft), (Strings::Canonical, None));
        assert_eq!(options.schema.resources, [("a".to_owned(), "{}".to_owned())]);
        assert_eq!((options.strict, &options.allow_narrowed[..]), (Strict::On, &[Narrowing::KeyOrder][..]));
        assert_eq!(Options::from_json(r#"{"strict": "all"}"#).expect("valid").strict, Strict::All);
        assert_eq!(options.special_tokens, SpecialTokens::Only);
        assert_eq!((options.limits.work, options.limits.bytes), (Some(7), None));
    }

    #[test]
    fn calls_of_tools_are_options() {
        let text = r#"{"model": "qwen3", "tool_choice": "f", "parallel": false, "thinking": "auto", "thinking_tokens": 9}"#;
        let tools = Options::from_json(text).expect("valid").tools;
        let expected = ToolOptions {
            model: Some("qwen3".to_owned()),
            families: Families::default(),
            choice: Choice::Tool("f".to_owned()),
            parallel: false,
            thinking: Thinking::Auto,
            thinking_tokens: Some(9),
        };
        assert_eq!(tools, expected);
        assert_eq!(Options::from_json("{}").expect("valid").tools, ToolOptions::default());
        let tools = |text| Options::from_json(text).map(|options| options.tools);
        let chosen = tools(
            r#"{"model": {"name": "mine"}, "tool_choice": {"type": "any", "disable_parallel_tool_use": true}}"#,
        );
        let chosen = chosen.expect("an object");
        assert_eq!((chosen.choice, chosen.parallel), (Choice::Required, false));
        assert_eq!(chosen.model.as_deref(), Some(r#"{"name": "mine"}"#));
        let several = tools(r#"{"tool_choice": ["f", "g"]}"#).expect("a list").choice;
        assert_eq!(several, Choice::Tools { names: vec!["f".to_owned(), "g".to_owned()], required: true });
        let mine = r#"{"name": "mine", "forms": [{"trigger": "c", "calls": ["c $arguments"]}]}"#;
        let other = mine.replace("mine", "other");
        for (text, model, count) in [
            (format!(r#"{{"families": {mine}}}"#), Some("mine"), 1),
            (format!(r#"{{"families": [{mine}], "model": "hermes"}}"#), Some("hermes"), 1),
            (format!(r#"{{"families": [{mine}, {other}]}}"#), None, 2),
            (format!(r#"{{"families": {}}}"#, serde_json::Value::from(mine)), Some("mine"), 1),
        ] {
            let tools = Options::from_json(&text).expect("families").tools;
            assert_eq!((tools.model.as_deref(), tools.families.as_slice().len()), (model, count), "{text}");
        }
        let wrong = tools(r#"{"families": {"name": "mine"}}"#).expect_err("no forms").to_string();
        assert!(wrong.contains("\"forms\" is missing") && wrong.contains("families"), "{wrong}");
        let wrong = tools(r#"{"tool_choice": {"type": "functoin"}}"#).expect_err("no type").to_string();
        assert!(wrong.contains("did you mean function?"), "{wrong}");
        assert!(
            Options::from_json(r#"{"thinking": "yes"}"#)
                .expect_err("no value")
                .to_string()
                .contains("off, on or auto")
        );
    }

    #[test]
    fn what_is_given_beats_the_profile() {
        let options = |text| Options::from_json(text).expect(text).schema;
        let outlines = options(r#"{"profile": "outlines"}"#);
        assert_eq!((outlines.whitespace, outlines.strings), (Whitespace::Single, Strings::Canonical));
        let compact = options(r#"{"profile": "outlines", "whitespace": "compact"}"#);
        assert_eq!((compact.whitespace, compact.strings), (Whitespace::Compact, Strings::Canonical));
        assert_eq!(compact.profile, outlines.profile);
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, message) in [
            ("", "EOF"),
            ("[1]", "expected a JSON object, found an array"),
            ("[]", "expected a JSON object, found an array"),
            (r#"{"limits": []}"#, "expected a JSON object, found an array"),
            (r#"{"whitespace": "any", "whitespace": "compact"}"#, "duplicate field `whitespace`"),
            (r#"{"limits": {"work": 1, "work": 2}}"#, "duplicate field `work`"),
            (r#"{"resources": {"a": "{}", "a": "true"}}"#, "the key \"a\" occurs twice"),
            (r#"{"whitespaces": "any"}"#, "unknown field `whitespaces`"),
            (r#"{"whitespace": "some"}"#, "`some` is not a value for white space"),
            (r#"{"special_tokens": "no"}"#, "`no` is not a value for special tokens"),
            (r#"{"limits": {"work": -1}}"#, "limits: invalid value"),
            ("null", "expected an object of options"),
            (r#"{"limits": 1}"#, "limits: invalid type: integer `1`, expected an object of limits at line 1"),
            (
                r#"{"strict": true, "allow_narrowed": ["order"]}"#,
                "`order` is not a value for the kinds of narrowings",
            ),
            (r#"{"allow_narrowed": ["key-order"]}"#, "only if strict is true"),
        ] {
            let error = Options::from_json(text).expect_err(text).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
