//! Warnings about terminals that are recognized everywhere and have a text for which another terminal always wins.
//!
//! Two terminals with a common text are found by an index, so that thousands of keywords are compared with few others each: a terminal of few texts
//! by its texts, another one by how its texts begin.

use super::contexts::{automaton, rank};
use super::lexemes::Built;
use gcc_grammar_ir::{Code, Diagnostic, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, RegularLimits};
use rustc_hash::FxHashMap;

/// The most texts of a terminal that is found by its texts.
const MOST_TEXTS: usize = 16;
/// The most beginnings of a terminal that is found by them.
const MOST_BEGINNINGS: usize = 1024;
/// The work to compare two terminals, besides that of their automata.
const WORK_PER_PAIR: u64 = 4;

/// The first two bytes of a text. A text of one byte has one.
type Beginning = (u8, Option<u8>);

/// How a terminal is found.
enum Found {
    Texts(Vec<Vec<u8>>),
    Beginnings(Vec<Beginning>),
    /// It is compared with all others.
    Always,
}

impl Found {
    fn of(dfa: &Dfa) -> Self {
        if let Some(texts) = texts(dfa) {
            return Self::Texts(texts);
        }
        let mut beginnings = Vec::new();
        for (low, high, state) in dfa.edges(0) {
            let alone = dfa.is_accepting(state).then_some(None);
            let seconds = dfa.edges(state).flat_map(|(low, high, _)| low..=high).map(Some);
            for second in alone.into_iter().chain(seconds) {
                beginnings.extend((low..=high).map(|first| (first, second)));
                if beginnings.len() > MOST_BEGINNINGS {
                    return Self::Always;
                }
            }
        }
        Self::Beginnings(beginnings)
    }
}

fn beginning(text: &[u8]) -> Beginning {
    (text.first().copied().unwrap_or_default(), text.get(1).copied())
}

/// The texts of a finite automaton, if there are few.
fn texts(dfa: &Dfa) -> Option<Vec<Vec<u8>>> {
    let (mut texts, mut open) = (Vec::new(), vec![(0, Vec::new())]);
    while let Some((state, text)) = open.pop() {
        let next = |(low, high, to)| (low..=high).map(move |byte: u8| (byte, to));
        for (byte, to) in dfa.edges(state).flat_map(next) {
            open.push((to, [&text[..], &[byte]].concat()));
            if open.len() + texts.len() > MOST_TEXTS {
                return None;
            }
        }
        texts.extend(dfa.is_accepting(state).then_some(text));
    }
    Some(texts)
}

/// The places of terminals in a list, by their texts and beginnings.
#[derive(Default)]
struct Index {
    by_text: FxHashMap<Vec<u8>, Vec<usize>>,
    /// Those that are found by their texts, by the beginnings of these.
    by_beginning_of_text: FxHashMap<Beginning, Vec<usize>>,
    by_beginning: FxHashMap<Beginning, Vec<usize>>,
    always: Vec<usize>,
}

impl Index {
    fn add(&mut self, place: usize, found: &Found) {
        match found {
            Found::Texts(texts) => {
                for text in texts {
                    self.by_text.entry(text.clone()).or_default().push(place);
                    self.by_beginning_of_text.entry(beginning(text)).or_default().push(place);
                }
            }
            Found::Beginnings(beginnings) => {
                beginnings.iter().for_each(|&one| self.by_beginning.entry(one).or_default().push(place));
            }
            Found::Always => self.always.push(place),
        }
    }

    /// The places of terminals that may have a text in common with one of `count`, in their order.
    fn near(&self, found: &Found, count: usize) -> Vec<usize> {
        let mut near = self.always.clone();
        let of = |lists: &FxHashMap<Beginning, Vec<usize>>, one: &Beginning| {
            lists.get(one).cloned().unwrap_or_default()
        };
        match found {
            Found::Texts(texts) => {
                for text in texts {
                    near.extend(self.by_text.get(text).into_iter().flatten());
                    near.extend(of(&self.by_beginning, &beginning(text)));
                }
            }
            Found::Beginnings(beginnings) => {
                for one in beginnings {
                    near.extend(of(&self.by_beginning, one));
                    near.extend(of(&self.by_beginning_of_text, one));
                }
            }
            Found::Always => near = (0..count).collect(),
        }
        near.sort_unstable();
        near.dedup();
        near
    }
}

/// Warnings about finite terminals that are recognized everywhere and have a text for which another terminal always wins, unless
/// they are of `never`, which no rule takes. Nothing is known of terminals beyond the limits.
pub(super) fn overlaps(
    built: &Built,
    everywhere: &[TerminalId],
    never: &[TerminalId],
    limits: &RegularLimits,
) -> Result<Vec<Diagnostic>, OverBudget> {
    let dfa = |&id: &TerminalId| automaton(&built.terminals[id.index()]).filter(|dfa| dfa.is_finite());
    let finite = everywhere.iter().filter_map(|id| Some((*id, dfa(id)?)));
    let finite: Vec<(TerminalId, &Dfa, Found)> = finite.map(|(id, dfa)| (id, dfa, Found::of(dfa))).collect();
    let mut index = Index::default();
    finite.iter().enumerate().for_each(|(place, (.., found))| index.add(place, found));
    let rank = |id: TerminalId| rank(&built.terminals, id);
    let mut warnings = Vec::new();
    for &(loser, own, ref found) in finite.iter().filter(|(loser, ..)| !never.contains(loser)) {
        let near = index.near(found, finite.len());
        limits.budget.charge_work(near.len() as u64 * WORK_PER_PAIR + 1)?;
        let common = |place: usize| {
            let (winner, other, _) = finite[place];
            let is_winner = rank(winner) > rank(loser);
            let common = is_winner && own.intersects(other, limits).ok()?;
            let text = common.then(|| own.intersect(other, limits))?.ok()?.shortest()?;
            Some((winner, text))
        };
        let Some((winner, text)) = near.into_iter().find_map(common) else { continue };
        let name = |id: TerminalId| &built.terminals[id.index()].name;
        let text = String::from_utf8_lossy(&text).into_owned();
        let message = format!("{text:?} is never {}: everywhere it is {}", name(loser), name(winner));
        let warning =
            Diagnostic::warning(Code::ShadowedText, message).at(built.locations[loser.index()].clone());
        let help = "let one terminal match it, and use that one in both places";
        warnings.push(warning.help(help));
    }
    Ok(warnings)
}
