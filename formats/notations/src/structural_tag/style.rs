//! The styles of arguments: those with a name are one table, `styles.json`, and a caller may describe another one in the same form.
//!
//! A description is an object with the fields of [`Tags`], or with the `mark` around strings.

use super::json::{Object, Place};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_json_schema::{ItemTag, KEY, Kind, Marked, Style, Tags};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

const TAGS: &str =
    "before_key after_key kinds before_value end stop forbidden item lines capitals strips nulls escapes";
/// The most bytes of a text of a tag: each member of a schema has these texts.
const LONGEST: usize = 200;
/// The most names of a kind.
const MOST_NAMES: usize = 16;
/// All kinds that have no names of their own.
const ELSE: &str = "else";

/// A style as it is given: by its name, or by its description.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
#[serde(untagged)]
pub(crate) enum GivenStyle {
    Named(String),
    Marked(Marked),
    Tags(Box<Tags>),
}

impl Default for GivenStyle {
    fn default() -> Self {
        Self::Named("json".to_owned())
    }
}

impl GivenStyle {
    /// The style of the field `style`, if it is there.
    pub(crate) fn of(object: &Object<'_>) -> Result<Option<Self>, Diagnostic> {
        object.has("style").then(|| Self::read(object.place("style")?)).transpose()
    }

    fn read(place: Place<'_>) -> Result<Self, Diagnostic> {
        if place.value.get().starts_with('{') {
            return described(&place.object()?);
        }
        let given = Self::Named(place.text()?);
        match given.find() {
            Some(_) => Ok(given),
            None => {
                let error = place.error(format!("there is no style {}", place.value.get()));
                let names: Vec<&str> = fixed().into_iter().map(|(name, _)| name).collect();
                let names = names.into_iter().chain(table().keys().map(String::as_str)).collect::<Vec<_>>();
                Err(error.help(format!("the styles are {}; describe others by their tags", names.join(", "))))
            }
        }
    }

    /// The style.
    pub(crate) fn style(&self) -> Style {
        self.find().unwrap_or_default()
    }

    fn find(&self) -> Option<Style> {
        match self {
            Self::Named(name) => {
                let fixed = fixed().into_iter().find(|(known, _)| known == name).map(|(_, style)| style);
                fixed.or_else(|| table().get(name).cloned())
            }
            Self::Marked(marked) => Some(Style::Marked(marked.clone())),
            Self::Tags(tags) => Some(Style::Tags(Arc::new((**tags).clone()))),
        }
    }
}

/// The styles that need no description.
fn fixed() -> [(&'static str, Style); 2] {
    [("json", Style::Json), ("pythonic", Style::Python)]
}

/// The styles that are described in the table, by name.
fn table() -> &'static BTreeMap<String, Style> {
    static TABLE: LazyLock<BTreeMap<String, Style>> =
        LazyLock::new(|| read_table(include_str!("styles.json")).expect("a test reads the table"));
    &TABLE
}

fn read_table(text: &str) -> Result<BTreeMap<String, Style>, Diagnostic> {
    let table = Place::root(text, Code::BadFamily)?.object()?;
    let style = |name: &str| Ok((name.to_owned(), described(&table.object(name)?)?.style()));
    table.names().map(style).collect()
}

/// A style by its description.
fn described(object: &Object<'_>) -> Result<GivenStyle, Diagnostic> {
    if object.has("mark") {
        object.only("mark bare")?;
        let mark = text(object, "mark")?;
        unlike_itself(object, "mark", &mark)?;
        return Ok(GivenStyle::Marked(Marked { mark, bare: object.flag("bare", false)? }));
    }
    object.only(TAGS)?;
    let tags = Tags {
        before_key: text(object, "before_key")?,
        after_key: text(object, "after_key")?,
        kinds: kinds(object)?,
        before_value: text_or(object, "before_value", "")?,
        stop: stop(object)?,
        end: text(object, "end")?,
        forbidden: forbidden(object)?,
        item: object.has("item").then(|| item(&object.object("item")?)).transpose()?,
        lines: object.flag("lines", false)?,
        capitals: object.flag("capitals", false)?,
        strips: object.flag("strips", false)?,
        nulls: object.flag("nulls", false)?,
        escapes: escapes(object)?,
    };
    // Keys that the schema does not name are names, up to what stands behind them.
    if tags.after_key.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
        let message = "what stands behind a key begins with a sign that no name has";
        return Err(object.error("after_key", message));
    }
    Ok(GivenStyle::Tags(Box::new(tags)))
}

