//! The heads of a matcher, for people: the page of `gcc-grammar explore` asks.

use crate::exchange::run;
use crate::exports;
use crate::library::{Matcher, Session};
use gcc_grammar_artifact::ids::{DwaState, LexState, LrState, MaskId, TokenId};

/// The heads of a matcher that are shown, at most.
const MOST_HEADS: usize = 8;
/// The states of a stack that are shown, at most.
const MOST_STATES: usize = 48;

/// The cells that the Parser DWA reads of a stack, from its top, with the number of tokens that each adds; as JSON.
fn cells(session: &Session, lexer: LexState, stack: &[LrState]) -> String {
    let view = session.engine().grammar();
    let mut cells = Vec::new();
    let mut at = view.dwa_init(lexer);
    for &read in stack {
        if at == DwaState(0) {
            break;
        }
        let Some(edge) = view.dwa_next(at, read) else { break };
        let (LrState(state), DwaState(from), DwaState(to)) = (read, at, edge.target);
        let tokens = size(session, edge.output);
        cells.push(format!(r#"{{"state":{state},"from":{from},"to":{to},"tokens":{tokens}}}"#));
        at = edge.target;
    }
    list(&cells)
}

/// The number of tokens of a mask.
fn size(session: &Session, mask: MaskId) -> usize {
    let parts = session.engine().grammar().mask(mask);
    let width = 32 * session.row_words() as u32;
    (0..width).filter(|&token| parts.contains(TokenId(token))).count()
}

/// A JSON array of values that are JSON.
fn list(values: &[impl ToString]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", values.join(","))
}

/// The heads of a matcher with their stacks, as JSON.
fn look(matcher: &Matcher) -> String {
    let view = matcher.session().engine().grammar();
    matcher.inspect(|runtime| {
        let heads = runtime.head_views().take(MOST_HEADS).map(|head| {
            let depth = head.stack.clone().count();
            let stack: Vec<LrState> = head.stack.take(MOST_STATES).collect();
            let states: Vec<u32> = stack.iter().map(|state| state.0).collect();
            let pending: Vec<u32> = view.pending(head.lexer).map(|terminal| terminal.0).collect();
            let cells = cells(matcher.session(), head.lexer, &stack);
            let (lexer, stack, pending) = (head.lexer.0, list(&states), list(&pending));
            format!(
                r#"{{"lexer":{lexer},"depth":{depth},"stack":{stack},"pending":{pending},"cells":{cells}}}"#
            )
        });
        let heads: Vec<String> = heads.collect();
        format!(r#"{{"heads":{},"all":{}}}"#, list(&heads), runtime.head_views().len())
    })
}

exports! {
    /// Writes the heads of a matcher, with their stacks and the cells that the next mask reads, as JSON.
    fn matcher_look(matcher: u32) -> f64 {
        run(|exchange| {
            exchange.output = look(&exchange.matcher(matcher)?.matcher).into_bytes();
            Ok(0.0)
        })
    }
}
