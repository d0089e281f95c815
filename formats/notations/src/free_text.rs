//! The regular languages of free text in which some words have a meaning: text up to the first trigger, and text without any trigger.
//!
//! Input: triggers and excluded words. Output: automata over bytes that know how much of a word has just been read (Knuth, Morris, Pratt
//! 1977; for several words Aho, Corasick 1975). They are linear in the length of the words, and it does not matter how a word is split
//! over tokens.

use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// Words that free text may not contain, or may contain only at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeText {
    /// Words that end the text.
    pub(crate) triggers: Vec<String>,
    /// Words that the text may not contain.
    pub(crate) excludes: Vec<String>,
}

/// The regular languages of free text.
#[derive(Clone, Debug)]
pub(crate) struct Automata {
    /// Per trigger, the texts that end with it and contain no trigger or excluded word before it. If two triggers end at the same
    /// position (one is a suffix of the other), the text belongs to both languages.
    pub(crate) until: Vec<Regex>,
    /// The texts without triggers and excluded words.
    pub(crate) without: Regex,
}

/// Builds the automata. Triggers and exclusions must not be empty.
pub(crate) fn automata(text: &FreeText, limits: &RegularLimits) -> Result<Automata, OverBudget> {
    let stops: Vec<&String> = text.triggers.iter().chain(&text.excludes).collect();
    let first = ending_with(&stops).to_dfa(limits)?.shortest_matches();
    let mut until = Vec::with_capacity(text.triggers.len());
    for trigger in &text.triggers {
        let own = first.intersect(&ending_with(&[trigger]).to_dfa(limits)?, limits)?;
        until.push(Regex::Automaton(Arc::new(own)));
    }
    let all = Regex::any_char().star().to_dfa(limits)?;
    let without = if stops.is_empty() { all } else { all.difference(&containing(&stops, limits)?, limits)? };
    Ok(Automata { until, without: Regex::Automaton(Arc::new(without)) })
}

fn words(words: &[&String]) -> Regex {
    Regex::union(words.iter().map(|word| Regex::literal(word)))
}

fn ending_with(ends: &[&String]) -> Regex {
    Regex::any_char().star().then(words(ends))
}

fn containing(stops: &[&String], limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    words(stops).anywhere().to_dfa(limits)
}
