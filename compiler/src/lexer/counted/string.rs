//! Strings of a terminal: at which place within a JSON string each state is, how many characters can lead to it, and how many must follow.

use gcc_grammar_artifact::json_string::{After, Place};
use gcc_grammar_ir::components;
use gcc_grammar_regular::Dfa;

/// Per state: its place within a string, `None` outside. `None` if some text is no JSON string, or if a place does not follow from the state.
pub(super) fn places(dfa: &Dfa) -> Option<Vec<Option<Place>>> {
    let mut places = vec![None; dfa.state_count()];
    let mut is_outside = vec![false; dfa.state_count()];
    is_outside[0] = true;
    let mut open = Vec::new();
    for (low, high, to) in dfa.edges(0) {
        if (low, high) != (b'"', b'"') {
            return None;
        }
        places[to as usize] = Some(Place::Between);
        open.push(to);
    }
    while let Some(state) = open.pop() {
        let place = places[state as usize]?;
        for (low, high, to) in dfa.edges(state) {
            let to = to as usize;
            for byte in low..=high {
                match place.after(byte) {
                    After::Nothing => return None,
                    After::Closed => is_outside[to] = true,
                    After::Within(next) => match places[to] {
                        None => {
                            places[to] = Some(next);
                            open.push(to as u32);
                        }
                        known if known == Some(next) => {}
                        _ => return None,
                    },
                }
            }
        }
    }
    // Behind the string there are no further characters to count.
    let leads_in = |state: usize| {
        state > 0
            && is_outside[state]
            && dfa.edges(state as u32).any(|(_, _, to)| places[to as usize].is_some())
    };
    let is_both = |state: usize| is_outside[state] && places[state].is_some();
    let is_sound = (0..places.len()).all(|state| !is_both(state) && !leads_in(state));
    is_sound.then_some(places)
}

/// The transitions within the string of a terminal.
pub(super) struct Edges {
    /// Per state: the states that follow, each with the characters that begin.
    after: Vec<Vec<(usize, u32)>>,
    /// Per state: whether the string may be over after the next byte.
    closes: Vec<bool>,
    is_within: Vec<bool>,
}

impl Edges {
    pub(super) fn new(dfa: &Dfa, places: &[Option<Place>]) -> Self {
        let is_within = |state: usize| places[state].is_some();
        let begins = |state: usize| u32::from(places[state] == Some(Place::Between));
        let row = |state: usize| dfa.edges(state as u32).map(|(_, _, to)| to as usize);
        let after = |state: usize| match is_within(state) {
            true => row(state).filter(|&to| is_within(to)).map(|to| (to, begins(state))).collect(),
            false => Vec::new(),
        };
        let states = 0..places.len();
        Self {
            after: states.clone().map(after).collect(),
            closes: states
                .clone()
                .map(|state| is_within(state) && row(state).any(|to| !is_within(to)))
                .collect(),
            is_within: states.map(is_within).collect(),
        }
    }

    /// Per state: the most characters that can have begun before it; `None` if these are any number.
    pub(super) fn longest(&self) -> Vec<Option<u32>> {
        let states = self.after.len();
        let targets: Vec<Vec<u32>> =
            self.after.iter().map(|row| row.iter().map(|&(to, _)| to as u32).collect()).collect();
        let mut longest = vec![Some(0); states];
        // A component comes behind those to which it leads.
        for component in components(states, 0..states as u32, |state| &targets[state as usize]).iter().rev() {
            let repeats = |&state: &u32| component.len() > 1 || targets[state as usize].contains(&state);
            if component.iter().any(repeats) {
                component.iter().for_each(|&state| longest[state as usize] = None);
            }
            for state in component.iter().map(|&state| state as usize) {
                for &(to, begun) in &self.after[state] {
                    let here = longest[state].map(|before: u32| before.saturating_add(begun));
                    longest[to] = longest[to].zip(here).map(|(known, here)| known.max(here));
                }
            }
        }
        longest
    }

    /// Per state: the fewest characters that must still begin before the string can be over; `None` if it cannot.
    pub(super) fn needed(&self) -> Vec<Option<u32>> {
        let mut needed: Vec<Option<u32>> = self.closes.iter().map(|&closes| closes.then_some(0)).collect();
        // Numbers become smaller, and a path needs no state twice.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for state in (0..needed.len()).rev().filter(|&state| self.is_within[state]) {
                let through =
                    self.after[state].iter().filter_map(|&(to, begun)| Some(needed[to]? + begun)).min();
                if through.is_some_and(|through| needed[state].is_none_or(|known| through < known)) {
                    needed[state] = through;
                    has_changed = true;
                }
            }
        }
        needed
    }
}
