//! Texts that are repeated: what the runtime needs besides the texts.
//!
//! In: the automata, and the terminals with a role among such texts ([`SameRole`]). Out: the section `same`. The Parser DWA and the masks are those of the
//! grammar without the condition. A token may be wrong if it goes on into a repeated text: where its first bytes are in the lexeme before, the runtime
//! follows them. Tokens with all of this lexeme are listed ([`crossing`]).

use crate::automata::Automata;
use crate::crossing::{crossing, run};
use crate::ids::LexState;
use crate::lexer::Lexer;
use crate::lr::Entry;
use gcc_grammar_artifact::grammar::SameTables;
use gcc_grammar_ir::{Pattern, SameRole, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashSet;

/// The section `same`; `None` if no text is repeated.
///
/// # Errors
/// The budget is spent.
pub(crate) fn tables(automata: &Automata, vocabulary: &Vocabulary) -> Result<Option<SameTables>, OverBudget> {
    let repeated = with_role(automata, |role| matches!(role, SameRole::Repeated(_)));
    if repeated.is_empty() {
        return Ok(None);
    }
    let before = before(automata, &repeated);
    let ignored = &automata.grammar.ignored;
    let behind = automata.dfas(&[&repeated[..], ignored].concat());
    let goes_on = |rest: &[u8]| behind.iter().any(|dfa| begins(dfa, rest));
    let budget = automata.budget.stage("lexer");
    let crossing = crossing((&goes_on, behind.len()), &automata.dfas(&before), vocabulary, &budget)?;
    let numbers = |terminals: Vec<TerminalId>| terminals.into_iter().map(|terminal| terminal.0).collect();
    Ok(Some(SameTables {
        remembered: numbers(with_role(automata, |role| matches!(role, SameRole::Remembered(_)))),
        repeated: numbers(repeated),
        forgotten: numbers(with_role(automata, |role| matches!(role, SameRole::Forgotten(_)))),
        before: numbers(before),
        crossing,
    }))
}

/// The terminals of the tables to decode with that have a role, ascending.
fn with_role(automata: &Automata, is_role: fn(SameRole) -> bool) -> Vec<TerminalId> {
    let role = |terminal| automata.pattern(terminal).and_then(Pattern::same_role);
    let terminals = (0..automata.decoding().lr.terminals).map(TerminalId::new);
    terminals.filter(|&terminal| role(terminal).is_some_and(is_role)).collect()
}

/// The terminals directly behind which one of these may come, ascending.
fn before(automata: &Automata, repeated: &[TerminalId]) -> Vec<TerminalId> {
    let lr = automata.decoding().lr;
    let mut before = Vec::new();
    for (state, entry) in lr.entries().into_iter().enumerate() {
        if let Entry::Shift(lexemes) = entry
            && lr.actions.row(state).iter().any(|(terminal, _)| repeated.contains(terminal))
        {
            before.extend(lexemes);
        }
    }
    before.sort_unstable();
    before.dedup();
    before
}

/// Whether a text begins a text of an automaton, or begins with one.
pub(crate) fn begins(dfa: &Dfa, text: &[u8]) -> bool {
    let (read, state) = run(dfa, text);
    read == text.len() || dfa.is_accepting(state)
}

/// Why some remembered text may not be readable where it must be repeated, if that is so.
///
/// # Errors
/// The budget is spent.
pub(crate) fn unreadable(automata: &Automata) -> Result<Option<String>, OverBudget> {
    let terminals = || automata.grammar.terminals.iter().enumerate();
    let role = |index: usize| automata.grammar.terminals[index].pattern.same_role();
    let budget = automata.budget.stage("liveness");
    for (remembered, terminal) in terminals() {
        let Some(SameRole::Remembered(kind)) = role(remembered) else { continue };
        let Some(texts) = &automata.terminals.dfas[remembered] else { continue };
        let is_repetition = |&(index, _): &(usize, _)| role(index) == Some(SameRole::Repeated(kind));
        for (repeated, other) in terminals().filter(is_repetition) {
            if !are_read_as(automata, texts, TerminalId::new(repeated), &budget)? {
                let (first, second) = (&terminal.name, &other.name);
                return Ok(Some(format!("a text of {first} may not be read as {second}, which repeats it")));
            }
        }
    }
    Ok(None)
}

/// Whether, wherever a terminal may begin, each of these texts is read as this terminal.
fn are_read_as(
    automata: &Automata,
    texts: &Dfa,
    terminal: TerminalId,
    budget: &Budget,
) -> Result<bool, OverBudget> {
    let (decoding, classes) = (automata.decoding(), &automata.symbols.byte_class);
    let Lexer { contexts, restarts, .. } = decoding.lexer;
    let stands_for =
        |other: &TerminalId| *other != crate::lexer::IGNORED && automata.origin(*other) == terminal;
    let is_expected: Vec<bool> =
        decoding.contexts.terminals.iter().map(|all| all.iter().any(stands_for)).collect();
    let starts = restarts.iter().enumerate().filter(|(index, _)| is_expected[index % contexts]);
    let mut open: Vec<(LexState, u32)> =
        starts.map(|(_, &start)| (start, 0)).filter(|&(start, _)| start != LexState::DEAD).collect();
    let mut seen: FxHashSet<(LexState, u32)> = open.iter().copied().collect();
    while let Some((lex, state)) = open.pop() {
        budget.charge_work(256)?;
        if texts.is_accepting(state) && !decoding.lexer.accepts(lex).iter().any(stands_for) {
            return Ok(false);
        }
        for (low, high, to) in texts.edges(state) {
            for byte in low..=high {
                let next = decoding.lexer.row(lex)[usize::from(classes[usize::from(byte)])];
                if next == LexState::DEAD {
                    return Ok(false);
                }
                if seen.insert((next, to)) {
                    budget.charge_bytes(16)?;
                    open.push((next, to));
                }
            }
        }
    }
    Ok(true)
}
