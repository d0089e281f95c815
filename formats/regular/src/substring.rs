//! The automaton of all substrings of a text, for output that must quote a reference verbatim.
//!
//! Comes in: a text as a sequence of chunks (characters, words, lines …). Goes out: the minimal automaton of the
//! substrings that begin and end between chunks.
//!
//! Source: Blumer et al., "The smallest automaton recognizing the subwords of a text" (1985), the suffix automaton, with
//! the online construction of Crochemore (1986). It has at most two states per chunk, so everything here is linear in
//! the length of the text.

use crate::determinize::determinize;
use crate::dfa::Dfa;
use crate::limits::{Meter, RegularLimits};
use crate::minimize::minimize;
use crate::nfa::{Edge, Epsilon, Nfa, Preference};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;

/// A state of the suffix automaton: an equivalence class of substrings that end at the same places of the text.
#[derive(Clone, Default)]
struct State {
    /// The length of the longest of these substrings, in chunks.
    length: u32,
    /// The suffix link: the state of the longest suffix that ends at more places.
    link: Option<u32>,
    /// The chunks of the transitions, in the order of first use.
    next: Vec<u32>,
}

/// Estimated bytes of a state besides its transitions.
const BYTES_PER_STATE: usize = 2 * size_of::<State>() + 48;
/// Estimated bytes of a transition.
const BYTES_PER_TRANSITION: usize = 48;

struct SuffixAutomaton {
    states: Vec<State>,
    /// The target of each transition `(state, chunk)`.
    targets: FxHashMap<(u32, u32), u32>,
    /// The state of the whole text so far.
    last: u32,
}

impl SuffixAutomaton {
    fn push_state(&mut self, state: State, meter: &mut Meter) -> Result<u32, OverBudget> {
        meter.bytes(BYTES_PER_STATE)?;
        self.states.push(state);
        meter.states(self.states.len())?;
        Ok((self.states.len() - 1) as u32)
    }

    fn connect(&mut self, state: u32, chunk: u32, to: u32, meter: &mut Meter) -> Result<(), OverBudget> {
        meter.bytes(BYTES_PER_TRANSITION)?;
        self.states[state as usize].next.push(chunk);
        self.targets.insert((state, chunk), to);
        Ok(())
    }

    /// Extends the text by one chunk.
    fn append(&mut self, chunk: u32, meter: &mut Meter) -> Result<(), OverBudget> {
        let length = self.states[self.last as usize].length + 1;
        let new = self.push_state(State { length, ..State::default() }, meter)?;
        let mut at = Some(std::mem::replace(&mut self.last, new));
        while let Some(state) = at {
            meter.work(2)?;
            match self.targets.get(&(state, chunk)) {
                Some(&target) => {
                    let link = self.ending_after(state, target, chunk, meter)?;
                    self.states[new as usize].link = Some(link);
                    return Ok(());
                }
                None => self.connect(state, chunk, new, meter)?,
            }
            at = self.states[state as usize].link;
        }
        self.states[new as usize].link = Some(0);
        Ok(())
    }

    /// The state of exactly the substrings of `state` extended by `chunk`: `target` if it has no longer ones, or else a
    /// copy of `target` for the shorter ones.
    fn ending_after(
        &mut self,
        state: u32,
        target: u32,
        chunk: u32,
        meter: &mut Meter,
    ) -> Result<u32, OverBudget> {
        let length = self.states[state as usize].length + 1;
        if self.states[target as usize].length == length {
            return Ok(target);
        }
        let original = &mut self.states[target as usize];
        let (link, next) = (original.link, std::mem::take(&mut original.next));
        let copy = self.push_state(State { length, link, next: Vec::new() }, meter)?;
        for &chunk in &next {
            meter.work(4)?;
            self.connect(copy, chunk, self.targets[&(target, chunk)], meter)?;
        }
        self.states[target as usize].next = next;
        self.states[target as usize].link = Some(copy);
        let mut at = Some(state);
        while let Some(state) = at {
            meter.work(2)?;
            match self.targets.get_mut(&(state, chunk)) {
                Some(entry) if *entry == target => *entry = copy,
                _ => break,
            }
            at = self.states[state as usize].link;
        }
        Ok(copy)
    }
}

