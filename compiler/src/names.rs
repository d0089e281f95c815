//! The names of symbols and rules, for messages about a grammar.
//!
//! In: ids of the productions. Out: the names of the terminals and rules that they were made for.

use crate::automata::Automata;
use gcc_grammar_ir::{NonterminalId, Rule, Symbol, TerminalId};

impl Automata {
    /// The name of a symbol of the productions.
    #[must_use]
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Terminal(terminal) => self.terminal_name(terminal),
            Symbol::Nonterminal(id) => self.cfg.names.get(id.index()).map_or("?", |name| name),
        }
    }

    /// The name of a terminal; the end of text is `the end`.
    #[must_use]
    pub fn terminal_name(&self, terminal: TerminalId) -> &str {
        let terminal = self.origin(terminal);
        if terminal == self.cfg.end {
            return "the end";
        }
        self.grammar.terminals.get(terminal.index()).map_or("?", |terminal| &terminal.name)
    }

    /// The names of a sequence of symbols, separated by spaces; `the beginning` for the empty sequence.
    #[must_use]
    pub fn sequence_text(&self, symbols: &[Symbol]) -> String {
        if symbols.is_empty() {
            return "the beginning".to_owned();
        }
        symbols.iter().map(|&symbol| self.symbol_name(symbol)).collect::<Vec<_>>().join(" ")
    }

    /// The rule of the grammar that a nonterminal of the productions was made for, if there is one.
    #[must_use]
    pub fn rule(&self, nonterminal: NonterminalId) -> Option<&Rule> {
        let rule = self.cfg.origins[nonterminal.index()].rule()?;
        self.grammar.rules.get(rule.index())
    }

    /// The name of that rule, or the nonterminal's own name if there is none.
    #[must_use]
    pub fn rule_name(&self, nonterminal: NonterminalId) -> &str {
        self.rule(nonterminal).map_or(&self.cfg.names[nonterminal.index()], |rule| &rule.name)
    }
}
