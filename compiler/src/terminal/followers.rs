//! The bytes that may follow lexemes of free text.
//!
//! Under any split, a lexeme of free text may end at nearly every node of the trie, and bytes below nearly every node start some lexeme of the
//! grammar. But mostly few lexemes may follow free text: in a structural tag, the triggers. Walks continue only at nodes with one of their first bytes.
//!
//! In: the walked automaton, the terminals that lead to its states, and the parser's tables. Out: [`Followers`]. The bytes of a state are those with
//! which a lexeme can start that the parser may read right after a lexeme that ends there. Other bytes start no lexeme there, so nothing is lost.

use super::parts::Parts;
use super::reached::{Reached, first_bytes};
use super::starts::StartKey;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::{Lexer, Member, Symbols};
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// The fewest bytes on which a state that reads free text stays the same.
const FREE_TEXT_BYTES: usize = 64;

/// The bytes that may follow states of free text.
#[derive(Default)]
pub(super) struct Followers {
    /// The states, ascending, each with the bytes that may start the next lexeme.
    pub(super) of: Vec<(LexState, ByteSet)>,
    /// Per state of the walked automaton: whether it leads to one of them. Empty if there are none.
    leads_to: Vec<bool>,
    /// Stands for the bytes of all states in the keys of walks.
    digest: StartKey,
}

impl Followers {
    /// Finds them for the states of free text in `walked`.
    pub(super) fn new(
        reached: &Reached<'_>,
        walked: &Lexer,
        symbols: &Symbols,
        tables: &LrTables,
        parts: &Parts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let Some(members) = &reached.members else { return Ok(Self::default()) };
        let work = members.len() as u64;
        budget.charge_work(work + walked.states() as u64)?;
        let states = free_text(walked, symbols);
        if states.is_empty() || reached.has_ignored() {
            return Ok(Self::default());
        }
        let entries = tables.entries();
        let mut of = Vec::with_capacity(states.len());
        for state in states {
            // Where lexer states are not divided, nothing says which members a state has.
            let is_here = |member: &&Member| parts.walked_from(member).is_none_or(|walked| walked == state);
            let here = members.iter().filter(is_here);
            let terminals = here.map(|member| member.terminal).collect();
            let followers = followers(tables, &entries, &terminals, budget)?;
            budget.charge_work(2 * work)?;
            let starts = reached.starts.iter().filter(|member| followers.contains(&member.terminal));
            of.push((state, first_bytes(starts, symbols)));
        }
        budget.charge_bytes(walked.states() as u64)?;
        let leads_to = leading_to(walked, &of, budget)?;
        let digest = digest(&of, parts);
        Ok(Self { of, leads_to, digest })
    }

    /// The bytes that may start the next lexeme, if it is a state of free text.
    pub(super) fn begin(&self, state: LexState) -> Option<ByteSet> {
        let place = self.of.binary_search_by_key(&state, |&(state, _)| state).ok()?;
        Some(self.of[place].1)
    }

    /// What stands for the bytes that may start lexemes in the keys of walks from a state, where otherwise `starts` does.
    pub(super) fn key(&self, state: usize, starts: ByteSet) -> StartKey {
        if self.leads_to.get(state) == Some(&true) { self.digest } else { starts.0 }
    }
}

/// The accepting states that stay the same on many bytes.
fn free_text(walked: &Lexer, symbols: &Symbols) -> Vec<LexState> {
    let mut sizes = vec![0; symbols.classes];
    symbols.byte_class.iter().for_each(|&class| sizes[usize::from(class)] += 1);
    let loops = |state: LexState| -> usize {
        let class_size = |class: usize| {
            let same = walked.next(state, SymbolClass::new(class)) == state;
            usize::from(same) * sizes[class]
        };
        (0..sizes.len()).map(class_size).sum()
    };
    let accepting =
        (1..walked.states()).map(LexState::new).filter(|&state| !walked.accepts(state).is_empty());
    accepting.filter(|&state| loops(state) >= FREE_TEXT_BYTES).collect()
}

/// The terminals on which the parser has an action right after one of `terminals`.
fn followers(
    tables: &LrTables,
    entries: &[Entry],
    terminals: &FxHashSet<TerminalId>,
    budget: &Budget,
) -> Result<FxHashSet<TerminalId>, OverBudget> {
    let mut found = FxHashSet::default();
    budget.charge_work(entries.len() as u64)?;
    for (state, entry) in entries.iter().enumerate() {
        let Entry::Shift(by) = entry else { continue };
        if by.iter().any(|terminal| terminals.contains(terminal)) {
            let row = tables.actions.row(state);
            budget.charge_work(row.len() as u64)?;
            found.extend(row.iter().map(|&(terminal, _)| terminal));
        }
    }
    Ok(found)
}

/// Per state: whether it leads to one of the states.
fn leading_to(walked: &Lexer, of: &[(LexState, ByteSet)], budget: &Budget) -> Result<Vec<bool>, OverBudget> {
    let mut leads_to = vec![false; walked.states()];
    of.iter().for_each(|&(state, _)| leads_to[state.index()] = true);
    // Mostly the states behind a state have higher numbers, so one round from the last state to the first finds nearly all.
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        budget.charge_work(walked.transitions.len() as u64)?;
        for (state, row) in walked.transitions.chunks(walked.classes).enumerate().rev() {
            if !leads_to[state] && row.iter().any(|target| leads_to[target.index()]) {
                leads_to[state] = true;
                has_changed = true;
            }
        }
    }
    Ok(leads_to)
}

/// Stands for the languages of the states and their bytes.
fn digest(of: &[(LexState, ByteSet)], parts: &Parts) -> StartKey {
    let mut digest = Sha256::new();
    for (state, bytes) in of {
        digest.update(parts.key(*state).unwrap_or_default());
        bytes.0.iter().for_each(|word| digest.update(word.to_le_bytes()));
    }
    let digest: [u8; 32] = digest.finalize().into();
    std::array::from_fn(|word| u64::from_le_bytes(std::array::from_fn(|byte| digest[8 * word + byte])))
}
