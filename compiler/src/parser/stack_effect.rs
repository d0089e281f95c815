//! Stack effects: runs of the LR automaton on one terminal over the known part of the stack.
//!
//! In: the top of a stack, its *known part*, and a terminal. Out: an [`Effect`] for each run that does not
//! end in error. An effect is an element of the polycyclic monoid: it pops states, then pushes states. A run
//! that would pop below the known part is suspended.

use super::stack_memo::StackMemo;
use crate::ids::LrState;
use crate::lr::{Action, LrTables};
use gcc_grammar_ir::{NonterminalId, TerminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};

index_newtype! { vis pub(super),
    /// An effect that was computed.
    EffectId;
}

/// The end of a run that does not end in error.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Effect {
    /// The terminal was shifted: this number of states is popped, then these states are pushed.
    Shifted(u32, Box<[LrState]>),
    /// The known part is used up: the run discards this number of further states, then continues with goto(next state,
    /// nonterminal).
    Suspended(NonterminalId, u32),
}

/// The effects of terminals. Known parts that agree in the states that a run reads share its effects.
#[derive(Default)]
pub(super) struct Effects {
    known: StackMemo<TerminalId, (EffectId, EffectId)>,
    all: Vec<Effect>,
}

impl Effects {
    /// The effects of `terminal` on the known part (not empty; top last), and the number of states of it that
    /// they depend on (see [`StackMemo::get`]).
    pub(super) fn of(
        &mut self,
        tables: &LrTables,
        known: &[LrState],
        terminal: TerminalId,
        budget: &Budget,
    ) -> Result<(impl Iterator<Item = EffectId> + use<>, usize), OverBudget> {
        if let Some(((from, until), used)) = self.known.get(terminal, known) {
            return Ok((range(from, until), used));
        }
        let (effects, used) = run(tables, known, terminal, budget)?;
        budget.charge_entry(used as u64 * 48 + effects.len() as u64 * 32)?;
        let from = EffectId::new(self.all.len());
        self.all.extend(effects);
        let until = EffectId::new(self.all.len());
        self.known.insert(terminal, known, used, (from, until));
        Ok((range(from, until), used))
    }

    /// The effect with this id.
    pub(super) fn get(&self, id: EffectId) -> &Effect {
        &self.all[id.index()]
    }
}

/// The effects `from..until`.
fn range(from: EffectId, until: EffectId) -> impl Iterator<Item = EffectId> + use<> {
    (from.0..until.0).map(EffectId)
}

/// A stack during a run: the lowest `kept` states of the known part, and the states that were pushed on them.
struct Stack {
    kept: usize,
    pushed: Vec<LrState>,
}

/// Runs `terminal` over the known part, following all actions. This ends because a reduction never makes the
/// stack higher, and there is no cycle of unit productions.
fn run(
    tables: &LrTables,
    known: &[LrState],
    terminal: TerminalId,
    budget: &Budget,
) -> Result<(Vec<Effect>, usize), OverBudget> {
    let height = known.len();
    let mut effects = Vec::new();
    let mut used = 1;
    let mut open = vec![Stack { kept: height, pushed: Vec::new() }];
    while let Some(Stack { kept, mut pushed }) = open.pop() {
        let top = pushed.last().copied().unwrap_or_else(|| known[kept - 1]);
        let actions = tables.actions_on(top, terminal);
        budget.charge_work(actions.len() as u64 + 1)?;
        for (i, &(_, action)) in actions.iter().enumerate() {
            // The last action takes the stack itself, the others a copy.
            let mut pushed =
                if i + 1 == actions.len() { std::mem::take(&mut pushed) } else { pushed.clone() };
            match action {
                Action::Shift(to) => {
                    pushed.push(to);
                    effects.push(Effect::Shifted((height - kept) as u32, pushed.into()));
                }
                Action::Reduce(production) => {
                    let (lhs, length) = tables.productions[production.index()];
                    let own = pushed.len().min(length as usize);
                    let below = length as usize - own;
                    pushed.truncate(pushed.len() - own);
                    if pushed.is_empty() && kept <= below {
                        used = height + 1;
                        effects.push(Effect::Suspended(lhs, (below - kept) as u32));
                        continue;
                    }
                    let kept = kept - below;
                    let origin = pushed.last().copied().unwrap_or_else(|| {
                        used = used.max(height - kept + 1);
                        known[kept - 1]
                    });
                    if let Some(to) = tables.goto(origin, lhs) {
                        pushed.push(to);
                        open.push(Stack { kept, pushed });
                    }
                }
            }
        }
    }
    effects.sort_unstable();
    effects.dedup();
    Ok((effects, used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lr;
    use crate::normalize::normalize;
    use gcc_grammar_ir::{Body, Discipline, Expr, Grammar, Pattern, Rule, Symbol, Terminal};
    use gcc_grammar_regular::Regex;

    /// e: e "+" e | t; t: "a" | "(" e ")" | t "[" e ("," e)* "]" | "-" t — ambiguous, with left and right
    /// recursion.
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
            contexts: Default::default(),
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

    /// The stacks after `terminal`, with only the top `known` states known at first: effects composed with
    /// what lies below.
    fn composed(
        tables: &LrTables,
        stack: &[LrState],
        known: usize,
        terminal: TerminalId,
    ) -> Vec<Vec<LrState>> {
        let budget = Budget::unlimited("test");
        let (below, top) = stack.split_at(stack.len() - known);
        let mut out = Vec::new();
        let (effects, used) = run(tables, top, terminal, &budget).expect("unlimited");
        let suspended = effects.iter().any(|effect| matches!(effect, Effect::Suspended(..)));
        assert!(used <= known + usize::from(suspended));
        if used <= known {
            assert_eq!(run(tables, &top[known - used..], terminal, &budget).expect("unlimited").0, effects);
        }
        for effect in effects {
            match effect {
                Effect::Shifted(popped, pushed) => {
                    out.push([&stack[..stack.len() - popped as usize], &pushed].concat());
                }
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

    /// Composing effects is associative: it does not matter how much of the stack is known when the run
    /// starts.
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

    /// The identity: nothing is popped that was not pushed, so a shift leaves the known part as a prefix; a
    /// mismatch annihilates.
    #[test]
    fn errors_have_no_effect() {
        let tables = tables();
        let budget = Budget::unlimited("test");
        for state in (0..tables.states()).map(LrState::new) {
            for terminal in (0..tables.terminals).map(TerminalId::new) {
                let (effects, _) = run(&tables, &[state], terminal, &budget).expect("unlimited");
                assert_eq!(effects.is_empty(), tables.actions_on(state, terminal).is_empty());
                for effect in effects {
                    if let Effect::Shifted(popped, _) = effect {
                        assert_eq!(popped, 0);
                    }
                }
            }
        }
    }
}
