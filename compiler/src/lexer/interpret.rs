//! Interprets a [`Lexer`]: all ways to split a text into lexemes. For tests.
//!
//! This follows the two tables literally. On each symbol the current lexeme continues, or it ends and the next lexeme starts with the symbol.

use super::tables::Lexer;
use crate::ids::{ContextId, EndClass, LexState, SymbolClass};
use gcc_grammar_ir::TerminalId;

/// A lexeme: its terminal, and the position in the text at which it ends.
pub type Lexeme = (TerminalId, usize);

/// All ways to read `text` as a sequence of lexemes, the last of which ends with the text.
///
/// `contexts_after` gives the contexts in which a lexeme may start after these terminals, [`IGNORED`](super::IGNORED) among them; none if the parser
/// refuses the terminals.
pub fn interpret(
    lexer: &Lexer,
    text: &[SymbolClass],
    contexts_after: &mut dyn FnMut(&[Lexeme]) -> Vec<ContextId>,
) -> Vec<Vec<Lexeme>> {
    let starts = |lexemes: &[Lexeme], end: EndClass, contexts: Vec<ContextId>| {
        let starts = contexts.into_iter().map(|context| (lexer.restart(end, context), lexemes.to_vec()));
        starts.collect::<Vec<_>>()
    };
    let mut readings: Vec<(LexState, Vec<Lexeme>)> = starts(&[], EndClass(0), contexts_after(&[]));
    for (position, &symbol) in text.iter().enumerate() {
        let mut next = Vec::new();
        for (state, lexemes) in readings {
            if position > 0 {
                for &terminal in lexer.accepts(state) {
                    let ended = [lexemes.as_slice(), &[(terminal, position)]].concat();
                    next.extend(starts(&ended, lexer.end_class[state.index()], contexts_after(&ended)));
                }
            }
            next.push((state, lexemes));
        }
        readings = next.into_iter().map(|(state, lexemes)| (lexer.next(state, symbol), lexemes)).collect();
        readings.retain(|&(state, _)| state != LexState::DEAD);
        readings.sort();
        readings.dedup();
    }
    let mut splits: Vec<Vec<Lexeme>> = Vec::new();
    for (state, lexemes) in readings {
        let ends = lexer.accepts(state).iter().map(|&terminal| (terminal, text.len()));
        splits.extend(ends.map(|last| [lexemes.as_slice(), &[last]].concat()));
    }
    splits.sort();
    splits.dedup();
    splits
}
