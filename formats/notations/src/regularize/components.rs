//! The strongly connected components of a grammar: maximal sets of rules that use each other, directly or not.
//!
//! Input: a grammar. Output: the components of the rules that the start rule reaches, in an order in which the rules that a component uses
//! come before it. The algorithm is that of Tarjan, "Depth-first search and linear graph algorithms" (1972), with an explicit stack.

use gcc_grammar_ir::check::for_each_symbol;
use gcc_grammar_ir::{Grammar, NonterminalId, Symbol};

/// The components of the rules that the start rule reaches, each after the components that it uses.
pub(super) fn in_order_of_use(grammar: &Grammar) -> Vec<Vec<NonterminalId>> {
    from(grammar, [grammar.start])
}

/// The components of all rules, each after the components that it uses.
pub(super) fn all_in_order_of_use(grammar: &Grammar) -> Vec<Vec<NonterminalId>> {
    from(grammar, (0..grammar.rules.len()).map(NonterminalId::new))
}

/// The components of the rules that these rules reach.
fn from(grammar: &Grammar, roots: impl IntoIterator<Item = NonterminalId>) -> Vec<Vec<NonterminalId>> {
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
    for root in roots {
        if search.order[root.index()].is_none() {
            search.enter(root);
            search.walk();
        }
    }
    search.found
}

struct Search<'g> {
    grammar: &'g Grammar,
    /// Per rule, its place in the order in which the search entered the rules.
    order: Vec<Option<usize>>,
    /// Per rule, the place of the earliest open rule that is known to be reachable from it.
    low: Vec<usize>,
    /// The rules that were entered and belong to no component yet.
    open: Vec<NonterminalId>,
    is_open: Vec<bool>,
    /// The path of the search; per rule on it, the used rules that it has not yet followed.
    path: Vec<(NonterminalId, Vec<NonterminalId>)>,
    found: Vec<Vec<NonterminalId>>,
    next: usize,
}

impl Search<'_> {
    fn walk(&mut self) {
        while let Some((rule, uses)) = self.path.last_mut() {
            let rule = *rule;
            match uses.pop() {
                Some(used) => self.follow(rule, used),
                None => self.leave(rule),
            }
        }
    }

    fn enter(&mut self, rule: NonterminalId) {
        self.order[rule.index()] = Some(self.next);
        self.low[rule.index()] = self.next;
        self.next += 1;
        self.open.push(rule);
        self.is_open[rule.index()] = true;
        let mut uses = Vec::new();
        for_each_symbol(&self.grammar.rules[rule.index()].body, &mut |symbol| {
            if let Symbol::Nonterminal(used) = symbol {
                uses.push(used);
            }
        });
        self.path.push((rule, uses));
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
