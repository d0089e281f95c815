//! Finds recursions on which every further symbol of a text costs more than the symbol before.
//!
//! In: the [`Recursion`]s of a grammar. Out: the recursions on which the cost rises, with the measured costs.
//! Each recursion is repeated 4, 8, 16 and 32 times; it grows if the cost of the most expensive symbol rises
//! every time by more than a quarter.

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
    /// The degree of the polynomial in the length of the text that the cost of a symbol seems to follow.
    #[must_use]
    pub fn degree(&self) -> u32 {
        match self.extra_steps[..] {
            [.., before, last] => (last as f64 / before as f64).log2().round() as u32,
            _ => 1,
        }
    }
}

/// The error that no work is left.
struct OutOfWork;

/// The recursions that grow, in the given order, until no work is left.
pub(super) fn growth(
    reader: &mut TextReader<'_>,
    lexemes: &Lexemes<'_>,
    recursions: Vec<Recursion>,
) -> Vec<Growth> {
    let (mut found, mut found_for) = (Vec::new(), FxHashMap::<NonterminalId, usize>::default());
    let mut constant: Option<Recursion> = None;
    for recursion in recursions {
        let found_for = found_for.entry(recursion.rule).or_default();
        // If a recursion costs nothing with one middle, it hardly does with another.
        let is_constant = constant.as_ref().is_some_and(|constant| constant.has_same_sides(&recursion));
        if *found_for == COMPARED || is_constant {
            continue;
        }
        let Ok(extra_steps) = extra_steps(reader, lexemes, &recursion) else { break };
        if extra_steps.is_empty() {
            constant = Some(recursion);
        } else if extra_steps.len() > 1 && extra_steps.is_sorted_by(rises) {
            *found_for += 1;
            found.push(Growth { recursion, extra_steps });
        }
    }
    found
}

/// For each of the [`REPETITIONS`], the extra steps on the most expensive symbol, up to the first number that
/// does not rise; empty if there are no extra steps.
fn extra_steps(
    reader: &mut TextReader<'_>,
    lexemes: &Lexemes<'_>,
    recursion: &Recursion,
) -> Result<Vec<usize>, OutOfWork> {
    let mut extra_steps = Vec::new();
    for times in REPETITIONS {
        let text = lexemes.spell(&recursion.text(times));
        let most = reader.read(&text).most_extra_steps;
        if !reader.has_work() {
            return if extra_steps.len() < ENOUGH { Err(OutOfWork) } else { Ok(extra_steps) };
        }
        if most == 0 {
            break;
        }
        extra_steps.push(most);
        if most > MAX_EXTRA_STEPS || !extra_steps.is_sorted_by(rises) {
            break;
        }
    }
    Ok(extra_steps)
}

/// Whether a number rises by more than a quarter.
fn rises(before: &usize, after: &usize) -> bool {
    *after > before + before / 4
}

/// For each rule of the grammar, its helper nonterminals included, the growth with the highest degree, and the
/// shortest of these; in the order of names.
pub(super) fn steepest(automata: &Automata<'_>, mut growth: Vec<Growth>) -> Vec<Growth> {
    let rule = |growth: &Growth| automata.rule_name(growth.recursion.rule);
    growth.sort_by_cached_key(|growth| {
        (rule(growth), Reverse(growth.degree()), growth.recursion.rule, growth.recursion.text(1).len())
    });
    growth.dedup_by(|later, first| rule(later) == rule(first));
    growth
}
