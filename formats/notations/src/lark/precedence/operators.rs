//! A rule of operators, made unambiguous.
//!
//! After Aho, Johnson and Ullman, "Deterministic parsing of ambiguous grammars", CACM 1975, as yacc has it: where the parser could reduce by an alternative or shift
//! a terminal, the one that binds tighter wins. This is a filter on derivations, and here it becomes part of the rule (as in Afroozeh et al., "Safe
//! specification of operator precedence rules", SLE 2013), so that what comes after sees a grammar like any other.
//!
//! An alternative `A` that ends with the rule itself is *open at the right*, and one that begins with it, such as `B: e "+" e`, is *open at the left*; the terminals behind
//! that operand are its operators. When `A` has been read and an operator of `B` comes, then either `A` is complete and an operand of `B`, or `B` is within
//! the last operand of `A`. So
//! - `A` does not end the left operand of `B` if the operator binds tighter than `A`: neither as the operand itself nor as the last part of what ends it;
//! - `B` does not begin the last operand of `A` if `A` binds tighter.
//!
//! Whether an alternative may be used thus depends on two sets: those open at the left that may begin here (they changed with the last `A`
//! around), and those open at the right that may end here (they change with what follows). There is one rule for each pair of sets
//! that comes up, those that are alike are united, and one that can do all that another can uses it: of `+` and `*` the textbook's three rules become.
//!
//! Two alternatives of which one goes on where the other ends, such as an `if` with and without `else`, are told apart in the same way.

use super::copies::bodies;
use super::filter::{Filter, Set};
use super::first::First;
use super::levels::{Level, NO_LEVELS, TerminalLevels};
use crate::lark::ast::Associativity;
use crate::lark::program::ModuleId;
use gcc_grammar_ir::check::for_each_in_expr;
use gcc_grammar_ir::{Body, Expr, NonterminalId, Rule, Symbol, TerminalId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Alternatives of one rule, written out.
const MAX_ALTERNATIVES: usize = 1_000;

/// Rules, alternatives and pairs of alternatives that are looked at, over all rules: some tenths of a second.
const MAX_WORK: usize = 1_000_000;

/// How deep alternatives that consist of a rule are looked into.
const MAX_DEPTH: usize = 8;

/// What the parser does when an alternative is complete and a terminal comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    Reduce,
    Shift,
    /// Neither: the operators are not associative.
    Refuse,
    /// Either: nothing is declared.
    Explore,
}

impl Decision {
    pub(super) const fn reduces(self) -> bool {
        matches!(self, Self::Reduce | Self::Explore)
    }

    pub(super) const fn shifts(self) -> bool {
        matches!(self, Self::Shift | Self::Explore)
    }
}

/// A way to write a rule.
pub(super) struct Alternative {
    pub(super) elements: Vec<Expr>,
    pub(super) level: Option<Level>,
}

impl Alternative {
    /// Where it has the rule as an operand.
    pub(super) fn operands(&self, rule: NonterminalId) -> impl Iterator<Item = usize> {
        // A rule that is nothing but itself has none: that is an error, found later.
        (0..self.elements.len())
            .filter(move |&place| self.elements.len() > 1 && is(&self.elements[place], rule))
    }

    /// Whether its first operand is at the beginning.
    pub(super) fn is_open_left(&self, rule: NonterminalId) -> bool {
        self.operands(rule).next() == Some(0)
    }

    /// Whether its last operand is at the end.
    pub(super) fn is_open_right(&self, rule: NonterminalId) -> bool {
        self.operands(rule).any(|place| place + 1 == self.elements.len())
    }

    /// What `longer` has more than this one, if it begins with it.
    fn rest_of<'a>(&self, longer: &'a Self) -> Option<&'a [Expr]> {
        longer.elements.strip_prefix(&self.elements[..]).filter(|rest| !rest.is_empty())
    }

    /// Whether it is only the beginning of another one.
    pub(super) fn goes_on_in(&self, alternatives: &[Self]) -> bool {
        alternatives.iter().any(|longer| self.rest_of(longer).is_some())
    }
}

/// Per rule that was written: its file, and for each of its clauses what `%prec` says.
pub(super) type Explicit = BTreeMap<NonterminalId, (ModuleId, Vec<Option<Level>>)>;

/// What is known of the rules before any is changed.
pub(super) struct Operators<'r> {
    rules: &'r [Rule],
    explicit: &'r Explicit,
    pub(super) first: First<'r>,
    /// What was looked at so far.
    work: usize,
    /// The levels that were compared.
    pub(super) used: FxHashSet<u32>,
    /// Rules whose alternatives became those of others.
    pub(super) inlined: BTreeSet<NonterminalId>,
    /// Those of the rule that is being resolved.
    levels: &'r TerminalLevels,
    /// Something was compared in it.
    decided: bool,
    /// The terminals after an operand decide differently in it.
    mixed: bool,
}

/// The rule would become too large.
#[derive(Debug)]
pub(super) struct TooLarge;

/// What a rule becomes.
#[derive(Default)]
pub(super) struct Resolved {
    /// Its own body and those of its copies; none if there is nothing to decide.
    pub(super) bodies: Vec<Expr>,
    /// Somewhere the terminals that may follow an operand are of different levels, so it was left open what is meant.
    pub(super) mixed: bool,
}

