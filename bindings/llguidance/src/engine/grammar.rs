//! What a kind and a text mean: a source to compile, or an artifact to load.
//!
//! In: a kind of llguidance (`lark`, `json`, `json_schema`, `json_object`, `regex`, `llguidance`, `guidance`), `structural_tag`, `artifact`,
//! or a notation of gcc-grammar; and a text. Out: a [`Request`]. Members of `%llguidance {…}` and `x-guidance` that gcc-grammar cannot follow
//! are refused, not ignored.

use gcc_grammar::json_schema::{Options as SchemaOptions, Whitespace};
use gcc_grammar::{Notation, Options, Source};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The message for a list of grammars that has none or several.
pub(crate) const NOT_ONE: &str = "a list of grammars must have one grammar, with json_schema or lark_grammar";

/// What a matcher is made of.
pub(crate) struct Request {
    pub(crate) content: Content,
    /// Whether the model may cut certain text into tokens as it likes.
    pub(crate) no_forcing: bool,
}

/// A source to compile, or an artifact to load.
pub(crate) enum Content {
    /// Boxed: it is much larger than a name.
    Source(Box<(Source, Options)>),
    /// The name of an artifact in the store.
    Artifact(String),
}

/// The options of `%llguidance {…}`; `artifact` is ours.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Directive {
    no_forcing: bool,
    allow_invalid_utf8: bool,
    allow_initial_skip: bool,
    artifact: Option<String>,
}

/// The options of `x-guidance` in a schema.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Guidance {
    item_separator: Option<String>,
    key_separator: Option<String>,
    whitespace_flexible: Option<bool>,
    whitespace_pattern: Option<String>,
    #[serde(rename = "coerce_one_of")]
    _coerce_one_of: bool,
    lenient: bool,
    json_allowed_escapes: Option<String>,
    #[serde(rename = "json_allow_general_unicode_escapes")]
    _json_allow_general_unicode_escapes: bool,
}

/// Several grammars as JSON, of which one is supported.
#[derive(Deserialize)]
struct GrammarList {
    grammars: Vec<Listed>,
    max_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Listed {
    json_schema: Option<Box<RawValue>>,
    lark_grammar: Option<String>,
}

impl Request {
    fn source(source: Source, options: Options) -> Self {
        Self { content: Content::Source(Box::new((source, options))), no_forcing: false }
    }
}

/// Reads a grammar. `options` are the user's for all grammars.
pub(crate) fn read(kind: &str, data: &str, options: Options) -> Result<Request, String> {
    match kind {
        "regex" => lark(&of_pattern(data), options),
        "json" | "json_schema" => schema(data, options),
        "json_object" => Ok(Request::source(Source::json_object(None), options)),
        "lark" => lark(data, options),
        "llguidance" | "guidance" => listed(data, options),
        "structural_tag" => Ok(Request::source(Source::structural_tag(data), options)),
        "artifact" => Ok(Request { content: Content::Artifact(data.trim().to_owned()), no_forcing: false }),
        kind => match kind.parse::<Notation>() {
            Ok(notation) => Ok(Request::source(Source::new(notation, data), options)),
            Err(_) => Err(format!("unknown constraint type: {kind}")),
        },
    }
}

/// A Lark grammar of the texts that match a regular expression.
pub(crate) fn of_pattern(pattern: &str) -> String {
    format!("%llguidance {{}}\nstart: /{}/\n", between_slashes(pattern))
}

/// A pattern as it is written between slashes in Lark.
fn between_slashes(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() + 8);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '/' => written.push_str("\\/"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\\' => {
                written.push('\\');
                written.extend(characters.next());
            }
            character => written.push(character),
        }
    }
    written
}

