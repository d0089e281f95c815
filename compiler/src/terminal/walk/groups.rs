//! Groups the children of a trie node that can be walked together.
//!
//! In: a node and the lexer state at it. Out: groups of children that lead to the same state and have a
//! similar height, so that one summary serves the group. A group may also be nearly all of the children on
//! which some state loops, with the few others left out: a key that may turn out to be another key differs
//! from "inside a key" only in the child that continues it.

use super::walker::Walker;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::PatternId;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Most children that are left out of a group.
const MAX_LEFT_OUT: usize = 8;

/// Some children of a node, ascending.
pub(super) type Children = Arc<[u32]>;

index_newtype! { vis pub(in crate::terminal),
    /// A distinct list of children.
    GroupId;
}

/// Children of a node that lead to the same state and have a similar height.
pub(in crate::terminal) struct Group {
    /// The class of a symbol that leads to them.
    pub(super) class: SymbolClass,
    pub(super) id: GroupId,
    /// All children that are walked together, [`left_out`](Self::left_out) included.
    pub(super) children: Children,
    /// The children that do not belong to the group after all, because they lead to another state.
    pub(super) left_out: Box<[u32]>,
}

/// By node, and row pattern of the state at it.
pub(in crate::terminal) type GroupsOfPatterns = FxHashMap<(u32, PatternId), Arc<[Group]>>;

/// All groups so far.
#[derive(Default)]
pub(in crate::terminal) struct Groups {
    /// Those of this walked automaton: row patterns of another one are others.
    pub(in crate::terminal) known: GroupsOfPatterns,
    ids: FxHashMap<Children, GroupId>,
    /// By node, bytes on which a state has a transition to itself, and bucket of heights: the children on
    /// these bytes.
    on_loop: FxHashMap<(u32, ByteSet, u8), Children>,
    /// Estimated bytes of lists of children.
    bytes: u64,
}

impl Groups {
    /// Estimated bytes.
    pub(in crate::terminal) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The children of `node` that `state` has transitions to, in groups.
    pub(super) fn of(&mut self, walker: &Walker<'_>, node: u32, state: LexState) -> Arc<[Group]> {
        let pattern = walker.lexer.rows.pattern(state);
        if let Some(known) = self.known.get(&(node, pattern)) {
            return known.clone();
        }
        let trie = walker.tokens.trie();
        let mut children: Vec<(LexState, u8, u32)> = trie
            .children(node)
            .map(|child| (walker.next(state, trie.byte(child)), bucket(trie.height(child)), child))
            .filter(|child| child.0 != LexState::DEAD)
            .collect();
        children.sort_unstable();
        let groups = children
            .chunk_by(|a, b| walker.tables.shortcuts.groups && (a.0, a.1) == (b.0, b.1))
            .map(|group| {
                let (to, bucket, first) = group[0];
                let children: Children = group.iter().map(|child| child.2).collect();
                let (children, left_out) = match self.all_on_loop(walker, node, to, bucket, &children) {
                    Some(part) => part,
                    None => (children, Box::default()),
                };
                let fresh = GroupId::new(self.ids.len());
                let id = *self.ids.entry(children.clone()).or_insert(fresh);
                if id == fresh {
                    self.bytes += children.len() as u64 * 4 + 64;
                }
                Group { class: walker.class_of(trie.byte(first)), id, children, left_out }
            });
        let groups: Arc<[Group]> = groups.collect();
        self.known.insert((node, pattern), groups.clone());
        groups
    }

    /// The children of `node` in `bucket` on whose bytes `state` has a transition to itself, if `own` are
    /// among them and at most [`MAX_LEFT_OUT`] of them are missing; and the missing children.
    fn all_on_loop(
        &mut self,
        walker: &Walker<'_>,
        node: u32,
        state: LexState,
        bucket: u8,
        own: &[u32],
    ) -> Option<(Children, Box<[u32]>)> {
        if own.len() <= MAX_LEFT_OUT {
            return None;
        }
        let trie = walker.tokens.trie();
        let key = (node, walker.loop_bytes(state), bucket);
        let all = self.on_loop.entry(key).or_insert_with(|| {
            let is_on_loop = |child: &u32| {
                self::bucket(trie.height(*child)) == bucket && walker.next(state, trie.byte(*child)) == state
            };
            let children: Children = trie.children(node).filter(is_on_loop).collect();
            self.bytes += children.len() as u64 * 4 + 96;
            children
        });
        let left_out: Box<[u32]> =
            all.iter().copied().filter(|child| own.binary_search(child).is_err()).collect();
        let is_part = own.len() + left_out.len() == all.len() && left_out.len() <= MAX_LEFT_OUT;
        is_part.then(|| (all.clone(), left_out))
    }
}

/// The bucket of a height: similar heights are in the same bucket.
fn bucket(height: u8) -> u8 {
    match height {
        0..=8 => height.div_ceil(4),
        9..=32 => 1 + height.div_ceil(8),
        _ => 6,
    }
}
