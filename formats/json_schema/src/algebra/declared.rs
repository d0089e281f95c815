//! The keys that a schema declares, in the order of the text, and whether its alternatives agree on an order.

use super::context::Algebra;
use super::error::Result;
use super::order::{self, Declared, Order};
use super::terms::Bound;
use crate::schema::{Clause, SchemaId};
use std::rc::Rc;

/// Estimated bytes of a key in a list that is kept.
const BYTES_PER_KEY: usize = 8;

impl Algebra<'_, '_> {
    /// The keys that a schema declares, of all its alternatives.
    pub(super) fn declared(&mut self, schema: SchemaId) -> Result<Rc<Declared>> {
        if let Some(known) = self.memo.declared.get(&schema) {
            return Ok(known.clone());
        }
        self.enter(schema, Bound::Upper)?;
        let content = self.loader.schemas.get(schema).clone();
        let (mut order, mut conflict) = (Order::default(), false);
        if content.objects.is_some() {
            let (before, after) = content.clauses.split_at(content.properties_at);
            for clause in before {
                conflict |= self.declare_clause(clause, &mut order)?;
            }
            order.declare(&content.order);
            for clause in after {
                conflict |= self.declare_clause(clause, &mut order)?;
            }
        }
        self.leave(schema, Bound::Upper);
        let declared = Rc::new(Declared { keys: order.into_keys(), conflict });
        self.step(declared.keys.len())?;
        self.keep(BYTES_PER_KEY * declared.keys.len())?;
        self.memo.declared.insert(schema, declared.clone());
        Ok(declared)
    }

    /// Adds the keys of a clause. True if alternatives in it have orders that contradict each other.
    fn declare_clause(&mut self, clause: &Clause, order: &mut Order) -> Result<bool> {
        let mut conflict = false;
        let certain: Vec<SchemaId> = match clause {
            Clause::Ref(reference) => vec![self.loader.follow(*reference)],
            Clause::AllOf(all) => all.clone(),
            Clause::If { condition, .. } => vec![*condition],
            _ => Vec::new(),
        };
        for schema in certain {
            let inner = self.declared(schema)?;
            conflict |= inner.conflict;
            order.declare(&inner.keys);
        }
        let mut alternatives = Vec::new();
        for branch in self.branches(clause) {
            alternatives.push(self.declared(branch)?);
        }
        self.step(alternatives.iter().map(|alternative| alternative.keys.len()).sum())?;
        let merged = order::merge(order.known(), &alternatives, |keys| self.step(keys))?;
        conflict |= merged.is_none();
        order.declare(&merged.unwrap_or_else(|| order::first_appearance(&alternatives)));
        Ok(conflict)
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
