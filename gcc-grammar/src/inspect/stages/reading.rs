//! The mask after a text, step by step: what the Parser DWA reads on the parser stack of every head.

use super::masks::{state_name, tokens};
use super::names::Names;
use super::table::{Cell, Table, list};
use crate::error::{Error, ErrorKind};
use crate::inspect::trace;
use crate::sources::parse::Parsed;
use crate::text::quote;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{DwaState, LexState, LrState};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;

/// A lexer state, and a parser stack with its top first.
struct Head {
    lexer: LexState,
    stack: Vec<LrState>,
}

/// The heads after `text`, the transitions that are taken on their stacks, and the mask.
pub(super) fn tables(
    names: &Names<'_>,
    view: &GrammarView<'_>,
    text: &[u8],
    parsed: &Parsed,
    budget: &Budget,
) -> Result<Vec<Table>, Error> {
    let heads = heads(names, text, parsed, budget)?;
    let mut allowed = Vec::new();
    let steps: Vec<Vec<Cell>> = heads.iter().flat_map(|head| read(names, view, head, &mut allowed)).collect();
    let all = names.tokens.iter().map(|token| names.token(token));
    let mask: Vec<String> = all.filter(|token| allowed.contains(token)).collect();
    let rows = heads.iter().map(|Head { lexer, stack }| {
        vec![format!("q{}", lexer.0).into(), list(stack.iter().map(|state| format!("s{}", state.0)))]
    });
    Ok(vec![
        Table::new("heads after the text", &["lexer state", "parser stack, top first"], rows),
        Table::new("reading of the stack", &["state", "reads", "next", "allows"], steps),
        Table::new(
            "mask after the text",
            &["count", "tokens"],
            [vec![mask.len().to_string().into(), mask.into()]],
        ),
    ])
}

fn heads(names: &Names<'_>, text: &[u8], parsed: &Parsed, budget: &Budget) -> Result<Vec<Head>, Error> {
    let heads = trace::heads(names.automata, text, budget).map_err(|over| parsed.error(over.into()))?;
    let heads = heads.map_err(|read| {
        let message = format!("the grammar refuses the text {} at byte {read}", quote(text));
        let help = "`gcc-grammar trace` shows what is expected there";
        Error::new(ErrorKind::Refused, "--text", Diagnostic::error(Code::RefusedText, message).help(help))
    })?;
    let head =
        |(lexer, stack): (LexState, Vec<LrState>)| Head { lexer, stack: stack.into_iter().rev().collect() };
    Ok(heads.into_iter().map(head).collect())
}

/// The transitions of the Parser DWA on the stack of a head. The tokens that they allow are added to
/// `allowed`.
fn read(names: &Names<'_>, view: &GrammarView<'_>, head: &Head, allowed: &mut Vec<String>) -> Vec<Vec<Cell>> {
    let mut state = view.dwa_init(head.lexer);
    let mut rows = Vec::new();
    for &symbol in &head.stack {
        let Some(edge) = view.dwa_next(state, symbol) else { break };
        let output = tokens(names, view, edge.output);
        allowed.extend_from_slice(&output);
        let symbol = format!("s{}", symbol.0);
        rows.push(vec![
            state_name(state).into(),
            symbol.into(),
            state_name(edge.target).into(),
            output.into(),
        ]);
        state = edge.target;
        if state == DwaState(0) {
            break;
        }
    }
    rows
}
