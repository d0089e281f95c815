//! Measures the number of heads on random texts of a grammar.
//!
//! In: random words of the start symbol, spelled as random lexemes. Out: a [`Sample`]. The random numbers are
//! always the same, so the sample depends on the grammar alone.

use super::lexemes::Lexemes;
use super::text_cost::TextReader;
use super::words::Words;
use crate::ids::LrState;
use crate::random::Random;
use gcc_grammar_ir::TerminalId;
use std::collections::BTreeMap;

/// No further text is read after this number of symbols.
const SYMBOLS: usize = 10_000;
/// The largest number of texts.
const TEXTS: usize = 1_000;
/// The length at which a text is completed as soon as possible, in symbols.
const TEXT_LENGTH: u32 = 200;

/// The heads on random texts.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The number of symbols in all texts.
    pub symbols: usize,
    /// Whether all texts were read: the work is limited.
    pub is_whole: bool,
    /// The average number of heads after a symbol.
    pub mean_heads: f64,
    /// The largest number of heads after a symbol.
    pub most_heads: usize,
    /// The average number of parser steps on a symbol beyond those of a single stack.
    pub mean_extra_steps: f64,
    /// The most parser steps on a symbol beyond those of a single stack.
    pub most_extra_steps: usize,
    /// The text up to the first symbol that took the most heads and extra steps together; `None` if it has special tokens.
    pub costliest: Option<Vec<u8>>,
    /// Per conflict: the number of symbols at which it was met and left more than one stack.
    pub conflicts: BTreeMap<(LrState, TerminalId), usize>,
}

/// Reads random texts.
pub(super) fn sample(reader: &mut TextReader<'_>, lexemes: &Lexemes<'_>, words: &Words<'_>) -> Sample {
    let mut random = Random(0);
    let (mut symbols, mut heads, mut most_heads, mut extra_steps) = (0, 0, 1, 0);
    let (mut most_extra_steps, mut most_of_both, mut costliest) = (0, 0, None);
    let mut conflicts = BTreeMap::new();
    for _ in 0..TEXTS {
        if symbols >= SYMBOLS {
            break;
        }
        let Some(word) = words.random(TEXT_LENGTH, &mut random) else { break };
        let text = lexemes.spell_randomly(&word, &mut random);
        let cost = reader.read(&text);
        symbols += cost.symbols;
        heads += cost.heads;
        extra_steps += cost.extra_steps;
        most_heads = most_heads.max(cost.most_heads);
        most_extra_steps = most_extra_steps.max(cost.most_extra_steps);
        let (both, length) = cost.costliest;
        if both > most_of_both {
            most_of_both = both;
            costliest = lexemes.bytes(&text[..length]);
        }
        for conflict in cost.conflicts {
            *conflicts.entry(conflict).or_default() += 1;
        }
    }
    let is_whole = reader.has_work() && !words.gave_up();
    let (mean_heads, mean_extra_steps) = match symbols {
        0 => (1.0, 0.0),
        _ => (heads as f64 / symbols as f64, extra_steps as f64 / symbols as f64),
    };
    Sample {
        symbols,
        is_whole,
        mean_heads,
        most_heads,
        mean_extra_steps,
        most_extra_steps,
        costliest,
        conflicts,
    }
}
