//! From schemas to expressions, and the order of keys.
//!
//! Keys come in the order in which the text of a schema declares them first: by `properties`, and at their places by `$ref`,
//! `allOf`, `if` and all others that look at the same object. Keys that are only required come after all of these. Only what
//! is asserted has an order: under `not` and the excluded branches of `oneOf`, members are a set.
//!
//! Alternatives (`anyOf`, `oneOf`, `then` and `else`, dependent schemas) may declare keys that the schema around them does
//! not. Mostly there is one order that goes for all of them: `[kind, x, name]` and `[kind, y, name]` are parts of
//! `[kind, x, y, name]`. If there is none, each alternative has its own order, and the expression for the node is
//! a union over the choices; with too many choices, the keys of all alternatives are declared one after the other.

use super::super::options::PropertyOrder;
use super::super::schema::{ArrayRule, Clause, KeyId, ObjectRule, Schema, SchemaId};
use super::expression::{Ex, ExId};
use super::order::{self, Declared};
use super::scalars::Sort;
use super::{Algebra, NodeId, Result, Side};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// More choices than this share one order.
const MAX_CHOICES: usize = 128;
/// The same for choices within choices.
const MAX_ALL_CHOICES: usize = 1024;

/// What an expression is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Arrays,
    Objects,
}

/// One choice among the alternatives of a schema: its order and the conditions that hold then.
#[derive(Clone, Default)]
struct Choice {
    order: Vec<KeyId>,
    /// Keys that are required; they end the order unless they are in it.
    required: Vec<KeyId>,
    parts: Vec<ExId>,
    /// Schemas whose rules are in `parts`: to say them again would change nothing.
    asserted: FxHashSet<SchemaId>,
}

impl Choice {
    fn declare(&mut self, keys: &[KeyId]) {
        for key in keys {
            if !self.order.contains(key) {
                self.order.push(*key);
            }
        }
    }
}

impl Algebra<'_, '_> {
    /// The arrays of a node.
    pub(super) fn arrays(&mut self, node: NodeId) -> Result<ExId> {
        let mut union = Vec::new();
        for conjunction in &self.node(node).0 {
            let mut parts = Vec::new();
            for &(schema, positive) in conjunction {
                parts.push(self.literal(schema, positive, Kind::Arrays)?);
            }
            union.push(self.expressions.and(parts));
        }
        Ok(self.expressions.or(union))
    }

    /// The objects of a node, with the order of their keys.
    pub(super) fn objects(&mut self, node: NodeId) -> Result<ExId> {
        let mut union = Vec::new();
        for conjunction in &self.node(node).0 {
            let mut choices = vec![Choice::default()];
            for &(schema, positive) in conjunction {
                if positive {
                    choices = self.gather(schema, choices)?;
                } else {
                    let not = self.literal(schema, false, Kind::Objects)?;
                    choices.iter_mut().for_each(|choice| choice.parts.push(not));
                }
            }
            union.push(self.order_choices(choices));
        }
        Ok(self.expressions.or(union))
    }

    fn order_choices(&mut self, choices: Vec<Choice>) -> ExId {
        let mut by_order: Vec<(Vec<KeyId>, Vec<ExId>)> = Vec::new();
        let mut place: FxHashMap<Vec<KeyId>, usize> = FxHashMap::default();
        for mut choice in choices {
            let required = std::mem::take(&mut choice.required);
            choice.declare(&required);
            let all = self.expressions.and(choice.parts);
            let index = *place.entry(choice.order.clone()).or_insert_with(|| {
                by_order.push((choice.order, Vec::new()));
                by_order.len() - 1
            });
            by_order[index].1.push(all);
        }
        let mut union = Vec::new();
        for (order, alternatives) in by_order {
            let inner = self.expressions.or(alternatives);
            union.push(self.ordered(order, inner));
        }
        self.expressions.or(union)
    }

    fn ordered(&mut self, keys: Vec<KeyId>, inner: ExId) -> ExId {
        if keys.is_empty() || inner == ExId::FALSE {
            return inner;
        }
        let order = self.add_order(keys);
        match self.loader.options.property_order {
            PropertyOrder::Declared => self.expressions.leaf(Ex::Ordered { order, at: 0, inner }),
            PropertyOrder::Any => {
                let once = self.expressions.leaf(Ex::Once { order, used: Box::default() });
                self.expressions.and([once, inner])
            }
        }
    }

    pub(super) fn literal(&mut self, schema: SchemaId, positive: bool, kind: Kind) -> Result<ExId> {
        if positive {
            return self.lower(schema, Side::Upper, kind);
        }
        let inner = self.lower(schema, Side::Lower, kind)?;
        Ok(self.expressions.not(inner))
    }

