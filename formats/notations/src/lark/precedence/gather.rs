//! Gathers the alternatives of a rule of operators.
//!
//! Input: the rules before any of them is changed. Output: for one rule, its alternatives as sequences, with their levels of precedence; a
//! rule that is used as a mere alternative, such as `e: sum | product`, is replaced by its own alternatives. The work over all rules is
//! limited.

use super::first::First;
use super::levels::{Level, NO_LEVELS, TerminalLevels};
use crate::lark::program::ModuleId;
use gcc_grammar_ir::check::for_each_in_expr;
use gcc_grammar_ir::{Body, Expr, NonterminalId, Rule, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of alternatives of one rule, written out.
const MAX_ALTERNATIVES: usize = 1_000;

/// The largest number of rules, alternatives and pairs of alternatives that are looked at, over all rules: some tenths of a second.
const MAX_WORK: usize = 1_000_000;

/// The depth to which alternatives that consist of one rule are replaced.
const MAX_DEPTH: usize = 8;

/// Per rule that was written by the author, its file, and for each of its clauses the level of `%prec`.
pub(super) type Explicit = BTreeMap<NonterminalId, (ModuleId, Vec<Option<Level>>)>;

/// The error that a rule would become too large.
#[derive(Debug)]
pub(super) struct TooLarge;

/// Gathers the alternatives of rules.
pub(super) struct Gatherer<'r> {
    rules: &'r [Rule],
    explicit: &'r Explicit,
    pub(super) first: First<'r>,
    /// The number of rules, alternatives and pairs that were looked at.
    work: usize,
    /// The rules whose alternatives became alternatives of other rules.
    pub(super) inlined: BTreeSet<NonterminalId>,
    /// The levels of terminals in the rule whose alternatives are being gathered.
    levels: &'r TerminalLevels,
}

impl<'r> Gatherer<'r> {
    pub(super) fn new(rules: &'r [Rule], explicit: &'r Explicit) -> Self {
        let (work, inlined) = Default::default();
        Self { rules, explicit, first: First::new(rules), work, inlined, levels: &NO_LEVELS }
    }

    /// The alternatives of a rule; none if the rule has no operand at the end of an alternative, so that there is nothing to decide.
    pub(super) fn alternatives(
        &mut self,
        rule: NonterminalId,
        levels: &'r TerminalLevels,
    ) -> Result<Option<Vec<Alternative>>, TooLarge> {
        self.levels = levels;
        if !self.leads_to(rule, rule)? {
            return Ok(None);
        }
        let mut alternatives = Vec::new();
        self.gather(rule, rule, &mut vec![rule], &mut alternatives)?;
        self.charge(alternatives.len() * alternatives.len())?;
        let is_open = alternatives.iter().any(|alternative| alternative.is_open_right(rule));
        Ok(is_open.then_some(alternatives))
    }

    /// Counts work against the limit for all rules.
    pub(super) fn charge(&mut self, work: usize) -> Result<(), TooLarge> {
        self.work += work;
        if self.work > MAX_WORK { Err(TooLarge) } else { Ok(()) }
    }

    /// Whether `target` occurs in the body of `rule`, or in the body of a rule that is an alternative of it.
    fn leads_to(&mut self, rule: NonterminalId, target: NonterminalId) -> Result<bool, TooLarge> {
        let mut met = BTreeSet::from([rule]);
        let mut level = vec![rule];
        for _ in 0..=MAX_DEPTH {
            self.charge(level.len())?;
            let bodies = level.iter().filter_map(|other| match &self.rules[other.index()].body {
                Body::Expr(body) => Some(body),
                Body::Automaton(_) => None,
            });
            let bodies: Vec<&Expr> = bodies.collect();
            if bodies.iter().any(|body| concerns(body, |symbol| symbol == Symbol::Nonterminal(target))) {
                return Ok(true);
            }
            let alone = bodies.into_iter().flat_map(|body| match body {
                Expr::Choice(clauses) => clauses.as_slice(),
                only => std::slice::from_ref(only),
            });
            let inner = alone.filter_map(|clause| match clause {
                Expr::Symbol(Symbol::Nonterminal(inner)) => Some(*inner),
                _ => None,
            });
            level = inner.filter(|&inner| met.insert(inner)).collect();
        }
        Ok(false)
    }

    /// Appends the alternatives of `rule` as sequences. An alternative that consists of one rule is replaced by the alternatives of that rule,
    /// if `target` is an operand of them.
    fn gather(
        &mut self,
        rule: NonterminalId,
        target: NonterminalId,
        within: &mut Vec<NonterminalId>,
        out: &mut Vec<Alternative>,
    ) -> Result<(), TooLarge> {
        let Body::Expr(body) = &self.rules[rule.index()].body else { return Ok(()) };
        let explicit = self.explicit.get(&rule).map_or(&[][..], |(_, explicit)| explicit);
        let clauses = match body {
            Expr::Choice(clauses) if clauses.len() == explicit.len() => clauses.as_slice(),
            only => std::slice::from_ref(only),
        };
        self.charge(clauses.len())?;
        for (index, clause) in clauses.iter().enumerate() {
            let explicit = explicit.get(index).copied().flatten();
            for elements in self.spread(clause, target)? {
                let inner = self.inner(&elements, target, within)?;
                if inner.is_empty() {
                    let level = explicit.or_else(|| self.level_of(&elements, target));
                    out.push(Alternative { elements, level });
                }
                out.extend(inner);
                if out.len() > MAX_ALTERNATIVES {
                    return Err(TooLarge);
                }
            }
        }
        Ok(())
    }

