//! Writing a compiled grammar.

use super::{GrammarMeta, GrammarTables, META, METADATA, VOCABULARY};
use crate::container::{ContainerWriter, FileKind, Fingerprints, SectionElement};

/// Scratch for short outputs: 16 KiB hold some hundred tokens.
const SCRATCH_SHORT: u32 = 1 << 12;

/// Scratch for outputs of any length: 256 KiB are compacted every some thousand tokens, in some ten microseconds.
const SCRATCH_LONG: u32 = 1 << 16;

impl GrammarTables {
    /// The file. `metadata` is stored as it is; the runtime never looks at it.
    #[must_use]
    pub fn write(&self, fingerprints: Fingerprints, metadata: Vec<u8>) -> Vec<u8> {
        self.writer(fingerprints, metadata).finish()
    }

    /// The file, with a vocabulary file inside.
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

    fn writer(&self, fingerprints: Fingerprints, metadata: Vec<u8>) -> ContainerWriter {
        let mut writer = ContainerWriter::new(FileKind::Grammar, fingerprints);
        writer.set_scratch(SCRATCH_SHORT, SCRATCH_LONG);
        writer.add_bytes(&METADATA, metadata);
        writer.add_bytes(&META, self.meta().write().to_vec());
        self.tables().for_each(|(section, numbers)| match section.element {
            SectionElement::Short => writer.add_shorts(section, numbers),
            SectionElement::Word => writer.add_words(section, numbers),
            _ => writer.add_numbers(section, numbers),
        });
        writer
    }

    /// The most flips of any mask, those of its leader included.
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
            reserved: 0,
        }
    }
}
