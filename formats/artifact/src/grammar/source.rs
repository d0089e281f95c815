//! Where masks come from that are not in the file.

use core::fmt::Debug;

use super::completion::CompletionView;
use super::masks::Delta;
use crate::ids::{BaseId, DwaState, LexState, LrState, MaskId};
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

    /// What completing a text costs, by the numbers of the lexer and the LR tables of the file; `None` as long as it is not known.
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
