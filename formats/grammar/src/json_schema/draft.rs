//! The drafts of JSON Schema and where they differ.

use super::document::{ValueId, Values};

/// A published draft.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Draft {
    /// draft-04
    Draft4,
    /// draft-06
    Draft6,
    /// draft-07
    Draft7,
    /// 2019-09
    Draft2019,
    /// 2020-12
    Draft2020,
}

impl Draft {
    /// The draft that the `$schema` member names, if it is one of these.
    pub(super) fn declared(values: &Values, root: ValueId) -> Option<Self> {
        let uri = values.string(values.member(root, "$schema")?)?;
        let uri = uri.trim_end_matches('#');
        let uri = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?;
        Some(match uri {
            "json-schema.org/draft-04/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" => Self::Draft6,
            "json-schema.org/draft-07/schema" => Self::Draft7,
            "json-schema.org/draft/2019-09/schema" => Self::Draft2019,
            "json-schema.org/draft/2020-12/schema" => Self::Draft2020,
            _ => return None,
        })
    }

    /// The keyword that names a schema.
    pub(super) fn id_keyword(self) -> &'static str {
        if self == Self::Draft4 { "id" } else { "$id" }
    }

    /// Up to draft 7 a schema with `$ref` is nothing but that reference.
    pub(super) fn ref_is_alone(self) -> bool {
        self <= Self::Draft7
    }

    /// From draft 6 on a number with a zero fraction is an integer.
    pub(super) fn point_zero_is_integer(self) -> bool {
        self >= Self::Draft6
    }

    /// `const`, `contains`, `propertyNames`, boolean schemas, numeric `exclusiveMinimum`.
    pub(super) fn has_const(self) -> bool {
        self >= Self::Draft6
    }

    pub(super) fn has_if(self) -> bool {
        self >= Self::Draft7
    }

    /// `dependentRequired`, `unevaluated…`, `minContains`, `$anchor`, `$defs`.
    pub(super) fn has_unevaluated(self) -> bool {
        self >= Self::Draft2019
    }

    /// `prefixItems`; `items` is one schema.
    pub(super) fn has_prefix_items(self) -> bool {
        self >= Self::Draft2020
    }
}
