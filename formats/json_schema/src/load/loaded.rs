//! Which schema each place was loaded as.

use crate::read::document::ValueId;
use crate::read::resources::Place;
use crate::schema::{SchemaId, ScopeId};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The work to look at a place.
const WORK_PER_PLACE: usize = 100;
/// Estimated bytes of a pointer in a table, besides its text.
const BYTES_PER_POINTER: usize = 60;

/// The schemas that were loaded, by place.
#[derive(Default)]
pub(crate) struct Loaded {
    schemas: FxHashMap<(Place, ScopeId), SchemaId>,
    /// The JSON Pointer under which a value was first loaded as a schema.
    first_pointers: FxHashMap<ValueId, String>,
}

impl Loaded {
    /// The schema at a place, if it was loaded.
    pub(super) fn get(&self, place: Place, scope: ScopeId) -> Option<SchemaId> {
        self.schemas.get(&(place, scope)).copied()
    }

    /// Notes that the schema was loaded from a place with this JSON Pointer.
    pub(super) fn add(&mut self, place: Place, scope: ScopeId, schema: SchemaId, pointer: &str) {
        self.schemas.insert((place, scope), schema);
        self.first_pointers.entry(place.1).or_insert_with(|| pointer.to_owned());
    }

    /// All places with their dynamic scopes and schemas.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, ScopeId, SchemaId)> + '_ {
        self.schemas.iter().map(|(&(place, scope), &schema)| (place, scope, schema))
    }

    /// The JSON Pointer under which a value was first loaded as a schema.
    pub(super) fn first_pointer(&self, schema: ValueId) -> Option<&String> {
        self.first_pointers.get(&schema)
    }

    /// All values that were loaded as schemas, with their first pointers.
    pub(super) fn first_pointers(&self) -> impl Iterator<Item = (ValueId, &String)> {
        self.first_pointers.iter().map(|(&schema, pointer)| (schema, pointer))
    }

    /// The JSON Pointer of a place of each schema: the first that it was loaded from, if there are several; and the value there.
    pub(crate) fn places(&self) -> FxHashMap<SchemaId, (&str, ValueId)> {
        let mut places = FxHashMap::default();
        for (place, _, schema) in self.iter() {
            let Some(pointer) = self.first_pointer(place.1) else { continue };
            let here = (pointer.as_str(), place.1);
            let known = places.entry(schema).or_insert(here);
            *known = std::cmp::min_by_key(*known, here, |(pointer, _)| (pointer.len(), *pointer));
        }
        places
    }

    /// The JSON Pointer of a place of each schema.
    pub(crate) fn pointers(&self, budget: &Budget) -> Result<FxHashMap<SchemaId, String>, OverBudget> {
        budget.charge_work((WORK_PER_PLACE * self.schemas.len()) as u64)?;
        let pointers = self.places();
        let bytes: usize = pointers.values().map(|(pointer, _)| BYTES_PER_POINTER + pointer.len()).sum();
        budget.charge_bytes(bytes as u64)?;
        Ok(pointers.into_iter().map(|(schema, (pointer, _))| (schema, pointer.to_owned())).collect())
    }
}
