//! Finds control states that count characters.
//!
//! `maxLength: 80` counts the characters of a string, whichever they are. If only such characters occur below
//! a trie node, then where a token leads a count depends on its number of characters alone: the subtree need
//! not be walked, its characters are only counted.
//!
//! A count of `n` has `n` such characters, each of which leads to the next lower count by neutral transitions.
//! One character more leads either nowhere, or to the *bottom*: the state after a part of a fixed length.
//!
//! In: the lexer states of a control state. Out: the symbols that it counts, and the bottom.

use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};
use crate::terminal::characters::Characters;
use crate::terminal::default_transition::DefaultTransitions;
use crate::terminal::neutral::is_neutral;
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::{Phase, symbols};
use std::ops::BitAnd;

/// How a control state counts characters.
pub(in crate::terminal) struct CountedCharacters {
    /// The [`symbols`] that it counts.
    pub(in crate::terminal) symbols: ByteSet,
    /// The state after one character more than the count, if there is such a state.
    pub(in crate::terminal) bottom: Option<LexState>,
}

/// Finds the characters that control states count.
pub(in crate::terminal) struct Finder<'a> {
    pub(in crate::terminal) lexer: &'a Lexer,
    pub(in crate::terminal) symbols: &'a Symbols,
    pub(in crate::terminal) characters: &'a Characters,
    pub(in crate::terminal) defaults: &'a DefaultTransitions<'a>,
}

impl Finder<'_> {
    fn next(&self, state: LexState, byte: u8) -> LexState {
        self.lexer.next(state, self.symbols.class_of(byte))
    }

    /// How a control state with these lexer states counts characters, if it does.
    pub(super) fn find(&self, states: &[LexState]) -> Option<CountedCharacters> {
        if !self.lexer.accepts(states[0]).is_empty() {
            return None;
        }
        let symbols = states.windows(2).map(|pair| self.leading(pair[1], pair[0]));
        let mut symbols = symbols.reduce(BitAnd::bitand)?;
        if (symbols & symbols::ASCII).is_empty() {
            return None;
        }
        symbols.insert(symbols::BETWEEN);
        let bottom = self.bottom(states[0], &symbols)?;
        Some(CountedCharacters { symbols, bottom })
    }

    /// The symbols that lead from `high` to `low` by neutral transitions.
    fn leading(&self, high: LexState, low: LexState) -> ByteSet {
        let to_low = |to| to == low && is_neutral(self.lexer, true, high, to);
        let mut leading = self.defaults.bytes_to(high, to_low) & symbols::ASCII;
        if self.characters.after(high) == Some(low) {
            leading.insert(symbols::of_phase(Phase::BETWEEN));
        }
        leading
    }

    /// The state that all counted symbols lead to from the lowest count, if there is one. `None` if there are
    /// several states, or if there is one from which a counted symbol leads on.
    fn bottom(&self, lowest: LexState, counted: &ByteSet) -> Option<Option<LexState>> {
        let first = (0..0x80).find(|&byte| counted.contains(byte))?;
        let bottom = self.next(lowest, first);
        let leads_on = || first_bytes(counted).any(|(byte, _)| self.next(bottom, byte) != LexState::DEAD);
        if !self.lead_to(lowest, counted, bottom) || bottom != LexState::DEAD && leads_on() {
            return None;
        }
        Some(Some(bottom).filter(|&bottom| bottom != LexState::DEAD))
    }

    /// Whether each of these symbols leads from `from` to `to`, which may be dead.
    fn lead_to(&self, from: LexState, symbols: &ByteSet, to: LexState) -> bool {
        first_bytes(symbols).all(|(byte, phase)| match phase {
            Phase::BETWEEN => self.next(from, byte) == to,
            _ => self.leads_to(self.next(from, byte), phase, to),
        })
    }

    /// Whether the rest of a character, which is in `phase`, leads from `inside` to `bottom` by neutral
    /// transitions; both may be dead.
    fn leads_to(&self, inside: LexState, phase: Phase, bottom: LexState) -> bool {
        if inside == LexState::DEAD || bottom == LexState::DEAD {
            return inside == bottom;
        }
        let rest = self.characters.rest(inside);
        self.lexer.pending[inside.index()] == self.lexer.pending[bottom.index()]
            && rest
                .is_some_and(|rest| rest.to == bottom && rest.symbols[0].contains(symbols::of_phase(phase)))
    }
}

/// The first bytes of the characters in a set of symbols, and the phases that they lead to.
fn first_bytes(symbols: &ByteSet) -> impl Iterator<Item = (u8, Phase)> + '_ {
    let ascii = (0..0x80).filter(|&byte| symbols.contains(byte)).map(|byte| (byte, Phase::BETWEEN));
    let beyond = symbols.contains(symbols::of_phase(Phase::BETWEEN));
    let moves = Phase::BETWEEN.moves().iter().filter(move |_| beyond);
    ascii.chain(moves.flat_map(|&(first, last, phase)| (first..=last).map(move |byte| (byte, phase))))
}
