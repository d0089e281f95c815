//! The objects of a node, with the order of their keys.
//!
//! Keys come in the order in which the text of a schema declares them first: by `properties`, and at their
//! places by `$ref`, `allOf`, `if` and all other keywords that apply to the same object. Keys that are only
//! required come after all of these. Only asserted schemas have an order: under `not` and in the excluded
//! branches of `oneOf`, members are a set.
//!
//! Alternatives (`anyOf`, `oneOf`, `then` and `else`, dependent schemas) may declare keys that the schema
//! around them does not. Mostly there is one order for all of them: `[kind, x, name]` and `[kind, y, name]`
//! are subsequences of `[kind, x, y, name]`. If there is none, each alternative has its own order, and the
//! expression for the node is a union over the choices. If there are too many choices, the keys of all
//! alternatives are declared one after the other.
//!
//! Other keys have no order, unless their order is needed to keep the automaton small: whether a schema that must *not*
//! hold requires what has been read depends on the set of its keys, and there are 2ⁿ sets of n keys. So the keys of the
//! excluded branches of a `oneOf` follow the keys of the chosen branch in their own order, and so do the keys that other
//! conditions require, if there are more than [`MAX_FREE_KEYS`]. Where a repeated key would mislead (`repeats`), keys occur once: so few of them
//! in any order, more in their order.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::order::{self, Declared, Order};
use super::terms::{Bound, CompositeType, NodeId, OtherKeys};
use crate::options::PropertyOrder;
use crate::schema::{Clause, KeyId, ObjectRule, SchemaId};
use crate::style::Style;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// If a clause leads to more choices than this, its alternatives share one order.
const MAX_CHOICES: usize = 128;
/// The same limit for choices within choices.
const MAX_ALL_CHOICES: usize = 1024;

/// If conditions require more keys than this that are in no order, these come in the order of the text.
const MAX_FREE_KEYS: usize = 4;

/// An order of keys, and the condition on the objects whose keys are in it.
pub(super) struct Alternative {
    pub(super) order: Vec<KeyId>,
    pub(super) condition: ExprId,
}

/// A choice among the alternatives of a schema: the order of keys, and the conditions that hold if it is
/// made.
#[derive(Clone, Default)]
struct Choice {
    order: Order,
    /// Required keys. Those that are not in the order follow it.
    required: Vec<KeyId>,
    /// The keys of branches that must not hold. They follow all others.
    excluded: Vec<KeyId>,
    parts: Vec<ExprId>,
    /// The schemas whose rules are in `parts`, so that they are not added again.
    asserted: FxHashSet<SchemaId>,
}

impl Algebra<'_, '_> {
    /// The alternatives for the objects of a node, for each of its intersections.
    pub(super) fn alternatives(&mut self, node: NodeId, others: OtherKeys) -> Result<Vec<Vec<Alternative>>> {
        let mut union = Vec::new();
        for conjunction in &self.node(node).0 {
            let mut choices = vec![Choice::default()];
            for &(schema, positive) in conjunction {
                if positive {
                    choices = self.gather(schema, choices)?;
                } else {
                    let not = self.literal(schema, false, CompositeType::Objects)?;
                    choices.iter_mut().for_each(|choice| choice.parts.push(not));
                }
            }
            union.push(self.order_choices(choices, others)?);
        }
        Ok(union)
    }

    /// The condition that an alternative of some intersection holds, each with its order.
    pub(super) fn united(&mut self, alternatives: &[Vec<Alternative>]) -> ExprId {
        let mut union = Vec::with_capacity(alternatives.len());
        for alternatives in alternatives {
            let each = self.by_order(alternatives);
            union.push(self.expressions.or(each));
        }
        self.expressions.or(union)
    }

    /// The conditions of alternatives, each with its order. Those of one order are one condition.
    fn by_order(&mut self, alternatives: &[Alternative]) -> Vec<ExprId> {
        let mut by_order: Vec<(&[KeyId], Vec<ExprId>)> = Vec::new();
        let mut place: FxHashMap<&[KeyId], usize> = FxHashMap::default();
        for Alternative { order, condition } in alternatives {
            let index = *place.entry(order).or_insert_with(|| {
                by_order.push((order, Vec::new()));
                by_order.len() - 1
            });
            by_order[index].1.push(*condition);
        }
        let mut union = Vec::with_capacity(by_order.len());
        for (order, conditions) in by_order {
            let condition = self.expressions.or(conditions);
            union.push(self.ordered(order.to_vec(), condition));
        }
        union
    }

