//! Reads structural tags: free text in which, once a trigger has appeared, a schema or grammar governs up to an end tag.
//!
//! ```text
//! JSON ──json──▶ fields ──lower──▶ GrammarBuilder with places for embedded grammars ──regularize──▶ host ──embed──▶ Grammar
//! ```
//! Input: a JSON text with the fields of [XGrammar](https://xgrammar.mlc.ai/docs/structural_tag/structural_tag.html). Output: a checked
//! grammar, or diagnostics located by JSON Pointers. A format is lowered together with the text that ends it (`end` of the tag around it),
//! since free text goes on until its end: "text without the end, and the end" is one automaton ([`free_text`](crate::free_text)), which
//! knows at every byte how much of a trigger or an end has been read. So it does not matter how triggers and ends are split over tokens.
//!
//! Schemas and grammars are grammars of their own, which are [embedded](crate::embed) at the end. A grammar in the notation of Lark, such as
//! that of a bundled language, keeps its ignored text and its lexical rules.

mod builder;
mod embedded;
pub(crate) mod json;
mod lower;
mod options;
pub(crate) mod style;
#[cfg(test)]
mod tests;
mod text;
mod tokens;

pub use options::Options;

use crate::embed::{Part, embed};
use crate::parsed::Parsed;
use crate::regularize::regularize;
use builder::Builder;
use gcc_grammar_ir::{Code, Diagnostic, Location, NonterminalId, check};
use json::Object;

/// Reads the JSON text of structural tags. Locations of diagnostics are JSON Pointers into it, or byte ranges if it is not valid JSON.
pub fn parse(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let mut builder = Builder::new(options);
    let start = match root(&mut builder, text) {
        Ok(start) if builder.errors.is_empty() => start,
        // The first error is that of the part that came first: it spent the budget, if it is spent.
        failed => {
            builder.errors.extend(failed.err());
            return Err(builder.errors);
        }
    };
    let has_schemas = builder.has_schemas();
    let Builder { draft, parts, mut warnings, report, .. } = builder;
    let (mut places, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (host, _) = draft.finish(start);
    let host = regularize(host, &mut places, &options.limits);
    let parts = places.into_iter().zip(parts).map(|(place, grammar)| Part { place, grammar }).collect();
    let grammar = embed(host, parts, &options.limits).map_err(|error| {
        let message = format!("the embedded grammars are too large: {error}");
        vec![Diagnostic::error(Code::TerminalTooLarge, message).help("lower the bounds of their repetitions")]
    })?;
    let (errors, further) = check::check(&grammar, |_| None);
    // Rules of schemas have no location. Warnings about them do not concern the author of the tags.
    warnings.extend(further.into_iter().filter(|warning| warning.location.is_some()));
    if errors.is_empty() { Ok(Parsed { grammar, warnings, report, has_schemas }) } else { Err(errors) }
}

/// The rule of the whole text.
fn root(builder: &mut Builder<'_>, text: &str) -> Result<NonterminalId, Diagnostic> {
    let root = Object::root(text)?;
    let kind = root.text("type")?;
    if kind != "structural_tag" {
        let message = format!("the type is {kind:?} instead of \"structural_tag\"");
        return Err(root.error("type", message));
    }
    root.only("type format rules structures triggers")?;
    builder.rules(&root)?;
    let body = if root.has("structures") {
        root.without(&["format"])?;
        builder.structures(&root)?
    } else {
        root.without(&["triggers"])?;
        builder.format(&root.object("format")?, None)?
    };
    let start = builder.draft.new_rule("structural_tag", Some(Location::Pointer(String::new())));
    builder.draft.set_body(start, body);
    Ok(start)
}
