//! Reads a compiled grammar and gives exact next-token masks: `no_std`, no allocation.
//!
//! # Map
//! | module | job |
//! |---|---|
//! | [`engine`] | a validated grammar together with its vocabulary: shared by any number of matchers |
//! | [`matcher`] | one output in the making: commit, roll back, fork |
//! | [`mask`] | what may come next: bitmask, ranges, one token, count |
//! | [`row`] | a mask row that remembers what it holds; masks as numbers, for rows that are made elsewhere |
//! | [`save`] | a matcher as bytes, and back |
//! | `scratch` | the caller's memory: cells of the stack forest, history of heads |
//! | `parser` | one terminal on one stack: GLR reductions and shift |
//! | `read` | tokens and bytes read as symbols; undoing what failed |
//! | [`forced`] | the bytes that are certain to come |
//! | `step` | one symbol on all heads: lexer and parser together |
//! | `compact` | making room: dropping what no retained history can reach |
//!
//! # Glossary
//! - **symbol**: what the lexer reads: the class of a byte, or of a special token.
//! - **lexeme**: the text of one terminal. It ends *lazily*: only the next symbol decides that it ended.
//! - **head**: a lexer state with the top of a parser stack. There are several where the text so far can be read in
//!   several ways: a lexeme that may or may not have ended, or a conflict of the LR automaton.
//! - **stack forest**: all parser stacks, sharing their lower parts (a graph-structured stack).
//! - **viable**: some continuation leads to a text of the language. After every commit all heads are viable.

#![forbid(unsafe_code)]
#![no_std]

mod compact;
pub mod engine;
pub mod error;
pub mod forced;
pub mod mask;
pub mod matcher;
mod parser;
mod read;
pub mod row;
pub mod save;
mod scratch;
mod step;

pub use engine::{Engine, Tokens};
pub use error::Error;
pub use gcc_grammar_artifact::ids::{BaseId, LexState, LrState, TokenId};
pub use matcher::{HeadView, Matcher, Stack};
pub use row::{MaskPart, MaskRow};
