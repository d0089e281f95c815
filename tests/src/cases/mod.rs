//! Cases as TOML files: a grammar, a vocabulary, and the masks along a walk or the error.
//!
//! Cases are read from the folder `cases`, and written when a random sample fails. A file has any number of cases:
//! ```toml
//! [[case]]
//! name = "a lexeme may go on"
//! discipline = "longest-match"            # or "any-split"
//! ignored = ["SPACE"]                     # may be left out
//! everywhere = ["NUMBER"]                 # recognized in every context; may be left out
//! after.END = ["NUMBER", "DOTS"]          # END is recognized after these lexemes and nowhere else; may be left out
//! verbatim = ["TEXT"]                     # where it is expected, nothing else is recognized; may be left out
//! together = ["SPACE", "NUMBER"]          # share ties: if one wins, all that match are kept; may be left out
//! start = "s"
//! [case.terminals]                        # in order of declaration
//! SPACE = " "                             # a literal
//! NUMBER = ["rep", ["chars", "0-9"], 1]   # a regular expression, see `notation`
//! DOTS = { literal = "..", priority = 1 }
//! WORD = { regex = ["rep", "a", 1], max-tokens = 2 }   # a limit on the tokens of a lexeme
//! TURN = { tokens = ["<turn>", [3, 5]] }  # special tokens by name, or by a range of ids
//! [case.rules]
//! s = ["seq", "NUMBER", ["rep", ["seq", "DOTS", "s"], 0, 1]]
//! [case.vocabulary]
//! tokens = ["1", ".", "1.", ["hex", "ff"], { special = "<turn>" }, { hole = true }]
//! end = [4]
//! padding = 2
//! [[case.steps]]
//! allowed = ["1", 2]                      # by text where it is unique, or by id; nothing else is allowed
//! accepting = false                       # if it matters
//! then = { commit = "1" }                 # or { rollback = 2 }; a token that is not allowed must be refused
//! ```
//! A case that must not compile has `error = "empty-terminal"` in place of `steps`.

mod case;
mod eliminate;
mod folder;
mod follow;
mod notation;
mod read;
mod write;

pub use case::{Case, Expectation, Expected};
pub use folder::all_cases;
pub use follow::follow;
pub use read::{BadCase, read_cases};
pub use write::write_case;
