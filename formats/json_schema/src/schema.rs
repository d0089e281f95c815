//! Schemas as loaded: keywords sorted by what they are about, references resolved to numbers, equal ones shared.

use super::languages::{LanguageId, Languages};
use super::load::ScopeId;
use super::resolve::Place;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A loaded schema; equal content, equal id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct SchemaId(pub(super) u32);

impl SchemaId {
    /// `true`
    pub(super) const TRUE: Self = Self(0);
    /// `false`
    pub(super) const FALSE: Self = Self(1);
}

/// The target of a reference, loaded when it is needed: that is how schemas may be recursive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct RefId(pub(super) u32);

/// A key of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct KeyId(pub(super) u32);

/// A [`Members`] constraint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct MembersId(pub(super) u32);

/// An [`Items`] constraint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ItemsId(pub(super) u32);

/// A set of the constants null, false, true.
pub(super) mod consts {
    pub(in super::super) const NULL: u8 = 1;
    pub(in super::super) const FALSE: u8 = 2;
    pub(in super::super) const TRUE: u8 = 4;
    pub(in super::super) const ALL: u8 = 7;
}

/// What a schema says: a value is valid if its type's part allows it and every clause does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Schema {
    /// A set of [`consts`].
    pub(super) consts: u8,
    pub(super) numbers: LanguageId,
    pub(super) strings: LanguageId,
    /// `None`: no arrays at all.
    pub(super) arrays: Option<Vec<ArrayRule>>,
    /// `None`: no objects at all.
    pub(super) objects: Option<Vec<ObjectRule>>,
    /// The keys of `properties`, in the order in which they are to come.
    pub(super) order: Vec<KeyId>,
    pub(super) clauses: Vec<Clause>,
    /// So many clauses stand before `properties`.
    pub(super) properties_at: usize,
    pub(super) evaluation: Evaluation,
}

/// Which members and items a schema's own keywords evaluate, besides those that its rules name. Kept only where
/// somebody asks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Evaluation {
    pub(super) all_members: bool,
    pub(super) all_items: bool,
    /// So many items from the start.
    pub(super) prefix: u32,
    /// Items that are valid under this.
    pub(super) contains: Option<SchemaId>,
    /// What members must be that nothing evaluates.
    pub(super) other_members: Option<SchemaId>,
    /// What items must be that nothing evaluates.
    pub(super) other_items: Option<SchemaId>,
}

impl Schema {
    /// Allows everything.
    pub(super) fn anything() -> Self {
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

    /// Allows nothing.
    pub(super) fn nothing() -> Self {
        Self {
            consts: 0,
            numbers: Languages::NOTHING,
            strings: Languages::NOTHING,
            arrays: None,
            objects: None,
            ..Self::anything()
        }
    }

    /// The reference, if there is nothing else.
    pub(super) fn as_reference(&self) -> Option<RefId> {
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
pub(super) enum ArrayRule {
    Items(ItemsId),
    Length {
        min: u32,
        max: Option<u32>,
    },
    Contains {
        schema: SchemaId,
        min: u32,
        max: Option<u32>,
    },
    /// No two items, which these rules govern, are equal.
    Unique(ItemsId),
}

/// A condition on objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum ObjectRule {
    Members(MembersId),
    /// All of these keys occur.
    Required(Vec<KeyId>),
    Size {
        min: u32,
        max: Option<u32>,
    },
    /// Every key, as a string, is valid.
    Names(SchemaId),
}

impl ObjectRule {
    /// The keys that must occur.
    pub(super) fn required(&self) -> &[KeyId] {
        match self {
            Self::Required(keys) => keys,
            _ => &[],
        }
    }
}

/// A condition on values of any type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Clause {
    Ref(RefId),
    All(Vec<SchemaId>),
    Any(Vec<SchemaId>),
    One(Vec<SchemaId>),
    Not(SchemaId),
    If {
        condition: SchemaId,
        then: SchemaId,
        otherwise: SchemaId,
    },
    /// If the value is an object with this key, it is valid under the schema.
    Dependent(KeyId, SchemaId),
    /// Something that is not enforced: an unknown condition.
    Unknown,
}

/// Which schemas govern the values of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Members {
    pub(super) properties: Vec<(KeyId, SchemaId)>,
    pub(super) patterns: Vec<(LanguageId, SchemaId)>,
    /// For keys that neither names.
    pub(super) rest: SchemaId,
}

/// Which schemas govern the items of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Items {
    pub(super) prefix: Vec<SchemaId>,
    pub(super) rest: SchemaId,
}

/// Gives equal values equal numbers.
pub(super) struct Interner<T> {
    list: Vec<Arc<T>>,
    known: FxHashMap<Arc<T>, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { list: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Eq + std::hash::Hash> Interner<T> {
    pub(super) fn add(&mut self, value: T) -> u32 {
        if let Some(&id) = self.known.get(&value) {
            return id;
        }
        let id = self.list.len() as u32;
        let value = Arc::new(value);
        self.list.push(value.clone());
        self.known.insert(value, id);
        id
    }

    pub(super) fn get(&self, id: u32) -> &Arc<T> {
        &self.list[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// All schemas loaded so far.
pub(super) struct Schemas {
    schemas: Interner<Schema>,
    members: Interner<Members>,
    items: Interner<Items>,
    keys: Interner<Arc<str>>,
    /// Where references lead and, once loaded, what is there.
    pub(super) references: Vec<Reference>,
    known_references: FxHashMap<(Place, ScopeId), RefId>,
}

/// A reference: what it points to.
pub(super) struct Reference {
    pub(super) place: Place,
    pub(super) scope: ScopeId,
    /// For messages.
    pub(super) pointer: String,
    pub(super) schema: Option<SchemaId>,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let mut schemas = Self {
            schemas: Interner::default(),
            members: Interner::default(),
            items: Interner::default(),
            keys: Interner::default(),
            references: Vec::new(),
            known_references: FxHashMap::default(),
        };
        schemas.add(Schema::anything());
        schemas.add(Schema::nothing());
        schemas
    }

    pub(super) fn add(&mut self, schema: Schema) -> SchemaId {
        SchemaId(self.schemas.add(schema))
    }

    pub(super) fn get(&self, id: SchemaId) -> &Arc<Schema> {
        self.schemas.get(id.0)
    }

    pub(super) fn add_members(&mut self, members: Members) -> MembersId {
        MembersId(self.members.add(members))
    }

    pub(super) fn members(&self, id: MembersId) -> &Arc<Members> {
        self.members.get(id.0)
    }

    pub(super) fn add_items(&mut self, items: Items) -> ItemsId {
        ItemsId(self.items.add(items))
    }

    pub(super) fn items(&self, id: ItemsId) -> &Arc<Items> {
        self.items.get(id.0)
    }

    pub(super) fn add_key(&mut self, key: &Arc<str>) -> KeyId {
        KeyId(self.keys.add(key.clone()))
    }

    pub(super) fn key(&self, id: KeyId) -> &str {
        self.keys.get(id.0)
    }

    pub(super) fn add_reference(&mut self, target: (Place, ScopeId), pointer: &str) -> RefId {
        if let Some(&id) = self.known_references.get(&target) {
            return id;
        }
        let id = RefId(self.references.len() as u32);
        let (place, scope) = target;
        self.references.push(Reference { place, scope, pointer: pointer.to_owned(), schema: None });
        self.known_references.insert(target, id);
        id
    }
}
