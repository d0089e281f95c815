//! The regular languages of free text: text without certain words, and text up to the first trigger.
//!
//! Input: triggers and excluded words. Output: automata over bytes that know how much of a word has just been read (Knuth, Morris, Pratt
//! 1977; for several words Aho, Corasick 1975). They are linear in the length of the words, and it does not matter how a word is split
//! over tokens.
//!
//! Excluded words concern the free text only: a trigger may contain one, and one may lie across the place where the text and the trigger
//! meet. So an excluded word does not make a trigger impossible.
//!
//! Free text consists of characters. A trigger may have special tokens besides, as [marks](gcc_grammar_ir::special), and is found by these as
//! well as by its characters.

use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// Words that free text may not contain, or may contain only at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeText {
    /// What ends the text.
    pub(crate) triggers: Vec<Trigger>,
    /// Words that the text before a trigger may not contain.
    pub(crate) excludes: Vec<Regex>,
}

/// A word, or one of several, that ends free text.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    /// The word as it is written.
    pub(crate) name: String,
    /// The word, which the text before it does not contain.
    pub(crate) word: Regex,
    /// What ends the text: the word, or special tokens in place of its parts.
    pub(crate) accepted: Regex,
}

/// The regular languages of free text.
#[derive(Clone, Debug)]
pub(crate) struct Automata {
    /// The text before a trigger, if `until` is the trigger alone.
    pub(crate) before: Option<Regex>,
    /// Per trigger, the texts that end with it and in which no trigger is complete before. What is before the trigger contains no
    /// excluded word. If two triggers end at the same position (one is a suffix of the other), the text belongs to both languages.
    pub(crate) until: Vec<Regex>,
    /// The texts without triggers and excluded words.
    pub(crate) without: Regex,
}

/// With more triggers than this, the text before a trigger is an automaton of its own where that is possible: as a part of the automaton of
/// every trigger, all of them together would be quadratic.
const MANY_TRIGGERS: usize = 64;

/// Builds the automata. Triggers and exclusions must not be empty.
pub(crate) fn automata(text: &FreeText, limits: &RegularLimits) -> Result<Automata, OverBudget> {
    automata_of(text, MANY_TRIGGERS, limits)
}

/// The automata, where more than `many` triggers share the text before them.
fn automata_of(text: &FreeText, many: usize, limits: &RegularLimits) -> Result<Automata, OverBudget> {
    let triggers = &text.triggers;
    let excludes = &text.excludes[..];
    let stops: Vec<Regex> = triggers.iter().map(|trigger| trigger.word.clone()).collect();
    let accepted = || triggers.iter().map(|trigger| trigger.accepted.clone());
    let any_trigger = Regex::union(stops.iter().cloned().chain(accepted()));
    let first = any_text().then(any_trigger).to_dfa(limits)?.shortest_matches(limits)?;
    let without_any = without(&[&stops[..], excludes].concat(), limits)?;
    if triggers.len() > many && may_cut(Regex::union(accepted()), &without_any, &first, limits)? {
        let until = accepted().collect();
        return Ok(Automata { before: Some(without_any.clone()), until, without: without_any });
    }
    let before = without(excludes, limits)?;
    let mut until = Vec::with_capacity(triggers.len());
    for trigger in triggers {
        let ending = before.clone().then(trigger.accepted.clone()).to_dfa(limits)?;
        until.push(automaton(first.intersect(&ending, limits)?));
    }
    Ok(Automata { before: None, until, without: without_any })
}

/// Whether the text up to a trigger is any text `without` stops and then the trigger: whether no trigger ends within another one, or lies
/// across its beginning. `first` has the texts up to the first trigger.
fn may_cut(
    any_trigger: Regex,
    without: &Regex,
    first: &Dfa,
    limits: &RegularLimits,
) -> Result<bool, OverBudget> {
    without.clone().then(any_trigger).to_dfa(limits)?.is_subset(first, limits)
}

/// The texts that contain none of the words.
fn without(stops: &[Regex], limits: &RegularLimits) -> Result<Regex, OverBudget> {
    if stops.is_empty() {
        return Ok(any_text());
    }
    let containing = Regex::union(stops.iter().cloned()).anywhere().to_dfa(limits)?;
    Ok(automaton(any_text().to_dfa(limits)?.difference(&containing, limits)?))
}

fn automaton(dfa: Dfa) -> Regex {
    Regex::Automaton(Arc::new(dfa))
}

fn any_text() -> Regex {
    Regex::any_char().star()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_random::Random;

    /// The text before a trigger, and the trigger, are the text up to the trigger, wherever they are separate.
    #[test]
    fn many_triggers_have_the_texts_of_few() {
        let limits = RegularLimits::default();
        let (mut random, mut cut) = (Random::new(1), 0);
        for _ in 0..300 {
            let mut words = |count: usize| -> Vec<String> {
                let mut letter = || char::from(b'a' + random.below(3) as u8);
                (0..count).map(|n| (0..n % 3 + 1).map(|_| letter()).collect()).collect()
            };
            let trigger =
                |name: String| Trigger { word: Regex::literal(&name), accepted: Regex::literal(&name), name };
            let triggers = words(3).into_iter().map(trigger).collect();
            let excludes = words(1).iter().map(|word| Regex::literal(word)).collect();
            let text = FreeText { triggers, excludes };
            let few = automata_of(&text, usize::MAX, &limits).expect("small");
            let many = automata_of(&text, 0, &limits).expect("small");
            let Some(before) = many.before else { continue };
            cut += 1;
            for (few, many) in few.until.iter().zip(many.until) {
                let many = before.clone().then(many).to_dfa(&limits);
                assert_eq!(few.to_dfa(&limits), many, "{text:?}");
            }
        }
        assert!(cut > 30, "{cut}");
    }
}
