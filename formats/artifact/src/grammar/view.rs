//! Reads a compiled grammar, through typed ids.
//!
//! [`GrammarView::open`] validates all tables once; every accessor is then a few reads from tables, without
//! checks of its own beyond those of slices.

use super::completion::CompletionView;
use super::counts::Counts;
use super::masks::{Delta, Flips, MaskParts};
use super::tables::{GrammarMeta, META, NONE, Tables};
use super::validate;
use crate::container::{Container, FileKind, Fingerprint};
use crate::error::ArtifactError;
use crate::ids::{
    BaseId, DwaState, LexState, LrState, MaskId, Nonterminal, Production, SymbolClass, Terminal, TokenId,
};
use crate::wire::U32;

/// A compiled grammar, whose tables were validated.
///
/// # Invariants
/// 1. The tables passed `validate`: a number read from a table is in range of the table that it indexes.
/// 2. Ids passed to the accessors come from this view, so by 1 they are in range, too. An accessor may panic
///    for other ids.
#[derive(Clone, Copy, Debug)]
pub struct GrammarView<'a> {
    container: Container<'a>,
    meta: GrammarMeta,
    counts: Counts,
    tables: Tables<'a>,
    completion: Option<CompletionView<'a>>,
}

/// An action of the LR parser on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Push this state, and go on to the next terminal.
    Shift(LrState),
    /// Pop as many states as the production has symbols, push the goto state, and look at the same terminal
    /// again.
    Reduce(Production),
}

impl Action {
    /// Decodes an entry of `action_codes`.
    #[must_use]
    #[inline]
    pub fn decode(code: U32) -> Self {
        let code = code.get();
        if code & 1 == 0 { Self::Shift(LrState(code >> 1)) } else { Self::Reduce(Production(code >> 1)) }
    }
}

/// A transition of the Parser DWA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DwaEdge {
    /// The next state.
    pub target: DwaState,
    /// The tokens that the transition allows.
    pub output: MaskId,
}

/// Opening.
impl<'a> GrammarView<'a> {
    /// Opens the bytes of a file and validates them, in time linear in their number, without allocation.
    ///
    /// # Errors
    /// The errors of [`Container::open`]; [`ArtifactError::MissingSection`],
    /// [`ArtifactError::SectionChecksum`] and [`ArtifactError::MalformedTable`] for a section.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ArtifactError> {
        let container = Container::open(bytes, FileKind::Grammar)?;
        let meta = read_meta(&container)?;
        let tables = Tables::read(&container)?;
        let counts = Counts::new(&meta, &tables);
        validate::validate(container.header(), &meta, &counts, &tables)?;
        let completion = CompletionView::open(&container, &meta, &counts)?;
        Ok(Self { container, meta, counts, tables, completion })
    }

    /// Checks that the grammar was compiled for the vocabulary with this fingerprint.
    ///
    /// # Errors
    /// [`ArtifactError::WrongVocabulary`] if it was compiled for another one.
    pub fn check_vocabulary(&self, found: &Fingerprint) -> Result<(), ArtifactError> {
        let expected = self.container.header().vocabulary;
        if expected == *found {
            Ok(())
        } else {
            Err(ArtifactError::WrongVocabulary { expected, found: *found })
        }
    }

    /// Checks that a mask of the grammar has as many tokens as the vocabulary.
    ///
    /// # Errors
    /// [`ArtifactError::MalformedTable`] if the numbers differ. As the fingerprint of a vocabulary covers its width,
    /// this cannot happen unless the file is forged.
    pub fn check_width(&self, width: u32) -> Result<(), ArtifactError> {
        if self.meta.mask_width == width {
            return Ok(());
        }
        let problem = "`mask_width` is not the width of the vocabulary that the grammar was compiled for";
        Err(ArtifactError::MalformedTable { table: META.name, index: 0, problem })
    }

    /// The container of the grammar, for the header and the metadata.
    #[must_use]
    pub const fn container(&self) -> &Container<'a> {
        &self.container
    }

    /// The record with numbers and bounds.
    #[must_use]
    pub const fn meta(&self) -> &GrammarMeta {
        &self.meta
    }

    /// What completing a text costs; `None` if the file does not say, because it was compiled without budgets or is older.
    #[must_use]
    pub const fn completion(&self) -> Option<&CompletionView<'a>> {
        self.completion.as_ref()
    }

    /// The sizes of the automata and of the mask store.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The number of words in a mask: ceil(V / 32).
    #[must_use]
    pub const fn row_words(&self) -> usize {
        self.counts.row_words
    }
}

fn read_meta(container: &Container<'_>) -> Result<GrammarMeta, ArtifactError> {
    let bytes = container.bytes(&META)?;
    let malformed =
        ArtifactError::MalformedTable { table: META.name, index: bytes.len(), problem: "wrong length" };
    bytes.try_into().map(GrammarMeta::read).map_err(|_| malformed)
}

