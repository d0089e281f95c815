//! The syntax tree of a pattern.

use gcc_grammar_regular::{CharSet, Look};

/// A pattern that has been parsed.
pub(super) enum Node {
    Empty,
    Chars(CharSet),
    /// An anchor or a word boundary.
    Look(Look),
    /// Lookahead or lookbehind.
    Around {
        behind: bool,
        negative: bool,
        inner: Box<Node>,
        position: usize,
    },
    Concat(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeat {
        inner: Box<Node>,
        min: u32,
        max: Option<u32>,
    },
}

/// Why there is no language of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// Where the pattern is wrong, in characters from its start.
    pub(crate) position: usize,
    pub(crate) message: &'static str,
    /// The pattern is correct, but no automaton of an acceptable size recognizes its language.
    pub(crate) unsupported: bool,
}

impl PatternError {
    /// The pattern is not a correct regular expression.
    pub(super) fn syntax(position: usize, message: &'static str) -> Self {
        Self { position, message, unsupported: false }
    }

    /// The pattern is correct but not supported.
    pub(super) fn unsupported(position: usize, message: &'static str) -> Self {
        Self { position, message, unsupported: true }
    }
}

/// The position of the first lookaround in a tree. Recursion is bounded by the parser.
pub(super) fn first_lookaround(node: &Node) -> Option<usize> {
    match node {
        Node::Empty | Node::Chars(_) | Node::Look(_) => None,
        Node::Around { position, .. } => Some(*position),
        Node::Concat(nodes) | Node::Alternatives(nodes) => nodes.iter().find_map(first_lookaround),
        Node::Repeat { inner, .. } => first_lookaround(inner),
    }
}

/// Whether a tree has an anchor or word boundary other than the end of the text.
pub(super) fn has_look_but_end(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Empty | Node::Chars(_) => false,
        Node::Look(look) => *look != Look::End,
        Node::Around { inner, .. } | Node::Repeat { inner, .. } => {
            has_look_but_end(std::slice::from_ref(inner))
        }
        Node::Concat(nodes) | Node::Alternatives(nodes) => has_look_but_end(nodes),
    })
}
