//! What ambiguity costs: how many heads the runtime follows, and whether they multiply.
//!
//! Where one terminal of lookahead does not decide, or under any split where a lexeme ends, the runtime follows all ways. Whether a
//! grammar is ambiguous, and whether what is followed has a bound, is undecidable. So
//! - the *expected number* of heads is measured: on random texts of the grammar;
//! - *growth* is shown by texts in which one recursion of the grammar repeats (`pumps`): every further symbol takes longer. What is found is
//!   there; there may be more;
//! - how long a *conflict* of the parser keeps two heads is bounded ([`costs`]).

mod forks;
mod lexemes;
mod pumps;
mod reader;
mod stacks;
#[cfg(test)]
mod tests;
mod words;

pub use forks::{Cost, costs};

use crate::automata::Automata;
use crate::ids::{LrState, SymbolClass};
use crate::random::Random;
use gcc_grammar_ir::{Discipline, NonterminalId, TerminalId};
use lexemes::Lexemes;
use pumps::Pump;
use reader::Reader;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use words::Words;

/// How often a recursion is repeated in the texts that are compared.
pub const REPETITIONS: [usize; 4] = [4, 8, 16, 32];
/// Recursions of one rule that are compared to find its worst.
const COMPARED: usize = 4;
/// Symbols of the random texts, about.
const SYMBOLS: usize = 10_000;
/// Random texts at most.
const TEXTS: usize = 1_000;
/// Symbols of one of them, about and at most.
const TEXT_LENGTH: u32 = 200;
/// A text is not read on after a symbol that takes more extra steps.
const MAX_EXTRA: usize = 5_000;
/// Steps of the parser and heads in all random texts, and in all others.
const MAX_SAMPLE_WORK: usize = 1_000_000;
const MAX_GROWTH_WORK: usize = 2_000_000;

/// What is known about the heads of a grammar.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    /// Heads after a symbol of the random texts, on average. A head is a lexer state with all parser stacks that share their top.
    pub expected: f64,
    /// The most of them.
    pub most: usize,
    /// Steps of the parser that a symbol took beyond those of a single stack, on average.
    pub extra: f64,
    /// Symbols of the random texts at which a conflict was met and more than one stack was left, by conflict.
    pub forks: BTreeMap<(LrState, TerminalId), usize>,
    /// Symbols of the random texts.
    pub symbols: usize,
    /// The recursions in which every further symbol takes longer; the worst of each rule.
    pub growth: Vec<Growth>,
    /// Whether all recursions were tried: there is a limit on the work.
    pub tried_all: bool,
}

/// A recursion in which every further symbol takes longer, shown by texts `before left^n middle right^n`.
#[derive(Clone, Debug)]
pub struct Growth {
    /// What derives itself.
    pub rule: NonterminalId,
    /// What is read first.
    pub before: Vec<TerminalId>,
    /// What repeats.
    pub left: Vec<TerminalId>,
    /// What stands between.
    pub middle: Vec<TerminalId>,
    /// What repeats as often after it.
    pub right: Vec<TerminalId>,
    /// Steps of the parser that one symbol took at most beyond those of a single stack, for so many [`REPETITIONS`]. The last ones are
    /// missing if that was too much to go on.
    pub extra: Vec<usize>,
}

/// Measures the expected number of heads, and looks for growth. `None` if the parser has no conflicts and the lexeme is the longest: then
/// there is one stack, and more heads only while the end of a lexeme is in doubt.
#[must_use]
pub fn heads(automata: &Automata<'_>) -> Option<Heads> {
    if automata.lr.conflicts() == 0 && automata.grammar.discipline == Discipline::LongestMatch {
        return None;
    }
    let lexemes = Lexemes::new(automata.grammar, &automata.symbols);
    let words = Words::new(&automata.cfg, lexemes.costs());
    let mut readings = Readings { reader: Reader::new(automata), lexemes, left: MAX_SAMPLE_WORK };
    let mut heads = readings.sample(&words);
    readings.left = MAX_GROWTH_WORK;
    let (pumps, are_all) = pumps::pumps(&automata.cfg, &words);
    heads.growth = worst(automata, readings.all_growth(pumps));
    heads.tried_all = are_all && readings.left > 0;
    Some(heads)
}

/// Of each rule, its helpers included, the growth that is the steepest at last, and then the shortest; in the order of names.
fn worst(automata: &Automata<'_>, mut growth: Vec<Growth>) -> Vec<Growth> {
    let rule = |growth: &Growth| automata.rule_name(growth.rule);
    let length = |g: &Growth| g.before.len() + g.left.len() + g.middle.len() + g.right.len();
    growth.sort_by_cached_key(|growth| (rule(growth), Reverse(growth.degree()), growth.rule, length(growth)));
    growth.dedup_by(|later, first| rule(later) == rule(first));
    growth
}

