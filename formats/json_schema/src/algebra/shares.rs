//! The share of the work that one place may take. Where keywords may be left out, conditions that multiply there are left out before everything is spent.

use super::context::{Algebra, PART, Share};
use super::error::{AlgebraError, Result};
use super::terms::NodeId;
use crate::schema::SchemaId;

/// Which part of the conditions is left out at most, where there is time to try again.
const PART_LEFT_OUT: usize = 8;

impl Algebra<'_, '_> {
    /// What is made of a node. If that is too much, conditions at its place are noted to be left out, if they may be: each time as many as before, and one
    /// more. Where a count told early that it is too much, they are fewer: the outer ones hold the most.
    pub(crate) fn within_share<T>(
        &mut self,
        node: NodeId,
        mut make: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if !self.loader.hindsight.leaves_out {
            return make(self);
        }
        self.share = Share::next(self.loader.budget);
        let made = make(self);
        let share = std::mem::replace(&mut self.share, Share::ALL);
        let Err(error) = made else { return made };
        if !error.is_limit() || self.loader.budget.exceeded().is_some() {
            return Err(error);
        }
        let schemas: Vec<SchemaId> = self.node(node).literals().map(|(schema, _)| schema).collect();
        let clauses = self.loader.multiplying(schemas);
        let known = self.loader.hindsight.left_out.len();
        let most = match share.is_spent(self.loader.budget) {
            true => known + 1,
            false => clauses.len().div_ceil(PART_LEFT_OUT).min(known + 1),
        };
        clauses.into_iter().rev().take(most).for_each(|clause| self.loader.leave_out(clause));
        if self.loader.more_hindsight.left_out.is_empty() { make(self) } else { Err(error) }
    }

    /// Checks that the place at hand takes no more than its share.
    pub(super) fn check_share(&self) -> Result<()> {
        let limit = self.loader.budget.limits().work / PART;
        match self.share.is_spent(self.loader.budget) {
            true => Err(AlgebraError::Limit { resource: "work units at one place", limit: limit as usize }),
            false => Ok(()),
        }
    }
}
