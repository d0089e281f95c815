//! Making letters disjoint: from one expression with guards to values and the conditions that they lead to.

use super::super::schema::SchemaId;
use super::expression::{Ex, ExId};
use super::{Algebra, Literal, NodeId, Result, Trouble};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A place with more different kinds of values than this is given up.
const MAX_LETTERS: usize = 4_000;

impl Algebra<'_, '_> {
    /// The kinds of values that matter to the guards, each with the condition on what follows it. The values are
    /// disjoint, the conditions differ and are not false.
    pub(super) fn split(&mut self, id: ExId) -> Result<Rc<[(NodeId, ExId)]>> {
        if let Some(known) = self.memo.splits.get(&id) {
            return Ok(known.clone());
        }
        let mut letters = Vec::new();
        self.branch(id, &mut Vec::new(), &mut letters)?;
        let mut grouped: Vec<(ExId, Vec<Vec<Literal>>)> = Vec::new();
        let mut place = FxHashMap::default();
        for (literals, rest) in letters {
            let index = *place.entry(rest).or_insert_with(|| {
                grouped.push((rest, Vec::new()));
                grouped.len() - 1
            });
            grouped[index].1.push(literals);
        }
        let mut split = Vec::new();
        for (rest, union) in grouped {
            split.push((self.add_node(merge(union)), rest));
        }
        let split: Rc<[_]> = split.into();
        self.memo.splits.insert(id, split.clone());
        Ok(split)
    }

    /// Decides one guard after the other.
    fn branch(
        &mut self,
        id: ExId,
        literals: &mut Vec<Literal>,
        letters: &mut Vec<(Vec<Literal>, ExId)>,
    ) -> Result<()> {
        if id == ExId::FALSE {
            return Ok(());
        }
        let Some(schema) = self.first_guard(id) else {
            letters.push((literals.clone(), id));
            if letters.len() > MAX_LETTERS {
                return Err(Trouble::Limit { what: "kinds of values at one place", limit: MAX_LETTERS });
            }
            return Ok(());
        };
        let holds = self.assume(id, schema, true)?;
        let fails = self.assume(id, schema, false)?;
        if holds == fails {
            return self.branch(holds, literals, letters);
        }
        let both = holds != ExId::FALSE && fails != ExId::FALSE;
        for (positive, rest) in [(true, holds), (false, fails)] {
            literals.push((schema, positive));
            if !both || !self.is_surely_empty(literals)? {
                self.branch(rest, literals, letters)?;
            }
            literals.pop();
        }
        Ok(())
    }

    fn first_guard(&self, id: ExId) -> Option<SchemaId> {
        if !self.expressions.is_guarded(id) {
            return None;
        }
        match &**self.expressions.get(id) {
            Ex::Guard(schema) => Some(*schema),
            Ex::Not(inner) | Ex::Ordered { inner, .. } => self.first_guard(*inner),
            Ex::And(parts) | Ex::Or(parts) | Ex::One(parts) => {
                parts.iter().find_map(|&part| self.first_guard(part))
            }
            _ => None,
        }
    }

    /// The expression where it is known whether the value is valid under a schema.
    fn assume(&mut self, id: ExId, schema: SchemaId, holds: bool) -> Result<ExId> {
        if !self.expressions.is_guarded(id) {
            return Ok(id);
        }
        self.step()?;
        let ex = self.expressions.get(id).clone();
        Ok(match &*ex {
            Ex::Guard(guard) if *guard == schema => {
                if holds {
                    ExId::TRUE
                } else {
                    ExId::FALSE
                }
            }
            Ex::Not(inner) => {
                let inner = self.assume(*inner, schema, holds)?;
                self.expressions.not(inner)
            }
            Ex::And(parts) => {
                let parts = self.assume_each(parts, schema, holds)?;
                self.expressions.and(parts)
            }
            Ex::Or(parts) => {
                let parts = self.assume_each(parts, schema, holds)?;
                self.expressions.or(parts)
            }
            Ex::One(parts) => {
                let parts = self.assume_each(parts, schema, holds)?;
                self.expressions.one(parts)
            }
            Ex::Ordered { order, at, inner } => match self.assume(*inner, schema, holds)? {
                ExId::FALSE => ExId::FALSE,
                inner => self.expressions.leaf(Ex::Ordered { order: *order, at: *at, inner }),
            },
            _ => id,
        })
    }

    fn assume_each(&mut self, parts: &[ExId], schema: SchemaId, holds: bool) -> Result<Vec<ExId>> {
        parts.iter().map(|&part| self.assume(part, schema, holds)).collect()
    }
}

/// Joins intersections that differ in the sign of one literal, until none do.
fn merge(mut union: Vec<Vec<Literal>>) -> Vec<Vec<Literal>> {
    for conjunction in &mut union {
        conjunction.sort_unstable();
    }
    let mut place = 0;
    while place < union.len() && union.len() <= 256 {
        let partner = (0..union.len()).find_map(|other| {
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
    union
}

fn differs_in_one_sign(a: &[Literal], b: &[Literal]) -> Option<SchemaId> {
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.0 != b.0) {
        return None;
    }
    let mut differing = a.iter().zip(b).filter(|(a, b)| a.1 != b.1);
    let (first, _) = differing.next()?;
    differing.next().is_none().then_some(first.0)
}
