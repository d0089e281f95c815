//! What completing a text costs: the tables from which the fewest tokens to the end of the text are read.
//!
//! The sections are optional: a grammar can be compiled without them.
//! How they are read is described in the [module docs](super).

use core::ops::Range;

use super::counts::Counts;
use super::meta::{GrammarMeta, IGNORE};
use super::table::Table;
use crate::container::{Container, Section, SectionElement};
use crate::error::ArtifactError;
use crate::ids::{LexState, LrState, Terminal};
use crate::wire::Numbers;

#[cfg(feature = "write")]
use crate::container::ContainerWriter;

/// The record [`CompletionMeta`].
pub const COMPLETION: Section = Section {
    kind: 0x160,
    name: "completion",
    element: SectionElement::Byte,
    doc: "The record `CompletionMeta` below. Files without it have no section of this table.",
};

record! {
    /// What the costs of completions are.
    pub struct CompletionMeta {
        /// 1 if costs are the fewest tokens that complete a text; 0 if they are upper bounds.
        exact: u32,
        /// The number of ends of lexemes that are told apart.
        end_count: u32,
        /// By how much a token that a mask allows can raise the cost, at most.
        max_loss: u32,
        /// Zero.
        reserved: u32,
    }
}

/// Declares the tables: `CompletionTables` to write, `Tables` to read, `COMPLETION_SECTIONS` to document.
macro_rules! completion_tables {
    ($($(#[doc = $doc:literal])+ $name:ident = $kind:literal;)+) => {
        /// The table sections, in order.
        pub const COMPLETION_SECTIONS: &[Section] = &[$(Section {
            kind: $kind,
            name: stringify!($name),
            element: SectionElement::Number,
            doc: concat!($($doc),+),
        }),+];

        #[derive(Clone, Copy, Debug)]
        struct Tables<'a> {
            $($name: Table<Numbers<'a>>,)+
        }

        impl<'a> Tables<'a> {
            fn read(container: &Container<'a>) -> Result<Self, ArtifactError> {
                let mut sections = COMPLETION_SECTIONS.iter();
                $(let $name = Table::read(container, sections.next())?;)+
                Ok(Self { $($name),+ })
            }
        }

        /// The tables in memory, ready to be written.
        #[cfg(feature = "write")]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct CompletionTables {
            /// Whether the costs are the fewest tokens, and not upper bounds.
            pub is_exact: bool,
            /// The number of ends.
            pub ends: u32,
            /// By how much a token can raise the cost, at most.
            pub max_loss: u32,
            $($(#[doc = $doc])+ pub $name: Vec<u32>,)+
        }

        #[cfg(feature = "write")]
        impl CompletionTables {
            pub(super) fn write(&self, writer: &mut ContainerWriter) {
                let meta = CompletionMeta {
                    exact: self.is_exact.into(),
                    end_count: self.ends,
                    max_loss: self.max_loss,
                    reserved: 0,
                };
                writer.add_bytes(&COMPLETION, meta.write().to_vec());
                let tables = [$(&self.$name),+];
                COMPLETION_SECTIONS.iter().zip(tables).for_each(|(section, table)| writer.add_numbers(section, table));
            }
        }
    };
}

completion_tables! {
    /// Per lexer state: the row of its lexeme's costs.
    lexeme_cost_row = 0x161;
    /// CSR offsets per row into `lexeme_costs`, in entries.
    lexeme_cost_offsets = 0x162;
    /// Three numbers per entry: a terminal, ascending, or IGNORE (2^32 - 1) for the ignored ones; an end; the number of
    /// tokens until the lexeme ends so.
    lexeme_costs = 0x163;
    /// Per LR state, and once more: its first class of cells.
    cell_classes = 0x164;
    /// CSR offsets per class into `cells_above`, in entries.
    cell_above_offsets = 0x165;
    /// Three numbers per entry: the LR state of a cell above, strictly ascending; the number of its class among the classes
    /// of that state; how much higher its potential is.
    cells_above = 0x166;
    /// CSR offsets per class into `cell_ends`, in entries.
    cell_end_offsets = 0x167;
    /// Two numbers per entry: an end, strictly ascending; the number of tokens after it, above the potential.
    cell_ends = 0x168;
}

/// The numbers of an entry of `lexeme_costs` and of `cells_above`.
const TRIPLE: usize = 3;
/// The numbers of an entry of `cell_ends`.
const PAIR: usize = 2;
/// Classes of the cells of one LR state: the number of a class takes a byte in the cells of the runtime.
const MAX_CLASSES: usize = 254;

/// How a lexeme can end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LexemeCost {
    /// What the lexeme is; [`Terminal::IGNORE`] if it is ignored.
    pub terminal: Terminal,
    /// How it ends.
    pub end: u32,
    /// The tokens until it ends.
    pub tokens: u32,
}

/// The class of a cell among the classes of its LR state, and its potential.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CellCost {
    /// The potential.
    pub potential: u32,
    /// The class.
    pub class: u32,
}

/// The costs of completions, whose tables were validated.
#[derive(Clone, Copy, Debug)]
pub struct CompletionView<'a> {
    meta: CompletionMeta,
    tables: Tables<'a>,
}

