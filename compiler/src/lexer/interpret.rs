//! Interprets a [`Lexer`]: all ways to read a text. For tests.
//!
//! This follows the two tables literally. Before each symbol the current lexeme continues, or it ends and the
//! next lexeme starts with the symbol.

use super::tables::Lexer;
use crate::ids::{ContextId, LexState, SymbolClass};
use gcc_grammar_ir::TerminalId;

/// A way to read a text: the terminals of the lexemes that ended, [`IGNORED`](super::IGNORED) among them, and
/// the state of the lexeme under way.
pub type Reading = (Vec<TerminalId>, LexState);

/// All ways to read `text` from the state `from`, sorted.
///
/// `contexts_after` gives the contexts in which a lexeme may start after these terminals; none if the parser
/// refuses the terminals.
pub fn interpret(
    lexer: &Lexer,
    from: LexState,
    text: &[SymbolClass],
    contexts_after: &mut dyn FnMut(&[TerminalId]) -> Vec<ContextId>,
) -> Vec<Reading> {
    let mut readings = vec![(Vec::new(), from)];
    for &symbol in text {
        let mut next: Vec<Reading> = Vec::new();
        for (ended, state) in readings {
            for (terminal, end) in lexer.endings(state) {
                let ended = [ended.as_slice(), &[terminal]].concat();
                let starts = contexts_after(&ended).into_iter().map(|context| lexer.restart(end, context));
                next.extend(starts.map(|start| (ended.clone(), lexer.next(start, symbol))));
            }
            next.push((ended, lexer.next(state, symbol)));
        }
        next.retain(|&(_, state)| state != LexState::DEAD);
        next.sort();
        next.dedup();
        readings = next;
    }
    readings
}
