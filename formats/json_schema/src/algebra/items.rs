//! The derivative of an expression by an item: from the condition on all items to the condition on the items
//! that follow (Brzozowski 1964).
//!
//! The derivative contains guards, which are conditions on the value of the item. `split` removes them.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use crate::schema::{ItemsId, SchemaId};
use std::sync::Arc;

impl Algebra<'_, '_> {
    /// The derivative of an expression by an item.
    pub(super) fn after_item(&mut self, id: ExprId) -> Result<ExprId> {
        let ex = self.expressions.get(id).clone();
        self.step(ex.part_count())?;
        Ok(match &*ex {
            Expr::False | Expr::True | Expr::Distinct(_) | Expr::Differ(_) => id,
            Expr::Count { seen, min, max } => self.count(seen + 1, *min, *max),
            Expr::Items { items, at } => self.items_after(*items, *at),
            Expr::Contains { schema, seen, min, max } => {
                let one_more = self.contains(*schema, seen + 1, *min, *max);
                self.if_guard(*schema, one_more, id)
            }
            Expr::Unique { constants, used } => self.unique_after(id, constants, *used),
            // Conditions on objects are met by no array.
            whole => self.map_parts(whole, Self::after_item)?.unwrap_or(ExprId::FALSE),
        })
    }

    /// The derivative of an items constraint, with the guard of the item.
    fn items_after(&mut self, items: ItemsId, at: u32) -> ExprId {
        let content = self.loader.schemas.items(items).clone();
        let schema = content.prefix.get(at as usize).copied().unwrap_or(content.rest);
        let schema = self.loader.resolved(schema);
        let guard = self.expressions.guard(schema);
        let at = (at + 1).min(content.prefix.len() as u32);
        let unrestricted = at as usize == content.prefix.len() && content.rest == SchemaId::TRUE;
        let rest = if unrestricted { ExprId::TRUE } else { self.expressions.leaf(Expr::Items { items, at }) };
        self.expressions.and([guard, rest])
    }

    /// The derivative of the condition that constants follow at most once. A guard for each constant finds
    /// out which one the item is.
    fn unique_after(&mut self, id: ExprId, constants: &Arc<[SchemaId]>, used: u32) -> ExprId {
        let mut otherwise = id;
        for (index, &constant) in constants.iter().enumerate().rev() {
            let bit = 1 << index;
            let taken = if used & bit != 0 {
                ExprId::FALSE
            } else {
                self.expressions.leaf(Expr::Unique { constants: constants.clone(), used: used | bit })
            };
            otherwise = self.if_guard(constant, taken, otherwise);
        }
        otherwise
    }

    /// `then` if the item is valid under a schema, else `otherwise`.
    fn if_guard(&mut self, schema: SchemaId, then: ExprId, otherwise: ExprId) -> ExprId {
        let guard = self.expressions.guard(schema);
        let not = self.expressions.not(guard);
        let left = self.expressions.and([guard, then]);
        let right = self.expressions.and([not, otherwise]);
        self.expressions.or([left, right])
    }
}