impl<'a> CompletionView<'a> {
    /// Finds the sections, without reading the tables; `None` if the file does not have them.
    pub(super) fn open_trusted(
        container: &Container<'a>,
        counts: &Counts,
    ) -> Result<Option<Self>, ArtifactError> {
        let bytes = match container.bytes(&COMPLETION) {
            Err(ArtifactError::MissingSection { .. }) => return Ok(None),
            bytes => bytes?,
        };
        let (table, problem) = (COMPLETION.name, "wrong length");
        let malformed = ArtifactError::MalformedTable { table, index: bytes.len(), problem };
        let meta = bytes.try_into().map(CompletionMeta::read).map_err(|_| malformed)?;
        let view = Self { meta, tables: Tables::read(container)? };
        view.check_lengths(counts)?;
        Ok(Some(view))
    }

    /// Checks the content of the tables.
    pub(super) fn validate(&self, meta: &GrammarMeta, counts: &Counts) -> Result<(), ArtifactError> {
        self.check_lexemes(meta)?;
        self.check_classes(counts)
    }

    /// Whether costs are the fewest tokens that complete a text, and not upper bounds.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.meta.exact == 1
    }

    /// By how much a token that a mask allows can raise the cost, at most.
    #[must_use]
    pub const fn max_loss(&self) -> u32 {
        self.meta.max_loss
    }

    /// How the lexeme in a lexer state can end, sorted by terminal.
    #[inline]
    pub fn lexeme_costs(&self, state: LexState) -> impl Iterator<Item = LexemeCost> + use<'a> {
        let row = self.tables.lexeme_cost_row.get(state.index()) as usize;
        let costs = self.tables.lexeme_costs;
        within(self.tables.lexeme_cost_offsets.range(row), costs.len() / TRIPLE).map(move |entry| {
            let [terminal, end, tokens] = [0, 1, 2].map(|part| costs.get(TRIPLE * entry + part));
            LexemeCost { terminal: Terminal(terminal), end, tokens }
        })
    }

    /// The cost of the cell at the bottom of every stack; `None` if no text can be completed.
    #[must_use]
    pub fn bottom(&self) -> Option<CellCost> {
        let first = self.tables.cell_classes.range(LrState::INITIAL.index());
        (!first.is_empty()).then_some(CellCost { potential: 0, class: 0 })
    }

    /// The cost of a cell with LR state `above` that lies on a cell with LR state `state`; `None` if no text with this stack
    /// can be completed.
    #[must_use]
    #[inline]
    pub fn above(&self, state: LrState, cost: CellCost, above: LrState) -> Option<CellCost> {
        let class = self.class(state, cost.class)?;
        let Tables { cell_above_offsets, cells_above, .. } = &self.tables;
        let entry = find(cells_above, TRIPLE, cell_above_offsets.range(class), above.0)?;
        let [class, more] = [1, 2].map(|part| cells_above.get(TRIPLE * entry + part));
        Some(CellCost { potential: cost.potential.saturating_add(more), class })
    }

    /// The tokens that complete the text behind a lexeme that ended so, with this cell on top; `None` if it cannot be
    /// completed.
    #[must_use]
    #[inline]
    pub fn after(&self, state: LrState, cost: CellCost, end: u32) -> Option<u32> {
        let class = self.class(state, cost.class)?;
        let Tables { cell_end_offsets, cell_ends, .. } = &self.tables;
        let entry = find(cell_ends, PAIR, cell_end_offsets.range(class), end)?;
        Some(cost.potential.saturating_add(cell_ends.get(PAIR * entry + 1)))
    }

    /// The row of a class in the tables by class.
    #[inline]
    fn class(&self, state: LrState, class: u32) -> Option<usize> {
        let classes = self.tables.cell_classes.range(state.index());
        ((class as usize) < classes.len()).then_some(classes.start + class as usize)
    }

    fn check_lengths(&self, counts: &Counts) -> Result<(), ArtifactError> {
        let Tables {
            lexeme_cost_row,
            lexeme_cost_offsets,
            cell_classes,
            cell_above_offsets,
            cell_end_offsets,
            ..
        } = &self.tables;
        lexeme_cost_row.check_len(Some(counts.lexer_states))?;
        cell_classes.check_len(counts.lr_states.checked_add(1))?;
        cell_end_offsets.check_len(Some(cell_above_offsets.len()))?;
        match lexeme_cost_offsets.len().min(cell_above_offsets.len()) {
            0 => lexeme_cost_offsets.bad(0, "there are no offsets"),
            _ => Ok(()),
        }
    }

    fn check_lexemes(&self, meta: &GrammarMeta) -> Result<(), ArtifactError> {
        let Tables { lexeme_cost_row, lexeme_cost_offsets, lexeme_costs, .. } = &self.tables;
        lexeme_cost_row.check_below(lexeme_cost_offsets.len() - 1)?;
        lexeme_cost_offsets.check_offsets(lexeme_costs.len() / TRIPLE)?;
        let is_terminal = |terminal: u32| terminal < meta.terminal_count || terminal == IGNORE;
        self.check_entries(lexeme_costs, TRIPLE, |entry| {
            is_terminal(lexeme_costs.get(entry)) && lexeme_costs.get(entry + 1) < self.meta.end_count
        })
    }

    fn check_classes(&self, counts: &Counts) -> Result<(), ArtifactError> {
        let Tables { cell_classes, cell_above_offsets, cells_above, cell_end_offsets, cell_ends, .. } =
            &self.tables;
        cell_classes.check_offsets(cell_above_offsets.len() - 1)?;
        if let Some(state) =
            (0..counts.lr_states).find(|&state| cell_classes.range(state).len() > MAX_CLASSES)
        {
            return cell_classes.bad(state, "the LR state has more classes than a cell can name");
        }
        cell_above_offsets.check_offsets(cells_above.len() / TRIPLE)?;
        cell_end_offsets.check_offsets(cell_ends.len() / PAIR)?;
        self.check_entries(cells_above, TRIPLE, |entry| {
            let (state, class) = (cells_above.get(entry) as usize, cells_above.get(entry + 1) as usize);
            state < counts.lr_states && class < cell_classes.range(state).len()
        })?;
        self.check_entries(cell_ends, PAIR, |entry| cell_ends.get(entry) < self.meta.end_count)?;
        self.check_sorted(cells_above, TRIPLE, cell_above_offsets)?;
        self.check_sorted(cell_ends, PAIR, cell_end_offsets)
    }

    /// Checks that a table has whole entries of `size` numbers, all of them valid.
    fn check_entries(
        &self,
        table: &Table<Numbers<'_>>,
        size: usize,
        is_valid: impl Fn(usize) -> bool,
    ) -> Result<(), ArtifactError> {
        if !table.len().is_multiple_of(size) {
            return table.bad(table.len(), "the last entry is not whole");
        }
        match (0..table.len()).step_by(size).find(|&entry| !is_valid(entry)) {
            Some(entry) => table.bad(entry, "the number is out of range"),
            None => Ok(()),
        }
    }

    /// Checks that the first numbers of the entries of each row ascend strictly. Offsets and entries are valid.
    fn check_sorted(
        &self,
        table: &Table<Numbers<'_>>,
        size: usize,
        offsets: &Table<Numbers<'_>>,
    ) -> Result<(), ArtifactError> {
        for row in 0..offsets.len() - 1 {
            let mut pairs = offsets.range(row).zip(offsets.range(row).skip(1));
            if let Some((_, entry)) = pairs.find(|&(a, b)| table.get(size * a) >= table.get(size * b)) {
                return table.bad(size * entry, "the row is not sorted");
            }
        }
        Ok(())
    }
}

/// The part of a range that lies in a table. Only a damaged file has another one.
fn within(range: Range<usize>, entries: usize) -> Range<usize> {
    range.start..range.end.min(entries)
}

/// The entry of a row whose first number is `key`. The first numbers ascend strictly.
#[inline]
fn find(table: &Table<Numbers<'_>>, size: usize, row: Range<usize>, key: u32) -> Option<usize> {
    let (mut low, mut high) = (row.start, row.end);
    while low < high {
        let middle = low.midpoint(high);
        match table.get(size * middle).cmp(&key) {
            core::cmp::Ordering::Less => low = middle + 1,
            core::cmp::Ordering::Equal => return Some(middle),
            core::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}
