//! The terminals of the parts as terminals of the host.
//!
//! Input: the terminals of one part after the other. Output: terminals of the host, and for each terminal of a part the terminal of the host
//! that stands for it. Terminals of different parts that match the same texts or tokens are one terminal; those of one part stay different.

use gcc_grammar_ir::{Pattern, Symbol, Terminal, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The terminals of all parts so far.
#[derive(Default)]
pub(super) struct SharedTerminals {
    /// The terminals of the host that match the same, in the order in which a part uses them.
    known: FxHashMap<Pattern, Vec<TerminalId>>,
    /// The automata of expressions, which parts have in common: punctuation, and white space.
    automata: FxHashMap<Regex, Arc<Dfa>>,
}

impl SharedTerminals {
    /// Appends the terminals of a part to those of the host, but for those that an earlier part has. Returns the symbols that stand for the
    /// terminals of the part.
    pub(super) fn append(
        &mut self,
        host: &mut Vec<Terminal>,
        part: &[Terminal],
        limits: &RegularLimits,
    ) -> Result<Vec<Symbol>, OverBudget> {
        let mut used: FxHashMap<Pattern, usize> = FxHashMap::default();
        let mut symbols = Vec::with_capacity(part.len());
        for terminal in part {
            let matches = self.matches(&terminal.pattern, limits)?;
            let used = used.entry(matches.clone()).or_default();
            let known = self.known.entry(matches.clone()).or_default();
            if *used == known.len() {
                known.push(TerminalId::new(host.len()));
                host.push(Terminal { pattern: matches, ..terminal.clone() });
            }
            symbols.push(Symbol::Terminal(known[*used]));
            *used += 1;
        }
        Ok(symbols)
    }

    /// The pattern over an automaton. Those of equal languages are equal.
    fn matches(&mut self, pattern: &Pattern, limits: &RegularLimits) -> Result<Pattern, OverBudget> {
        let mut of = |inner: &Pattern| self.matches(inner, limits).map(Box::new);
        Ok(match pattern {
            Pattern::Token(_) => pattern.clone(),
            Pattern::WithRole(texts, role) => Pattern::WithRole(of(texts)?, role.clone()),
            Pattern::Limited(texts, most) => Pattern::Limited(of(texts)?, *most),
            Pattern::Regex(regex) => Pattern::Regex(self.automaton(regex, limits)?),
            Pattern::Marked(regex) => Pattern::Marked(self.automaton(regex, limits)?),
            Pattern::Counted(strings, most) => Pattern::Counted(self.automaton(strings, limits)?, *most),
        })
    }

    fn automaton(&mut self, regex: &Regex, limits: &RegularLimits) -> Result<Regex, OverBudget> {
        if matches!(regex, Regex::Automaton(_)) {
            return Ok(regex.clone());
        }
        if let Some(dfa) = self.automata.get(regex) {
            return Ok(Regex::Automaton(Arc::clone(dfa)));
        }
        let dfa = Arc::new(regex.to_dfa(limits)?);
        self.automata.insert(regex.clone(), Arc::clone(&dfa));
        Ok(Regex::Automaton(dfa))
    }
}
