//! The terminals whose characters are counted, under the conditions that [`counters`](super::counters) lists.
//!
//! In: the automaton of a terminal, whose strings have any length, and its bound. Out: [`CountedTerminal`], with the place of each state within a string, and the tokens
//! that lead to states that need further characters ([`mod@tokens`]): for all states, or, if the lists are short for sure ([`mod@bound`]), for one when it is asked for. [`mod@string`] looks at the automaton alone.

mod bound;
mod needs;
mod reader;
mod state;
mod string;
mod tokens;

use super::context::Contexts;
use super::symbols::Symbols;
use crate::error::CompileError;
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS, MOST_ENTERING, TokenCharacters};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_ir::{Grammar, Pattern, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;
use needs::Needs;
use reader::Reader;
pub(super) use state::CountedState;
use string::{Edges, Strings};

/// Estimated bytes of a state whose places are told apart.
const BYTES_PER_STATE: u64 = 500;
/// Bytes of a transition of a terminal whose lists are made later.
const BYTES_PER_CELL: u64 = 8;

/// How far the end of a string is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Distance {
    /// Tokens with few characters may be too long.
    Near,
    /// Only tokens with many characters may be too long.
    Far,
    /// No token is too long.
    Beyond,
}

/// When the lists of tokens are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lists {
    Now,
    WhenAsked,
}

/// A terminal whose characters are counted.
#[derive(Clone, Debug)]
pub(crate) struct CountedTerminal {
    pub(crate) terminal: TerminalId,
    /// The most characters.
    pub(super) most: u32,
    /// How many characters a token may begin if the string begins within it: this number fits, whatever the characters are.
    pub(super) entered: u32,
    /// Per state of the automaton in the alphabet: where it is within a string; `None` outside.
    pub(super) states: Vec<Option<CountedState>>,
    strings: Strings,
    /// The states from which a string may come to one that needs further characters, ascending. All others have no list.
    before_needs: Vec<u32>,
    /// Per state of the automaton: its list in the section `counter_tokens`, or empty. `None` if the lists are made when they are asked for.
    tokens: Option<Vec<Vec<u32>>>,
}

/// Checks that no terminal counts characters: the bitmaps for this are those of the vocabulary.
pub(crate) fn check_uncounted(grammar: &Grammar) -> Result<(), CompileError> {
    let is_counted = |t: &usize| matches!(grammar.terminals[*t].pattern.without_role(), Pattern::Counted(..));
    let counted: Vec<TerminalId> =
        (0..grammar.terminals.len()).filter(is_counted).map(TerminalId::new).collect();
    if counted.is_empty() { Ok(()) } else { Err(CompileError::NotCounted(counted)) }
}

/// Those among the `counted` terminals with which a lexeme can be taken for another one: the automaton of another terminal of some context begins with a quote,
/// too.
pub(crate) fn ambiguous(
    contexts: &Contexts,
    dfas: &[Option<Dfa>],
    counted: &[(TerminalId, u32)],
) -> Vec<TerminalId> {
    let is_quoted = |t: &&TerminalId| {
        dfas.get(t.index()).and_then(Option::as_ref).is_some_and(|dfa| dfa.next(0, b'"').is_some())
    };
    let mut ambiguous = Vec::new();
    for terminals in &contexts.terminals {
        let mut quoted = terminals.iter().filter(is_quoted);
        if quoted.clone().nth(1).is_some() {
            ambiguous.extend(quoted.by_ref().filter(|t| counted.iter().any(|(other, _)| other == *t)));
        }
    }
    ambiguous.sort_unstable();
    ambiguous.dedup();
    ambiguous
}

