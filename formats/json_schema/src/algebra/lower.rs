//! Lowering: from schemas to expressions, that is, conditions on a whole array or object.
//!
//! The rules of a schema become leaves, its clauses become boolean operations. Where a condition is unknown,
//! the result is the upper or lower [`Bound`] that the caller asks for; a complement asks for the opposite
//! one.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::key_sets::KeySetId;
use super::terms::{Bound, CompositeType, NodeId, ScalarType};
use crate::schema::{ArrayRule, Clause, KeyId, ObjectRule, Schema, SchemaId};

/// Estimated bytes of a set of keys that shares most of its nodes with another one.
const BYTES_PER_SET: usize = 400;

impl Algebra<'_, '_> {
    /// The condition on the arrays of a node.
    pub(super) fn arrays(&mut self, node: NodeId) -> Result<ExprId> {
        let mut union = Vec::new();
        for conjunction in &self.node(node).0 {
            let mut parts = Vec::new();
            for &(schema, positive) in conjunction {
                parts.push(self.literal(schema, positive, CompositeType::Arrays)?);
            }
            union.push(self.expressions.and(parts));
        }
        let condition = self.expressions.or(union);
        self.without_differ(condition)
    }

    /// The condition on the arrays or objects of a literal.
    pub(super) fn literal(
        &mut self,
        schema: SchemaId,
        positive: bool,
        composite: CompositeType,
    ) -> Result<ExprId> {
        if positive {
            return self.lower(schema, Bound::Upper, composite);
        }
        let inner = self.lower(schema, Bound::Lower, composite)?;
        Ok(self.expressions.not(inner))
    }

