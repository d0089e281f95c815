//! What stands for the inputs of [custom tools](super::custom).
//!
//! A family whose outputs are messages writes the text itself, as the content of a message. The others write arguments, so there it is the string of the
//! only argument, `input`; a grammar of Lark is then spelled within this string, which only families with arguments as JSON write.

use super::custom::Custom;
use super::definitions::{Definitions, Kind};
use super::family::Family;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use serde_json::json;

impl Custom {
    /// The format of the text itself.
    fn raw(&self) -> String {
        match self {
            Self::Text => json!({"type": "any_text"}),
            Self::Lark(grammar, _) => json!({"type": "grammar", "lark": grammar}),
            Self::Regex(pattern, _) => json!({"type": "regex", "pattern": pattern}),
        }
        .to_string()
    }

    /// The schema of the arguments that have the text as a string; of a grammar of Lark the format of these arguments as JSON.
    fn arguments(&self) -> (String, Kind) {
        let input = match self {
            Self::Text => json!({"type": "string"}),
            Self::Regex(pattern, _) => json!({"type": "string", "pattern": format!("^(?:{pattern})$")}),
            Self::Lark(grammar, _) => return (in_json(grammar), Kind::Made),
        };
        let schema = json!({"type": "object", "properties": {"input": input}, "required": ["input"], "additionalProperties": false});
        (schema.to_string(), Kind::Schema)
    }
}

/// Arguments as JSON whose only string has the texts of a grammar.
fn in_json(grammar: &str) -> String {
    const SPACE: &str = r"[ \t\r\n]{0,34}";
    let pattern = |text: &str| json!({"type": "regex", "pattern": text.replace('_', SPACE)});
    let grammar = json!({"type": "grammar", "lark": grammar, "in_string": true});
    json!({"type": "sequence", "elements": [pattern(r#"\{_"input"_:_""#), grammar, pattern(r#""_\}"#)]})
        .to_string()
}

impl Definitions<'_> {
    /// Says what stands for the inputs of custom tools of a family: the text itself, or arguments.
    pub(super) fn settle(&mut self, family: &Family) -> Result<(), Diagnostic> {
        let (raw, is_json) = (family.messages.is_some(), family.is_json());
        for place in 0..self.tools.len() {
            let tool = &self.tools[place];
            let Some(custom) = &tool.custom else { continue };
            let pointer = custom.pointer(&tool.pointer).to_owned();
            if !raw && !is_json && matches!(custom, Custom::Lark(..)) {
                let message = format!(
                    "the family {} does not write the input of {:?} where a grammar of Lark can be",
                    family.name, tool.name
                );
                let error = Diagnostic::error(Code::BadTools, message).at(Location::Pointer(pointer));
                return Err(error.help("write a regex, or choose a family that writes arguments as JSON"));
            }
            let ((text, kind), is_free) = match raw {
                true => ((custom.raw(), Kind::Made), matches!(custom, Custom::Text)),
                false => (custom.arguments(), false),
            };
            let schema = self.add(text.into(), pointer, kind);
            let tool = &mut self.tools[place];
            (tool.schema, tool.is_free) = (schema, is_free);
        }
        Ok(())
    }
}
