//! Builds the Terminal DWA: the sequences of terminals that tokens can be read as, weighted by sets of
//! tokens.
//!
//! In: the trie of the vocabulary and the [`Lexer`](crate::lexer::Lexer). Out: a [`TerminalDwa`] whose nodes
//! are built on demand.
//!
//! A [`Node`] answers for a lexer state and a context: which tokens end inside a lexeme that may still become
//! terminal T (the *weight* of arc T), and at which trie nodes a lexeme T may have ended inside a token (the
//! *cut* of arc T). The rest of such a token is read by the next lexeme, in the context that the parser is in
//! after T. Only the composition knows this context, so a cut is expanded to a node once per context. An
//! ignored terminal takes no step of the parser: where its lexeme ends, the same walk continues in the same
//! context.
//!
//! Afterwards: the automaton is acyclic, because every arc consumes at least one symbol of a token; it is
//! deterministic; equal nodes, arcs and cuts are one.
//!
//! Source: a tokenizer as a transducer, composed with a lexer (Koo, Liu, He, Automata-based constraints for
//! language model decoding, 2024). The files, in the order of the data:
//! 1. [`tokens`] ranks the vocabulary.
//! 2. [`lexemes`] is the lexer, also where its states are made on demand, and [`reached`] what it can be in; [`languages`] and [`parts`] divide lexer
//!    states into the parts that are walked.
//! 3. [`counting`] and [`uniform`] (with [`default_transition`], [`neutral`] and [`characters`]) find states and
//!    subtrees that need no walk of their own, and [`followers`] the bytes that may follow free text; [`tables`] holds their results,
//!    for all states or in [`batches`].
//! 4. [`mod@walk`] walks the trie.
//! 5. [`kept`] has the results of earlier compilations, and [`precomputed`] the walks that come with the vocabulary, by their [`walk_key`] and
//!    [`starts`].
//! 6. [`dwa`] makes nodes and arcs of its summaries; [`transfer`] moves arcs between automata. [`paths`] keeps the
//!    sequences of terminals alone.
//!
//! [`interpret()`] reads the terminal sequences of a token off the automaton.

mod batches;
mod characters;
mod counting;
mod default_transition;
mod dwa;
mod followers;
mod interpret;
mod kept;
mod languages;
mod lexemes;
mod neutral;
mod parts;
mod paths;
mod precomputed;
mod reached;
mod shortcuts;
mod starts;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod transfer;
mod uniform;
mod walk;
mod walk_key;

pub(crate) use batches::BatchSource;
pub use batches::WalkSource;
pub use dwa::{Arc, Node, TerminalDwa};
pub use interpret::interpret;
pub(crate) use kept::KeptWalks;
pub use kept::Reuse;
pub(crate) use lexemes::{LexemeStates, Lexemes};
pub(crate) use paths::{Paths, Weights};
pub(crate) use reached::Reached;
pub use shortcuts::Shortcuts;
pub(crate) use tables::Keys;
pub use tables::WalkTables;
pub use tokens::{TokenIds, Tokens};
pub(crate) use transfer::ForeignArcs;
