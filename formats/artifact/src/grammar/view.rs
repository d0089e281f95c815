//! Reads a compiled grammar, through typed ids.
//!
//! [`GrammarView::open`] checks the whole file once, [`GrammarView::open_trusted`] its outline only. Every accessor is
//! a few reads from tables, without checks beyond the bounds of slices.

use super::completion::CompletionView;
use super::counters::Counters;
use super::counts::Counts;
use super::cut::Cut;
use super::distinct::{self, Distinct};
use super::mask_bounds::{COSTS, MaskBounds};
use super::masks::{Delta, Flips, MAX_FLIPS, MaskParts};
use super::meta::{
    COUNTER_NEEDED, COUNTER_PLACES, COUNTER_STATES, COUNTER_TOKENS, DISTANCE, DISTINCT, EXACT_AGE,
    GrammarMeta, LIMITS, META, NONE, SAME, SHARED_BASES,
};
use super::same::Same;
use super::source::{DwaEdge, LexerSource, MaskSource, NotMade, Numbering};
use super::tables::{DWA_INIT, PARSER_SECTIONS, Tables};
use super::validate;
use crate::bases::{LongTokens, TokenCharacters, VocabularyBases};
use crate::container::{
    COUNTERS, Container, DISTINCT_ITEMS, FileKind, Fingerprint, MASKS_ON_DEMAND, NESTED_ITEMS, PACKED,
    REMEMBERED_KEYS, REMEMBERED_NAMES, REPEATED_TEXTS, Section, TOKEN_LIMITS, checksum,
};
use crate::error::ArtifactError;
use crate::ids::{
    BaseId, DwaState, LexState, LrState, MaskId, Nonterminal, ProductionId, SymbolClass, Terminal, TokenId,
};
use crate::wire::{self, U32};

/// A compiled grammar.
///
/// # Invariants
/// 1. The outline of the tables was checked: their lengths fit together.
/// 2. If the view was [opened](Self::open) or [verified](Self::verify), a number read from a table is in range of the
///    table that it indexes. Ids that come from this view are in range, too.
/// 3. Accessors are total. An id that is out of range is one of a state that does nothing or of an empty row, or is
///    taken for another one: it has no meaning, and causes no panic.
#[derive(Clone, Copy, Debug)]
pub struct GrammarView<'a> {
    container: Container<'a>,
    meta: GrammarMeta,
    counts: Counts,
    tables: Tables<'a>,
    completion: Option<CompletionView<'a>>,
    /// Base bitmaps of the vocabulary: their numbers, and both words of their checksums.
    shared: &'a [[U32; 3]],
    /// The terminals with a limit on the tokens of a lexeme: the limits, and their symbols.
    limits: &'a [[U32; 3]],
    counters: Counters<'a>,
    /// The lists whose items differ.
    distinct: Distinct<'a>,
    same: Same<'a>,
    /// The base bitmaps of the vocabulary, once they are bound.
    shared_words: &'a [U32],
    /// The tokens of many characters of the vocabulary, once they are bound.
    long_tokens: LongTokens<'a>,
    /// The tokens that may begin a string with too many characters.
    entering: &'a [U32],
    /// Where masks come from, if it is not this file.
    source: Option<&'a dyn MaskSource>,
    /// Where lexer states come from, if it is not this file.
    lexer: Option<&'a dyn LexerSource>,
    numbering: Numbering,
}

/// An action of the LR parser on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Push this state, and take the next terminal.
    Shift(LrState),
    /// Pop as many states as the production has symbols, push the goto state, and look at the same terminal
    /// again.
    Reduce(ProductionId),
}

impl Action {
    /// Decodes an entry of `action_codes`.
    #[must_use]
    #[inline]
    pub fn decode(code: U32) -> Self {
        let code = code.get();
        if code & 1 == 0 { Self::Shift(LrState(code >> 1)) } else { Self::Reduce(ProductionId(code >> 1)) }
    }
}

