//! The tokens that the memory of the heads takes out of masks.
//!
//! The masks of the artifact do not know what is [remembered](crate::memory). Read in this order:
//!
//! | file | content |
//! |---|---|
//! | `rows` | takes tokens out of a row, or tries them; the heads and the lists for which this is done |
//! | `walk` | the walk of the trie by the states of lexemes |
//! | `texts` | the tokens along items of one lexeme, in their order |
//! | `trial` | tries the tokens along a path of the trie |
//! | `values` | the tokens along items of several lexemes |
//! | `items` | where items are looked for: the tokens of a list |
//! | `same` | the tokens beside a text that is repeated |
//! | `keys` | the tokens along keys that must not come, and behind members |

mod items;
mod keys;
mod rows;
mod same;
mod texts;
mod trial;
mod values;
mod walk;