    /// The choices as alternatives, each with its order.
    fn order_choices(&mut self, choices: Vec<Choice>, others: OtherKeys) -> Result<Vec<Alternative>> {
        let mut alternatives = Vec::with_capacity(choices.len());
        for mut choice in choices {
            let required = std::mem::take(&mut choice.required);
            choice.order.declare(&required);
            let parts = self.merge_parts(choice.parts)?;
            let mut all = self.expressions.and(parts);
            if !self.in_any_order(choice.order.known().len()) {
                choice.order.declare(&choice.excluded);
                let free = self.free_keys(all, choice.order.known())?;
                choice.order.declare(if free.len() > MAX_FREE_KEYS { &free } else { &[] });
            }
            if others == OtherKeys::Once {
                let keys = self.listed_keys(all, choice.order.known())?;
                if keys.len() > MAX_FREE_KEYS {
                    choice.order.declare(&keys);
                } else if !keys.is_empty() {
                    let order = self.add_order(keys);
                    let once = self.expressions.leaf(Expr::AtMostOnce { order, used: Box::default() });
                    all = self.expressions.and([once, all]);
                }
            }
            alternatives.push(Alternative { order: choice.order.into_keys(), condition: all });
        }
        Ok(alternatives)
    }

    /// The keys that some part of a condition requires and that are in no order, in the order of the text.
    fn free_keys(&self, condition: ExprId, known: &FxHashSet<KeyId>) -> Result<Vec<KeyId>> {
        let (mut open, mut seen, mut keys) = (vec![condition], FxHashSet::default(), BTreeSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let ex = self.expressions.get(id);
            self.step(ex.part_count())?;
            match &**ex {
                Expr::Required(set) => {
                    self.step(self.key_sets.size(*set))?;
                    keys.extend(self.key_sets.keys(*set).into_iter().filter(|key| !known.contains(key)));
                }
                Expr::Not(inner) => open.push(*inner),
                Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => open.extend_from_slice(parts),
                _ => {}
            }
        }
        Ok(keys.into_iter().collect())
    }

    /// The condition with an order of keys.
    pub(super) fn ordered(&mut self, keys: Vec<KeyId>, inner: ExprId) -> ExprId {
        if keys.is_empty() || inner == ExprId::FALSE {
            return inner;
        }
        let in_any_order = self.in_any_order(keys.len());
        let order = self.add_order(self.as_written(keys));
        if in_any_order {
            let once = self.expressions.leaf(Expr::AtMostOnce { order, used: Box::default() });
            return self.expressions.and([once, inner]);
        }
        self.expressions.leaf(Expr::Ordered { order, at: 0, inner })
    }

    /// The declared keys in the order in which calls have them where they are too many for any order: the templates of Gemma, whose strings
    /// stand between marks, sort them without regard to case.
    fn as_written(&self, mut keys: Vec<KeyId>) -> Vec<KeyId> {
        let options = self.loader.options;
        if options.any_order_up_to.is_some() && matches!(options.style, Style::Marked(_)) {
            keys.sort_by_cached_key(|&key| self.loader.schemas.key(key).to_lowercase());
        }
        keys
    }

    /// Whether this number of declared keys comes in any order: every set of them is a state.
    pub(super) fn in_any_order(&self, keys: usize) -> bool {
        let options = &self.loader.options;
        options.property_order == PropertyOrder::Any
            && options.any_order_up_to.is_none_or(|most| keys <= most)
    }

    /// Adds the conditions and keys of a schema to every choice that does not have them yet.
    fn gather(&mut self, schema: SchemaId, choices: Vec<Choice>) -> Result<Vec<Choice>> {
        self.step(0)?;
        let (mut done, new): (Vec<_>, _) =
            choices.into_iter().partition(|choice| choice.asserted.contains(&schema));
        if !new.is_empty() {
            done.extend(self.gather_new(schema, new)?);
        }
        Ok(done)
    }

    /// Adds the conditions and keys of a schema to every choice.
    fn gather_new(&mut self, schema: SchemaId, mut choices: Vec<Choice>) -> Result<Vec<Choice>> {
        let content = self.loader.schemas.get(schema).clone();
        let mut parts = Vec::new();
        if !self.rules(&content, Bound::Upper, CompositeType::Objects, &mut parts)? {
            return Ok(Vec::new());
        }
        for choice in &mut choices {
            choice.required.extend(content.objects.iter().flatten().flat_map(ObjectRule::required));
            choice.parts.extend_from_slice(&parts);
        }
        self.enter(schema, Bound::Upper)?;
        let (before, after) = content.clauses.split_at(content.properties_at);
        for clause in before {
            choices = self.gather_clause(clause, choices)?;
        }
        choices.iter_mut().for_each(|choice| choice.order.declare(&content.order));
        for clause in after {
            choices = self.gather_clause(clause, choices)?;
        }
        let unevaluated = self.unevaluated(&content, Bound::Upper, CompositeType::Objects)?;
        for choice in &mut choices {
            choice.parts.push(unevaluated);
            choice.asserted.insert(schema);
        }
        self.leave(schema, Bound::Upper);
        Ok(choices)
    }

