//! Finds the lexical context of every LR state: the terminals that may start a lexeme there.
//!
//! In: the grammar and its LR tables. Out: the distinct [`Contexts`], and per context the terminals that are
//! withheld from it. [`merge`](super::merge) reduces their number afterwards.

use crate::ids::{ContextId, LrState};
use crate::lr::{Entry, LrTables};
use crate::partition::number;
use gcc_grammar_ir::{After, ContextRules, EmbeddedLanguage, Grammar, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// Estimated bytes of a terminal of a context, in the list and while lists are compared.
const BYTES_PER_TERMINAL: u64 = 8;

/// The contexts, and the context of each LR state.
#[derive(Clone, Debug)]
pub struct Contexts {
    /// Per LR state: its context.
    pub of_state: Vec<ContextId>,
    /// Per context: its terminals, ignored terminals included, sorted.
    pub terminals: Vec<Vec<TerminalId>>,
}

impl Contexts {
    /// The context of an LR state.
    #[must_use]
    pub fn of(&self, state: LrState) -> ContextId {
        self.of_state[state.index()]
    }
}

/// Per context: the terminals that are not recognized there, although the parser expects them in an LR state
/// of the context, or would ignore them.
pub(crate) type Withheld = Vec<Vec<TerminalId>>;

/// A context for every distinct set of terminals. A lexeme only starts in the start state or after a shift.
/// The other states get the context of the start state, which is never used.
///
/// # Errors
/// The budget is spent.
pub(crate) fn distinct(
    grammar: &Grammar,
    tables: &LrTables,
    budget: &Budget,
) -> Result<(Contexts, Withheld), OverBudget> {
    let budget = budget.stage("lexer");
    let mut ids: FxHashMap<Vec<TerminalId>, ContextId> = FxHashMap::default();
    let mut out = Contexts { of_state: Vec::new(), terminals: Vec::new() };
    let mut withheld = Withheld::new();
    for (state, entry) in tables.entries().into_iter().enumerate() {
        let lexeme = match entry {
            Entry::Start => None,
            // All these lexemes are of a kind ([`kinds`]), so the same terminals are recognized after each of
            // them.
            Entry::Shift(lexemes) => Some(lexemes[0]),
            Entry::Goto(_) => {
                out.of_state.push(out.of_state[0]);
                continue;
            }
        };
        let expected = tables.actions.row(state).iter().map(|&(t, _)| t);
        let set = recognized(grammar, expected.clone(), lexeme);
        budget.charge_work(set.len() as u64)?;
        if !ids.contains_key(&set) {
            budget.charge_bytes(BYTES_PER_TERMINAL * set.len() as u64)?;
        }
        let taken = expected.chain(grammar.ignored.iter().copied());
        let unrecognized: Vec<TerminalId> = taken.filter(|t| set.binary_search(t).is_err()).collect();
        let id = *ids.entry(set).or_insert_with_key(|set| {
            out.terminals.push(set.clone());
            withheld.push(Vec::new());
            ContextId::new(out.terminals.len() - 1)
        });
        withheld[id.index()].extend(unrecognized);
        out.of_state.push(id);
    }
    Ok((out, withheld))
}

/// Per terminal: the number of its kind. After lexemes of the same kind the same terminals are recognized,
/// given the same LR state.
#[must_use]
pub fn kinds(grammar: &Grammar, terminals: usize) -> Vec<u32> {
    let is_after = |lexeme| -> Vec<bool> {
        grammar.contexts.after.iter().map(|after| after.lexemes.contains(&lexeme)).collect()
    };
    let ContextRules { modes, .. } = &grammar.contexts;
    let mode = |lexeme: TerminalId| modes.iter().position(|mode| mode.behind.contains(&lexeme));
    let kind = |lexeme| (is_after(lexeme), grammar.contexts.language_of(lexeme), mode(lexeme));
    number((0..terminals).map(TerminalId::new).map(kind))
}

/// The terminals that are recognized after `lexeme` where the parser expects `expected`, sorted.
fn recognized(
    grammar: &Grammar,
    expected: impl Iterator<Item = TerminalId>,
    lexeme: Option<TerminalId>,
) -> Vec<TerminalId> {
    let mut set: Vec<TerminalId> = expected.collect();
    let ContextRules { after, verbatim, .. } = &grammar.contexts;
    if !set.iter().any(|t| verbatim.contains(t)) {
        let more = unexpected(grammar, &set, lexeme);
        set.extend(more);
    }
    set.retain(|t| after.iter().all(|after| after.terminal != *t));
    let follows = |after: &&After| lexeme.is_some_and(|lexeme| after.lexemes.contains(&lexeme));
    set.extend(after.iter().filter(follows).map(|after| after.terminal));
    set.sort_unstable();
    set.dedup();
    set
}

/// The terminals that are recognized or ignored although the parser does not expect them: those of the mode or the embedded languages of the
/// place, or else those of the grammar itself.
fn unexpected(grammar: &Grammar, expected: &[TerminalId], lexeme: Option<TerminalId>) -> Vec<TerminalId> {
    let ContextRules { everywhere, languages, modes, .. } = &grammar.contexts;
    if let Some(mode) = grammar.contexts.mode(expected, lexeme) {
        return mode.terminals.clone();
    }
    let here = languages.iter().filter(|language| {
        expected.iter().chain(&lexeme).any(|t| language.terminals.binary_search(t).is_ok())
    });
    let here: Vec<&EmbeddedLanguage> = here.collect();
    if here.is_empty() {
        let is_own = |t: &&TerminalId| {
            let is_in_mode = modes.iter().any(|mode| mode.terminals.binary_search(t).is_ok());
            !is_in_mode && languages.iter().all(|language| !language.ignored.contains(t))
        };
        return everywhere.iter().chain(grammar.ignored.iter().filter(is_own)).copied().collect();
    }
    here.into_iter()
        .flat_map(|language| language.everywhere.iter().chain(&language.ignored))
        .copied()
        .collect()
}
