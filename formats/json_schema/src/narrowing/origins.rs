//! The schemas that cause the narrowing of a node.
//!
//! A node combines schemas, its literals. A literal is a cause if the schema itself, or a schema that it applies to the same value (by
//! `$ref`, `allOf`, `not` and so on), has numbers that are not spelled in all ways, restricts strings or members, or declares keys. What is
//! negated declares no keys.

use crate::algebra::Node;
use crate::languages::number::has_more_digits;
use crate::languages::number::spellings::spellings;
use crate::languages::{LanguageId, Languages};
use crate::options::Options;
use crate::schema::{Clause, ObjectRule, Schema, SchemaId, Schemas};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The work for each schema.
const WORK_PER_SCHEMA: u64 = 30;

/// What a schema, with all that it applies to the same value, may narrow.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Causes {
    order: bool,
    numbers: bool,
    strings: bool,
    keys: bool,
}

/// A schema that applies another one to the same value.
#[derive(Clone, Copy)]
struct User {
    schema: u32,
    /// Whether the other schema is not negated.
    asserted: bool,
}

/// The causes by schema.
pub(super) struct Origins {
    causes: Vec<Causes>,
}

impl Origins {
    /// Finds the causes of all schemas. `whole_is_narrow` tells whether integers without point lack a spelling.
    pub(super) fn new(
        schemas: &Schemas,
        languages: &mut Languages,
        (options, whole_is_narrow): (&Options, bool),
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut known: FxHashMap<LanguageId, bool> = FxHashMap::default();
        let mut causes = Vec::with_capacity(schemas.len());
        let mut users: Vec<Vec<User>> = vec![Vec::new(); schemas.len()];
        for index in 0..schemas.len() {
            let schema = schemas.get(SchemaId(index as u32));
            let parts = schemas.in_place(schema);
            budget.charge_work(WORK_PER_SCHEMA + parts.len() as u64)?;
            for (part, asserted) in parts {
                users[part.0 as usize].push(User { schema: index as u32, asserted });
            }
            let numbers = match known.get(&schema.numbers) {
                Some(&numbers) => numbers,
                None => {
                    let automaton = languages.automaton(schema.numbers)?;
                    let numbers = has_more_digits(&automaton, options.number_digits)
                        || spellings(&automaton, options.integer_spelling).are_narrow(whole_is_narrow);
                    known.insert(schema.numbers, numbers);
                    numbers
                }
            };
            let strings = ![Languages::NOTHING, Languages::TEXTS].contains(&schema.strings);
            let keys =
                declares_keys(schema) || schema.objects.as_ref().is_some_and(|rules| !rules.is_empty());
            causes.push(Causes { order: declares_keys(schema), numbers, strings, keys });
        }
        spread(&mut causes, &users);
        Ok(Self { causes })
    }

    fn of(&self, schema: SchemaId) -> Causes {
        self.causes[schema.0 as usize]
    }

    /// Whether some schema of the node declares keys.
    pub(super) fn has_order(&self, node: &Node) -> bool {
        node.literals().any(|(schema, positive)| positive && self.of(schema).order)
    }

    /// The schemas of a node that narrow its numbers.
    pub(super) fn of_numbers(&self, node: &Node) -> BTreeSet<SchemaId> {
        node.literals().map(|(schema, _)| schema).filter(|&schema| self.of(schema).numbers).collect()
    }

    /// The schemas of a node that restrict its strings, or all if none does.
    pub(super) fn of_strings(&self, node: &Node) -> BTreeSet<SchemaId> {
        self.of_spelling(node, |causes| causes.strings)
    }

    /// The schemas of a node that restrict its keys, or all if none does.
    pub(super) fn of_keys(&self, node: &Node) -> BTreeSet<SchemaId> {
        self.of_spelling(node, |causes| causes.keys)
    }

    fn of_spelling(&self, node: &Node, is_cause: fn(Causes) -> bool) -> BTreeSet<SchemaId> {
        let schemas = || node.literals().map(|(schema, _)| schema);
        let causes: BTreeSet<_> = schemas().filter(|&schema| is_cause(self.of(schema))).collect();
        if causes.is_empty() { schemas().collect() } else { causes }
    }

    /// The schemas of a node that order its keys, or all if none does.
    pub(super) fn of_order(&self, node: &Node) -> BTreeSet<SchemaId> {
        let declaring = node.literals().filter(|&(schema, positive)| positive && self.of(schema).order);
        let causes: BTreeSet<_> = declaring.map(|(schema, _)| schema).collect();
        if causes.is_empty() { node.literals().map(|(schema, _)| schema).collect() } else { causes }
    }
}

/// Passes the causes of each schema on to the schemas that apply it to the same value.
fn spread(causes: &mut [Causes], users: &[Vec<User>]) {
    let mut open: Vec<u32> = (0..causes.len() as u32).collect();
    while let Some(part) = open.pop() {
        let cause = causes[part as usize];
        for &User { schema, asserted } in &users[part as usize] {
            let before = causes[schema as usize];
            let after = Causes {
                order: before.order || (cause.order && asserted),
                numbers: before.numbers || cause.numbers,
                strings: before.strings || cause.strings,
                keys: before.keys || cause.keys,
            };
            if after != before {
                causes[schema as usize] = after;
                open.push(schema);
            }
        }
    }
}

/// Whether a schema itself gives keys a place in the order.
fn declares_keys(schema: &Schema) -> bool {
    let requires = |rule: &ObjectRule| !rule.required().is_empty();
    schema.objects.as_ref().is_some_and(|rules| !schema.order.is_empty() || rules.iter().any(requires))
        || schema.clauses.iter().any(|clause| matches!(clause, Clause::Dependent(..)))
}
