//! The keys that a schema declares, in the order of the text, and whether its alternatives agree on an order.

use super::context::Algebra;
use super::error::Result;
use super::order::{self, Declared};
use super::terms::Bound;
use crate::schema::{Clause, SchemaId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Algebra<'_, '_> {
    /// The keys that a schema declares, of all its alternatives.
    pub(super) fn declared(&mut self, schema: SchemaId) -> Result<Rc<Declared>> {
        if let Some(known) = self.memo.declared.get(&schema) {
            return Ok(known.clone());
        }
        self.enter(schema, Bound::Upper)?;
        let content = self.loader.schemas.get(schema).clone();
        let mut declared = Declared::default();
        if content.objects.is_some() {
            let (before, after) = content.clauses.split_at(content.properties_at);
            for clause in before {
                self.declare_clause(clause, &mut declared)?;
            }
            declared.keys.extend_from_slice(&content.order);
            for clause in after {
                self.declare_clause(clause, &mut declared)?;
            }
        }
        self.leave(schema, Bound::Upper);
        let mut seen = FxHashSet::default();
        declared.keys.retain(|&key| seen.insert(key));
        let declared = Rc::new(declared);
        self.memo.declared.insert(schema, declared.clone());
        Ok(declared)
    }

    /// Adds the keys of a clause.
    fn declare_clause(&mut self, clause: &Clause, declared: &mut Declared) -> Result<()> {
        let certain: Vec<SchemaId> = match clause {
            Clause::Ref(reference) => vec![self.loader.follow(*reference)],
            Clause::AllOf(all) => all.clone(),
            Clause::If { condition, .. } => vec![*condition],
            _ => Vec::new(),
        };
        for schema in certain {
            let inner = self.declared(schema)?;
            declared.conflict |= inner.conflict;
            declared.keys.extend_from_slice(&inner.keys);
        }
        let mut alternatives = Vec::new();
        for branch in self.branches(clause) {
            alternatives.push(self.declared(branch)?);
        }
        let merged = order::merge(&declared.keys, &alternatives);
        declared.conflict |= merged.is_none();
        declared.keys.extend(merged.unwrap_or_else(|| order::first_appearance(&alternatives)));
        Ok(())
    }

    /// The alternatives of a clause.
    pub(super) fn branches(&mut self, clause: &Clause) -> Vec<SchemaId> {
        match clause {
            Clause::AnyOf(schemas) | Clause::OneOf(schemas) => schemas.clone(),
            Clause::If { then, otherwise, .. } => vec![*then, *otherwise],
            Clause::Dependent(_, schema) => vec![SchemaId::TRUE, *schema],
            _ => Vec::new(),
        }
    }
}