/// A Lark grammar. One that is nothing but `start: %json {…}`, as llama.cpp writes it, is the schema.
fn lark(data: &str, options: Options) -> Result<Request, String> {
    let (directive, rest) = directive(data)?;
    if directive.allow_invalid_utf8 || directive.allow_initial_skip {
        return Err("%llguidance: allow_invalid_utf8 and allow_initial_skip are not supported".into());
    }
    if let Some(artifact) = directive.artifact {
        return Ok(Request { content: Content::Artifact(artifact), no_forcing: directive.no_forcing });
    }
    let request = match only_schema(rest) {
        Some(text) => schema(text, options)?,
        // The dialect of llguidance holds without the directive, too.
        None if data.contains("%llguidance") => Request::source(Source::lark(data), options),
        None => Request::source(Source::lark(format!("%llguidance {{}}\n{data}")), options),
    };
    Ok(Request { no_forcing: directive.no_forcing, ..request })
}

/// The options of a leading `%llguidance {…}`, and what follows it.
fn directive(data: &str) -> Result<(Directive, &str), String> {
    let Some(object) = data.trim_start().strip_prefix("%llguidance") else {
        return Ok((Directive::default(), data));
    };
    let mut values = serde_json::Deserializer::from_str(object).into_iter::<Directive>();
    match values.next() {
        Some(Ok(directive)) => Ok((directive, &object[values.byte_offset()..])),
        Some(Err(error)) => Err(format!("%llguidance: {error}")),
        None => Err("%llguidance: an object of options is missing".into()),
    }
}

/// The schema of a grammar that is nothing but `start: %json {…}`.
fn only_schema(grammar: &str) -> Option<&str> {
    let rule = grammar.trim().strip_prefix("start")?.trim_start().strip_prefix(':')?;
    let schema = rule.trim_start().strip_prefix("%json")?.trim();
    serde_json::from_str::<&RawValue>(schema).ok().map(|_| schema)
}

/// A JSON Schema with llguidance's options in `x-guidance`.
fn schema(text: &str, mut options: Options) -> Result<Request, String> {
    // A text that is no JSON is refused by the front end, with its place.
    if let Ok(Value::Object(mut schema)) = serde_json::from_str(text)
        && let Some(guidance) = schema.remove("x-guidance")
    {
        let guidance: Guidance =
            serde_json::from_value(guidance).map_err(|error| format!("x-guidance: {error}"))?;
        guidance.apply(&mut options.schema)?;
    }
    Ok(Request::source(Source::json_schema(text), options))
}

impl Guidance {
    fn apply(self, options: &mut SchemaOptions) -> Result<(), String> {
        if self.json_allowed_escapes.is_some() {
            return Err("x-guidance: json_allowed_escapes is not supported".into());
        }
        if self.lenient {
            options.unenforced = gcc_grammar::json_schema::Unenforced::Allow;
        }
        let separators = (self.item_separator.as_deref(), self.key_separator.as_deref());
        let flexible = self.whitespace_flexible.unwrap_or(true);
        let flexible = match self.whitespace_pattern.as_deref() {
            None => flexible,
            Some("") => false,
            Some(r"[\x20\x0A\x0D\x09]+" | r"[ \t\n\r]*" | r"[ \t\n\r]+" | r"\s*" | r"\s+") => true,
            Some(pattern) => {
                return Err(format!("x-guidance: the whitespace_pattern {pattern:?} is not supported"));
            }
        };
        match (flexible, separators) {
            (true, (None | Some(","), None | Some(":"))) if self.whitespace_flexible.is_none() => {}
            (true, (None | Some(","), None | Some(":"))) => options.whitespace = Whitespace::Inner,
            (false, (None | Some(","), None | Some(":"))) => options.whitespace = Whitespace::Compact,
            (false, (Some(", "), Some(": "))) => options.whitespace = Whitespace::Spaced,
            _ => return Err("x-guidance: these separators are not supported: without white space they are \",\" and \":\", or \", \" and \": \"".into()),
        }
        Ok(())
    }
}

