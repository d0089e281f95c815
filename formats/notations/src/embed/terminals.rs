//! The terminals of the parts as terminals of the host.
//!
//! Input: the terminals of one part after the other. Output: terminals of the host, and for each terminal of a part the terminal of the host
//! that stands for it. Terminals of different parts that match the same texts or tokens are one terminal; those of one part stay different.

use gcc_grammar_ir::{KeyRole, ListRole, Pattern, Symbol, Terminal, TerminalId, TokenSelector};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a terminal matches. Equal languages have equal keys.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Matches {
    Texts(Arc<Dfa>),
    /// Texts in which marks stand for special tokens.
    Marked(Arc<Dfa>),
    Tokens(Vec<TokenSelector>),
    Limited(Box<Matches>, u32),
    Counted(Arc<Dfa>, u32),
    InList(Box<Matches>, ListRole),
    InObject(Box<Matches>, KeyRole),
}

/// The terminals of all parts so far.
#[derive(Default)]
pub(super) struct SharedTerminals {
    /// The terminals of the host that match the same, in the order in which a part uses them.
    known: FxHashMap<Matches, Vec<TerminalId>>,
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
        let mut used: FxHashMap<Matches, usize> = FxHashMap::default();
        let mut symbols = Vec::with_capacity(part.len());
        for terminal in part {
            let matches = self.matches(&terminal.pattern, limits)?;
            let used = used.entry(matches.clone()).or_default();
            let known = self.known.entry(matches.clone()).or_default();
            if *used == known.len() {
                known.push(TerminalId::new(host.len()));
                host.push(Terminal { pattern: pattern(matches), ..terminal.clone() });
            }
            symbols.push(Symbol::Terminal(known[*used]));
            *used += 1;
        }
        Ok(symbols)
    }

    fn matches(&mut self, pattern: &Pattern, limits: &RegularLimits) -> Result<Matches, OverBudget> {
        Ok(match pattern {
            Pattern::Token(selectors) => Matches::Tokens(selectors.clone()),
            Pattern::Regex(regex) => Matches::Texts(self.automaton(regex, limits)?),
            Pattern::Marked(regex) => Matches::Marked(self.automaton(regex, limits)?),
            Pattern::Counted(strings, most) => Matches::Counted(self.automaton(strings, limits)?, *most),
            Pattern::InList(texts, role) => Matches::InList(Box::new(self.matches(texts, limits)?), *role),
            Pattern::InObject(texts, role) => {
                Matches::InObject(Box::new(self.matches(texts, limits)?), role.clone())
            }
            Pattern::Limited(texts, most) => Matches::Limited(Box::new(self.matches(texts, limits)?), *most),
        })
    }

    fn automaton(&mut self, regex: &Regex, limits: &RegularLimits) -> Result<Arc<Dfa>, OverBudget> {
        if let Regex::Automaton(dfa) = regex {
            return Ok(Arc::clone(dfa));
        }
        if let Some(dfa) = self.automata.get(regex) {
            return Ok(Arc::clone(dfa));
        }
        let dfa = Arc::new(regex.to_dfa(limits)?);
        self.automata.insert(regex.clone(), Arc::clone(&dfa));
        Ok(dfa)
    }
}

fn pattern(matches: Matches) -> Pattern {
    match matches {
        Matches::Texts(dfa) => Pattern::Regex(Regex::Automaton(dfa)),
        Matches::Marked(dfa) => Pattern::Marked(Regex::Automaton(dfa)),
        Matches::Tokens(selectors) => Pattern::Token(selectors),
        Matches::Counted(dfa, most) => Pattern::Counted(Regex::Automaton(dfa), most),
        Matches::InList(texts, role) => Pattern::InList(Box::new(pattern(*texts)), role),
        Matches::InObject(texts, role) => Pattern::InObject(Box::new(pattern(*texts)), role),
        Matches::Limited(texts, most) => Pattern::Limited(Box::new(pattern(*texts)), most),
    }
}
