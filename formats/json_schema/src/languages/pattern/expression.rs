//! Patterns as regular expressions.

use super::tree::Node;
use gcc_grammar_regular::Regex;

/// The texts that a node matches as a whole. Recursion is bounded by the parser.
pub(super) fn whole(node: &Node) -> Regex {
    match node {
        Node::Empty => Regex::empty(),
        Node::Chars(set) => Regex::Chars(set.clone()),
        Node::Look(look) => Regex::Look(*look),
        Node::Around { behind: true, negative, inner } => whole(inner).behind(*negative),
        Node::Around { behind: false, negative, inner } => whole(inner).ahead(*negative),
        Node::Concat(nodes) => Regex::concat(nodes.iter().map(whole)),
        Node::Alternatives(nodes) => Regex::union(nodes.iter().map(whole)),
        Node::Repeat { inner, min, max } => whole(inner).repeat(*min, *max),
    }
}
