//! Structural tags: free text in which, once a trigger has appeared, a schema or grammar governs until an end tag.
//!
//! ```text
//! JSON ──json──▶ fields ──lower | tags | tokens──▶ Draft with places ──regularize──▶ host ──embed──▶ Grammar
//! ```
//! The fields are those of [XGrammar](https://xgrammar.mlc.ai/docs/structural_tag/structural_tag.html). A format is lowered together
//! with the text that ends it (`end` of the tag around it), since free text goes on until that: "text up to the first end" is
//! one automaton ([`free_text`](crate::free_text)), which knows at every byte how much of a trigger or an end has been read, so it
//! does not matter how they are split over tokens.
//!
//! Schemas, and grammars in XGrammar's notation, are grammars of their own, put in at the end.

mod json;
mod lower;
mod tags;
#[cfg(test)]
mod tests;
mod tokens;

use crate::embed::{Part, embed};
use crate::regularize::regularize;
use gcc_grammar_ir::{Code, Diagnostic, Location, Parsed, check};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::RegularLimits;
use json::Object;
use lower::Lowering;

/// How structural tags are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the schemas mean.
    pub json: json_schema::Options,
    /// What each terminal may cost.
    pub limits: RegularLimits,
}

/// Reads the JSON text of structural tags. Locations of diagnostics are JSON Pointers into it, or byte ranges if it is no JSON.
pub fn parse(text: &str, options: &Options) -> Result<Parsed, Vec<Diagnostic>> {
    let mut lowering = Lowering::new(options);
    let start = whole(&mut lowering, text).map_err(|error| vec![error])?;
    if !lowering.errors.is_empty() {
        return Err(lowering.errors);
    }
    let Lowering { draft, parts, mut warnings, .. } = lowering;
    let (mut places, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (host, _) = draft.finish(start);
    let host = regularize(host, &mut places, &options.limits);
    let parts = places.into_iter().zip(parts).map(|(place, grammar)| Part { place, grammar }).collect();
    let grammar = embed(host, parts, &options.limits).map_err(|error| {
        let message = format!("the schemas cannot be told apart within the limits: {error}");
        vec![Diagnostic::error(Code::TerminalTooLarge, message).help("join the schemas into one with anyOf")]
    })?;
    let (errors, further) = check::check(&grammar, |_| None);
    // Rules of schemas that are left out are no news to the author of the tags.
    warnings.extend(further.into_iter().filter(|warning| warning.location.is_some()));
    if errors.is_empty() { Ok(Parsed { grammar, warnings }) } else { Err(errors) }
}

fn whole(lowering: &mut Lowering<'_>, text: &str) -> Result<gcc_grammar_ir::NonterminalId, Diagnostic> {
    let root = Object::root(text)?;
    let kind = root.text("type")?;
    if kind != "structural_tag" {
        let message = format!("the type is {kind:?} and not \"structural_tag\"");
        return Err(root.error("type", message));
    }
    let body = if root.has("structures") {
        let body = lowering.structures(&root)?;
        root.only(&["type", "structures", "triggers"])?;
        body
    } else {
        root.only(&["type", "format"])?;
        lowering.format(&root.object("format")?, None)?
    };
    let start = lowering.draft.new_rule("structural_tag", Some(Location::Pointer(String::new())));
    lowering.draft.set_body(start, body);
    Ok(start)
}
