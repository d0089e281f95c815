//! Walks the vocabulary: from trie nodes and a state of the walked automaton to the tokens and lexemes that end on
//! the way.
//!
//! In: a set of trie nodes, and the [part](super::parts) of a lexer state in which the rest of their tokens is
//! read. Out: a [`Summary`], with the tokens that end in each pending set, and the trie nodes at which each
//! terminal may have ended. [`WalkMemo`] remembers all of them.
//!
//! Many states differ only in the next few bytes: inside a string all but a few bytes lead to the state
//! "inside a string". So the summaries of larger subtrees are kept, and shared by all walks that reach the
//! subtree in the same state. The children of a node that
//! lead to the same state and have a similar height are summarized together ([`groups`]): if a string's
//! characters are counted, only subtrees that are higher than the rest of the string are walked again. States
//! that differ only in a count share one walk ([`counted`]).
//!
//! Files: [`summary`] and [`collector`] (sets, and how they are collected), [`walker`] (the inner loop over a
//! subtree), [`counted`] with [`by_count`] (the same for all counts at once), [`entries`] (where a lexeme can begin), [`groups`], and [`memo`] (which walks some subtrees, and reuses the summaries
//! of others).

mod by_count;
mod collector;
mod counted;
mod entries;
mod groups;
mod memo;
mod summary;
mod walker;

pub(super) use entries::Entries;
pub(super) use groups::{GroupId, Groups, GroupsOfPatterns};
pub(super) use memo::WalkMemo;
pub(super) use summary::{Summary, WalkSets};
pub(super) use walker::Walker;
