//! Finds lexer states that do not distinguish characters beyond ASCII.
//!
//! In: the lexer, and the moves of UTF-8. Out: per state and [`Phase`] of a
//! character, the target that every way to complete the character leads to, if there is a single target. The
//! text of most strings is treated like this, so that its characters need not be walked byte by byte.

use super::neutral::Neutral;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::{Move, Phase, symbols};

/// For a state, by phase: the common target of all ways to complete a character over neutral transitions, or the
/// dead state. In the phase between characters these are all characters beyond ASCII.
type Ends = [LexState; Phase::COUNT];

/// The classes of the bytes that may follow in a phase, each with the next phase.
fn moves(symbols: &Symbols, phase: Phase) -> Vec<(SymbolClass, Phase)> {
    let of_move = |&(first, last, to): &Move| {
        let class = |byte: u8| SymbolClass(u32::from(symbols.byte_class[usize::from(byte)]));
        (first..=last).map(move |byte| (class(byte), to))
    };
    let mut moves: Vec<_> = phase.moves().iter().flat_map(of_move).collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// Per state: the states that the rest of a character leads to over neutral transitions.
pub(super) struct Characters(Vec<Ends>);

impl Characters {
    /// Tables for the states of a lexer.
    pub(super) fn new(lexer: &Lexer, symbols: &Symbols, neutral: &Neutral<'_>) -> Self {
        let mut ends = vec![[LexState::DEAD; Phase::COUNT]; lexer.states()];
        for phase in Phase::all() {
            let moves = moves(symbols, phase);
            for state in (0..lexer.states()).map(LexState::new) {
                let mut targets = moves.iter().map(|&(class, next)| {
                    let to = lexer.next(state, class);
                    match neutral.is(state, to) {
                        false => LexState::DEAD,
                        true if next == Phase::BETWEEN => to,
                        true => ends[to.index()][next.index()],
                    }
                });
                if let Some(first) = targets.next()
                    && targets.all(|target| target == first)
                {
                    ends[state.index()][phase.index()] = first;
                }
            }
        }
        Self(ends)
    }

    /// The state that every character beyond ASCII leads to from `state`, if there is one.
    pub(super) fn after(&self, state: LexState) -> Option<LexState> {
        Some(self.0[state.index()][Phase::BETWEEN.index()]).filter(|&to| to != LexState::DEAD)
    }

    /// The transition of `state` on the rest of a character, if the state is inside a character and does not
    /// distinguish its continuations.
    pub(super) fn rest(&self, state: LexState) -> Option<Rest> {
        let ends = &self.0[state.index()];
        let inside = || Phase::all().filter(|&phase| phase != Phase::BETWEEN);
        // A part of the rest has a target, too.
        let has_target = |phase: &Phase| ends[phase.index()] != LexState::DEAD;
        let longest = inside().filter(has_target).max_by_key(|phase| phase.bytes_left())?;
        let to = ends[longest.index()];
        let mut symbols = [ByteSet::default(); 3];
        for phase in inside().filter(|phase| ends[phase.index()] == to) {
            let lengths = symbols.iter_mut().take(phase.bytes_left() + 1);
            lengths.for_each(|set| set.insert(symbols::of_phase(phase)));
        }
        Some(Rest { to, symbols })
    }
}

/// A transition on the rest of a character.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// The state that it leads to.
    pub(super) to: LexState,
    /// The symbols of the phases in which the rest can be read: for strings of any length, of 1 byte, of 2
    /// bytes.
    pub(super) symbols: [ByteSet; 3],
}
