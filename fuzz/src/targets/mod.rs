//! The targets, a file per kind of input.
//!
//! | module | input |
//! |---|---|
//! | [`front_ends`] | texts in every notation, schemas with options |
//! | [`compile`] | a text in any notation, through the whole pipeline |
//! | [`oracle`] | the seed of a random grammar, compared with the oracle |
//! | [`schemas`] | the seed of a random schema, compared with a validator |
//! | [`sessions`] | operations on matchers of valid artifacts |
//! | [`forgeries`] | edits of artifacts, compiled vocabularies and saved matchers |
//! | [`tokenizers`] | tokenizer files of every format |
//! | [`metadata`] | the metadata of artifacts |
//! | [`options`] | the values of options |
//! | [`samples`] | the artifacts and vocabularies that the targets work on |
//!
//! The C interface and the Python package get targets here as soon as they exist: a script of calls with any arguments, in any order.

mod compile;
mod forgeries;
mod front_ends;
mod metadata;
mod options;
mod oracle;
mod samples;
mod schemas;
mod sessions;
mod tokenizers;

use crate::Target;

/// All targets.
#[must_use]
pub fn targets() -> &'static [Target] {
    const TARGETS: &[Target] = &[
        front_ends::LARK,
        front_ends::LLGUIDANCE,
        front_ends::GBNF,
        front_ends::EBNF,
        front_ends::W3C,
        front_ends::ABNF,
        front_ends::ANTLR,
        front_ends::TREE_SITTER,
        front_ends::REGEX,
        front_ends::CHOICES,
        front_ends::STRUCTURAL_TAG,
        front_ends::JSON_SCHEMA,
        compile::COMPILE,
        oracle::ORACLE,
        schemas::SCHEMAS,
        sessions::SESSION,
        forgeries::ARTIFACT,
        forgeries::VOCABULARY,
        forgeries::SAVED_STATE,
        tokenizers::HUGGINGFACE,
        tokenizers::TEKKEN,
        tokenizers::SENTENCEPIECE,
        tokenizers::TIKTOKEN,
        metadata::METADATA,
        options::OPTIONS,
    ];
    TARGETS
}

/// The target of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    targets().iter().find(|target| target.name == name)
}
