//! `unevaluatedProperties` and `unevaluatedItems`.
//!
//! Which members a schema evaluates depends on which of its alternatives hold, and that is known at the end of the
//! object only. But there are finitely many ways: a case is a condition on the whole value together with what is
//! evaluated if it holds. The value is valid if in some case that holds, all members outside of its cover are valid
//! under the keyword.

use super::super::languages::LanguageId;
use super::super::schema::{Clause, Items, KeyId, Members, ObjectRule, Schema, SchemaId};
use super::expression::{Ex, ExId};
use super::lower::Kind;
use super::{Algebra, Result, Side, Trouble};
use std::collections::BTreeSet;

/// More cases than this are given up.
const MAX_CASES: usize = 256;

/// What is evaluated.
#[derive(Clone, PartialEq, Eq, Default)]
struct Cover {
    keys: BTreeSet<KeyId>,
    patterns: BTreeSet<LanguageId>,
    all_members: bool,
    prefix: u32,
    contains: BTreeSet<SchemaId>,
    all_items: bool,
}

/// Conditions, and what is evaluated if they hold.
#[derive(Clone, Default)]
struct Case {
    conditions: Vec<ExId>,
    cover: Cover,
}

impl Case {
    fn join(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        joined.conditions.extend_from_slice(&other.conditions);
        let (cover, other) = (&mut joined.cover, &other.cover);
        cover.keys.extend(&other.keys);
        cover.patterns.extend(&other.patterns);
        cover.all_members |= other.all_members;
        cover.prefix = cover.prefix.max(other.prefix);
        cover.contains.extend(&other.contains);
        cover.all_items |= other.all_items;
        joined
    }
}

impl Algebra<'_, '_> {
    /// The condition on members or items that nothing evaluates, if the schema has one.
    pub(super) fn unevaluated(&mut self, content: &Schema, side: Side, kind: Kind) -> Result<ExId> {
        let schema = match kind {
            Kind::Arrays => content.evaluation.other_items,
            Kind::Objects => content.evaluation.other_members,
        };
        let Some(schema) = schema else { return Ok(ExId::TRUE) };
        let mut own = self.own_cover(content);
        match kind {
            Kind::Arrays => own.all_items = false,
            Kind::Objects => own.all_members = false,
        }
        let own = Case { conditions: Vec::new(), cover: own };
        let mut union = Vec::new();
        for case in self.clause_cases(content, own, side, kind)? {
            let rule = match kind {
                Kind::Arrays => self.items_outside(&case.cover, schema),
                Kind::Objects => self.members_outside(&case.cover, schema),
            };
            let conditions = case.conditions.into_iter().chain([rule]);
            union.push(self.expressions.and(conditions));
        }
        Ok(self.expressions.or(union))
    }

    fn members_outside(&mut self, cover: &Cover, schema: SchemaId) -> ExId {
        if cover.all_members {
            return ExId::TRUE;
        }
        let properties = cover.keys.iter().map(|&key| (key, SchemaId::TRUE)).collect();
        let patterns = cover.patterns.iter().map(|&pattern| (pattern, SchemaId::TRUE)).collect();
        let members = self.loader.schemas.add_members(Members { properties, patterns, rest: schema });
        self.expressions.leaf(Ex::Members(members))
    }

    fn items_outside(&mut self, cover: &Cover, schema: SchemaId) -> ExId {
        if cover.all_items {
            return ExId::TRUE;
        }
        let mut rest = schema;
        if !cover.contains.is_empty() {
            let any = cover.contains.iter().copied().chain([schema]).collect();
            rest = self.loader.schemas.add(Schema { clauses: vec![Clause::Any(any)], ..Schema::anything() });
        }
        let prefix = vec![SchemaId::TRUE; cover.prefix as usize];
        let items = self.loader.schemas.add_items(Items { prefix, rest });
        self.expressions.leaf(Ex::Items { items, at: 0 })
    }

    fn own_cover(&self, content: &Schema) -> Cover {
        let mut cover = Cover {
            all_members: content.evaluation.all_members,
            prefix: content.evaluation.prefix,
            contains: content.evaluation.contains.into_iter().collect(),
            all_items: content.evaluation.all_items,
            ..Cover::default()
        };
        for rule in content.objects.iter().flatten() {
            if let ObjectRule::Members(members) = rule {
                let members = self.loader.schemas.members(*members);
                cover.keys.extend(members.properties.iter().map(|&(key, _)| key));
                cover.patterns.extend(members.patterns.iter().map(|&(pattern, _)| pattern));
            }
        }
        cover
    }

