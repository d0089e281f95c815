//! Emission: from the graph of nodes to a grammar.
//!
//! The grammar is laid out so that a parser never forks: every terminal ends with a byte that no other
//! terminal of its context could go on with, or is ended by the punctuation that must follow (numbers). White
//! space is part of the punctuation around it (`{ws`, `,ws`, `ws}`), so there is one way to read it. A key
//! includes its colon; large objects read keys in parts. The empty object is a terminal of its own, `{ws}`.
//! The right parts of arrays and objects are automata with a state before each key, before each value and
//! after each value.
//!
//! | file | job |
//! |---|---|
//! | `emitter` | rules for the values of each node |
//! | `arrays`, `objects` | their right parts |
//! | `remembered` | objects whose keys the runtime remembers |
//! | `joint` | long arrays that begin alike |
//! | `layout` | construction of a right part |
//! | `tags` | right parts in other styles than JSON |
//! | `literals` | strings, keys and arguments of calls in other styles than JSON |
//! | `keys`, `other_keys` | keys of large objects, as a radix tree |
//! | `long` | long strings of bounded length |
//! | `narrow` | the nodes with spellings that are left out |
//! | `terminals` | terminals, each made once |
//! | `whitespace` | punctuation with white space |
//! | `spelling` | texts to JSON strings |

mod arrays;
mod emitter;
mod joint;
mod keys;
mod layout;
mod literals;
mod long;
mod narrow;
mod objects;
mod other_keys;
mod remembered;
mod spelling;
mod tag_terminals;
mod tags;
mod terminals;
mod whitespace;

use crate::graph::Graph;
use crate::guidance::Guidance;
use crate::languages::{Frame, Languages};
use crate::options::{Options, Strings, Whitespace};
use crate::report::{Narrowed, Narrowing};
use crate::schema::{SchemaId, Schemas};
use emitter::Emitter;
use gcc_grammar_ir::{Diagnostic, Grammar};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::{Dfa, RegularLimits};
pub(crate) use narrow::NarrowNodes;
use rustc_hash::FxHashMap;
pub(crate) use spelling::check as check_spelled;
use std::sync::Arc;
use terminals::{EmitError, Terminals};
use whitespace::Space;

/// The texts of a language as they are spelled within a JSON string, without its quotes.
///
/// # Errors
/// The automaton exceeds the limits.
pub fn within_string(texts: &Dfa, strings: Strings, limits: &RegularLimits) -> Result<Arc<Dfa>, OverBudget> {
    let frame = Frame { open: false, close: None };
    Ok(spelling::spell(texts, frame, strings, limits)?.automaton)
}

/// The white space and separators that the grammar refuses.
pub(crate) fn refused_space(
    options: &Options,
    guidance: &Guidance,
    budget: &Budget,
) -> Result<Option<Narrowed>, OverBudget> {
    let space = Space::new(options.whitespace).guided(guidance);
    if space.is_any(&options.limits.automaton(budget))? {
        return Ok(None);
    }
    let (refuses, help) = match options.whitespace {
        _ if guidance.has_space() => {
            ("other white space and separators than x-guidance describes", "change x-guidance")
        }
        Whitespace::Compact => ("all white space between the tokens", "--whitespace any accepts it"),
        Whitespace::Spaced => {
            ("other white space than one space after each comma and colon", "--whitespace any accepts it")
        }
        Whitespace::Flexible { .. } => (
            "white space that printers do not write, such as two spaces, a space before a comma, or a very long indentation",
            "--whitespace any accepts it",
        ),
        Whitespace::Bounded { .. } => {
            ("more white space at one place than the bound", "--whitespace any accepts it")
        }
        _ => ("white space before and after the whole text", "--whitespace any accepts it"),
    };
    Ok(Some(Narrowed { kind: Narrowing::WhiteSpace, refuses, help }))
}

/// The grammar of the JSON texts whose value is one of the root, and what it leaves out. Its rules are located at the `pointers` of their schemas. If there is none, the error has the schema
/// whose values could not be emitted.
pub(crate) fn emit(
    graph: &Graph,
    (schemas, pointers): (&Schemas, &FxHashMap<SchemaId, String>),
    languages: &mut Languages,
    options: &Options,
    guidance: &Guidance,
    budget: &Budget,
) -> Result<(Grammar, NarrowNodes), (Diagnostic, Option<SchemaId>)> {
    let space = Space::new(options.whitespace).guided(guidance);
    let colon = space.colon(&options.limits.automaton(budget));
    let colon = colon.map_err(|over| (EmitError::from(over).diagnostic(), None))?;
    let terminals = Terminals::new(languages, options, space, colon);
    Emitter::new(graph, (schemas, pointers), terminals, budget).run()
}
