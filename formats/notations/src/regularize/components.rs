//! Rules that use one another, directly or not.

use super::symbols;
use gcc_grammar_ir::{Grammar, NonterminalId, Symbol};

/// The strongly connected components of the rules that the start reaches; what a component uses comes before it. (Tarjan,
/// "Depth-first search and linear graph algorithms", 1972; with an explicit stack.)
pub(super) fn users_last(grammar: &Grammar) -> Vec<Vec<NonterminalId>> {
    let mut search = Search {
        grammar,
        order: vec![None; grammar.rules.len()],
        low: vec![0; grammar.rules.len()],
        open: Vec::new(),
        is_open: vec![false; grammar.rules.len()],
        path: Vec::new(),
        found: Vec::new(),
        next: 0,
    };
    search.enter(grammar.start);
    while let Some((rule, uses)) = search.path.last_mut() {
        let rule = *rule;
        match uses.pop() {
            Some(used) => search.follow(rule, used),
            None => search.leave(rule),
        }
    }
    search.found
}

struct Search<'g> {
    grammar: &'g Grammar,
    /// When a rule was entered.
    order: Vec<Option<usize>>,
    /// The earliest open rule known to be reachable.
    low: Vec<usize>,
    open: Vec<NonterminalId>,
    is_open: Vec<bool>,
    /// Where the search is, and what is still to be looked at there.
    path: Vec<(NonterminalId, Vec<NonterminalId>)>,
    found: Vec<Vec<NonterminalId>>,
    next: usize,
}

impl Search<'_> {
    fn enter(&mut self, rule: NonterminalId) {
        self.order[rule.index()] = Some(self.next);
        self.low[rule.index()] = self.next;
        self.next += 1;
        self.open.push(rule);
        self.is_open[rule.index()] = true;
        let nonterminal = |symbol| match symbol {
            Symbol::Nonterminal(id) => Some(id),
            Symbol::Terminal(_) => None,
        };
        let uses = symbols(&self.grammar.rules[rule.index()].body).into_iter().filter_map(nonterminal);
        self.path.push((rule, uses.collect()));
    }

    fn follow(&mut self, rule: NonterminalId, used: NonterminalId) {
        match self.order[used.index()] {
            None => self.enter(used),
            Some(order) if self.is_open[used.index()] => {
                self.low[rule.index()] = self.low[rule.index()].min(order);
            }
            Some(_) => {}
        }
    }

    fn leave(&mut self, rule: NonterminalId) {
        self.path.pop();
        let low = self.low[rule.index()];
        if let Some((user, _)) = self.path.last() {
            self.low[user.index()] = self.low[user.index()].min(low);
        }
        if self.order[rule.index()] == Some(low) {
            let start = self.open.iter().position(|open| *open == rule).unwrap_or(0);
            let component = self.open.split_off(start);
            component.iter().for_each(|rule| self.is_open[rule.index()] = false);
            self.found.push(component);
        }
    }
}
