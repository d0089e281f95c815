//! Finds control states that count characters.
//!
//! `maxLength: 80` counts the characters of a string, whichever they are. If only such characters occur below
//! a trie node, then whether a count has a path depends on the number of characters alone: the subtree need
//! not be walked, its characters are only counted.
//!
//! In: the [`CountingAutomaton`]. Out: per control state, between and inside characters, the symbols that it
//! counts.

use super::automaton::{ControlId, CountingAutomaton, Path, Target};
use crate::ids::SymbolClass;
use crate::lexer::{Lexer, Symbols};
use crate::terminal::characters::{Ends, ends, rest_of};
use crate::terminal::neutral::is_neutral;
use gcc_grammar_vocabulary::{ByteSet, Phase, symbols};

/// Per control state: the characters that it counts, if it counts characters.
pub(in crate::terminal) struct CountedCharacters(Vec<Option<Counted>>);

/// How a control state counts characters.
#[derive(Clone, Copy)]
struct Counted {
    /// The [`symbols`] that it counts.
    symbols: ByteSet,
    /// By how much the rest of the character at hand lowers the count.
    rest: i32,
}

impl CountedCharacters {
    /// Finds the control states that count characters.
    pub(in crate::terminal) fn new(
        automaton: &CountingAutomaton,
        lexer: &Lexer,
        symbols: &Symbols,
        any_split: bool,
    ) -> Self {
        let finder = Finder { automaton, lexer, any_split };
        let step = |control: usize, class, phase| {
            // A whole character needs a count of 1, the rest of a character needs no count.
            finder.step(control, class, i32::from(phase == Phase::BETWEEN))
        };
        let then = |(to, by): Target, phase: Phase, ends: &[Ends<Target>]| {
            ends[to.index()][phase.index()].map(|(to, more)| (to, by + more))
        };
        let ends = ends(automaton.controls().len(), symbols, step, then);
        let mut counted: Vec<Option<Counted>> =
            ends.iter().enumerate().map(|(control, ends)| finder.between(control, ends, symbols)).collect();
        for control in 0..counted.len() {
            if counted[control].is_none() {
                counted[control] = inside(&counted, &ends[control]);
            }
        }
        Self(counted)
    }

    /// If `path` leads to a control state that counts all symbols in the set `below`: a function from a
    /// number of such characters to the least count that has the path and then so many of them.
    #[inline]
    pub(in crate::terminal) fn count(
        &self,
        path: Path,
        below: &ByteSet,
    ) -> Option<impl Fn(i32) -> i32 + use<>> {
        let (control, lower) = path.counts?;
        let counted = self.0[control.index()]?;
        if below.iter().zip(&counted.symbols).any(|(below, counted)| below & !counted != 0) {
            return None;
        }
        let before = lower + counted.rest;
        // A count that has the path is not below zero at its end: `before` is at most `least`.
        Some(move |characters| path.least.max(before + characters))
    }
}

/// How a control state inside a character counts, if all ways to complete the character lead to a control
/// state that counts characters.
fn inside(all: &[Option<Counted>], ends: &Ends<Target>) -> Option<Counted> {
    let ((control, rest), phases) = rest_of(ends)?;
    let between = all[control.index()]?.symbols;
    if !symbols::has(&between, symbols::of_phase(Phase::BETWEEN)) {
        return None;
    }
    let mut counted = [between[0], between[1], 0, 0];
    phases.for_each(|phase| symbols::add(&mut counted, symbols::of_phase(phase)));
    Some(Counted { symbols: counted, rest })
}

/// Finds the characters that control states count.
struct Finder<'a> {
    automaton: &'a CountingAutomaton,
    lexer: &'a Lexer,
    any_split: bool,
}

impl Finder<'_> {
    /// The target of a neutral transition that needs a count of `from` and keeps the count.
    fn step(&self, control: usize, class: SymbolClass, from: i32) -> Option<Target> {
        let control = &self.automaton.controls()[control];
        let step = self.automaton.on(self.lexer, control.id, class);
        let highest = control.states[control.states.len() - 1];
        let counts = step.from == from && is_neutral(self.lexer, self.any_split, highest, step.state);
        if counts { step.to } else { None }
    }

    /// How a control state between characters counts: by characters that lead back to it and lower the count
    /// by 1.
    fn between(&self, control: usize, ends: &Ends<Target>, symbols: &Symbols) -> Option<Counted> {
        let back = Some((ControlId::new(control), 1));
        let mut counted = ByteSet::default();
        for byte in 0..0x80 {
            let class = SymbolClass(u32::from(symbols.byte_class[usize::from(byte)]));
            if self.step(control, class, 1) == back {
                symbols::add(&mut counted, byte);
            }
        }
        if ends[Phase::BETWEEN.index()] == back {
            symbols::add(&mut counted, symbols::of_phase(Phase::BETWEEN));
        }
        let any = counted != ByteSet::default();
        symbols::add(&mut counted, symbols::BETWEEN);
        any.then_some(Counted { symbols: counted, rest: 0 })
    }
}
