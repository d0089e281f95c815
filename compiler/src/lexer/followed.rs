//! Terminals with texts that match only where certain texts follow, such as `/[0-9]+(?![a-z])/`.
//!
//! In: the automaton of a terminal, and what may follow the texts that end in its states. Out: an automaton that *watches* the text behind a lexeme.
//! It is part of longest-match constraints: as soon as it accepts, the lexeme was wrong. Its states are
//! - those of the terminal: a lexeme that ended could have been longer, and would have matched if the right text followed;
//! - per text that must follow: *missing* states, which accept when another text follows;
//! - and *found* states, which accept when that text does follow: a longer lexeme, or one that wins a tie, matches then.
//!
//! Several transitions of a state may have one class: a constraint is a set of states. The text behind a special token does not count, so the text
//! ends there.

use super::automaton::TerminalAutomaton;
use crate::ids::SymbolClass;
use gcc_grammar_ir::{Followed, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;

/// Estimated bytes of a transition.
const BYTES_PER_TRANSITION: u64 = 16;

/// The classes of symbols: of bytes, then of tokens, then of limits.
pub(super) struct Alphabet<'m> {
    /// A byte of each class of bytes.
    pub(super) members: &'m [u8],
    /// The end of the classes of bytes.
    pub(super) bytes: usize,
    /// The end of the classes of tokens.
    pub(super) tokens: usize,
    /// The end of all classes.
    pub(super) all: usize,
}

/// A terminal with texts that match only where certain texts follow.
#[derive(Debug)]
pub struct FollowedTerminal {
    /// The terminal.
    pub terminal: TerminalId,
    /// Per state of its automaton: the number of what must follow a lexeme that ends there, unless anything may.
    numbers: Vec<Option<usize>>,
    /// The automaton that watches what follows. It begins with the states of the terminal.
    pub(super) watch: TerminalAutomaton,
    /// Per number, the first of the missing and of the found states.
    starts: Vec<(u32, u32)>,
}

impl FollowedTerminal {
    pub(super) fn new(
        rule: &Followed,
        automaton: &TerminalAutomaton,
        numbers: Vec<Option<usize>>,
        alphabet: &Alphabet<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut starts = Vec::with_capacity(rule.after.len());
        let mut first = automaton.states() as u32;
        for after in &rule.after {
            let states = after.state_count() as u32;
            starts.push((first, first + states));
            first += 2 * states;
        }
        let over = first;
        let mut rows = Vec::with_capacity(over as usize + 1);
        for state in 0..automaton.states() as u32 {
            let number = |state: u32| numbers.get(state as usize).copied().flatten();
            let accepts = automaton.is_accepting(state) && number(state).is_none();
            let found =
                |&(class, to): &(SymbolClass, u32)| number(to).map(|number: usize| (class, starts[number].1));
            let next = automaton.transitions(state).iter();
            rows.push((
                accepts,
                next.flat_map(|step| [Some(*step), found(step)]).flatten().collect::<Vec<_>>(),
            ));
        }
        for (after, &(missing, found)) in rule.after.iter().zip(&starts) {
            let states = 0..after.state_count() as u32;
            let all = states.clone().find(|&state| accepts_everything(after, state));
            let of = |first: u32, hit: Option<u32>, settled: Option<u32>| Watch {
                after,
                first,
                hit,
                settled,
                over,
                alphabet,
            };
            let missing = of(missing, None, all);
            let found = of(found, all, None);
            rows.extend(states.clone().map(|state| (false, missing.row(state, true))));
            rows.extend(states.map(|state| (false, found.row(state, false))));
        }
        rows.push((true, Vec::new()));
        let transitions = rows.iter().map(|(_, row)| row.len() as u64).sum::<u64>();
        budget.charge_work(transitions)?;
        budget.charge_bytes(transitions * BYTES_PER_TRANSITION)?;
        Ok(Self { terminal: rule.terminal, numbers, watch: TerminalAutomaton::of_states(rows), starts })
    }

    /// Where it is watched that what must follow a lexeme that ends in a state is missing, and that it is there. None if anything may follow.
    pub(super) fn starts(&self, state: u32) -> Option<(u32, u32)> {
        self.numbers.get(state as usize).copied().flatten().map(|number| self.starts[number])
    }
}

/// The states that watch for the texts that may follow, or for others.
struct Watch<'a> {
    after: &'a Dfa,
    /// The number of the first of them.
    first: u32,
    /// The state of `after` in which the text is found.
    hit: Option<u32>,
    /// The state of `after` in which nothing is left to watch.
    settled: Option<u32>,
    /// The state in which the text is found.
    over: u32,
    alphabet: &'a Alphabet<'a>,
}

impl Watch<'_> {
    /// The transitions of a state; `is_missing` tells whether other texts are watched for.
    fn row(&self, state: u32, is_missing: bool) -> Vec<(SymbolClass, u32)> {
        let over = |is_over: bool| is_over.then_some(self.over);
        let of_byte = |&byte: &u8| match self.after.next(state, byte) {
            None => over(is_missing),
            to if to == self.hit => Some(self.over),
            to if to == self.settled => None,
            Some(to) => Some(self.first + to),
        };
        let ends = over(self.after.is_accepting(state) != is_missing);
        let tokens = (self.alphabet.bytes..self.alphabet.tokens).map(|_| ends);
        let limits = (self.alphabet.tokens..self.alphabet.all).map(|_| Some(self.first + state));
        let targets = self.alphabet.members.iter().map(of_byte).chain(tokens).chain(limits);
        targets.enumerate().filter_map(|(class, to)| Some((SymbolClass::new(class), to?))).collect()
    }
}

/// Whether every text leads from a state of a minimal automaton to acceptance.
fn accepts_everything(dfa: &Dfa, state: u32) -> bool {
    dfa.is_accepting(state) && (0..=u8::MAX).all(|byte| dfa.next(state, byte) == Some(state))
}
