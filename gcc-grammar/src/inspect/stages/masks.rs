//! The tables that the runtime reads for a mask: the Parser DWA and the mask store.

use super::names::Names;
use super::table::{Table, list};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::DwaEdge;
use gcc_grammar_artifact::ids::{DwaState, LexState, LrState, MaskId, TokenId};

/// Stands for all symbols without a transition of their own.
const OTHER: LrState = LrState(u32::MAX);

/// Starts and transitions of the Parser DWA, and masks.
pub(super) fn tables(names: &Names<'_>, view: &GrammarView<'_>) -> Vec<Table> {
    vec![starts(names, view), transitions(names, view), masks(names, view)]
}

fn starts(names: &Names<'_>, view: &GrammarView<'_>) -> Table {
    let states = (1..names.automata.decoding().lexer.states() as u32).map(LexState);
    let rows = states
        .map(|state| vec![format!("q{}", state.0).into(), format!("d{}", view.dwa_init(state).0).into()]);
    Table::new("starts of the Parser DWA", &["lexer state", "state"], rows)
}

fn transitions(names: &Names<'_>, view: &GrammarView<'_>) -> Table {
    let symbols = names.automata.decoding().lr.states() as u32;
    let rows = (1..view.counts().dwa_states as u32).map(DwaState).map(|state| {
        let other = view.dwa_next(state, OTHER);
        let edges = (0..symbols).map(|symbol| (symbol, view.dwa_next(state, LrState(symbol))));
        let own = edges.filter_map(|(symbol, edge)| Some((symbol, edge.filter(|_| edge != other)?)));
        vec![
            state_name(state).into(),
            list(own.map(|(symbol, edge)| format!("s{symbol} {}", edge_text(edge)))),
            other.map_or_else(String::new, edge_text).into(),
        ]
    });
    Table::new("Parser DWA", &["state", "reads: allows, goes to", "any other symbol"], rows)
}

fn edge_text(DwaEdge { target, output }: DwaEdge) -> String {
    format!("m{} {}", output.0, state_name(target))
}

/// The name of a state of the Parser DWA.
pub(super) fn state_name(state: DwaState) -> String {
    if state == DwaState(0) { "stop".to_owned() } else { format!("d{}", state.0) }
}

fn masks(names: &Names<'_>, view: &GrammarView<'_>) -> Table {
    let rows = (0..view.counts().masks as u32).map(MaskId).map(|mask| {
        let base = view.mask_base(mask).map_or_else(|| "none".to_owned(), |base| base.0.to_string());
        vec![
            format!("m{}", mask.0).into(),
            base.into(),
            view.mask_flips(mask).count().to_string().into(),
            list(tokens(names, view, mask)),
        ]
    });
    Table::new("masks", &["mask", "base", "flips", "tokens"], rows)
}

/// The tokens of a mask, in byte order.
pub(super) fn tokens(names: &Names<'_>, view: &GrammarView<'_>, mask: MaskId) -> Vec<String> {
    let parts = view.mask(mask);
    let allowed = names.tokens.iter().filter(|&token| parts.contains(TokenId(token)));
    allowed.map(|token| names.token(token)).collect()
}