    /// Adds the conditions and keys of a clause to every choice.
    fn gather_clause(&mut self, clause: &Clause, mut choices: Vec<Choice>) -> Result<Vec<Choice>> {
        self.step(choices.len())?;
        match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.gather(target, choices)
            }
            Clause::AllOf(all) => {
                all.iter().try_fold(choices, |choices, &schema| self.gather(schema, choices))
            }
            Clause::If { condition, .. } => {
                let declared = self.declared(*condition)?;
                choices.iter_mut().for_each(|choice| choice.order.declare(&declared.keys));
                self.choose(clause, choices)
            }
            Clause::AnyOf(_) | Clause::OneOf(_) | Clause::Dependent(..) => self.choose(clause, choices),
            Clause::Not(_) | Clause::Between { .. } => {
                let condition = self.clause(clause, Bound::Upper, CompositeType::Objects)?;
                choices.iter_mut().for_each(|choice| choice.parts.push(condition));
                Ok(choices)
            }
        }
    }

    /// Adds a clause with alternatives. If there is no order for all alternatives, each of them makes choices
    /// of its own.
    fn choose(&mut self, clause: &Clause, mut choices: Vec<Choice>) -> Result<Vec<Choice>> {
        let branches = self.branches(clause);
        let mut declared = Vec::new();
        for &branch in &branches {
            declared.push(self.declared(branch)?);
        }
        let keys: usize = declared.iter().map(|declared| declared.keys.len()).sum();
        self.step(choices.len() * (branches.len() + keys))?;
        let merge = |choice: &Choice| order::merge(choice.order.known(), &declared, |keys| self.step(keys));
        let merged = choices.iter().map(merge).collect::<Result<Option<Vec<_>>>>()?;
        let nested = self.choices * branches.len();
        let is_union = Self::is_union(clause, &declared);
        if is_union
            && self.is_apart(clause, (&branches, &declared), nested.max(choices.len() * branches.len()))?
        {
            return self.branch_choices(clause, (&branches, &declared), &choices, nested);
        }
        let too_many = choices.len() * branches.len() > MAX_CHOICES || nested > MAX_ALL_CHOICES;
        if merged.is_some() || too_many {
            let condition = self.clause(clause, Bound::Upper, CompositeType::Objects)?;
            let new_keys = merged.unwrap_or_else(|| vec![order::first_appearance(&declared); choices.len()]);
            for (choice, keys) in choices.iter_mut().zip(new_keys) {
                choice.order.declare(&keys);
                choice.parts.push(condition);
            }
            return Ok(choices);
        }
        self.branch_choices(clause, (&branches, &declared), &choices, nested)
    }

    /// The choices that each branch of a clause makes. `nested` is the number of choices around them.
    fn branch_choices(
        &mut self,
        clause: &Clause,
        (branches, declared): (&[SchemaId], &[Rc<Declared>]),
        choices: &[Choice],
        nested: usize,
    ) -> Result<Vec<Choice>> {
        let mut all = Vec::new();
        for (index, &branch) in branches.iter().enumerate() {
            self.step(choices.iter().map(|choice| choice.parts.len() + choice.order.known().len()).sum())?;
            let around = std::mem::replace(&mut self.choices, nested);
            let mut chosen = self.gather(branch, choices.to_vec())?;
            self.choices = around;
            if chosen.is_empty() {
                continue;
            }
            let condition = self.chosen(clause, index)?;
            let excluded = match clause {
                Clause::OneOf(schemas) if self.unions.apart => {
                    let overlaps = self.overlaps(schemas)?;
                    let others: Vec<_> =
                        overlaps[index].iter().map(|&other| declared[other].clone()).collect();
                    order::first_appearance(&others)
                }
                Clause::OneOf(_) => {
                    order::first_appearance(&[&declared[..index], &declared[index + 1..]].concat())
                }
                _ => Vec::new(),
            };
            self.step(chosen.len() * excluded.len())?;
            for choice in &mut chosen {
                choice.parts.push(condition);
                choice.excluded.extend_from_slice(&excluded);
            }
            all.extend(chosen);
        }
        Ok(all)
    }

    /// The condition besides the branch itself under which a clause is satisfied by its branch number
    /// `index`.
    fn chosen(&mut self, clause: &Clause, index: usize) -> Result<ExprId> {
        match clause {
            Clause::OneOf(schemas) => {
                let overlaps = if self.unions.apart { Some(self.overlaps(schemas)?) } else { None };
                let mut no_other = Vec::new();
                for (other, &schema) in schemas.iter().enumerate() {
                    let may_hold = match &overlaps {
                        Some(overlaps) => overlaps[index].contains(&other),
                        None => other != index && !self.excludes(schemas[index], schema)?,
                    };
                    if may_hold {
                        no_other.push(self.fails(schema, Bound::Upper, CompositeType::Objects)?);
                    }
                }
                Ok(self.expressions.and(no_other))
            }
            Clause::If { condition, .. } if index == 0 => {
                self.lower(*condition, Bound::Upper, CompositeType::Objects)
            }
            Clause::If { condition, .. } => self.fails(*condition, Bound::Upper, CompositeType::Objects),
            Clause::Dependent(key, _) if index == 0 => Ok(self.absent(*key)),
            Clause::Dependent(key, _) => Ok(self.required(vec![*key])),
            _ => Ok(ExprId::TRUE),
        }
    }
}
