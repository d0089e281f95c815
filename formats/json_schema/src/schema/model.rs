//! The data of loaded schemas.
//!
//! A schema is split by the type of value that its keywords are about: constants, numbers and strings are
//! languages, arrays and objects are lists of rules, and everything that concerns values of any type is a
//! [`Clause`].

use crate::languages::{LanguageId, Languages};

/// A loaded schema; equal ids mean equal content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct SchemaId(pub(crate) u32);

impl SchemaId {
    /// The schema `true`.
    pub(crate) const TRUE: Self = Self(0);
    /// The schema `false`.
    pub(crate) const FALSE: Self = Self(1);
}

/// A reference. Its target is loaded when it is needed, so schemas may be recursive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RefId(pub(crate) u32);

/// A key of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct KeyId(pub(crate) u32);

/// A [`Members`] constraint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct MembersId(pub(crate) u32);

/// An [`Items`] constraint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ItemsId(pub(crate) u32);

/// Sets of the constants null, false and true, as bits.
pub(crate) mod consts {
    pub(crate) const NULL: u8 = 1;
    pub(crate) const FALSE: u8 = 2;
    pub(crate) const TRUE: u8 = 4;
    pub(crate) const ALL: u8 = 7;
}

/// A loaded schema. A value is valid if the part for its type allows it and every clause does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Schema {
    /// The allowed constants, a set of [`consts`].
    pub(crate) consts: u8,
    /// The allowed numbers, as numerals.
    pub(crate) numbers: LanguageId,
    /// The allowed strings, as texts.
    pub(crate) strings: LanguageId,
    /// The conditions on arrays; `None` if no array is allowed.
    pub(crate) arrays: Option<Vec<ArrayRule>>,
    /// The conditions on objects; `None` if no object is allowed.
    pub(crate) objects: Option<Vec<ObjectRule>>,
    /// The keys of `properties`, in the order of the text.
    pub(crate) order: Vec<KeyId>,
    pub(crate) clauses: Vec<Clause>,
    /// The number of clauses that come before `properties` in the text.
    pub(crate) properties_at: usize,
    pub(crate) evaluation: Evaluation,
}

/// The members and items that the keywords of a schema itself evaluate. Values of `const` and `enum` evaluate nothing,
/// although their rules name members and items. It is filled in only if some document has an `unevaluated…` keyword.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Evaluation {
    /// The members that this constraint names are evaluated.
    pub(crate) members: Option<MembersId>,
    pub(crate) all_members: bool,
    pub(crate) all_items: bool,
    /// The number of items that are evaluated from the start.
    pub(crate) prefix: u32,
    /// Items that are valid under this schema are evaluated.
    pub(crate) contains: Option<SchemaId>,
    /// The schema of members that are not evaluated.
    pub(crate) other_members: Option<SchemaId>,
    /// The schema of items that are not evaluated.
    pub(crate) other_items: Option<SchemaId>,
}

impl Schema {
    /// The schema that allows every value.
    pub(crate) fn anything() -> Self {
        Self {
            consts: consts::ALL,
            numbers: Languages::NUMBERS,
            strings: Languages::TEXTS,
            arrays: Some(Vec::new()),
            objects: Some(Vec::new()),
            order: Vec::new(),
            clauses: Vec::new(),
            properties_at: 0,
            evaluation: Evaluation::default(),
        }
    }

    /// The schema that allows no value.
    pub(crate) fn nothing() -> Self {
        Self {
            consts: 0,
            numbers: Languages::NOTHING,
            strings: Languages::NOTHING,
            arrays: None,
            objects: None,
            ..Self::anything()
        }
    }

    /// The reference, if the schema consists of nothing else.
    pub(crate) fn as_reference(&self) -> Option<RefId> {
        match self.clauses[..] {
            [Clause::Ref(target)] if self.has_no_rules() => Some(target),
            _ => None,
        }
    }

    fn has_no_rules(&self) -> bool {
        self.consts == consts::ALL
            && self.numbers == Languages::NUMBERS
            && self.strings == Languages::TEXTS
            && self.arrays.as_ref().is_some_and(Vec::is_empty)
            && self.objects.as_ref().is_some_and(Vec::is_empty)
            && self.evaluation.other_members.is_none()
            && self.evaluation.other_items.is_none()
    }
}

/// A condition on arrays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ArrayRule {
    Items(ItemsId),
    /// The number of items is between these bounds.
    Length {
        min: u32,
        max: Option<u32>,
    },
    /// The number of items that are valid under a schema is between these bounds.
    Contains {
        schema: SchemaId,
        min: u32,
        max: Option<u32>,
    },
    /// No two items are equal. The items are governed by these rules.
    Unique(ItemsId),
}

/// A condition on objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ObjectRule {
    Members(MembersId),
    /// All of these keys occur.
    Required(Vec<KeyId>),
    /// The number of members is between these bounds.
    Size {
        min: u32,
        max: Option<u32>,
    },
    /// Every key, as a string, is valid.
    Names(SchemaId),
}

impl ObjectRule {
    /// The keys that must occur.
    pub(crate) fn required(&self) -> &[KeyId] {
        match self {
            Self::Required(keys) => keys,
            _ => &[],
        }
    }
}

/// A condition on values of any type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Clause {
    Ref(RefId),
    AllOf(Vec<SchemaId>),
    AnyOf(Vec<SchemaId>),
    OneOf(Vec<SchemaId>),
    Not(SchemaId),
    If {
        condition: SchemaId,
        then: SchemaId,
        otherwise: SchemaId,
    },
    /// If the value is an object with this key, it is valid under the schema.
    Dependent(KeyId, SchemaId),
    /// A condition that no schema states. Where values are accepted, `accepted` stands for it; where its complement is, values outside of
    /// `possible` are accepted.
    Between {
        keyword: &'static str,
        accepted: SchemaId,
        possible: SchemaId,
    },
}

impl Clause {
    /// A condition that is not enforced. Whether a value satisfies it is unknown.
    pub(crate) const UNKNOWN: Self =
        Self::Between { keyword: "", accepted: SchemaId::TRUE, possible: SchemaId::FALSE };

    /// The keyword that the clause is made from, or some of which it is one.
    pub(crate) fn keywords(&self) -> &[&'static str] {
        match self {
            Self::Ref(_) => &["$ref", "$dynamicRef", "$recursiveRef"],
            Self::AllOf(_) => &["allOf"],
            Self::AnyOf(_) => &["anyOf"],
            Self::OneOf(_) => &["oneOf"],
            Self::Not(_) => &["not"],
            Self::If { .. } => &["if"],
            Self::Dependent(..) => &["dependentRequired", "dependentSchemas", "dependencies"],
            Self::Between { keyword, .. } => std::slice::from_ref(keyword),
        }
    }
}

/// The schemas that govern the members of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Members {
    pub(crate) properties: Vec<(KeyId, SchemaId)>,
    pub(crate) patterns: Vec<(LanguageId, SchemaId)>,
    /// The schema for keys that are not in `properties` and match none of the `patterns`.
    pub(crate) rest: SchemaId,
}

/// The schemas that govern the items of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Items {
    pub(crate) prefix: Vec<SchemaId>,
    pub(crate) rest: SchemaId,
}
