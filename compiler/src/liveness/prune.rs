//! Makes LR tables and a lexer that lead into no dead end.
//!
//! In: the grammar and its tables, in which something that the parser expects cannot be spelled. Out: [`Pruned`].
//! Afterwards a terminal is shifted only if the stack can still be completed in the situation that its lexeme leaves,
//! and an ignored lexeme ends only if it leaves such a situation. So a head is viable in these tables if and only if
//! some text leads from it to a sentence.

use super::filters;
use super::labels::Labels;
use super::lexemes::Lexemes;
use super::restricted::restrict;
use super::situations::Situations;
use super::summaries::{Base, Summaries};
use crate::ids::{ContextId, EndClass, LrState};
use crate::lexer::{self, Contexts, Lexer, Relabeling};
use crate::lr::{self, Action, Automaton, Entry, LrTables};
use crate::normalize::Cfg;
use crate::partition::number;
use gcc_grammar_ir::{NonterminalId, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};

/// Tables without dead ends.
#[derive(Debug)]
pub struct Pruned {
    /// The LR tables. Terminals beyond those of the grammar are copies, see [`origin`](Self::origin).
    pub lr: LrTables,
    /// The lexer, whose lexemes are told apart where the tables do.
    pub lexer: Lexer,
    /// The contexts of the LR states. The terminals are those of the grammar.
    pub contexts: Contexts,
    /// Per terminal beyond END: the terminal that it is a copy of.
    pub origin: Vec<TerminalId>,
    /// Per nonterminal of the LR tables: the nonterminal of the productions. Those that nothing can be reduced to any more
    /// have no number.
    pub nonterminals: Vec<NonterminalId>,
}

/// What became of the tables.
pub(super) enum Outcome {
    /// New tables.
    Pruned(Box<Pruned>),
    /// No text at all is in the language.
    Empty,
    /// The tables grow too large.
    TooLarge(&'static str),
}

/// The parser of productions without unions, in which lexemes can lead into dead ends.
pub(super) struct Parser<'a> {
    pub(super) cfg: &'a Cfg,
    pub(super) automaton: &'a Automaton,
    /// Its tables, with equivalent states merged.
    pub(super) minimal: &'a LrTables,
    /// The state there of each state of the automaton.
    pub(super) state_of: &'a [LrState],
}

/// Makes the tables. The symbols of limits on tokens are the classes from `read_classes` on.
pub(super) fn prune(
    parser: &Parser<'_>,
    (lexer, contexts, read_classes): (&Lexer, &Contexts, usize),
    lexemes: &mut Lexemes<'_>,
    budget: &Budget,
) -> Result<Outcome, OverBudget> {
    let &Parser { cfg, automaton, minimal, state_of } = parser;
    let context_of: Vec<ContextId> = state_of.iter().map(|&state| contexts.of(state)).collect();
    let Some(situations) = Situations::new(minimal, contexts, lexemes, budget)? else {
        return Ok(Outcome::TooLarge("lexemes can leave too many different constraints to the next one"));
    };
    let base = Base { cfg, automaton, context_of: &context_of, situations: &situations };
    let summaries = Summaries::new(base, budget)?;
    let Some(restricted) = restrict(base, &summaries, budget)? else {
        return Ok(Outcome::TooLarge("the LR automaton without dead ends has too many states"));
    };
    let start = situations.of((EndClass(0), contexts.of_state[0]));
    if start.is_none_or(|start| restricted.states[0].live >> start & 1 == 0) {
        return Ok(Outcome::Empty);
    }
    let labels = Labels::new(&situations, &restricted.states, &context_of, cfg.terminal_count);
    let filtered = filters::filter(&restricted.automaton, &labels, lexemes);
    let tables = lr::tables(cfg, &restricted.automaton, &labels, budget)?;
    let merged = labels.merge(&tables);
    let tables = merged.apply(&tables);
    let (lr, state_of) = lr::merge(&tables, by_context(&tables, &filtered.of_state), budget)?;
    let (lr, nonterminals) = renumber(lr);
    let mut of_state = vec![ContextId(0); lr.states()];
    state_of.iter().zip(&filtered.of_state).for_each(|(state, &context)| of_state[state.index()] = context);
    let terminals = |&(context, _): &(ContextId, _)| contexts.terminals[context.index()].clone();
    let contexts = Contexts { of_state, terminals: filtered.contexts.iter().map(terminals).collect() };
    let after = contexts_after(&lr, &contexts);
    let relabeling = Relabeling {
        terminal: |terminal, end| labels.terminal(&merged, terminal, end),
        contexts: &filtered.contexts,
        filters: &filtered.filters,
        after: &after,
        start: contexts.of_state[0],
        read_classes,
    };
    let lexer = lexer::relabel(lexer, &relabeling, budget)?;
    Ok(Outcome::Pruned(Box::new(Pruned { lr, lexer, contexts, origin: merged.origin, nonterminals })))
}

/// Numbers the nonterminals that are left without gaps. Returns the old number of each.
fn renumber(lr: LrTables) -> (LrTables, Vec<NonterminalId>) {
    let gotos = lr.gotos.items().iter().map(|&(nonterminal, _)| nonterminal);
    let mut left: Vec<NonterminalId> = gotos.chain(lr.productions.iter().map(|&(lhs, _)| lhs)).collect();
    left.sort_unstable();
    left.dedup();
    let new = |old: NonterminalId| NonterminalId::new(left.partition_point(|&n| n < old));
    let gotos = (0..lr.states())
        .map(|state| lr.gotos.row(state).iter().map(|&(n, to)| (new(n), to)).collect::<Vec<_>>());
    let (gotos, productions) =
        (gotos.collect(), lr.productions.iter().map(|&(lhs, length)| (new(lhs), length)).collect());
    (LrTables { gotos, productions, nonterminals: left.len(), ..lr }, left)
}

/// Classes of states that are entered in the same way, by a goto on the same nonterminal or with the same context.
fn by_context(tables: &LrTables, context_of: &[ContextId]) -> Vec<u32> {
    let key = |(entry, context): (Entry, &ContextId)| match entry {
        Entry::Start => (0, 0),
        Entry::Shift(_) => (1, context.0),
        Entry::Goto(nonterminal) => (2, nonterminal.0),
    };
    number(tables.entries().into_iter().zip(context_of).map(key))
}

/// Per terminal: the contexts of the states that it leads to.
fn contexts_after(lr: &LrTables, contexts: &Contexts) -> Vec<Vec<ContextId>> {
    let mut after = vec![Vec::new(); lr.terminals];
    for &(terminal, action) in lr.actions.items() {
        if let Action::Shift(to) = action {
            after[terminal.index()].push(contexts.of(to));
        }
    }
    for list in &mut after {
        list.sort_unstable();
        list.dedup();
    }
    after
}