    /// The alternatives of the rule that this sequence consists of, if `target` is an operand of them; otherwise none.
    fn inner(
        &mut self,
        elements: &[Expr],
        target: NonterminalId,
        within: &mut Vec<NonterminalId>,
    ) -> Result<Vec<Alternative>, TooLarge> {
        let [Expr::Symbol(Symbol::Nonterminal(inner))] = *elements else { return Ok(Vec::new()) };
        let mut alternatives = Vec::new();
        let may_be =
            !within.contains(&inner) && within.len() <= MAX_DEPTH && self.in_same_file(inner, target);
        if may_be && self.leads_to(inner, target)? {
            within.push(inner);
            self.gather(inner, target, within, &mut alternatives)?;
            within.pop();
        }
        if alternatives.iter().any(|a| a.is_open_left(target) || a.is_open_right(target)) {
            self.inlined.insert(inner);
        } else {
            alternatives.clear();
        }
        Ok(alternatives)
    }

    fn in_same_file(&self, a: NonterminalId, b: NonterminalId) -> bool {
        self.explicit.get(&a).zip(self.explicit.get(&b)).is_some_and(|((a, _), (b, _))| a == b)
    }

    /// The sequences of an expression. Choices and optional parts are written out where they contain operands or operators, and where they are
    /// the first or last part.
    fn spread(&self, expr: &Expr, target: NonterminalId) -> Result<Vec<Vec<Expr>>, TooLarge> {
        let mut sequences = vec![Vec::new()];
        let parts = match expr {
            Expr::Sequence(parts) => parts.as_slice(),
            only => std::slice::from_ref(only),
        };
        for (index, part) in parts.iter().enumerate() {
            let at_edge = index == 0 || index + 1 == parts.len();
            let ways = self.ways(part, at_edge, target)?;
            if sequences.len() * ways.len() > MAX_ALTERNATIVES {
                return Err(TooLarge);
            }
            let joined = |sequence: &Vec<Expr>| {
                ways.iter().map(|way| [&sequence[..], way].concat()).collect::<Vec<_>>()
            };
            sequences = sequences.iter().flat_map(joined).collect();
        }
        Ok(sequences)
    }

    /// The sequences of one part of a sequence.
    fn ways(&self, part: &Expr, at_edge: bool, target: NonterminalId) -> Result<Vec<Vec<Expr>>, TooLarge> {
        let whole = || Ok(vec![vec![part.clone()]]);
        let is_wanted = |symbol| match symbol {
            Symbol::Terminal(terminal) => self.levels.contains_key(&terminal),
            Symbol::Nonterminal(nonterminal) => nonterminal == target,
        };
        match part {
            Expr::Sequence(_) => self.spread(part, target),
            _ if !at_edge && !concerns(part, is_wanted) => whole(),
            Expr::Choice(ways) => {
                let ways = ways.iter().map(|way| self.spread(way, target)).collect::<Result<Vec<_>, _>>()?;
                Ok(ways.concat())
            }
            Expr::Repeat { inner, min, max: Some(1) } => {
                let mut ways = self.spread(inner, target)?;
                if *min == 0 {
                    ways.push(Vec::new());
                }
                Ok(ways)
            }
            _ => whole(),
        }
    }

    /// The level of an alternative: the level of its last terminal. A rule counts as a terminal if all its first terminals have one level.
    fn level_of(&mut self, elements: &[Expr], target: NonterminalId) -> Option<Level> {
        for element in elements.iter().rev().filter(|element| !is_rule(element, target)) {
            if let Expr::Symbol(Symbol::Terminal(terminal)) = element {
                return self.levels.get(terminal).copied();
            }
            let mut levels =
                self.first.of(std::slice::from_ref(element)).into_iter().map(|t| self.levels.get(&t));
            if let Some(level) = levels.next().flatten()
                && levels.all(|other| other == Some(level))
            {
                return Some(*level);
            }
        }
        None
    }
}

/// Whether an expression contains a symbol for which `wanted` holds.
fn concerns(expr: &Expr, wanted: impl Fn(Symbol) -> bool) -> bool {
    let mut found = false;
    for_each_in_expr(expr, &mut |symbol| found |= wanted(symbol));
    found
}

/// An alternative of a rule, written out as a sequence.
pub(super) struct Alternative {
    pub(super) elements: Vec<Expr>,
    /// The level of precedence: that of `%prec` or of its last terminal.
    pub(super) level: Option<Level>,
}

impl Alternative {
    /// The positions at which the rule is an operand of it.
    pub(super) fn operands(&self, rule: NonterminalId) -> impl Iterator<Item = usize> {
        // An alternative that is nothing but the rule has no operand; the check of the grammar refuses it later.
        (0..self.elements.len())
            .filter(move |&place| self.elements.len() > 1 && is_rule(&self.elements[place], rule))
    }

    /// Whether its first operand is at the beginning.
    pub(super) fn is_open_left(&self, rule: NonterminalId) -> bool {
        self.operands(rule).next() == Some(0)
    }

    /// Whether its last operand is at the end.
    pub(super) fn is_open_right(&self, rule: NonterminalId) -> bool {
        self.operands(rule).any(|place| place + 1 == self.elements.len())
    }

    /// The elements behind this alternative in `longer`, if `longer` begins with it and is longer.
    pub(super) fn rest_of<'a>(&self, longer: &'a Self) -> Option<&'a [Expr]> {
        longer.elements.strip_prefix(&self.elements[..]).filter(|rest| !rest.is_empty())
    }

    /// Whether it is a proper prefix of one of the alternatives.
    pub(super) fn goes_on_in(&self, alternatives: &[Self]) -> bool {
        alternatives.iter().any(|longer| self.rest_of(longer).is_some())
    }
}

/// Whether an element is this rule.
pub(super) fn is_rule(element: &Expr, rule: NonterminalId) -> bool {
    *element == Expr::Symbol(Symbol::Nonterminal(rule))
}
