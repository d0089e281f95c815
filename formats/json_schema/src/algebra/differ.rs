//! `uniqueItems` in complements.
//!
//! A complement asks for arrays with equal items, which is no condition that an automaton or the runtime decides. Often it makes no difference: arrays with equal items
//! meet the other conditions anyway, or do not meet them. So the condition on the arrays of a node is taken as if complements asked for none. This is right if all
//! arrays of two items or more that would meet it with equal items meet it so as well. Otherwise the keyword is reported.

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
        let condition_without = self.replace(condition, &|part| is_differ(part).then_some(ExprId::TRUE))?;
        let are_equal = |part: &Expr| (is_differ(part) || is_distinct(part)).then_some(ExprId::FALSE);
        let with_equal = self.replace(condition, &are_equal)?;
        let without_equal = self.replace(condition_without, &are_equal)?;
        let parts = [with_equal, self.expressions.not(without_equal), self.count(0, 2, None)];
        let missing = self.expressions.and(parts);
        if missing == ExprId::FALSE || !self.has_some_array(missing)? {
            return Ok(condition_without);
        }
        lists.into_iter().for_each(|items| self.not_unique(items, None));
        self.replace(condition, &|part| is_differ(part).then_some(ExprId::FALSE))
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
    fn replace(&mut self, id: ExprId, replaced: &Replaced<'_>) -> Result<ExprId> {
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
