//! The key of a walk that is kept: where it begins, and what it reads.

use super::walk::GroupId;
use crate::ids::SetId;
use gcc_grammar_ir::index_newtype;

index_newtype! { vis pub(super),
    /// A language in a grammar in which certain bytes can start a lexeme.
    LanguageId;
}

/// Where a walk begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Begin {
    /// At each of these nodes.
    At(SetId),
    /// At this node.
    Below(u32),
    /// At the children of a group.
    Group(GroupId),
}
