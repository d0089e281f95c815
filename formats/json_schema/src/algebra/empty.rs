//! Which intersections certainly have no values.
//!
//! Scalars are decided exactly. Arrays and objects are looked at as far as it takes to tell apart what discriminates
//! alternatives in practice: types, and required members or items whose values exclude each other. What is empty for
//! a deeper reason stays; the grammar is trimmed at the end, so this only saves work.

use super::super::languages::Languages;
use super::super::schema::{Clause, KeyId, ObjectRule, SchemaId};
use super::derive::Letter;
use super::expression::ExId;
use super::scalars::Sort;
use super::{Algebra, Literal, Result, lower::Kind};
use rustc_hash::FxHashSet;

/// Nested members are looked at so deep.
const MAX_DEPTH: u32 = 3;

impl Algebra<'_, '_> {
    /// Is there certainly no value in the intersection?
    pub(super) fn is_surely_empty(&mut self, literals: &[Literal]) -> Result<bool> {
        // What is asked here may come up while an expression for the same schema is being made.
        let in_progress = std::mem::take(&mut self.in_progress);
        let empty = self.surely_empty(literals, 0);
        self.in_progress = in_progress;
        empty
    }

    /// Have the two schemas certainly no value in common?
    pub(super) fn excludes(&mut self, a: SchemaId, b: SchemaId) -> Result<bool> {
        let (a, b) = (self.loader.resolved(a), self.loader.resolved(b));
        self.is_surely_empty(&[(a, true), (b, true)])
    }

    fn surely_empty(&mut self, literals: &[Literal], depth: u32) -> Result<bool> {
        let Some(literals) = super::simplify(literals.to_vec()) else { return Ok(true) };
        if let Some(&known) = self.memo.empty.get(&literals) {
            return Ok(known);
        }
        let empty = self.conjunction_consts(&literals)? == 0
            && self.conjunction_language(&literals, Sort::Numbers)? == Languages::NOTHING
            && self.conjunction_language(&literals, Sort::Strings)? == Languages::NOTHING
            && self.no_arrays(&literals)?
            && self.no_objects(&literals, depth)?;
        if depth == 0 || empty {
            self.memo.empty.insert(literals, empty);
        }
        Ok(empty)
    }

    fn no_arrays(&mut self, literals: &[Literal]) -> Result<bool> {
        let mut parts = Vec::new();
        for &(schema, positive) in literals {
            parts.push(self.literal(schema, positive, Kind::Arrays)?);
        }
        Ok(self.expressions.and(parts) == ExId::FALSE)
    }

    fn no_objects(&mut self, literals: &[Literal], depth: u32) -> Result<bool> {
        let mut parts = Vec::new();
        for &(schema, positive) in literals {
            parts.push(self.literal(schema, positive, Kind::Objects)?);
        }
        if self.expressions.and(parts) == ExId::FALSE {
            return Ok(true);
        }
        if depth >= MAX_DEPTH {
            return Ok(false);
        }
        let (mut asserted, mut seen) = (Vec::new(), FxHashSet::default());
        for &(schema, positive) in literals {
            if positive {
                self.collect_rules(schema, &mut asserted, &mut seen, 0);
            }
        }
        let mut required: Vec<KeyId> = Vec::new();
        for rule in &asserted {
            if let ObjectRule::Required(keys) = rule {
                required.extend(keys.iter().filter(|key| !required.contains(key)).collect::<Vec<_>>());
            }
        }
        for key in required {
            let mut value: Vec<Literal> = Vec::new();
            for rule in &asserted {
                if let ObjectRule::Members(members) = rule {
                    value.extend(
                        self.guards(*members, Letter::Key(key))?.iter().map(|&schema| (schema, true)),
                    );
                }
            }
            if value.len() > 1 && self.surely_empty(&value, depth + 1)?
                || value.contains(&(SchemaId::FALSE, true))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The rules on objects that a schema asserts in any case.
    fn collect_rules(
        &mut self,
        schema: SchemaId,
        rules: &mut Vec<ObjectRule>,
        seen: &mut FxHashSet<SchemaId>,
        depth: u32,
    ) {
        if depth > 16 || !seen.insert(schema) {
            return;
        }
        let content = self.loader.schemas.get(schema).clone();
        rules.extend(content.objects.iter().flatten().cloned());
        for clause in &content.clauses {
            match clause {
                Clause::Ref(reference) => {
                    let target = self.loader.follow(*reference);
                    self.collect_rules(target, rules, seen, depth + 1);
                }
                Clause::All(all) => {
                    all.iter().for_each(|&schema| self.collect_rules(schema, rules, seen, depth + 1))
                }
                _ => {}
            }
        }
    }
}
