//! The condition of `uniqueItems`.
//!
//! An automaton can remember which of finitely many values occurred, as a set. This is exact, but it is small
//! only while there are few values. Other scalars are remembered by the runtime ([`Expr::Distinct`]); arrays have at most as many of them as there are
//! values, so that a further item is always possible. That the condition does not hold cannot be remembered, where that [makes a difference](super::differ), nor can arrays or objects of
//! which there are finitely many and many, or whose keys have no order ([`nested`](crate::nested)). There
//! the keyword is reported as not enforced; if it may be left out, arrays still have at most as many items as there are values.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::terms::{Bound, NodeId, ScalarType};
use crate::automaton::{Automaton, Run};
use crate::excludes::excluded;
use crate::languages::number::{self, digits};
use crate::languages::texts;
use crate::languages::{LanguageId, Languages};
use crate::options::PropertyOrder;
use crate::read::decimal::Decimal;
use crate::schema::{Clause, ItemsId, Schema, SchemaId, consts};
use crate::style::Style;
use std::sync::Arc;

/// The maximum number of values that are remembered. Each one more doubles the automaton: ten take 430 KB, twelve 1.7 MB.
const MAX_VALUES: usize = 10;
/// The maximum number of values that bound the number of items.
const MAX_COUNTED: usize = 1000;
/// References and applicators are followed down to this depth to find out that a schema allows scalars only.
const MAX_DEPTH: u32 = 8;

impl Algebra<'_, '_> {
    /// The condition that no two items are equal.
    pub(super) fn unique(&mut self, items: ItemsId, bound: Bound) -> Result<ExprId> {
        let in_progress = std::mem::take(&mut self.in_progress);
        let values = self.values_of(items);
        self.in_progress = in_progress;
        let most = match values? {
            Some(values) if values.len() <= MAX_VALUES => {
                return Ok(self.expressions.leaf(Expr::Unique { constants: values.into(), used: 0 }));
            }
            values => values.map(|values| values.len() as u32),
        };
        if bound == Bound::Lower {
            let parts = [self.expressions.leaf(Expr::Differ(items)), self.count(0, 0, most)];
            return Ok(self.expressions.and(parts));
        }
        if self.may_remember(items) {
            return Ok(self.expressions.leaf(Expr::Distinct(items)));
        }
        self.not_unique(items, most);
        Ok(self.count(0, 0, most))
    }

    /// Reports that the condition is not enforced; with how many items arrays are accepted.
    pub(super) fn not_unique(&mut self, items: ItemsId, most: Option<u32>) {
        let why = format!(
            "that items differ is enforced for scalars, for arrays and objects of which there are infinitely many or few, and in complements where at most {MAX_VALUES} different ones exist, or where the other conditions decide"
        );
        let admits = match most {
            Some(most) => format!("arrays of at most {most} items with equal ones"),
            None => "arrays with equal items".to_owned(),
        };
        let mut help = "remove uniqueItems, set maxItems to 1, or let items be scalars, or objects with a declared member of infinitely many values; let neither contains nor prefixItems ask for one of few items that may have come before".to_owned();
        if self.loader.options.property_order == PropertyOrder::Any {
            help += "; or let keys come in the declared order (--property-order declared)";
        }
        for pointer in self.loader.unique_items.get(&items).cloned().unwrap_or_default() {
            self.loader.unenforced_at(pointer, &*why, &admits, &help);
        }
    }

    /// Whether the runtime may remember the items of an array. Those that it cannot remember are found out when the automaton of the array is made.
    pub(super) fn may_remember(&self, items: ItemsId) -> bool {
        let pointers = self.loader.unique_items.get(&items).into_iter().flatten();
        self.loader.options.style == Style::Json
            && !pointers.into_iter().any(|pointer| self.loader.hindsight.forgotten.contains(pointer))
    }

