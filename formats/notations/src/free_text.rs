//! Free text in which some words have a meaning: the languages of the text before a trigger and of the text without any.
//!
//! Both come from one automaton that remembers how much of a word has just been read (Knuth, Morris, Pratt 1977; for several
//! words Aho and Corasick 1975), so they are linear in the words and a word may come in pieces.

use gcc_grammar_regular::{Dfa, Regex, RegularLimits, TooLarge};
use std::sync::Arc;

/// Words that free text may not contain, or only at its end.
#[derive(Clone, Debug, Default)]
pub struct FreeText {
    /// What ends it.
    pub triggers: Vec<String>,
    /// What may not be in it.
    pub excludes: Vec<String>,
}

/// The languages of free text.
#[derive(Clone, Debug)]
pub struct Automata {
    /// Per trigger: text that ends with it and has no trigger, and nothing excluded, before that. Where two triggers end at the
    /// same place (one is the end of the other), the text belongs to both.
    pub until: Vec<Regex>,
    /// Text without triggers and without anything excluded.
    pub without: Regex,
}

/// Builds the automata. Triggers and exclusions must not be empty.
pub fn automata(text: &FreeText, limits: &RegularLimits) -> Result<Automata, TooLarge> {
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

/// Text up to and including the first of the `ends`.
pub fn up_to(ends: &[String], limits: &RegularLimits) -> Result<Dfa, TooLarge> {
    Ok(ending_with(&ends.iter().collect::<Vec<_>>()).to_dfa(limits)?.shortest_matches())
}

fn words(words: &[&String]) -> Regex {
    Regex::union(words.iter().map(|word| Regex::literal(word)))
}

fn ending_with(ends: &[&String]) -> Regex {
    Regex::any_char().star().then(words(ends))
}

fn containing(stops: &[&String], limits: &RegularLimits) -> Result<Dfa, TooLarge> {
    words(stops).anywhere().to_dfa(limits)
}
