//! Where masks and lexer states come from that are not in the file.

use core::fmt::Debug;

use super::completion::CompletionView;
use super::masks::Delta;
use crate::ids::{BaseId, DwaState, LexState, LrState, MaskId, SymbolClass};
use crate::wire::U32;

/// A transition of the Parser DWA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DwaEdge {
    /// The next state.
    pub target: DwaState,
    /// The tokens that the transition allows.
    pub output: MaskId,
}

/// What numbers of masks, of bases and of states of the Parser DWA belong to. With another numbering they mean something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbering {
    /// The header checksum of the file, which covers the whole file.
    pub(super) file: u64,
    /// What the numbers refer to besides the file: the identity of the [`MaskSource`], or the place of the bases of a pack.
    pub(super) beside: u64,
}

/// A Parser DWA and a mask store that are made while they are read, for a grammar whose file has neither.
///
/// # Contract
/// Numbers of states, masks and bases are never used for anything else, as long as the source lives: readers may remember them.
/// State 0 stops, mask 0 is empty. Several threads read at the same time.
pub trait MaskSource: Sync + Debug {
    /// A number that no other source of this process has or had.
    fn identity(&self) -> u64;

    /// Where the states of the lexer come from; `None` if they are in the file.
    fn lexer(&self) -> Option<&dyn LexerSource>;

    /// What completing a text costs, by the numbers of the lexer and the LR tables of the artifact; `None` as long as it is not known.
    fn completion(&self) -> Option<&CompletionView<'_>>;

    /// The state in which the Parser DWA starts to read the stack, for a lexer state.
    fn start(&self, state: LexState) -> DwaState;

    /// The transition on an LR state read from the stack; `None` if there is none. If it cannot be made, because a limit is
    /// exceeded, the output is [`MaskId::UNKNOWN`].
    fn next(&self, state: DwaState, read: LrState) -> Option<DwaEdge>;

    /// The base bitmap of a mask, and the tokens to flip in it; no base stands for all zero.
    fn mask(&self, mask: MaskId) -> (Option<BaseId>, Delta<'_>);

    /// A base bitmap, of as many words as a mask has.
    fn base(&self, base: BaseId) -> &[U32];
}

/// Something cannot be made on demand, because a limit is exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotMade;

/// A lexer whose states are made while they are read, for a grammar whose file has none but the dead state. After every lexeme the same
/// lexemes may start: there are no end classes.
///
/// # Contract
/// Numbers of states are never used for anything else, as long as the source lives. [`LexState::UNKNOWN`] stands for a state that cannot be
/// made, because a limit is exceeded; it leads to itself, and has no terminals. Several threads read at the same time. States that count
/// characters have the numbers that the section `counters` gives them, behind those of all others. Nothing asks for counted states here.
pub trait LexerSource: Sync + Debug {
    /// The state after a symbol within a lexeme.
    fn next(&self, state: LexState, symbol: SymbolClass) -> LexState;

    /// The terminals that a lexeme ending in this state may be, ascending.
    fn accepts(&self, state: LexState) -> &[U32];

    /// The terminals that the lexeme can still become, ascending.
    fn pending(&self, state: LexState) -> &[U32];

    /// The state in which a lexeme starts in a context.
    fn start(&self, context: u32) -> LexState;

    /// For a state that counts characters, and so many that are left: a list as in the section `counter_tokens`, or nothing if the vocabulary is right.
    ///
    /// # Errors
    /// The list cannot be made, because a limit is exceeded.
    fn counter_tokens(&self, state: LexState, left: u32) -> Result<&[U32], NotMade>;

    /// The number that the artifact has for a state, or for a counted one with so many characters; `None` if the lexer as a whole exceeds a limit.
    fn number(&self, state: LexState, characters: Option<u32>) -> Option<LexState>;

    /// The state that has this number in the artifact, and the characters if it is a counted one; `None` if there is none, or it cannot be made.
    fn numbered(&self, number: LexState) -> Option<(LexState, Option<u32>)>;

    /// The [checksum](super::GrammarView::parser_checksum) of the parser of the artifact; `None` if the lexer as a whole exceeds a limit.
    fn parser_checksum(&self) -> Option<u64>;
}