    /// The cases of a schema that holds.
    fn cases(&mut self, schema: SchemaId, side: Side, kind: Kind) -> Result<Vec<Case>> {
        self.step()?;
        if self.covering.len() > MAX_CASES || !self.covering.insert(schema) {
            return Err(self.circular(schema));
        }
        let content = self.loader.schemas.get(schema).clone();
        let own = Case { conditions: Vec::new(), cover: self.own_cover(&content) };
        let cases = self.clause_cases(&content, own, side, kind);
        self.covering.remove(&schema);
        cases
    }

    /// Extends a case by what the clauses of a schema evaluate.
    fn clause_cases(&mut self, content: &Schema, own: Case, side: Side, kind: Kind) -> Result<Vec<Case>> {
        let mut cases = vec![own];
        for clause in &content.clauses {
            for ways in self.ways(clause, side, kind)? {
                cases = cases.iter().flat_map(|case| ways.iter().map(|way| case.join(way))).collect();
                if cases.len() > MAX_CASES {
                    let what = "combinations of alternatives on which an unevaluated… keyword depends";
                    return Err(Trouble::Limit { what, limit: MAX_CASES });
                }
            }
        }
        Ok(cases)
    }

    /// The choices that a clause leaves, each a list of cases one of which holds.
    fn ways(&mut self, clause: &Clause, side: Side, kind: Kind) -> Result<Vec<Vec<Case>>> {
        let mut choices = Vec::new();
        match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                choices.push(self.cases(target, side, kind)?);
            }
            Clause::All(all) => {
                for &schema in all {
                    choices.push(self.cases(schema, side, kind)?);
                }
            }
            Clause::Any(any) => {
                for &schema in any {
                    let holds = self.cases_where(schema, true, schema, side, kind)?;
                    let fails = self.cases_where(schema, false, SchemaId::TRUE, side, kind)?;
                    choices.push(combine(holds, fails));
                }
            }
            Clause::One(one) => {
                let mut ways = Vec::new();
                for &schema in one {
                    ways.extend(self.cases_where(schema, true, schema, side, kind)?);
                }
                choices.push(ways);
            }
            Clause::If { condition, then, otherwise } => {
                let holds = self.cases_where(*condition, true, *condition, side, kind)?;
                let then = self.cases(*then, side, kind)?;
                let holds = holds.iter().flat_map(|case| then.iter().map(|other| case.join(other))).collect();
                let fails = self.cases_where(*condition, false, *otherwise, side, kind)?;
                choices.push(combine(holds, fails));
            }
            Clause::Dependent(key, schema) if kind == Kind::Objects => {
                let present = self.missing(vec![*key]);
                let absent = self.expressions.not(present);
                let mut holds = self.cases(*schema, side, kind)?;
                holds.iter_mut().for_each(|case| case.conditions.push(present));
                let fails = vec![Case { conditions: vec![absent], cover: Cover::default() }];
                choices.push(combine(holds, fails));
            }
            Clause::Dependent(..) | Clause::Not(_) | Clause::Unknown => {}
        }
        Ok(choices)
    }

    /// The cases of `evaluating` where `condition` holds, or fails.
    fn cases_where(
        &mut self,
        condition: SchemaId,
        holds: bool,
        evaluating: SchemaId,
        side: Side,
        kind: Kind,
    ) -> Result<Vec<Case>> {
        let mut cases = self.cases(evaluating, side, kind)?;
        let condition = match holds {
            true => self.lower(condition, side, kind)?,
            false => self.fails(condition, side, kind)?,
        };
        cases.iter_mut().for_each(|case| case.conditions.push(condition));
        Ok(cases)
    }
}

/// Both lists of cases; nothing to choose if nothing is evaluated either way.
fn combine(holds: Vec<Case>, fails: Vec<Case>) -> Vec<Case> {
    let nothing = Cover::default();
    if holds.iter().chain(&fails).all(|case| case.cover == nothing) {
        return vec![Case::default()];
    }
    holds.into_iter().chain(fails).collect()
}
