//! The sections of a compiled grammar: one declaration feeds the writer, the reader and FORMAT.md.
//!
//! `grammar_tables!` takes the list of tables and declares three things: `GrammarTables`, the tables in
//! memory that the compiler fills; `Tables`, the same tables as they lie in a file; and `SECTIONS`, their
//! description. The meaning of the tables is described in the [module docs](super).

#[cfg(feature = "write")]
use super::completion::CompletionTables;
use super::counts::Counts;
#[cfg(feature = "write")]
use super::distinct::DistinctTables;
#[cfg(feature = "write")]
use super::mask_bounds::MaskBounds;
use super::meta::GrammarMeta;
#[cfg(feature = "write")]
use super::same::SameTables;
use super::table::{self, Table};
use crate::container::{Container, Section, SectionElement};
use crate::error::ArtifactError;
use core::ops::RangeInclusive;

/// The kinds of the sections of the lexer and of the LR tables. Among them is [`DWA_INIT`], which belongs to the Parser DWA.
pub(super) const PARSER_SECTIONS: RangeInclusive<u32> = 0x101..=0x128;
pub(super) const DWA_INIT: u32 = 0x110;

/// Declares the tables: `GrammarTables` to write, `Tables` to read, `SECTIONS` to document.
macro_rules! grammar_tables {
    ($($(#[doc = $doc:literal])+ $name:ident: $element:ident = $kind:literal;)+) => {
        /// The table sections, in order.
        pub const SECTIONS: &[Section] = &[$(Section {
            kind: $kind,
            name: stringify!($name),
            element: SectionElement::$element,
            doc: concat!($($doc),+),
        }),+];

        /// The tables in the bytes of a file.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Tables<'a> {
            $(pub(crate) $name: Table<table::$element<'a>>,)+
        }

        impl<'a> Tables<'a> {
            /// Finds the tables. Their entries are not validated yet.
            pub(super) fn read(container: &Container<'a>) -> Result<Self, ArtifactError> {
                let mut sections = SECTIONS.iter();
                $(let $name = Table::read(container, sections.next())?;)+
                Ok(Self { $($name),+ })
            }
        }

        /// A compiled grammar in memory, ready to be written. The [module docs](super) describe the tables.
        #[cfg(feature = "write")]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct GrammarTables {
            /// V: number of tokens in a mask, the padded vocabulary size of the model.
            pub mask_width: u32,
            /// Length of the longest token in bytes.
            pub max_token_bytes: u32,
            /// Number of symbol classes, the width of a row of `pattern_slots`.
            pub class_count: u32,
            /// Symbol class of the end tokens; [`NONE`](super::NONE) if the grammar has no end tokens.
            pub end_symbol: u32,
            /// Whether the grammar matches ordinary tokens by id.
            pub ordinary_by_id: bool,
            /// Whether Parser DWA and masks are missing: they are made on demand.
            pub masks_on_demand: bool,
            /// Number of lexical contexts, the width of a row of `restart`.
            pub context_count: u32,
            /// Number of terminals, including the terminal of the end tokens.
            pub terminal_count: u32,
            /// Terminal of the end tokens.
            pub end_terminal: u32,
            /// Number of nonterminals.
            pub nonterminal_count: u32,
            /// The base bitmaps of the vocabulary to which masks refer, by ascending number, with their checksums. The bitmaps in
            /// `base_words` are numbered from one more than the last of these numbers.
            pub shared_bases: Vec<(u32, u64)>,
            /// The terminals with a limit on the tokens of a lexeme, ascending: the limit, with [`EXACT_AGE`](super::EXACT_AGE) or without, and its symbol.
            pub limits: Vec<[u32; 3]>,
            /// The counters of the lexer: the checksum of the long tokens, then the first state, the most characters and the first number of each.
            pub counters: Vec<[u32; 3]>,
            /// The places of the lexer states that count.
            pub counter_places: Vec<u8>,
            /// The characters that the lexer states that count need; empty if none needs some.
            pub counter_needed: Vec<u8>,
            /// Per state that counts, the index of its list, or 0, then the lists; empty if no state needs characters.
            pub counter_tokens: Vec<u32>,
            /// The lists whose items differ; `None` if there are none.
            pub distinct: Option<DistinctTables>,
            /// The texts that are repeated, if there are any.
            pub same: Option<SameTables>,
            /// Bounds on the costs of masks and commits.
            pub mask_bounds: MaskBounds,
            /// The symbols that make masks read on for ever; empty if none do.
            pub construct: String,
            /// What completing a text costs, in tokens; `None` if the file does not say.
            pub completion: Option<CompletionTables>,
            $($(#[doc = $doc])+ pub $name: Vec<u32>,)+
        }

        #[cfg(feature = "write")]
        impl GrammarTables {
            /// The tables in the order of [`SECTIONS`].
            pub(super) fn tables(&self) -> impl Iterator<Item = (&'static Section, &[u32])> {
                SECTIONS.iter().zip([$(self.$name.as_slice()),+])
            }
        }
    };
}

grammar_tables! {
    /// Per byte value (256 entries): the symbol class of the byte, less than 256.
    byte_class: Number = 0x101;
    /// Tokens that the grammar matches by id, including end tokens, ascending. An end token that literals contain comes twice, first as an end token.
    special_tokens: Word = 0x102;
    /// Per entry of `special_tokens`: the symbol class of the token.
    special_classes: Word = 0x103;
    /// Per kind of lexer states: its pattern, the number of a row of `pattern_slots`.
    lexer_pattern: Number = 0x104;
    /// Per pattern and symbol class: the index of the next state among the targets, counted from 1; 0 if
    /// there is no transition.
    pattern_slots: Number = 0x105;
    /// Per pattern: the number of targets of a state with this pattern.
    pattern_targets: Number = 0x106;
    /// CSR offsets per kind into `lexer_targets`.
    target_offsets: Word = 0x107;
    /// Targets: twice the number of a lexer state, or 1 and twice the sum of 4096 and the distance to one, which is negative for a state before.
    lexer_targets: Number = 0x108;
    /// CSR offsets per kind into `accept_terminals`.
    accept_offsets: Number = 0x109;
    /// Terminals that a lexeme ending in this state may be, ascending; IGNORE (2^32 - 1) for the ignored
    /// ones.
    accept_terminals: Word = 0x10a;
    /// Per kind: its end class, which says how a lexeme that ends here restricts the next lexeme.
    end_class: Number = 0x10b;
    /// Per end class and context: the lexer state in which the next lexeme starts; 0 if no lexeme can start.
    /// Row 0 has no restriction.
    restart: Word = 0x10c;
    /// Per kind: the row of its pending terminals.
    pending_set: Number = 0x10d;
    /// CSR offsets per set of pending terminals into `pending_terminals`.
    pending_offsets: Number = 0x10e;
    /// Terminals that some continuation of the lexeme, possibly empty, completes, ascending; IGNORE for the
    /// ignored ones.
    pending_terminals: Word = 0x10f;
    /// Per lexer state: the initial state of the Parser DWA.
    dwa_init: Number = 0x110;
    /// Per lexer state: its kind. States of a kind differ in their numbers only. State 0 is dead.
    lexer_kind: Number = 0x111;
    /// Per kind: the greatest distance to a target that is stored as a distance, if it is positive.
    kind_reach: Number = 0x112;
    /// Per kind: the greatest distance back to a target that is stored as a distance.
    kind_back: Number = 0x113;
    /// Per LR state: its lexical context.
    lr_context: Number = 0x120;
    /// CSR offsets per LR state into `action_terminals` and `action_codes`.
    action_offsets: Word = 0x121;
    /// Terminals, ascending; a terminal that occurs several times has several actions.
    action_terminals: Word = 0x122;
    /// Actions: shift to state `code >> 1` (low bit 0), or reduce by production `code >> 1` (low bit 1).
    action_codes: Word = 0x123;
    /// Per production: the nonterminal on its left side.
    production_lhs: Number = 0x124;
    /// Per production: the number of states to pop, at least 1.
    production_length: Number = 0x125;
    /// CSR offsets per LR state into `goto_nonterminals` and `goto_targets`.
    goto_offsets: Word = 0x126;
    /// Nonterminals, strictly ascending.
    goto_nonterminals: Word = 0x127;
    /// Goto states: LR states.
    goto_targets: Word = 0x128;
    /// Per DWA state: the target of its default transition, or NONE.
    dwa_default_target: Number = 0x130;
    /// Per DWA state: the mask of its default transition.
    dwa_default_output: Number = 0x131;
    /// CSR offsets per DWA state into `dwa_targets` and `dwa_outputs`.
    dwa_offsets: Number = 0x132;
    /// Targets: DWA states.
    dwa_targets: Number = 0x133;
    /// Outputs: masks. Mask 0 adds no token.
    dwa_outputs: Number = 0x134;
    /// Per DWA state: its shape, the number of a row of `dwa_symbols` with as many entries as the state has
    /// transitions.
    dwa_shape: Number = 0x135;
    /// CSR offsets per shape into `dwa_symbols`.
    shape_offsets: Number = 0x136;
    /// Symbols: LR states, strictly ascending.
    dwa_symbols: Number = 0x137;
    /// Per mask: the number of its base bitmap, or NONE. Mask 0 is empty. Numbers below `shared_bases` of the
    /// record stand for bitmaps of the vocabulary, the others, counted from there, for those in `base_words`.
    mask_base: Number = 0x140;
    /// Per mask: its leader, a mask whose delta is flipped, too. The leader of a leader is 0, the empty mask.
    mask_leader: Number = 0x141;
    /// CSR offsets per mask into `mask_delta`.
    mask_offsets: Number = 0x142;
    /// Tokens to flip, as gaps: from 0 to the first token, and from each token to the next. A token with a
    /// gap of 0 after it is flipped twice.
    mask_delta: Short = 0x143;
    /// Base bitmaps of ceil(V / 32) words: token t is bit t % 32 of word t / 32. Bits beyond V are 0.
    base_words: Word = 0x144;
}

impl Tables<'_> {
    /// The sizes, before anything is validated.
    pub(super) fn counts(&self, meta: &GrammarMeta) -> Counts {
        let row_words = meta.mask_width.div_ceil(32) as usize;
        let shared_bases = meta.shared_bases as usize;
        let own_bases = self.base_words.len().checked_div(row_words).unwrap_or(0);
        Counts {
            lexer_states: self.lexer_kind.len(),
            kinds: self.end_class.len(),
            patterns: self.pattern_targets.len(),
            end_classes: self.restart.len().checked_div(meta.context_count as usize).unwrap_or(0),
            pending_sets: self.pending_offsets.len().saturating_sub(1),
            lr_states: self.lr_context.len(),
            productions: self.production_lhs.len(),
            dwa_states: self.dwa_default_target.len(),
            dwa_edges: self.dwa_targets.len(),
            shapes: self.shape_offsets.len().saturating_sub(1),
            masks: self.mask_base.len(),
            bases: shared_bases.saturating_add(own_bases),
            shared_bases,
            row_words,
        }
    }
}
