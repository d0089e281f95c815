//! Precomputed walks: what compilations found in the trie of a vocabulary, kept with it for all later compilations.
//!
//! In: walks, each of a language from a place in the trie, with the tokens that it allows and the nodes at which a lexeme may have ended.
//! Out: sorted tables, so that the walks of a language are found without reading the others, and the same walks give the same bytes. The
//! compiler says what the key of a language stands for; here it is a number of 32 bytes.
//!
//! A vocabulary is complete without them.

use crate::follows::Follows;
use crate::table::Table;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The key of a language.
pub type LanguageKey = [u64; 4];

/// The number of ranks, or of nodes, in a block.
pub const BLOCK_BITS: usize = 1024;

/// A part of a set, as a bitmap: rank, or node, `i` of the block is bit `i % 64` of word `i / 64`.
pub type Block = [u64; BLOCK_BITS / 64];

/// A set of ranks or of nodes: its blocks that are not empty, by ascending positions. The block at position `p` begins with `p * BLOCK_BITS`.
pub type Set = Vec<(u32, Block)>;

/// Where a walk begins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Start {
    /// Below this node.
    Below(u32),
    /// At each node of a set.
    At(Set),
}

/// A walk and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrecomputedWalk {
    /// The language that is read.
    pub language: LanguageKey,
    /// Where it begins.
    pub start: Start,
    /// The tokens that end within a lexeme, by rank.
    pub tokens: Set,
    /// The nodes at which a lexeme may have ended.
    pub nodes: Set,
}

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetNumber(u32);

/// The bit of a start at each node of a set.
const AT: u32 = 1 << 31;

/// Walks of a vocabulary.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PrecomputedWalks {
    // Invariants (of a file, 2 and 4 are checked; where others do not hold, walks are not found, or are wrong as they are in the file):
    // 1. languages and blocks ascend strictly, and sets ascend strictly by their parts.
    // 2. first_walk and first_part are CSR offsets, into triples of walks and pairs of parts.
    // 3. A walk is its start, its tokens and its nodes; the walks of a language ascend strictly by their starts. A start is a node, or
    //    AT and the number of a set. A part is a position and the number of a block.
    // 4. The numbers of sets in walks are those of sets, and the numbers of blocks in parts are those of blocks.
    pub(crate) languages: Table<LanguageKey>,
    pub(crate) first_walk: Table<u32>,
    pub(crate) walks: Table<u32>,
    pub(crate) first_part: Table<u32>,
    pub(crate) parts: Table<u32>,
    pub(crate) blocks: Table<Block>,
}

impl PrecomputedWalks {
    /// The numbers of entries of `walks` for a walk, and of `parts` for a part.
    pub(crate) const WALK: usize = 3;
    pub(crate) const PART: usize = 2;

    /// The tables of these walks, which may come in any order, and more than once.
    #[must_use]
    pub fn new(walks: &[PrecomputedWalk]) -> Self {
        let starts = walks.iter().filter_map(|walk| match &walk.start {
            Start::Below(_) => None,
            Start::At(set) => Some(set),
        });
        let sets: Vec<&Set> =
            starts.chain(walks.iter().flat_map(|walk| [&walk.tokens, &walk.nodes])).collect();
        let blocks: BTreeSet<&Block> =
            sets.iter().flat_map(|set| set.iter()).map(|(_, block)| block).collect();
        let numbers: BTreeMap<&Block, u32> = blocks.iter().copied().zip(0..).collect();
        let parts = |set: &Set| -> Vec<[u32; 2]> {
            set.iter().map(|(position, block)| [*position, numbers[block]]).collect()
        };
        let sets: BTreeSet<Vec<[u32; 2]>> = sets.into_iter().map(parts).collect();
        let set_numbers: BTreeMap<&Vec<[u32; 2]>, u32> = sets.iter().zip(0..).collect();
        let number = |set: &Set| set_numbers[&parts(set)];
        let entry = |walk: &PrecomputedWalk| {
            let start = match &walk.start {
                Start::Below(node) => *node,
                Start::At(set) => AT | number(set),
            };
            (walk.language, [start, number(&walk.tokens), number(&walk.nodes)])
        };
        let entries: BTreeSet<(LanguageKey, [u32; Self::WALK])> = walks.iter().map(entry).collect();
        let entries: Vec<(LanguageKey, [u32; Self::WALK])> = entries.into_iter().collect();
        let of_languages = || entries.chunk_by(|a, b| a.0 == b.0);
        Self {
            languages: of_languages().map(|walks| walks[0].0).collect(),
            first_walk: offsets(of_languages().map(<[_]>::len)),
            walks: entries.iter().flat_map(|(_, walk)| *walk).collect(),
            first_part: offsets(sets.iter().map(Vec::len)),
            parts: sets.iter().flatten().flatten().copied().collect(),
            blocks: blocks.into_iter().copied().collect(),
        }
    }

