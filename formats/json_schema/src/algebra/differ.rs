//! `uniqueItems` in complements.
//!
//! A complement asks for arrays with equal items, which is no condition that an automaton or the runtime decides. Often it makes no difference: arrays with equal items
//! meet the other conditions anyway, or do not meet them. So the condition on the arrays of a node is taken as if complements asked for none. This is right if all
//! arrays of two items or more that would meet it with equal items meet it so as well. If no array with equal items meets it, as in a `oneOf` of lists of which each has
//! the keyword, the items of all arrays differ, and complements need not ask for it. Otherwise it is noted that there is no complement: where the values under a schema
//! allow more than others, and not less, those that are not under it are no part of their own (`split`). If a complement is asked for even so, the keyword is reported.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use crate::schema::{ArrayRule, Clause, ItemsId, SchemaId};
use rustc_hash::FxHashSet;

/// What takes the place of a part of an expression.
pub(super) type Replaced<'a> = dyn Fn(&Expr) -> Option<ExprId> + 'a;

impl Algebra<'_, '_> {
    /// The condition on arrays without [`Expr::Differ`].
    pub(super) fn without_differ(&mut self, condition: ExprId) -> Result<ExprId> {
        let is_asked = !self.loader.unique_items.is_empty();
        let lists = if is_asked { self.lists_that_differ(condition)? } else { Vec::new() };
        if lists.is_empty() {
            return Ok(condition);
        }
        let condition_without = self.replace(condition, &|part| is_differ(part).then_some(ExprId::TRUE))?;
        let are_equal = |part: &Expr| (is_differ(part) || is_distinct(part)).then_some(ExprId::FALSE);
        let with_equal = self.replace(condition, &are_equal)?;
        let without_equal = self.replace(condition_without, &are_equal)?;
        let not_without = self.expressions.not(without_equal);
        if !self.has_some_long_array(&[with_equal, not_without])? {
            return Ok(condition_without);
        }
        if lists.iter().all(|&items| self.may_remember(items)) && !self.has_some_long_array(&[with_equal])? {
            let all = self
                .replace(condition, &|part| (is_differ(part) || is_distinct(part)).then_some(ExprId::TRUE))?;
            let distinct: Vec<_> =
                lists.iter().map(|&items| self.expressions.leaf(Expr::Distinct(items))).collect();
            return Ok(self.expressions.and(distinct.into_iter().chain([all])));
        }
        let places = lists.iter().filter_map(|items| self.loader.unique_items.get(items)).flatten();
        let known = &self.loader.hindsight.without_complement;
        let new: Vec<String> = places.filter(|&place| !known.contains(place)).cloned().collect();
        if new.is_empty() {
            lists.into_iter().for_each(|items| self.not_unique(items, None));
        }
        self.loader.more_hindsight.without_complement.extend(new);
        self.replace(condition, &|part| is_differ(part).then_some(ExprId::FALSE))
    }

    /// Whether arrays of two items or more may meet all of some conditions. True if that is not known.
    fn has_some_long_array(&mut self, conditions: &[ExprId]) -> Result<bool> {
        let count = self.count(0, 2, None);
        let long = self.expressions.and(conditions.iter().copied().chain([count]));
        Ok(long != ExprId::FALSE && self.has_some_array(long)?)
    }

    /// The lists that differ in a complement.
    fn lists_that_differ(&self, condition: ExprId) -> Result<Vec<ItemsId>> {
        let (mut open, mut lists) = (vec![condition], Vec::new());
        while let Some(id) = open.pop() {
            let part = self.expressions.get(id);
            self.step(part.part_count())?;
            match &**part {
                Expr::Differ(items) => lists.push(*items),
                Expr::Not(inner) => open.push(*inner),
                Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => open.extend_from_slice(parts),
                _ => {}
            }
        }
        lists.sort_unstable();
        lists.dedup();
        Ok(lists)
    }

    /// An expression in which some parts are replaced.
    pub(super) fn replace(&mut self, id: ExprId, replaced: &Replaced<'_>) -> Result<ExprId> {
        let whole = self.expressions.get(id).clone();
        self.step(whole.part_count())?;
        if let Some(other) = replaced(&whole) {
            return Ok(other);
        }
        let mapped = self.map_parts(&whole, |algebra, part| algebra.replace(part, replaced))?;
        Ok(mapped.unwrap_or(id))
    }
}

const fn is_differ(part: &Expr) -> bool {
    matches!(part, Expr::Differ(_))
}

const fn is_distinct(part: &Expr) -> bool {
    matches!(part, Expr::Distinct(_))
}

/// Schemas without a complement.
impl Algebra<'_, '_> {
    /// Whether the values of letters may overlap.
    pub(crate) fn has_overlaps(&self) -> bool {
        !self.loader.hindsight.without_complement.is_empty()
    }

    /// Whether the values that are not under a schema need not be told from those under it, as they would have no complement: under an expression, they allow what the
    /// others allow, or less.
    pub(super) fn may_overlap(&mut self, id: ExprId, schema: SchemaId) -> Result<bool> {
        if !self.has_overlaps() || !self.has_no_complement(schema)? {
            return Ok(false);
        }
        let (mut open, mut seen) = (vec![(id, true)], FxHashSet::default());
        while let Some((id, positive)) = open.pop() {
            if !self.expressions.is_guarded(id) || !seen.insert((id, positive)) {
                continue;
            }
            let part = self.expressions.get(id);
            self.step(part.part_count())?;
            match &**part {
                Expr::Guard(guard) if *guard == schema && !positive => return Ok(false),
                Expr::Not(inner) => open.push((*inner, !positive)),
                Expr::Ordered { inner, .. } => open.push((*inner, positive)),
                Expr::And(parts) | Expr::Or(parts) => open.extend(parts.iter().map(|&part| (part, positive))),
                Expr::ExactlyOne(parts) => {
                    open.extend(parts.iter().flat_map(|&part| [(part, true), (part, false)]))
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// Whether a schema has some `uniqueItems` in it that has no complement.
    fn has_no_complement(&mut self, schema: SchemaId) -> Result<bool> {
        let (mut open, mut seen) = (vec![schema], FxHashSet::default());
        while let Some(schema) = open.pop() {
            let schema = self.loader.resolved(schema);
            if !seen.insert(schema) {
                continue;
            }
            let content = self.loader.schemas.get(schema).clone();
            for rule in content.arrays.iter().flatten() {
                if let ArrayRule::Unique(items) = rule
                    && let Some(places) = self.loader.unique_items.get(items)
                    && places.iter().any(|place| self.loader.hindsight.without_complement.contains(place))
                {
                    return Ok(true);
                }
            }
            for clause in &content.clauses {
                if let Clause::Ref(reference) = clause {
                    open.push(self.loader.follow(*reference));
                }
            }
            let below = self.loader.schemas.below(&content);
            self.step(below.len())?;
            open.extend(below);
        }
        Ok(false)
    }
}
