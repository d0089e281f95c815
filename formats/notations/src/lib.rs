//! Notations for grammars, each to one [`Grammar`](gcc_grammar_ir::Grammar).
//!
//! ```text
//! text ──lark | bnf | regex | choices | structural_tag──▶ Grammar
//! ```
//! | module | notation |
//! |---|---|
//! | [`lark`] | Lark, with the dialect of llguidance |
//! | [`bnf`] | GBNF of llama.cpp and EBNF of XGrammar |
//! | [`regex`] | regular expressions |
//! | [`choices`] | lists of texts |
//! | [`structural_tag`] | free text with tags that switch to schemas, grammars or patterns |
//!
//! [`notation`] recognizes which of them a file is written in.
//!
//! They share [`draft`](self), a grammar under construction, [`embed`], grammars within a grammar, [`free_text`], and [`regularize()`](regularize::regularize),
//! which makes terminals of the regular parts of a grammar.

#![forbid(unsafe_code)]

pub mod bnf;
pub mod choices;
mod draft;
mod embed;
mod free_text;
pub mod lark;
pub mod notation;
#[cfg(test)]
mod random;
pub mod regex;
pub mod regularize;
pub mod structural_tag;
