//! The scalars of a node: its constants, and the languages of its numbers and strings.
//!
//! These are exact: boolean operations on schemas become operations on sets of constants and on languages.
//! Where a condition is unknown, the result is the upper or lower [`Bound`] that the caller asks for.

use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::terms::{Bound, Literal, NodeId, ScalarType};
use crate::emit::check_spelled;
use crate::languages::{LanguageId, Languages};
use crate::load::ClauseOf;
use crate::schema::{Clause, SchemaId, consts};
use gcc_grammar_limits::OverBudget;

impl Algebra<'_, '_> {
    /// The constants that a node allows: a set of [`consts`].
    pub(crate) fn node_consts(&mut self, node: NodeId) -> Result<u8> {
        let mut union = 0;
        for conjunction in &self.node(node).0 {
            union |= self.conjunction_consts(conjunction)?;
        }
        Ok(union)
    }

    /// The constants that an intersection allows.
    pub(super) fn conjunction_consts(&mut self, literals: &[Literal]) -> Result<u8> {
        literals.iter().try_fold(consts::ALL, |all, &(schema, positive)| {
            Ok(all
                & if positive {
                    self.consts(schema, Bound::Upper)?
                } else {
                    consts::ALL & !self.consts(schema, Bound::Lower)?
                })
        })
    }

    /// The numbers or strings that a node allows.
    pub(crate) fn node_language(&mut self, node: NodeId, scalar: ScalarType) -> Result<LanguageId> {
        let mut union = Languages::NOTHING;
        for conjunction in &self.node(node).0 {
            let language = self.conjunction_language(conjunction, scalar)?;
            union = self.loader.languages.union(union, language)?;
        }
        Ok(union)
    }

    /// The numbers or strings that an intersection allows.
    pub(super) fn conjunction_language(
        &mut self,
        literals: &[Literal],
        scalar: ScalarType,
    ) -> Result<LanguageId> {
        let mut all = scalar.all();
        for &(schema, positive) in literals {
            all = if positive {
                let language = self.language(schema, Bound::Upper, scalar)?;
                self.loader.languages.intersect(all, language)?
            } else {
                let language = self.language(schema, Bound::Lower, scalar)?;
                self.loader.languages.difference(all, language)?
            };
        }
        Ok(all)
    }

    /// The constants that a schema allows.
    fn consts(&mut self, schema: SchemaId, bound: Bound) -> Result<u8> {
        let content = self.loader.schemas.get(schema).clone();
        if content.consts == 0 || content.clauses.is_empty() {
            return Ok(content.consts);
        }
        if let Some(&known) = self.memo.consts.get(&(schema, bound)) {
            return Ok(known);
        }
        self.enter(schema, bound)?;
        let mut all = content.consts;
        for clause in &content.clauses {
            all &= self.clause_consts(clause, bound)?;
        }
        self.leave(schema, bound);
        self.memo.consts.insert((schema, bound), all);
        Ok(all)
    }