impl CountedTerminal {
    /// The terminal with this automaton, of strings with quotes and any number of characters, whose states in `symbols` are told apart by their places; `None` if the
    /// number does not decide alone how a string may go on, or too many tokens may exceed it as they begin the string. Lists are made later if that is asked for,
    /// and it is certain that they are not too long.
    pub(crate) fn new(
        (terminal, most): (TerminalId, u32),
        dfa: &Dfa,
        vocabulary: &Vocabulary,
        symbols: &mut Symbols,
        lists: Lists,
        budget: &Budget,
    ) -> Result<Option<Self>, OverBudget> {
        budget.charge_work(dfa.state_count() as u64)?;
        let Some(strings) = Strings::new(dfa) else { return Ok(None) };
        let Some((states, entered)) = states(&strings, most) else { return Ok(None) };
        let long = vocabulary.bases().view().long_tokens();
        let exceeds = |entry: &&U32| TokenCharacters::of(entry).characters > entered;
        if !long.are_countable() || long.behind_quote().iter().filter(exceeds).count() > MOST_ENTERING {
            return Ok(None);
        }
        let reader = Reader { strings: &strings, states: &states, vocabulary };
        let before_needs = reader.before_needs(budget)?;
        let tokens = match lists {
            Lists::WhenAsked if bound::are_short(&reader, &before_needs, tokens::MAX_NEAR, budget)? => {
                budget.charge_bytes(strings.cells() as u64 * BYTES_PER_CELL)?;
                None
            }
            _ => match tokens::lists(&reader, &before_needs, budget)? {
                None => return Ok(None),
                lists => lists,
            },
        };
        if strings.of.len() > dfa.state_count() {
            budget.charge_bytes(strings.of.len() as u64 * BYTES_PER_STATE)?;
            let automaton = strings.over(&symbols.terminals[terminal.index()], &symbols.members());
            symbols.terminals[terminal.index()] = automaton;
        }
        Ok(Some(Self { terminal, most, entered, states, strings, before_needs, tokens }))
    }

    /// Whether it is this terminal, and this state of its automaton is within the string.
    pub(crate) fn counts(&self, automaton: TerminalId, state: u32) -> bool {
        self.terminal == automaton && self.states.get(state as usize).is_some_and(Option::is_some)
    }

    /// Makes the lists, unless they are there. Returns whether none is too long.
    pub(crate) fn make_lists(
        &mut self,
        vocabulary: &Vocabulary,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        if self.tokens.is_none() {
            self.tokens = tokens::lists(&self.reader(vocabulary), &self.before_needs, budget)?;
        }
        Ok(self.tokens.is_some())
    }

    /// The list of a state where so many characters may begin. `None` if it is too long.
    pub(crate) fn list(
        &self,
        state: u32,
        left: u32,
        vocabulary: &Vocabulary,
        budget: &Budget,
    ) -> Result<Option<Vec<u32>>, OverBudget> {
        if let Some(lists) = &self.tokens {
            return Ok(Some(lists[state as usize].clone()));
        }
        if self.before_needs.binary_search(&state).is_err() {
            return Ok(Some(Vec::new()));
        }
        let reader = self.reader(vocabulary);
        let mut needs = Needs::of_few(&reader, budget);
        tokens::of_state(&mut needs, state, left, tokens::most_needed(&self.states), budget)
    }

    /// Which of the lists of a state it is where so many characters may begin. There is one for each way in which it is read.
    pub(crate) fn distance(&self, left: u32) -> Distance {
        let most = tokens::most_needed(&self.states);
        match left {
            _ if left >= MOST_CHARACTERS + most => Distance::Beyond,
            _ if left >= MANY + most => Distance::Far,
            _ => Distance::Near,
        }
    }

    /// The list of a state, if all are made, else an empty one.
    pub(super) fn made_list(&self, state: u32) -> &[u32] {
        self.tokens.as_ref().map_or(&[], |lists| &lists[state as usize])
    }

    fn reader<'a>(&'a self, vocabulary: &'a Vocabulary) -> Reader<'a> {
        Reader { strings: &self.strings, states: &self.states, vocabulary }
    }
}

/// Per state of the automaton of a terminal: where it is within a string; and how many characters fit that begin with the string. `None` if the terminal cannot be counted.
fn states(strings: &Strings, most: u32) -> Option<(Vec<Option<CountedState>>, u32)> {
    let (places, edges) = (&strings.places, Edges::new(strings));
    let (longest, needed) = (edges.longest(), edges.needed());
    let start = strings.next(0, b'"')?;
    if needed[start as usize]? > most {
        return None;
    }
    let mut entered = u32::MAX;
    let mut state = |state: usize| {
        let Some(place) = places[state] else { return Some(None) };
        let (longest, needed) = (longest[state], needed[state]?);
        if longest.is_none_or(|longest| longest.saturating_add(needed) > most) {
            entered = entered.min(most.saturating_sub(needed));
        }
        let left = longest.map_or(0, |longest| most.saturating_sub(longest));
        Some(Some(CountedState { place, needed: u8::try_from(needed).ok()?, left: left.max(needed) }))
    };
    let states = (0..places.len()).map(&mut state).collect::<Option<_>>()?;
    Some((states, entered))
}
