//! Which subschemas apply to a value of an output that is being written (JSON Schema Core 2020-12, section 7.5).
//!
//! In: a schema, an output as far as it is written, with all that is open closed, and JSON Pointers of values in it. Out: for each of them, the places of
//! the subschemas that describe it. An alternative is left out if what is written contradicts it. Nothing is loaded: this looks at the text of the schema, since equal
//! schemas are one after loading, and their places are not told apart.
//!
//! | file | job |
//! |---|---|
//! | `instance` | the output, and the way to a value in it |
//! | `walk` | the subschemas of a value, from those of the value around it |
//! | `refute` | alternatives that are contradicted |
//!
//! `contains`, `if`, `not` and `propertyNames` describe no single value, and dynamic references are not followed.

mod instance;
mod refute;
mod walk;

use crate::options::Options;
use crate::read::{self, json};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use instance::Way;
use walk::Walk;

/// The JSON Pointers of the subschemas that describe each of some values of an output. `output` is JSON: what is written, with all that is open closed, without
/// scalars that may go on; empty if the root has not begun or is such a scalar. Where none describes a value itself, such as an item of a constant, they are those of the value around it. A pointer may lead one step further than what is written.
///
/// # Errors
/// The schema or the output cannot be read, or the budget is spent.
pub fn applied(
    schema: &str,
    output: &str,
    pointers: &[String],
    options: &Options,
    budget: &Budget,
) -> Result<Vec<Vec<String>>, Vec<Diagnostic>> {
    // A profile reads other keywords into a schema than are written. What contradicts what is written may then be allowed.
    let is_as_written = options.profile.is_none();
    let mut documents = read::read(schema, &Options { profile: None, ..options.clone() }, budget)?;
    let one = |error| vec![error];
    let output = match output {
        "" => None,
        _ => Some(json::read(&mut documents.values, output, options.limits.max_depth, budget).map_err(one)?),
    };
    let root = documents.root;
    let mut walk = Walk::new(documents, options, budget);
    let mut places = |pointer: &String| {
        let way = Way::new(&walk.values, output, pointer);
        walk.describe(root, &way, is_as_written).map_err(|over| vec![over.into()])
    };
    pointers.iter().map(&mut places).collect()
}
