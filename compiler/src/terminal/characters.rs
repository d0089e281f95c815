//! Lexer states that do not tell characters beyond ASCII apart.

use super::settled::stays;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_vocabulary::{ByteSet, Move, Phase, symbols};

/// Per class of states: where what is left of a character leads.
pub(super) struct Characters {
    /// By class and phase: the class of states that every way to end a character leads to, with tokens that end on the way faring
    /// alike. Between characters: a whole one beyond ASCII. `NONE` if there is no such class.
    after: Vec<[u32; Phase::COUNT]>,
}

const NONE: u32 = u32::MAX;

impl Characters {
    /// For classes with these representatives.
    pub(super) fn new(
        lexer: &Lexer,
        symbols: &Symbols,
        representatives: &[LexState],
        class_of: &[u32],
        any_split: bool,
    ) -> Self {
        let mut after = vec![[NONE; Phase::COUNT]; representatives.len()];
        for phase in Phase::all() {
            let moves = moves(symbols, phase);
            for (class, &state) in representatives.iter().enumerate() {
                let mut targets = moves.iter().map(|&(symbol, then)| {
                    let to = lexer.next(state, symbol);
                    let to_class = class_of[to.index()];
                    match then {
                        _ if !stays(lexer, any_split, state, to) => NONE,
                        Phase::BETWEEN => to_class,
                        then => after[to_class as usize][then.index()],
                    }
                });
                let first = targets.next().unwrap_or(NONE);
                if first != NONE && targets.all(|target| target == first) {
                    after[class][phase.index()] = first;
                }
            }
        }
        Self { after }
    }

    /// The class of states that the rest of a character leads to from states of `class`, if they are in this phase of reading it.
    pub(super) fn after(&self, class: usize, phase: Phase) -> Option<u32> {
        let to = self.after[class][phase.index()];
        (to != NONE).then_some(to)
    }

    /// What states of `class` do with the rest of a character, if they can read it, whatever it is.
    pub(super) fn rest(&self, class: usize) -> Option<Rest> {
        let after = &self.after[class][1..];
        let &to = after.iter().find(|&&to| to != NONE)?;
        let mut symbols = [0; 3];
        for phase in
            Phase::all().filter(|&phase| phase != Phase::BETWEEN && self.after(class, phase) == Some(to))
        {
            let lengths = symbols.iter_mut().take(phase.bytes_left() + 1);
            lengths.for_each(|set| *set |= phase_symbol(phase));
        }
        Some(Rest { to, symbols })
    }
}

/// Inside a character.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// The class of states that its end leads to.
    pub(super) to: u32,
    /// The last word of the set of symbols that can be read: for strings of any length, of 1 byte, of 2 bytes.
    pub(super) symbols: [u64; 3],
}

/// The last word of the set of what stands for a phase.
pub(super) fn phase_symbol(phase: Phase) -> u64 {
    let mut set = ByteSet::default();
    symbols::add(&mut set, symbols::of_phase(phase));
    set[3]
}

/// The classes of the bytes that can follow in a phase, and the next phase.
pub(super) fn moves(symbols: &Symbols, phase: Phase) -> Vec<(SymbolClass, Phase)> {
    let of_move = |&(first, last, to): &Move| {
        let class = |byte: u8| SymbolClass(u32::from(symbols.byte_class[usize::from(byte)]));
        (first..=last).map(move |byte| (class(byte), to))
    };
    let mut moves: Vec<_> = phase.moves().iter().flat_map(of_move).collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}