    /// The constants that a clause allows.
    fn clause_consts(&mut self, clause: &Clause, bound: Bound) -> Result<u8> {
        Ok(match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.consts(target, bound)?
            }
            Clause::AllOf(all) => all
                .iter()
                .try_fold(consts::ALL, |acc, &s| Ok::<_, AlgebraError>(acc & self.consts(s, bound)?))?,
            Clause::AnyOf(any) => {
                any.iter().try_fold(0, |acc, &s| Ok::<_, AlgebraError>(acc | self.consts(s, bound)?))?
            }
            Clause::OneOf(one) => self.exactly_one_consts(one, bound)?,
            Clause::Not(not) => consts::ALL & !self.consts(*not, bound.opposite())?,
            Clause::If { condition, then, otherwise } => {
                let holds = self.consts(*condition, bound)?;
                let fails = consts::ALL & !self.consts(*condition, bound.opposite())?;
                holds & self.consts(*then, bound)? | fails & self.consts(*otherwise, bound)?
            }
            Clause::Dependent(..) => consts::ALL,
            Clause::Between { accepted, possible, .. } => {
                self.consts(bound.of(*accepted, *possible), bound)?
            }
        })
    }

    /// The constants that exactly one schema allows: at least one schema may allow them, and no two schemas
    /// certainly do.
    fn exactly_one_consts(&mut self, schemas: &[SchemaId], bound: Bound) -> Result<u8> {
        let (mut some, mut once, mut twice) = (0, 0, 0);
        for &schema in schemas {
            some |= self.consts(schema, bound)?;
            let certain = self.consts(schema, bound.opposite())?;
            twice |= once & certain;
            once |= certain;
        }
        Ok(some & !twice)
    }

    /// The numbers or strings that a schema allows.
    pub(super) fn language(
        &mut self,
        schema: SchemaId,
        bound: Bound,
        scalar: ScalarType,
    ) -> Result<LanguageId> {
        let content = self.loader.schemas.get(schema).clone();
        let own = match scalar {
            ScalarType::Numbers => content.numbers,
            ScalarType::Strings => content.strings,
        };
        if own == Languages::NOTHING || content.clauses.is_empty() {
            return Ok(own);
        }
        if let Some(&known) = self.memo.languages.get(&(schema, bound, scalar)) {
            return Ok(known);
        }
        self.enter(schema, bound)?;
        let mut all = own;
        for (number, clause) in content.clauses.iter().enumerate() {
            all = match self.restricted(all, clause, bound, scalar) {
                Err(AlgebraError::OverBudget(over)) if self.loader.budget.exceeded().is_none() => {
                    self.leave_out((schema, number), &over);
                    if bound == Bound::Upper { all } else { Languages::NOTHING }
                }
                restricted => restricted?,
            };
        }
        self.leave(schema, bound);
        self.memo.languages.insert((schema, bound, scalar), all);
        Ok(all)
    }

    /// The numbers among some that a schema allows. Conditions are applied one after the other to the numbers that are left: all multiples of none of several numbers need
    /// an automaton of many states, but those within a range few.
    fn numbers_among(&mut self, all: LanguageId, schema: SchemaId, bound: Bound) -> Result<LanguageId> {
        let content = self.loader.schemas.get(schema).clone();
        let own = self.loader.languages.intersect(all, content.numbers)?;
        self.enter(schema, bound)?;
        let left =
            content.clauses.iter().try_fold(own, |left, clause| self.numbers_by_clause(left, clause, bound));
        self.leave(schema, bound);
        left
    }

    /// The numbers among some that a clause allows.
    fn numbers_by_clause(&mut self, all: LanguageId, clause: &Clause, bound: Bound) -> Result<LanguageId> {
        match clause {
            _ if all == Languages::NOTHING => Ok(all),
            Clause::AllOf(schemas) => {
                schemas.iter().try_fold(all, |left, &schema| self.numbers_among(left, schema, bound))
            }
            Clause::AnyOf(schemas) => schemas.iter().try_fold(Languages::NOTHING, |some, &schema| {
                let others = self.numbers_among(all, schema, bound)?;
                Ok(self.loader.languages.union(some, others)?)
            }),
            Clause::Not(schema) => {
                let excluded = self.numbers_among(all, *schema, bound.opposite())?;
                Ok(self.loader.languages.difference(all, excluded)?)
            }
            _ => {
                let language = self.clause_language(clause, bound, ScalarType::Numbers)?;
                Ok(self.loader.languages.intersect(all, language)?)
            }
        }
    }

    /// The numbers or strings among some that a clause allows.
    fn restricted(
        &mut self,
        all: LanguageId,
        clause: &Clause,
        bound: Bound,
        scalar: ScalarType,
    ) -> Result<LanguageId> {
        if scalar == ScalarType::Numbers && all != scalar.all() {
            return self.numbers_by_clause(all, clause, bound);
        }
        let language = self.clause_language(clause, bound, scalar)?;
        let restricted = self.loader.languages.intersect(all, language)?;
        if scalar == ScalarType::Strings && restricted != all {
            let options = self.loader.options;
            self.loader.languages.in_half(|languages| check_spelled(languages, restricted, options))?;
        }
        Ok(restricted)
    }

    /// Refuses a clause whose numbers or strings would be too large an automaton, or reports that it is left out.
    fn leave_out(&mut self, clause: ClauseOf, over: &OverBudget) {
        let pointer = self.loader.pointer_of_clause(clause).unwrap_or_default();
        let help = "combine fewer patterns and bounds on the same value";
        self.loader.unenforced_at(pointer, over.to_string(), "values that break it", help);
    }

    /// The numbers or strings that a clause allows.
    fn clause_language(&mut self, clause: &Clause, bound: Bound, scalar: ScalarType) -> Result<LanguageId> {
        let nothing = Languages::NOTHING;
        Ok(match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.language(target, bound, scalar)?
            }
            Clause::AllOf(all) => {
                let mut language = scalar.all();
                for &schema in all {
                    let next = self.language(schema, bound, scalar)?;
                    language = self.loader.languages.intersect(language, next)?;
                }
                language
            }
            Clause::AnyOf(any) => {
                let mut language = nothing;
                for &schema in any {
                    let next = self.language(schema, bound, scalar)?;
                    language = self.loader.languages.union(language, next)?;
                }
                language
            }
            Clause::OneOf(one) => self.exactly_one_language(one, bound, scalar)?,
            Clause::Not(not) => {
                let inner = self.language(*not, bound.opposite(), scalar)?;
                self.loader.languages.difference(scalar.all(), inner)?
            }
            Clause::If { condition, then, otherwise } => {
                let holds = self.language(*condition, bound, scalar)?;
                let holds_not = self.language(*condition, bound.opposite(), scalar)?;
                let then = self.language(*then, bound, scalar)?;
                let otherwise = self.language(*otherwise, bound, scalar)?;
                let languages = &mut self.loader.languages;
                let left = languages.intersect(holds, then)?;
                let right = languages.difference(otherwise, holds_not)?;
                languages.union(left, right)?
            }
            Clause::Dependent(..) => scalar.all(),
            Clause::Between { accepted, possible, .. } => {
                self.language(bound.of(*accepted, *possible), bound, scalar)?
            }
        })
    }

    /// The numbers or strings that exactly one schema allows.
    fn exactly_one_language(
        &mut self,
        schemas: &[SchemaId],
        bound: Bound,
        scalar: ScalarType,
    ) -> Result<LanguageId> {
        let (mut some, mut once, mut twice) = (Languages::NOTHING, Languages::NOTHING, Languages::NOTHING);
        for &schema in schemas {
            let possible = self.language(schema, bound, scalar)?;
            let certain = self.language(schema, bound.opposite(), scalar)?;
            let languages = &mut self.loader.languages;
            some = languages.union(some, possible)?;
            let both = languages.intersect(once, certain)?;
            twice = languages.union(twice, both)?;
            once = languages.union(once, certain)?;
        }
        Ok(self.loader.languages.difference(some, twice)?)
    }
}
