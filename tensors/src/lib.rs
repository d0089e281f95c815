//! Tensors: an artifact as a finite automaton over tokens, for accelerators, batches, and products with other models.
//!
//! In: a session, and how much of a context-free language is wanted. Out: [`Tensors`], the smallest deterministic automaton whose
//! transitions read tokens. Its states are the configurations of the runtime (lexer states and parser stacks) that begin a token;
//! its edges join all tokens that lead from one state to another.
//!
//! ```text
//! Session ──▶ Words: tokens by the symbol classes of their bytes ─┐
//!         ──▶ Configurations: steps by symbol classes ────────────┴─explore──▶ Automaton ──trim──minimize──▶ Tensors ──▶ file
//! ```
//! | module | content |
//! |---|---|
//! | [`mod@build`], [`options`], [`mod@tensors`], [`failure`] | the stages below in their order; how much is wanted, the result, and why there is none |
//! | [`words`] | tokens that no configuration tells apart, as a trie over symbol classes |
//! | [`configurations`] | configurations and their transitions on symbol classes, made when they are needed |
//! | [`labels`] | sets of words, each stored once |
//! | [`mod@explore`] | all configurations that tokens lead to, breadth first |
//! | [`trim`] | states on no path from the start to the end are dropped |
//! | [`mod@minimize`] | states with the same future are merged |
//! | [`arrays`], [`npz`], [`safetensors`] | the arrays of a file, and the two formats |
//!
//! The names are those of Dang et al., *Mitigating bias in locally constrained decoding via tractable proposals* (2026): S states,
//! E edges, the incidence of sources `T_out` (S × E) and of targets `T_in` (E × S), and the labels `B_f` (E × V). Each edge has one
//! source and one target, so the first two are stored as lists of E numbers. Many edges have equal labels, so the distinct rows of
//! `B_f` are stored once.

#![forbid(unsafe_code)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod arrays;
mod build;
mod configurations;
mod explore;
mod failure;
mod labels;
mod minimize;
mod npz;
mod options;
mod safetensors;
mod tensors;
mod trim;
mod words;

pub use arrays::{Array, Elements};
pub use build::tensors;
pub use npz::npz;
pub use options::TensorOptions;
pub use safetensors::safetensors;
pub use tensors::{Cut, Tensors};
