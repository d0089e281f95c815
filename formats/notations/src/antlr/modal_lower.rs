//! A grammar with lexer modes: its symbols, and the stacks of modes where they begin and end.
//!
//! Input: the rules of all files, and the modes. Output: symbols, such that behind the last token of a text, what the lexer ignores is known.

use super::ast::{Rule, unsupported};
use super::last::{last_tokens, may_be_empty};
use super::modal::{Symbol, symbols};
use super::modes::{Mode, Modes};
use super::positions::{Positions, Problem};
use super::reach::Rules;
use super::{Loaded, in_file};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use std::collections::BTreeSet;

/// The symbols of a grammar with modes. If a text may end with a token that leads to several modes, the parser knows of all that is hidden there, since
/// what may follow does not tell the mode.
pub(super) fn modal_symbols<'g>(
    loaded: &[Loaded],
    rules: &Rules<'g>,
    modes: &mut Modes<'g>,
    start: &'g Rule,
    budget: &Budget,
) -> Result<Vec<Symbol>, Diagnostic> {
    loop {
        let symbols = symbols(start, rules, modes, budget);
        let symbols = symbols.map_err(|(file, problem)| in_file(loaded, file, problem))?;
        let last = last_tokens(&positions(loaded, &symbols, modes, budget)?)?;
        let pairs = last.iter().zip(last.iter().skip(1)).filter(|(one, next)| one.0 == next.0);
        let mut doubtful: BTreeSet<Mode> = pairs.flat_map(|(one, next)| [one.1, next.1]).collect();
        // Where no token can come, none tells that the lexer is in the default mode. Tokens that may not begin with others may have no text.
        let is_doubtful = last.is_empty() || modes.has_copies() && may_be_empty(&symbols);
        doubtful.extend(is_doubtful.then_some(0));
        let changed = doubtful.into_iter().filter(|mode| modes.make_explicit(*mode)).count();
        if changed == 0 {
            return Ok(symbols);
        }
    }
}

/// The stacks of modes of all symbols.
pub(super) fn positions<'p>(
    loaded: &[Loaded],
    symbols: &'p [Symbol],
    modes: &'p Modes<'p>,
    budget: &'p Budget,
) -> Result<Positions<'p>, Diagnostic> {
    Positions::find(symbols, &modes.rules, budget).map_err(|problem| match problem {
        Problem::Budget(over) => over.into(),
        Problem::Unbounded(symbol) => unbounded(loaded, &symbols[symbol]),
    })
}

/// The error that the stack of modes has no bound in a rule, or comes back to modes below those that are known.
fn unbounded(loaded: &[Loaded], symbol: &Symbol) -> Diagnostic {
    let name = &symbol.name;
    let message = format!("modes that the rule `{name}` does not determine are");
    let help = "let each rule that begins a mode with `pushMode` contain the `popMode` that ends it, on all ways through it";
    in_file(loaded, symbol.file, unsupported(&message, symbol.span.clone(), help))
}
