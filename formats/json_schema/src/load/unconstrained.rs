//! A warning about a root without a keyword that restricts values.
//!
//! Such a schema admits any JSON. Mostly it is another document in which the schema is a member, such as the definition of a tool.

use super::loader::Loader;
use crate::read::document::{Value, ValueId};
use crate::read::keywords::{child_pointer, is_assertion};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use std::collections::VecDeque;

/// Members are looked at down to this depth, and so many of them.
const MOST_LEVELS: usize = 3;
const MOST_VALUES: usize = 1000;

impl Loader<'_> {
    /// Warns if the root has members, but none that restricts values.
    pub(super) fn warn_unconstrained(&mut self, root: ValueId) {
        let Value::Object(members) = self.values.get(root) else { return };
        if members.is_empty() || self.restricts(root) {
            return;
        }
        let help = match self.schema_below(root) {
            Some(pointer) if pointer.starts_with("/$defs/") || pointer.starts_with("/definitions/") => {
                format!("did you mean {{\"$ref\": \"#{pointer}\"}}?")
            }
            Some(pointer) => format!("{pointer} looks like a schema: give that alone, or tools with --tools"),
            None => "add a keyword such as type, or write {} to admit any JSON".to_owned(),
        };
        let message = "no keyword of the root restricts its values, so any JSON is admitted";
        let warning = Diagnostic::warning(Code::Unconstrained, message);
        self.findings.warnings.push(warning.at(Location::Pointer(String::new())).help(help));
    }

    /// Whether a value is an object with a keyword that restricts values.
    fn restricts(&self, value: ValueId) -> bool {
        match self.values.get(value) {
            Value::Object(members) => members.iter().any(|(keyword, _)| is_assertion(keyword)),
            _ => false,
        }
    }

    /// The JSON Pointer of the first member, from the root downwards, that looks like a schema.
    fn schema_below(&self, root: ValueId) -> Option<String> {
        let mut open = VecDeque::from([(root, String::new(), 0)]);
        let mut left = MOST_VALUES;
        while let Some((value, pointer, level)) = open.pop_front() {
            let Value::Object(members) = self.values.get(value) else { continue };
            for (key, member) in members.iter().take(left) {
                let pointer = child_pointer(&pointer, key);
                if self.restricts(*member) {
                    return Some(pointer);
                }
                if level + 1 < MOST_LEVELS {
                    open.push_back((*member, pointer, level + 1));
                }
            }
            left = left.saturating_sub(members.len());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, compile};

    /// The remedy of the warning, if there is one.
    fn told(schema: &str) -> Option<String> {
        let warnings = compile(schema, &Options::default()).expect("a schema").warnings;
        let warning = warnings.into_iter().find(|warning| warning.code == "unconstrained")?;
        warning.help
    }

    #[test]
    fn the_member_that_looks_like_a_schema_is_named() {
        for (schema, help) in [
            (r#"{"name": "f", "inputSchema": {"type": "object"}}"#, "/inputSchema looks like a schema"),
            (r#"{"name": "f", "a/b": {"c": {"properties": {}}}}"#, "/a~1b/c looks like a schema"),
            (r#"{"$defs": {"a": {"type": "string"}}}"#, r##"did you mean {"$ref": "#/$defs/a"}?"##),
            (r#"{"title": "Person"}"#, "add a keyword such as type"),
        ] {
            let told = told(schema).unwrap_or_default();
            assert!(told.starts_with(help), "{schema}: {told}");
        }
    }

    #[test]
    fn schemas_that_restrict_or_say_nothing_are_not_warned_of() {
        for schema in
            ["true", "{}", r#"{"type": "string", "note": {"type": "object"}}"#, r#"{"anyOf": [true]}"#]
        {
            assert_eq!(told(schema), None, "{schema}");
        }
    }
}
