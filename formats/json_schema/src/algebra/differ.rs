//! `uniqueItems` in complements.
//!
//! A complement asks for arrays with equal items, which is no condition that an automaton or the runtime decides. Often it makes no difference: the other conditions
//! on the array hold whether items differ or not, or do not hold. So the condition on the arrays of a node is taken in two ways: as if no array had equal items,
//! and as if all arrays of two items or more had some. If both have the same arrays, either is right, since what is meant lies between them. Otherwise
//! the keyword is reported.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use crate::schema::ItemsId;

/// What takes the place of a part of an expression.
type Replaced<'a> = dyn Fn(&Expr) -> Option<ExprId> + 'a;

impl Algebra<'_, '_> {
    /// The condition on arrays without [`Expr::Differ`].
    pub(super) fn without_differ(&mut self, condition: ExprId) -> Result<ExprId> {
        let is_asked = !self.loader.unique_items.is_empty();
        let lists = if is_asked { self.lists_that_differ(condition)? } else { Vec::new() };
        if lists.is_empty() {
            return Ok(condition);
        }
        let at_most_one = self.count(0, 0, Some(1));
        let [fewest, most] = [ExprId::TRUE, at_most_one]
            .map(|differ| self.replace(condition, &|part| matches!(part, Expr::Differ(_)).then_some(differ)));
        let (fewest, most) = (fewest?, most?);
        if fewest == most || self.is_within(most, fewest)? {
            return Ok(fewest);
        }
        lists.into_iter().for_each(|items| self.not_unique(items, None));
        self.replace(condition, &|part| matches!(part, Expr::Differ(_)).then_some(ExprId::FALSE))
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

    /// Whether all arrays of one condition are known to be among those of another one, whether the items that the runtime remembers differ or not.
    fn is_within(&mut self, inner: ExprId, outer: ExprId) -> Result<bool> {
        for distinct in [ExprId::TRUE, ExprId::FALSE] {
            let replaced = |part: &Expr| matches!(part, Expr::Distinct(_)).then_some(distinct);
            let outer = self.replace(outer, &replaced)?;
            let others = self.expressions.not(outer);
            let inner = self.replace(inner, &replaced)?;
            let rest = self.expressions.and([inner, others]);
            if rest != ExprId::FALSE && self.has_some_array(rest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An expression in which some parts are replaced.
    fn replace(&mut self, id: ExprId, replaced: &Replaced<'_>) -> Result<ExprId> {
        let whole = self.expressions.get(id).clone();
        self.step(whole.part_count())?;
        if let Some(other) = replaced(&whole) {
            return Ok(other);
        }
        Ok(match &*whole {
            Expr::Not(inner) => {
                let inner = self.replace(*inner, replaced)?;
                self.expressions.not(inner)
            }
            Expr::And(parts) => {
                let parts = self.replace_each(parts, replaced)?;
                self.expressions.and(parts)
            }
            Expr::Or(parts) => {
                let parts = self.replace_each(parts, replaced)?;
                self.expressions.or(parts)
            }
            Expr::ExactlyOne(parts) => {
                let parts = self.replace_each(parts, replaced)?;
                self.expressions.exactly_one(parts)
            }
            _ => id,
        })
    }

    fn replace_each(&mut self, parts: &[ExprId], replaced: &Replaced<'_>) -> Result<Vec<ExprId>> {
        parts.iter().map(|&part| self.replace(part, replaced)).collect()
    }
}
