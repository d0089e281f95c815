//! Whether every text that is remembered can be read where it must be repeated.

use super::Stages;
use crate::ids::LexState;
use crate::lexer::Lexer;
use gcc_grammar_ir::{SameRole, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashSet;

/// Why some remembered text may not be readable where it must be repeated, if that is so.
///
/// # Errors
/// The budget is spent.
pub(super) fn unreadable(stages: &Stages<'_>, budget: &Budget) -> Result<Option<String>, OverBudget> {
    let terminals = || stages.grammar.terminals.iter().enumerate();
    let role = |index: usize| stages.grammar.terminals[index].pattern.same_role();
    for (remembered, terminal) in terminals() {
        let Some(SameRole::Remembered(kind)) = role(remembered) else { continue };
        let Some(texts) = &stages.dfas[remembered] else { continue };
        let is_repetition = |&(index, _): &(usize, _)| role(index) == Some(SameRole::Repeated(kind));
        for (repeated, other) in terminals().filter(is_repetition) {
            if !are_read_as(stages, texts, TerminalId::new(repeated), budget)? {
                let (first, second) = (&terminal.name, &other.name);
                return Ok(Some(format!("a text of {first} may not be read as {second}, which repeats it")));
            }
        }
    }
    Ok(None)
}

/// Whether, wherever a terminal may begin, each of these texts is read as this terminal.
fn are_read_as(
    stages: &Stages<'_>,
    texts: &Dfa,
    terminal: TerminalId,
    budget: &Budget,
) -> Result<bool, OverBudget> {
    let classes = &stages.symbols.byte_class;
    let Lexer { contexts, restarts, .. } = stages.lexer;
    let is_expected: Vec<bool> =
        stages.contexts.terminals.iter().map(|all| all.contains(&terminal)).collect();
    let starts = restarts.iter().enumerate().filter(|(index, _)| is_expected[index % contexts]);
    let mut open: Vec<(LexState, u32)> =
        starts.map(|(_, &start)| (start, 0)).filter(|&(start, _)| start != LexState::DEAD).collect();
    let mut seen: FxHashSet<(LexState, u32)> = open.iter().copied().collect();
    while let Some((lex, state)) = open.pop() {
        budget.charge_work(256)?;
        if texts.is_accepting(state) && !stages.lexer.accepts(lex).contains(&terminal) {
            return Ok(false);
        }
        for (low, high, to) in texts.edges(state) {
            for byte in low..=high {
                let next = stages.lexer.row(lex)[usize::from(classes[usize::from(byte)])];
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
