//! References and the applicators of subschemas to the same value: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`,
//! `if` and the dependencies. Each becomes a [`Clause`].

use super::loader::Loader;
use super::source::Source;
use crate::read::document::{Value, ValueId};
use crate::report::Coverage;
use crate::schema::{Clause, Schema, SchemaId};
use gcc_grammar_ir::Code;

impl Loader<'_> {
    /// Adds the clauses of a schema, in the order of the text: this is the order of the keys that they
    /// declare.
    pub(super) fn load_logic(&mut self, source: &Source, schema: &mut Schema) {
        schema.properties_at = schema.clauses.len();
        for (keyword, value) in source.keywords {
            let from = schema.clauses.len();
            match &**keyword {
                "properties" => schema.properties_at = schema.clauses.len(),
                "$ref" | "$dynamicRef" | "$recursiveRef" => self.load_reference(source, keyword, schema),
                "allOf" => {
                    let all = self.subschemas(source, "allOf", *value);
                    schema.clauses.push(Clause::AllOf(all));
                }
                "anyOf" => {
                    let any = self.subschemas(source, "anyOf", *value);
                    schema.clauses.push(Clause::AnyOf(any));
                }
                "oneOf" => {
                    let one = self.subschemas(source, "oneOf", *value);
                    self.load_one_of(one, schema);
                }
                "not" => {
                    let not = self.subschema(source, "not", *value);
                    schema.clauses.push(Clause::Not(not));
                }
                "if" => self.load_if(source, schema, *value),
                "dependentRequired" | "dependentSchemas" | "dependencies" => {
                    self.load_dependencies(source, keyword, schema);
                }
                _ => {}
            }
            self.leave_out_clauses(source, keyword, from, schema);
        }
    }

    /// Adds the clause of `oneOf`. If it is enforced as `anyOf`, that no second alternative is valid is an unknown condition.
    fn load_one_of(&mut self, one: Vec<SchemaId>, schema: &mut Schema) {
        if !self.coerce_one_of || one.len() < 2 {
            schema.clauses.push(Clause::OneOf(one));
            return;
        }
        let (why, admits) =
            ("x-guidance demands anyOf in its place", "values that are valid under several alternatives");
        self.note("oneOf", Coverage::Superset { why: why.to_owned(), admits: admits.to_owned() });
        schema.clauses.extend([Clause::AnyOf(one), Clause::UNKNOWN]);
    }

    fn load_if(&mut self, source: &Source, schema: &mut Schema, condition: ValueId) {
        let condition = self.subschema(source, "if", condition);
        let mut branch = |keyword| match source.get(keyword) {
            Some(value) => self.subschema(source, keyword, value),
            None => SchemaId::TRUE,
        };
        let (then, otherwise) = (branch("then"), branch("else"));
        // Even without `then` and `else`, `if` evaluates members.
        if then != SchemaId::TRUE || otherwise != SchemaId::TRUE || self.features.unevaluated {
            schema.clauses.push(Clause::If { condition, then, otherwise });
        }
    }

    /// Adds the clause of a reference, whose target must exist.
    fn load_reference(&mut self, source: &Source, keyword: &str, schema: &mut Schema) {
        let Some(text) = source.get(keyword).and_then(|value| match self.values.get(value) {
            Value::String(text) => Some(text.clone()),
            _ => None,
        }) else {
            self.descend(keyword, |loader| loader.invalid("a reference must be a string"));
            return;
        };
        match self.resources.locate(&self.values, source.place.0, &text) {
            Ok(place) => {
                let scope = self.scopes.get(source.scope.0);
                let place = match keyword {
                    "$dynamicRef" => self.resources.outermost(scope, place, &text),
                    "$recursiveRef" => self.resources.outermost_root(scope, place),
                    _ => place,
                };
                let pointer = text.strip_prefix('#').unwrap_or(&text).to_owned();
                let reference = self.schemas.add_reference((place, source.scope), &pointer);
                schema.clauses.push(Clause::Ref(reference));
            }
            Err(why) => {
                let help =
                    "check the reference; documents are never fetched, give them with --resource URI=FILE";
                let pointer = self.pointer_to(keyword);
                self.error_at(
                    pointer,
                    Code::UnresolvedReference,
                    format!("{text:?} cannot be resolved: {why}"),
                    help,
                );
            }
        }
    }
}
