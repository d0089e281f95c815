//! Finds the nodes of the trie at which a lexeme can begin.
//!
//! In: the bytes that a state reads. Out: the nodes with a child on one of them, as a bitmap. What a lexeme ends at is
//! often thousands of nodes, of which a certain next lexeme can begin at a few only.

use super::walker::Walker;
use crate::csr::Csr;
use crate::ids::{LexState, SetId};
use crate::sets::{Sets, bits};
use gcc_grammar_vocabulary::{ByteSet, Trie, symbols};
use rustc_hash::FxHashMap;

/// Of fewer nodes than this, none are left out.
const MIN_NODES: u32 = 64;

/// The nodes at which lexemes can begin, by the bytes with which they begin.
#[derive(Default)]
pub(in crate::terminal) struct Entries {
    /// Per byte: the nodes with a child on it. Made on first use; it depends on the vocabulary alone.
    parents: Option<Csr<u32>>,
    known: FxHashMap<ByteSet, Box<[u64]>>,
}

impl Entries {
    /// The nodes of a set, without nodes below which `state`, which does not accept, reads nothing. (The root may have
    /// special tokens.)
    pub(super) fn of(
        &mut self,
        walker: &Walker<'_, '_>,
        sets: &Sets,
        nodes: SetId,
        state: LexState,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        if !sets.has_more_than(nodes, MIN_NODES) || !walker.lexer.accepts(state).is_empty() {
            sets.ranks(nodes).for_each(|node| found.push(node));
            return found;
        }
        let mut first = ByteSet::default();
        for byte in (0..=u8::MAX).filter(|&byte| walker.next(state, byte) != LexState::DEAD) {
            symbols::add(&mut first, byte);
        }
        let Self { parents, known } = self;
        let trie = walker.tokens.trie;
        let entries = known.entry(first).or_insert_with(|| {
            let parents = parents.get_or_insert_with(|| parents_by_byte(trie, walker.tokens.longest));
            bitmap(trie, parents, &first)
        });
        sets.words(nodes).for_each(|(at, word)| {
            found.extend(bits(word & entries[at]).map(|bit| at as u32 * 64 + bit));
        });
        found
    }

    /// Estimated bytes.
    pub(in crate::terminal) fn bytes(&self) -> u64 {
        let parents = self.parents.as_ref().map_or(0, |parents| parents.items().len() * 4);
        (parents + self.known.values().map(|bitmap| bitmap.len() * 8 + 64).sum::<usize>()) as u64
    }
}

/// Per byte: the nodes with a child on it. `longest` is the height of the trie.
fn parents_by_byte(trie: &Trie, longest: usize) -> Csr<u32> {
    let nodes = &trie.nodes()[..trie.len() as usize];
    let mut offsets = vec![0u32; 257];
    nodes[1..].iter().for_each(|node| offsets[usize::from(node.byte) + 1] += 1);
    for byte in 0..256 {
        offsets[byte + 1] += offsets[byte];
    }
    let mut next = offsets.clone();
    let mut parents = vec![0; nodes.len() - 1];
    // Per depth: the last node, which is the parent of a node that follows one deeper.
    let mut path = vec![0; longest + 1];
    for (at, node) in (1..).zip(&nodes[1..]) {
        let depth = usize::from(node.depth);
        path[depth] = at;
        let place = &mut next[usize::from(node.byte)];
        parents[*place as usize] = path[depth - 1];
        *place += 1;
    }
    Csr::from_parts(offsets, parents)
}

/// The root, and the nodes with a child on one of these bytes.
fn bitmap(trie: &Trie, parents: &Csr<u32>, bytes: &ByteSet) -> Box<[u64]> {
    let mut bitmap = vec![0; (trie.len() as usize).div_ceil(64)];
    bitmap[0] |= 1;
    for byte in (0..=u8::MAX).filter(|&byte| symbols::has(bytes, byte)) {
        parents
            .row(usize::from(byte))
            .iter()
            .for_each(|&node| bitmap[node as usize / 64] |= 1 << (node % 64));
    }
    bitmap.into()
}
