//! Checks that the rules balance the texts that are repeated: whatever a rule derives leaves the same texts to be repeated, and the start rule leaves none.
//!
//! What a rule does to the stack of remembered texts is an element of the polycyclic monoid: it repeats or forgets some texts of the stack around it, then it
//! leaves some of its own. Rules are read in an order in which what each needs is known, then all are compared with what was found. So the time is linear in the
//! size of the rules.

use super::least::in_order;
use crate::diagnostic::{Code, Diagnostic};
use crate::grammar::{Body, Expr, Grammar, Rule, SameRole, Symbol, SymbolDfa};

/// The most texts that a rule may leave, or take.
const MOST_TEXTS: usize = 64;

const HELP: &str = "let every alternative of a rule remember and repeat as many texts, and repeat the last one first; if a text need not be repeated, \
    name the terminal that ends it behind the other two of %same";

/// What is done to the stack of remembered texts, each with its kind.
#[derive(Clone, PartialEq, Eq, Default)]
struct Effect {
    /// The texts of the stack around it that go, the first one first.
    takes: Vec<u32>,
    /// The texts that are left.
    leaves: Vec<u32>,
}

/// Texts are taken that are not there, or alternatives differ.
struct Unbalanced;

impl Effect {
    fn then(mut self, next: &Self) -> Result<Self, Unbalanced> {
        for &kind in &next.takes {
            match self.leaves.pop() {
                Some(left) if left == kind => {}
                Some(_) => return Err(Unbalanced),
                None => self.takes.push(kind),
            }
        }
        self.leaves.extend(&next.leaves);
        let is_small = self.takes.len().max(self.leaves.len()) <= MOST_TEXTS;
        if is_small { Ok(self) } else { Err(Unbalanced) }
    }

    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// An error for each rule that does not balance the texts that are repeated.
pub(super) fn unbalanced(grammar: &Grammar) -> Vec<Diagnostic> {
    if !grammar.terminals.iter().any(|terminal| terminal.pattern.same_role().is_some()) {
        return Vec::new();
    }
    let has_others = |pattern: &crate::Pattern| pattern.list_role().is_some() || pattern.key_role().is_some();
    if grammar.terminals.iter().any(|terminal| has_others(&terminal.pattern)) {
        let message =
            "texts are repeated beside lists whose items differ, or objects whose keys are remembered";
        let help = "leave %same out, or uniqueItems and the conditions on keys";
        return vec![Diagnostic::error(Code::Unenforceable, message).help(help)];
    }
    let mut effects = Effects { grammar, of_rules: vec![None; grammar.rules.len()] };
    let mut order = in_order(&grammar.rules);
    for &rule in &order {
        match effects.of_rule(&grammar.rules[rule]) {
            Ok(effect) => effects.of_rules[rule] = effect,
            Err(Unbalanced) => return vec![error(&grammar.rules[rule])],
        }
    }
    let is_same = |rule: usize| {
        effects.of_rule(&grammar.rules[rule]).is_ok_and(|effect| effect == effects.of_rules[rule])
    };
    order.sort_unstable();
    let mut errors: Vec<Diagnostic> =
        order.iter().filter(|&&rule| !is_same(rule)).map(|&rule| error(&grammar.rules[rule])).collect();
    let start = grammar.start.index();
    if errors.is_empty() && effects.of_rules[start].as_ref().is_some_and(|effect| !effect.is_none()) {
        errors.push(error(&grammar.rules[start]));
    }
    errors
}

fn error(rule: &Rule) -> Diagnostic {
    let message =
        format!("the rule `{}` does not balance what is remembered and what is repeated", rule.name);
    Diagnostic::error(Code::Unbalanced, message).help(HELP).at_optional(rule.location.clone())
}

struct Effects<'g> {
    grammar: &'g Grammar,
    /// What the rules do, as far as it is known.
    of_rules: Vec<Option<Effect>>,
}