impl<'r> Operators<'r> {
    pub(super) fn new(rules: &'r [Rule], explicit: &'r Explicit) -> Self {
        let (work, used, inlined, decided, mixed) = Default::default();
        Self {
            rules,
            explicit,
            first: First::new(rules),
            work,
            used,
            inlined,
            levels: &NO_LEVELS,
            decided,
            mixed,
        }
    }

    /// What becomes of a rule, whose copies are numbered from `next` on.
    pub(super) fn resolve(
        &mut self,
        rule: NonterminalId,
        levels: &'r TerminalLevels,
        next: usize,
    ) -> Result<Resolved, TooLarge> {
        (self.levels, self.decided, self.mixed) = (levels, false, false);
        if !self.leads_to(rule, rule)? {
            return Ok(Resolved::default());
        }
        let mut alternatives = Vec::new();
        self.gather(rule, rule, &mut vec![rule], &mut alternatives)?;
        self.charge(alternatives.len() * alternatives.len())?;
        if !alternatives.iter().any(|alternative| alternative.is_open_right(rule)) {
            return Ok(Resolved::default());
        }
        let copies = Filter::new(self, rule, &alternatives).copies()?;
        let visits = self.first.visits();
        self.charge(copies.len() * alternatives.len() + visits)?;
        let bodies = if self.decided { bodies(rule, next, &alternatives, &copies) } else { Vec::new() };
        Ok(Resolved { bodies, mixed: self.mixed })
    }

    fn charge(&mut self, work: usize) -> Result<(), TooLarge> {
        self.work += work;
        if self.work > MAX_WORK { Err(TooLarge) } else { Ok(()) }
    }

    /// Whether `target` stands in the body of a rule, or in that of a rule that is an alternative of it.
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

    /// The alternatives of `rule`, as sequences. Those that consist of a rule are those of that rule, if `target` is an operand there.
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

    /// The alternatives of the rule that this sequence consists of, if `target` is an operand there.
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

    /// An expression as sequences: choices and optional parts are written out where they hold operands or operators, or are first or last.
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

    /// The level of an alternative: that of its last terminal, where a rule counts that begins with operators of one level only.
    fn level_of(&mut self, elements: &[Expr], target: NonterminalId) -> Option<Level> {
        for element in elements.iter().rev().filter(|element| !is(element, target)) {
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

    /// What is done after an alternative of this level when one of these terminals comes.
    pub(super) fn decide(&mut self, level: Option<Level>, terminals: &BTreeSet<TerminalId>) -> Decision {
        let mut decisions = terminals.iter().map(|terminal| match (level, self.levels.get(terminal)) {
            (Some(left), Some(right)) => {
                self.used.extend([left.rank, right.rank]);
                self.decided = true;
                left.against(*right)
            }
            _ => Decision::Explore,
        });
        let Some(decision) = decisions.next() else { return Decision::Explore };
        if decisions.all(|other| other == decision) {
            return decision;
        }
        self.mixed = true;
        Decision::Explore
    }

    /// The alternatives that go on where another one ends, if that one is to be complete there: they cannot be used.
    /// It is only where the terminals can follow an operand, too; otherwise they can but go on.
    pub(super) fn cut_off(&mut self, rule: NonterminalId, alternatives: &[Alternative]) -> Set {
        let mut after_operands = BTreeSet::new();
        for alternative in alternatives {
            for place in alternative.operands(rule) {
                after_operands.extend(self.first.of(&alternative.elements[place + 1..]));
            }
        }
        let mut cut_off = Set::new();
        for ended in alternatives {
            for (index, longer) in alternatives.iter().enumerate() {
                let Some(terminals) = self.goes_on(ended, longer) else { continue };
                let common = terminals.intersection(&after_operands).copied().collect();
                if !self.decide(ended.level, &common).shifts() {
                    match common.len() == terminals.len() {
                        true => drop(cut_off.insert(index)),
                        false => self.mixed = true,
                    }
                }
            }
        }
        cut_off
    }

    /// What comes next in `longer` where `ended` ends.
    pub(super) fn goes_on(
        &mut self,
        ended: &Alternative,
        longer: &Alternative,
    ) -> Option<BTreeSet<TerminalId>> {
        ended.rest_of(longer).map(|rest| self.first.of(rest))
    }
}

impl Level {
    fn against(self, terminal: Self) -> Decision {
        match (self.rank.cmp(&terminal.rank), self.associativity) {
            (std::cmp::Ordering::Greater, _) | (std::cmp::Ordering::Equal, Associativity::Left) => {
                Decision::Reduce
            }
            (std::cmp::Ordering::Less, _) | (std::cmp::Ordering::Equal, Associativity::Right) => {
                Decision::Shift
            }
            (std::cmp::Ordering::Equal, Associativity::Neither) => Decision::Refuse,
        }
    }
}

/// Whether a symbol of a kind stands in an expression.
fn concerns(expr: &Expr, wanted: impl Fn(Symbol) -> bool) -> bool {
    let mut found = false;
    for_each_in_expr(expr, &mut |symbol| found |= wanted(symbol));
    found
}

fn is(element: &Expr, rule: NonterminalId) -> bool {
    *element == Expr::Symbol(Symbol::Nonterminal(rule))
}
