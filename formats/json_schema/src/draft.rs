//! The drafts of JSON Schema and the differences between them.
//!
//! Each difference that matters here is a method of [`Draft`], so that the rest of the crate never compares
//! drafts.

/// A published draft.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Draft {
    /// draft-04
    Draft4,
    /// OpenAPI 3.0: like draft 4, with `nullable` and the format `byte`. No `$schema` names it.
    OpenApi30,
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
    /// Whether relative JSON Pointers may manipulate an index, as in `0+1/a`.
    pub(crate) fn has_index_manipulation(self) -> bool {
        self >= Self::Draft2019
    }

    /// The draft whose metaschema has this URI.
    pub(crate) fn from_uri(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#');
        let uri = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?;
        Some(match uri {
            "json-schema.org/draft-04/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" => Self::Draft6,
            "json-schema.org/draft-07/schema" => Self::Draft7,
            "json-schema.org/draft/2019-09/schema" => Self::Draft2019,
            "json-schema.org/draft/2020-12/schema" | "spec.openapis.org/oas/3.1/dialect/base" => {
                Self::Draft2020
            }
            _ => return None,
        })
    }

    /// The keyword that gives a schema its identifier.
    pub(crate) fn id_keyword(self) -> &'static str {
        if self == Self::Draft4 { "id" } else { "$id" }
    }

    /// Whether all other keywords beside `$ref` are ignored: up to draft 7.
    pub(crate) fn ref_is_alone(self) -> bool {
        self <= Self::Draft7
    }

    /// Whether the keyword belongs to this draft, or to no draft.
    pub(crate) fn knows(self, keyword: &str) -> bool {
        match keyword {
            "const" | "contains" | "propertyNames" => self >= Self::Draft6,
            "if" | "then" | "else" => self >= Self::Draft7,
            "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "minContains"
            | "maxContains" => self >= Self::Draft2019,
            "$recursiveRef" => self == Self::Draft2019,
            "prefixItems" | "$dynamicRef" => self >= Self::Draft2020,
            "additionalItems" => self < Self::Draft2020,
            _ => true,
        }
    }

    /// Whether `nullable: true` beside `type` allows null, and the format `byte` is base64.
    pub(crate) fn is_open_api(self) -> bool {
        self == Self::OpenApi30
    }

    /// Whether a number with a zero fraction is an integer: from draft 6 on.
    pub(crate) fn point_zero_is_integer(self) -> bool {
        self >= Self::Draft6
    }

    /// Whether `$anchor`, `$recursiveAnchor` and `$dynamicAnchor` are keywords.
    pub(crate) fn has_anchors(self) -> bool {
        self >= Self::Draft2019
    }

    /// Whether items that are valid under `contains` count as evaluated.
    pub(crate) fn contains_evaluates(self) -> bool {
        self >= Self::Draft2020
    }

    /// The name of the draft in messages.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Draft4 => "draft 4",
            Self::OpenApi30 => "OpenAPI 3.0",
            Self::Draft6 => "draft 6",
            Self::Draft7 => "draft 7",
            Self::Draft2019 => "draft 2019-09",
            Self::Draft2020 => "draft 2020-12",
        }
    }
}