/// Opening.
impl<'a> GrammarView<'a> {
    /// Opens the bytes of a file and [verifies](Self::verify) them, in time linear in their number, without
    /// allocation.
    ///
    /// # Errors
    /// The errors of [`Container::open`]; [`ArtifactError::MissingSection`],
    /// [`ArtifactError::SectionChecksum`] and [`ArtifactError::MalformedTable`] for a section.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ArtifactError> {
        let view = Self::open_trusted(bytes)?;
        view.verify()?;
        Ok(view)
    }

    /// Opens the bytes of a file whose content somebody vouches for: it was verified before, or its signature was. Reads
    /// header, directory and the record of numbers, and compares these with their checksums; what the tables hold
    /// is not read. If it is damaged, masks are wrong, but nothing panics.
    ///
    /// # Errors
    /// The errors of [`Container::open`]; [`ArtifactError::MissingSection`], and [`ArtifactError::MalformedTable`] for
    /// a table whose length does not fit to the others.
    pub fn open_trusted(bytes: &'a [u8]) -> Result<Self, ArtifactError> {
        Self::with(Container::open(bytes, FileKind::Grammar)?, None)
    }

    /// Opens the bytes of an artifact in a [pack](crate::pack), as [`open_trusted`](Self::open_trusted) does. `bases` are the base
    /// bitmaps of the pack.
    ///
    /// # Errors
    /// As [`open_trusted`](Self::open_trusted); the artifact has base bitmaps of its own.
    pub fn open_packed(bytes: &'a [u8], bases: &'a [u8]) -> Result<Self, ArtifactError> {
        Self::with(Container::open_with(bytes, FileKind::Grammar, PACKED)?, Some(bases))
    }

    /// Opens the bytes of tables without Parser DWA and masks, which come from elsewhere. The tables were just made: they are not verified.
    ///
    /// # Errors
    /// As [`open_trusted`](Self::open_trusted).
    pub fn open_on_demand(bytes: &'a [u8], source: &'a dyn MaskSource) -> Result<Self, ArtifactError> {
        let container = Container::open_with(bytes, FileKind::Grammar, MASKS_ON_DEMAND)?;
        let view = Self::with(container, None)?;
        let numbering = Numbering { beside: source.identity(), ..view.numbering };
        Ok(Self { source: Some(source), lexer: source.lexer(), numbering, ..view })
    }

    /// Checks the outline of a file. `bases` are the base bitmaps if they lie elsewhere.
    fn with(container: Container<'a>, bases: Option<&'a [u8]>) -> Result<Self, ArtifactError> {
        let meta = read_meta(&container)?;
        let place = bases.map_or(0, |bases| bases.as_ptr().addr() as u64);
        let numbering = Numbering { file: container.header().header_checksum, beside: place };
        let mut tables = Tables::read(&container)?;
        if let Some(bases) = bases {
            if container.header().required_features & PACKED == 0 || tables.base_words.len() > 0 {
                return tables.base_words.bad(0, "the artifact has base bitmaps of its own");
            }
            tables.base_words = tables.base_words.replaced_by(bases)?;
        }
        let shared = read_triples(&container, &SHARED_BASES, meta.shared_bases > 0)?;
        let has_limits = container.header().required_features & TOKEN_LIMITS != 0;
        let limits = read_triples(&container, &LIMITS, has_limits)?;
        let counts = tables.counts(&meta);
        let counters = read_counters(&container)?;
        let has = |feature: u64| container.header().required_features & feature != 0;
        let distinct = if has(REMEMBERED_NAMES) {
            Distinct::read(&container, distinct::PARTS)?
        } else if has(REMEMBERED_KEYS) {
            Distinct::read(&container, distinct::RECORD_PARTS)?
        } else if has(NESTED_ITEMS) {
            Distinct::read(&container, distinct::NESTED_PARTS)?
        } else if has(DISTINCT_ITEMS) {
            Distinct::read(&container, distinct::FLAT_PARTS)?
        } else {
            Distinct::default()
        };
        let same = if has(REPEATED_TEXTS) { Same::read(&container)? } else { Same::default() };
        validate::outline(container.header(), &meta, &counts, &tables)?;
        let completion = CompletionView::open_trusted(&container, &counts)?;
        Ok(Self {
            container,
            meta,
            counts,
            tables,
            completion,
            shared,
            limits,
            counters,
            distinct,
            same,
            shared_words: &[],
            long_tokens: LongTokens::default(),
            entering: &[],
            source: None,
            lexer: None,
            numbering,
        })
    }

    /// Whether masks refer to base bitmaps of the vocabulary. Then they have no meaning before these are [bound](Self::with_bases).
    #[must_use]
    pub const fn refers_to_bases(&self) -> bool {
        self.meta.shared_bases > 0
    }

    /// The base bitmaps of the vocabulary to which masks refer: the number of each, and the low and the high word of its checksum.
    #[must_use]
    pub const fn shared_bases(&self) -> &'a [[U32; 3]] {
        self.shared
    }

    /// Binds the base bitmaps of the vocabulary, to which masks refer: compares the checksums.
    ///
    /// # Errors
    /// [`ArtifactError::MissingBase`] and [`ArtifactError::WrongBase`] if the vocabulary does not have a bitmap, or has another one;
    /// [`ArtifactError::WrongLongTokens`] if it counts the characters of tokens in another way.
    pub fn with_bases(self, bases: VocabularyBases<'a>) -> Result<Self, ArtifactError> {
        for [number, low, high] in self.shared {
            let expected = u64::from(low.get()) | u64::from(high.get()) << 32;
            match bases.checksum(number.get()) {
                None => return Err(ArtifactError::MissingBase { number: number.get() }),
                Some(found) if found != expected => {
                    return Err(ArtifactError::WrongBase { number: number.get() });
                }
                Some(_) => {}
            }
        }
        if !self.counters.is_empty() && bases.long_tokens().checksum() != self.counters.checksum() {
            return Err(ArtifactError::WrongLongTokens);
        }
        let long_tokens = bases.long_tokens();
        let entering = self.counters.entering(long_tokens);
        Ok(Self { shared_words: bases.words(), long_tokens, entering, ..self })
    }

    /// Compares all sections with their checksums, also those that no mask needs, and checks that the content of the tables fits together.
    ///
    /// # Errors
    /// [`ArtifactError::SectionChecksum`] and [`ArtifactError::MalformedTable`] for a section,
    /// [`ArtifactError::MalformedDirectory`] for bytes between the sections.
    pub fn verify(&self) -> Result<(), ArtifactError> {
        self.container.verify()?;
        if !self.limits.is_empty() {
            validate::limits(&self.meta, self.limits)?;
        }
        if !self.counters.is_empty() {
            self.counters.validate(self.counts.lexer_states)?;
        }
        if !self.same.is_empty() {
            self.container.check(&SAME)?;
            self.same.validate(self.meta.terminal_count, self.meta.mask_width)?;
        }
        if !self.distinct.is_empty() {
            self.distinct.validate(self.meta.terminal_count, self.meta.mask_width)?;
        }
        validate::contents(&self.meta, &self.counts, &self.tables, self.shared)?;
        self.completion.map_or(Ok(()), |completion| completion.validate(&self.meta, &self.counts))
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

    /// What completing a text costs; `None` if the file does not say, because it was compiled without budgets or is older, or if masks are
    /// made on demand and the source does not know it yet.
    #[must_use]
    pub fn completion(&self) -> Option<&CompletionView<'a>> {
        match self.source {
            Some(source) => source.completion(),
            None => self.completion.as_ref(),
        }
    }

    /// What the numbers of masks, of bases and of states of the Parser DWA belong to.
    #[must_use]
    pub const fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// A checksum of what commits read: the lexer, the LR tables, the limits and the vocabulary. Two artifacts with the same one accept the
    /// same texts, with the same numbers of states. They may differ in budgets and metadata, and in how their masks are stored.
    ///
    /// Where lexer states are made on demand, it is that of the artifact; `None` if the lexer as a whole exceeds a limit, so that there is none.
    #[must_use]
    pub fn parser_checksum(&self) -> Option<u64> {
        if let Some(lexer) = self.lexer {
            return lexer.parser_checksum();
        }
        Some(parser_checksum(&self.container, &self.meta))
    }

    /// The sizes of the automata and of the mask store.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What the file states about its costs, with the symbols that make masks read on for ever; the symbols
    /// are empty if none do. `None` if the file is older than this statement.
    ///
    /// # Errors
    /// The section is damaged.
    pub fn mask_bounds(&self) -> Result<Option<(MaskBounds, &'a str)>, ArtifactError> {
        let bytes = match self.container().bytes(&COSTS) {
            Err(ArtifactError::MissingSection { .. }) => return Ok(None),
            bytes => bytes?,
        };
        let malformed =
            |problem| ArtifactError::MalformedTable { table: COSTS.name, index: bytes.len(), problem };
        let (record, text) = bytes.split_first_chunk().ok_or(malformed("it ends within the record"))?;
        let text = core::str::from_utf8(text).map_err(|_| malformed("the text is not UTF-8"))?;
        Ok(Some((MaskBounds::read(record), text)))
    }

    /// The number of words in a mask: ceil(V / 32).
    #[must_use]
    pub const fn row_words(&self) -> usize {
        self.counts.row_words
    }
}

