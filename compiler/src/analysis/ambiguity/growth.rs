//! Finds recursions on which every further symbol of a text costs more than the symbol before.
//!
//! In: the [`Recursion`]s of a grammar. Out: the recursions on which the cost rises, with the measured costs.
//! Each recursion is repeated 4, 8, 16 and 32 times; it grows if the cost of the most expensive symbol rises
//! every time by more than a quarter. All recursions are repeated 4 times first, then the costly ones 8 times, and so on, so that
//! little work finds the recursions whose cost grows.

use super::lexemes::Lexemes;
use super::recursions::Recursion;
use super::text_cost::{MAX_EXTRA_STEPS, TextReader};
use crate::automata::Automata;
use gcc_grammar_ir::NonterminalId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The numbers of repetitions in the texts that are compared.
pub const REPETITIONS: [usize; 4] = [4, 8, 16, 32];
/// So many numbers that rise show growth, if there is no work for the last one.
const ENOUGH: usize = 3;
/// The number of growing recursions of a nonterminal that are compared to find the steepest.
const COMPARED: usize = 4;

/// A recursion on which every further symbol costs more.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The recursion.
    pub recursion: Recursion,
    /// For each of the [`REPETITIONS`]: the parser steps beyond those of a single stack on the most expensive
    /// symbol. The last numbers are missing if reading on would have cost too much.
    pub extra_steps: Vec<usize>,
}

impl Growth {
    /// Whether reading on would cost too much.
    fn is_too_costly(&self) -> bool {
        self.extra_steps.last() > Some(&MAX_EXTRA_STEPS)
    }

    /// Whether the numbers are enough to show it.
    fn is_shown(&self) -> bool {
        self.extra_steps.len() >= ENOUGH || self.is_too_costly()
    }

    /// The degree of the polynomial in the length of the text that the cost of a symbol seems to follow.
    #[must_use]
    pub fn degree(&self) -> u32 {
        match self.extra_steps[..] {
            [.., before, last] => (last as f64 / before as f64).log2().round() as u32,
            _ => 1,
        }
    }
}

/// The recursions that grow, and whether all were tried: the work is limited.
pub(super) fn growth(
    reader: &mut TextReader<'_>,
    lexemes: &Lexemes<'_>,
    recursions: Vec<Recursion>,
) -> (Vec<Growth>, bool) {
    let (mut rising, mut are_all) = costly(reader, lexemes, recursions);
    for (round, &times) in REPETITIONS.iter().enumerate().skip(1) {
        // Growth is shown by enough numbers; until then, half of the work is left for the next.
        let reserve = if round + 1 < ENOUGH { reader.work_left() / 2 } else { 0 };
        are_all &= repeat(reader, lexemes, &mut rising, times, reserve);
        rising.retain(|growth| {
            let is_complete = growth.extra_steps.len() > round || growth.is_shown();
            is_complete && growth.extra_steps.is_sorted_by(rises)
        });
        if round > 1 {
            keep_few(&mut rising);
        }
    }
    rising.retain(Growth::is_shown);
    (rising, are_all)
}

/// The recursions that have extra steps with the fewest repetitions, with their number, in the same order, and whether all
/// were tried. A quarter of the work is left for more repetitions.
fn costly(
    reader: &mut TextReader<'_>,
    lexemes: &Lexemes<'_>,
    recursions: Vec<Recursion>,
) -> (Vec<Growth>, bool) {
    let mut costly: Vec<Growth> = Vec::new();
    let mut constant: Option<Recursion> = None;
    let reserve = reader.work_left() / 4;
    for recursion in recursions {
        // If a recursion costs nothing with one middle, it hardly does with another.
        if constant.as_ref().is_some_and(|constant| constant.has_same_sides(&recursion)) {
            continue;
        }
        let text = lexemes.spell(&recursion.text(REPETITIONS[0]));
        let most = reader.read_within(&text, reserve).most_extra_steps;
        if reader.work_left() <= reserve {
            return (costly, false);
        }
        match most {
            0 => constant = Some(recursion),
            _ => costly.push(Growth { recursion, extra_steps: vec![most] }),
        }
    }
    (costly, true)
}

/// Repeats each recursion this number of times, as long as more work is left than has to remain. Returns whether there was.
fn repeat(
    reader: &mut TextReader<'_>,
    lexemes: &Lexemes<'_>,
    rising: &mut [Growth],
    times: usize,
    reserve: usize,
) -> bool {
    for growth in rising.iter_mut().filter(|growth| !growth.is_too_costly()) {
        let text = lexemes.spell(&growth.recursion.text(times));
        let most = reader.read_within(&text, reserve).most_extra_steps;
        if reader.work_left() <= reserve {
            return false;
        }
        growth.extra_steps.push(most);
    }
    true
}

/// Keeps the first recursions of each nonterminal.
fn keep_few(rising: &mut Vec<Growth>) {
    let mut kept = FxHashMap::<NonterminalId, usize>::default();
    rising.retain(|growth| {
        let kept = kept.entry(growth.recursion.rule).or_default();
        *kept += 1;
        *kept <= COMPARED
    });
}

/// Whether a number rises by more than a quarter.
fn rises(before: &usize, after: &usize) -> bool {
    *after > before + before / 4
}

/// For each rule of the grammar, its helper nonterminals included, the growth with the highest degree, and the
/// shortest of these; in the order of names.
pub(super) fn steepest(automata: &Automata, mut growth: Vec<Growth>) -> Vec<Growth> {
    let rule = |growth: &Growth| automata.rule_name(growth.recursion.rule);
    growth.sort_by_cached_key(|growth| {
        (rule(growth), Reverse(growth.degree()), growth.recursion.rule, growth.recursion.text(1).len())
    });
    growth.dedup_by(|later, first| rule(later) == rule(first));
    growth
}