    /// The number of walks.
    #[must_use]
    pub fn count(&self) -> usize {
        self.walks.len() / Self::WALK
    }

    /// The number of a language, if walks of it are known.
    #[must_use]
    pub fn language(&self, key: &LanguageKey) -> Option<u32> {
        self.languages.binary_search(key).ok().map(|number| number as u32)
    }

    /// A block by its number.
    #[must_use]
    pub fn block(&self, number: u32) -> &Block {
        &self.blocks[number as usize]
    }

    /// The number of a block.
    #[must_use]
    pub fn number_of_block(&self, block: &Block) -> Option<u32> {
        self.blocks.binary_search(block).ok().map(|number| number as u32)
    }

    /// The parts of a set: positions, and numbers of blocks.
    #[must_use]
    pub fn parts(&self, set: SetNumber) -> &[[u32; 2]] {
        let [start, end] = [0, 1].map(|next| self.first_part[set.0 as usize + next] as usize);
        &self.parts.as_chunks().0[start..end]
    }

    /// The number of the set with these parts.
    #[must_use]
    pub fn number_of_set(&self, parts: &[[u32; 2]]) -> Option<SetNumber> {
        let (mut low, mut high) = (0, self.sets());
        while low < high {
            let middle = low.midpoint(high);
            match self.parts(SetNumber(middle)).cmp(parts) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(SetNumber(middle)),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// What the walk of a language below a node has found: tokens and nodes.
    #[must_use]
    pub fn below(&self, language: u32, node: u32) -> Option<(SetNumber, SetNumber)> {
        self.find(language, node)
    }

    /// What the walk of a language at each node of a set has found: tokens and nodes.
    #[must_use]
    pub fn at(&self, language: u32, set: SetNumber) -> Option<(SetNumber, SetNumber)> {
        self.find(language, AT | set.0)
    }

    fn find(&self, language: u32, start: u32) -> Option<(SetNumber, SetNumber)> {
        let [first, end] = [0, 1].map(|next| self.first_walk[language as usize + next] as usize);
        let walks = &self.walks.as_chunks::<{ Self::WALK }>().0[first..end];
        let at = walks.binary_search_by_key(&start, |walk| walk[0]).ok()?;
        let [_, tokens, nodes] = walks[at];
        Some((SetNumber(tokens), SetNumber(nodes)))
    }

    fn sets(&self) -> u32 {
        self.first_part.len().saturating_sub(1) as u32
    }

    /// What is wrong with tables from a file whose offsets are CSR offsets, if they do not have the invariants that accesses rely on.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let (walks, more_walks) = self.walks.as_chunks::<{ Self::WALK }>();
        let (parts, more_parts) = self.parts.as_chunks::<{ Self::PART }>();
        let (sets, blocks) = (self.sets(), self.blocks.len() as u32);
        let has_sets = |&[start, tokens, nodes]: &[u32; Self::WALK]| {
            tokens < sets && nodes < sets && (start & AT == 0 || start & !AT < sets)
        };
        let holds = more_walks.is_empty()
            && more_parts.is_empty()
            && self.first_walk.len() == self.languages.len() + 1
            && walks.iter().fold(true, |all, walk| all & has_sets(walk))
            && parts.iter().fold(true, |all, &[_, block]| all & (block < blocks));
        (!holds).then_some("the tables of precomputed walks do not fit together")
    }
}

/// CSR offsets of rows with these lengths.
fn offsets(lengths: impl Iterator<Item = usize>) -> Table<u32> {
    let ends = lengths.scan(0, |end, length| {
        *end += length as u32;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// The precomputed walks of a vocabulary, if there are any.
pub(crate) type MaybeWalks = Follows<Option<Arc<PrecomputedWalks>>>;

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of blocks with one rank each.
    fn set(parts: &[(u32, u32)]) -> Set {
        let block = |bit: u32| {
            let mut block = Block::default();
            block[bit as usize / 64] = 1 << (bit % 64);
            block
        };
        parts.iter().map(|&(position, bit)| (position, block(bit))).collect()
    }

    fn walks() -> Vec<PrecomputedWalk> {
        let walk = |language: u64, start, tokens: &[(u32, u32)], nodes: &[(u32, u32)]| PrecomputedWalk {
            language: [language, 0, 0, 1],
            start,
            tokens: set(tokens),
            nodes: set(nodes),
        };
        vec![
            walk(7, Start::Below(3), &[(1, 4)], &[]),
            walk(2, Start::Below(3), &[(1, 4), (6, 9)], &[(2, 3)]),
            walk(2, Start::Below(0), &[], &[(2, 3)]),
            walk(2, Start::At(set(&[(2, 3)])), &[(5, 999)], &[]),
            walk(2, Start::At(set(&[(2, 3), (8, 9)])), &[(1, 4)], &[(5, 4)]),
        ]
    }

    /// The number of a set.
    fn number(tables: &PrecomputedWalks, set: &Set) -> Option<SetNumber> {
        let part = |(position, block): &(u32, Block)| Some([*position, tables.number_of_block(block)?]);
        tables.number_of_set(&set.iter().map(part).collect::<Option<Vec<_>>>()?)
    }

    #[test]
    fn each_walk_is_found_and_no_other() {
        let (walks, tables) = (walks(), PrecomputedWalks::new(&walks()));
        assert_eq!((tables.count(), tables.problem()), (5, None));
        let contents = |set| -> Set {
            tables.parts(set).iter().map(|&[position, block]| (position, *tables.block(block))).collect()
        };
        for walk in &walks {
            let language = tables.language(&walk.language).expect("a language");
            let found = match &walk.start {
                Start::Below(node) => tables.below(language, *node),
                Start::At(set) => tables.at(language, number(&tables, set).expect("a set")),
            };
            let (tokens, nodes) = found.expect("a walk");
            assert_eq!((contents(tokens), contents(nodes)), (walk.tokens.clone(), walk.nodes.clone()));
        }
        let language = tables.language(&[7, 0, 0, 1]).expect("a language");
        assert_eq!(tables.language(&[7, 0, 0, 2]), None);
        assert_eq!(tables.below(language, 0), None);
        assert_eq!((number(&tables, &set(&[(2, 4)])), number(&tables, &set(&[(2, 5)]))), (None, None));
        assert_eq!(tables.at(language, number(&tables, &set(&[(2, 3)])).expect("a set")), None);
    }

    #[test]
    fn the_order_of_walks_makes_no_difference() {
        let mut others = walks();
        others.reverse();
        others.push(others[2].clone());
        assert_eq!(PrecomputedWalks::new(&others), PrecomputedWalks::new(&walks()));
        assert_eq!(PrecomputedWalks::new(&[]).problem(), None);
    }

    fn shorten<T: Clone>(table: &mut Table<T>) {
        table.to_mut().pop();
    }

    #[test]
    fn tables_that_do_not_fit_together_are_found() {
        let change = |change: &dyn Fn(&mut PrecomputedWalks)| {
            let mut tables = PrecomputedWalks::new(&walks());
            change(&mut tables);
            tables.problem()
        };
        let changes: [&dyn Fn(&mut PrecomputedWalks); 7] = [
            &|tables| tables.walks.to_mut()[1] = 99,
            &|tables| tables.walks.to_mut()[2] = 99,
            &|tables| tables.walks.to_mut()[0] = AT | 99,
            &|tables| shorten(&mut tables.walks),
            &|tables| shorten(&mut tables.languages),
            &|tables| shorten(&mut tables.parts),
            &|tables| shorten(&mut tables.blocks),
        ];
        assert!(changes.iter().all(|one| change(one).is_some()));
        assert_eq!(change(&|_| ()), None);
    }
}
