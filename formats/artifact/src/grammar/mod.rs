//! The tables of a compiled grammar.
//!
//! # What they are, and how they are read
//! All tables are arrays of words, or of numbers in two or four bytes. A *CSR* pair is `x_offsets` (one more entry than there are rows) and the columns of
//! `x`: row `r` is `x_offsets[r]..x_offsets[r + 1]`.
//!
//! **Lexer.** A byte `b` is the symbol `byte_class[b]`; a special token that the grammar uses is one symbol too, found
//! in `special_tokens`/`special_classes`. Lexer states differ in where they lead more than in how they divide the symbols: state
//! `l` has the pattern `p = lexer_pattern[l]`, and symbol `c` leads to target `pattern_slots[p * class_count + c]` in the row of
//! `l` in `lexer_targets`, counted from 1; nowhere if that is 0. A lexeme ends *lazily*: when the next symbol arrives, each
//! terminal `T` in the row of `l` in `accepts` may have ended before that symbol. Then the parser takes `T` (unless it
//! is IGNORE), and the next lexeme starts in `restart[end_class[l] * context_count + lr_context[top of stack]]`, 0 if
//! it cannot start there. `pending` lists which terminals the lexeme can still become; states with the same list
//! share it through `pending_set`.
//!
//! **Parser.** LR state 0 is the initial one. The row of state `s` in `actions` is sorted by terminal; a terminal that
//! occurs several times is a conflict, explored by GLR. An action with low bit 0 shifts to state `action >> 1`; with
//! low bit 1 it reduces by production `action >> 1`, whose length is at least 1 (no empty productions: the stack forest
//! is acyclic).
//!
//! **Parser DWA.** It reads the parser stack top first, from state `dwa_init[l]`. A transition is found by LR state in
//! the sorted row of the state's *shape*, which states with transitions on the same LR states share, else it is the default
//! one. It adds mask `output` to the result and leads to `target`; state 0 is STOP. Reading ends at STOP, without a transition, or below the bottom of the stack.
//!
//! **Mask store.** A mask is `base_words[mask_base[m]]` (all zero if NONE) with the tokens of its own delta flipped, and those of its leader
//! `mask_leader[m]`. A delta, row `m` of `mask_delta`, is made of gaps: from 0 to its first token, and from each token to the next. Where the way is wider than
//! 65,535, a token between them is flipped twice: the gap after it is 0.
//!
//! Whether end tokens are allowed is in the masks like any other token; committing one ends the current lexeme and
//! shifts `end_terminal`.

mod masks;
mod table;
mod validate;
mod view;
#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use masks::gaps;
pub use masks::{Delta, DeltaTokens, Flips, MaskParts};
pub use view::{Action, DwaEdge, GrammarView};

use crate::container::{Container, Section, SectionElement};
use crate::error::ArtifactError;
use table::Table;

/// Stands for "none" where a table holds optional numbers.
pub const NONE: u32 = u32::MAX;

/// The ignored terminals: a lexeme without a parser step.
pub const IGNORE: u32 = u32::MAX;

/// The most gaps that the delta of a mask may have, those of its leader's included. (768 flips of vocabularies with 2^24 numbers take 1,024 more at
/// most, two for each way in both deltas that is wider than a gap.)
pub const MAX_FLIPS: usize = 2048;

/// Names, source and report, compressed. The runtime never touches it.
pub const METADATA: Section = Section {
    kind: 0x01,
    name: "metadata",
    element: SectionElement::Byte,
    doc: "Names, source, report: compressed, never touched by the runtime.",
};

/// A compiled vocabulary, so that the grammar can be used without another file.
pub const VOCABULARY: Section = Section {
    kind: 0x02,
    name: "vocabulary",
    element: SectionElement::Byte,
    doc: "Only if self-contained: a vocabulary file, perhaps without what only the compiler reads of it.",
};

/// The record [`GrammarMeta`].
pub const META: Section = Section {
    kind: 0x100,
    name: "meta",
    element: SectionElement::Byte,
    doc: "The record `GrammarMeta` below.",
};

