//! `unevaluatedProperties` where there are too many cases: key by key.
//!
//! A case lists all that hold of n independent alternatives, so there are up to 2ⁿ. But whether a member needs a valid value depends on its
//! key alone: on the conditions under which something evaluates this key. So the condition on an object is, for each key, that one of these
//! holds or that the member is valid, and its size is that of the schema.

use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::expression::{Expr, ExprId};
use super::terms::{Bound, CompositeType};
use crate::schema::{Clause, KeyId, Members, Schema, SchemaId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Schemas that apply to the same object may be nested this deep.
const MAX_DEPTH: usize = 64;

/// The conditions under which keys are evaluated: one of them must hold.
#[derive(Default)]
struct EvaluatedKeys {
    keys: BTreeMap<KeyId, Vec<ExprId>>,
    /// The conditions under which all keys are.
    all: Vec<ExprId>,
    /// The schemas that were visited under a condition.
    seen: FxHashSet<(SchemaId, ExprId)>,
}

impl Algebra<'_, '_> {
    /// The condition that members which nothing evaluates are valid under `other`; `None` if patterns evaluate keys.
    pub(super) fn unevaluated_keys(
        &mut self,
        content: &Schema,
        other: SchemaId,
        bound: Bound,
    ) -> Result<Option<ExprId>> {
        let mut found = EvaluatedKeys::default();
        let is_by_key = self.add_own(content, false, ExprId::TRUE, &mut found)
            && self.add_clauses(content, (bound, ExprId::TRUE), &mut found, 0)?;
        if !is_by_key {
            return Ok(None);
        }
        let named = found.keys.keys().map(|&key| (key, SchemaId::TRUE)).collect();
        let rest =
            self.loader.schemas.add_members(Members { properties: named, patterns: Vec::new(), rest: other });
        let mut rules = vec![(found.all.clone(), rest)];
        for (key, mut conditions) in found.keys {
            conditions.extend_from_slice(&found.all);
            let member =
                Members { properties: vec![(key, other)], patterns: Vec::new(), rest: SchemaId::TRUE };
            rules.push((conditions, self.loader.schemas.add_members(member)));
        }
        let mut parts = Vec::with_capacity(rules.len());
        for (conditions, valid) in rules {
            self.step(conditions.len())?;
            let valid = self.expressions.leaf(Expr::Members(valid));
            parts.push(self.expressions.or(conditions.into_iter().chain([valid])));
        }
        Ok(Some(self.expressions.and(parts)))
    }

    /// Adds what the keywords of a schema itself evaluate. False if patterns do.
    fn add_own(&self, content: &Schema, all: bool, condition: ExprId, found: &mut EvaluatedKeys) -> bool {
        if all && content.evaluation.all_members {
            found.all.push(condition);
        }
        let Some(members) = content.evaluation.members else { return true };
        let members = self.loader.schemas.members(members);
        for &(key, _) in &members.properties {
            found.keys.entry(key).or_default().push(condition);
        }
        members.patterns.is_empty()
    }

    /// Adds what a schema evaluates that holds under a condition.
    fn add_schema(
        &mut self,
        schema: SchemaId,
        (bound, condition): (Bound, ExprId),
        found: &mut EvaluatedKeys,
        depth: usize,
    ) -> Result<bool> {
        self.step(0)?;
        if depth > MAX_DEPTH {
            let resource = "schemas in each other on which an unevaluated… keyword depends";
            return Err(AlgebraError::Limit { resource, limit: MAX_DEPTH });
        }
        if condition == ExprId::FALSE || !found.seen.insert((schema, condition)) {
            return Ok(true);
        }
        let content = self.loader.schemas.get(schema).clone();
        Ok(self.add_own(&content, true, condition, found)
            && self.add_clauses(&content, (bound, condition), found, depth + 1)?)
    }

    fn add_clauses(
        &mut self,
        content: &Schema,
        (bound, condition): (Bound, ExprId),
        found: &mut EvaluatedKeys,
        depth: usize,
    ) -> Result<bool> {
        for clause in &content.clauses {
            for (schema, holds) in self.evaluating(clause, bound)? {
                let condition = self.expressions.and([condition, holds]);
                if !self.add_schema(schema, (bound, condition), found, depth)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The schemas by which a clause evaluates members, each with the condition under which it does.
    fn evaluating(&mut self, clause: &Clause, bound: Bound) -> Result<Vec<(SchemaId, ExprId)>> {
        let objects = CompositeType::Objects;
        Ok(match clause {
            Clause::Ref(reference) => vec![(self.loader.follow(*reference), ExprId::TRUE)],
            Clause::AllOf(all) => all.iter().map(|&schema| (schema, ExprId::TRUE)).collect(),
            Clause::AnyOf(schemas) | Clause::OneOf(schemas) => {
                let mut alternatives = Vec::with_capacity(schemas.len());
                for &schema in schemas {
                    alternatives.push((schema, self.lower(schema, bound, objects)?));
                }
                alternatives
            }
            Clause::If { condition, then, otherwise } => {
                let holds = self.lower(*condition, bound, objects)?;
                let fails = self.fails(*condition, bound, objects)?;
                vec![(*condition, holds), (*then, holds), (*otherwise, fails)]
            }
            Clause::Dependent(key, schema) => vec![(*schema, self.required(vec![*key]))],
            Clause::Not(_) | Clause::Between { .. } => Vec::new(),
        })
    }
}
