//! Finds lexer states that do not distinguish characters beyond ASCII.
//!
//! In: an automaton over bytes, as a step function, and the moves of UTF-8. Out: per state and [`Phase`] of a
//! character, the target that every way to complete the character leads to, if there is a single target. The
//! text of most strings is treated like this, so that its characters need not be walked byte by byte.

use super::k_equivalence::{ClassId, KEquivalence};
use super::neutral::is_neutral;
use crate::ids::SymbolClass;
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_vocabulary::{ByteSet, Move, Phase, symbols};

/// For a state, by phase: the common target of all ways to complete a character, if there is a single target.
/// In the phase between characters these are all characters beyond ASCII.
type Ends<T> = [Option<T>; Phase::COUNT];

/// The ends of the states `0..states`. `step` is the target of a byte that a state reads in a phase; `then`
/// is the target after the rest of the character, which is in the next phase.
fn ends<T: Copy + PartialEq>(
    states: usize,
    symbols: &Symbols,
    step: impl Fn(usize, SymbolClass, Phase) -> Option<T>,
    then: impl Fn(T, Phase, &[Ends<T>]) -> Option<T>,
) -> Vec<Ends<T>> {
    let mut ends = vec![[None; Phase::COUNT]; states];
    for phase in Phase::all() {
        let moves = moves(symbols, phase);
        for state in 0..states {
            let mut targets = moves.iter().map(|&(class, next)| {
                let to = step(state, class, phase)?;
                if next == Phase::BETWEEN { Some(to) } else { then(to, next, &ends) }
            });
            let first = targets.next().flatten();
            if first.is_some() && targets.all(|target| target == first) {
                ends[state][phase.index()] = first;
            }
        }
    }
    ends
}

/// The target of the rest of a character from inside it, and the phases in which the rest has that target.
fn rest_of<T: Copy + PartialEq>(ends: &Ends<T>) -> Option<(T, impl Iterator<Item = Phase>)> {
    let inside = || Phase::all().filter(|&phase| phase != Phase::BETWEEN);
    // A part of the rest has a target, too.
    let longest =
        inside().filter(|phase| ends[phase.index()].is_some()).max_by_key(|phase| phase.bytes_left())?;
    let to = ends[longest.index()]?;
    Some((to, inside().filter(move |phase| ends[phase.index()] == Some(to))))
}

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

/// Per class of states: the class that the rest of a character leads to over neutral transitions.
pub(super) struct Characters(Vec<Ends<ClassId>>);

impl Characters {
    /// Tables for the classes of states that no token distinguishes.
    pub(super) fn new(lexer: &Lexer, symbols: &Symbols, equivalence: &KEquivalence, any_split: bool) -> Self {
        let (class_of, representatives) = (equivalence.token_classes(), equivalence.representatives());
        let step = |class: usize, symbol, _| {
            let state = representatives[class];
            let to = lexer.next(state, symbol);
            is_neutral(lexer, any_split, state, to).then(|| class_of[to.index()])
        };
        let then = |to: ClassId, phase: Phase, ends: &[Ends<ClassId>]| ends[to.index()][phase.index()];
        Self(ends(representatives.len(), symbols, step, then))
    }

    /// The class that every character beyond ASCII leads to from `class`.
    pub(super) fn after(&self, class: usize) -> Option<ClassId> {
        self.0[class][Phase::BETWEEN.index()]
    }

    /// The transition of `class` on the rest of a character, if the class is inside a character and does not
    /// distinguish its continuations.
    pub(super) fn rest(&self, class: usize) -> Option<Rest> {
        let (to, phases) = rest_of(&self.0[class])?;
        let mut symbols = [ByteSet::default(); 3];
        for phase in phases {
            let lengths = symbols.iter_mut().take(phase.bytes_left() + 1);
            lengths.for_each(|set| symbols::add(set, symbols::of_phase(phase)));
        }
        Some(Rest { to, symbols })
    }
}

/// A transition on the rest of a character.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// The class that it leads to.
    pub(super) to: ClassId,
    /// The symbols of the phases in which the rest can be read: for strings of any length, of 1 byte, of 2
    /// bytes.
    pub(super) symbols: [ByteSet; 3],
}
