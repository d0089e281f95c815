//! The conditions of `unevaluatedProperties` and `unevaluatedItems`.
//!
//! The members that a schema evaluates depend on which of its alternatives hold, and that is known only at
//! the end of the object. But there are finitely many cases: a case is a condition on the whole value,
//! together with the members or items that are evaluated if it holds. A value is valid if some case holds in
//! which all members that are not evaluated are valid under the keyword.

use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::expression::{Expr, ExprId};
use super::terms::{Bound, CompositeType};
use crate::languages::LanguageId;
use crate::schema::{Clause, Items, KeyId, Members, Schema, SchemaId};
use std::collections::{BTreeMap, BTreeSet};

/// A schema with more cases than this is refused.
const MAX_CASES: usize = 256;

/// The members and items that are evaluated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Evaluated {
    keys: BTreeSet<KeyId>,
    patterns: BTreeSet<LanguageId>,
    all_members: bool,
    prefix: u32,
    contains: BTreeSet<SchemaId>,
    all_items: bool,
}

/// Conditions, and the members and items that are evaluated if they hold.
#[derive(Clone, Default)]
struct Case {
    conditions: Vec<ExprId>,
    evaluated: Evaluated,
}

impl Case {
    /// The case in which both cases hold.
    fn join(mut self, other: &Self) -> Self {
        self.conditions.extend_from_slice(&other.conditions);
        let (evaluated, other) = (&mut self.evaluated, &other.evaluated);
        evaluated.keys.extend(&other.keys);
        evaluated.patterns.extend(&other.patterns);
        evaluated.all_members |= other.all_members;
        evaluated.prefix = evaluated.prefix.max(other.prefix);
        evaluated.contains.extend(&other.contains);
        evaluated.all_items |= other.all_items;
        self
    }

    /// What a copy of it takes.
    fn size(&self) -> usize {
        let Evaluated { keys, patterns, contains, .. } = &self.evaluated;
        self.conditions.len() + keys.len() + patterns.len() + contains.len()
    }
}

