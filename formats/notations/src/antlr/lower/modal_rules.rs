//! The definitions of rules of the parser, where the lexer has modes.

use super::Lowering;
use crate::antlr::ast::{Rule, unsupported};
use crate::antlr::last::{last_tokens, may_be_empty};
use crate::antlr::modal::{Symbol, symbols};
use crate::antlr::modal_rules::{Written, write};
use crate::antlr::modes::{Mode, Modes};
use crate::antlr::positions::{Positions, Problem};
use crate::antlr::reach::Rules;
use crate::antlr::{Loaded, in_file};
use crate::lark::ast as lark;
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// Defines the rules of the parser by the modes of the lexer, and returns the name of the start rule.
    pub(super) fn modal_rules(&mut self, symbols: &[Symbol]) -> Result<String, Diagnostic> {
        let (modes, budget) = (self.modes, self.budget);
        let positions = positions(self.loaded, symbols, modes, budget)?;
        if positions.ends().next().is_none() {
            return Err(self.no_text());
        }
        self.declare_end();
        let (start, written) = write(&positions, &modes.names, self.out.has_end, budget)?;
        for (token, mode) in last_tokens(&positions)?.into_iter().filter(|last| modes.ignores(last.1)) {
            let (name, span) = (&modes.rules[token].rule.name.text, self.start.name.span.clone());
            let behind = &mut self.out.modes[usize::from(mode)].behind;
            behind.push(lark::Name { text: name.clone(), span });
        }
        for Written { file, name, span, body } in written {
            self.define(file, &name, span, None, body);
        }
        Ok(start)
    }

    /// The error that the modes and the rules do not agree anywhere.
    fn no_text(&self) -> Diagnostic {
        let name = &self.start.name;
        let message = format!(
            "the modes of the lexer leave no text of `{}`: its tokens never come in the order of the rules",
            name.text
        );
        let help = "use the tokens of a mode behind the tokens that lead to it";
        error(Code::NoText, message, name.span.clone()).help(help)
    }
}

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
