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

use super::first::First;
use super::levels::{Level, TerminalLevels};
use crate::lark::ast::Associativity;
use crate::lark::program::ModuleId;
use crate::{Body, Expr, NonterminalId, Rule, Symbol, TerminalId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Alternatives of one rule, written out, and how many of them all its copies may have.
const MAX_ALTERNATIVES: usize = 1_000;
const MAX_COPIED: usize = 30_000;

/// Rules, alternatives and pairs of alternatives that are looked at, over all rules: some tenths of a second.
const MAX_WORK: usize = 1_000_000;

/// How deep alternatives that consist of a rule are looked into.
const MAX_DEPTH: usize = 8;

/// What the parser does when an alternative is complete and a terminal comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decision {
    Reduce,
    Shift,
    /// Neither: the operators are not associative.
    Refuse,
    /// Either: nothing is declared.
    Explore,
}

impl Decision {
    const fn reduces(self) -> bool {
        matches!(self, Self::Reduce | Self::Explore)
    }

    const fn shifts(self) -> bool {
        matches!(self, Self::Shift | Self::Explore)
    }
}

/// A way to write a rule.
struct Alternative {
    elements: Vec<Expr>,
    level: Option<Level>,
}

/// Per rule that was written: its file, and for each of its clauses what `%prec` says.
pub(super) type Explicit = BTreeMap<NonterminalId, (ModuleId, Vec<Option<Level>>)>;

/// What is known of the rules before any is changed.
pub(super) struct Operators<'r> {
    rules: &'r [Rule],
    explicit: &'r Explicit,
    first: First<'r>,
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

/// A set of alternatives.
type Set = BTreeSet<usize>;

/// The numbers of two sets: alternatives that are open at the left and may begin here, and those that are open at the right and may end here.
type Sides = (usize, usize);

/// An alternative and the copies of the rule that its operands are.
type Choice = (usize, Vec<usize>);