impl Growth {
    /// With which power of the length the time of a symbol grows, as it seems.
    #[must_use]
    pub fn degree(&self) -> u32 {
        match self.extra[..] {
            [.., before, last] => (last as f64 / before as f64).log2().round() as u32,
            _ => 1,
        }
    }
}

/// Reads texts, as long as there is work left.
struct Readings<'a> {
    reader: Reader<'a>,
    lexemes: Lexemes<'a>,
    left: usize,
}

/// There is no work left.
struct OutOfWork;

/// What a text came to.
#[derive(Default)]
struct Reading {
    symbols: usize,
    /// Heads after all symbols, and the most after one.
    heads: usize,
    most_heads: usize,
    /// Extra steps of all symbols, and the most of one.
    extra: usize,
    most_extra: usize,
    forks: Vec<(LrState, TerminalId)>,
}

impl Readings<'_> {
    fn read(&mut self, text: &[SymbolClass]) -> Reading {
        self.reader.restart();
        let mut reading = Reading::default();
        for &class in text {
            let step = self.reader.step(class);
            let heads = self.reader.heads();
            reading.extra += step.extra;
            reading.most_extra = reading.most_extra.max(step.extra);
            self.left = self.left.saturating_sub(step.work);
            if heads == 0 || step.extra > MAX_EXTRA || self.left == 0 {
                break;
            }
            reading.symbols += 1;
            reading.heads += heads;
            reading.most_heads = reading.most_heads.max(heads);
            reading.forks.extend(step.forks);
        }
        reading
    }

    /// Reads the random texts.
    fn sample(&mut self, words: &Words<'_>) -> Heads {
        let mut random = Random(0);
        let mut heads = Heads { expected: 1.0, most: 1, ..Heads::default() };
        let (mut sum, mut extra) = (0, 0);
        for _ in 0..TEXTS {
            if heads.symbols >= SYMBOLS {
                break;
            }
            let Some(word) = words.random(TEXT_LENGTH, &mut random) else { break };
            let text = self.lexemes.spell_randomly(&word, &mut random);
            let reading = self.read(&text);
            heads.symbols += reading.symbols;
            sum += reading.heads;
            extra += reading.extra;
            heads.most = heads.most.max(reading.most_heads);
            for fork in reading.forks {
                *heads.forks.entry(fork).or_default() += 1;
            }
        }
        if heads.symbols > 0 {
            (heads.expected, heads.extra) =
                (sum as f64 / heads.symbols as f64, extra as f64 / heads.symbols as f64);
        }
        heads
    }

    fn all_growth(&mut self, pumps: Vec<Pump>) -> Vec<Growth> {
        let (mut found, mut of_rule) = (Vec::new(), FxHashMap::<NonterminalId, usize>::default());
        let mut quiet: Option<Pump> = None;
        for pump in pumps {
            let of_rule = of_rule.entry(pump.rule).or_default();
            // Where one middle lets nothing multiply, the next one hardly does.
            if *of_rule == COMPARED || quiet.as_ref().is_some_and(|quiet| quiet.has_same_sides(&pump)) {
                continue;
            }
            let Ok(extra) = self.extra_steps(&pump) else { break };
            if extra.is_empty() {
                quiet = Some(pump);
            } else if extra.len() > 1 && extra.is_sorted_by(rises) {
                *of_rule += 1;
                let Pump { rule, before, left, middle, right } = pump;
                found.push(Growth { rule, before, left, middle, right, extra });
            }
        }
        found
    }

    /// The most extra steps of a symbol for so many [`REPETITIONS`], up to the first that does not rise; none if there are none at first.
    fn extra_steps(&mut self, pump: &Pump) -> Result<Vec<usize>, OutOfWork> {
        let mut extra = Vec::new();
        for times in REPETITIONS {
            let text = self.lexemes.spell(&pump.text(times));
            let most = self.read(&text).most_extra;
            if self.left == 0 {
                return Err(OutOfWork);
            }
            if most == 0 {
                break;
            }
            extra.push(most);
            if most > MAX_EXTRA || !extra.is_sorted_by(rises) {
                break;
            }
        }
        Ok(extra)
    }
}

/// Whether a number rises by a quarter at least.
fn rises(before: &usize, after: &usize) -> bool {
    *after > before + before / 4
}
