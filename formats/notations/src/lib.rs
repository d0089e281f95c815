//! Reads grammars in the notations that people write them in, each to one [`Grammar`](gcc_grammar_ir::Grammar).
//!
//! ```text
//! text ──lark | bnf | w3c | abnf | antlr | tree_sitter | regex | choices | structural_tag | tools──▶ Grammar, warnings   or errors
//! ```
//! | module | notation |
//! |---|---|
//! | [`lark`] | Lark, with the extensions of llguidance |
//! | [`bnf`] | GBNF of llama.cpp and EBNF of XGrammar |
//! | [`w3c`] | the EBNF of the W3C |
//! | [`abnf`] | ABNF of RFC 5234 and RFC 7405 |
//! | [`antlr`] | grammars of ANTLR 4 |
//! | [`tree_sitter`] | grammars of tree-sitter |
//! | [`regex`] | regular expressions |
//! | [`choices`] | lists of texts |
//! | [`structural_tag`] | free text with tags that switch to schemas, grammars or patterns |
//! | [`tools`] | definitions of tools, for the models of a family |
//!
//! Every notation has the same interface: a function takes the text and `options` and returns the grammar with warnings
//! ([`Parsed`](gcc_grammar_ir::Parsed)), or all errors found. Warnings and errors are [`Diagnostic`](gcc_grammar_ir::Diagnostic)s with a
//! location in the text. A grammar that is returned has been [checked](gcc_grammar_ir::check). [`notation`] recognizes the notation of a
//! file, and [`foreign`] names notations that are not read. JSON Schema has a crate of its own, `gcc-grammar-json-schema`.
//!
//! Notations of characters share `grammar_builder`, a grammar under construction; those of lexemes become definitions and directives of Lark. They also share `scanner`, a position in a text; `named_rules`, the table of rules; `exclusion`, the texts `A - B`; `embed`, which puts grammars into a grammar; `free_text`, the regular
//! languages of text up to a trigger; `bounds`, the attributes that bound the texts of a rule; and [`regularize()`](regularize::regularize), which turns the regular parts of a grammar into terminals.
//!
//! # Example
//! ```
//! use gcc_grammar_notations::lark;
//!
//! let parsed = lark::parse("start: \"yes\" | \"no\" WORD\nWORD: /[a-z]+/\n%ignore \" \"\n")?;
//! assert_eq!(parsed.grammar.terminals.len(), 4);
//! assert!(parsed.warnings.is_empty());
//!
//! let errors = lark::parse("start: WRD\nWORD: /[a-z]+/\n").unwrap_err();
//! assert_eq!(errors[0].code.as_str(), "undefined-name");
//! assert_eq!(errors[0].help.as_deref(), Some("did you mean `WORD`?"));
//! # Ok::<(), Vec<gcc_grammar_ir::Diagnostic>>(())
//! ```

#![forbid(unsafe_code)]

pub mod abnf;
pub mod antlr;
pub mod bnf;
mod bounds;
pub mod choices;
mod embed;
mod exclusion;
pub mod foreign;
mod free_text;
mod grammar_builder;
pub mod lark;
mod named_rules;
pub mod notation;
mod options;
mod parsed;
pub mod regex;
pub mod regularize;
mod scanner;
pub mod structural_tag;
pub mod tools;
pub mod tree_sitter;
pub mod w3c;

pub use options::GrammarOptions;
pub use parsed::Parsed;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
