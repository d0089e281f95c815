//! Lexer states that do not tell characters beyond ASCII apart.

use super::settled::stays;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_vocabulary::{ByteSet, Move, Phase, symbols};

/// Of some state, by phase: where every way to end a character leads, if all lead to the same. Between characters: every whole one
/// beyond ASCII.
pub(super) type Ends<T> = [Option<T>; Phase::COUNT];

/// The ends of states `0..states`. `step` says where a byte leads from a state that reads it in a phase, `then` what that becomes
/// with the end of the character in the next phase.
pub(super) fn ends<T: Copy + PartialEq>(
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

/// Where the rest of a character leads from inside it, and in which phases.
pub(super) fn rest_of<T: Copy + PartialEq>(ends: &Ends<T>) -> Option<(T, impl Iterator<Item = Phase>)> {
    let inside = || Phase::all().filter(|&phase| phase != Phase::BETWEEN);
    let to = inside().find_map(|phase| ends[phase.index()])?;
    Some((to, inside().filter(move |phase| ends[phase.index()] == Some(to))))
}

/// The classes of the bytes that can follow in a phase, and the next phase.
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

/// Per class of states: the classes of states that the ends of characters lead to, with tokens that end on the way faring alike.
pub(super) struct Characters(Vec<Ends<u32>>);

impl Characters {
    /// For classes with these representatives.
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        representatives: &[LexState],
        class_of: &[u32],
        any_split: bool,
    ) -> Self {
        let step = |class: usize, symbol, _| {
            let state = representatives[class];
            let to = lexer.next(state, symbol);
            stays(lexer, any_split, state, to).then(|| class_of[to.index()])
        };
        let then = |to: u32, phase: Phase, ends: &[Ends<u32>]| ends[to as usize][phase.index()];
        Self(ends(representatives.len(), symbols, step, then))
    }

    /// The class of states that a whole character beyond ASCII leads to from states of `class`, whichever it is.
    pub(super) fn after(&self, class: usize) -> Option<u32> {
        self.0[class][Phase::BETWEEN.index()]
    }

    /// What states of `class` do with the rest of a character, if they can read it, whatever it is.
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

/// Inside a character.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// The class of states that its end leads to.
    pub(super) to: u32,
    /// What stands for the phases in which it can be read: for strings of any length, of 1 byte, of 2 bytes.
    pub(super) symbols: [ByteSet; 3],
}
