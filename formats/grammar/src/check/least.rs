//! Least sets of rules: the smallest set that contains every rule whose right part can be read over some terminals and
//! the rules of the set.
//!
//! Every rule, expression and state of an automaton is a condition that holds when enough of the conditions below it
//! hold: one for a choice, all for a sequence. A condition that begins to hold is told to those above it, once; so the
//! time is linear in the size of the rules (Dowling, Gallier, "Linear-time algorithms for testing the satisfiability of
//! propositional Horn formulae", 1984).

use crate::grammar::{Body, Expr, Rule, Symbol, SymbolDfa};
use crate::ids::TerminalId;

/// Per rule, whether it belongs to the least set, where the terminals in `base` can be read.
pub(super) fn least_set(rules: &[Rule], base: impl Fn(TerminalId) -> bool) -> Vec<bool> {
    let mut holds = vec![false; rules.len()];
    solved(rules, base).into_iter().for_each(|rule| holds[rule] = true);
    holds
}

/// The rules that derive something, each after those that it needs for one text.
pub(super) fn in_order(rules: &[Rule]) -> Vec<usize> {
    solved(rules, |_| true)
}

/// The rules of the least set, in the order in which they begin to belong to it.
fn solved(rules: &[Rule], base: impl Fn(TerminalId) -> bool) -> Vec<usize> {
    let mut conditions = Conditions { missing: vec![1; rules.len()], above: Vec::new(), base };
    let holds = conditions.new_condition(0);
    for (rule, Rule { body, .. }) in (0..).zip(rules) {
        match body {
            Body::Expr(expr) => conditions.expr(expr, rule, holds),
            Body::Automaton(automaton) => conditions.automaton(automaton, rule, holds),
        }
    }
    let holding = conditions.solve(holds).into_iter().map(|condition| condition as usize);
    holding.filter(|&condition| condition < rules.len()).collect()
}

/// Conditions by number. The first ones are the rules.
struct Conditions<B> {
    /// Per condition: how many of the conditions below it are still missing.
    missing: Vec<u32>,
    /// Pairs of a condition and one above it.
    above: Vec<(u32, u32)>,
    base: B,
}

impl<B: Fn(TerminalId) -> bool> Conditions<B> {
    fn new_condition(&mut self, missing: usize) -> u32 {
        self.missing.push(missing as u32);
        self.missing.len() as u32 - 1
    }

    /// Adds that a symbol is below `above`. `holds` is the condition that always holds.
    fn symbol(&mut self, symbol: Symbol, above: u32, holds: u32) {
        match symbol {
            Symbol::Nonterminal(id) => self.above.push((id.index() as u32, above)),
            Symbol::Terminal(id) if (self.base)(id) => self.above.push((holds, above)),
            Symbol::Terminal(_) => {}
        }
    }

    /// Adds that an expression is below `above`.
    fn expr(&mut self, expr: &Expr, above: u32, holds: u32) {
        let mut open = vec![(expr, above)];
        while let Some((expr, above)) = open.pop() {
            match expr {
                Expr::Symbol(symbol) => self.symbol(*symbol, above, holds),
                Expr::Sequence(parts) if parts.is_empty() => self.above.push((holds, above)),
                Expr::Sequence(parts) | Expr::Choice(parts) => {
                    let missing = if matches!(expr, Expr::Choice(_)) { 1 } else { parts.len() };
                    let own = self.new_condition(missing);
                    self.above.push((own, above));
                    open.extend(parts.iter().map(|part| (part, own)));
                }
                Expr::Repeat { min, max, .. } if max.is_some_and(|max| *min > max) => {}
                Expr::Repeat { min: 0, .. } => self.above.push((holds, above)),
                Expr::Repeat { inner, .. } => open.push((inner, above)),
            }
        }
    }

    /// Adds that an accepting state of an automaton, which can be reached, is below `above`.
    fn automaton(&mut self, automaton: &SymbolDfa, above: u32, holds: u32) {
        let first = self.missing.len() as u32;
        self.missing.resize(self.missing.len() + automaton.states.len(), 1);
        self.above.push((holds, first));
        for (state, from) in automaton.states.iter().zip(first..) {
            if state.accepting {
                self.above.push((from, above));
            }
            for &(symbol, to) in &state.transitions {
                let read = self.new_condition(2);
                self.above.extend([(from, read), (read, first + to)]);
                self.symbol(symbol, read, holds);
            }
        }
    }

    /// The conditions that hold, each after those below it that make it hold.
    fn solve(mut self, holds: u32) -> Vec<u32> {
        self.above.sort_unstable();
        let (mut open, mut holding) = (vec![holds], Vec::new());
        while let Some(condition) = open.pop() {
            holding.push(condition);
            let from = self.above.partition_point(|&(below, _)| below < condition);
            for &(_, above) in self.above[from..].iter().take_while(|&&(below, _)| below == condition) {
                let missing = &mut self.missing[above as usize];
                if *missing == 1 {
                    open.push(above);
                }
                *missing = missing.saturating_sub(1);
            }
        }
        holding
    }
}