record! {
    /// Numbers that are not the length of a table, and bounds that a reader may rely on.
    pub struct GrammarMeta {
        /// V: tokens in a mask, the model's padded vocabulary size.
        mask_width: u32,
        /// Bytes in the longest token.
        max_token_bytes: u32,
        /// Symbol classes: the width of a row of `pattern_slots`.
        class_count: u32,
        /// The symbol class of the end tokens; NONE if the grammar has none.
        end_symbol: u32,
        /// Contexts: the width of a row of `restart`.
        context_count: u32,
        /// Terminals, the one for end tokens included.
        terminal_count: u32,
        /// The terminal that end tokens are.
        end_terminal: u32,
        /// Nonterminals.
        nonterminal_count: u32,
        /// The most flips of any mask, those of its leader included.
        max_delta: u32,
        /// Zero.
        reserved: u32,
    }
}

/// Declares the tables once: `GrammarTables` to write, `Tables` to read, `SECTIONS` to document.
macro_rules! grammar_tables {
    ($($(#[doc = $doc:literal])+ $name:ident: $element:ident = $kind:literal;)+) => {
        /// The table sections, in order.
        pub const SECTIONS: &[Section] = &[$(Section {
            kind: $kind,
            name: stringify!($name),
            element: SectionElement::$element,
            doc: concat!($($doc),+),
        }),+];

        /// The tables as they lie in the file.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Tables<'a> {
            $(pub(crate) $name: Table<table::$element<'a>>,)+
        }

        impl<'a> Tables<'a> {
            /// Finds the tables; what they hold is not validated yet.
            fn read(container: &Container<'a>) -> Result<Self, ArtifactError> {
                let mut sections = SECTIONS.iter();
                $(let $name = Table::read(container, sections.next())?;)+
                Ok(Self { $($name),+ })
            }
        }

        /// A compiled grammar in memory, ready to be written. See the [module docs](self) for how it is read.
        #[cfg(feature = "write")]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct GrammarTables {
            /// V: tokens in a mask, the model's padded vocabulary size.
            pub mask_width: u32,
            /// Bytes in the longest token.
            pub max_token_bytes: u32,
            /// Symbol classes: the width of a row of `pattern_slots`.
            pub class_count: u32,
            /// The symbol class of the end tokens; [`NONE`] if the grammar has none.
            pub end_symbol: u32,
            /// Contexts: the width of a row of `restart`.
            pub context_count: u32,
            /// Terminals, the one for end tokens included.
            pub terminal_count: u32,
            /// The terminal that end tokens are.
            pub end_terminal: u32,
            /// Nonterminals.
            pub nonterminal_count: u32,
            $($(#[doc = $doc])+ pub $name: Vec<u32>,)+
        }

        #[cfg(feature = "write")]
        impl GrammarTables {
            /// The tables in the order of [`SECTIONS`].
            fn tables(&self) -> impl Iterator<Item = (&'static Section, &[u32])> {
                SECTIONS.iter().zip([$(self.$name.as_slice()),+])
            }
        }
    };
}

grammar_tables! {
    /// Per byte value (256 entries): its symbol class, less than 256.
    byte_class: Word = 0x101;
    /// Special tokens that the grammar uses, end tokens included, ascending.
    special_tokens: Word = 0x102;
    /// Per entry of `special_tokens`: its symbol class.
    special_classes: Word = 0x103;
    /// Per lexer state: its pattern, a row of `pattern_slots`. State 0 is dead.
    lexer_pattern: Word = 0x104;
    /// Per pattern and symbol class: which of the state's targets is next, counted from 1; 0 if the symbol leads nowhere.
    pattern_slots: Number = 0x105;
    /// Per pattern: how many targets its states have.
    pattern_targets: Word = 0x106;
    /// CSR offsets per lexer state into `lexer_targets`.
    target_offsets: Word = 0x107;
    /// Lexer states.
    lexer_targets: Word = 0x108;
    /// CSR offsets per lexer state into `accept_terminals`.
    accept_offsets: Word = 0x109;
    /// Terminals that a lexeme may be that ends in this state; IGNORE (2^32 - 1) for ignored ones. Ascending.
    accept_terminals: Word = 0x10a;
    /// Per lexer state: how a lexeme that ends here restricts the next one.
    end_class: Word = 0x10b;
    /// Per end class and context: the lexer state in which the next lexeme starts, 0 if none can. Row 0 is unrestricted.
    restart: Word = 0x10c;
    /// Per lexer state: its row in `pending`.
    pending_set: Word = 0x10d;
    /// CSR offsets per pending set into `pending_terminals`.
    pending_offsets: Word = 0x10e;
    /// Terminals that some continuation of the lexeme (also none) completes; IGNORE for ignored ones. Ascending.
    pending_terminals: Word = 0x10f;
    /// Per lexer state: the state in which the Parser DWA starts.
    dwa_init: Word = 0x110;
    /// Per LR state: its lexical context.
    lr_context: Word = 0x120;
    /// CSR offsets per LR state into `action_terminals` and `action_codes`.
    action_offsets: Word = 0x121;
    /// Terminals, ascending; one that occurs several times has several actions.
    action_terminals: Word = 0x122;
    /// Actions: shift to state `code >> 1` (low bit 0), reduce by production `code >> 1` (low bit 1).
    action_codes: Word = 0x123;
    /// Per production: the nonterminal it reduces to.
    production_lhs: Word = 0x124;
    /// Per production: the states to pop, at least 1.
    production_length: Word = 0x125;
    /// CSR offsets per LR state into `goto_nonterminals` and `goto_targets`.
    goto_offsets: Word = 0x126;
    /// Nonterminals, strictly ascending.
    goto_nonterminals: Word = 0x127;
    /// LR states.
    goto_targets: Word = 0x128;
    /// Per DWA state: the target of its default transition, or NONE.
    dwa_default_target: Number = 0x130;
    /// Per DWA state: the mask of its default transition.
    dwa_default_output: Number = 0x131;
    /// CSR offsets per DWA state into `dwa_targets` and `dwa_outputs`.
    dwa_offsets: Number = 0x132;
    /// DWA states.
    dwa_targets: Number = 0x133;
    /// Masks; 0 adds nothing.
    dwa_outputs: Number = 0x134;
    /// Per DWA state: its shape, a row of `dwa_symbols` as long as its own.
    dwa_shape: Number = 0x135;
    /// CSR offsets per shape into `dwa_symbols`.
    shape_offsets: Number = 0x136;
    /// LR states, strictly ascending.
    dwa_symbols: Number = 0x137;
    /// Per mask: its base bitmap, or NONE. Mask 0 is empty.
    mask_base: Number = 0x140;
    /// Per mask: its leader, a mask whose tokens are flipped, too; the leader of a leader is 0, the empty mask.
    mask_leader: Number = 0x141;
    /// CSR offsets per mask into `mask_delta`.
    mask_offsets: Word = 0x142;
    /// Tokens to flip: how far each is behind the one before, the first one behind 0. A token with a gap of 0 after it is flipped twice.
    mask_delta: Short = 0x143;
    /// Base bitmaps of ceil(V / 32) words: token t is bit t % 32 of word t / 32. Bits beyond V are 0.
    base_words: Word = 0x144;
}

/// How many there are of everything: the lengths of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// States of the lexer, the dead one included.
    pub lexer_states: usize,
    /// Patterns of lexer states.
    pub patterns: usize,
    /// End classes: rows of `restart`.
    pub end_classes: usize,
    /// Distinct sets of pending terminals.
    pub pending_sets: usize,
    /// States of the LR automaton.
    pub lr_states: usize,
    /// Productions.
    pub productions: usize,
    /// States of the Parser DWA, STOP included.
    pub dwa_states: usize,
    /// Transitions of the Parser DWA, not counting default ones.
    pub dwa_edges: usize,
    /// Shapes of rows of the Parser DWA.
    pub shapes: usize,
    /// Masks, the empty one included.
    pub masks: usize,
    /// Base bitmaps.
    pub bases: usize,
    /// Words in a mask: ceil(V / 32).
    pub row_words: usize,
}

impl Counts {
    fn new(meta: &GrammarMeta, tables: &Tables<'_>) -> Self {
        let row_words = meta.mask_width.div_ceil(32) as usize;
        Self {
            lexer_states: tables.end_class.len(),
            patterns: tables.pattern_targets.len(),
            end_classes: tables.restart.len().checked_div(meta.context_count as usize).unwrap_or(0),
            pending_sets: tables.pending_offsets.len().saturating_sub(1),
            lr_states: tables.lr_context.len(),
            productions: tables.production_lhs.len(),
            dwa_states: tables.dwa_default_target.len(),
            dwa_edges: tables.dwa_targets.len(),
            shapes: tables.shape_offsets.len().saturating_sub(1),
            masks: tables.mask_base.len(),
            bases: tables.base_words.len().checked_div(row_words).unwrap_or(0),
            row_words,
        }
    }
}
