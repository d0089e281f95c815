//! The store of schemas and their parts: equal ones are stored once.

use super::interner::Interner;
use super::model::{
    ArrayRule, Clause, Items, ItemsId, KeyId, Members, MembersId, ObjectRule, RefId, Schema, SchemaId,
};
use crate::read::resources::Place;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The dynamic scope of a schema: the resources through which it was reached, outermost first, without those that change no reference. Dynamic
/// references depend on it. It is always [`ScopeId::NONE`] if no document has a dynamic reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// The empty scope.
    pub(crate) const NONE: Self = Self(0);
}

/// All schemas loaded so far.
pub(crate) struct Schemas {
    schemas: Interner<Schema>,
    members: Interner<Members>,
    items: Interner<Items>,
    /// The texts of keys, each with the number of a variant.
    keys: Interner<(Arc<str>, u32)>,
    /// The targets of references.
    pub(crate) references: Vec<Reference>,
    known_references: FxHashMap<(Place, ScopeId), RefId>,
}

/// The target of a reference.
pub(crate) struct Reference {
    pub(crate) place: Place,
    pub(crate) scope: ScopeId,
    /// The reference as it is written, for messages.
    pub(crate) pointer: String,
    /// The schema at the place, once it is loaded.
    pub(crate) schema: Option<SchemaId>,
}

impl Schemas {
    pub(crate) fn new() -> Self {
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

    pub(crate) fn add(&mut self, schema: Schema) -> SchemaId {
        SchemaId(self.schemas.add(schema))
    }

    /// The number of schemas.
    pub(crate) fn len(&self) -> usize {
        self.schemas.len()
    }

    pub(crate) fn get(&self, id: SchemaId) -> &Arc<Schema> {
        self.schemas.get(id.0)
    }

    pub(crate) fn add_members(&mut self, members: Members) -> MembersId {
        MembersId(self.members.add(members))
    }

    pub(crate) fn members(&self, id: MembersId) -> &Arc<Members> {
        self.members.get(id.0)
    }

    pub(crate) fn add_items(&mut self, items: Items) -> ItemsId {
        ItemsId(self.items.add(items))
    }

    pub(crate) fn items(&self, id: ItemsId) -> &Arc<Items> {
        self.items.get(id.0)
    }

    pub(crate) fn add_key(&mut self, key: &Arc<str>) -> KeyId {
        KeyId(self.keys.add((key.clone(), 0)))
    }

    /// A key with the same text that stands for some of its values; the key itself for 0.
    pub(crate) fn variant_of(&mut self, key: KeyId, variant: u32) -> KeyId {
        let text = self.keys.get(key.0).0.clone();
        KeyId(self.keys.add((text, variant)))
    }

    pub(crate) fn key(&self, id: KeyId) -> &str {
        &self.keys.get(id.0).0
    }

    pub(crate) fn add_reference(&mut self, target: (Place, ScopeId), pointer: &str) -> RefId {
        if let Some(&id) = self.known_references.get(&target) {
            return id;
        }
        let id = RefId(self.references.len() as u32);
        let (place, scope) = target;
        self.references.push(Reference { place, scope, pointer: pointer.to_owned(), schema: None });
        self.known_references.insert(target, id);
        id
    }

    /// The schemas that a schema applies to the same value, each with whether it is not negated.
    pub(crate) fn in_place(&self, schema: &Schema) -> Vec<(SchemaId, bool)> {
        let parts = |clause: &Clause| match clause {
            Clause::Ref(reference) => {
                let target = self.references[reference.0 as usize].schema;
                target.map(|target| (target, true)).into_iter().collect()
            }
            Clause::AllOf(list) | Clause::AnyOf(list) | Clause::OneOf(list) => {
                list.iter().map(|&part| (part, true)).collect()
            }
            Clause::Not(inner) => vec![(*inner, false)],
            Clause::Dependent(_, inner) => vec![(*inner, true)],
            Clause::If { condition, then, otherwise } => {
                [*condition, *then, *otherwise].map(|part| (part, true)).to_vec()
            }
            Clause::Between { .. } => Vec::new(),
        };
        schema.clauses.iter().flat_map(parts).collect()
    }

    /// The schemas that a schema applies to the same value, and to its items and members.
    pub(crate) fn below(&self, schema: &Schema) -> Vec<SchemaId> {
        let mut below: Vec<SchemaId> = self.in_place(schema).into_iter().map(|(part, _)| part).collect();
        for rule in schema.arrays.iter().flatten() {
            match rule {
                ArrayRule::Items(items) | ArrayRule::Unique(items) => {
                    let items = self.items(*items);
                    below.extend(items.prefix.iter().chain([&items.rest]));
                }
                ArrayRule::Contains { schema, .. } => below.push(*schema),
                ArrayRule::Length { .. } => {}
            }
        }
        for rule in schema.objects.iter().flatten() {
            if let ObjectRule::Members(members) = rule {
                let members = self.members(*members);
                below.extend(members.properties.iter().map(|&(_, schema)| schema));
                below.extend(members.patterns.iter().map(|&(_, schema)| schema));
                below.push(members.rest);
            }
        }
        below.extend(schema.evaluation.other_members.into_iter().chain(schema.evaluation.other_items));
        below
    }
}
