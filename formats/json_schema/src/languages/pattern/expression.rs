//! Patterns as regular expressions.

use super::tree::PatternTree;
use gcc_grammar_regular::Regex;

/// The texts that a node matches as a whole. Recursion is bounded by the parser.
pub(super) fn whole(node: &PatternTree) -> Regex {
    match node {
        PatternTree::Empty => Regex::empty(),
        PatternTree::Chars(set) => Regex::Chars(set.clone()),
        PatternTree::Look(look) => Regex::Look(*look),
        PatternTree::Around { behind: true, negative, inner } => whole(inner).behind(*negative),
        PatternTree::Around { behind: false, negative, inner } => whole(inner).ahead(*negative),
        PatternTree::Concat(nodes) => Regex::concat(nodes.iter().map(whole)),
        PatternTree::Alternatives(nodes) => Regex::union(nodes.iter().map(whole)),
        PatternTree::Repeat { inner, min, max } => whole(inner).repeat(*min, *max),
    }
}