/// A text that is not empty.
fn text(object: &Object<'_>, field: &str) -> Result<String, Diagnostic> {
    match short(object, field)? {
        text if text.is_empty() => Err(object.error(field, "this text must not be empty")),
        text => Ok(text),
    }
}

fn text_or(object: &Object<'_>, field: &str, default: &str) -> Result<String, Diagnostic> {
    if object.has(field) { short(object, field) } else { Ok(default.to_owned()) }
}

fn short(object: &Object<'_>, field: &str) -> Result<String, Diagnostic> {
    let text = object.text(field)?;
    if text.len() > LONGEST {
        let message = format!("{} bytes are more than the {LONGEST} of a text of a style", text.len());
        return Err(object.error(field, message));
    }
    Ok(text)
}

/// What no string contains: a beginning of the end without the key.
fn stop(object: &Object<'_>) -> Result<String, Diagnostic> {
    let end = text(object, "end")?;
    let fixed = end.split(KEY).next().unwrap_or_default();
    let (field, stop) = match object.has("stop") {
        true => ("stop", text(object, "stop")?),
        false => ("end", fixed.to_owned()),
    };
    if stop.is_empty() || !fixed.starts_with(&stop) {
        let message = format!("{stop:?} is no beginning of the end {end:?} without its key");
        return Err(object.error(field, message));
    }
    unlike_itself(object, field, &stop)?;
    Ok(stop)
}

/// What no string contains besides the end.
fn forbidden(object: &Object<'_>) -> Result<Vec<String>, Diagnostic> {
    let texts = object.texts("forbidden", false)?;
    if texts.len() > MOST_NAMES || texts.iter().any(|text| text.is_empty() || text.len() > LONGEST) {
        let message = format!("give at most {MOST_NAMES} texts of 1 to {LONGEST} bytes");
        return Err(object.error("forbidden", message));
    }
    Ok(texts)
}

/// Refuses a text that may end within itself: a string that ends with the beginning of it would have two ends.
fn unlike_itself(object: &Object<'_>, field: &str, text: &str) -> Result<(), Diagnostic> {
    match text.char_indices().skip(1).find(|&(at, _)| text.starts_with(&text[at..])) {
        Some((at, _)) => {
            let message = format!(
                "{text:?} begins with its own end {:?}, so texts before it may end at two places",
                &text[at..]
            );
            Err(object.error(field, message))
        }
        None => Ok(()),
    }
}

/// The names of kinds: each a text, or a list of texts.
fn kinds(object: &Object<'_>) -> Result<BTreeMap<Kind, Vec<String>>, Diagnostic> {
    if !object.has("kinds") {
        return Ok(BTreeMap::new());
    }
    let given = object.object("kinds")?;
    given.only(&format!("{} {ELSE}", Kind::ALL.map(Kind::name).join(" ")))?;
    let names = |field: &str| {
        let is_list = given.place(field)?.value.get().starts_with('[');
        let names = if is_list { given.texts(field, true)? } else { vec![text(&given, field)?] };
        match names.is_empty() || names.len() > MOST_NAMES || names.iter().any(|name| name.len() > LONGEST) {
            true => {
                Err(given
                    .error(field, format!("a kind has 1 to {MOST_NAMES} names of up to {LONGEST} bytes")))
            }
            false => Ok(names),
        }
    };
    let of_kind = |kind: Kind| {
        let field = [kind.name(), ELSE].into_iter().find(|field| given.has(field));
        field.map(|field| Ok((kind, names(field)?)))
    };
    Kind::ALL.into_iter().filter_map(of_kind).collect()
}

