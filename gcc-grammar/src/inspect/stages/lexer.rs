//! The tables of the lexer: its alphabet, its contexts, its states, and where lexemes start.

use super::names::Names;
use super::table::{Cell, Table, list};
use gcc_grammar_compiler::ids::{ContextId, EndClass, LexState, LrState, SymbolClass};
use gcc_grammar_compiler::lr::Entry;

/// Symbol classes, contexts, states and restarts.
pub(super) fn tables(names: &Names<'_>) -> Vec<Table> {
    vec![classes(names), contexts(names), states(names), restarts(names)]
}

fn classes(names: &Names<'_>) -> Table {
    let classes = (0..names.automata.symbols.classes).map(SymbolClass::new);
    let rows = classes.map(|class| vec![class.0.to_string().into(), names.class(class).into()]);
    Table::new("symbol classes", &["class", "symbols"], rows)
}

fn contexts(names: &Names<'_>) -> Table {
    let contexts = names.automata.decoding().contexts;
    let entries = names.automata.decoding().lr.entries();
    let is_start = |state: &LrState| !matches!(entries[state.index()], Entry::Goto(_));
    let rows = contexts.terminals.iter().enumerate().map(|(index, terminals)| {
        let states = (0..entries.len()).map(LrState::new).filter(is_start);
        let own = states.filter(|&state| contexts.of(state).index() == index);
        vec![
            format!("c{index}").into(),
            list(own.map(|state| format!("s{}", state.0))),
            names.terminals(terminals).into(),
        ]
    });
    Table::new("contexts", &["context", "LR states", "terminals that may start"], rows)
}

fn states(names: &Names<'_>) -> Table {
    let lexer = names.automata.decoding().lexer;
    let rows = (1..lexer.states()).map(LexState::new).map(|state| {
        vec![
            format!("q{}", state.0).into(),
            transitions(names, state),
            names.terminals(lexer.accepts(state)).into(),
            format!("e{}", lexer.end_class[state.index()].0).into(),
            names.terminals(lexer.pending(state)).into(),
        ]
    });
    Table::new("lexer states", &["state", "transitions", "accepts", "end class", "pending"], rows)
}

fn transitions(names: &Names<'_>, state: LexState) -> Cell {
    let row = names.automata.decoding().lexer.row(state).iter().enumerate();
    let live = row.filter(|&(_, &to)| to != LexState(0));
    list(live.map(|(class, to)| format!("{} q{}", names.class(SymbolClass::new(class)), to.0)))
}

fn restarts(names: &Names<'_>) -> Table {
    let lexer = names.automata.decoding().lexer;
    let classes = lexer.restarts.len() / lexer.contexts;
    let pairs = (0..classes).flat_map(|end| (0..lexer.contexts).map(move |context| (end, context)));
    let rows = pairs.filter_map(|(end, context)| {
        let start = lexer.restart(EndClass::new(end), ContextId::new(context));
        let row =
            || vec![format!("e{end}").into(), format!("c{context}").into(), format!("q{}", start.0).into()];
        (start != LexState(0)).then(row)
    });
    Table::new("starts of lexemes", &["after end class", "in context", "lexer state"], rows)
}