    /// A schema as a condition on a set of members or a list of items.
    pub(super) fn lower(&mut self, schema: SchemaId, side: Side, kind: Kind) -> Result<ExId> {
        if let Some(&known) = self.memo.lowered.get(&(schema, side, kind)) {
            return Ok(known);
        }
        self.enter(schema, side)?;
        let content = self.loader.schemas.get(schema).clone();
        let mut parts = Vec::new();
        let possible = self.rules(&content, side, kind, &mut parts)?;
        if possible {
            for clause in &content.clauses {
                parts.push(self.clause(clause, side, kind)?);
            }
            parts.push(self.unevaluated(&content, side, kind)?);
        }
        self.leave(schema, side);
        let all = if possible { self.expressions.and(parts) } else { ExId::FALSE };
        self.memo.lowered.insert((schema, side, kind), all);
        Ok(all)
    }

    /// Adds the rules of a schema itself. False if it allows no such values.
    fn rules(&mut self, content: &Schema, side: Side, kind: Kind, parts: &mut Vec<ExId>) -> Result<bool> {
        match (kind, &content.arrays, &content.objects) {
            (Kind::Arrays, Some(rules), _) => {
                for rule in rules {
                    parts.push(self.array_rule(rule, side)?);
                }
            }
            (Kind::Objects, _, Some(rules)) => {
                for rule in rules {
                    parts.push(self.object_rule(rule, side)?);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn array_rule(&mut self, rule: &ArrayRule, side: Side) -> Result<ExId> {
        Ok(match rule {
            ArrayRule::Items(items) => self.expressions.leaf(Ex::Items { items: *items, at: 0 }),
            ArrayRule::Length { min, max } => self.count(0, *min, *max),
            ArrayRule::Contains { schema, min, max } => {
                let schema = self.loader.resolved(*schema);
                self.contains(schema, 0, *min, *max)
            }
            ArrayRule::Unique(items) => self.unique(*items, side)?,
        })
    }

    fn object_rule(&mut self, rule: &ObjectRule, side: Side) -> Result<ExId> {
        Ok(match rule {
            ObjectRule::Members(members) => self.expressions.leaf(Ex::Members(*members)),
            ObjectRule::Required(keys) => self.missing(keys.clone()),
            ObjectRule::Size { min, max } => self.count(0, *min, *max),
            ObjectRule::Names(schema) => {
                let language = self.language(*schema, side, Sort::Strings)?;
                self.expressions.leaf(Ex::Names(language))
            }
        })
    }

    pub(super) fn missing(&mut self, mut keys: Vec<KeyId>) -> ExId {
        keys.sort_unstable();
        if keys.is_empty() { ExId::TRUE } else { self.expressions.leaf(Ex::Missing(keys.into())) }
    }

    /// `min` to `max` in all, of which `seen` were read.
    pub(super) fn count(&mut self, seen: u32, min: u32, max: Option<u32>) -> ExId {
        match max {
            Some(max) if seen > max || min > max => ExId::FALSE,
            None if seen >= min => ExId::TRUE,
            _ => self.expressions.leaf(Ex::Count { seen, min, max }),
        }
    }

    pub(super) fn contains(&mut self, schema: SchemaId, seen: u32, min: u32, max: Option<u32>) -> ExId {
        match max {
            Some(max) if seen > max || min > max => ExId::FALSE,
            None if seen >= min => ExId::TRUE,
            _ => self.expressions.leaf(Ex::Contains { schema, seen, min, max }),
        }
    }

    fn clause(&mut self, clause: &Clause, side: Side, kind: Kind) -> Result<ExId> {
        Ok(match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.lower(target, side, kind)?
            }
            Clause::All(all) => {
                let parts = self.lower_each(all, side, kind)?;
                self.expressions.and(parts)
            }
            Clause::Any(any) => {
                let parts = self.lower_each(any, side, kind)?;
                self.expressions.or(parts)
            }
            Clause::One(one) => self.exactly_one(one, side, kind)?,
            Clause::Not(not) => {
                let inner = self.lower(*not, side.flip(), kind)?;
                self.expressions.not(inner)
            }
            Clause::If { condition, then, otherwise } => {
                let parts = [
                    (self.lower(*condition, side, kind)?, *then),
                    (self.fails(*condition, side, kind)?, *otherwise),
                ];
                let mut union = Vec::new();
                for (holds, branch) in parts {
                    let branch = self.lower(branch, side, kind)?;
                    union.push(self.expressions.and([holds, branch]));
                }
                self.expressions.or(union)
            }
            Clause::Dependent(key, schema) if kind == Kind::Objects => {
                let absent = self.absent(*key);
                let schema = self.lower(*schema, side, kind)?;
                self.expressions.or([absent, schema])
            }
            Clause::Dependent(..) => ExId::TRUE,
            Clause::Unknown if side == Side::Upper => ExId::TRUE,
            Clause::Unknown => ExId::FALSE,
        })
    }

    pub(super) fn fails(&mut self, schema: SchemaId, side: Side, kind: Kind) -> Result<ExId> {
        let holds = self.lower(schema, side.flip(), kind)?;
        Ok(self.expressions.not(holds))
    }

    fn absent(&mut self, key: KeyId) -> ExId {
        let present = self.missing(vec![key]);
        self.expressions.not(present)
    }

    fn lower_each(&mut self, schemas: &[SchemaId], side: Side, kind: Kind) -> Result<Vec<ExId>> {
        schemas.iter().map(|&schema| self.lower(schema, side, kind)).collect()
    }

    fn exactly_one(&mut self, schemas: &[SchemaId], side: Side, kind: Kind) -> Result<ExId> {
        let possible = self.lower_each(schemas, side, kind)?;
        let certain = self.lower_each(schemas, side.flip(), kind)?;
        if possible == certain {
            return Ok(self.expressions.one(possible));
        }
        let mut union = Vec::new();
        for (chosen, &holds) in possible.iter().enumerate() {
            let others =
                certain.iter().enumerate().filter(|&(index, _)| index != chosen).map(|(_, &other)| other);
            let other = self.expressions.or(others);
            let no_other = self.expressions.not(other);
            union.push(self.expressions.and([holds, no_other]));
        }
        Ok(self.expressions.or(union))
    }

    /// Adds what a schema asserts about objects to every choice.
    fn gather(&mut self, schema: SchemaId, choices: Vec<Choice>) -> Result<Vec<Choice>> {
        self.step()?;
        let (mut done, new): (Vec<_>, _) =
            choices.into_iter().partition(|choice| choice.asserted.contains(&schema));
        if !new.is_empty() {
            done.extend(self.gather_new(schema, new)?);
        }
        Ok(done)
    }

    fn gather_new(&mut self, schema: SchemaId, mut choices: Vec<Choice>) -> Result<Vec<Choice>> {
        let content = self.loader.schemas.get(schema).clone();
        let mut parts = Vec::new();
        if !self.rules(&content, Side::Upper, Kind::Objects, &mut parts)? {
            return Ok(Vec::new());
        }
        for choice in &mut choices {
            choice.required.extend(content.objects.iter().flatten().flat_map(ObjectRule::required));
            choice.parts.extend_from_slice(&parts);
        }
        self.enter(schema, Side::Upper)?;
        let (before, after) = content.clauses.split_at(content.properties_at);
        for clause in before {
            choices = self.gather_clause(clause, choices)?;
        }
        choices.iter_mut().for_each(|choice| choice.declare(&content.order));
        for clause in after {
            choices = self.gather_clause(clause, choices)?;
        }
        let unevaluated = self.unevaluated(&content, Side::Upper, Kind::Objects)?;
        for choice in &mut choices {
            choice.parts.push(unevaluated);
            choice.asserted.insert(schema);
        }
        self.leave(schema, Side::Upper);
        Ok(choices)
    }

    fn gather_clause(&mut self, clause: &Clause, mut choices: Vec<Choice>) -> Result<Vec<Choice>> {
        match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.gather(target, choices)
            }
            Clause::All(all) => all.iter().try_fold(choices, |choices, &schema| self.gather(schema, choices)),
            Clause::If { condition, .. } => {
                let declared = self.declared(*condition)?;
                choices.iter_mut().for_each(|choice| choice.declare(&declared.keys));
                self.choose(clause, choices)
            }
            Clause::Any(_) | Clause::One(_) | Clause::Dependent(..) => self.choose(clause, choices),
            Clause::Not(_) | Clause::Unknown => {
                let condition = self.clause(clause, Side::Upper, Kind::Objects)?;
                choices.iter_mut().for_each(|choice| choice.parts.push(condition));
                Ok(choices)
            }
        }
    }

