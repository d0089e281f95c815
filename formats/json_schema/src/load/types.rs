//! The keyword `type`, and `nullable` of OpenAPI beside it.
//!
//! Comes first among the groups of keywords: it replaces the schema, which allowed every value, by one that
//! allows only the named types. The other groups then narrow the parts that are left.

use super::loader::Loader;
use super::source::Source;
use crate::languages::{Languages, number};
use crate::read::document::Value;
use crate::report::Coverage;
use crate::schema::{Schema, consts};
use gcc_grammar_ir::Code;
use std::sync::Arc;

impl Loader<'_> {
    /// Leaves the values of the types that `type` names.
    pub(super) fn load_type(&mut self, source: &Source, schema: &mut Schema) {
        let Some(value) = source.get("type") else { return };
        let names: Vec<Arc<str>> = match self.values.get(value) {
            Value::String(name) => vec![name.clone()],
            Value::Array(items) => {
                let names = items.iter().map(|&item| self.values.string(item).cloned());
                names.collect::<Option<_>>().unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let mut allowed = Schema::nothing();
        for name in &names {
            self.allow_type(source, name, &mut allowed);
        }
        if names.is_empty() {
            self.descend("type", |loader| {
                loader.invalid("the name of a type or a list of names is expected here, such as \"null\"")
            });
        }
        if self.is_nullable(source) {
            allowed.consts |= consts::NULL;
        }
        *schema = allowed;
    }

    /// Adds the values of one type.
    fn allow_type(&mut self, source: &Source, name: &str, allowed: &mut Schema) {
        match name {
            "null" => allowed.consts |= consts::NULL,
            "boolean" => allowed.consts |= consts::FALSE | consts::TRUE,
            "number" => allowed.numbers = Languages::NUMBERS,
            "integer" if allowed.numbers == Languages::NOTHING => {
                let with_point =
                    self.options.integer_with_point.unwrap_or(source.draft.point_zero_is_integer());
                allowed.numbers = self.languages.add_shared(number::integers(with_point));
            }
            "integer" => {}
            "string" => allowed.strings = Languages::TEXTS,
            "array" => allowed.arrays = Some(Vec::new()),
            "object" => allowed.objects = Some(Vec::new()),
            _ => self.descend("type", |loader| {
                let help = match name {
                    "json_schema" => "this is a `response_format`: give the schema in it, which is at json_schema.schema or schema",
                    "json_object" => "this is a `response_format` for any object: give the schema {\"type\": \"object\"}",
                    _ => "use null, boolean, integer, number, string, array or object",
                };
                loader.error(Code::InvalidSchema, format!("there is no type {name:?}"), help);
            }),
        }
    }

    /// Whether `nullable` adds null to the `type` beside it, as OpenAPI 3.0.3 has it. It changes nothing
    /// else.
    fn is_nullable(&mut self, source: &Source) -> bool {
        let is_true = source.get("nullable").is_some_and(|flag| *self.values.get(flag) == Value::Bool(true));
        if is_true && source.draft.is_open_api() {
            self.note("nullable", Coverage::Enforced);
        } else if is_true {
            let message = "nullable is a keyword of OpenAPI 3.0 and means nothing in JSON Schema";
            let help = "compile with --draft openapi-3.0, or add \"null\" to the type";
            self.warn("nullable", Code::IgnoredKeyword, message, help);
        }
        is_true && source.draft.is_open_api()
    }
}
