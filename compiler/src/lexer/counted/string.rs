//! Strings of a terminal: at which place within a JSON string each state is ([`Strings`]), how many characters can lead to it, and how many must follow ([`Edges`]).

use crate::ids::SymbolClass;
use crate::lexer::automaton::TerminalAutomaton;
use gcc_grammar_artifact::json_string::{After, Place};
use gcc_grammar_ir::components;
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashMap;

/// The automaton of a terminal of strings, in which each state has one place. Where a state has several in the minimal automaton (after `%` in a URI, two hexadecimal
/// digits follow as characters, and after `\u00` as the rest of one), all but one are copies of it.
#[derive(Clone, Debug)]
pub(super) struct Strings {
    /// Per byte: its class.
    classes: [u8; 256],
    class_count: usize,
    /// Per state: that of the minimal automaton. Copies come behind these.
    pub(super) of: Vec<u32>,
    /// Per state: its place within a string, `None` outside.
    pub(super) places: Vec<Option<Place>>,
    copies: FxHashMap<(u32, Option<Place>), u32>,
    /// Row-major `[state][class]`: the state after a byte of the class.
    targets: Vec<Option<u32>>,
}

impl Strings {
    /// The strings of an automaton. `None` if some text is no JSON string, or a place does not follow from the state and the class of the byte that leads to it.
    pub(super) fn new(dfa: &Dfa) -> Option<Self> {
        let count = dfa.state_count();
        let mut strings = Self {
            classes: *dfa.byte_classes(),
            class_count: dfa.class_count(),
            of: (0..count as u32).collect(),
            places: vec![None; count],
            copies: FxHashMap::default(),
            targets: Vec::new(),
        };
        let after = strings.places_after();
        let place_after = |strings: &Self, state: u32, byte: u8| {
            after[strings.kind(state) * strings.class_count + usize::from(strings.class(byte))]
        };
        let least = strings.least_bytes();
        let mut is_known = vec![false; count];
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            for &byte in &least {
                let Some(to) = dfa.next(strings.of[state as usize], byte) else { continue };
                let place = place_after(&strings, state, byte)?;
                if to == 0 {
                    return None;
                }
                if !std::mem::replace(&mut is_known[to as usize], true) {
                    strings.places[to as usize] = place;
                    open.push(to);
                } else if strings.number(to, place).is_none() {
                    open.push(strings.copy(to, place));
                }
            }
        }
        let mut targets = vec![None; strings.of.len() * strings.class_count];
        for (state, row) in (0..).zip(targets.chunks_mut(strings.class_count)) {
            for &byte in &least {
                let to = dfa.next(strings.of[state as usize], byte);
                let place = place_after(&strings, state, byte);
                row[usize::from(strings.class(byte))] =
                    to.zip(place).and_then(|(to, place)| strings.number(to, place));
            }
        }
        Some(Self { targets, ..strings })
    }

    /// The least byte of each class, ascending.
    fn least_bytes(&self) -> Vec<u8> {
        let mut is_seen = vec![false; self.class_count];
        (0..=u8::MAX)
            .filter(|&byte| !std::mem::replace(&mut is_seen[usize::from(self.class(byte))], true))
            .collect()
    }

    /// What decides which places come next: 0 at the start, 1 outside, and the place within the string.
    fn kind(&self, state: u32) -> usize {
        match self.places[state as usize] {
            None => usize::from(state > 0),
            Some(place) => 2 + place as usize,
        }
    }

    /// Row-major `[kind][class]`: the place after a byte of the class. The outer `None`: no JSON string goes on with some of them, or the place depends on the byte.
    #[expect(clippy::option_option, reason = "neither is the absence of the other")]
    fn places_after(&self) -> Vec<Option<Option<Place>>> {
        let after = |kind: usize, byte: u8| match kind.checked_sub(2) {
            None if kind == 0 => (byte == b'"').then_some(Some(Place::Between)),
            None => Some(None),
            Some(place) => match Place::ALL[place].after(byte) {
                After::Nothing => None,
                After::Closed => Some(None),
                After::Within(next) => Some(Some(next)),
            },
        };
        let mut table = Vec::with_capacity((2 + Place::ALL.len()) * self.class_count);
        for kind in 0..2 + Place::ALL.len() {
            let mut row = vec![None; self.class_count];
            let mut is_seen = vec![false; self.class_count];
            for byte in 0..=u8::MAX {
                let (class, place) = (usize::from(self.class(byte)), after(kind, byte));
                let is_first = !std::mem::replace(&mut is_seen[class], true);
                row[class] = if is_first || row[class] == place { place } else { None };
            }
            table.extend(row);
        }
        table
    }

    /// The state that stands for one of the minimal automaton at this place.
    fn number(&self, state: u32, place: Option<Place>) -> Option<u32> {
        let is_first = self.places[state as usize] == place;
        if is_first { Some(state) } else { self.copies.get(&(state, place)).copied() }
    }

    fn copy(&mut self, state: u32, place: Option<Place>) -> u32 {
        let copy = self.of.len() as u32;
        self.of.push(state);
        self.places.push(place);
        self.copies.insert((state, place), copy);
        copy
    }

    /// Per class of bytes: the state after one of them.
    pub(super) fn targets(&self, state: u32) -> &[Option<u32>] {
        &self.targets[state as usize * self.class_count..][..self.class_count]
    }

    /// The class of a byte.
    pub(super) fn class(&self, byte: u8) -> u8 {
        self.classes[usize::from(byte)]
    }

    /// The number of classes of bytes.
    pub(super) const fn class_count(&self) -> usize {
        self.class_count
    }

    /// The number of entries in all rows.
    pub(super) fn cells(&self) -> usize {
        self.targets.len()
    }

    /// The state after a byte.
    pub(super) fn next(&self, state: u32, byte: u8) -> Option<u32> {
        self.targets(state)[usize::from(self.class(byte))]
    }

    /// The states after one byte. Some come several times.
    pub(super) fn after(&self, state: u32) -> impl Iterator<Item = u32> + '_ {
        self.targets(state).iter().flatten().copied()
    }

    /// The automaton over the same classes of bytes, of which `members` has a byte each, as the `minimal` one.
    pub(super) fn over(&self, minimal: &TerminalAutomaton, members: &[u8]) -> TerminalAutomaton {
        let target = |state: u32, class: SymbolClass, to: u32| match members.get(class.index()) {
            Some(&byte) => self.next(state, byte).unwrap_or(to),
            None => to,
        };
        let row = |state: u32| {
            let row = minimal.transitions(self.of[state as usize]).iter();
            let row = row.map(|&(class, to)| (class, target(state, class, to))).collect();
            (minimal.is_accepting(self.of[state as usize]), row)
        };
        TerminalAutomaton::of_states((0..self.of.len() as u32).map(row).collect())
    }
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
    pub(super) fn new(strings: &Strings) -> Self {
        let places = &strings.places;
        let is_within = |state: usize| places[state].is_some();
        let begins = |state: usize| u32::from(places[state] == Some(Place::Between));
        let row = |state: usize| {
            let mut row: Vec<usize> = strings.after(state as u32).map(|to| to as usize).collect();
            row.sort_unstable();
            row.dedup();
            row
        };
        let (mut after, mut closes) = (vec![Vec::new(); places.len()], vec![false; places.len()]);
        for state in (0..places.len()).filter(|&state| is_within(state)) {
            let (within, outside): (Vec<usize>, Vec<usize>) =
                row(state).into_iter().partition(|&to| is_within(to));
            closes[state] = !outside.is_empty();
            after[state] = within.into_iter().map(|to| (to, begins(state))).collect();
        }
        Self { after, closes, is_within: (0..places.len()).map(is_within).collect() }
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
