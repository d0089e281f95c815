//! The definitions of rules of the parser, where the lexer has modes.

use super::Lowering;
use crate::antlr::last::last_tokens;
use crate::antlr::modal::Symbol;
use crate::antlr::modal_lower::positions;
use crate::antlr::modal_rules::{Written, write};
use crate::lark::ast as lark;
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic};

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
