//! The caller's memory, which holds a graph-structured stack, the history of the matcher, and temporaries.
//!
//! The caller gives a slice of 32-bit words, of any content. Three regions share it, and no other memory is
//! used:
//!
//! ```text
//!  words  0                 5·cells            bottom          history                  len
//!         │ cell 0 │ cell 1 │ … │     free     │  temporaries   │ newest entry │ … │ oldest │
//!         └── GSS ──────────────┘ ──▶      ◀── └── heads being computed, lists ──┘
//! ```
//! **Graph-structured stack (GSS).** All parser stacks, sharing their lower parts (Tomita 1985). A node is a
//! list of cells, one per parent: `(LR state, parent, rest)`, where `rest` is the list of the other parents.
//! A cell is thus an edge of the graph. Lists are immutable: adding a parent makes a new cell in front of the
//! old list. Hence
//! 1. `parent` and `rest` of cell `i` are less than `i`, or absent: the graph is acyclic, and everything
//!    reachable from a node lies below it;
//! 2. all cells of a list have the same LR state;
//! 3. a node never changes its meaning, so rolling back only has to drop the newest cells.
//!
//! A cell without a rest may remember how to read the stack below it in one state of the Parser DWA, in the
//! place of the rest and of the mark ([`deep`](crate::deep)). This is a copy of what reading finds, and may be
//! dropped at any time.
//!
//! The last word of a cell remembers what completing the text costs from there ([`budget`](crate::budget)). It is
//! computed when it is first needed, and may be dropped at any time, too.
//!
//! If the grammar has lists whose items differ, some cells are no part of a stack, but remembered items (`items`), and the last words of the caller hold the
//! text so far (`text`) and a table of items (`sorted`).
//!
//! **History.** One entry per commit, and one for the beginning: `[number of heads, cells then in use,
//! (lexer state, node)…]`. If the grammar has limits on the tokens of lexemes, heads have a further word, the age of the lexeme. If the text is
//! remembered, entries have a further number, its length, and heads two further words, where the lexeme began and the memory.
//!
//! **Temporaries.** A stack of words that grows downwards. A list of heads that is being computed lies here
//! in the layout of an entry, without the two numbers in front. Between the operations of a matcher there are
//! no temporaries.
//!
//! | file | content |
//! |---|---|
//! | `regions` | the three regions, and checkpoints to undo a failed operation |
//! | `stack` | nodes and cells of the GSS |
//! | `marks` | marks on cells, for searches that visit each node once |
//! | `heads` | lists of heads |
//! | `history` | entries, and copies into another scratch |
//! | `items`, `text` | remembered items, and the text that they refer to |
//! | `sorted` | the items of the longest list in order |
//! | `signature` | what equal values have in common |
//! | `cases` | the keys that may come in the object that was asked for last |
//! | `set` | sets of bytes, and of keys |
//! | `compact` | garbage collection: drops what no retained entry reaches |

mod cases;
mod compact;
mod heads;
mod history;
mod items;
mod marks;
mod regions;
mod set;
mod signature;
mod sorted;
mod stack;
mod text;

pub(crate) use cases::{BOTH, Case, Cases};
pub(crate) use heads::{Head, Heads};
pub(crate) use items::{ENDLESS, KEY, Memory, NO_RECORD, OPEN, RECORD};
pub(crate) use regions::Scratch;
pub(crate) use set::{Atoms, Bytes};
pub(crate) use signature::Signature;
pub(crate) use sorted::{Alike, Sorted};
pub(crate) use stack::{ITEM, NAME, Node, TAGS};
pub(crate) use text::{Place, Span, Text};
