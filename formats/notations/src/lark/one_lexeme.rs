//! What the attributes of a rule say of its language.

use super::ast::Node;

/// A rule that is one lexeme: its body is a regular expression, like that of a terminal.
#[derive(Clone, Debug, Default)]
pub(super) struct OneLexeme {
    /// Whether the lexeme is the shortest possible text.
    pub(super) lazy: bool,
    /// The end of the lexeme, after the body.
    pub(super) suffix: Option<Node>,
    /// Whether the rule stops before the suffix. If the suffix is a text that stands behind a use of the rule, too, the pass `stops` removes
    /// it there.
    pub(super) stops_before: bool,
    /// After this many characters the lexeme ends, suffix or not, as soon as its body can end.
    pub(super) max_chars: Option<u32>,
    /// After this many tokens the lexeme ends, suffix or not, as soon as its body can end.
    pub(super) max_tokens: Option<u32>,
}