/// The lexer.
impl<'a> GrammarView<'a> {
    /// The symbol class of a byte.
    #[must_use]
    #[inline]
    pub fn byte_symbol(&self, byte: u8) -> SymbolClass {
        SymbolClass(self.tables.byte_class.get(usize::from(byte)))
    }

    /// The symbol class of a special token, if the grammar uses the token.
    #[must_use]
    pub fn special_symbol(&self, token: TokenId) -> Option<SymbolClass> {
        let tokens = self.tables.special_tokens.slice(0..self.tables.special_tokens.len());
        let index = tokens.binary_search_by_key(&token.0, |special| special.get()).ok()?;
        Some(SymbolClass(self.tables.special_classes.get(index)))
    }

    /// The symbol classes of all special tokens that the grammar uses; a class may come several times.
    pub fn special_symbols(&self) -> impl Iterator<Item = SymbolClass> + use<'a> {
        self.tables
            .special_classes
            .slice(0..self.tables.special_classes.len())
            .iter()
            .map(|c| SymbolClass(c.get()))
    }

    /// Whether a symbol class is that of the end tokens.
    #[must_use]
    #[inline]
    pub const fn is_end(&self, symbol: SymbolClass) -> bool {
        symbol.0 == self.meta.end_symbol
    }

    /// The lexer state after a symbol within a lexeme.
    #[must_use]
    #[inline]
    pub fn next(&self, state: LexState, symbol: SymbolClass) -> LexState {
        let pattern = self.tables.lexer_pattern.get(state.index()) as usize;
        match self.tables.pattern_slots.get(pattern * self.meta.class_count as usize + symbol.index()) {
            0 => LexState::DEAD,
            slot => {
                let first = self.tables.target_offsets.get(state.index());
                LexState(self.tables.lexer_targets.get((first + slot - 1) as usize))
            }
        }
    }

    /// The terminals that a lexeme ending in this state may be.
    #[inline]
    pub fn accepts(&self, state: LexState) -> impl ExactSizeIterator<Item = Terminal> + use<'a> {
        let row = self.tables.accept_offsets.range(state.index());
        self.tables.accept_terminals.slice(row).iter().map(|terminal| Terminal(terminal.get()))
    }

    /// The lexer state in which the next lexeme starts, after a lexeme that ended in `ended`, with `top` on
    /// the parser stack.
    #[must_use]
    #[inline]
    pub fn restart(&self, ended: LexState, top: LrState) -> LexState {
        self.restart_in(self.tables.end_class.get(ended.index()), top)
    }

    /// The lexer states in which the next lexeme may start, after a lexeme that ended in `ended`: one per
    /// context.
    pub fn restarts(&self, ended: LexState) -> impl Iterator<Item = LexState> + use<'a> {
        let contexts = self.meta.context_count as usize;
        let row = self.tables.end_class.get(ended.index()) as usize * contexts;
        self.tables.restart.slice(row..row + contexts).iter().map(|state| LexState(state.get()))
    }

    /// The lexer state at the beginning of the text.
    #[must_use]
    pub fn initial_lex_state(&self) -> LexState {
        self.restart_in(0, LrState::INITIAL)
    }

    #[inline]
    fn restart_in(&self, end_class: u32, top: LrState) -> LexState {
        let context = self.tables.lr_context.get(top.index());
        let row = end_class as usize * self.meta.context_count as usize;
        LexState(self.tables.restart.get(row + context as usize))
    }

    /// The states in which a lexeme can start; a state may come several times.
    pub fn lexeme_starts(&self) -> impl Iterator<Item = LexState> + use<'a> {
        let states = self.tables.restart.slice(0..self.tables.restart.len()).iter();
        states.map(|state| LexState(state.get())).filter(|&state| state != LexState::DEAD)
    }

    /// The terminals that the lexeme can still become, ascending; IGNORE is the last, if it is among them.
    #[inline]
    pub fn pending(&self, state: LexState) -> impl ExactSizeIterator<Item = Terminal> + Clone + use<'a> {
        let row = self.tables.pending_offsets.range(self.tables.pending_set.get(state.index()) as usize);
        self.tables.pending_terminals.slice(row).iter().map(|terminal| Terminal(terminal.get()))
    }
}

/// The parser.
impl<'a> GrammarView<'a> {
    /// The terminal of the end tokens.
    #[must_use]
    pub const fn end_terminal(&self) -> Terminal {
        Terminal(self.meta.end_terminal)
    }

