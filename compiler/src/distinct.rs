//! Lists whose items differ, and objects whose keys are remembered ([`keys`](crate::keys)): what the runtime needs besides the texts.
//!
//! In: the automata, and the terminals with a role in lists ([`ListRole`]). Out: the section `distinct`. The Parser DWA and the masks are
//! those of the grammar without the condition. Two tables spare the runtime work:
//!
//! - **Branching states.** From a lexer state where two bytes or more lead to states of the same kind, 2^n texts differ in the next n bytes. There a
//!   beginning of an item cannot run out of completions, since fewer items are remembered. The same holds within scalars of items that have several lexemes.
//! - **Crossing tokens.** A token that ends an item and goes on into the next one can be wrong in ways that the texts so far do not show: if the next item
//!   is whole within it, if few texts begin with what it has of it, or if it has several lexemes. All others leave the next item free.
//!
//! Names of the objects in items are items in this respect. An endless item can only be wrong where it ends.

use crate::automata::Automata;
use crate::crossing::{crossing, ends, run};
use crate::csr::Csr;
use crate::ids::LexState;
use crate::keys;
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_artifact::grammar::DistinctTables;
use gcc_grammar_ir::{ListRole, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;

/// Estimated bytes of a transition that is stored the other way round.
const BYTES_PER_TRANSITION: u64 = 8;

/// The section `distinct`; `None` if the grammar has neither lists whose items differ nor objects whose keys are remembered.
///
/// # Errors
/// The budget is spent.
pub(crate) fn tables(
    automata: &Automata,
    vocabulary: &Vocabulary,
) -> Result<Option<DistinctTables>, OverBudget> {
    let lists = lists(automata, vocabulary)?;
    keys::add(automata, vocabulary, lists)
}

/// The part of the section on lists; `None` if there are none whose items differ.
fn lists(automata: &Automata, vocabulary: &Vocabulary) -> Result<Option<DistinctTables>, OverBudget> {
    let [items, between, begins, ends, parts] =
        [ListRole::Item, ListRole::Between, ListRole::Begins, ListRole::Ends, ListRole::Part]
            .map(|role| with_role(automata, role));
    let [endless, names, opens_names, closes_names] =
        [ListRole::BeginsEndless, ListRole::Name, ListRole::Opens, ListRole::Closes]
            .map(|role| with_role(automata, role));
    if items.is_empty() && begins.is_empty() && endless.is_empty() && names.is_empty() {
        return Ok(None);
    }
    let budget = automata.budget.stage("lexer");
    let lexer = automata.decoding().lexer;
    let scalars = [&items[..], &parts, &names].concat();
    budget.charge_work(((scalars.len() + 1) * lexer.transitions.len()) as u64)?;
    budget.charge_bytes(BYTES_PER_TRANSITION * lexer.transitions.len() as u64)?;
    let branching = branching(lexer, &byte_counts(&automata.symbols), &scalars);
    let texts = [&items[..], &names].concat();
    let [items_of, between_of, begins_of, endless_of] =
        [&texts, &between, &begins, &endless].map(|terminals| automata.dfas(terminals));
    let cells = items_of.iter().map(|dfa| dfa.cells() as u64).sum::<u64>();
    budget.charge_work(cells).and_then(|()| budget.charge_bytes(BYTES_PER_TRANSITION * cells))?;
    let finite = items_of.iter().map(|dfa| Finite::new(dfa)).collect::<Vec<_>>();
    let may_run_out = |rest: &[u8]| {
        finite.iter().any(|item| item.may_run_out(rest))
            || begins_of.iter().any(|begin| begins_with(begin, rest))
            || up_to_end(rest) > 0 && endless_of.iter().any(|begin| begins_with(begin, rest))
    };
    let count = finite.len() + begins_of.len() + endless_of.len();
    let crossing = crossing((&may_run_out, count), &between_of, vocabulary, &budget)?;
    let longest_end = if names.is_empty() { 0 } else { longest_end(vocabulary) };
    let numbers = |terminals: Vec<TerminalId>| terminals.into_iter().map(|terminal| terminal.0).collect();
    let [items, between, begins, ends, parts] = [items, between, begins, ends, parts].map(numbers);
    let [endless, names, opens_names, closes_names] =
        [endless, names, opens_names, closes_names].map(numbers);
    Ok(Some(DistinctTables {
        endless,
        names,
        opens_names,
        closes_names,
        longest_end,
        items,
        between,
        branching,
        crossing,
        begins,
        ends,
        parts,
        ..Default::default()
    }))
}

/// The terminals of the tables to decode with that have a role, ascending.
fn with_role(automata: &Automata, role: ListRole) -> Vec<TerminalId> {
    automata.terminals_with(|pattern| pattern.list_role() == Some(role))
}

/// The number of bytes of each class of symbols.
fn byte_counts(symbols: &Symbols) -> Vec<usize> {
    let mut counts = vec![0; symbols.classes];
    symbols.byte_class.iter().for_each(|&class| counts[usize::from(class)] += 1);
    counts
}

/// A bit per lexer state: for every item that the lexeme can become, two bytes or more lead to states of which the same holds.
fn branching(lexer: &Lexer, bytes: &[usize], items: &[TerminalId]) -> Vec<u32> {
    let states = lexer.states();
    let before = before(lexer, bytes);
    let mut bits = vec![u32::MAX; states.div_ceil(32)];
    for &item in items {
        let ends: Vec<bool> =
            (0..states).map(|state| lexer.accepts(LexState::new(state)).contains(&item)).collect();
        let leads = reaching(ends, &before);
        let branching = largest(&leads, &before);
        for state in (0..states).filter(|&state| leads[state] && !branching[state]) {
            bits[state / 32] &= !(1 << (state % 32));
        }
    }
    bits
}

/// The states that lead to each state by one symbol, each with the number of bytes that do.
fn before(lexer: &Lexer, bytes: &[usize]) -> Csr<(u32, usize)> {
    let mut before = vec![Vec::new(); lexer.states()];
    for state in 0..lexer.states() {
        for (to, &bytes) in lexer.row(LexState::new(state)).iter().zip(bytes) {
            if *to != LexState::DEAD {
                before[to.index()].push((state as u32, bytes));
            }
        }
    }
    before.into_iter().collect()
}

/// The states that lead to a marked one, which are marked, too.
fn reaching(mut marked: Vec<bool>, before: &Csr<(u32, usize)>) -> Vec<bool> {
    let mut open: Vec<usize> = (0..marked.len()).filter(|&state| marked[state]).collect();
    while let Some(state) = open.pop() {
        for &(from, _) in before.row(state) {
            if !std::mem::replace(&mut marked[from as usize], true) {
                open.push(from as usize);
            }
        }
    }
    marked
}

/// The largest part of a set of states in which two bytes or more lead from each state to states of the part: states are taken out of the set, as long as some
/// have fewer.
fn largest(set: &[bool], before: &Csr<(u32, usize)>) -> Vec<bool> {
    let mut left = set.to_vec();
    let mut counts = vec![0; set.len()];
    for state in (0..set.len()).filter(|&state| set[state]) {
        before.row(state).iter().for_each(|&(from, bytes)| counts[from as usize] += bytes);
    }
    let mut open: Vec<usize> = (0..set.len()).filter(|&state| set[state] && counts[state] < 2).collect();
    open.iter().for_each(|&state| left[state] = false);
    while let Some(state) = open.pop() {
        for &(from, bytes) in before.row(state) {
            let from = from as usize;
            counts[from] -= bytes;
            if left[from] && counts[from] < 2 {
                left[from] = false;
                open.push(from);
            }
        }
    }
    left
}

/// The automaton of items, and which of its states have finitely many texts.
struct Finite<'d> {
    dfa: &'d Dfa,
    is_finite: Vec<bool>,
}

