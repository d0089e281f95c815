//! Texts that are repeated: what the runtime needs besides the texts.
//!
//! In: the automata, and the terminals with a role among such texts ([`SameRole`]). Out: the section `same`. The Parser DWA and the masks are those of the
//! grammar without the condition. A token may be wrong if it goes on into a repeated text: where its first bytes are in the lexeme before, the runtime
//! follows them. Tokens with all of this lexeme are listed ([`crossing`]).

use crate::automata::Automata;
use crate::crossing::{begins, crossing};
use crate::lr::Entry;
use gcc_grammar_artifact::grammar::SameTables;
use gcc_grammar_ir::{SameRole, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_vocabulary::Vocabulary;

/// The section `same`; `None` if no text is repeated.
///
/// # Errors
/// The budget is spent.
pub(crate) fn tables(automata: &Automata, vocabulary: &Vocabulary) -> Result<Option<SameTables>, OverBudget> {
    let with_role = |is_role: fn(SameRole) -> bool| {
        automata.terminals_with(|pattern| pattern.same_role().is_some_and(is_role))
    };
    let repeated = with_role(|role| matches!(role, SameRole::Repeated(_)));
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
        remembered: numbers(with_role(|role| matches!(role, SameRole::Remembered(_)))),
        repeated: numbers(repeated),
        forgotten: numbers(with_role(|role| matches!(role, SameRole::Forgotten(_)))),
        before: numbers(before),
        crossing,
    }))
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
