//! Custom tools of OpenAI: their input is a text, which may have a grammar.

use crate::structural_tag::json::{Object, Place, known_members, nearly};
use gcc_grammar_ir::Diagnostic;

/// What the input of a custom tool is.
pub(super) enum Custom {
    /// Any text.
    Text,
    /// The texts of a grammar in the notation of Lark, or that match a pattern, with the place of the definition.
    Lark(String, String),
    Regex(String, String),
}

/// What the forms of an input are called in messages.
const FORMATS: &str = "the formats are {\"type\": \"text\"} and {\"type\": \"grammar\", \"syntax\": \"lark\" or \"regex\", \"definition\": …}";

impl Custom {
    pub(super) fn read(tool: &Object<'_>) -> Result<Self, Diagnostic> {
        if !tool.has("format") {
            return Ok(Self::Text);
        }
        let format = tool.object("format")?;
        match format.text("type")?.as_str() {
            "text" => known_members(&format, "type", "this format").map(|()| Self::Text),
            "grammar" if format.has("grammar") => {
                known_members(&format, "type grammar", "this format")?;
                Self::grammar(&format.object("grammar")?)
            }
            "grammar" => Self::grammar(&format),
            other => {
                let advice = nearly(other, ["text", "grammar"].into_iter());
                Err(format
                    .error("type", format!("there is no format {other:?}"))
                    .help(format!("{advice}{FORMATS}")))
            }
        }
    }

    fn grammar(object: &Object<'_>) -> Result<Self, Diagnostic> {
        known_members(object, "type syntax definition", "this format")?;
        let place: Place<'_> = object.place("definition")?;
        let definition = place.text()?;
        match object.text("syntax")?.as_str() {
            "lark" => Ok(Self::Lark(definition, place.pointer)),
            "regex" => Ok(Self::Regex(definition, place.pointer)),
            other => Err(object.error("syntax", format!("there is no syntax {other:?}")).help(FORMATS)),
        }
    }

    /// Where the grammar is defined.
    pub(super) fn pointer<'p>(&'p self, tool: &'p str) -> &'p str {
        match self {
            Self::Text => tool,
            Self::Lark(_, pointer) | Self::Regex(_, pointer) => pointer,
        }
    }
}
