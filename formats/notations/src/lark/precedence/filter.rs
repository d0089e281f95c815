//! Which alternatives of a rule may be used where.

use super::copies::Choice;
use super::operators::{Alternative, Operators, TooLarge};
use gcc_grammar_ir::{Expr, NonterminalId, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many alternatives all copies of a rule may have.
const MAX_COPIED: usize = 30_000;

/// A set of alternatives.
pub(super) type Set = BTreeSet<usize>;

/// The numbers of two sets: alternatives that are open at the left and may begin here, and those that are open at the right and may end here.
type Sides = (usize, usize);

type Terminals = BTreeSet<TerminalId>;

/// What may come next.
struct Next {
    /// After the first operand of an alternative that is open at the left.
    operators: FxHashMap<usize, Terminals>,
    /// After an alternative that is open at the right, where another is to go on.
    shifted: FxHashMap<usize, Terminals>,
}

/// Which alternatives may be used where.
pub(super) struct Filter {
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
    pub(super) fn new(
        operators: &mut Operators<'_>,
        rule: NonterminalId,
        alternatives: &[Alternative],
    ) -> Self {
        let those = |wanted: &dyn Fn(&Alternative) -> bool| -> Set {
            (0..alternatives.len()).filter(|&a| wanted(&alternatives[a])).collect()
        };
        let open_left = those(&|a| a.is_open_left(rule));
        let open_right = those(&|a| a.is_open_right(rule) || a.goes_on_in(alternatives));
        let sets = vec![open_left.clone(), open_right.clone(), Set::new()];
        let (count, cut_off) = (alternatives.len(), operators.cut_off(rule, alternatives));
        let mut filter = Self { count, cut_off, open_left, open_right, sets, operands: Vec::new() };
        let next = filter.next(operators, rule, alternatives);
        for alternative in alternatives {
            let mut operands = Vec::new();
            for place in alternative.operands(rule) {
                let (read, rest) = alternative.elements.split_at(place + 1);
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
            let on = on.flatten().chain(all.iter().copied().filter(|_| alternatives[a].is_open_right(rule)));
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
    pub(super) fn copies(&self) -> Result<Vec<Vec<Choice>>, TooLarge> {
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
