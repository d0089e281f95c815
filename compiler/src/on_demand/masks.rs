//! The masks that were made so far. They are never dropped: rows remember their numbers.

use super::append_only::AppendOnly;
use gcc_grammar_artifact::grammar::{Delta, gaps};
use gcc_grammar_artifact::ids::{BaseId, MaskId};
use gcc_grammar_artifact::wire::{U16, U32};
use rustc_hash::FxHashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

/// A mask as the runtime reads it.
#[derive(PartialEq, Eq, Hash, Default)]
struct Stored {
    base: Option<BaseId>,
    gaps: Box<[U16]>,
}

/// The masks, for readers without a lock.
#[derive(Default)]
pub(super) struct Masks {
    /// Mask 0 is empty and not stored; mask `m` is at `m - 1`.
    masks: AppendOnly<Stored>,
    /// The bases that were made here. Those of the vocabulary come before them.
    bases: AppendOnly<Box<[U32]>>,
}

/// The tables that masks are made from; under the lock of the writer.
#[derive(Default)]
pub(super) struct Added {
    masks: u32,
    bases: u32,
    bytes: u64,
    /// The last mask with this hash.
    by_hash: FxHashMap<u64, MaskId>,
}

impl Added {
    /// Bytes of the masks and bases.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Masks {
    /// The base of a mask, and its flips.
    pub(super) fn get(&self, mask: MaskId) -> (Option<BaseId>, Delta<'_>) {
        let stored = mask.index().checked_sub(1).and_then(|index| self.masks.get(index));
        stored.map_or((None, Delta { gaps: &[] }), |Stored { base, gaps }| (*base, Delta { gaps }))
    }

    /// A base that was made here, counted from the first of them.
    pub(super) fn base(&self, own: usize) -> &[U32] {
        self.bases.get(own).map_or(&[], |words| words)
    }

    /// Adds a base, and returns its number among the bases that were made here.
    pub(super) fn add_base(&self, added: &mut Added, words: &[u32]) -> u32 {
        self.bases.set(added.bases as usize, words.iter().map(|&word| U32::new(word)).collect());
        added.bytes += words.len() as u64 * 4;
        added.bases += 1;
        added.bases - 1
    }

    /// Adds a mask, unless it is there.
    pub(super) fn add(&self, added: &mut Added, base: Option<BaseId>, flips: &[u32]) -> MaskId {
        let gaps = gaps(flips.iter().copied()).map(|gap| U16::new(gap as u16)).collect();
        let stored = Stored { base, gaps };
        if stored == Stored::default() {
            return MaskId::EMPTY;
        }
        let hash = BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(&stored);
        let same = added.by_hash.get(&hash).copied();
        if let Some(mask) = same.filter(|mask| self.masks.get(mask.index() - 1) == Some(&stored)) {
            return mask;
        }
        added.bytes += stored.gaps.len() as u64 * 2 + 64;
        self.masks.set(added.masks as usize, stored);
        added.masks += 1;
        added.by_hash.insert(hash, MaskId(added.masks));
        MaskId(added.masks)
    }
}
