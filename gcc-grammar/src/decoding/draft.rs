//! Trees of proposed tokens, as speculative decoding makes them: which nodes the language allows, and the mask after each.

use crate::decoding::matcher::Matcher;
use crate::error::{Error as LibraryError, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_runtime::Error;
use std::fmt;

/// A tree of proposed tokens. A node is proposed after its parent; a node without a parent comes directly after the text so far.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'t> {
    /// Per node: its parent, an earlier node.
    pub parents: &'t [Option<usize>],
    /// Per node: its token.
    pub tokens: &'t [u32],
}

/// The error of a tree that cannot be verified. The matcher is as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TreeError {
    /// There are not as many parents as tokens.
    Lengths,
    /// The parent of this node is not an earlier node.
    Parent(usize),
    /// The rows have less than this many words.
    RowsTooShort(usize),
    /// The runtime failed.
    Runtime(Error),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lengths => f.write_str("the tree does not have as many parents as tokens"),
            Self::Parent(node) => write!(f, "the parent of node {node} is not an earlier node"),
            Self::RowsTooShort(needed) => write!(f, "the rows of the tree need {needed} words"),
            Self::Runtime(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TreeError {}

impl From<TreeError> for LibraryError {
    fn from(error: TreeError) -> Self {
        let diagnostic = Diagnostic::error(Code::Runtime, error.to_string());
        Self::new(ErrorKind::Refused, "tree", diagnostic).caused_by(error)
    }
}

impl From<Error> for TreeError {
    fn from(error: Error) -> Self {
        Self::Runtime(error)
    }
}

impl Tree<'_> {
    fn check(&self) -> Result<(), TreeError> {
        if self.parents.len() != self.tokens.len() {
            return Err(TreeError::Lengths);
        }
        let late = self.parents.iter().enumerate().find(|(node, parent)| parent.is_some_and(|p| p >= *node));
        late.map_or(Ok(()), |(node, _)| Err(TreeError::Parent(node)))
    }
}

impl Matcher {
    /// For each node of the tree, whether the text so far may continue with the tokens from the root to the node; and in `rows`, one row
    /// after the other, the mask behind each allowed node. The row of a node that is not allowed is all zero. The matcher stays where
    /// it is.
    ///
    /// # Errors
    /// The tree is not a tree, the rows are too short, or the scratch is at its limit.
    pub fn verify_tree(&mut self, tree: Tree<'_>, rows: &mut [u32]) -> Result<Vec<bool>, TreeError> {
        tree.check()?;
        let words = self.session().row_words();
        let needed = words * tree.tokens.len();
        if rows.len() < needed {
            return Err(TreeError::RowsTooShort(needed));
        }
        let mut behind: Vec<Option<Self>> = Vec::with_capacity(tree.tokens.len());
        let rows = rows.chunks_exact_mut(words.max(1));
        for ((&parent, &token), row) in tree.parents.iter().zip(tree.tokens).zip(rows) {
            let before = parent.map_or(Some(&*self), |parent| behind[parent].as_ref());
            let after = before.map(|matcher| after(matcher, token)).transpose()?.flatten();
            behind.push(match after {
                Some(mut matcher) => {
                    matcher.fill_mask(row)?;
                    Some(matcher)
                }
                None => {
                    row.fill(0);
                    None
                }
            });
        }
        Ok(behind.iter().map(Option::is_some).collect())
    }
}

/// The matcher after one more token; none if the token is refused.
fn after(matcher: &Matcher, token: u32) -> Result<Option<Matcher>, Error> {
    let mut fork = matcher.fork()?;
    match fork.commit(token) {
        Ok(()) => Ok(Some(fork)),
        Err(Error::Refused) => Ok(None),
        Err(error) => Err(error),
    }
}
