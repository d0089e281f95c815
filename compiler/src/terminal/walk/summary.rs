//! The summary of a walk: which tokens end in which pending set, and where which lexemes may end.

use crate::ids::{EndClass, SetId};
use crate::lexer::PendingId;
use crate::sets::{Range, Sets};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_vocabulary::Trie;

/// A terminal, how its lexemes end, and the trie nodes at which they may end.
pub(in crate::terminal) type Cut = ((TerminalId, EndClass), SetId);

/// The result of walking a subtree, or several.
#[derive(Default)]
pub(in crate::terminal) struct Summary {
    /// The tokens that end in states with a pending set. Sorted, one entry per pending set.
    pub(in crate::terminal) ends: Vec<(PendingId, SetId)>,
    /// Sorted, one entry per terminal and end class.
    pub(in crate::terminal) cuts: Vec<Cut>,
}

/// The interned sets of a walk.
pub(in crate::terminal) struct WalkSets<'a> {
    /// Sets of tokens.
    pub(in crate::terminal) tokens: &'a mut Sets,
    /// Sets of trie nodes.
    pub(in crate::terminal) positions: &'a mut Sets,
}

impl Summary {
    /// The summary without the subtrees of these children.
    pub(super) fn without(
        &self,
        children: &[u32],
        trie: &Trie,
        sets: &mut WalkSets<'_>,
    ) -> Result<Self, OverBudget> {
        let tokens = children.iter().map(|&child| trie.tokens_in_subtree(child));
        let tokens: Vec<Range> = tokens.map(|tokens| (tokens.start, tokens.end)).collect();
        let nodes: Vec<Range> = children.iter().map(|&child| (child, trie.subtree_end(child))).collect();
        let ends = self.ends.iter().map(|&(pending, set)| Ok((pending, sets.tokens.without(set, &tokens)?)));
        let ends = ends.collect::<Result<_, OverBudget>>()?;
        let cuts = self.cuts.iter().map(|&(key, set)| Ok((key, sets.positions.without(set, &nodes)?)));
        let mut out = Self { ends, cuts: cuts.collect::<Result<_, OverBudget>>()? };
        out.ends.retain(|(_, set)| *set != Sets::EMPTY);
        out.cuts.retain(|(_, set)| *set != Sets::EMPTY);
        Ok(out)
    }
}