impl<'d> Finite<'d> {
    /// All states of the automaton lead to an accepting one. Those that lead to no cycle have finitely many texts.
    fn new(dfa: &'d Dfa) -> Self {
        let states = dfa.state_count();
        let mut before = vec![Vec::new(); states];
        let mut counts = vec![0_usize; states];
        for state in 0..states as u32 {
            for (_, _, to) in dfa.edges(state) {
                before[to as usize].push(state);
                counts[state as usize] += 1;
            }
        }
        let mut is_finite = vec![false; states];
        let mut open: Vec<usize> = (0..states).filter(|&state| counts[state] == 0).collect();
        while let Some(state) = open.pop() {
            is_finite[state] = true;
            for &from in &before[state] {
                counts[from as usize] -= 1;
                if counts[from as usize] == 0 {
                    open.push(from as usize);
                }
            }
        }
        Self { dfa, is_finite }
    }

    /// Whether a text that is not empty has a whole item in front of something else, or begins items of which there are finitely many.
    fn may_run_out(&self, text: &[u8]) -> bool {
        let (read, state) = run(self.dfa, text);
        match read == text.len() {
            true => self.is_finite[state as usize],
            false => read > 0 && self.dfa.is_accepting(state),
        }
    }
}

/// The number of bytes of a text up to its last closing bracket.
fn up_to_end(text: &[u8]) -> u32 {
    text.iter().rposition(|byte| matches!(byte, b'}' | b']')).map_or(0, |last| last as u32 + 1)
}

/// The most bytes of a token up to its last closing bracket.
fn longest_end(vocabulary: &Vocabulary) -> u32 {
    let closing = b"]}".iter().flat_map(|&byte| vocabulary.tokens_with(byte));
    closing.filter_map(|&token| vocabulary.bytes(token)).map(up_to_end).max().unwrap_or(0)
}

/// Whether a text begins with one of an automaton, and goes on, or is one.
fn begins_with(dfa: &Dfa, text: &[u8]) -> bool {
    !ends(dfa, text).is_empty()
}
