//! Splitting: from a derivative with guards to disjoint sets of values, each with the condition on the rest.
//!
//! One guard after the other is assumed to hold and to fail. Each combination of assumptions is an
//! intersection of literals, and the expression that remains has no guards. Intersections with the same rest
//! are united to one node.
//!
//! Values that have [no complement](super::differ) are not told from all others where they allow more than those. There, sets are not disjoint.

use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::expression::{Expr, ExprId};
use super::terms::{Literal, NodeId};
use crate::schema::SchemaId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A schema with more different sets of values at one place is refused.
const MAX_LETTERS: usize = 4_000;
/// The same where conditions may be left out: each set has a rule of its own.
const MAX_WHERE_LEFT_OUT: usize = 16;

/// From so many guards on, those that a guard excludes are decided together with it.
pub(super) const WIDE: usize = 32;

/// Intersections of literals, each with the condition on the rest.
#[derive(Default)]
pub(super) struct Letters {
    list: Vec<(Vec<Literal>, ExprId)>,
    /// The most that may be added.
    most: usize,
}

impl Letters {
    fn add(&mut self, literals: Vec<Literal>, rest: ExprId) -> Result<()> {
        if self.list.len() == self.most {
            return Err(AlgebraError::Limit { resource: "kinds of values at one place", limit: self.most });
        }
        self.push(literals, rest);
        Ok(())
    }

    /// Adds values of which there are as many as the schema lists.
    pub(super) fn push(&mut self, literals: Vec<Literal>, rest: ExprId) {
        self.list.push((literals, rest));
    }
}

/// What is assumed of guards.
type Decided<'a> = dyn Fn(SchemaId) -> Option<bool> + 'a;

impl Algebra<'_, '_> {
    /// The sets of values that the guards distinguish, each with the condition on the rest. The sets are
    /// disjoint, unless complements are missing, and the conditions are different and not false.
    pub(super) fn split(&mut self, id: ExprId) -> Result<Rc<[(NodeId, ExprId)]>> {
        if let Some(known) = self.memo.splits.get(&id) {
            return Ok(known.clone());
        }
        let letters = match self.split_constants(id)? {
            Some(letters) => letters,
            None => {
                let most = match self.loader.hindsight.leaves_out {
                    true => MAX_WHERE_LEFT_OUT,
                    false => MAX_LETTERS,
                };
                let mut letters = Letters { most, ..Letters::default() };
                self.branch(id, &mut Vec::new(), &mut letters)?;
                letters
            }
        };
        let mut grouped: Vec<(ExprId, Vec<Vec<Literal>>)> = Vec::new();
        let mut place = FxHashMap::default();
        for (literals, rest) in letters.list {
            let index = *place.entry(rest).or_insert_with(|| {
                grouped.push((rest, Vec::new()));
                grouped.len() - 1
            });
            grouped[index].1.push(literals);
        }
        let mut split = Vec::new();
        for (rest, union) in grouped {
            let (merged, comparisons) = merge(union);
            self.step(comparisons)?;
            split.push((self.add_node(merged), rest));
        }
        let split: Rc<[_]> = split.into();
        self.memo.splits.insert(id, split.clone());
        Ok(split)
    }

    /// Assumes one guard after the other. `literals` are the assumptions so far.
    fn branch(&mut self, id: ExprId, literals: &mut Vec<Literal>, letters: &mut Letters) -> Result<()> {
        let (mut id, before) = (id, literals.len());
        // A schema may have thousands of guards that fail one after the other.
        while let Some(rest) = self.branch_once(id, literals, letters)? {
            id = rest;
        }
        literals.truncate(before);
        Ok(())
    }

    /// Assumes one guard. Returns what is left to do, under the assumptions that are then in `literals`.
    fn branch_once(
        &mut self,
        id: ExprId,
        literals: &mut Vec<Literal>,
        letters: &mut Letters,
    ) -> Result<Option<ExprId>> {
        if id == ExprId::FALSE {
            return Ok(None);
        }
        self.step(self.expressions.get(id).part_count())?;
        let Some(schema) = self.first_guard(id) else {
            self.step(literals.len())?;
            letters.add(literals.clone(), id)?;
            return Ok(None);
        };
        let guards = self.all_guards(id)?;
        if guards.len() >= WIDE {
            let schema = self.asserted_guard(id).unwrap_or(schema);
            return self.branch_wide(id, (schema, &guards), literals, letters).map(Some);
        }
        let holds = self.assume(id, &|guard| (guard == schema).then_some(true))?;
        let fails = self.assume(id, &|guard| (guard == schema).then_some(false))?;
        if holds == fails {
            return Ok(Some(holds));
        }
        let both = holds != ExprId::FALSE && fails != ExprId::FALSE;
        if both && self.may_overlap(id, schema)? {
            self.branch(fails, literals, letters)?;
            literals.push((schema, true));
            return Ok(Some(holds));
        }
        literals.push((schema, true));
        if holds != ExprId::FALSE && (!both || !self.is_provably_empty(literals)?) {
            if !both {
                return Ok(Some(holds));
            }
            self.branch(holds, literals, letters)?;
        }
        literals.pop();
        literals.push((schema, false));
        Ok(if both && self.is_provably_empty(literals)? { None } else { Some(fails) })
    }

