//! The inputs of the parser stage.

use crate::lexer::{Contexts, Lexer};
use crate::lr::LrTables;
use crate::terminal::{Tokens, WalkSource};

/// What the Parser DWA is built from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The parser.
    pub tables: &'a LrTables,
    /// The terminals that may start a lexeme, per LR state.
    pub contexts: &'a Contexts,
    /// The lexer.
    pub lexer: &'a Lexer,
    /// The vocabulary.
    pub tokens: &'a Tokens,
    /// Tables for walks of the vocabulary.
    pub walks: WalkSource<'a>,
    /// Whether tokens are allowed as soon as that is certain, before the stack symbols are read that cannot
    /// change it. In JSON schemas this halves the number of transitions. In programming languages, where most
    /// tops of the stack leave other tokens open, it makes a tenth more masks.
    pub decides_early: bool,
    /// The least number of pairs of lexer and LR states for which the automaton is built in two parts.
    pub two_parts_from: usize,
}
