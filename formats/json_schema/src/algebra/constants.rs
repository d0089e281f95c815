//! Splitting a union of which each part needs another constant, as `enum` of arrays or objects or a discriminator makes it, in linear work.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::split::{Letters, WIDE};
use crate::schema::SchemaId;
use rustc_hash::FxHashMap;

/// Constants, each with conditions.
type ByConstant = Vec<(SchemaId, Vec<ExprId>)>;

impl Algebra<'_, '_> {
    /// The values that the guards of a wide union distinguish, each with the condition on the rest. `None` if its parts are not conditions under one
    /// constant each.
    pub(super) fn split_constants(&mut self, id: ExprId) -> Result<Option<Letters>> {
        let whole = self.expressions.get(id).clone();
        let (around, union) = match *whole {
            Expr::Ordered { order, at, inner } => (Some((order, at)), self.expressions.get(inner).clone()),
            _ => (None, whole),
        };
        let (Expr::Or(parts) | Expr::ExactlyOne(parts)) = &*union else { return Ok(None) };
        let is_exclusive = matches!(*union, Expr::ExactlyOne(_));
        self.step(parts.len())?;
        if self.loader.has_parts || parts.len() < WIDE {
            return Ok(None);
        }
        let Some(values) = self.by_constant(parts)? else { return Ok(None) };
        let mut letters = Letters::default();
        for (schema, rests) in values {
            let rest = match is_exclusive {
                true => self.expressions.exactly_one(rests),
                false => self.expressions.or(rests),
            };
            let rest = around.map_or(rest, |(order, at)| self.keep_order(order, at, rest));
            if rest != ExprId::FALSE && !self.is_provably_empty(&[(schema, true)])? {
                letters.push(vec![(schema, true)], rest);
            }
        }
        Ok(Some(letters))
    }

    /// The constants that the parts of a union need, each with the other conditions of these parts.
    fn by_constant(&mut self, parts: &[ExprId]) -> Result<Option<ByConstant>> {
        let mut values = ByConstant::new();
        let mut places = FxHashMap::default();
        for &part in parts {
            let Some((schema, rest)) = self.under_one_guard(part)? else { return Ok(None) };
            let Some(value) = self.loader.constants.value_of(schema) else { return Ok(None) };
            let place = *places.entry(value).or_insert(values.len());
            match values.get_mut(place) {
                Some((known, rests)) if *known == schema => rests.push(rest),
                // The same object with its keys in another order.
                Some(_) => return Ok(None),
                None => values.push((schema, vec![rest])),
            }
        }
        Ok((values.len() >= WIDE).then_some(values))
    }

    /// The only guard in a conjunction, and the conditions beside it.
    fn under_one_guard(&mut self, id: ExprId) -> Result<Option<(SchemaId, ExprId)>> {
        let whole = self.expressions.get(id).clone();
        self.step(whole.part_count())?;
        let parts = match &*whole {
            Expr::And(parts) => parts,
            _ => std::slice::from_ref(&id),
        };
        let (guarded, rest): (Vec<ExprId>, Vec<_>) =
            parts.iter().partition(|&&part| self.expressions.is_guarded(part));
        let [guard] = guarded[..] else { return Ok(None) };
        let Expr::Guard(schema) = **self.expressions.get(guard) else { return Ok(None) };
        Ok(Some((schema, self.expressions.and(rest))))
    }
}