    /// Adds a clause with alternatives. Each makes choices of its own if no order goes for all.
    fn choose(&mut self, clause: &Clause, mut choices: Vec<Choice>) -> Result<Vec<Choice>> {
        let branches = self.branches(clause);
        let mut declared = Vec::new();
        for &branch in &branches {
            declared.push(self.declared(branch)?);
        }
        let merged: Option<Vec<_>> =
            choices.iter().map(|choice| order::merge(&choice.order, &declared)).collect();
        let nested = self.choices * branches.len();
        let too_many = choices.len() * branches.len() > MAX_CHOICES || nested > MAX_ALL_CHOICES;
        if merged.is_some() || too_many {
            let condition = self.clause(clause, Side::Upper, Kind::Objects)?;
            let new_keys = merged.unwrap_or_else(|| vec![order::first_appearance(&declared); choices.len()]);
            for (choice, keys) in choices.iter_mut().zip(new_keys) {
                choice.declare(&keys);
                choice.parts.push(condition);
            }
            return Ok(choices);
        }
        let mut all = Vec::new();
        for (index, &branch) in branches.iter().enumerate() {
            let around = std::mem::replace(&mut self.choices, nested);
            let mut chosen = self.gather(branch, choices.clone())?;
            self.choices = around;
            if chosen.is_empty() {
                continue;
            }
            let condition = self.chosen(clause, index)?;
            chosen.iter_mut().for_each(|choice| choice.parts.push(condition));
            all.extend(chosen);
        }
        Ok(all)
    }

