//! Walks that come with the vocabulary: those of lexemes that most JSON schemas have.
//!
//! In: the walks that a session has kept after compiling grammars that have such lexemes. Out: [`PrecomputedWalk`]s, which
//! the vocabulary keeps; and in any later compilation their results, as sets of its interners. They are made and used
//! for grammars with one of the [`STARTS`] alone.

use super::languages::LanguageKey;
use super::starts::{STARTS, StartKey};
use super::tokens::Tokens;
use super::walk::{WalkSets, Walker};
use super::walk_key::{Begin, LanguageId};
use crate::ids::{LexState, SetId};
use crate::sets::{PrecomputedSets, Sets};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::Trie;
use gcc_grammar_vocabulary::walks::{PrecomputedWalk, PrecomputedWalks, Start};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The result of a walk: tokens and nodes, if there are any.
pub(super) type Found = (Option<SetId>, Option<SetId>);

/// The walks that come with the vocabulary.
#[derive(Default)]
pub(super) struct Precomputed {
    walks: Option<Arc<PrecomputedWalks>>,
    /// Per language of the kept walks: its number among the precomputed ones.
    languages: FxHashMap<LanguageId, Option<u32>>,
    tokens: PrecomputedSets,
    nodes: PrecomputedSets,
    /// Per set of nodes: the least depth of a node.
    depths: FxHashMap<SetId, u16>,
}

impl Precomputed {
    /// Begins a compilation of a grammar in which these bytes can start a lexeme.
    pub(super) fn begin(&mut self, tokens: &Tokens, starts: &ByteSet) {
        self.walks = tokens.known().filter(|_| STARTS.contains(starts)).cloned();
    }

    /// Estimated bytes.
    pub(super) fn bytes(&self) -> u64 {
        let entries = self.languages.len() + self.depths.len();
        entries as u64 * 16 + self.tokens.bytes() + self.nodes.bytes()
    }

    /// The result of a walk from a state with this language, if it is known.
    ///
    /// Lexemes that begin in the trie must end deeper: else, a file could make the automaton a cyclic one. A walk for which this
    /// does not hold is not known.
    pub(super) fn find(
        &mut self,
        walker: &Walker<'_>,
        (begin, state): (Begin, LexState),
        (language, key): (LanguageId, &(StartKey, LanguageKey)),
        sets: &mut WalkSets<'_>,
    ) -> Result<Option<Found>, OverBudget> {
        let Some(walks) = &self.walks else { return Ok(None) };
        let number = *self.languages.entry(language).or_insert_with(|| walks.language(&number(key)));
        let Some(number) = number else { return Ok(None) };
        let found = match begin {
            Begin::Below(node) => walks.below(number, node),
            Begin::At(set) => {
                let start = sets.positions.number_of_precomputed(&mut self.nodes, walks, set);
                start.and_then(|start| walks.at(number, start))
            }
            Begin::Group(_) => None,
        };
        let Some((tokens, nodes)) = found else { return Ok(None) };
        let (trie, ranks) = (walker.tokens.trie(), walker.tokens.characters().len() as u32);
        let tokens = sets.tokens.intern_precomputed(&mut self.tokens, walks, tokens, ranks)?;
        let nodes = sets.positions.intern_precomputed(&mut self.nodes, walks, nodes, trie.len())?;
        let Some((tokens, nodes)) = tokens.zip(nodes) else { return Ok(None) };
        let from = match begin {
            Begin::At(set) => self.least_depth(trie, sets.positions, set),
            Begin::Below(node) => trie.nodes()[node as usize].depth,
            Begin::Group(_) => return Ok(None),
        };
        let least = self.least_depth(trie, sets.positions, nodes);
        let is_deeper = match walker.lexer.accepts(state) {
            [] => least > from,
            _ => least >= from,
        };
        Ok(is_deeper.then(|| (some(tokens), some(nodes))))
    }

    /// The least depth of a node in a set, or more than any of the empty set.
    fn least_depth(&mut self, trie: &Trie, positions: &Sets, set: SetId) -> u16 {
        let depth = |node: u32| trie.nodes()[node as usize].depth;
        let least = || positions.ranks(set).map(depth).min().unwrap_or(u16::MAX);
        *self.depths.entry(set).or_insert_with(least)
    }
}

/// The key of a language in a grammar with these starts, as the vocabulary has it.
fn number((starts, key): &(StartKey, LanguageKey)) -> [u64; 4] {
    let (words, _) = key.as_chunks::<8>();
    let mut number: [u64; 4] = std::array::from_fn(|word| u64::from_le_bytes(words[word]));
    // Two digests that differ in this bit alone are as unlikely as two that are equal.
    number[0] ^= STARTS.iter().position(|known| known.0 == *starts).unwrap_or_default() as u64;
    number
}

fn some(set: SetId) -> Option<SetId> {
    (set != Sets::EMPTY).then_some(set)
}

/// A walk that was kept, for the vocabulary; none if it begins at a group, which is part of other walks.
pub(super) fn to_precomputed(
    begin: Begin,
    key: &(StartKey, LanguageKey),
    (tokens, nodes): Found,
    token_sets: &Sets,
    positions: &Sets,
) -> Option<PrecomputedWalk> {
    let start = match begin {
        Begin::Below(node) => Start::Below(node),
        Begin::At(set) => Start::At(positions.to_precomputed(set)),
        Begin::Group(_) => return None,
    };
    Some(PrecomputedWalk {
        language: number(key),
        start,
        tokens: token_sets.to_precomputed(tokens.unwrap_or(Sets::EMPTY)),
        nodes: positions.to_precomputed(nodes.unwrap_or(Sets::EMPTY)),
    })
}