/// A Lark grammar, or a JSON list of grammars that has one.
fn listed(data: &str, options: Options) -> Result<Request, String> {
    if !data.trim_start().starts_with('{') {
        return lark(data, options);
    }
    let list: GrammarList = serde_json::from_str(data).map_err(|error| error.to_string())?;
    if list.max_tokens.is_some() {
        return Err("max_tokens of a list of grammars is not supported".into());
    }
    match list.grammars.as_slice() {
        [Listed { json_schema: Some(value), lark_grammar: None }] => schema(value.get(), options),
        [Listed { json_schema: None, lark_grammar: Some(text) }] => lark(text, options),
        _ => Err(NOT_ONE.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, data: &str) -> Result<(Notation, String, Whitespace), String> {
        match read(kind, data, Options::default())?.content {
            Content::Source(source) => {
                let (source, options) = *source;
                Ok((source.notation(), source.text().text.clone(), options.schema.whitespace))
            }
            Content::Artifact(name) => Err(format!("artifact {name}")),
        }
    }

    #[test]
    fn what_llama_cpp_sends_is_a_schema() {
        let sent = "%llguidance {}\nstart: %json {\"type\":\"object\"}";
        let (notation, text, _) = of("lark", sent).expect("a schema");
        assert_eq!((notation, text.as_str()), (Notation::JsonSchema, "{\"type\":\"object\"}"));
        for more in ["\nA: \"a\"", " | \"x\"", ""] {
            let grammar = format!("%llguidance {{}}\nstart: %json {{\"type\":\"object\"}}{more}");
            let expected = if more.is_empty() { Notation::JsonSchema } else { Notation::Lark };
            assert_eq!(of("lark", &grammar).expect("a grammar").0, expected, "{more}");
        }
    }

    #[test]
    fn kinds_have_the_names_of_llguidance() {
        assert_eq!(of("json", "{}").expect("valid").0, Notation::JsonSchema);
        assert_eq!(of("json_object", "").expect("valid").0, Notation::JsonSchema);
        assert_eq!(of("regex", "a/b\\/").expect("valid").1, "%llguidance {}\nstart: /a\\/b\\//\n");
        assert_eq!(of("structural_tag", "{}").expect("valid").0, Notation::StructuralTag);
        assert_eq!(of("gbnf", "root ::= \"a\"").expect("valid").0, Notation::Gbnf);
        assert_eq!(of("guidance", r#"{"grammars":[{"json_schema":{}}]}"#).expect("valid").1, "{}");
        // The schema stays as it is written, so that the front end finds repeated keys.
        let written = r#"{"type": "null", "type": "string"}"#;
        let list = format!(r#"{{"grammars":[{{"json_schema":{written}}}]}}"#);
        assert_eq!(of("guidance", &list).expect("a request").1, written);
        assert_eq!(of("guidance", "start: \"a\"").expect("valid").0, Notation::Lark);
        assert_eq!(of("artifact", " person ").expect_err("a name"), "artifact person");
        assert_eq!(of("lark", "%llguidance {\"artifact\": \"p\"}").expect_err("a name"), "artifact p");
        for (kind, data) in [("prose", ""), ("guidance", r#"{"grammars":[]}"#), ("lark", "%llguidance [")] {
            assert!(of(kind, data).is_err(), "{kind} {data}");
        }
    }

    #[test]
    fn options_are_followed_or_refused() {
        let with =
            |guidance: &str| of("json", &format!("{{\"x-guidance\":{guidance}}}")).map(|parts| parts.2);
        assert_eq!(with("{}"), Ok(Whitespace::default()));
        assert_eq!(with(r#"{"whitespace_flexible":true}"#), Ok(Whitespace::Inner));
        assert_eq!(with(r#"{"whitespace_flexible":false}"#), Ok(Whitespace::Compact));
        let spaced = r#"{"whitespace_flexible":false,"item_separator":", ","key_separator":": "}"#;
        assert_eq!(with(spaced), Ok(Whitespace::Spaced));
        for refused in
            [r#"{"item_separator":";"}"#, r#"{"unknown":1}"#, r#"{"json_allowed_escapes":"n"}"#, "1"]
        {
            assert!(with(refused).is_err(), "{refused}");
        }
        assert!(of("lark", "%llguidance {\"allow_invalid_utf8\":true}\nstart: \"a\"").is_err());
        assert!(
            read("lark", "%llguidance {\"no_forcing\":true}\nstart: \"a\"", Options::default())
                .is_ok_and(|r| r.no_forcing)
        );
    }
}
