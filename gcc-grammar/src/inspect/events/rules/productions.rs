//! The productions of a grammar, and the rules that its author wrote.

use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::normalize::{Cfg, Origin};
use gcc_grammar_ir::{Location, NonterminalId, Symbol};
use std::ops::Range;
use std::sync::Arc;

/// What rules that the compiler takes from an embedded schema or language are written as.
const EMBEDDED: [&str; 3] = ["%json", "%lark", "%language"];

/// The productions of a grammar, none of them empty.
pub(super) struct Productions<'a> {
    pub(super) cfg: &'a Cfg,
    /// Per nonterminal, a number that is greater than those of all nonterminals that it derives alone.
    ranks: Vec<u32>,
    /// Per nonterminal, the name of the rule; none if it is not one that is written.
    names: Vec<Option<Arc<str>>>,
}

impl<'a> Productions<'a> {
    /// The productions of a grammar, which was read from a text.
    pub(super) fn new(automata: &'a Automata, text: &str) -> Self {
        let cfg = &automata.cfg;
        let name = |origin: &Origin| match origin {
            Origin::Rule(rule) => {
                let rule = &automata.grammar.rules[rule.index()];
                written(&rule.name, rule.location.as_ref(), text).map(Arc::from)
            }
            Origin::Helper(..) | Origin::Start => None,
        };
        Self { cfg, ranks: ranks(cfg), names: cfg.origins.iter().map(name).collect() }
    }

    /// The name of a rule; none if the nonterminal is not one that is written.
    pub(super) fn name(&self, nonterminal: NonterminalId) -> Option<&Arc<str>> {
        self.names[nonterminal.index()].as_ref()
    }

    /// A number that is greater than those of all nonterminals that this one derives alone.
    pub(super) fn rank(&self, nonterminal: NonterminalId) -> u32 {
        self.ranks[nonterminal.index()]
    }

    /// The nonterminal on the left of a production.
    pub(super) fn left(&self, production: u32) -> NonterminalId {
        self.cfg.productions[production as usize].lhs
    }

    /// The symbol behind the dot; none at the end of a production.
    pub(super) fn next(&self, production: u32, dot: u32) -> Option<Symbol> {
        self.cfg.productions[production as usize].rhs.get(dot as usize).copied()
    }

    /// The productions of a nonterminal.
    pub(super) fn of(&self, nonterminal: NonterminalId) -> Range<u32> {
        let Range { start, end } = self.cfg.span(nonterminal);
        start as u32..end as u32
    }
}

/// The name of a rule as its author wrote it; none if the compiler made the rule. Copies of a rule have suffixes: `#2`, `@1`, `(…)`.
fn written<'n>(name: &'n str, location: Option<&Location>, text: &str) -> Option<&'n str> {
    let name = name.split(['#', '@', '(']).next().filter(|name| !name.is_empty())?;
    let is_name = |c: char| c.is_alphanumeric() || "_-.{}, \"'…:".contains(c);
    let Location::Span(span) = location? else { return None };
    let place = text.get(span.clone())?;
    let is_embedded = EMBEDDED.iter().any(|prefix| place.starts_with(prefix));
    (!is_embedded && name.chars().all(is_name)).then_some(name)
}

/// Numbers nonterminals so that each has a greater number than those that it derives alone: there are no cycles of unit productions.
fn ranks(cfg: &Cfg) -> Vec<u32> {
    let mut users = vec![Vec::new(); cfg.names.len()];
    let mut open = vec![0usize; cfg.names.len()];
    for production in &cfg.productions {
        if let [Symbol::Nonterminal(only)] = production.rhs[..] {
            users[only.index()].push(production.lhs);
            open[production.lhs.index()] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..open.len()).filter(|&n| open[n] == 0).collect();
    let mut ranks = vec![0; open.len()];
    let mut rank = 0;
    while let Some(nonterminal) = ready.pop() {
        ranks[nonterminal] = rank;
        rank += 1;
        for user in &users[nonterminal] {
            open[user.index()] -= 1;
            if open[user.index()] == 0 {
                ready.push(user.index());
            }
        }
    }
    ranks
}