    /// The condition that a schema is on arrays or objects.
    pub(super) fn lower(
        &mut self,
        schema: SchemaId,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<ExprId> {
        if let Some(&known) = self.memo.lowered.get(&(schema, bound, composite)) {
            return Ok(known);
        }
        self.enter(schema, bound)?;
        let content = self.loader.schemas.get(schema).clone();
        let mut parts = Vec::new();
        let possible = self.rules(&content, bound, composite, &mut parts)?;
        if possible {
            for clause in &content.clauses {
                parts.push(self.clause(clause, bound, composite)?);
            }
            parts.push(self.unevaluated(&content, bound, composite)?);
        }
        self.leave(schema, bound);
        let all = if possible { self.expressions.and(parts) } else { ExprId::FALSE };
        self.memo.lowered.insert((schema, bound, composite), all);
        Ok(all)
    }

    /// Adds the rules of a schema itself. False if it allows no arrays or no objects.
    pub(super) fn rules(
        &mut self,
        content: &Schema,
        bound: Bound,
        composite: CompositeType,
        parts: &mut Vec<ExprId>,
    ) -> Result<bool> {
        match (composite, &content.arrays, &content.objects) {
            (CompositeType::Arrays, Some(rules), _) => {
                for rule in rules {
                    parts.push(self.array_rule(rule, bound)?);
                }
            }
            (CompositeType::Objects, _, Some(rules)) => {
                for rule in rules {
                    parts.push(self.object_rule(rule, bound)?);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn array_rule(&mut self, rule: &ArrayRule, bound: Bound) -> Result<ExprId> {
        Ok(match rule {
            ArrayRule::Items(items) => self.expressions.leaf(Expr::Items { items: *items, at: 0 }),
            ArrayRule::Length { min, max } => self.count(0, *min, *max),
            ArrayRule::Contains { schema, min, max } => {
                let schema = self.loader.resolved(*schema);
                self.contains(schema, 0, *min, *max)
            }
            ArrayRule::Unique(items) => self.unique(*items, bound)?,
        })
    }

    fn object_rule(&mut self, rule: &ObjectRule, bound: Bound) -> Result<ExprId> {
        Ok(match rule {
            ObjectRule::Members(members) => self.expressions.leaf(Expr::Members(*members)),
            ObjectRule::Required(keys) => self.required(keys.clone()),
            ObjectRule::Size { min, max } => self.count(0, *min, *max),
            ObjectRule::Names(schema) => {
                let language = self.language(*schema, bound, ScalarType::Strings)?;
                self.expressions.leaf(Expr::Names(language))
            }
        })
    }

    /// The condition that all of these keys follow.
    pub(super) fn required(&mut self, mut keys: Vec<KeyId>) -> ExprId {
        keys.sort_unstable();
        keys.dedup();
        let keys = self.key_sets.of(&keys);
        self.required_set(keys)
    }

    /// The condition that all keys of a set follow.
    pub(super) fn required_set(&mut self, keys: KeySetId) -> ExprId {
        // The budget remembers the error.
        let _ = self.step(0).and_then(|()| self.keep(BYTES_PER_SET));
        if keys == KeySetId::EMPTY { ExprId::TRUE } else { self.expressions.leaf(Expr::Required(keys)) }
    }

    /// The condition that there are `min` to `max` items or members in all, of which `seen` were read.
    pub(super) fn count(&mut self, seen: u32, min: u32, max: Option<u32>) -> ExprId {
        match max {
            Some(max) if seen > max || min > max => ExprId::FALSE,
            None if seen >= min => ExprId::TRUE,
            _ => self.expressions.leaf(Expr::Count { seen, min, max }),
        }
    }

    /// The condition that `min` to `max` items in all are valid under a schema, of which `seen` were read.
    pub(super) fn contains(&mut self, schema: SchemaId, seen: u32, min: u32, max: Option<u32>) -> ExprId {
        match max {
            Some(max) if seen > max || min > max => ExprId::FALSE,
            None if seen >= min => ExprId::TRUE,
            _ => self.expressions.leaf(Expr::Contains { schema, seen, min, max }),
        }
    }

    /// The condition of a clause.
    pub(super) fn clause(
        &mut self,
        clause: &Clause,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<ExprId> {
        Ok(match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.lower(target, bound, composite)?
            }
            Clause::AllOf(all) => {
                let parts = self.lower_each(all, bound, composite)?;
                self.expressions.and(parts)
            }
            Clause::AnyOf(any) => {
                let parts = self.lower_each(any, bound, composite)?;
                self.expressions.or(parts)
            }
            Clause::OneOf(one) => self.exactly_one(one, bound, composite)?,
            Clause::Not(not) => {
                let inner = self.lower(*not, bound.opposite(), composite)?;
                self.expressions.not(inner)
            }
            Clause::If { condition, then, otherwise } => {
                self.conditional(*condition, (*then, *otherwise), bound, composite)?
            }
            Clause::Dependent(key, schema) if composite == CompositeType::Objects => {
                let absent = self.absent(*key);
                let schema = self.lower(*schema, bound, composite)?;
                self.expressions.or([absent, schema])
            }
            Clause::Dependent(..) => ExprId::TRUE,
            Clause::Between { accepted, possible, .. } => {
                self.lower(bound.of(*accepted, *possible), bound, composite)?
            }
        })
    }

    /// The condition of `if`, `then` and `else`.
    fn conditional(
        &mut self,
        condition: SchemaId,
        (then, otherwise): (SchemaId, SchemaId),
        bound: Bound,
        composite: CompositeType,
    ) -> Result<ExprId> {
        let holds = self.lower(condition, bound, composite)?;
        let fails = self.fails(condition, bound, composite)?;
        let mut union = Vec::new();
        for (condition, branch) in [(holds, then), (fails, otherwise)] {
            let branch = self.lower(branch, bound, composite)?;
            union.push(self.expressions.and([condition, branch]));
        }
        Ok(self.expressions.or(union))
    }

    /// The condition that a schema does not hold.
    pub(super) fn fails(
        &mut self,
        schema: SchemaId,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<ExprId> {
        let holds = self.lower(schema, bound.opposite(), composite)?;
        Ok(self.expressions.not(holds))
    }

    /// The condition that a key does not follow.
    pub(super) fn absent(&mut self, key: KeyId) -> ExprId {
        let present = self.required(vec![key]);
        self.expressions.not(present)
    }

    fn lower_each(
        &mut self,
        schemas: &[SchemaId],
        bound: Bound,
        composite: CompositeType,
    ) -> Result<Vec<ExprId>> {
        schemas.iter().map(|&schema| self.lower(schema, bound, composite)).collect()
    }

    /// The condition that exactly one schema holds.
    fn exactly_one(
        &mut self,
        schemas: &[SchemaId],
        bound: Bound,
        composite: CompositeType,
    ) -> Result<ExprId> {
        let possible = self.lower_each(schemas, bound, composite)?;
        let mut others = possible.iter().filter(|&&holds| holds != ExprId::FALSE);
        if let (Some(&only), None) = (others.next(), others.next()) {
            return Ok(only);
        }
        let certain = self.lower_each(schemas, bound.opposite(), composite)?;
        if possible == certain {
            return Ok(self.expressions.exactly_one(possible));
        }
        let mut union = Vec::new();
        for (chosen, &holds) in possible.iter().enumerate() {
            let others =
                certain.iter().enumerate().filter(|&(index, _)| index != chosen).map(|(_, &other)| other);
            let other = self.expressions.or(others);
            let no_other = self.expressions.not(other);
            union.push(self.expressions.and([holds, no_other]));
        }
        Ok(self.expressions.or(union))
    }
}
