//! Reads a compiled grammar and computes exact next-token masks: `no_std`, without allocation.
//!
//! Before each token that a language model generates, this crate gives the tokens that may come next; after it,
//! it takes the chosen token. It opens the artifact that the compiler of this project has written.
//! The compiler has already worked out how a mask follows from the parser stack. So a mask is read from the
//! top of the stack, and no token of the vocabulary is parsed. The state of an output lies in a slice that
//! the caller gives, the *scratch*.
//!
//! ```text
//!  artifact ──▶ GrammarView ─┐
//!                            ├─▶ Engine ──▶ Matcher ──▶ fill_mask / update_mask ──▶ row of bits ──▶ sampler
//!  vocabulary ─▶ Tokens ─────┘                 ▲                                                      │
//!                              scratch ────────┘◀────────────── commit(token) ◀──────────────────────┘
//! ```
//! The following holds after every call: an operation that fails leaves the matcher as it was, and
//! [`commit`](Matcher::commit) accepts exactly the tokens of the mask.
//!
//! # Modules
//! Each row uses only modules of earlier rows.
//!
//! | module | content |
//! |---|---|
//! | `error` | [`Error`] |
//! | `characters` | the kinds of characters in a token |
//! | `engine` | [`Engine`]: a validated grammar with its vocabulary, shared by any number of matchers |
//! | `scratch` | the caller's memory: graph-structured stack, history, temporaries, garbage collection |
//! | `work`, `charge` | the work of a call, its bounds, and how it is charged |
//! | `deep` | reads far down a stack, without reading again what repeats |
//! | `simulate` | reductions of one terminal on one stack, as far as they are deterministic |
//! | `parser` | (G)LR reductions and shift of one terminal on one stack |
//! | `step` | one symbol on all heads: lexer and parser together |
//! | `matcher`, `views` | [`Matcher`]: begin, fork, roll back; its heads, for traces |
//! | `attempt` | operations that leave the matcher as it was when they fail |
//! | `limits` | limits on the tokens of lexemes |
//! | `memory` | items of lists, names and keys of objects that came before, and whether what is written can still differ |
//! | `read` | tokens and bytes, read symbol by symbol |
//! | `reserve` | room of the scratch that is kept for tokens that do not make the stack higher |
//! | `commit`, `forced`, `save` | commit and validate; forced bytes; a matcher as bytes and back |
//! | `bitmap`, `parts` | masks of the store as rows of bits; short lists of such masks |
//! | `classify` | the Parser DWA reads the stacks and finds the masks whose union is the next mask |
//! | `refused` | the tokens that the memory takes out of masks |
//! | `cut` | masks cut to the tokens that do not begin too many characters |
//! | `mask`, `row` | the next mask: row of bits, ranges, one token, count; rows updated by difference |
//! | `budget` | the cost of completing the text, masks within a budget, the shortest completion |
//! | `numbered` | the next mask as base bitmaps and flips, for rows that are assembled elsewhere |
//!
//! Most grammars have no memory, so a first reader can leave out `memory` and `refused`.
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.

#![forbid(unsafe_code)]
#![no_std]

mod attempt;
mod bitmap;
mod budget;
mod characters;
mod charge;
mod classify;
mod commit;
mod cut;
mod deep;
mod engine;
mod error;
mod forced;
mod limits;
mod mask;
mod matcher;
mod memory;
mod numbered;
mod parser;
mod parts;
mod read;
mod refused;
mod reserve;
mod row;
mod save;
mod scratch;
mod simulate;
mod step;
mod views;
mod work;

pub use characters::Characters;
pub use engine::{Engine, Tokens, larger_scratch, with_enough_scratch};
pub use error::Error;
pub use gcc_grammar_artifact::ids::{BaseId, LexState, LrState, TokenId};
pub use gcc_grammar_artifact::{ArtifactError, GrammarView, TokenTrie, VocabularyView};
pub use matcher::Matcher;
pub use numbered::{MAX_BASES, NumberedMask};
pub use row::{HeldMask, MaskRow};
pub use views::{Earlier, HeadView, Stack};
pub use work::DEFAULT_MAX_WORK;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
