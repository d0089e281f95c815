//! By how much a token that a mask allows can raise the cost of a head.
//!
//! In: the classes of cells, the costs of lexemes, the sequences of terminals of tokens. Out: a number.
//!
//! Let `s` be the stack of a head before the token. After the token, the stack of some head consists of a cell `c` of `s`
//! with all cells below it, and above it at most two cells for each lexeme that ended within the token: one for a
//! nonterminal, one for the terminal. No completion of `s` is cheaper than the potential of `c`: it pops `c`, or the text
//! ends without that. So the cost rises at most by what these cells add to the potential, and by the cost of the lexeme
//! in which the token ends and of what comes behind it. This takes every text that can be completed to have a cost.

use super::classes::Classes;
use super::tokens::Cost;
use crate::automata::Decoding;
use crate::ids::LrState;
use crate::terminal::Weights;
use gcc_grammar_artifact::grammar::CompletionTables;
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;

/// What the terminals of a token weigh: the greatest loss is that of the heaviest path.
pub(super) fn weights(decoding: &Decoding<'_>, classes: &Classes<'_>, tables: &CompletionTables) -> Weights {
    let within = Pushes::new(decoding, classes).of_terminals(decoding);
    let behind = tables.cell_ends.iter().skip(1).step_by(2).copied().max().unwrap_or(0);
    let mut last = vec![0; within.len()];
    let mut ignored = 0;
    for &[terminal, _, tokens] in tables.lexeme_costs.as_chunks().0 {
        match last.get_mut(terminal as usize) {
            Some(last) => {
                *last = tokens.saturating_add(behind).saturating_add(within[terminal as usize]).max(*last)
            }
            None => ignored = tokens.saturating_add(behind).max(ignored),
        }
    }
    Weights { within, last, ignored }
}

/// What cells add to the potential, at most.
struct Pushes {
    /// Per LR states of a cell and of the cell above it.
    above: FxHashMap<(LrState, LrState), Cost>,
    /// Per LR state: by a cell for a nonterminal.
    gotos: Vec<Cost>,
}

impl Pushes {
    fn new(decoding: &Decoding<'_>, classes: &Classes<'_>) -> Self {
        let lr = decoding.lr;
        let mut above: FxHashMap<(LrState, LrState), Cost> = FxHashMap::default();
        for class in &classes.all {
            for &(state, _, more) in &class.above {
                let most = above.entry((class.state, state)).or_default();
                *most = more.max(*most);
            }
        }
        let mut gotos = vec![0; lr.states()];
        for below in (0..lr.states()).map(LrState::new) {
            for &(_, to) in lr.gotos.row(below.index()) {
                let more = above.get(&(below, to)).copied().unwrap_or(0);
                gotos[to.index()] = more.max(gotos[to.index()]);
            }
        }
        Self { above, gotos }
    }

    /// Per terminal: what a lexeme adds, by the reductions before it and the shift.
    fn of_terminals(&self, decoding: &Decoding<'_>) -> Vec<Cost> {
        let lr = decoding.lr;
        let mut most = vec![0; lr.terminals];
        for state in (0..lr.states()).map(LrState::new) {
            for &(terminal, action) in lr.actions.row(state.index()) {
                let Some(more) = action.shift().and_then(|to| self.above.get(&(state, to))) else { continue };
                let more = more.saturating_add(self.gotos[state.index()]);
                let known: &mut Cost = &mut most[TerminalId::index(terminal)];
                *known = more.max(*known);
            }
        }
        most
    }
}
