//! Interprets a [`TerminalDwa`]: the terminal sequences of a token. For tests.

use super::dwa::TerminalDwa;
use crate::ids::{ContextId, NodeId};
use crate::lexer::IGNORED;
use crate::sets::Sets;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;

/// All sequences of terminals that reading the token of this `rank` from `node` can give, sorted. The last
/// terminal of a sequence is pending: the token ends inside its lexeme. Ignored lexemes are left out, but a
/// sequence ends with [`IGNORED`] if the token ends inside one of them.
///
/// `contexts_after` gives the contexts in which a lexeme may start after these terminals; none if the parser
/// refuses the terminals.
///
/// # Errors
/// The budget is spent.
pub fn interpret(
    dwa: &mut TerminalDwa<'_>,
    sets: &mut Sets,
    node: NodeId,
    rank: u32,
    contexts_after: &mut dyn FnMut(&[TerminalId]) -> Vec<ContextId>,
) -> Result<Vec<Vec<TerminalId>>, OverBudget> {
    let mut found = Vec::new();
    let mut open = vec![(node, Vec::new())];
    while let Some((node, prefix)) = open.pop() {
        let node = dwa.node(node).clone();
        let with = |terminal: TerminalId| [prefix.as_slice(), &[terminal]].concat();
        let has = |sets: &Sets, set| sets.ranks(set).any(|other| other == rank);
        if has(sets, node.always) {
            found.push(with(IGNORED));
        }
        for arc in node.arcs {
            let arc = dwa.arc(arc);
            let sequence = with(arc.terminal);
            if has(sets, arc.weight) {
                found.push(sequence.clone());
            }
            if !has(sets, arc.tokens) {
                continue;
            }
            for context in contexts_after(&sequence) {
                if let Some(next) = dwa.after(sets, arc.cut, context)? {
                    open.push((next, sequence.clone()));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}