    /// Notes that the items of the arrays of a node cannot be remembered.
    pub(crate) fn forget_array(&mut self, node: NodeId) -> Result<()> {
        let condition = self.arrays(node)?;
        self.forget_items(condition);
        Ok(())
    }

    /// Notes that the items of the arrays of a condition cannot be remembered.
    pub(super) fn forget_items(&mut self, condition: ExprId) {
        let mut open = vec![condition];
        while let Some(part) = open.pop() {
            match &**self.expressions.get(part) {
                Expr::Distinct(items) => {
                    let places = self.loader.unique_items.get(items).cloned().unwrap_or_default();
                    self.loader.more_hindsight.forgotten.extend(places);
                }
                Expr::Not(inner) => open.push(*inner),
                Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => open.extend_from_slice(parts),
                _ => {}
            }
        }
    }

    /// The most items of an array whose items differ, as far as there are few values; the error is that its items cannot be remembered: some are
    /// few at some places and others elsewhere, where they might be used up. There are taken to be plenty of arrays and objects.
    pub(super) fn fewest_values(
        &mut self,
        values: impl Iterator<Item = NodeId>,
    ) -> Result<std::result::Result<Option<u32>, ()>> {
        let mut nodes: Vec<NodeId> = values.collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut counts = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let is_composite = self.arrays(node)? != ExprId::FALSE || self.has_objects(node)?;
            counts.push(if is_composite { None } else { self.count_of(node)? });
        }
        Ok(match counts[..] {
            [only] => Ok(only),
            _ if counts.iter().all(Option::is_none) => Ok(None),
            _ => Err(()),
        })
    }

    /// Whether items of which there are few are unused wherever they may come: no item that may come before has a value in common with them. So some are left.
    pub(super) fn are_few_unused(&mut self, automaton: &Automaton<Run, NodeId>) -> Result<bool> {
        for (state, content) in automaton.states.iter().enumerate() {
            for &(run, value, _) in content.transitions.iter().filter(|(run, ..)| run.distinct) {
                let is_composite = self.arrays(value)? != ExprId::FALSE || self.has_objects(value)?;
                if is_composite || self.count_of(value)?.is_none() {
                    continue;
                }
                if !run.is_one() {
                    return Ok(false);
                }
                self.step(automaton.size())?;
                for before in automaton.values_before(state as u32) {
                    if self.have_common_values(value, before)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether two nodes have a value in common. True if that is not known.
    fn have_common_values(&mut self, a: NodeId, b: NodeId) -> Result<bool> {
        let (a, b) = (self.node(a), self.node(b));
        for (a, b) in a.0.iter().flat_map(|a| b.0.iter().map(move |b| (a, b))) {
            if !self.is_provably_empty(&[&a[..], &b[..]].concat())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The number of scalars of a node that are left when excluded texts and long numbers are taken out; `None` if it is not finite, or has more than 32 bits.
    pub(crate) fn count_of(&mut self, node: NodeId) -> Result<Option<u32>> {
        let options = self.loader.options;
        let consts = self.node_consts(node)?.count_ones();
        let mut strings = self.node_language(node, ScalarType::Strings)?;
        match excluded(&mut self.loader.languages, &options.excludes)? {
            Some(excluded) => strings = self.loader.languages.difference(strings, excluded)?,
            None if self.loader.languages.as_lengths(strings).is_some() => return Ok(None),
            None => {}
        }
        let strings = self.count_strings(strings)?;
        let numbers = self.node_language(node, ScalarType::Numbers)?;
        let shortest = self.loader.languages.add_shared(number::shortest());
        let numbers = self.loader.languages.intersect(numbers, shortest)?;
        let mut numbers = self.loader.languages.automaton(numbers)?;
        if let Some(most) = options.number_digits {
            let limits = self.loader.languages.limits();
            numbers = Arc::new(numbers.intersect(&digits(most, limits)?, limits)?);
        }
        let counts = strings.zip(texts::count(&numbers));
        Ok(counts.and_then(|(a, b)| a.checked_add(b)?.checked_add(consts)))
    }

    /// The number of texts of a language; `None` if it is not finite, or has more than 32 bits. A greatest length needs no automaton.
    fn count_strings(&mut self, language: LanguageId) -> Result<Option<u32>> {
        match self.loader.languages.as_bounded(language) {
            Some((base, most)) => {
                let texts = self.loader.languages.automaton(base)?;
                texts::count_within(&texts, most, |states| self.step(states))
            }
            None => Ok(texts::count(&*self.loader.languages.automaton(language)?)),
        }
    }

    /// Whether a language has finitely many texts.
    pub(crate) fn is_finite(&mut self, language: LanguageId) -> Result<bool> {
        let automaton = self.loader.languages.automaton(language)?;
        self.step(automaton.state_count())?;
        Ok(automaton.is_finite())
    }

    /// One schema for each value that an item may have; `None` if there are too many values.
    fn values_of(&mut self, items: ItemsId) -> Result<Option<Vec<SchemaId>>> {
        let items = self.loader.schemas.items(items).clone();
        let mut values = Vec::new();
        for &item in items.prefix.iter().chain([&items.rest]) {
            let item = self.loader.resolved(item);
            if !self.is_scalar(item, 0) || !self.add_values(item, &mut values)? {
                return Ok(None);
            }
        }
        values.sort_unstable();
        values.dedup();
        Ok((values.len() <= MAX_COUNTED).then_some(values))
    }

    /// Whether a schema allows scalars only. False if that is not known.
    fn is_scalar(&mut self, schema: SchemaId, depth: u32) -> bool {
        let content = self.loader.schemas.get(schema).clone();
        let own = content.arrays.is_none() && content.objects.is_none();
        own || depth < MAX_DEPTH
            && content.clauses.iter().any(|clause| match clause {
                Clause::Ref(reference) => {
                    let target = self.loader.follow(*reference);
                    self.is_scalar(target, depth + 1)
                }
                Clause::AllOf(all) => all.iter().any(|&schema| self.is_scalar(schema, depth + 1)),
                Clause::AnyOf(any) | Clause::OneOf(any) => {
                    any.iter().all(|&schema| self.is_scalar(schema, depth + 1))
                }
                _ => false,
            })
    }

    /// Adds the values of a schema that allows scalars only. False if there are too many.
    fn add_values(&mut self, item: SchemaId, values: &mut Vec<SchemaId>) -> Result<bool> {
        let literals = [(item, true)];
        let set = self.conjunction_consts(&literals)?;
        for one in [consts::NULL, consts::FALSE, consts::TRUE].into_iter().filter(|one| set & one != 0) {
            values.push(self.loader.schemas.add(Schema { consts: one, ..Schema::nothing() }));
        }
        let texts = self.conjunction_language(&literals, ScalarType::Strings)?;
        let texts = self.loader.languages.automaton(texts)?;
        let numbers = self.conjunction_language(&literals, ScalarType::Numbers)?;
        let shortest = self.loader.languages.add_shared(number::shortest());
        let numerals = self.loader.languages.intersect(numbers, shortest)?;
        let numerals = self.loader.languages.automaton(numerals)?;
        let few = (texts::all_texts(&texts, MAX_COUNTED), texts::all_texts(&numerals, MAX_COUNTED));
        let (Some(texts), Some(numerals)) = few else { return Ok(false) };
        for text in texts {
            let strings = self.loader.languages.add_texts([text.as_str()])?;
            values.push(self.loader.schemas.add(Schema { strings, ..Schema::nothing() }));
        }
        for numeral in numerals {
            let number = Decimal::parse(&numeral);
            let numbers = number.map(|number| self.loader.numerals(&[number])).transpose()?.flatten();
            let numbers = numbers.unwrap_or(Languages::NOTHING);
            values.push(self.loader.schemas.add(Schema { numbers, ..Schema::nothing() }));
        }
        Ok(true)
    }
}