impl<'r> Operators<'r> {
    pub(super) fn new(rules: &'r [Rule], explicit: &'r Explicit) -> Self {
        static NONE: TerminalLevels = TerminalLevels::new();
        let (work, used, inlined, decided, mixed) = Default::default();
        Self { rules, explicit, first: First::new(rules), work, used, inlined, levels: &NONE, decided, mixed }
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
        if !alternatives.iter().any(|alternative| ends_with(alternative, rule)) {
            return Ok(Resolved::default());
        }
        let copies = Filter::new(self, rule, &alternatives).copies()?;
        let visits = self.first.visits();
        self.charge(copies.len() * alternatives.len() + visits)?;
        let bodies =
            if self.decided { bodies(rule, next, &alternatives, &united(&copies)) } else { Vec::new() };
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
            if bodies.iter().any(|body| concerns(body, &|symbol| symbol == Symbol::Nonterminal(target))) {
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
        if alternatives.iter().any(|a| begins_with(a, target) || ends_with(a, target)) {
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
            _ if !at_edge && !concerns(part, &is_wanted) => whole(),
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
    fn decide(&mut self, level: Option<Level>, terminals: &BTreeSet<TerminalId>) -> Decision {
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
    fn cut_off(&mut self, rule: NonterminalId, alternatives: &[Alternative]) -> Set {
        let mut after_operands = BTreeSet::new();
        for Alternative { elements, .. } in alternatives {
            for place in (0..elements.len()).filter(|&place| is(&elements[place], rule)) {
                after_operands.extend(self.first.of(&elements[place + 1..]));
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
    fn goes_on(&mut self, ended: &Alternative, longer: &Alternative) -> Option<BTreeSet<TerminalId>> {
        let rest = longer.elements.strip_prefix(&ended.elements[..]).filter(|rest| !rest.is_empty())?;
        Some(self.first.of(rest))
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

type Terminals = BTreeSet<TerminalId>;

/// What may come next.
struct Next {
    /// After the first operand of an alternative that is open at the left.
    operators: FxHashMap<usize, Terminals>,
    /// After an alternative that is open at the right, where another is to go on.
    shifted: FxHashMap<usize, Terminals>,
}

/// Which alternatives may be used where.
struct Filter {
    count: usize,
    /// Those that cannot be used anywhere.
    cut_off: Set,
    open_left: Set,
    /// Those that end with the rule, or where another goes on.
    open_right: Set,
    /// Those that operands name. The first is `open_left`, the second `open_right`, the third is empty.
    sets: Vec<Set>,
    /// Per alternative and operand: which others may begin there (`None`: those of the copy), and which may end there.
    operands: Vec<Vec<(Option<usize>, Option<usize>)>>,
}

impl Filter {
    fn new(operators: &mut Operators<'_>, rule: NonterminalId, alternatives: &[Alternative]) -> Self {
        let all = 0..alternatives.len();
        let goes_on = |a: &Alternative| {
            alternatives
                .iter()
                .any(|b| b.elements.len() > a.elements.len() && b.elements.starts_with(&a.elements))
        };
        let open_left: Set = all.clone().filter(|&a| begins_with(&alternatives[a], rule)).collect();
        let open_right: Set =
            all.filter(|&a| ends_with(&alternatives[a], rule) || goes_on(&alternatives[a])).collect();
        let sets = vec![open_left.clone(), open_right.clone(), Set::new()];
        let (count, cut_off) = (alternatives.len(), operators.cut_off(rule, alternatives));
        let mut filter = Self { count, cut_off, open_left, open_right, sets, operands: Vec::new() };
        let next = filter.next(operators, rule, alternatives);
        for Alternative { elements, .. } in alternatives {
            let places =
                (0..elements.len()).filter(|&place| elements.len() > 1 && is(&elements[place], rule));
            let mut operands = Vec::new();
            for place in places {
                let (read, rest) = elements.split_at(place + 1);
                let left = (place > 0).then(|| filter.beginning(operators, alternatives, &next, read));
                let right = (!rest.is_empty()).then(|| filter.ending(operators, alternatives, &next, rest));
                operands.push((left.map(|set| filter.number(set)), right.map(|set| filter.number(set))));
            }
            filter.operands.push(operands);
        }
        filter
    }

    fn next(&self, operators: &mut Operators<'_>, rule: NonterminalId, alternatives: &[Alternative]) -> Next {
        let operators_of = |&b: &usize| (b, operators.first.of(&alternatives[b].elements[1..]));
        let operators_of: FxHashMap<usize, Terminals> = self.open_left.iter().map(operators_of).collect();
        let all: Terminals = operators_of.values().flatten().copied().collect();
        let mut shifted = FxHashMap::default();
        for &a in &self.open_right {
            let on = alternatives.iter().filter_map(|longer| operators.goes_on(&alternatives[a], longer));
            let on = on.flatten().chain(all.iter().copied().filter(|_| ends_with(&alternatives[a], rule)));
            shifted.insert(a, on.collect());
        }
        Next { operators: operators_of, shifted }
    }

    /// Which alternatives that are open at the left may begin the operand that `read` ends with: those whose operators bind tighter than each
    /// alternative that is complete after this operand.
    fn beginning(
        &self,
        operators: &mut Operators<'_>,
        alternatives: &[Alternative],
        next: &Next,
        read: &[Expr],
    ) -> Set {
        let complete: Vec<_> = alternatives.iter().filter(|other| other.elements == read).collect();
        let begins = |b: &usize| {
            complete.iter().all(|other| operators.decide(other.level, &next.operators[b]).shifts())
        };
        self.open_left.iter().copied().filter(begins).collect()
    }

    /// Which alternatives that are open at the right may end the operand before `rest`.
    fn ending(
        &self,
        operators: &mut Operators<'_>,
        alternatives: &[Alternative],
        next: &Next,
        rest: &[Expr],
    ) -> Set {
        let terminals = operators.first.of(rest);
        let ends = |a: &usize| {
            let shifted = terminals.intersection(&next.shifted[a]).copied().collect();
            operators.decide(alternatives[*a].level, &shifted).reduces()
        };
        self.open_right.iter().copied().filter(ends).collect()
    }

    fn number(&mut self, set: Set) -> usize {
        self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        })
    }

    /// All copies that are used: for each, its alternatives and the copies that their operands are. The first is the rule itself, the second
    /// has the alternatives that can be used everywhere.
    fn copies(&self) -> Result<Vec<Vec<Choice>>, TooLarge> {
        let mut copies: Vec<Sides> = vec![(0, 1), (2, 2)];
        let mut numbers: FxHashMap<Sides, usize> = copies.iter().copied().zip(0..).collect();
        let mut choices: Vec<Vec<Choice>> = Vec::new();
        while let Some(&(left, right)) = copies.get(choices.len()) {
            let mut of_this = Vec::new();
            for a in (0..self.count).filter(|a| self.allows(left, right, a)) {
                let operands = self.operands[a].iter().map(|&(own_left, own_right)| {
                    *numbers.entry((own_left.unwrap_or(left), own_right.unwrap_or(right))).or_insert_with_key(
                        |&copy| {
                            copies.push(copy);
                            copies.len() - 1
                        },
                    )
                });
                of_this.push((a, operands.collect()));
            }
            choices.push(of_this);
            if copies.len() * self.count > MAX_COPIED {
                return Err(TooLarge);
            }
        }
        Ok(choices)
    }

    fn allows(&self, left: usize, right: usize, alternative: &usize) -> bool {
        !self.cut_off.contains(alternative)
            && (self.sets[left].contains(alternative) || !self.open_left.contains(alternative))
            && (self.sets[right].contains(alternative) || !self.open_right.contains(alternative))
    }
}

/// Copies that are alike are one (Moore's partition refinement): the choices of each class. The first is that of the first copy.
fn united(copies: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let mut classes = vec![0; copies.len()];
    let mut count = 1;
    loop {
        // Classes are numbered in the order of their first copies, so the numbers stay when nothing is refined any more.
        let mut numbers: FxHashMap<Vec<Choice>, usize> = FxHashMap::default();
        let mut united: Vec<Vec<Choice>> = Vec::new();
        let mut refined = Vec::with_capacity(copies.len());
        for choices in copies {
            let in_classes = |operands: &[usize]| operands.iter().map(|&copy| classes[copy]).collect();
            let choices: Vec<Choice> =
                choices.iter().map(|(a, operands)| (*a, in_classes(operands))).collect();
            refined.push(*numbers.entry(choices).or_insert_with_key(|choices| {
                united.push(choices.clone());
                united.len() - 1
            }));
        }
        if united.len() == count {
            return united;
        }
        (count, classes) = (united.len(), refined);
    }
}

/// The bodies of the first class, which is the rule itself, and of all that it leads to.
fn bodies(
    rule: NonterminalId,
    next: usize,
    alternatives: &[Alternative],
    classes: &[Vec<Choice>],
) -> Vec<Expr> {
    let mut order = vec![0];
    let mut bodies = Vec::new();
    while let Some(&class) = order.get(bodies.len()) {
        let mut symbol = |class: usize| {
            let place = order.iter().position(|&known| known == class).unwrap_or_else(|| {
                order.push(class);
                order.len() - 1
            });
            let id = if place == 0 { rule } else { NonterminalId::new(next + place - 1) };
            Expr::Symbol(Symbol::Nonterminal(id))
        };
        let within = largest_within(classes, class);
        let inherited = within.map_or(&[][..], |within| &classes[within]);
        let mut body = Vec::new();
        for (alternative, operands) in classes[class].iter().filter(|choice| !inherited.contains(choice)) {
            let mut operands = operands.iter();
            let elements = &alternatives[*alternative].elements;
            let written = elements.iter().map(|element| match operands.as_slice() {
                [_, ..] if is(element, rule) => {
                    operands.next().map_or_else(|| element.clone(), |&class| symbol(class))
                }
                _ => element.clone(),
            });
            body.push(Expr::Sequence(written.collect()));
        }
        body.extend(within.map(symbol));
        bodies.push(Expr::Choice(body));
    }
    bodies
}

/// The class with most choices of those that have some of the choices of this one, but not all.
fn largest_within(classes: &[Vec<Choice>], class: usize) -> Option<usize> {
    let own = &classes[class];
    let is_within = |other: &usize| {
        let other = &classes[*other];
        let mut own = own.iter();
        !other.is_empty()
            && other.len() < own.len()
            && other.iter().all(|choice| own.any(|own| own == choice))
    };
    (0..classes.len()).filter(is_within).max_by_key(|&other| (classes[other].len(), std::cmp::Reverse(other)))
}

/// Whether a symbol of a kind stands in an expression.
fn concerns(expr: &Expr, wanted: &impl Fn(Symbol) -> bool) -> bool {
    match expr {
        Expr::Symbol(symbol) => wanted(*symbol),
        Expr::Sequence(parts) | Expr::Choice(parts) => parts.iter().any(|part| concerns(part, wanted)),
        Expr::Repeat { inner, .. } => concerns(inner, wanted),
    }
}

fn is(element: &Expr, rule: NonterminalId) -> bool {
    *element == Expr::Symbol(Symbol::Nonterminal(rule))
}

fn begins_with(Alternative { elements, .. }: &Alternative, rule: NonterminalId) -> bool {
    elements.len() > 1 && elements.first().is_some_and(|element| is(element, rule))
}

fn ends_with(Alternative { elements, .. }: &Alternative, rule: NonterminalId) -> bool {
    elements.len() > 1 && elements.last().is_some_and(|element| is(element, rule))
}