fn item(object: &Object<'_>) -> Result<ItemTag, Diagnostic> {
    object.only("begin close key spaced")?;
    Ok(ItemTag {
        begin: text(object, "begin")?,
        close: text(object, "close")?,
        key: text_or(object, "key", "")?,
        spaced: object.flag("spaced", false)?,
    })
}

fn escapes(object: &Object<'_>) -> Result<BTreeMap<char, String>, Diagnostic> {
    if !object.has("escapes") {
        return Ok(BTreeMap::new());
    }
    let given = object.object("escapes")?;
    let escape = |name: &str| {
        let mut characters = name.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok((character, text(&given, name)?)),
            _ => Err(given.error(name, "one character is escaped")),
        }
    };
    given.names().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::Location;

    fn read(style: &str) -> Result<GivenStyle, Diagnostic> {
        let text = format!(r#"{{"style": {style}}}"#);
        let object = Place::root(&text, Code::BadFamily)?.object()?;
        Ok(GivenStyle::of(&object)?.expect("a style"))
    }

    /// Descriptions that are written out again are the same style.
    #[test]
    fn the_table_is_read_and_written() {
        let styles = read_table(include_str!("styles.json")).expect("a table");
        assert_eq!(styles.len(), 14);
        for (name, style) in styles {
            let named = read(&format!("{name:?}")).expect(&name);
            assert_eq!(named.style(), style);
            let described = match &style {
                Style::Tags(tags) => GivenStyle::Tags(Box::new((**tags).clone())),
                Style::Marked(marked) => GivenStyle::Marked(marked.clone()),
                other => panic!("{name}: {other:?}"),
            };
            let written = serde_json::to_string(&described).expect("JSON");
            assert_eq!(read(&written).expect(&name), described, "{written}");
        }
        assert_eq!(GivenStyle::default().style(), Style::Json);
    }

    #[test]
    fn what_is_wrong_with_a_description_is_located() {
        let long = "x".repeat(LONGEST + 1);
        for (style, pointer, message) in [
            (r#""xml""#, "/style", "there is no style \"xml\""),
            ("3", "/style", "expected a string"),
            ("{}", "/style", "\"before_key\" is missing"),
            (r#"{"mark": ""}"#, "/style/mark", "must not be empty"),
            (r#"{"mark": "''"}"#, "/style/mark", "begins with its own end"),
            (r#"{"mark": "'", "end": "'"}"#, "/style/end", "there is no field"),
            (r#"{"before_key": "<", "after_key": "of", "end": "/>"}"#, "/style/after_key", "no name has"),
            (r#"{"before_key": "<", "after_key": "$kind>", "end": "/>"}"#, "/style/after_key", "no name has"),
            (
                r#"{"before_key": "<", "after_key": ">", "end": "|x|"}"#,
                "/style/end",
                "begins with its own end",
            ),
            (r#"{"before_key": "<", "after_key": ">", "end": "$key>"}"#, "/style/end", "is no beginning"),
            (
                r#"{"before_key": "<", "after_key": ">", "end": "</", "stop": "/"}"#,
                "/style/stop",
                "is no beginning",
            ),
            (
                r#"{"before_key": "<", "after_key": ">", "end": "</", "kinds": {"text": "s"}}"#,
                "/style/kinds/text",
                "there is no field",
            ),
            (
                r#"{"before_key": "<", "after_key": ">", "end": "</", "kinds": {"string": []}}"#,
                "/style/kinds/string",
                "1 to 16 names",
            ),
            (
                r#"{"before_key": "<", "after_key": ">", "end": "</", "escapes": {"ab": "c"}}"#,
                "/style/escapes/ab",
                "one character",
            ),
            (&format!(r#"{{"before_key": "{long}"}}"#), "/style/before_key", "more than the 200"),
        ] {
            let error = read(style).expect_err(style);
            assert_eq!(error.location, Some(Location::Pointer(pointer.to_owned())), "{style}: {error:?}");
            assert!(error.message.contains(message), "{style}: {}", error.message);
        }
    }
}
