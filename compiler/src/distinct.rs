//! Lists whose items differ: what the runtime needs besides the texts that it remembers.
//!
//! In: the automata, and the terminals with a role in lists ([`ListRole`]). Out: the section `distinct`. The Parser DWA and the masks are
//! those of the grammar without the condition. Two tables spare the runtime work:
//!
//! - **Unbounded states.** In a lexer state from which every item that the lexeme can become has infinitely many texts, a beginning of an item
//!   cannot run out of completions, however many items there were. These are the states that lead to a cycle from which the item can end.
//! - **Crossing tokens.** A token that ends an item and goes on into the next one can be wrong in ways that the texts so far do not show: if the next item
//!   is whole within it, or if few texts begin with what it has of it. All others leave the next item free.

use crate::automata::Automata;
use crate::csr::Csr;
use crate::ids::LexState;
use crate::lexer::Lexer;
use gcc_grammar_artifact::grammar::DistinctTables;
use gcc_grammar_ir::{ListRole, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;

/// The section `distinct`; `None` if the grammar has no lists whose items differ.
///
/// # Errors
/// The budget is spent.
pub(crate) fn tables(
    automata: &Automata<'_>,
    vocabulary: &Vocabulary,
) -> Result<Option<DistinctTables>, OverBudget> {
    let (items, between) = (with_role(automata, ListRole::Item), with_role(automata, ListRole::Between));
    if items.is_empty() {
        return Ok(None);
    }
    let budget = automata.budget.stage("lexer");
    let lexer = automata.decoding().lexer;
    budget.charge_work(((items.len() + 1) * lexer.transitions.len()) as u64)?;
    let unbounded = unbounded(lexer, &items);
    let dfas = |terminals: &[TerminalId]| {
        let origins = terminals.iter().map(|&terminal| automata.origin(terminal).index());
        origins.filter_map(|origin| automata.terminals.dfas[origin].as_ref()).collect::<Vec<_>>()
    };
    let (items_of, between_of) = (dfas(&items), dfas(&between));
    let finite = items_of.iter().map(|dfa| Finite::new(dfa)).collect::<Vec<_>>();
    let crossing = crossing(&finite, &between_of, vocabulary);
    let numbers = |terminals: Vec<TerminalId>| terminals.into_iter().map(|terminal| terminal.0).collect();
    Ok(Some(DistinctTables { items: numbers(items), between: numbers(between), unbounded, crossing }))
}

/// The terminals of the tables to decode with that have a role, ascending.
fn with_role(automata: &Automata<'_>, role: ListRole) -> Vec<TerminalId> {
    let has_role = |terminal: &TerminalId| {
        let origin = automata.grammar.terminals.get(automata.origin(*terminal).index());
        origin.is_some_and(|terminal| terminal.pattern.list_role() == Some(role))
    };
    (0..automata.decoding().lr.terminals).map(TerminalId::new).filter(has_role).collect()
}

/// A bit per lexer state: every item that the lexeme can become has infinitely many texts.
fn unbounded(lexer: &Lexer, items: &[TerminalId]) -> Vec<u32> {
    let states = lexer.states();
    let before = before(lexer);
    let mut bits = vec![u32::MAX; states.div_ceil(32)];
    for &item in items {
        let ends: Vec<bool> =
            (0..states).map(|state| lexer.accepts(LexState::new(state)).contains(&item)).collect();
        let leads = reaching(ends, &before);
        let endless = endless(lexer, &leads, &before);
        for state in (0..states).filter(|&state| leads[state] && !endless[state]) {
            bits[state / 32] &= !(1 << (state % 32));
        }
    }
    bits
}

/// The states that lead to each state by one symbol.
fn before(lexer: &Lexer) -> Csr<u32> {
    let mut before = vec![Vec::new(); lexer.states()];
    for state in 0..lexer.states() {
        for to in successors(lexer, state) {
            before[to].push(state as u32);
        }
    }
    before.into_iter().collect()
}

/// The states after one symbol, each once.
fn successors(lexer: &Lexer, state: usize) -> impl Iterator<Item = usize> {
    let mut targets: Vec<usize> = lexer.row(LexState::new(state)).iter().map(|to| to.index()).collect();
    targets.sort_unstable();
    targets.dedup();
    targets.into_iter().filter(|&to| to != LexState::DEAD.index())
}

/// The states that lead to a marked one, which are marked, too.
fn reaching(mut marked: Vec<bool>, before: &Csr<u32>) -> Vec<bool> {
    let mut open: Vec<usize> = (0..marked.len()).filter(|&state| marked[state]).collect();
    while let Some(state) = open.pop() {
        for &from in before.row(state) {
            if !std::mem::replace(&mut marked[from as usize], true) {
                open.push(from as usize);
            }
        }
    }
    marked
}

/// The states from which there are infinitely long ways within a set: what is left when states without a successor in the set are taken out of it, again
/// and again.
fn endless(lexer: &Lexer, set: &[bool], before: &Csr<u32>) -> Vec<bool> {
    let mut left: Vec<bool> = set.to_vec();
    let count = |state| successors(lexer, state).filter(|&to| set[to]).count();
    let mut counts: Vec<usize> =
        (0..set.len()).map(|state| if set[state] { count(state) } else { 0 }).collect();
    let mut open: Vec<usize> = (0..set.len()).filter(|&state| set[state] && counts[state] == 0).collect();
    while let Some(state) = open.pop() {
        left[state] = false;
        for from in before.row(state).iter().map(|&from| from as usize).filter(|&from| set[from]) {
            counts[from] -= 1;
            if counts[from] == 0 {
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
        let mut state = 0;
        for (read, &byte) in text.iter().enumerate() {
            match self.dfa.next(state, byte) {
                Some(next) => state = next,
                None => return read > 0 && self.dfa.is_accepting(state),
            }
        }
        self.is_finite[state as usize]
    }
}

/// The tokens in which an item that may run out comes behind what stands between two items. Ascending.
fn crossing(items: &[Finite<'_>], between: &[&Dfa], vocabulary: &Vocabulary) -> Vec<u32> {
    let is_crossing = |bytes: &[u8]| {
        let behind = |dfa: &Dfa, start: usize| {
            let ends = ends(dfa, &bytes[start..]);
            ends.into_iter().any(|end| {
                let rest = &bytes[start + end..];
                !rest.is_empty() && items.iter().any(|item| item.may_run_out(rest))
            })
        };
        (0..bytes.len()).any(|start| between.iter().any(|dfa| behind(dfa, start)))
    };
    let tokens = 0..vocabulary.width();
    tokens.filter(|&token| vocabulary.bytes(token).is_some_and(is_crossing)).collect()
}

/// The lengths of the beginnings of a text that an automaton accepts.
fn ends(dfa: &Dfa, text: &[u8]) -> Vec<usize> {
    let mut state = 0;
    let mut ends = Vec::new();
    for (read, &byte) in text.iter().enumerate() {
        match dfa.next(state, byte) {
            Some(next) => state = next,
            None => break,
        }
        if dfa.is_accepting(state) {
            ends.push(read + 1);
        }
    }
    ends
}
