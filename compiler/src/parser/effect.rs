//! Stack effects: running the LR automaton on one terminal over the known part of the stack.

use crate::ids::LrState;
use crate::limits::{Budget, OverBudget};
use crate::lr::{Action, LrTables};
use gcc_grammar_frontends::{NonterminalId, TerminalId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How one run ends that does not end in error.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Effect {
    /// The terminal was shifted; the known part is now this.
    Shifted(Known),
    /// The known part is used up: discard so many more states, then go on with goto(state read, nonterminal).
    Suspended(NonterminalId, u32),
}

/// The known part of a stack, top last.
pub(super) type Known = Rc<[LrState]>;

/// Effects by known part and terminal, computed once.
#[derive(Default)]
pub(super) struct Effects {
    memo: FxHashMap<(Known, TerminalId), Rc<[Effect]>>,
}

impl Effects {
    /// All runs of `terminal` over `known` (not empty; top last).
    pub(super) fn of(
        &mut self,
        tables: &LrTables,
        known: &Known,
        terminal: TerminalId,
        budget: &Budget,
    ) -> Result<Rc<[Effect]>, OverBudget> {
        let key = (known.clone(), terminal);
        if let Some(effects) = self.memo.get(&key) {
            return Ok(effects.clone());
        }
        let effects: Rc<[Effect]> = run(tables, known, terminal, budget)?.into();
        budget.charge_bytes(64 + known.len() as u64 * 4)?;
        self.memo.insert(key, effects.clone());
        Ok(effects)
    }
}

/// Explores all actions. It ends because a reduction never makes the stack higher and there are no unit cycles.
fn run(
    tables: &LrTables,
    known: &[LrState],
    terminal: TerminalId,
    budget: &Budget,
) -> Result<Vec<Effect>, OverBudget> {
    let mut effects = Vec::new();
    let mut open = vec![known.to_vec()];
    while let Some(mut stack) = open.pop() {
        let Some(&top) = stack.last() else { continue };
        let actions = tables.actions_on(top, terminal);
        budget.charge_work(actions.len() as u64 + 1)?;
        for (i, &(_, action)) in actions.iter().enumerate() {
            // The last action may take the stack itself.
            let mut stack = if i + 1 == actions.len() { std::mem::take(&mut stack) } else { stack.clone() };
            match action {
                Action::Shift(to) => {
                    stack.push(to);
                    effects.push(Effect::Shifted(stack.into()));
                }
                Action::Reduce(production) => {
                    let (lhs, length) = tables.productions[production.index()];
                    match stack.len().checked_sub(length as usize) {
                        None | Some(0) => effects.push(Effect::Suspended(lhs, length - stack.len() as u32)),
                        Some(left) => {
                            stack.truncate(left);
                            if let Some(to) = tables.goto(stack[left - 1], lhs) {
                                stack.push(to);
                                open.push(stack);
                            }
                        }
                    }
                }
            }
        }
    }
    effects.sort_unstable();
    effects.dedup();
    Ok(effects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lr;
    use crate::normalize::normalize;
    use gcc_grammar_frontends::{Body, Discipline, Expr, Grammar, Pattern, Regex, Rule, Symbol, Terminal};

    /// e: e "+" e | t;  t: "a" | "(" e ")" | t "[" e ("," e)* "]" | "-" t — ambiguous, with left and right recursion.
    fn grammar() -> Grammar {
        let names = ["+", "a", "(", ")", "[", "]", ",", "-"];
        let terminal = |name: &&str| Terminal {
            name: (*name).to_owned(),
            pattern: Pattern::Regex(Regex::literal(name)),
            priority: 0,
            literal: true,
        };
        let t = |name: &str| {
            Expr::Symbol(Symbol::Terminal(TerminalId::new(
                names.iter().position(|n| *n == name).expect("known"),
            )))
        };
        let n = |i| Expr::Symbol(Symbol::Nonterminal(NonterminalId(i)));
        let list = Expr::Repeat { inner: Box::new(Expr::Sequence(vec![t(","), n(0)])), min: 0, max: None };
        let e = Expr::Choice(vec![Expr::Sequence(vec![n(0), t("+"), n(0)]), n(1)]);
        let term = Expr::Choice(vec![
            t("a"),
            Expr::Sequence(vec![t("("), n(0), t(")")]),
            Expr::Sequence(vec![n(1), t("["), n(0), list, t("]")]),
            Expr::Sequence(vec![t("-"), n(1)]),
        ]);
        let rule = |name: &str, body| Rule { name: name.to_owned(), body: Body::Expr(body), location: None };
        Grammar {
            terminals: names.iter().map(terminal).collect(),
            rules: vec![rule("e", e), rule("t", term)],
            start: NonterminalId(0),
            ignored: Vec::new(),
            discipline: Discipline::LongestMatch,
        }
    }

    fn tables() -> LrTables {
        let budget = Budget::unlimited("test");
        let grammar = grammar();
        let usable = vec![true; grammar.terminals.len()];
        lr::build(&normalize(&grammar, &usable, &budget).expect("sound"), &budget).expect("small")
    }

    /// All stacks of up to `depth` states that the LR automaton can be in, bottom first.
    fn stacks(tables: &LrTables, depth: usize) -> Vec<Vec<LrState>> {
        let mut all = vec![vec![LrState(0)]];
        let mut from = 0;
        for _ in 1..depth {
            let until = all.len();
            for i in from..until {
                for next in (0..tables.states()).map(LrState::new) {
                    if tables.predecessors.row(next.index()).contains(&all[i][all[i].len() - 1]) {
                        all.push([all[i].as_slice(), &[next]].concat());
                    }
                }
            }
            from = until;
        }
        all
    }

    /// The stacks after `terminal`, with only the top `known` states known at first: effects composed with what lies below.
    fn composed(
        tables: &LrTables,
        stack: &[LrState],
        known: usize,
        terminal: TerminalId,
    ) -> Vec<Vec<LrState>> {
        let budget = Budget::unlimited("test");
        let (below, top) = stack.split_at(stack.len() - known);
        let mut out = Vec::new();
        for effect in run(tables, top, terminal, &budget).expect("unlimited") {
            match effect {
                Effect::Shifted(pushed) => out.push([below, &pushed].concat()),
                Effect::Suspended(nonterminal, discard) => {
                    let Some(left) = below.len().checked_sub(discard as usize).filter(|&l| l > 0) else {
                        continue;
                    };
                    let Some(to) = tables.goto(below[left - 1], nonterminal) else { continue };
                    out.extend(composed(tables, &[&below[..left], &[to]].concat(), 1, terminal));
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }

    /// Composing effects is associative: it does not matter how much of the stack is known when the run starts.
    #[test]
    fn known_part_does_not_matter() {
        let tables = tables();
        let mut compared = 0;
        for stack in stacks(&tables, 5) {
            for terminal in (0..tables.terminals).map(TerminalId::new) {
                let whole = composed(&tables, &stack, stack.len(), terminal);
                for known in 1..stack.len() {
                    assert_eq!(
                        composed(&tables, &stack, known, terminal),
                        whole,
                        "{stack:?} {terminal:?} {known}"
                    );
                    compared += usize::from(!whole.is_empty());
                }
            }
        }
        assert!(compared > 1000, "only {compared} runs shifted");
    }

    /// The identity: nothing is popped that was not pushed, so a shift leaves the known part as a prefix; a mismatch annihilates.
    #[test]
    fn errors_have_no_effect() {
        let tables = tables();
        let budget = Budget::unlimited("test");
        for state in (0..tables.states()).map(LrState::new) {
            for terminal in (0..tables.terminals).map(TerminalId::new) {
                let effects = run(&tables, &[state], terminal, &budget).expect("unlimited");
                assert_eq!(effects.is_empty(), tables.actions_on(state, terminal).is_empty());
                for effect in effects {
                    if let Effect::Shifted(known) = effect {
                        assert_eq!(known[0], state);
                    }
                }
            }
        }
    }
}
