//! The merge of conditions on the same object.
//!
//! `allOf` with n small schemas, as generators write it, asserts n members constraints and n lists of required keys.
//! Each key that is read would derive all of them. Members constraints that do not concern the same keys are merged to
//! one, and so are all required keys.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use crate::schema::{KeyId, Members, MembersId, SchemaId};
use rustc_hash::FxHashMap;

/// Members constraints without patterns that restrict no other keys.
#[derive(Default)]
struct OpenMembers {
    ids: Vec<MembersId>,
    properties: Vec<(KeyId, SchemaId)>,
    schemas: FxHashMap<KeyId, SchemaId>,
}

impl OpenMembers {
    /// Adds a constraint, unless it restricts other keys or gives a known key another schema.
    fn add(&mut self, id: MembersId, members: &Members) -> bool {
        let fits =
            |&(key, schema): &(KeyId, SchemaId)| self.schemas.get(&key).is_none_or(|known| *known == schema);
        let is_open = members.rest == SchemaId::TRUE && members.patterns.is_empty();
        if !is_open || !members.properties.iter().all(fits) {
            return false;
        }
        for &(key, schema) in &members.properties {
            if self.schemas.insert(key, schema).is_none() {
                self.properties.push((key, schema));
            }
        }
        self.ids.push(id);
        true
    }
}

impl Algebra<'_, '_> {
    /// The same conditions, of which all must hold, with members constraints and required keys merged.
    pub(super) fn merge_parts(&mut self, parts: Vec<ExprId>) -> Result<Vec<ExprId>> {
        self.step(parts.len())?;
        let (mut merged, mut required, mut open) = (Vec::new(), Vec::new(), OpenMembers::default());
        for part in parts {
            match &**self.expressions.get(part) {
                Expr::Required(keys) => required.extend(self.key_sets.keys(*keys)),
                Expr::Members(id) => {
                    let members = self.loader.schemas.members(*id);
                    self.step(members.properties.len())?;
                    if !open.add(*id, members) {
                        merged.push(part);
                    }
                }
                _ => merged.push(part),
            }
        }
        merged.push(self.required(required));
        merged.extend(self.merged_members(open));
        Ok(merged)
    }

    /// One constraint for all that are merged.
    fn merged_members(&mut self, open: OpenMembers) -> Option<ExprId> {
        let id = match open.ids[..] {
            [] => return None,
            [only] => only,
            _ => {
                let (properties, patterns) = (open.properties, Vec::new());
                self.loader.schemas.add_members(Members { properties, patterns, rest: SchemaId::TRUE })
            }
        };
        Some(self.expressions.leaf(Expr::Members(id)))
    }
}
