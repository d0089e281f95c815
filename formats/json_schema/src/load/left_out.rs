//! Clauses that multiply with others at their place, so that there is too much to do: they are left out as keywords that cannot be enforced.

use super::loader::Loader;
use super::source::Source;
use crate::options::PropertyOrder;
use crate::read::document::ValueId;
use crate::schema::{Clause, Evaluation, Schema, SchemaId};
use rustc_hash::FxHashSet;

/// A clause of a schema, by its number.
pub(crate) type ClauseOf = (SchemaId, usize);

const WHY: &str = "with the other conditions on the same value there are too many combinations";
const HELP: &str = "combine fewer alternatives and conditions at the same place";

impl Loader<'_> {
    /// The clauses that apply to the same value as some schemas and have alternatives, outer ones first.
    pub(crate) fn multiplying(&self, schemas: impl IntoIterator<Item = SchemaId>) -> Vec<ClauseOf> {
        let multiplies = |clause: &Clause| match clause {
            Clause::AnyOf(schemas) | Clause::OneOf(schemas) => schemas.len() > 1,
            Clause::Not(_) | Clause::If { .. } | Clause::Dependent(..) => true,
            Clause::Ref(_) | Clause::AllOf(_) | Clause::Between { .. } => false,
        };
        let mut found = Vec::new();
        for schema in self.in_place(schemas) {
            let clauses = (0..).zip(&self.schemas.get(schema).clauses);
            found
                .extend(clauses.filter(|(_, clause)| multiplies(clause)).map(|(number, _)| (schema, number)));
        }
        found
    }

    /// The schemas that apply to the same value as some schemas, with these, outer ones first.
    fn in_place(&self, schemas: impl IntoIterator<Item = SchemaId>) -> Vec<SchemaId> {
        let mut open: Vec<SchemaId> = schemas.into_iter().collect();
        open.reverse();
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        while let Some(schema) = open.pop() {
            if seen.insert(schema) {
                found.push(schema);
                let parts = self.schemas.in_place(self.schemas.get(schema));
                open.extend(parts.into_iter().rev().map(|(part, _)| part));
            }
        }
        found
    }

    /// The JSON Pointer of the first of these clauses; if there is none, and keys come in any order, that of a bound on the number of members.
    pub(crate) fn first_multiplying(&self, schema: SchemaId) -> Option<String> {
        if let Some(&clause) = self.multiplying([schema]).first() {
            return self.pointer_of_clause(clause);
        }
        let is_any = self.options.property_order == PropertyOrder::Any;
        is_any.then(|| self.first_with(schema, &["maxProperties", "minProperties"])).flatten()
    }

    /// The JSON Pointer of the first keyword of these that applies to the same value as a schema.
    pub(crate) fn first_with(&self, schema: SchemaId, keywords: &[&str]) -> Option<String> {
        let places = self.loaded.places();
        self.in_place([schema])
            .iter()
            .find_map(|schema| self.pointer_of_keyword(*places.get(schema)?, keywords))
    }

    /// Notes that a clause is to be left out at all its places.
    pub(crate) fn leave_out(&mut self, (schema, number): ClauseOf) {
        let places = self.loaded.iter().filter(|&(.., loaded)| loaded == schema);
        let clauses = places.map(|((_, value), ..)| (value, number));
        let new = clauses.filter(|clause| !self.hindsight.left_out.contains(clause));
        self.more_hindsight.left_out.extend(new);
    }

    /// The JSON Pointer of the keyword that a clause is made from.
    pub(crate) fn pointer_of_clause(&self, (schema, number): ClauseOf) -> Option<String> {
        let place = *self.loaded.places().get(&schema)?;
        self.pointer_of_keyword(place, self.schemas.get(schema).clauses[number].keywords())
    }

    /// The JSON Pointer of the first of some keywords that a schema has.
    fn pointer_of_keyword(&self, (pointer, value): (&str, ValueId), keywords: &[&str]) -> Option<String> {
        let keyword = keywords.iter().find(|keyword| self.values.member(value, keyword).is_some())?;
        Some(format!("{pointer}/{keyword}"))
    }

    /// Leaves out those of the clauses from a number on, which a keyword has added, that are to be left out.
    pub(super) fn leave_out_clauses(
        &mut self,
        source: &Source,
        keyword: &str,
        from: usize,
        schema: &mut Schema,
    ) {
        for number in from..schema.clauses.len() {
            if self.hindsight.left_out.contains(&(source.place.1, number)) {
                self.unenforced(keyword, WHY, "values that break it, or a part of it", HELP);
                schema.clauses[number] = self.unknown_clause();
            }
        }
    }

    /// A condition of which nothing is known, not even what it evaluates.
    fn unknown_clause(&mut self) -> Clause {
        let evaluation = Evaluation { all_members: true, all_items: true, ..Evaluation::default() };
        let accepted = self.schemas.add(Schema { evaluation, ..Schema::anything() });
        Clause::Between { keyword: "", accepted, possible: SchemaId::FALSE }
    }
}