    fn branches(&mut self, clause: &Clause) -> Vec<SchemaId> {
        match clause {
            Clause::Any(schemas) | Clause::One(schemas) => schemas.clone(),
            Clause::If { then, otherwise, .. } => vec![*then, *otherwise],
            Clause::Dependent(_, schema) => vec![SchemaId::TRUE, *schema],
            _ => Vec::new(),
        }
    }

    /// What holds besides the branch itself if a clause is satisfied by its branch number `index`.
    fn chosen(&mut self, clause: &Clause, index: usize) -> Result<ExId> {
        match clause {
            Clause::One(schemas) => {
                let mut no_other = Vec::new();
                for (other, &schema) in schemas.iter().enumerate() {
                    if other != index && !self.excludes(schemas[index], schema)? {
                        no_other.push(self.fails(schema, Side::Upper, Kind::Objects)?);
                    }
                }
                Ok(self.expressions.and(no_other))
            }
            Clause::If { condition, .. } if index == 0 => self.lower(*condition, Side::Upper, Kind::Objects),
            Clause::If { condition, .. } => self.fails(*condition, Side::Upper, Kind::Objects),
            Clause::Dependent(key, _) if index == 0 => Ok(self.absent(*key)),
            Clause::Dependent(key, _) => Ok(self.missing(vec![*key])),
            _ => Ok(ExId::TRUE),
        }
    }

    /// The keys that a schema declares, whatever alternatives hold.
    fn declared(&mut self, schema: SchemaId) -> Result<Rc<Declared>> {
        if let Some(known) = self.memo.declared.get(&schema) {
            return Ok(known.clone());
        }
        self.enter(schema, Side::Upper)?;
        let content = self.loader.schemas.get(schema).clone();
        let mut declared = Declared::default();
        if content.objects.is_some() {
            let (before, after) = content.clauses.split_at(content.properties_at);
            for clause in before {
                self.declare_clause(clause, &mut declared)?;
            }
            declared.keys.extend_from_slice(&content.order);
            for clause in after {
                self.declare_clause(clause, &mut declared)?;
            }
        }
        self.leave(schema, Side::Upper);
        let mut seen = FxHashSet::default();
        declared.keys.retain(|&key| seen.insert(key));
        let declared = Rc::new(declared);
        self.memo.declared.insert(schema, declared.clone());
        Ok(declared)
    }

    fn declare_clause(&mut self, clause: &Clause, declared: &mut Declared) -> Result<()> {
        let certain: Vec<SchemaId> = match clause {
            Clause::Ref(reference) => vec![self.loader.follow(*reference)],
            Clause::All(all) => all.clone(),
            Clause::If { condition, .. } => vec![*condition],
            _ => Vec::new(),
        };
        for schema in certain {
            let inner = self.declared(schema)?;
            declared.conflict |= inner.conflict;
            declared.keys.extend_from_slice(&inner.keys);
        }
        let mut alternatives = Vec::new();
        for branch in self.branches(clause) {
            alternatives.push(self.declared(branch)?);
        }
        let merged = order::merge(&declared.keys, &alternatives);
        declared.conflict |= merged.is_none();
        declared.keys.extend(merged.unwrap_or_else(|| order::first_appearance(&alternatives)));
        Ok(())
    }
}
