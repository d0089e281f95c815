//! The boolean algebra of schemas: from schemas to nodes with automata.
//!
//! A *node* is a boolean combination of loaded schemas in disjunctive normal form: the set of values at one
//! place of a document. Its scalars are languages. Its arrays and objects are deterministic automata over
//! *letters*, one letter per item or member:
//!
//! ```text
//! node ──lower, choices──▶ expression ──derivative──▶ expression with guards ──split──▶ (value node, expression) …
//!                              ▲                                                                  │
//!                              └──────────────────── one state per expression ────────────────────┘
//! ```
//! The condition on a whole array or object is an expression whose leaves are the rules of all schemas
//! involved. Its derivative by an item or member is the condition on the rest, under *guards*, which are
//! conditions on the value of the item or member. Splitting by the guards makes the letters disjoint, so the
//! automaton is deterministic whatever `oneOf`, `not` and `if` were combined. This is the determinization of
//! an alternating automaton, done lazily (Brzozowski 1964; Chandra, Kozen, Stockmeyer 1981).
//!
//! | file | job |
//! |---|---|
//! | `terms`, `error` | types that all files share |
//! | `context` | the state: tables of nodes, expressions and results |
//! | `expression` | conditions on the rest of an array or object |
//! | `scalars` | constants, numbers and strings of a node |
//! | `lower` | schemas to expressions |
//! | `choices`, `declared`, `order` | the order of keys |
//! | `repeats` | keys that occur twice, where members are counted |
//! | `evaluated`, `evaluated_keys` | `unevaluatedProperties`, `unevaluatedItems` |
//! | `unique`, `differ` | `uniqueItems`, and where it makes no difference in a complement |
//! | `members`, `items`, `guards` | derivatives |
//! | `empty` | intersections that have no values |
//! | `split`, `constants` | disjoint letters |
//! | `alphabet`, `automata` | the automata of a node |
//! | `shares` | the work that one place may take |
//! | `record`, `conditions`, `discriminated` | conditions on sets of keys that the runtime remembers, and their normal form |
//! | `apart`, `unions`, `disjoint` | whether one automaton reads all alternatives of objects |

mod alphabet;
mod apart;
mod automata;
mod choices;
mod conditions;
mod conjunctions;
mod constants;
mod context;
mod declared;
mod differ;
mod discriminated;
mod disjoint;
mod empty;
mod error;
mod evaluated;
mod evaluated_keys;
mod expression;
mod guards;
mod items;
mod key_sets;
mod lower;
mod members;
mod order;
mod record;
mod repeats;
mod scalars;
mod shares;
mod split;
mod terms;
mod unions;
mod unique;

pub(crate) use context::Algebra;
pub(crate) use error::AlgebraError;
pub(crate) use record::Objects;
pub(crate) use terms::{Node, NodeId, ScalarType};
