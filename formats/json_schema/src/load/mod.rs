//! Loading: from JSON values to [`Schema`](crate::schema::Schema)s, that is, the meaning of every keyword.
//!
//! The root is loaded at once, the target of a reference when the algebra follows it. What comes out is in
//! the fields of the [`Loader`]: the schemas, the languages of strings, keys and numbers, the report, errors
//! and warnings. After this, every keyword of a loaded schema has an entry in the report, and only the loader
//! looks at JSON values.
//!
//! | file | job |
//! |---|---|
//! | `loader` | the state, and how gaps are reported |
//! | `findings`, `errors` | the report, warnings and errors |
//! | `loaded` | which schema each place was loaded as |
//! | `memos` | the schemas of constants, the languages of patterns and formats |
//! | `subschemas` | one schema and its subschemas, references |
//! | `source`, `values` | keywords and their values, by type |
//! | `types` | `type` |
//! | `constants` | `enum`, `const` |
//! | `numbers` | bounds and `multipleOf` |
//! | `strings` | `pattern`, lengths, `format` |
//! | `arrays` | `items`, `prefixItems`, `contains`, lengths, `uniqueItems` |
//! | `objects` | `properties`, `patternProperties`, `required`, sizes, `dependencies` |
//! | `logic` | `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if` |
//! | `left_out` | clauses that multiply with others |
//! | `unread`, `misspelt` | warnings about keywords that have no effect |
//! | `unconstrained` | the warning that nothing is restricted |
//! | `variants` | schemas loaded once more, to find out what makes them unsatisfiable |
//! | `places` | the report, completed for equal schemas |

mod arrays;
mod constants;
mod errors;
mod findings;
mod left_out;
mod loaded;
mod loader;
mod logic;
mod memos;
mod misspelt;
mod numbers;
mod objects;
mod places;
mod source;
mod strings;
mod subschemas;
mod types;
mod unconstrained;
mod unread;
mod values;
mod variants;

pub(crate) use left_out::ClauseOf;
pub(crate) use loader::{Hindsight, Loader};
pub(crate) use variants::Site;

use crate::guidance::Guidance;
use crate::options::Options;
use crate::read::Documents;
use crate::schema::SchemaId;
use gcc_grammar_limits::Budget;

/// Loads the schema that is compiled.
pub(crate) fn load<'a>(
    documents: Documents,
    options: &'a Options,
    guidance: &Guidance,
    hindsight: &Hindsight,
    budget: &'a Budget,
) -> (Loader<'a>, SchemaId) {
    let root = documents.root;
    let mut loader = Loader::new(documents, options, guidance, hindsight.clone(), budget);
    let schema = loader.load_root(root);
    loader.warn_unconstrained(root.1);
    (loader, schema)
}
