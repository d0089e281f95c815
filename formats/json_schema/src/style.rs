//! How the arguments of a tool are written: as JSON, as literals of Python, or in the tags that the models of a family write.
//!
//! The root of the schema describes the arguments. In tags each member of the root is a tag with the key, and its value is between the tag and
//! the end of the tag: strings as they are, other values in JSON. Tags may go on so inside objects and arrays. Which model writes what is data
//! of the callers.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the values of the root look like.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Style {
    /// `{"key": "value"}`
    #[default]
    Json,
    /// `key='value', other=None`: arguments of a call in Python, without the parentheses
    Python,
    /// `{key:MARKvalueMARK,other:null}`: objects whose strings stand between two marks, and keys without marks
    Marked(Marked),
    /// A tag for each member
    Tags(Arc<Tags>),
}

impl Style {
    /// Whether strings, keys and constants are spelled as in JSON, where no tags are written.
    pub(crate) const fn is_json(&self) -> bool {
        matches!(self, Self::Json | Self::Tags(_))
    }

    /// Whether objects and arrays inside the root are written in tags, too.
    pub(crate) fn has_tags_inside(&self) -> bool {
        matches!(self, Self::Tags(tags) if tags.item.is_some())
    }
}

/// The mark around strings.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Marked {
    /// The mark.
    pub mark: String,
    /// Whether keys have no marks, and no space behind their colon.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bare: bool,
}

/// The kinds of values that tags tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A string.
    String,
    /// A number, integer or not.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::String, Self::Number, Self::Boolean, Self::Null, Self::Array, Self::Object];

    /// The name of the kind in JSON Schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// The place of the kind of a value in a text of [`Tags`].
pub const KIND: &str = "$kind";
/// The place of the key in the end of [`Tags`].
pub const KEY: &str = "$key";

/// The texts of tags: `before_key KEY after_key before_value VALUE end`. No text but `before_value` and those with a default is empty.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tags {
    /// What stands before a key.
    pub before_key: String,
    /// What stands behind a key. [`KIND`] in it is the kind of the value.
    pub after_key: String,
    /// The names of kinds, as far as they are not those of JSON Schema. Further names stand only for values of places where the schema allows other kinds, too.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "by_name")]
    pub kinds: BTreeMap<Kind, Vec<String>>,
    /// What stands before a value, behind white space, if anything.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before_value: String,
    /// What stands behind a value. [`KEY`] in it is the key.
    pub end: String,
    /// What no string contains: `end`, or a beginning of it.
    pub stop: String,
    /// What no string contains besides: the marks at which readers cut a value, though it has not ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<String>,
    /// The tags of the items of arrays, if objects and arrays inside the root are written in tags, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemTag>,
    /// Whether a value may stand on lines of its own: a line break after the beginning of the tag and one before its end are no part of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lines: bool,
    /// Whether `True` and `False` between tags are Booleans, too: templates that print values as Python does write them so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub capitals: bool,
    /// Whether readers take white space away from both ends of a value, so that no string has any there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub strips: bool,
    /// Whether readers take the word `null`, in any case, for null, so that no string is this word.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nulls: bool,
    /// How characters of keys are written that have a meaning in tags.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub escapes: BTreeMap<char, String>,
}

/// The tag of an item of an array: `begin close VALUE end`.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ItemTag {
    /// How the tag begins.
    pub begin: String,
    /// The rest of it, with the [`KIND`], behind white space.
    pub close: String,
    /// What the end has as its [`KEY`].
    #[serde(skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// Whether white space may stand before the tag.
    pub spaced: bool,
}

fn by_name<S: serde::Serializer>(
    kinds: &BTreeMap<Kind, Vec<String>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(kinds.iter().map(|(kind, names)| (kind.name(), names)))
}

impl Tags {
    /// `text` with the names of a kind. `is_open` says that values of other kinds are allowed, too.
    pub(crate) fn with_kind(&self, text: &str, kind: Kind, is_open: bool) -> Vec<String> {
        if !text.contains(KIND) {
            return vec![text.to_owned()];
        }
        let Some(names) = self.kinds.get(&kind) else { return vec![text.replace(KIND, kind.name())] };
        let used = if is_open { names.len() } else { 1 };
        names.iter().take(used).map(|name| text.replace(KIND, name)).collect()
    }

    /// Whether tags tell strings from other values where several kinds are allowed.
    pub(crate) fn tell_strings(&self) -> bool {
        let of = |kind| self.with_kind(&self.after_key, kind, true);
        of(Kind::String) != of(Kind::Null)
    }

    /// Whether no string contains a text.
    pub(crate) fn is_in_no_string(&self, text: &str) -> bool {
        self.forbidden.iter().chain([&self.stop]).any(|stop| text.contains(stop))
    }

    /// Whether the end of a tag has the key again.
    pub(crate) fn repeat_key(&self) -> bool {
        self.end.contains(KEY)
    }

    /// A key as it is written.
    pub(crate) fn spelled_key(&self, key: &str) -> String {
        let spelled = |c: char| self.escapes.get(&c).cloned().unwrap_or_else(|| c.to_string());
        key.chars().map(spelled).collect()
    }
}
