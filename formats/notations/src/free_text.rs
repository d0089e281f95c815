//! The regular languages of free text: text without certain words, and text up to the first trigger.
//!
//! Input: triggers and excluded words. Output: automata over bytes that know how much of a word has just been read (Knuth, Morris, Pratt
//! 1977; for several words Aho, Corasick 1975). They are linear in the length of the words, and it does not matter how a word is split
//! over tokens.
//!
//! Excluded words concern the free text only: a trigger may contain one, and one may lie across the place where the text and the trigger
//! meet. So an excluded word does not make a trigger impossible.

use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// Words that free text may not contain, or may contain only at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeText {
    /// Words that end the text.
    pub(crate) triggers: Vec<String>,
    /// Words that the text before a trigger may not contain.
    pub(crate) excludes: Vec<String>,
}

/// The regular languages of free text.
#[derive(Clone, Debug)]
pub(crate) struct Automata {
    /// Per trigger, the texts that end with it and in which no trigger is complete before. What is before the trigger contains no
    /// excluded word. If two triggers end at the same position (one is a suffix of the other), the text belongs to both languages.
    pub(crate) until: Vec<Regex>,
    /// The texts without triggers and excluded words.
    pub(crate) without: Regex,
}

/// Builds the automata. Triggers and exclusions must not be empty.
pub(crate) fn automata(text: &FreeText, limits: &RegularLimits) -> Result<Automata, OverBudget> {
    let triggers: Vec<&String> = text.triggers.iter().collect();
    let excludes: Vec<&String> = text.excludes.iter().collect();
    let first = any_text().then(words(&triggers)).to_dfa(limits)?.shortest_matches();
    let before = without(&excludes, limits)?;
    let mut until = Vec::with_capacity(triggers.len());
    for trigger in &triggers {
        let ending = before.clone().then(words(&[trigger])).to_dfa(limits)?;
        until.push(automaton(first.intersect(&ending, limits)?));
    }
    let without = without(&[triggers, excludes].concat(), limits)?;
    Ok(Automata { until, without })
}

/// The texts that contain none of the words.
fn without(stops: &[&String], limits: &RegularLimits) -> Result<Regex, OverBudget> {
    if stops.is_empty() {
        return Ok(any_text());
    }
    let containing = words(stops).anywhere().to_dfa(limits)?;
    Ok(automaton(any_text().to_dfa(limits)?.difference(&containing, limits)?))
}

fn automaton(dfa: Dfa) -> Regex {
    Regex::Automaton(Arc::new(dfa))
}

fn any_text() -> Regex {
    Regex::any_char().star()
}

fn words(words: &[&String]) -> Regex {
    Regex::union(words.iter().map(|word| Regex::literal(word)))
}
