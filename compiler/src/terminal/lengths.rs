//! Control states that count characters.
//!
//! `maxLength: 80` counts the characters of a string, whatever they are. Where only such characters occur below a trie node, what a count lets
//! through depends on nothing but how many characters there are: the subtree is not walked, only its characters are counted.

use super::characters::{Ends, ends, rest_of};
use super::counted::{Counters, Path};
use super::settled::stays;
use crate::ids::SymbolClass;
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_vocabulary::{ByteSet, Phase, symbols};

/// Per control state: the characters that it counts.
pub(super) struct Lengths(Vec<Option<Length>>);

/// What a control state does while it counts characters.
#[derive(Clone, Copy)]
struct Length {
    /// The [`symbols`] that it counts.
    counted: ByteSet,
    /// How much lower the count is after the rest of a character.
    rest: i32,
}

/// The control state that something leads to, and how much lower the count is there.
type Target = (u32, i32);

impl Lengths {
    /// Finds them.
    pub(super) fn new(counters: &Counters, lexer: &Lexer, symbols: &Symbols, any_split: bool) -> Self {
        let finder = Finder { counters, lexer, any_split };
        let step = |control: usize, class, phase| {
            // A whole character needs a count of 1, the rest of one needs none.
            finder.step(control, class, i32::from(phase == Phase::BETWEEN))
        };
        let then = |(to, by): Target, phase: Phase, ends: &[Ends<Target>]| {
            ends[to as usize][phase.index()].map(|(to, more)| (to, by + more))
        };
        let ends = ends(counters.controls().len(), symbols, step, then);
        let mut lengths: Vec<Option<Length>> =
            ends.iter().enumerate().map(|(control, ends)| finder.between(control, ends, symbols)).collect();
        for control in 0..lengths.len() {
            if lengths[control].is_none() {
                lengths[control] = inside(&lengths, &ends[control]);
            }
        }
        Self(lengths)
    }

    /// If all strings below a node are made of characters that are counted where `path` leads: the least count that can take so many of them.
    #[inline]
    pub(super) fn count(&self, path: Path, below: &ByteSet) -> Option<impl Fn(i32) -> i32 + use<>> {
        let (control, lower) = path.counts?;
        let length = self.0[control as usize]?;
        if below.iter().zip(&length.counted).any(|(below, counted)| below & !counted != 0) {
            return None;
        }
        let before = lower + length.rest;
        // A count that came this far is not below zero: `before` is at most `least`.
        Some(move |characters| path.least.max(before + characters))
    }
}

/// Inside a character that is counted, if it is one.
fn inside(lengths: &[Option<Length>], ends: &Ends<Target>) -> Option<Length> {
    let ((control, rest), phases) = rest_of(ends)?;
    let between = lengths[control as usize]?.counted;
    if !symbols::has(&between, symbols::of_phase(Phase::BETWEEN)) {
        return None;
    }
    let mut counted = [between[0], between[1], 0, 0];
    phases.for_each(|phase| symbols::add(&mut counted, symbols::of_phase(phase)));
    Some(Length { counted, rest })
}

struct Finder<'a> {
    counters: &'a Counters,
    lexer: &'a Lexer,
    any_split: bool,
}

impl Finder<'_> {
    /// Where a byte leads that needs a count of `from`, with tokens that end there faring alike.
    fn step(&self, control: usize, class: SymbolClass, from: i32) -> Option<Target> {
        let control = &self.counters.controls()[control];
        let step = self.counters.on(self.lexer, control.number, class);
        let highest = control.states[control.states.len() - 1];
        let counts = step.from == from && stays(self.lexer, self.any_split, highest, step.state);
        if counts { step.to } else { None }
    }

    /// Between characters, each of which leads back, with the count one lower.
    fn between(&self, control: usize, ends: &Ends<Target>, symbols: &Symbols) -> Option<Length> {
        let back = Some((control as u32, 1));
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
        any.then_some(Length { counted, rest: 0 })
    }
}