impl Algebra<'_, '_> {
    /// The condition on members or items that nothing evaluates, if the schema has one.
    pub(super) fn unevaluated(
        &mut self,
        content: &Schema,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<ExprId> {
        let schema = match composite {
            CompositeType::Arrays => content.evaluation.other_items,
            CompositeType::Objects => content.evaluation.other_members,
        };
        let Some(schema) = schema else { return Ok(ExprId::TRUE) };
        let mut own = self.own_evaluated(content);
        match composite {
            CompositeType::Arrays => own.all_items = false,
            CompositeType::Objects => own.all_members = false,
        }
        let own = Case { conditions: Vec::new(), evaluated: own };
        let cases = match (self.clause_cases(content, own, bound, composite), composite) {
            (Err(AlgebraError::Limit { resource, limit }), CompositeType::Objects) => {
                let by_key = self.unevaluated_keys(content, schema, bound)?;
                return by_key.ok_or(AlgebraError::Limit { resource, limit });
            }
            (cases, _) => cases?,
        };
        let mut union = Vec::new();
        for case in cases {
            let rule = match composite {
                CompositeType::Arrays => self.items_outside(&case.evaluated, schema),
                CompositeType::Objects => self.members_outside(&case.evaluated, schema),
            };
            let conditions = case.conditions.into_iter().chain([rule]);
            union.push(self.expressions.and(conditions));
        }
        Ok(self.expressions.or(union))
    }

    /// The condition that members which are not evaluated are valid under a schema.
    fn members_outside(&mut self, evaluated: &Evaluated, schema: SchemaId) -> ExprId {
        if evaluated.all_members {
            return ExprId::TRUE;
        }
        let properties = evaluated.keys.iter().map(|&key| (key, SchemaId::TRUE)).collect();
        let patterns = evaluated.patterns.iter().map(|&pattern| (pattern, SchemaId::TRUE)).collect();
        let members = self.loader.schemas.add_members(Members { properties, patterns, rest: schema });
        self.expressions.leaf(Expr::Members(members))
    }

    /// The condition that items which are not evaluated are valid under a schema.
    fn items_outside(&mut self, evaluated: &Evaluated, schema: SchemaId) -> ExprId {
        if evaluated.all_items {
            return ExprId::TRUE;
        }
        let mut rest = schema;
        if !evaluated.contains.is_empty() {
            let any = evaluated.contains.iter().copied().chain([schema]).collect();
            rest =
                self.loader.schemas.add(Schema { clauses: vec![Clause::AnyOf(any)], ..Schema::anything() });
        }
        let prefix = vec![SchemaId::TRUE; evaluated.prefix as usize];
        let items = self.loader.schemas.add_items(Items { prefix, rest });
        self.expressions.leaf(Expr::Items { items, at: 0 })
    }

    /// The members and items that the keywords of a schema itself evaluate.
    fn own_evaluated(&self, content: &Schema) -> Evaluated {
        let mut evaluated = Evaluated {
            all_members: content.evaluation.all_members,
            prefix: content.evaluation.prefix,
            contains: content.evaluation.contains.into_iter().collect(),
            all_items: content.evaluation.all_items,
            ..Evaluated::default()
        };
        if let Some(members) = content.evaluation.members {
            let members = self.loader.schemas.members(members);
            evaluated.keys.extend(members.properties.iter().map(|&(key, _)| key));
            evaluated.patterns.extend(members.patterns.iter().map(|&(pattern, _)| pattern));
        }
        evaluated
    }

    /// The cases of a schema that holds.
    fn cases(&mut self, schema: SchemaId, bound: Bound, composite: CompositeType) -> Result<Vec<Case>> {
        self.step(0)?;
        if self.evaluating.len() > MAX_CASES || !self.evaluating.insert(schema) {
            return Err(self.circular(schema));
        }
        let content = self.loader.schemas.get(schema).clone();
        let own = Case { conditions: Vec::new(), evaluated: self.own_evaluated(&content) };
        let cases = self.clause_cases(&content, own, bound, composite);
        self.evaluating.remove(&schema);
        cases
    }

    /// Extends a case by the members and items that the clauses of a schema evaluate.
    fn clause_cases(
        &mut self,
        content: &Schema,
        own: Case,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<Vec<Case>> {
        let mut cases = vec![own];
        for clause in &content.clauses {
            for alternatives in self.clause_alternatives(clause, bound, composite)? {
                cases = self.joined(cases, &alternatives)?;
            }
        }
        Ok(cases)
    }

    /// The cases in which a case of both lists holds.
    fn product(&self, cases: Vec<Case>, others: &[Case]) -> Result<Vec<Case>> {
        if let [only] = others {
            return Ok(cases.into_iter().map(|case| case.join(only)).collect());
        }
        self.step(others.len() * cases.iter().map(Case::size).sum::<usize>())?;
        let join = |case: &Case| others.iter().map(|other| case.clone().join(other)).collect::<Vec<_>>();
        Ok(cases.iter().flat_map(join).collect())
    }

    /// The same, but not more than are allowed.
    fn joined(&mut self, cases: Vec<Case>, alternatives: &[Case]) -> Result<Vec<Case>> {
        let all = self.product(cases, alternatives)?;
        if all.len() <= MAX_CASES {
            return Ok(all);
        }
        self.step(all.len())?;
        let merged = self.merged(all);
        if merged.len() <= MAX_CASES {
            return Ok(merged);
        }
        let resource = "combinations of alternatives on which an unevaluated… keyword depends";
        Err(AlgebraError::Limit { resource, limit: MAX_CASES })
    }

    /// The same cases, those that evaluate the same in one.
    fn merged(&mut self, cases: Vec<Case>) -> Vec<Case> {
        let mut by_evaluated: BTreeMap<Evaluated, Vec<ExprId>> = BTreeMap::new();
        for Case { conditions, evaluated } in cases {
            let holds = self.expressions.and(conditions);
            by_evaluated.entry(evaluated).or_default().push(holds);
        }
        let merge = |(evaluated, holds)| Case { conditions: vec![self.expressions.or(holds)], evaluated };
        by_evaluated.into_iter().map(merge).collect()
    }

    /// The alternatives of a clause: a list of lists of cases. In each list, one case holds.
    fn clause_alternatives(
        &mut self,
        clause: &Clause,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<Vec<Vec<Case>>> {
        let mut choices = Vec::new();
        match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                choices.push(self.cases(target, bound, composite)?);
            }
            Clause::AllOf(all) => {
                for &schema in all {
                    choices.push(self.cases(schema, bound, composite)?);
                }
            }
            Clause::AnyOf(any) => {
                for &schema in any {
                    let holds = self.cases_where(schema, true, schema, bound, composite)?;
                    let fails = self.cases_where(schema, false, SchemaId::TRUE, bound, composite)?;
                    choices.push(combine(holds, fails));
                }
            }
            Clause::OneOf(one) => {
                let mut cases = Vec::new();
                for &schema in one {
                    cases.extend(self.cases_where(schema, true, schema, bound, composite)?);
                }
                choices.push(cases);
            }
            Clause::If { condition, then, otherwise } => {
                let holds = self.cases_where(*condition, true, *condition, bound, composite)?;
                let then = self.cases(*then, bound, composite)?;
                let holds = self.product(holds, &then)?;
                let fails = self.cases_where(*condition, false, *otherwise, bound, composite)?;
                choices.push(combine(holds, fails));
            }
            Clause::Dependent(key, schema) if composite == CompositeType::Objects => {
                let present = self.required(vec![*key]);
                let absent = self.expressions.not(present);
                let mut holds = self.cases(*schema, bound, composite)?;
                holds.iter_mut().for_each(|case| case.conditions.push(present));
                let fails = vec![Case { conditions: vec![absent], evaluated: Evaluated::default() }];
                choices.push(combine(holds, fails));
            }
            Clause::Dependent(..) | Clause::Not(_) | Clause::Between { .. } => {}
        }
        Ok(choices)
    }

    /// The cases of `evaluating` where `condition` holds, or fails.
    fn cases_where(
        &mut self,
        condition: SchemaId,
        holds: bool,
        evaluating: SchemaId,
        bound: Bound,
        composite: CompositeType,
    ) -> Result<Vec<Case>> {
        let mut cases = self.cases(evaluating, bound, composite)?;
        let condition = match holds {
            true => self.lower(condition, bound, composite)?,
            false => self.fails(condition, bound, composite)?,
        };
        cases.iter_mut().for_each(|case| case.conditions.push(condition));
        Ok(cases)
    }
}

/// Both lists of cases. If no case evaluates anything, they are not distinguished.
fn combine(holds: Vec<Case>, fails: Vec<Case>) -> Vec<Case> {
    let nothing = Evaluated::default();
    if holds.iter().chain(&fails).all(|case| case.evaluated == nothing) {
        return vec![Case::default()];
    }
    holds.into_iter().chain(fails).collect()
}
