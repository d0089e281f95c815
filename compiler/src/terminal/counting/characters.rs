//! Finds control states that count characters.
//!
//! `maxLength: 80` counts the characters of a string, whichever they are. If only such characters occur below
//! a trie node, then where a token leads a count depends on its number of characters alone: the subtree need
//! not be walked, its characters are only counted.
//!
//! A count of `n` has `n` such characters, each of which leads to the next lower count by neutral transitions.
//! One character more leads either nowhere, or to the *bottom*: the state after a part of a fixed length.
//!
//! In: the [`CountingAutomaton`]. Out: per control state, between and inside characters, the symbols that it
//! counts.

use super::automaton::{ControlId, ControlState, CountingAutomaton, Path, Place};
use crate::ids::{LexState, SymbolClass};
use crate::lexer::Lexer;
use crate::terminal::characters::Characters;
use crate::terminal::default_transition::DefaultTransitions;
use crate::terminal::neutral::is_neutral;
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::{Phase, symbols};
use std::ops::{BitAnd, Range};

/// Per control state: the characters that it counts, if it counts characters.
#[derive(Default)]
pub(in crate::terminal) struct CountedCharacters(Vec<Option<Counted>>);

/// How a control state counts characters.
#[derive(Clone, Copy)]
struct Counted {
    /// The [`symbols`] that it counts.
    symbols: ByteSet,
    /// The control state that counts whole characters, and by how much the rest of the character at hand lowers
    /// the count.
    control: ControlId,
    rest: i32,
    /// The state after one character more than the count, if there is such a state.
    bottom: Option<LexState>,
}

/// How many more characters the counts of a path have: count `c` has `c - lower`, and one more leads to the bottom.
#[derive(Clone)]
pub(in crate::terminal) struct CharacterCount {
    pub(in crate::terminal) counts: Range<i32>,
    pub(in crate::terminal) lower: i32,
    pub(in crate::terminal) bottom: Option<LexState>,
}

impl CountedCharacters {
    /// Finds the control states that count characters.
    pub(in crate::terminal) fn new(finder: &Finder<'_>, defaults: &DefaultTransitions<'_>) -> Self {
        let controls = finder.automaton.controls();
        let mut counted: Vec<Option<Counted>> =
            controls.iter().map(|control| finder.between(control, defaults)).collect();
        // A character has up to three bytes after its first.
        for _ in 0..3 {
            for control in controls {
                if counted[control.id.index()].is_none() {
                    counted[control.id.index()] = finder.inside(control, &counted);
                }
            }
        }
        Self(counted)
    }

    /// The characters that the counts of `path` have left, if it leads to a control state that counts all symbols
    /// in the set `below`.
    #[inline]
    pub(in crate::terminal) fn left(&self, path: &Path, below: &ByteSet) -> Option<CharacterCount> {
        let Place::Control(control, lower) = path.place else { return None };
        let counted = self.0[control.index()]?;
        if !below.is_subset(&counted.symbols) {
            return None;
        }
        let Counted { bottom, rest, .. } = counted;
        Some(CharacterCount { counts: path.counts.clone(), lower: lower + rest, bottom })
    }
}

/// Finds the characters that control states count.
pub(in crate::terminal) struct Finder<'a> {
    pub(in crate::terminal) automaton: &'a CountingAutomaton,
    pub(in crate::terminal) lexer: &'a Lexer,
    pub(in crate::terminal) byte_class: &'a [u16; 256],
    pub(in crate::terminal) characters: &'a Characters,
}

impl Finder<'_> {
    fn next(&self, state: LexState, byte: u8) -> LexState {
        self.lexer.next(state, self.symbol(byte))
    }

    fn symbol(&self, byte: u8) -> SymbolClass {
        SymbolClass(u32::from(self.byte_class[usize::from(byte)]))
    }

    /// How a control state between characters counts.
    fn between(&self, control: &ControlState, defaults: &DefaultTransitions<'_>) -> Option<Counted> {
        if !self.lexer.accepts(control.states[0]).is_empty() {
            return None;
        }
        let symbols = control.states.windows(2).map(|pair| self.leading(pair[1], pair[0], defaults));
        let mut counted = symbols.reduce(BitAnd::bitand)?;
        if (counted & symbols::ASCII).is_empty() {
            return None;
        }
        counted.insert(symbols::BETWEEN);
        let bottom = self.bottom(control.states[0], &counted)?;
        Some(Counted { symbols: counted, control: control.id, rest: 0, bottom })
    }

    /// The symbols that lead from `high` to `low` by neutral transitions.
    fn leading(&self, high: LexState, low: LexState, defaults: &DefaultTransitions<'_>) -> ByteSet {
        let to_low = |to| to == low && is_neutral(self.lexer, true, high, to);
        let mut leading = defaults.bytes_to(high, to_low) & symbols::ASCII;
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

    /// How a control state inside a character counts, if all ways to complete the character lead to a control
    /// state that counts characters.
    fn inside(&self, control: &ControlState, all: &[Option<Counted>]) -> Option<Counted> {
        let (to, by) = self.continuation(control)?;
        let after = all[to.index()]?;
        let between = all[after.control.index()]?.symbols;
        if !between.contains(symbols::of_phase(Phase::BETWEEN)) {
            return None;
        }
        let rest = by + after.rest;
        let whole = self.automaton.states(after.control);
        let rests = control.states.iter().zip(0..).map(|(&state, count)| {
            let to = match usize::try_from(count - rest) {
                Ok(left) => *whole.get(left)?,
                Err(_) => after.bottom.filter(|_| count - rest == -1)?,
            };
            let found = self.characters.rest(state)?;
            let same = self.lexer.pending[state.index()] == self.lexer.pending[to.index()];
            (found.to == to && same).then_some(found.symbols[0])
        });
        let phases = rests.reduce(|a, b| Some(a? & b?))??;
        let symbols = between & symbols::ASCII | phases;
        Some(Counted { symbols, rest, ..after })
    }

    /// The control state that a continuation byte leads to, and by how much it lowers the count.
    fn continuation(&self, control: &ControlState) -> Option<(ControlId, i32)> {
        let byte = (0x80..0xC0).find(|&byte| self.next(control.states[0], byte) != LexState::DEAD)?;
        let mut found = None;
        self.automaton.step(self.lexer, &control.start(), self.symbol(byte), &mut |path| {
            if let (None, Place::Control(to, by)) = (found, path.place) {
                found = Some((to, by));
            }
        });
        found
    }
}

/// The first bytes of the characters in a set of symbols, and the phases that they lead to.
fn first_bytes(symbols: &ByteSet) -> impl Iterator<Item = (u8, Phase)> + '_ {
    let ascii = (0..0x80).filter(|&byte| symbols.contains(byte)).map(|byte| (byte, Phase::BETWEEN));
    let beyond = symbols.contains(symbols::of_phase(Phase::BETWEEN));
    let moves = Phase::BETWEEN.moves().iter().filter(move |_| beyond);
    ascii.chain(moves.flat_map(|&(first, last, phase)| (first..=last).map(move |byte| (byte, phase))))
}
