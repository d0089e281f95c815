//! What was found out about constants, patterns and formats, so that it is found out once.

use crate::languages::LanguageId;
use crate::read::document::ValueId;
use crate::schema::SchemaId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The schemas of constants.
#[derive(Default)]
pub(crate) struct Constants {
    pub(super) schemas: FxHashMap<ValueId, SchemaId>,
    /// The schemas whose constants have this schema as a part.
    pub(super) owners: FxHashMap<SchemaId, Vec<ValueId>>,
    /// The values of these schemas, the keys of objects sorted: two schemas have a value in common only if they have the same one.
    pub(super) values: FxHashMap<SchemaId, ValueId>,
}

impl Constants {
    /// The value of a schema, if the schema is that of a constant.
    pub(crate) fn value_of(&self, schema: SchemaId) -> Option<ValueId> {
        self.values.get(&schema).copied()
    }
}

/// What is known of patterns and formats.
#[derive(Default)]
pub(crate) struct Strings {
    pub(super) patterns: FxHashMap<Arc<str>, KnownPattern>,
}

/// A pattern that was read.
#[derive(Clone)]
pub(super) struct KnownPattern {
    /// Its language, or why there is none.
    pub(super) language: Result<LanguageId, NoLanguage>,
    /// What it has that ECMA-262 does not have.
    pub(super) foreign: Vec<&'static str>,
}

/// Why a pattern has no language.
#[derive(Clone)]
pub(super) enum NoLanguage {
    /// It is not a regular expression.
    Invalid(String),
    /// It is a regular expression that cannot be enforced.
    Unsupported(String),
}
