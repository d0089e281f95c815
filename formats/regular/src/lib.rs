//! Regular languages over bytes: patterns to minimal automata, and the algebra of automata.
//!
//! A regular expression or pattern goes in, and a [`Dfa`] comes out: a deterministic automaton over bytes that is
//! minimal and numbered canonically. So **equal languages are equal values**: `==` decides equivalence of expressions,
//! and an automaton can be the key of a hash map. Automata combine by union, intersection, difference, complement and
//! derivative. All constructions are deterministic and bounded by [`RegularLimits`], so they are safe on untrusted input.
//!
//! ```text
//!  pattern ──parse──▶ Regex ──thompson──▶ Nfa ──determinize──▶ RawDfa ──minimize──▶ Dfa ◀──algebra──▶ Dfa
//!                       │                  ▲                     ▲                   ▲
//!                       │                  └ substring           └ explore           │
//!                       └─────literals, sets of code points: sorted_words────────────┘
//! ```
//! | stage | file | source |
//! |---|---|---|
//! | pattern to expression | `parse`, `extension` | syntax of the crate `regex-syntax`; Koo, Liu, He 2024 |
//! | expression to nondeterministic automaton | `nfa` | Thompson 1968 |
//! | subset construction, with look-around and preference | `determinize` | Rabin, Scott 1959; Chandra, Kozen, Stockmeyer 1981 |
//! | partition refinement | `minimize::refine` | Hopcroft 1971, Valmari 2012 |
//! | minimization of acyclic automata | `minimize::acyclic` | Revuz 1992 |
//! | finite languages | `sorted_words` | Daciuk, Mihov, Watson, Watson 2000 |
//! | substrings of a text | `substring` | Blumer et al. 1985, Crochemore 1986 |
//! | product construction, derivative | `algebra` | Rabin, Scott 1959; Brzozowski 1964 |
//! | transition function to automaton | `explore` | |
//! | states that are minimal to automaton | `edge_list`, `builder`, `patchwork` | |
//!
//! Files depend on each other in the order `sets`, `limits`, `error`, `cycles`, `dfa`, `ending`, `range_starts`, `raw`, `edge_list`,
//! `minimize`, `sorted_words`, `explore`, `builder`, `patchwork`, `algebra`, `regex`, `nfa`, `determinize`, `substring`, `compile`, `extension`,
//! `parse`.
//!
//! # Example
//! ```
//! use gcc_grammar_regular::{Dfa, PatternFlags, Regex, RegularLimits};
//!
//! let limits = RegularLimits::default();
//! let dfa = |pattern: &str| -> Result<Dfa, Box<dyn std::error::Error>> {
//!     Ok(Regex::parse(pattern, PatternFlags::default())?.to_dfa(&limits)?)
//! };
//!
//! let date = dfa("[0-9]{4}-(0[1-9]|1[0-2])")?;
//! assert!(date.accepts(b"2024-12") && !date.accepts(b"2024-13"));
//!
//! // Equal languages are equal values.
//! assert_eq!(dfa("(a|b)*")?, dfa("(a*b*)*")?);
//!
//! // The months that are not in the fourth quarter.
//! let rest = date.difference(&dfa(".*-1.")?, &limits)?;
//! assert!(rest.is_subset(&date, &limits)? && rest.is_finite());
//! assert_eq!(rest.shortest(), Some(b"0000-01".to_vec()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The terms are defined in the glossary of the project, section 4 of `docs/theory.md`.
//!
//! # Limits
//! Text is UTF-8: a set of code points matches encodings of scalar values only. Backreferences are refused with a
//! [`PatternError`]. A construction that would exceed its
//! states, steps or bytes fails with [`OverBudget`](gcc_grammar_limits::OverBudget).

#![forbid(unsafe_code)]

mod algebra;
mod builder;
mod compile;
mod cycles;
mod determinize;
mod dfa;
mod edge_list;
mod ending;
mod error;
mod explore;
mod extension;
#[cfg(test)]
mod extension_tests;
mod limits;
mod minimize;
mod nfa;
mod parse;
mod patchwork;
mod range_starts;
mod raw;
mod regex;
mod sets;
mod sorted_words;
mod substring;
#[cfg(test)]
mod tests;

pub use builder::MinimalBuilder;
pub use dfa::Dfa;
pub use ending::{Beginning, Ending};
pub use error::{PatternError, PatternErrorKind};
pub use explore::Step;
pub use extension::Extension;
pub use limits::RegularLimits;
pub use parse::{PatternFlags, Syntax};
pub use patchwork::Patchwork;
pub use regex::{Around, Look, Regex};
pub use sets::{ByteSet, CharSet};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