    /// Assumes that a guard holds, and with it that all guards fail which it excludes; and that it fails. Otherwise n guards of which one
    /// holds would be assumed in n² combinations, as the constants of a discriminator. A guard may exclude another one only together with those that are
    /// known to hold, as patterns of strings do which all accept what is no string. Returns what is left if the guard fails.
    fn branch_wide(
        &mut self,
        id: ExprId,
        (schema, guards): (SchemaId, &FxHashSet<SchemaId>),
        literals: &mut Vec<Literal>,
        letters: &mut Letters,
    ) -> Result<ExprId> {
        let mut holding: Vec<SchemaId> = literals.iter().filter(|l| l.1).map(|l| l.0).collect();
        holding.push(schema);
        let mut excluded = FxHashSet::default();
        for guard in guards.iter().copied().chain(literals.iter().map(|&(literal, _)| literal)) {
            self.step(0)?;
            if guard != schema
                && (self.differ_in_texts(schema, guard)? || self.exclude_together(&holding, guard)?)
            {
                excluded.insert(guard);
            }
        }
        let decided = |guard| match guard == schema {
            true => Some(true),
            false => excluded.contains(&guard).then_some(false),
        };
        let holds = self.assume(id, &decided)?;
        let fails = self.assume(id, &|guard| (guard == schema).then_some(false))?;
        if holds == fails {
            return Ok(holds);
        }
        let is_implied = |&(literal, positive): &Literal| !positive && excluded.contains(&literal);
        let mut of_holds: Vec<Literal> = literals.iter().filter(|&l| !is_implied(l)).copied().collect();
        of_holds.push((schema, true));
        if !self.is_provably_empty(&of_holds)? {
            self.branch(holds, &mut of_holds, letters)?;
        }
        literals.push((schema, false));
        Ok(fails)
    }

    /// All guards in an expression.
    fn all_guards(&self, id: ExprId) -> Result<FxHashSet<SchemaId>> {
        let (mut open, mut seen, mut guards) = (vec![id], FxHashSet::default(), FxHashSet::default());
        while let Some(id) = open.pop() {
            if !self.expressions.is_guarded(id) || !seen.insert(id) {
                continue;
            }
            match &**self.expressions.get(id) {
                Expr::Guard(schema) => drop(guards.insert(*schema)),
                Expr::Not(inner) | Expr::Ordered { inner, .. } => open.push(*inner),
                Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => open.extend_from_slice(parts),
                _ => {}
            }
        }
        self.step(seen.len())?;
        Ok(guards)
    }

    /// The first guard that a conjunction asserts.
    fn asserted_guard(&self, id: ExprId) -> Option<SchemaId> {
        match &**self.expressions.get(id) {
            Expr::Guard(schema) => Some(*schema),
            Expr::Ordered { inner, .. } => self.asserted_guard(*inner),
            Expr::And(parts) => parts.iter().find_map(|&part| match **self.expressions.get(part) {
                Expr::Guard(schema) => Some(schema),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The first guard in an expression.
    fn first_guard(&self, id: ExprId) -> Option<SchemaId> {
        if !self.expressions.is_guarded(id) {
            return None;
        }
        match &**self.expressions.get(id) {
            Expr::Guard(schema) => Some(*schema),
            Expr::Not(inner) | Expr::Ordered { inner, .. } => self.first_guard(*inner),
            Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => {
                parts.iter().find_map(|&part| self.first_guard(part))
            }
            _ => None,
        }
    }

    /// Simplifies an expression by what is assumed of guards.
    fn assume(&mut self, id: ExprId, decided: &Decided<'_>) -> Result<ExprId> {
        if !self.expressions.is_guarded(id) {
            return Ok(id);
        }
        let ex = self.expressions.get(id).clone();
        self.step(ex.part_count())?;
        Ok(match &*ex {
            Expr::Guard(guard) => match decided(*guard) {
                Some(true) => ExprId::TRUE,
                Some(false) => ExprId::FALSE,
                None => id,
            },
            Expr::Ordered { order, at, inner } => match self.assume(*inner, decided)? {
                ExprId::FALSE => ExprId::FALSE,
                inner => self.expressions.leaf(Expr::Ordered { order: *order, at: *at, inner }),
            },
            whole => self.map_parts(whole, |algebra, part| algebra.assume(part, decided))?.unwrap_or(id),
        })
    }
}

/// Joins pairs of intersections that differ in the sign of one literal, until there is no such pair. Also returns the
/// number of literals that were compared.
fn merge(mut union: Vec<Vec<Literal>>) -> (Vec<Vec<Literal>>, usize) {
    let mut comparisons = 0;
    for conjunction in &mut union {
        conjunction.sort_unstable();
    }
    let mut place = 0;
    while place < union.len() && union.len() <= 256 {
        let partner = (0..union.len()).find_map(|other| {
            comparisons += union[place].len();
            let literal = differs_in_one_sign(&union[place], &union[other])?;
            Some((other, literal))
        });
        match partner {
            Some((other, literal)) => {
                union[place].retain(|&(schema, _)| schema != literal);
                let joined = union.swap_remove(place.max(other));
                let kept = place.min(other);
                if place > other {
                    union[kept] = joined;
                }
                place = 0;
            }
            None => place += 1,
        }
    }
    (union, comparisons)
}

/// The schema of the only literal in which two intersections differ, if they differ in its sign only.
fn differs_in_one_sign(a: &[Literal], b: &[Literal]) -> Option<SchemaId> {
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.0 != b.0) {
        return None;
    }
    let mut differing = a.iter().zip(b).filter(|(a, b)| a.1 != b.1);
    let (first, _) = differing.next()?;
    differing.next().is_none().then_some(first.0)
}
