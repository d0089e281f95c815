//! Writes a compiled grammar to the bytes of a file.
//!
//! The tables are stored as they are; the compiler vouches for them, and readers validate them. Equal tables,
//! fingerprints and metadata give equal bytes.

use super::mask_bounds::COSTS;
use super::meta::{
    COUNTER_NEEDED, COUNTER_PLACES, COUNTER_STATES, COUNTER_TOKENS, DISTINCT, GrammarMeta, LIMITS, META,
    METADATA, SAME, SHARED_BASES, VOCABULARY,
};
use super::tables::GrammarTables;
use super::view::parser_checksum;
use crate::container::{
    BYTE_NUMBERS, COUNTERS, Container, ContainerWriter, DISTINCT_ITEMS, FileKind, Fingerprint, Fingerprints,
    MASKS_ON_DEMAND, NAMES_ALONE, NESTED_ITEMS, ORDINARY_BY_ID, REFERS_TO_BASES, REMEMBERED_CONDITIONS,
    REMEMBERED_COSTS, REMEMBERED_KEYS, REMEMBERED_NAMES, REPEATED_TEXTS, SectionElement, TOKEN_LIMITS,
};

/// Words of scratch for short outputs: 16 KiB, enough for some hundred tokens.
const SCRATCH_SHORT: u32 = 1 << 12;

/// Words of scratch for outputs of any length: 256 KiB, compacted once in thousands of tokens, which takes
/// some tens of microseconds.
const SCRATCH_LONG: u32 = 1 << 16;

impl GrammarTables {
    /// Writes a file. The metadata is stored as it is; the runtime does not read it.
    #[must_use]
    pub fn write(&self, fingerprints: Fingerprints, metadata: Vec<u8>) -> Vec<u8> {
        self.writer(fingerprints, metadata).finish()
    }

    /// Writes a self-contained file, with a vocabulary file in one of its sections.
    #[must_use]
    pub fn write_self_contained(
        &self,
        fingerprints: Fingerprints,
        metadata: Vec<u8>,
        vocabulary: Vec<u8>,
    ) -> Vec<u8> {
        let mut writer = self.writer(fingerprints, metadata);
        writer.add_bytes(&VOCABULARY, vocabulary);
        writer.finish()
    }

    /// The [checksum](super::GrammarView::parser_checksum) of what commits read, for a vocabulary with this fingerprint.
    ///
    /// # Panics
    /// Never: the tables just written open.
    #[must_use]
    pub fn parser_checksum(&self, vocabulary: Fingerprint) -> u64 {
        let bytes = self.write(Fingerprints { vocabulary, ..Fingerprints::default() }, Vec::new());
        let container = Container::open_with(&bytes, FileKind::Grammar, MASKS_ON_DEMAND);
        parser_checksum(&container.expect("it was just written"), &self.meta())
    }

    fn writer(&self, fingerprints: Fingerprints, metadata: Vec<u8>) -> ContainerWriter {
        let mut writer = ContainerWriter::new(FileKind::Grammar, fingerprints);
        writer.set_scratch(SCRATCH_SHORT, SCRATCH_LONG);
        writer.require(BYTE_NUMBERS);
        writer.require(if self.ordinary_by_id { ORDINARY_BY_ID } else { 0 });
        writer.require(if self.masks_on_demand { MASKS_ON_DEMAND } else { 0 });
        writer.add_bytes(&METADATA, metadata);
        writer.add_bytes(&META, self.meta().write().to_vec());
        writer.add_bytes(&COSTS, [&self.mask_bounds.write()[..], self.construct.as_bytes()].concat());
        if !self.shared_bases.is_empty() {
            let words = |&(number, checksum): &(u32, u64)| [number, checksum as u32, (checksum >> 32) as u32];
            writer.require(REFERS_TO_BASES);
            writer.add_words(&SHARED_BASES, &self.shared_bases.iter().flat_map(words).collect::<Vec<_>>());
        }
        if !self.limits.is_empty() {
            writer.require(TOKEN_LIMITS);
            writer.add_words(&LIMITS, self.limits.as_flattened());
        }
        if !self.counters.is_empty() {
            writer.require(COUNTERS);
            writer.add_words(&COUNTER_STATES, self.counters.as_flattened());
            writer.add_bytes(&COUNTER_PLACES, self.counter_places.clone());
            if !self.counter_needed.is_empty() {
                writer.add_bytes(&COUNTER_NEEDED, self.counter_needed.clone());
                writer.add_words(&COUNTER_TOKENS, &self.counter_tokens);
            }
        }
        if let Some(distinct) = &self.distinct {
            if distinct.has_items() {
                writer.require(DISTINCT_ITEMS);
            }
            if distinct.is_nested() {
                writer.require(NESTED_ITEMS);
            }
            if distinct.has_records() {
                writer.require(REMEMBERED_KEYS);
            }
            if distinct.has_conditions() {
                writer.require(REMEMBERED_CONDITIONS);
            }
            if distinct.has_names() {
                writer.require(REMEMBERED_NAMES);
                if !distinct.has_items() && !distinct.has_records() {
                    writer.require(NAMES_ALONE);
                }
            }
            if self.completion.is_some() {
                writer.require(REMEMBERED_COSTS);
            }
            writer.add_words(&DISTINCT, &distinct.words());
        }
        if let Some(same) = &self.same {
            writer.require(REPEATED_TEXTS);
            writer.add_words(&SAME, &same.words());
        }
        if let Some(completion) = &self.completion {
            completion.write(&mut writer);
        }
        self.tables().for_each(|(section, numbers)| match section.element {
            SectionElement::Short => writer.add_shorts(section, numbers),
            SectionElement::Word => writer.add_words(section, numbers),
            _ => writer.add_numbers(section, numbers),
        });
        writer
    }

    /// The largest number of flips of a mask, including those of its leader.
    #[must_use]
    pub fn max_delta(&self) -> u32 {
        let own = |mask: usize| self.mask_offsets[mask + 1] - self.mask_offsets[mask];
        let flips = |(mask, &leader): (usize, &u32)| own(mask) + own(leader as usize);
        self.mask_leader.iter().enumerate().map(flips).max().unwrap_or(0)
    }

    fn meta(&self) -> GrammarMeta {
        GrammarMeta {
            mask_width: self.mask_width,
            max_token_bytes: self.max_token_bytes,
            class_count: self.class_count,
            end_symbol: self.end_symbol,
            context_count: self.context_count,
            terminal_count: self.terminal_count,
            end_terminal: self.end_terminal,
            nonterminal_count: self.nonterminal_count,
            max_delta: self.max_delta(),
            shared_bases: self.shared_bases.last().map_or(0, |&(number, _)| number + 1),
        }
    }
}
