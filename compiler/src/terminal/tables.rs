//! Tables over the states of the walked automaton that all walks of the vocabulary share.
//!
//! In: the lexer and the tokens. Out: [`WalkTables`], with what lets walks share results, and copies
//! of what the inner loop of a walk reads.

use super::characters::Characters;
use super::counting::{CountingAutomaton, Finder};
use super::default_transition::DefaultTransitions;
use super::followers::Followers;
use super::neutral::Neutral;
use super::parts::Parts;
use super::reached::Reached;
use super::shortcuts::Shortcuts;
use super::tokens::Tokens;
use super::uniform::UniformSubtrees;
use crate::ids::LexState;
use crate::lexer::{Lexer, PendingId, Symbols};
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
pub struct WalkTables {
    pub(super) shortcuts: Shortcuts,
    pub(super) parts: Parts,
    pub(super) counting: CountingAutomaton,
    pub(super) uniform: UniformSubtrees,
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

impl WalkTables {
    /// Computes the tables for walks of `tokens` from the states of `lexer`.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        tokens: &Tokens,
        any_split: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let reached = Reached::of_lexer(lexer, symbols, any_split);
        let shortcuts = Shortcuts::default();
        Self::of(lexer, reached, None, symbols, tokens, any_split, false, shortcuts, budget)
    }

    /// The same, with keys of languages if these are `keyed`. `reached` says what the lexer can be in; if it says this of its members, the lexer itself
    /// is not looked at. `parser` says what may follow free text, if it is known.
    #[expect(clippy::too_many_arguments, reason = "they are all that the tables are made of")]
    pub(crate) fn of(
        lexer: &Lexer,
        reached: Reached<'_>,
        parser: Option<&LrTables>,
        symbols: &Symbols,
        tokens: &Tokens,
        any_split: bool,
        keyed: bool,
        shortcuts: Shortcuts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let budget = &budget.stage("terminal");
        let is_divided = shortcuts.parts && (keyed || !reached.is_one_automaton);
        let members = reached.members.as_deref().filter(|_| is_divided);
        let parts = Parts::new(members, symbols, keyed, budget)?;
        let lexer = parts.walked(lexer);
        let followers = match parser {
            Some(parser) => Followers::new(&reached, lexer, symbols, parser, &parts, budget)?,
            None => Followers::default(),
        };
        let mut may_start = reached.may_start;
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
            true => {
                CountingAutomaton::new(&Finder { lexer, symbols, characters: &characters, defaults }, budget)?
            }
            false => CountingAutomaton::default(),
        };
        let mut uniform = UniformSubtrees::new(lexer, &neutral, tokens, &characters, defaults, budget)?;
        if !shortcuts.uniform {
            uniform.forget();
        }
        let mut states: Vec<StateData> = (0..lexer.states()).map(data).collect();
        for &(state, bytes) in &followers.of {
            states[state.index()].starts = may_start.len() as u32;
            may_start.push(bytes);
        }
        let byte_class = symbols.byte_class;
        Ok(Self { shortcuts, uniform, byte_class, counting, states, may_start, followers, parts })
    }
}

impl Keys {
    /// Whether languages have keys.
    pub(crate) fn are_made(
        self,
        reached: &Reached<'_>,
        parser: Option<&LrTables>,
        symbols: &Symbols,
    ) -> bool {
        match self {
            Self::None => false,
            // What comes with the vocabulary are walks of lexemes that others follow.
            Self::Precomputed => {
                reached.starts_like_others()
                    && !parser.is_some_and(|parser| is_one_lexeme(reached, parser, symbols))
            }
            Self::All => true,
        }
    }
}

/// Whether every text is a single lexeme, as it is with choices: nothing but the end of the text may follow one.
fn is_one_lexeme(reached: &Reached<'_>, parser: &LrTables, symbols: &Symbols) -> bool {
    let end = TerminalId::new(symbols.terminals.len() - 1);
    let shifted =
        parser.entries().into_iter().enumerate().filter(|(_, entry)| matches!(entry, Entry::Shift(_)));
    !reached.has_ignored()
        && shifted.flat_map(|(state, _)| parser.actions.row(state)).all(|&(terminal, _)| terminal == end)
}
