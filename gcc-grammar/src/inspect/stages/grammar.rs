//! The tables of the stages that see the grammar only: terminals, productions, LR automaton.

use super::names::{Names, range};
use super::table::{Cell, Table, list};
use gcc_grammar_compiler::ids::LrState;
use gcc_grammar_compiler::lr::Entry;
use gcc_grammar_ir::{Symbol, TerminalId};
use gcc_grammar_regular::Dfa;

/// Terminals, productions and LR states.
pub(super) fn tables(names: &Names<'_>) -> Vec<Table> {
    vec![terminals(names), productions(names), lr_states(names)]
}

fn terminals(names: &Names<'_>) -> Table {
    let grammar = &*names.automata.grammar;
    let rows = names.automata.terminals.dfas.iter().enumerate().map(|(index, dfa)| {
        let id = TerminalId::new(index);
        let ignored = if grammar.ignored.contains(&id) { "yes" } else { "" };
        let transitions = match dfa {
            Some(dfa) => transitions(dfa),
            None => vec!["a special token".to_owned()],
        };
        vec![names.terminal(id).into(), ignored.into(), transitions.into()]
    });
    Table::new("terminals", &["terminal", "ignored", "automaton (accepting states have a *)"], rows)
}

fn transitions(dfa: &Dfa) -> Vec<String> {
    let name = |state: u32| format!("{state}{}", if dfa.is_accepting(state) { "*" } else { "" });
    let edges = |from: u32| dfa.edges(from).map(move |(first, last, to)| (from, first, last, to));
    let all = (0..dfa.state_count() as u32).flat_map(edges);
    all.map(|(from, first, last, to)| {
        let bytes: Vec<u8> = (first..=last).collect();
        format!("{} -{}-> {}", name(from), range(&bytes), name(to))
    })
    .collect()
}

fn productions(names: &Names<'_>) -> Table {
    let cfg = &names.automata.cfg;
    let symbol = |&symbol: &Symbol| match symbol {
        Symbol::Terminal(terminal) => names.terminal(terminal),
        Symbol::Nonterminal(nonterminal) => names.nonterminal(nonterminal).to_owned(),
    };
    let rows = cfg.productions.iter().map(|production| {
        let right: Vec<String> = production.rhs.iter().map(symbol).collect();
        let left = names.nonterminal(production.lhs);
        vec![left.into(), right.join(" ").into(), cfg.length(production).to_string().into()]
    });
    Table::new("productions", &["left-hand side", "right-hand side", "length"], rows)
}

fn lr_states(names: &Names<'_>) -> Table {
    let lr = names.automata.decoding().lr;
    let entries = lr.entries();
    let rows = (0..lr.states()).map(LrState::new).map(|state| {
        vec![
            format!("s{}", state.0).into(),
            entry(names, &entries[state.index()]).into(),
            actions(names, state),
            list(
                lr.gotos
                    .row(state.index())
                    .iter()
                    .map(|&(nonterminal, to)| format!("{} s{}", names.lr_nonterminal(nonterminal), to.0)),
            ),
        ]
    });
    Table::new("LR states", &["state", "entered by", "actions", "gotos"], rows)
}

fn entry(names: &Names<'_>, entry: &Entry) -> String {
    match entry {
        Entry::Start => "(start)".to_owned(),
        Entry::Shift(terminals) => names.terminals(terminals).join(" "),
        Entry::Goto(nonterminal) => names.lr_nonterminal(*nonterminal).to_owned(),
    }
}

/// The actions of a state. Several actions on one terminal are a conflict, shown with `|` between them.
fn actions(names: &Names<'_>, state: LrState) -> Cell {
    let row = names.automata.decoding().lr.actions.row(state.index());
    list(row.chunk_by(|a, b| a.0 == b.0).map(|cell| {
        let actions: Vec<String> = cell.iter().map(|&(_, action)| names.action(action)).collect();
        format!("{} {}", names.terminal(cell[0].0), actions.join(" | "))
    }))
}