    /// The actions on a terminal in a state, encoded; [`Action::decode`] decodes them.
    #[must_use]
    #[inline]
    pub fn actions(&self, state: LrState, terminal: Terminal) -> &'a [U32] {
        let row = self.tables.action_offsets.range(state.index());
        let terminals = self.tables.action_terminals.slice(row.clone());
        let first = terminals.partition_point(|t| t.get() < terminal.0);
        let count = terminals[first..].iter().take_while(|t| t.get() == terminal.0).count();
        self.tables.action_codes.slice(row.start + first..row.start + first + count)
    }

    /// The actions of a state on all terminals, encoded.
    #[must_use]
    pub fn all_actions(&self, state: LrState) -> &'a [U32] {
        self.tables.action_codes.slice(self.tables.action_offsets.range(state.index()))
    }

    /// The terminals for which a state has actions, ascending.
    #[must_use]
    pub fn action_terminals(&self, state: LrState) -> &'a [U32] {
        self.tables.action_terminals.slice(self.tables.action_offsets.range(state.index()))
    }

    /// The nonterminal of a production, and the number of states that it pops (at least 1).
    #[must_use]
    #[inline]
    pub fn production(&self, production: Production) -> (Nonterminal, u32) {
        let index = production.index();
        (Nonterminal(self.tables.production_lhs.get(index)), self.tables.production_length.get(index))
    }

    /// The goto state of a nonterminal that was reduced on top of `state`.
    #[must_use]
    #[inline]
    pub fn goto(&self, state: LrState, nonterminal: Nonterminal) -> Option<LrState> {
        let row = self.tables.goto_offsets.range(state.index());
        let keys = self.tables.goto_nonterminals.slice(row.clone());
        let index = keys.binary_search_by_key(&nonterminal.0, |key| key.get()).ok()?;
        Some(LrState(self.tables.goto_targets.get(row.start + index)))
    }

    /// The goto states of `state`, by nonterminal in ascending order.
    pub fn gotos(&self, state: LrState) -> impl ExactSizeIterator<Item = (Nonterminal, LrState)> + use<'a> {
        let row = self.tables.goto_offsets.range(state.index());
        let keys = self.tables.goto_nonterminals.slice(row.clone());
        let targets = self.tables.goto_targets.slice(row);
        keys.iter().zip(targets).map(|(key, target)| (Nonterminal(key.get()), LrState(target.get())))
    }
}

/// The Parser DWA and the mask store.
impl<'a> GrammarView<'a> {
    /// The state in which the Parser DWA starts to read the stack.
    #[must_use]
    #[inline]
    pub fn dwa_init(&self, state: LexState) -> DwaState {
        DwaState(self.tables.dwa_init.get(state.index()))
    }

    /// The transition on an LR state read from the stack.
    #[must_use]
    #[inline]
    pub fn dwa_next(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        let shape = self.tables.dwa_shape.get(state.index());
        let symbols = self.tables.shape_offsets.range(shape as usize);
        let (target, output) = match self.tables.dwa_symbols.position(symbols, read.0) {
            Some(index) => {
                let edge = self.tables.dwa_offsets.get(state.index()) as usize + index;
                (self.tables.dwa_targets.get(edge), self.tables.dwa_outputs.get(edge))
            }
            None => (
                self.tables.dwa_default_target.get(state.index()),
                self.tables.dwa_default_output.get(state.index()),
            ),
        };
        (target != NONE).then_some(DwaEdge { target: DwaState(target), output: MaskId(output) })
    }

    /// A mask of the store.
    #[must_use]
    pub fn mask(&self, mask: MaskId) -> MaskParts<'a> {
        MaskParts { base: self.mask_base(mask).map(|base| self.base(base)), deltas: self.mask_deltas(mask) }
    }

    /// The base bitmap of a mask; `None` stands for all zero.
    #[must_use]
    #[inline]
    pub fn mask_base(&self, mask: MaskId) -> Option<BaseId> {
        let base = self.tables.mask_base.get(mask.index());
        (base != NONE).then_some(BaseId(base))
    }

    /// The tokens in which a mask differs from its base, strictly ascending.
    #[inline]
    pub fn mask_flips(&self, mask: MaskId) -> Flips<'a> {
        Flips::new(self.mask_deltas(mask))
    }

    /// The deltas of a mask: its leader's and its own. A token in both does not differ from the base.
    #[must_use]
    #[inline]
    pub fn mask_deltas(&self, mask: MaskId) -> [Delta<'a>; 2] {
        [self.delta(self.tables.mask_leader.get(mask.index()) as usize), self.delta(mask.index())]
    }

    #[inline]
    fn delta(&self, mask: usize) -> Delta<'a> {
        Delta { gaps: self.tables.mask_delta.slice(self.tables.mask_offsets.range(mask)) }
    }

    /// A base bitmap, of [`row_words`](Self::row_words) words.
    #[must_use]
    #[inline]
    pub fn base(&self, base: BaseId) -> &'a [U32] {
        let start = base.index() * self.counts.row_words;
        self.tables.base_words.slice(start..start + self.counts.row_words)
    }
}