/// The index of an entry in a table with rows of equal width. It is beyond the end of every table if the row is.
#[inline]
const fn entry(row: u32, width: u32, column: u32) -> usize {
    (row as usize).saturating_mul(width as usize).saturating_add(column as usize)
}

fn read_counters<'a>(container: &Container<'a>) -> Result<Counters<'a>, ArtifactError> {
    if container.header().required_features & COUNTERS == 0 {
        return Ok(Counters::default());
    }
    let entries = read_triples(container, &COUNTER_STATES, true)?;
    let (places, _) = container.stored(&COUNTER_PLACES)?;
    let problem = "there is no counter";
    let none = ArtifactError::MalformedTable { table: COUNTER_STATES.name, index: 0, problem };
    let optional = |section| match container.stored(section) {
        Err(ArtifactError::MissingSection { .. }) => Ok(&[][..]),
        stored => Ok(stored?.0),
    };
    let (needed, tokens) = (optional(&COUNTER_NEEDED)?, optional(&COUNTER_TOKENS)?);
    let tokens = wire::words(tokens).unwrap_or_default();
    Counters::read(entries, places, needed, tokens).ok_or(none)
}

/// The entries of a section that has three words per entry, if it is there.
fn read_triples<'a>(
    container: &Container<'a>,
    section: &Section,
    is_there: bool,
) -> Result<&'a [[U32; 3]], ArtifactError> {
    if !is_there {
        return Ok(&[]);
    }
    let (bytes, _) = container.stored(section)?;
    match wire::words(bytes).map(|words| words.as_chunks()) {
        Some((entries, [])) => Ok(entries),
        _ => {
            let problem = "it ends within an entry";
            Err(ArtifactError::MalformedTable { table: section.name, index: 0, problem })
        }
    }
}

