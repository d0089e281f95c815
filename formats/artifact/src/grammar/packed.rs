//! Moves artifacts into packs and out of them again.
//!
//! In a pack, the section `base_words` of an artifact is empty, and `mask_base` has the numbers of the pack's base bitmaps, counted from
//! `shared_bases`. `pack_bases`
//! lists these numbers in the order that the bitmaps have in the artifact by itself, so that it comes out of the pack with the same bytes.

use super::meta::{NONE, PACK_BASES};
use super::tables::SECTIONS;
use super::view::GrammarView;
use crate::container::{ContainerWriter, FileKind, PACKED, Section};
use crate::error::ArtifactError;
use crate::ids::{BaseId, MaskId};
use crate::wire::U32;
use std::collections::BTreeMap;
use std::vec::Vec;

impl GrammarView<'_> {
    /// The artifact as it lies in a pack. `number` gives the number of a base bitmap in the pack.
    pub fn to_packed(&self, number: impl FnMut(&[U32]) -> u32) -> Vec<u8> {
        let shared = self.meta().shared_bases;
        let bases = (shared..self.counts().bases as u32).map(|base| self.base(BaseId(base)));
        let numbers: Vec<u32> = bases.map(number).collect();
        let mut writer = ContainerWriter::of(self.container(), FileKind::Grammar);
        writer.require(PACKED);
        writer.add_words(&PACK_BASES, &numbers);
        writer.add_numbers(section("mask_base"), &self.mask_bases(|own| numbers[own as usize]));
        writer.add_words(section("base_words"), &[]);
        writer.finish()
    }

    /// An artifact in a pack, by itself again.
    ///
    /// # Errors
    /// The artifact is in no pack, or damaged.
    pub fn to_unpacked(&self) -> Result<Vec<u8>, ArtifactError> {
        let numbers: Vec<u32> = self.container().words(&PACK_BASES)?.iter().map(|word| word.get()).collect();
        let shared = self.meta().shared_bases;
        if numbers.len() > self.counts().bases - self.counts().shared_bases {
            let problem = "there are more bitmaps than in the pack";
            return Err(ArtifactError::MalformedTable { table: PACK_BASES.name, index: 0, problem });
        }
        // The first place counts, if a bitmap were there twice.
        let places: BTreeMap<u32, u32> = numbers.iter().copied().zip(0..numbers.len() as u32).rev().collect();
        let words = numbers.iter().flat_map(|&number| self.base(BaseId(number.saturating_add(shared))));
        let words: Vec<u32> = words.map(|word| word.get()).collect();
        let mut writer = ContainerWriter::of(self.container(), FileKind::Grammar);
        writer.no_longer_require(PACKED);
        writer.remove(&PACK_BASES);
        let place = |own: u32| places.get(&own).copied().unwrap_or(NONE);
        writer.add_numbers(section("mask_base"), &self.mask_bases(place));
        writer.add_words(section("base_words"), &words);
        Ok(writer.finish())
    }

    /// The base of each mask. Those that are not of the vocabulary, counted from 0, are mapped to another number.
    fn mask_bases(&self, number: impl Fn(u32) -> u32) -> Vec<u32> {
        let shared = self.meta().shared_bases;
        let masks = (0..self.counts().masks as u32).map(MaskId);
        let mapped = masks.map(|mask| {
            let base = self.mask_base(mask)?.0;
            base.checked_sub(shared).map_or(Some(base), |own| number(own).checked_add(shared))
        });
        mapped.map(|base| base.unwrap_or(NONE)).collect()
    }
}

fn section(name: &str) -> &'static Section {
    SECTIONS.iter().find(|section| section.name == name).expect("a table of this name")
}