/// What is left to do with an expression.
enum Step<'e> {
    Read(&'e Expr),
    Join(&'e Expr),
}

impl Effects<'_> {
    fn of_symbol(&self, symbol: Symbol) -> Option<Effect> {
        let terminal = match symbol {
            Symbol::Nonterminal(id) => return self.of_rules[id.index()].clone(),
            Symbol::Terminal(id) => id,
        };
        let (takes, leaves) = match self.grammar.terminals[terminal.index()].pattern.same_role() {
            None => Default::default(),
            Some(SameRole::Remembered(kind)) => (vec![], vec![kind]),
            Some(SameRole::Repeated(kind) | SameRole::Forgotten(kind)) => (vec![kind], vec![]),
        };
        Some(Effect { takes, leaves })
    }

    fn of_rule(&self, rule: &Rule) -> Result<Option<Effect>, Unbalanced> {
        match &rule.body {
            Body::Expr(expr) => self.of_expr(expr),
            Body::Automaton(automaton) => self.of_automaton(automaton),
        }
    }

    fn of_expr(&self, expr: &Expr) -> Result<Option<Effect>, Unbalanced> {
        let (mut steps, mut values) = (vec![Step::Read(expr)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Read(Expr::Symbol(symbol)) => values.push(self.of_symbol(*symbol)),
                Step::Read(expr) => {
                    steps.push(Step::Join(expr));
                    steps.extend(parts(expr).iter().rev().map(Step::Read));
                }
                Step::Join(expr) => {
                    let of_parts = values.split_off(values.len() - parts(expr).len());
                    values.push(joined(expr, of_parts)?);
                }
            }
        }
        Ok(values.pop().flatten())
    }

    fn of_automaton(&self, automaton: &SymbolDfa) -> Result<Option<Effect>, Unbalanced> {
        let mut of_states = vec![None; automaton.states.len()];
        let (mut open, mut whole) = (vec![0], None);
        of_states[0] = Some(Effect::default());
        while let Some(from) = open.pop() {
            let Some(effect) = of_states[from].clone() else { continue };
            let state = &automaton.states[from];
            if state.accepting {
                agree(&mut whole, effect.clone())?;
            }
            for &(symbol, to) in &state.transitions {
                let Some(next) = self.of_symbol(symbol) else { continue };
                let to = to as usize;
                if agree(&mut of_states[to], effect.clone().then(&next)?)? {
                    open.push(to);
                }
            }
        }
        Ok(whole)
    }
}

fn parts(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Symbol(_) => &[],
        Expr::Sequence(parts) | Expr::Choice(parts) => parts,
        Expr::Repeat { inner, .. } => std::slice::from_ref(inner),
    }
}

/// What an expression does, by what its parts do. A part of which nothing is known derives nothing that counts.
fn joined(expr: &Expr, mut parts: Vec<Option<Effect>>) -> Result<Option<Effect>, Unbalanced> {
    match *expr {
        Expr::Symbol(_) => Ok(None),
        Expr::Sequence(_) => match parts.into_iter().collect::<Option<Vec<Effect>>>() {
            None => Ok(None),
            Some(effects) => effects.iter().try_fold(Effect::default(), |all, next| all.then(next)).map(Some),
        },
        Expr::Choice(_) => {
            let mut whole = None;
            parts.into_iter().flatten().try_for_each(|effect| agree(&mut whole, effect).map(|_| ()))?;
            Ok(whole)
        }
        Expr::Repeat { min, max, .. } => match parts.pop().flatten() {
            Some(effect) if effect.is_none() || min == 1 && max == Some(1) => Ok(Some(effect)),
            Some(_) => Err(Unbalanced),
            None => Ok((min == 0).then(Effect::default)),
        },
    }
}

/// Notes an effect that must be that of all alternatives. Whether it is the first one.
fn agree(whole: &mut Option<Effect>, effect: Effect) -> Result<bool, Unbalanced> {
    match whole {
        Some(known) if *known == effect => Ok(false),
        Some(_) => Err(Unbalanced),
        None => {
            *whole = Some(effect);
            Ok(true)
        }
    }
}
