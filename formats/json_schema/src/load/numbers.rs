//! The keywords about numbers: bounds, `multipleOf`, and formats of integers.
//!
//! Each becomes a language of numerals, and the numbers of the schema are narrowed to it. A keyword whose
//! automaton would be too large is an error or becomes an unknown condition of the schema.

use super::loader::Loader;
use super::source::Source;
use crate::draft::Draft;
use crate::languages::number::{self, Divisor};
use crate::languages::{LanguageId, Languages};
use crate::read::document::Value;
use crate::schema::Schema;
use gcc_grammar_ir::Code;
use gcc_grammar_limits::OverBudget;
use std::cmp::Ordering;

impl Loader<'_> {
    /// Restricts the numbers of a schema.
    pub(super) fn load_numbers(&mut self, source: &Source, schema: &mut Schema) {
        if schema.numbers == Languages::NOTHING {
            return;
        }
        let (exclusive_minimum, exclusive_maximum) =
            (self.exclusive(source, "exclusiveMinimum"), self.exclusive(source, "exclusiveMaximum"));
        let at_least = if exclusive_minimum == Some(true) { Ordering::is_gt } else { Ordering::is_ge };
        let at_most = if exclusive_maximum == Some(true) { Ordering::is_lt } else { Ordering::is_le };
        self.bound(source, schema, "minimum", at_least);
        self.bound(source, schema, "maximum", at_most);
        if exclusive_minimum.is_none() {
            self.bound(source, schema, "exclusiveMinimum", Ordering::is_gt);
        }
        if exclusive_maximum.is_none() {
            self.bound(source, schema, "exclusiveMaximum", Ordering::is_lt);
        }
        self.load_multiple(source, schema);
    }

    /// The value of an exclusive bound that is true or false, as draft 4 has it.
    fn exclusive(&mut self, source: &Source, keyword: &'static str) -> Option<bool> {
        let Value::Bool(flag) = self.values.get(source.get(keyword)?) else { return None };
        let flag = *flag;
        if source.draft >= Draft::Draft6 && self.resources.is_declared(source.place.0) {
            let title = source.draft.title();
            let message = format!("{keyword} is a number in {title}; true and false are read as in draft 4");
            let help = "write the bound itself, or name draft 4 in $schema";
            self.warn(keyword, Code::InvalidKeyword, message, help);
        }
        Some(flag)
    }

    fn bound(&mut self, source: &Source, schema: &mut Schema, keyword: &str, accepted: fn(Ordering) -> bool) {
        let Some(bound) = self.number(source, keyword) else { return };
        let compare =
            |languages: &mut Languages| number::comparing(&bound, accepted, languages.limits()).transpose();
        let numbers = self.languages.in_half(compare).transpose();
        let numbers = numbers.map(|numbers| numbers.map(|numbers| self.languages.add(numbers)));
        self.restrict_numbers(schema, keyword, numbers, "it has too many digits");
    }

    fn load_multiple(&mut self, source: &Source, schema: &mut Schema) {
        let Some(step) = self.number(source, "multipleOf") else { return };
        if step.negative || step.is_zero() {
            self.descend("multipleOf", |loader| {
                loader.invalid("a number greater than zero is expected here")
            });
            return;
        }
        let numbers = Divisor::of(&step)
            .map(|divisor| self.languages.in_half(|languages| languages.add_multiples(divisor)));
        self.restrict_numbers(schema, "multipleOf", numbers, "it would need too many remainders");
    }

    fn restrict_numbers(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        numbers: Option<Result<LanguageId, OverBudget>>,
        why: &str,
    ) {
        let Some(numbers) = numbers else {
            let clause = self.unenforced(keyword, why, "other numbers", "use a shorter number");
            schema.clauses.push(clause);
            return;
        };
        let Some(numbers) = self.within_limits(schema, keyword, numbers) else { return };
        let narrowed = self.languages.intersect(schema.numbers, numbers);
        schema.numbers = self.within_limits(schema, keyword, narrowed).unwrap_or(schema.numbers);
    }
}
