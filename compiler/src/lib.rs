//! Compiles a grammar and a vocabulary into exact next-token masks.
//!
//! A [`Grammar`](gcc_grammar_ir::Grammar) over bytes and a [`Vocabulary`](gcc_grammar_vocabulary::Vocabulary) of
//! tokens go in; the tables of an artifact come out, [`Compiled`]. With them the runtime finds, for every text,
//! the set of tokens that some continuation of the text in the language begins with. The set is exact, and it is
//! found by reading the parser stack from the top: no token of the vocabulary is parsed at run time.
//!
//! # The pipeline
//! [`pipeline`] is this picture as code. Every stage is a value with one constructor, made of earlier stages.
//! ```text
//! Automata ── needs no vocabulary, except for the ids of special tokens ──────────────────────────────┐
//! │ Grammar ──terminals──▶ Terminals ──────────────────────┬──────────────▶ Symbols                   │
//! │ Grammar ──normalize──▶ Cfg ──lr──▶ LrTables ───────────┴──lexer──▶ Lexer, Contexts ──liveness──▶  │
//! │                                                  Live: tables to decode with, and the certificate │
//! └───────────────────────────────────────────────────────────────────────────────────────────────────┘
//! Vocabulary ──terminal──▶ Tokens, WalkTables ──▶ Terminal DWA ◀── expanded node by node by the composition
//! Terminal DWA ∘ LrTables ──parser──▶ Parser DWA ──masks──▶ MaskStore ──emit──▶ GrammarTables
//! trie, Lexer, LrTables ──completion──▶ CompletionTables    Automata, Depth ──mask_bounds──▶ MaskBounds
//! ```
//! | module | in | out |
//! |---|---|---|
//! | [`terminals`] | the terminals of the grammar | [`Terminals`](terminals::Terminals): minimal DFAs, ids of special tokens |
//! | [`normalize`] | the rules | [`Cfg`](normalize::Cfg): productions, none of them empty |
//! | [`lr`] | the productions | [`LrTables`](lr::LrTables): minimized LALR(1) tables with all conflicts |
//! | [`lexer`] | the DFAs, the LR tables | [`Symbols`](lexer::Symbols), [`Lexer`](lexer::Lexer), [`Contexts`](lexer::Contexts): one lexer for all LR states |
//! | [`liveness`] | the LR tables, the contexts, the lexer | [`Liveness`](liveness::Liveness): whether no token leads into a dead end; tables in which none does |
//! | [`terminal`] | the vocabulary, the lexer | [`TerminalDwa`](terminal::TerminalDwa): the sequences of terminals that tokens can be read as |
//! | [`parser`] | the Terminal DWA, the LR tables | [`Dwa`](parser::Dwa): from a lexer state and a stack to sets of tokens |
//! | [`masks`] | the sets of tokens | [`MaskStore`](masks::MaskStore): base bitmaps and lists of flipped tokens |
//! | `completion` | the vocabulary, the lexer, the LR tables | `CompletionTables`: the fewest tokens that complete a text; a [`Shortfall`] says which costs are missing |
//! | `distinct`, `keys`, `same`, `crossing` | the terminals with a role in lists and objects, the lexer, the vocabulary | the tables that the runtime needs for lists whose items differ, and for objects whose keys are remembered |
//! | `mask_bounds` | the automata, how far the Parser DWA reads | `MaskBounds`: bounds on the cost of a mask and of a byte |
//! | `emit` | all of these | [`GrammarTables`](gcc_grammar_artifact::grammar::GrammarTables): the tables of the artifact |
//!
//! `prepared` has all stages before the vocabulary is walked ([`Prepared`]). [`compile`] makes the tables of the artifact from them; `on_demand` ([`OnDemand`])
//! makes transitions of the Parser DWA and masks one by one, when they are asked for; `compile_session` ([`CompileSession`]) keeps walks of the vocabulary for the
//! next compilation. `options` has the limits and the contents of a compilation, `stats` the sizes of its stages, `error` its error.
//!
//! All stages share [`ids`], the [`Budget`] and `csr` ([`Csr`]); `join` runs two of them on two threads. [`sets`] are the weights of the two weighted automata (DWA);
//! [`analysis`] finds facts for the author of a grammar; `names` has the names of symbols for messages, `placeholder` a vocabulary for stages
//! that need none ([`byte_vocabulary`]); `partition` is the partition refinement of all minimizations; [`random`] makes reproducible random numbers.
//! Every stage has a small interpreter, which defines its meaning and is compared with the next stage in tests.
//!
//! The output depends on the input alone: not on the machine, the number of threads or a hash order. Every stage
//! charges a budget, so that a compilation ends in time or with the error [`OverBudget`].
//!
//! The glossary is docs/theory.md of the repository.
//!
//! # Example
//! A program that needs no masks stops after the first stages:
//! ```
//! use gcc_grammar_compiler::{Automata, CompileError, Limits};
//! use gcc_grammar_ir::Symbol;
//! use gcc_grammar_notations::lark;
//! use gcc_grammar_vocabulary::Vocabulary;
//!
//! let grammar = lark::parse("start: e\ne: e \"+\" e | NUMBER\nNUMBER: /[0-9]+/\n").expect("valid").grammar;
//! let tokens = [b"1".to_vec(), b"+".to_vec(), b"1+".to_vec()];
//! let end = 3;
//! let vocabulary = Vocabulary::from_tokens((0..).zip(tokens).collect(), Vec::new(), vec![end], end + 1)
//!     .expect("every token has an id of its own");
//!
//! let automata = Automata::new(&grammar.into(), &vocabulary, Limits::default(), &mut ())?;
//! // `1 + 1` • `+` can be reduced before `+` is shifted, or afterwards.
//! let conflicts: Vec<_> = gcc_grammar_compiler::analysis::conflicts::conflicts(&automata).collect();
//! assert_eq!(conflicts.len(), 1);
//! assert_eq!(automata.sequence_text(&conflicts[0].prefix), "e \"+\" e");
//! assert_eq!(automata.symbol_name(Symbol::Terminal(conflicts[0].terminal)), "\"+\"");
//! # Ok::<(), CompileError>(())
//! ```
//! [`compile`] goes on to the tables of the artifact; see the README of this crate.

#![forbid(unsafe_code)]

pub mod analysis;
mod automata;
mod compile_session;
mod completion;
mod crossing;
mod csr;
mod distinct;
mod emit;
mod error;
pub mod ids;
mod join;
mod keys;
pub mod lexer;
pub mod liveness;
pub mod lr;
mod mask_bounds;
pub mod masks;
mod names;
pub mod normalize;
mod on_demand;
mod options;
pub mod parser;
mod partition;
mod pipeline;
mod placeholder;
mod prepared;
pub mod random;
mod same;
pub mod sets;
mod stats;
pub mod terminal;
pub mod terminals;

pub use automata::{Automata, Decoding, Observer};
pub use compile_session::{CompileSession, DEFAULT_BYTES};
pub use completion::Shortfall;
pub use csr::Csr;
pub use error::CompileError;
pub use gcc_grammar_limits::{Budget, Interrupt, Limits, OverBudget};
pub use on_demand::OnDemand;
pub use options::{Options, TokenBudgets};
pub use pipeline::{Compiled, compile, compile_prepared};
pub use placeholder::{byte_vocabulary, placeholder_for};
pub use prepared::Prepared;
pub use stats::Stats;
pub use terminal::Reuse;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
