//! A test for intersections of schemas that have no values. It may miss some, and that only costs work: the
//! graph of nodes is trimmed at the end.
//!
//! Scalars are decided exactly. Arrays and objects are tested only for the reasons by which alternatives
//! exclude each other in practice: their types, and required members whose values exclude each other.

use super::context::Algebra;
use super::error::Result;
use super::expression::ExprId;
use super::order::Order;
use super::terms::{CompositeType, Letter, Literal, ScalarType, simplify};
use crate::languages::Languages;
use crate::schema::{Clause, ObjectRule, SchemaId};
use rustc_hash::FxHashSet;

/// Members are tested down to this depth.
pub(super) const MAX_DEPTH: u32 = 3;

impl Algebra<'_, '_> {
    /// Whether the intersection has no values. False if that is not known.
    pub(super) fn is_provably_empty(&mut self, literals: &[Literal]) -> Result<bool> {
        // This test may run while one of the schemas is being lowered, which is no circular reference.
        let in_progress = std::mem::take(&mut self.in_progress);
        let empty = self.provably_empty(literals, 0);
        self.in_progress = in_progress;
        empty
    }

    /// Whether two schemas have no value in common. False if that is not known: where some condition accepts only a part of the valid values, two
    /// schemas may have only the others in common.
    pub(super) fn excludes(&mut self, a: SchemaId, b: SchemaId) -> Result<bool> {
        if self.loader.has_parts {
            return Ok(false);
        }
        let (a, b) = (self.loader.resolved(a), self.loader.resolved(b));
        self.is_provably_empty(&[(a, true), (b, true)])
    }

    /// Whether some schemas together have no value in common with another one, as the last of them may alone. False if that is not known.
    pub(super) fn exclude_together(&mut self, schemas: &[SchemaId], other: SchemaId) -> Result<bool> {
        let Some((&last, around)) = schemas.split_last() else { return Ok(false) };
        if self.excludes(last, other)? {
            return Ok(true);
        }
        if around.is_empty() || self.loader.has_parts {
            return Ok(false);
        }
        let all = schemas.iter().chain([&other]).map(|&schema| (self.loader.resolved(schema), true));
        let all: Vec<Literal> = all.collect();
        self.is_provably_empty(&all)
    }

    fn provably_empty(&mut self, literals: &[Literal], depth: u32) -> Result<bool> {
        self.step(literals.len())?;
        let Some(literals) = simplify(literals.to_vec()) else { return Ok(true) };
        if let Some(&known) = self.memo.empty.get(&literals) {
            return Ok(known);
        }
        let empty = self.conjunction_consts(&literals)? == 0
            && self.conjunction_language(&literals, ScalarType::Numbers)? == Languages::NOTHING
            && self.conjunction_language(&literals, ScalarType::Strings)? == Languages::NOTHING
            && self.no_arrays(&literals)?
            && self.no_objects(&literals, depth)?;
        if depth == 0 || empty {
            self.memo.empty.insert(literals, empty);
        }
        Ok(empty)
    }

    pub(super) fn no_arrays(&mut self, literals: &[Literal]) -> Result<bool> {
        let mut parts = Vec::new();
        for &(schema, positive) in literals {
            parts.push(self.literal(schema, positive, CompositeType::Arrays)?);
        }
        Ok(self.expressions.and(parts) == ExprId::FALSE)
    }

    pub(super) fn no_objects(&mut self, literals: &[Literal], depth: u32) -> Result<bool> {
        let mut parts = Vec::new();
        for &(schema, positive) in literals {
            parts.push(self.literal(schema, positive, CompositeType::Objects)?);
        }
        if self.expressions.and(parts) == ExprId::FALSE {
            return Ok(true);
        }
        if depth >= MAX_DEPTH {
            return Ok(false);
        }
        let (mut asserted, mut seen) = (Vec::new(), FxHashSet::default());
        for &(schema, positive) in literals {
            if positive {
                self.step(0)?;
                self.collect_rules(schema, &mut asserted, &mut seen, 0);
            }
        }
        let mut required = Order::default();
        asserted.iter().for_each(|rule| required.declare(rule.required()));
        for key in required.into_keys() {
            self.step(asserted.len())?;
            let mut value: Vec<Literal> = Vec::new();
            for rule in &asserted {
                if let ObjectRule::Members(members) = rule {
                    value.extend(
                        self.guards(*members, Letter::Named(key))?.iter().map(|&schema| (schema, true)),
                    );
                }
            }
            if value.len() > 1 && self.provably_empty(&value, depth + 1)?
                || value.contains(&(SchemaId::FALSE, true))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Collects the rules on objects that a schema asserts whatever alternatives hold.
    pub(super) fn collect_rules(
        &mut self,
        schema: SchemaId,
        rules: &mut Vec<ObjectRule>,
        seen: &mut FxHashSet<SchemaId>,
        depth: u32,
    ) {
        if depth > 16 || !seen.insert(schema) {
            return;
        }
        let content = self.loader.schemas.get(schema).clone();
        rules.extend(content.objects.iter().flatten().cloned());
        for clause in &content.clauses {
            match clause {
                Clause::Ref(reference) => {
                    let target = self.loader.follow(*reference);
                    self.collect_rules(target, rules, seen, depth + 1);
                }
                Clause::AllOf(all) => {
                    all.iter().for_each(|&schema| self.collect_rules(schema, rules, seen, depth + 1))
                }
                _ => {}
            }
        }
    }
}
