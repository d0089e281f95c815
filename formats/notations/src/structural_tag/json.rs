//! The fields of JSON objects, each with its JSON Pointer, and errors located by it.
//!
//! Values are parsed when they are read. The texts of schemas stay as they are written, so that their keys keep their order. A field that may
//! be missing may also be null, since programs write the fields that they leave out so.

use gcc_grammar_ir::json::Written;
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The deepest allowed nesting of formats.
const MAX_DEPTH: usize = 60;

/// The remedy for a repeated key.
const ONE_OF_TWO: &str = "remove one of the two; readers do not agree on which one counts";

/// A JSON object with its location.
pub(crate) struct Object<'t> {
    fields: BTreeMap<String, &'t RawValue>,
    pub(crate) pointer: String,
    depth: usize,
    /// The kind of errors in the document.
    code: Code,
}

/// A JSON value with its location.
pub(crate) struct Place<'t> {
    pub(crate) value: &'t RawValue,
    pub(crate) pointer: String,
    depth: usize,
    /// The kind of errors in the document.
    code: Code,
}

/// The names of a list, which blanks separate.
pub(crate) fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split_ascii_whitespace()
}

/// The names of a list, for messages.
pub(crate) fn listed(list: &str) -> String {
    words(list).collect::<Vec<_>>().join(", ")
}

/// The JSON Pointer of a member.
fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

fn at(code: Code, pointer: &str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, message).at(Location::Pointer(pointer.to_owned()))
}

impl<'t> Object<'t> {
    pub(crate) fn root(text: &'t str) -> Result<Self, Diagnostic> {
        Place::root(text, Code::BadStructuralTag)?.object()
    }

    /// The names of the fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    /// Those of these fields that are there.
    pub(crate) fn given<'n>(&'n self, fields: &'n str) -> impl Iterator<Item = &'n str> {
        words(fields).filter(|field| self.has(field))
    }

    /// Whether a field is there and not null.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.fields.get(field).is_some_and(|value| value.get() != "null")
    }

    /// An error located at a field, or at the object if there is no such field.
    pub(crate) fn error(&self, field: &str, message: impl Into<String>) -> Diagnostic {
        if !self.fields.contains_key(field) {
            return at(self.code, &self.pointer, message);
        }
        at(self.code, &below(&self.pointer, field), message)
    }

    /// An error if there are other fields.
    pub(crate) fn only(&self, known: &str) -> Result<(), Diagnostic> {
        match self.names().find(|field| words(known).all(|known| known != *field)) {
            Some(field) => Err(self
                .error(field, format!("there is no field {field:?} here"))
                .help(format!("the fields are {}", listed(known)))),
            None => Ok(()),
        }
    }

    /// An error if one of these fields, which belong to another form of the object, is there.
    pub(crate) fn without(&self, others: &[&str]) -> Result<(), Diagnostic> {
        match others.iter().find(|field| self.has(field)) {
            Some(field) => Err(self
                .error(field, format!("the field {field:?} does not belong to this form"))
                .help("give either format, or structures and triggers")),
            None => Ok(()),
        }
    }

    pub(crate) fn place(&self, field: &str) -> Result<Place<'t>, Diagnostic> {
        let value = self
            .fields
            .get(field)
            .ok_or_else(|| at(self.code, &self.pointer, format!("the field {field:?} is missing")))?;
        Ok(Place { value, pointer: below(&self.pointer, field), depth: self.depth + 1, code: self.code })
    }

    pub(crate) fn object(&self, field: &str) -> Result<Self, Diagnostic> {
        self.place(field)?.object()
    }

    pub(crate) fn text(&self, field: &str) -> Result<String, Diagnostic> {
        self.place(field)?.text()
    }

    /// The flag of a field; the default if the field is null or missing.
    pub(crate) fn flag(&self, field: &str, default: bool) -> Result<bool, Diagnostic> {
        if !self.has(field) {
            return Ok(default);
        }
        self.place(field)?.read("true or false")
    }

    /// The integer of a field; none if the field is null or missing.
    pub(crate) fn number(&self, field: &str) -> Result<Option<i64>, Diagnostic> {
        if !self.has(field) {
            return Ok(None);
        }
        self.place(field)?.read("an integer").map(Some)
    }

    /// The items of a list. A field that is not `required` may be missing or null.
    pub(crate) fn list(&self, field: &str, required: bool) -> Result<Vec<Place<'t>>, Diagnostic> {
        if !required && !self.has(field) {
            return Ok(Vec::new());
        }
        self.place(field)?.list()
    }

    pub(crate) fn objects(&self, field: &str) -> Result<Vec<Self>, Diagnostic> {
        self.list(field, true)?.into_iter().map(Place::object).collect()
    }

    /// The texts of a list. An empty text is an error.
    pub(crate) fn texts(&self, field: &str, required: bool) -> Result<Vec<String>, Diagnostic> {
        let items = self.list(field, required)?;
        items
            .into_iter()
            .map(|item| match item.text()? {
                text if text.is_empty() => Err(item.error("this text must not be empty")),
                text => Ok(text),
            })
            .collect()
    }
}

