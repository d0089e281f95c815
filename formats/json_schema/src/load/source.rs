//! A schema object that is being loaded: its keywords, its place and its draft.

use crate::draft::Draft;
use crate::read::document::{ObjectMembers, ValueId};
use crate::read::resources::Place;
use crate::schema::ScopeId;

/// A schema object that is being loaded.
pub(super) struct Source<'k> {
    /// The keywords that have a meaning in its draft.
    pub(super) keywords: &'k ObjectMembers,
    pub(super) place: Place,
    pub(super) scope: ScopeId,
    pub(super) draft: Draft,
}

impl Source<'_> {
    /// The value of a keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<ValueId> {
        self.keywords.iter().find(|(name, _)| &**name == keyword).map(|&(_, value)| value)
    }

    /// Whether it has keywords whose subschemas apply to the same value.
    pub(super) fn has_in_place_applicators(&self) -> bool {
        let keywords = [
            "$ref",
            "$dynamicRef",
            "$recursiveRef",
            "allOf",
            "anyOf",
            "oneOf",
            "if",
            "dependentSchemas",
            "dependencies",
        ];
        keywords.iter().any(|keyword| self.get(keyword).is_some())
    }
}