impl Dfa {
    /// Accepts the concatenation of any run of consecutive `chunks`, including the empty run.
    pub fn substrings(chunks: &[&str], limits: &RegularLimits) -> Result<Self, OverBudget> {
        let mut meter = Meter::new(limits);
        let mut automaton =
            SuffixAutomaton { states: vec![State::default()], targets: FxHashMap::default(), last: 0 };
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut spellings: Vec<&str> = Vec::new();
        for &chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
            let number = *numbers.entry(chunk).or_insert_with(|| {
                spellings.push(chunk);
                (spellings.len() - 1) as u32
            });
            automaton.append(number, &mut meter)?;
        }
        let nfa = spell(&automaton, &spellings, &mut meter)?;
        minimize(determinize(nfa, Preference::None, limits)?, limits)
    }
}

/// The suffix automaton over bytes instead of chunks. Every state accepts, over an ε-transition.
fn spell(automaton: &SuffixAutomaton, spellings: &[&str], meter: &mut Meter) -> Result<Nfa, OverBudget> {
    let accept = automaton.states.len() as u32;
    let mut nfa = Nfa { states: accept + 1, accept, ..Nfa::default() };
    for (from, state) in (0..).zip(&automaton.states) {
        nfa.epsilons.push(Epsilon { from, look: None, to: accept });
        for &chunk in &state.next {
            let to = automaton.targets[&(from, chunk)];
            let bytes = spellings[chunk as usize].as_bytes();
            meter.work(bytes.len())?;
            meter.bytes(bytes.len() * 2 * size_of::<Edge>())?;
            let mut at = from;
            for (index, &byte) in bytes.iter().enumerate() {
                let next = if index + 1 == bytes.len() { to } else { nfa.states };
                nfa.states += u32::from(next == nfa.states);
                nfa.edges.push(Edge { from: at, low: byte, high: byte, to: next });
                at = next;
            }
            meter.states(nfa.states as usize)?;
        }
    }
    Ok(nfa)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&str], alphabet: &[&str]) {
        let dfa = Dfa::substrings(chunks, &RegularLimits::default()).expect("small");
        let pieces: Vec<String> = (0..=chunks.len())
            .flat_map(|end| (0..=end).map(move |start| chunks[start..end].concat()))
            .collect();
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            let longer =
                texts.iter().flat_map(|text| alphabet.iter().map(move |letter| format!("{text}{letter}")));
            texts = longer.chain([String::new()]).collect();
            for text in &texts {
                assert_eq!(dfa.accepts(text.as_bytes()), pieces.contains(text), "{text:?} of {chunks:?}");
            }
        }
        assert!(pieces.iter().all(|piece| dfa.accepts(piece.as_bytes())));
    }

    #[test]
    fn substrings_are_those_of_the_definition() {
        check(&["a", "b", "b", "a", "b", "b", "b"], &["a", "b"]);
        check(&["é", "a", "é", "é"], &["a", "é"]);
        check(&["ab", "a", "b", "abb", "", "a"], &["a", "b"]);
        check(&["abc", "de", "fg"], &["a", "abc", "de", "fg", "d"]);
        check(&[], &["a"]);
    }

    #[test]
    fn long_texts_are_linear() {
        let text: String = (0..20_000)
            .map(|n: u32| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> 28) as u8))
            .collect();
        let chunks: Vec<&str> = text.split_inclusive(|_| true).collect();
        let limits = RegularLimits { max_work: 20_000_000, ..RegularLimits::default() };
        let dfa = Dfa::substrings(&chunks, &limits).expect("linear");
        assert!(dfa.state_count() < 2 * text.len());
        assert!(dfa.accepts(&text.as_bytes()[5_000..9_000]) && !dfa.accepts(b"z"));
    }
}
