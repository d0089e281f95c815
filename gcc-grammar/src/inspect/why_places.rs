//! Where stands what would have to come in place of a refused token: in the text, and in the grammar or schema.

use crate::inspect::origin::WrittenRule;
use crate::inspect::schema_places::{Asked, places_in_schema, places_text, pointer_behind};
use crate::inspect::why::Why;
use crate::sessions::session::Session;
use std::fmt;

/// The places of what would have to come in place of a token. All are empty if the token may come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct WhyPlaces {
    /// The rules of the grammar in which it stands; empty for schemas.
    pub rules: Vec<WrittenRule>,
    /// The JSON Pointer of the value in the text that would have to continue; none for grammars with rules, since their texts need not be JSON.
    pub pointer: Option<String>,
    /// The JSON Pointers of the subschemas that describe it; empty for grammars.
    pub schema: Vec<String>,
}

impl Session {
    /// The places of what would have to come in place of a token. Without the text before the token, they are rules of grammars only.
    #[must_use]
    pub fn places_of(&self, why: &Why, before: Option<&[u8]>) -> WhyPlaces {
        if why.is_allowed {
            return WhyPlaces::default();
        }
        let names = || why.lexeme.iter().chain(&why.expected).map(String::as_str);
        let rules = self.rules_with(&names().collect());
        let Some(before) = before.filter(|_| rules.is_empty()) else {
            return WhyPlaces { rules, ..WhyPlaces::default() };
        };
        let text = why.text_behind(before);
        let terminals: Vec<&str> = names().collect();
        let here = Asked { behind: text.len(), terminals: &terminals };
        let schema = self
            .source()
            .ok()
            .and_then(|(source, options)| places_in_schema(&source, &options, &text, &[here]).pop());
        let schema = schema.unwrap_or_default();
        WhyPlaces { rules, pointer: pointer_behind(before), schema }
    }
}

/// Sentences, a line each.
impl fmt::Display for WhyPlaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if !self.rules.is_empty() {
            lines.push(format!("that stands in {}", WrittenRule::list(&self.rules)));
        }
        if let Some(pointer) = &self.pointer {
            lines.push(format!("the place is the JSON value at {pointer:?}"));
        }
        if !self.schema.is_empty() {
            lines.push(format!("the schema describes it at {}", places_text(&self.schema)));
        }
        f.write_str(&lines.join("\n"))
    }
}
