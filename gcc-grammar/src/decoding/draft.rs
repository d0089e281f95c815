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
        let rows = &mut rows[..needed];
        rows.fill(0);
        let order = Order::of(tree.parents);
        let mut allowed = vec![false; tree.tokens.len()];
        // Per open node: the matcher behind it, and its next child.
        let mut open = Vec::new();
        if let Some(first) = order.first(None) {
            open.push((self.fork()?, first));
        }
        while let Some((before, node)) = open.pop() {
            let mut matcher = match order.next(node) {
                Some(next) => {
                    let fork = before.fork()?;
                    open.push((before, next));
                    fork
                }
                None => before,
            };
            match matcher.commit(tree.tokens[node]) {
                Ok(()) => allowed[node] = true,
                Err(Error::Refused) => continue,
                Err(error) => return Err(error.into()),
            }
            matcher.fill_mask(&mut rows[node * words..][..words])?;
            if let Some(first) = order.first(Some(node)) {
                open.push((matcher, first));
            }
        }
        Ok(allowed)
    }
}

/// The children of each node, the one with the most nodes below it last. It takes the matcher of its parent, the others a fork of it; so there
/// are at most as many forks at a time as the logarithm of the number of nodes, and a chain needs one.
struct Order {
    /// Per node, and for the root behind them: its first child.
    first: Vec<Option<usize>>,
    /// Per node: the next child of its parent.
    next: Vec<Option<usize>>,
}

impl Order {
    fn of(parents: &[Option<usize>]) -> Self {
        let root = parents.len();
        let above = |node: usize| parents[node].unwrap_or(root);
        let mut sizes = vec![1_usize; root + 1];
        (0..root).rev().for_each(|node| sizes[above(node)] += sizes[node]);
        let mut order = Self { first: vec![None; root + 1], next: vec![None; root] };
        let mut largest: Vec<Option<usize>> = vec![None; root + 1];
        for node in 0..root {
            let known = &mut largest[above(node)];
            if known.is_none_or(|known| sizes[node] > sizes[known]) {
                *known = Some(node);
            }
        }
        let others = (0..root).filter(|&node| largest[above(node)] != Some(node));
        for node in largest.iter().flatten().copied().chain(others) {
            order.next[node] = order.first[above(node)].replace(node);
        }
        order
    }

    fn first(&self, parent: Option<usize>) -> Option<usize> {
        self.first[parent.unwrap_or(self.next.len())]
    }

    fn next(&self, node: usize) -> Option<usize> {
        self.next[node]
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    /// The most matchers that are open at a time.
    fn most_open(parents: &[Option<usize>]) -> usize {
        let order = Order::of(parents);
        let (mut open, mut seen, mut most) = (Vec::from_iter(order.first(None)), 0, 0);
        while let Some(node) = open.pop() {
            seen += 1;
            open.extend(order.next(node));
            open.extend(order.first(Some(node)));
            most = most.max(open.len());
        }
        assert_eq!(seen, parents.len());
        most
    }

    #[test]
    fn few_matchers_are_open_at_a_time() {
        let chain: Vec<_> = (0..5000_usize).map(|node| node.checked_sub(1)).collect();
        assert_eq!(most_open(&chain), 1);
        // A chain whose nodes have a leaf each, before or behind the node that goes on.
        for behind in [1, 2] {
            let comb: Vec<_> =
                (0..5000_usize).map(|node| (node / 2).checked_sub(1).map(|n| 2 * n + behind - 1)).collect();
            assert!(most_open(&comb) <= 2);
        }
        let binary: Vec<_> = (0..4095_usize).map(|node| node.checked_sub(1).map(|node| node / 2)).collect();
        assert!(most_open(&binary) <= 12);
    }
}
