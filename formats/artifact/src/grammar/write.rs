//! Writing a compiled grammar.

use super::{GrammarMeta, GrammarTables, META, METADATA};
use crate::container::{ContainerWriter, FileKind, Fingerprints};

impl GrammarTables {
    /// The file. `metadata` is stored as it is; the runtime never looks at it.
    #[must_use]
    pub fn write(&self, fingerprints: Fingerprints, metadata: Vec<u8>) -> Vec<u8> {
        let mut writer = ContainerWriter::new(FileKind::Grammar, fingerprints);
        let (minimum, recommended) = self.scratch_words();
        writer.set_scratch(minimum, recommended);
        writer.add_bytes(&METADATA, metadata);
        writer.add_bytes(&META, self.meta().write().to_vec());
        self.tables().for_each(|(section, words)| writer.add_words(section, words));
        writer.finish()
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
            max_delta: self.mask_offsets.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0),
            reserved: 0,
        }
    }

    /// Scratch words: what holds any short output, and what holds thousands of tokens between two compactions.
    fn scratch_words(&self) -> (u32, u32) {
        (1 << 10, 1 << 17)
    }
}
