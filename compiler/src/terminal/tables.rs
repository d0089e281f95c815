//! Tables over the states of the walked automaton that all walks of the vocabulary share.
//!
//! In: the lexer and the tokens. Out: [`WalkTables`], with what lets walks share results, and copies
//! of what the inner loop of a walk reads.

use super::characters::Characters;
use super::counting::{CountedCharacters, CountingAutomaton, Finder};
use super::default_transition::DefaultTransitions;
use super::followers::Followers;
use super::neutral::Neutral;
use super::parts::Parts;
use super::shortcuts::Shortcuts;
use super::starts::STARTS;
use super::tokens::Tokens;
use super::uniform::UniformSubtrees;
use crate::ids::LexState;
use crate::lexer::{IGNORED, Lexer, PendingId, Symbols};
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashMap;

/// Which languages have keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keys {
    None,
    /// Those of grammars that may have walks that come with the vocabulary.
    Precomputed,
    /// All, so that walks can be kept.
    All,
}

/// Tables for walks of the vocabulary.
pub struct WalkTables<'a> {
    pub(super) shortcuts: Shortcuts,
    pub(super) parts: Parts,
    pub(super) counting: CountingAutomaton,
    pub(super) counted: CountedCharacters,
    pub(super) characters: Characters,
    pub(super) uniform: UniformSubtrees<'a>,
    pub(super) byte_class: [u16; 256],
    pub(super) states: Vec<StateData>,
    /// Per end class: the bytes that can start a lexeme after it, in some context. Then those of states of free text.
    pub(super) may_start: Vec<ByteSet>,
    pub(super) followers: Followers,
}

/// What the inner loop of a walk reads about a state.
#[derive(Clone, Copy)]
pub(super) struct StateData {
    pub(super) pending: PendingId,
    pub(super) accepting: bool,
    /// The first state that accepts the same terminals with the same end class.
    pub(super) accepts_like: LexState,
    /// The bytes that can start a lexeme after one that ends here, in `may_start`.
    pub(super) starts: u32,
}

impl<'a> WalkTables<'a> {
    /// Computes the tables for walks of `tokens` from the states of `lexer`.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        tokens: &Tokens<'a>,
        any_split: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        Self::with_keys(lexer, None, symbols, tokens, any_split, Keys::None, Shortcuts::default(), budget)
    }

    /// The same, with the keys of these languages.
    /// `parser` says what may follow free text, if it is known.
    #[expect(clippy::too_many_arguments, reason = "they are all that the tables are made of")]
    pub(crate) fn with_keys(
        lexer: &Lexer,
        parser: Option<&LrTables>,
        symbols: &Symbols,
        tokens: &Tokens<'a>,
        any_split: bool,
        keys: Keys,
        shortcuts: Shortcuts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let budget = &budget.stage("terminal");
        let mut may_start = may_start(lexer, symbols);
        // Where more lexemes seem to start, more is walked and nothing more is found; but the walks are those of other grammars.
        if any_split {
            for starts in &mut may_start {
                let whole = STARTS.iter().find(|whole| starts.is_subset(whole));
                *starts = whole.copied().unwrap_or(*starts);
            }
        }
        // What comes with the vocabulary are walks of lexemes that others follow.
        let is_one_lexeme = parser.is_some_and(|parser| is_one_lexeme(lexer, parser, symbols));
        let has_precomputed =
            !is_one_lexeme && may_start.first().is_some_and(|starts| STARTS.contains(starts));
        let keyed = match keys {
            Keys::None => false,
            Keys::Precomputed => has_precomputed,
            Keys::All => true,
        };
        let parts = Parts::new(lexer, symbols, keyed, shortcuts.parts, budget)?;
        let followers = match parser {
            Some(parser) => Followers::new(lexer, symbols, parser, &parts, budget)?,
            None => Followers::default(),
        };
        let lexer = parts.walked(lexer);
        let mut first_of = FxHashMap::default();
        let data = |s: usize| StateData {
            pending: lexer.pending[s],
            accepting: !lexer.accepts.row(s).is_empty(),
            starts: lexer.end_class[s].0,
            accepts_like: *first_of
                .entry((lexer.accepts.row(s), lexer.end_class[s]))
                .or_insert(LexState::new(s)),
        };
        let defaults = &DefaultTransitions::new(lexer, symbols);
        let neutral = Neutral::new(lexer, any_split, &followers);
        let characters = Characters::new(lexer, symbols, &neutral);
        let counting = match shortcuts.counting {
            true => CountingAutomaton::new(lexer, defaults, budget)?,
            false => CountingAutomaton::default(),
        };
        let byte_class = symbols.byte_class;
        let finder = Finder { automaton: &counting, lexer, byte_class: &byte_class, characters: &characters };
        let counted = CountedCharacters::new(&finder, defaults);
        let mut uniform = UniformSubtrees::new(lexer, &neutral, tokens, &characters, defaults, budget)?;
        if !shortcuts.uniform {
            uniform.forget();
        }
        let mut states: Vec<StateData> = (0..lexer.states()).map(data).collect();
        for &(state, bytes) in &followers.of {
            states[state.index()].starts = may_start.len() as u32;
            may_start.push(bytes);
        }
        Ok(Self {
            shortcuts,
            counted,
            uniform,
            byte_class,
            counting,
            characters,
            states,
            may_start,
            followers,
            parts,
        })
    }

    /// Finds how lexer states count characters.
    pub(super) fn finder<'t>(&'t self, lexer: &'t Lexer) -> Finder<'t> {
        Finder {
            automaton: &self.counting,
            lexer,
            byte_class: &self.byte_class,
            characters: &self.characters,
        }
    }
}

/// Whether every text is a single lexeme, as it is with choices: nothing but the end of the text may follow one.
fn is_one_lexeme(lexer: &Lexer, parser: &LrTables, symbols: &Symbols) -> bool {
    let end = TerminalId::new(symbols.terminals.len() - 1);
    let shifted =
        parser.entries().into_iter().enumerate().filter(|(_, entry)| matches!(entry, Entry::Shift(_)));
    !lexer.pending_sets.items().contains(&IGNORED)
        && shifted.flat_map(|(state, _)| parser.actions.row(state)).all(|&(terminal, _)| terminal == end)
}

/// Per end class: the bytes that can start a lexeme after it, in some context.
fn may_start(lexer: &Lexer, symbols: &Symbols) -> Vec<ByteSet> {
    let mut first = FxHashMap::default();
    let mut first_of = |state: LexState| -> ByteSet {
        *first.entry(state).or_insert_with(|| {
            let is_first = |&byte: &u8| lexer.next(state, symbols.class_of(byte)) != LexState::DEAD;
            (0..=u8::MAX).filter(is_first).collect()
        })
    };
    let starts_of = |row: &[LexState]| {
        let mut starts = ByteSet::default();
        for &state in row.iter().filter(|&&state| state != LexState::DEAD) {
            starts |= first_of(state);
        }
        starts
    };
    lexer.restarts.chunks(lexer.contexts).map(starts_of).collect()
}