impl<'t> Place<'t> {
    /// The value of a document, whose errors are of this kind.
    pub(crate) fn root(text: &'t str, code: Code) -> Result<Self, Diagnostic> {
        let value: &RawValue = serde_json::from_str(text).map_err(|error| {
            let line: usize =
                text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let offset = text.floor_char_boundary(line + error.column().saturating_sub(1));
            Diagnostic::error(Code::BadJson, format!("this is not valid JSON: {error}"))
                .at(Location::Span(offset..offset))
        })?;
        Ok(Self { value, pointer: String::new(), depth: 0, code })
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> Diagnostic {
        at(self.code, &self.pointer, message)
    }

    /// The same place.
    pub(crate) fn again(&self) -> Self {
        Self { pointer: self.pointer.clone(), ..*self }
    }

    fn read<T: Deserialize<'t>>(&self, kind: &str) -> Result<T, Diagnostic> {
        serde_json::from_str(self.value.get()).map_err(|_| self.error(format!("expected {kind}")))
    }

    pub(crate) fn object(self) -> Result<Object<'t>, Diagnostic> {
        if self.depth > MAX_DEPTH {
            let error = self.error(format!("formats are nested more than {MAX_DEPTH} levels deep"));
            return Err(error
                .help("write inner formats in the member \"rules\", and name them by {\"type\":\"rule\"}"));
        }
        let written: Written<&'t RawValue> = self.read("an object")?;
        if let Some((message, key)) = written.repeated() {
            let error = Diagnostic::error(Code::DuplicateKey, message);
            return Err(error.at(Location::Pointer(below(&self.pointer, key))).help(ONE_OF_TWO));
        }
        let fields = written.0.into_iter().collect();
        Ok(Object { fields, pointer: self.pointer, depth: self.depth, code: self.code })
    }

    pub(crate) fn text(&self) -> Result<String, Diagnostic> {
        self.read("a string")
    }

    pub(crate) fn list(&self) -> Result<Vec<Place<'t>>, Diagnostic> {
        let items: Vec<&'t RawValue> = self.read("a list")?;
        let place = |(index, value)| {
            let pointer = format!("{}/{index}", self.pointer);
            Place { value, pointer, depth: self.depth + 1, code: self.code }
        };
        Ok(items.into_iter().enumerate().map(place).collect())
    }

    /// The value, of any kind.
    pub(crate) fn any(&self) -> Result<Value, Diagnostic> {
        self.read("a value")
    }
}

/// The advice "did you mean …?", if a known name is near.
pub(crate) fn nearly<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    similar(name, known).map_or_else(String::new, |meant| format!("did you mean {meant}? "))
}

/// An error if an object has other members. `what` is the object, as in "this choice".
pub(crate) fn known_members(object: &Object<'_>, members: &str, what: &str) -> Result<(), Diagnostic> {
    let Some(other) = object.names().find(|name| words(members).all(|known| known != *name)) else {
        return Ok(());
    };
    let advice = nearly(other, words(members));
    let error = object.error(other, format!("{what} has no member {other:?}"));
    Err(error.help(format!("{advice}The members are {}", listed(members))))
}