/// The checksum of what commits read in a container.
pub(super) fn parser_checksum(container: &Container<'_>, meta: &GrammarMeta) -> u64 {
    let optional =
        [LIMITS, COUNTER_STATES, COUNTER_PLACES, COUNTER_NEEDED, DISTINCT, SAME].map(|section| section.kind);
    let is_read = |kind: u32| optional.contains(&kind) || PARSER_SECTIONS.contains(&kind) && kind != DWA_INIT;
    let mix = |sum: u64, other: u64| checksum([sum, other].map(u64::to_le_bytes).as_flattened());
    let entries = container.entries().filter(|entry| is_read(entry.kind));
    let GrammarMeta { end_symbol, context_count, end_terminal, .. } = *meta;
    let numbers = [end_symbol, context_count, end_terminal].map(u64::from);
    let vocabulary = checksum(&container.header().vocabulary);
    entries.map(|entry| entry.checksum).chain(numbers).fold(vocabulary, mix)
}

fn read_meta(container: &Container<'_>) -> Result<GrammarMeta, ArtifactError> {
    let bytes = container.bytes(&META)?;
    let malformed =
        ArtifactError::MalformedTable { table: META.name, index: bytes.len(), problem: "wrong length" };
    bytes.try_into().map(GrammarMeta::read).map_err(|_| malformed)
}

/// The target of a lexer state, as `lexer_targets` has it.
#[inline]
const fn target(state: LexState, code: u32) -> LexState {
    let origin = if code & 1 == 0 { 0 } else { state.0.wrapping_sub(DISTANCE) };
    LexState(origin.wrapping_add(code >> 1))
}

/// The lexer.
impl<'a> GrammarView<'a> {
    /// The symbol class of a byte.
    #[must_use]
    #[inline]
    pub fn byte_symbol(&self, byte: u8) -> SymbolClass {
        SymbolClass(self.tables.byte_class.get(usize::from(byte)))
    }

    /// The symbol class of a token that the grammar matches by id: that of the end tokens only if the token does nothing but end a text.
    #[must_use]
    pub fn special_symbol(&self, token: TokenId) -> Option<SymbolClass> {
        let behind = self.tables.special_tokens.all().partition_point(|special| special.get() <= token.0);
        self.special_symbol_at(behind.checked_sub(1)?, token)
    }

    /// Whether a token ends a text, where that may end.
    #[must_use]
    pub fn ends_text(&self, token: TokenId) -> bool {
        let first = self.tables.special_tokens.all().partition_point(|special| special.get() < token.0);
        self.special_symbol_at(first, token).is_some_and(|symbol| self.is_end(symbol))
    }

    /// The symbol class at this place of the list of special tokens, if it is one of the token.
    fn special_symbol_at(&self, index: usize, token: TokenId) -> Option<SymbolClass> {
        let special = self.tables.special_tokens.all().get(index)?;
        (special.get() == token.0).then(|| SymbolClass(self.tables.special_classes.get(index)))
    }

    /// All tokens that the grammar matches by id, ascending. One that ends a text where it is not read within one comes twice.
    pub fn special_tokens(&self) -> impl Iterator<Item = TokenId> + use<'a> {
        self.tables.special_tokens.all().iter().map(|token| TokenId(token.get()))
    }

    /// The symbol classes of all special tokens that the grammar uses; a class may come several times.
    pub fn special_symbols(&self) -> impl Iterator<Item = SymbolClass> + use<'a> {
        self.tables.special_classes.all().iter().map(|class| SymbolClass(class.get()))
    }

    /// Whether a symbol class is that of the end tokens.
    #[must_use]
    #[inline]
    pub const fn is_end(&self, symbol: SymbolClass) -> bool {
        symbol.0 == self.meta.end_symbol
    }

    /// Whether there are limits on the tokens of lexemes.
    #[must_use]
    #[inline]
    pub const fn has_limits(&self) -> bool {
        !self.limits.is_empty()
    }

    /// The limits on the tokens of lexemes, and the symbols to read then. Neighbouring terminals with the same one count once.
    pub fn limits(&self) -> impl Iterator<Item = (u32, SymbolClass)> + use<'a> {
        let alike = self.limits.chunk_by(|a, b| a[2] == b[2]);
        alike.map(|alike| (alike[0][1].get() & !EXACT_AGE, SymbolClass(alike[0][2].get())))
    }

    /// The greatest limit on the tokens of a lexeme, 0 without limits; and whether lexemes of different ages below it are different.
    #[must_use]
    pub fn ages(&self) -> (u32, bool) {
        let limits = || self.limits.iter().map(|limit| limit[1].get());
        let oldest = limits().map(|most| most & !EXACT_AGE).max().unwrap_or(0);
        (oldest, limits().any(|most| most & EXACT_AGE != 0))
    }

    /// The lists whose items differ.
    #[must_use]
    #[inline]
    pub const fn distinct(&self) -> &Distinct<'a> {
        &self.distinct
    }

    /// The texts that are repeated.
    #[must_use]
    #[inline]
    pub const fn same(&self) -> &Same<'a> {
        &self.same
    }

    /// Whether masks and commits depend on the text so far.
    #[must_use]
    #[inline]
    pub const fn remembers(&self) -> bool {
        !self.distinct.is_empty() || !self.same.is_empty()
    }

    /// The counters of the lexer.
    #[must_use]
    pub const fn counters(&self) -> &Counters<'a> {
        &self.counters
    }

    /// The number that stands for a lexer state, or a counted one, in saved matchers; `None` if it is made on demand, and the lexer as a whole
    /// exceeds a limit. It is the same on demand and in the artifact.
    #[must_use]
    pub fn number(&self, state: LexState) -> Option<LexState> {
        let Some(lexer) = self.lexer else { return Some(state) };
        match self.counters.counted(state) {
            Some(counted) => lexer.number(counted.state, Some(counted.characters)),
            None => lexer.number(state, None),
        }
    }

    /// The lexer state, or the counted one, that a [number](Self::number) stands for; `None` if it stands for none.
    #[must_use]
    pub fn numbered(&self, number: LexState) -> Option<LexState> {
        match self.lexer {
            Some(lexer) => match lexer.numbered(number)? {
                (state, Some(characters)) => self.counters.with_characters(state, characters),
                (state, None) => Some(state),
            },
            None => {
                let is_state = number.index() < self.counts.lexer_states;
                (is_state || self.counters.counted(number).is_some()).then_some(number)
            }
        }
    }

    /// The lexer state without the number of characters, if it is a counted one.
    #[must_use]
    #[inline]
    pub fn uncounted(&self, state: LexState) -> LexState {
        if state.index() < self.counts.lexer_states {
            return state;
        }
        let uncounted = if self.lexer.is_some() { state } else { LexState::DEAD };
        self.counters.counted(state).map_or(uncounted, |counted| counted.state)
    }

    /// The tokens that do not begin more characters than a counted state has left; `None` if all tokens fit, or the state is not counted.
    ///
    /// # Errors
    /// What the state knows of tokens is made on demand, and a limit is exceeded.
    #[inline]
    pub fn cut(&self, state: LexState) -> Result<Option<Cut<'a>>, NotMade> {
        if state.index() < self.counts.lexer_states {
            return Ok(None);
        }
        self.counters.cut(state, self.shared_words, self.counts.row_words, self.long_tokens, self.lexer)
    }

    /// The tokens that may begin a string with more characters than its counter allows: masks have them, although they may not come next.
    pub fn entering(&self) -> impl ExactSizeIterator<Item = TokenId> + use<'a> {
        self.entering.iter().map(|entry| TokenCharacters::of(entry).token)
    }

    /// The kind of a lexer state.
    #[inline]
    fn kind(&self, state: LexState) -> usize {
        self.tables.lexer_kind.get(self.uncounted(state).index()) as usize
    }

    /// The lexer state after a symbol within a lexeme.
    #[must_use]
    #[inline]
    pub fn next(&self, state: LexState, symbol: SymbolClass) -> LexState {
        if self.counters.is_empty() {
            return self.next_uncounted(state, symbol);
        }
        let from = self.counters.counted(state);
        self.counters.reached(from, self.next_uncounted(from.map_or(state, |from| from.state), symbol))
    }

    #[inline]
    fn next_uncounted(&self, state: LexState, symbol: SymbolClass) -> LexState {
        if let Some(lexer) = self.lexer {
            return lexer.next(state, symbol);
        }
        let kind = self.tables.lexer_kind.get(state.index()) as usize;
        let pattern = self.tables.lexer_pattern.get(kind);
        match self.tables.pattern_slots.get(entry(pattern, self.meta.class_count, symbol.0)) {
            0 => LexState::DEAD,
            slot => {
                let first = self.tables.target_offsets.get(kind);
                target(state, self.tables.lexer_targets.get(first.wrapping_add(slot - 1) as usize))
            }
        }
    }

    /// The terminals that a lexeme ending in this state may be.
    #[inline]
    pub fn accepts(&self, state: LexState) -> impl ExactSizeIterator<Item = Terminal> + use<'a> {
        let accepts = match self.lexer {
            Some(lexer) => lexer.accepts(self.uncounted(state)),
            None => self.tables.accept_terminals.slice(self.tables.accept_offsets.range(self.kind(state))),
        };
        accepts.iter().map(|terminal| Terminal(terminal.get()))
    }

    /// The lexer state in which the next lexeme starts, after a lexeme that ended in `ended`, with `top` on
    /// the parser stack.
    #[must_use]
    #[inline]
    pub fn restart(&self, ended: LexState, top: LrState) -> LexState {
        self.restart_in(self.end_class(ended), top)
    }

    /// The end class of a state. Where states are made on demand, there is one.
    #[inline]
    fn end_class(&self, state: LexState) -> u32 {
        if self.lexer.is_some() { 0 } else { self.tables.end_class.get(self.kind(state)) }
    }

    /// Whether the text may end after a lexeme that ended in `ended`, with `top` on the parser stack, as far as the lexer decides: longer lexemes
    /// and what has to follow a lexeme may forbid it.
    #[must_use]
    #[inline]
    pub fn may_end(&self, ended: LexState, top: LrState) -> bool {
        let end = self.meta.end_symbol;
        end == NONE || self.next(self.restart(ended, top), SymbolClass(end)) != LexState::DEAD
    }

    /// The lexer states in which the next lexeme may start, after a lexeme that ended in `ended`: one per
    /// context.
    pub fn restarts(&self, ended: LexState) -> impl Iterator<Item = LexState> + use<'a> {
        let contexts = self.meta.context_count;
        let row = entry(self.end_class(ended), contexts, 0);
        let row = if self.lexer.is_some() { 0..0 } else { row..row.saturating_add(contexts as usize) };
        let made =
            self.lexer.into_iter().flat_map(move |lexer| (0..contexts).map(|context| lexer.start(context)));
        self.tables.restart.slice(row).iter().map(|state| LexState(state.get())).chain(made)
    }

    /// The lexer state at the beginning of the text.
    #[must_use]
    pub fn initial_lex_state(&self) -> LexState {
        self.restart_in(0, LrState::INITIAL)
    }

    #[inline]
    fn restart_in(&self, end_class: u32, top: LrState) -> LexState {
        let context = self.tables.lr_context.get(top.index());
        match self.lexer {
            Some(lexer) => lexer.start(context),
            None => LexState(self.tables.restart.get(entry(end_class, self.meta.context_count, context))),
        }
    }

    /// The terminals that the lexeme can still become, ascending; IGNORE is the last, if it is among them.
    #[inline]
    pub fn pending(&self, state: LexState) -> impl ExactSizeIterator<Item = Terminal> + Clone + use<'a> {
        let pending = match self.lexer {
            Some(lexer) => lexer.pending(self.uncounted(state)),
            None => {
                let row = self.tables.pending_set.get(self.kind(state)) as usize;
                self.tables.pending_terminals.slice(self.tables.pending_offsets.range(row))
            }
        };
        pending.iter().map(|terminal| Terminal(terminal.get()))
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
    pub fn production(&self, production: ProductionId) -> (Nonterminal, u32) {
        let index = production.index();
        let length = self.tables.production_length.get(index).max(1);
        (Nonterminal(self.tables.production_lhs.get(index)), length)
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
        let state = self.uncounted(state);
        if let Some(source) = self.source {
            return source.start(state);
        }
        DwaState(self.tables.dwa_init.get(state.index()))
    }

    /// The transition on an LR state read from the stack.
    #[must_use]
    #[inline]
    pub fn dwa_next(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        if let Some(source) = self.source {
            return source.next(state, read);
        }
        let shape = self.tables.dwa_shape.get(state.index());
        let symbols = self.tables.shape_offsets.range(shape as usize);
        let (target, output) = match self.tables.dwa_symbols.position(symbols, read.0) {
            Some(index) => {
                let edge = (self.tables.dwa_offsets.get(state.index()) as usize).saturating_add(index);
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
        if let Some(source) = self.source {
            return source.mask(mask).0;
        }
        let base = self.tables.mask_base.get(mask.index());
        ((base as usize) < self.counts.bases).then_some(BaseId(base))
    }

    /// The tokens in which a mask differs from its base, strictly ascending and less than the width of the mask.
    #[inline]
    pub fn mask_flips(&self, mask: MaskId) -> Flips<'a> {
        Flips::new(self.mask_deltas(mask), self.meta.mask_width)
    }

    /// The deltas of a mask: its leader's and its own. A token in both does not differ from the base. Each has at most
    /// [`MAX_FLIPS`] gaps.
    #[must_use]
    #[inline]
    pub fn mask_deltas(&self, mask: MaskId) -> [Delta<'a>; 2] {
        if let Some(source) = self.source {
            return [Delta { gaps: &[] }, source.mask(mask).1];
        }
        [self.delta(self.tables.mask_leader.get(mask.index()) as usize), self.delta(mask.index())]
    }

    #[inline]
    fn delta(&self, mask: usize) -> Delta<'a> {
        let gaps = self.tables.mask_delta.slice(self.tables.mask_offsets.range(mask));
        Delta { gaps: gaps.get(..MAX_FLIPS).unwrap_or(gaps) }
    }

    /// A base bitmap, of [`row_words`](Self::row_words) words if there is a base with this number. Those of the vocabulary are there once
    /// they are [bound](Self::with_bases).
    #[must_use]
    #[inline]
    pub fn base(&self, base: BaseId) -> &'a [U32] {
        if let Some(source) = self.source {
            return source.base(base);
        }
        let (words, row) = match base.0.checked_sub(self.meta.shared_bases) {
            Some(own) => (self.tables.base_words.all(), own),
            None => (self.shared_words, base.0),
        };
        let start = entry(row, self.counts.row_words as u32, 0);
        words.get(start..start.saturating_add(self.counts.row_words)).unwrap_or_default()
    }
}
