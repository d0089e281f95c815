//! Decides which alternatives of a rule may be used where, by their precedence.
//!
//! Input: the alternatives of one rule. Output: copies of the rule, each with the alternatives that may be used in it and, per operand, the
//! copy that the operand becomes.
//!
//! When an alternative `A` that is open at the right has been read and an operator of an alternative `B` that is open at the left follows,
//! then either `A` is complete and the first operand of `B`, or `B` is within the last operand of `A`. So
//! - `A` does not end the left operand of `B` if the operator binds tighter than `A`, neither as the operand itself nor as the last part of
//!   it;
//! - `B` does not begin the last operand of `A` if `A` binds tighter.
//!
//! Whether an alternative may be used therefore depends on two sets: the alternatives open at the left that may begin here (they change
//! with the last `A` around), and the alternatives open at the right that may end here (they change with the text that follows). Each pair
//! of sets that comes up is a copy of the rule.
//!
//! Two alternatives of which one goes on where the other ends, such as an `if` with and without `else`, are told apart in the same way.

use super::decisions::Decisions;
use super::first::First;
use super::gather::{Alternative, TooLarge};
use gcc_grammar_ir::{Expr, NonterminalId, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The largest number of alternatives of all copies of a rule.
const MAX_COPIED: usize = 30_000;

/// A set of alternatives, by index.
pub(super) type Set = BTreeSet<usize>;

/// The numbers of two sets: the alternatives open at the left that may begin here, and the alternatives open at the right that may end
/// here.
type Sides = (usize, usize);

/// An alternative, and for each operand the copy of the rule that it becomes.
pub(super) type Choice = (usize, Vec<usize>);

type Terminals = BTreeSet<TerminalId>;

/// The terminals that may follow.
struct Next {
    /// After the first operand of an alternative that is open at the left.
    operators: FxHashMap<usize, Terminals>,
    /// After an alternative that is open at the right.
    shifted: FxHashMap<usize, Terminals>,
}

/// The alternatives that may be used, per copy of a rule.
pub(super) struct Filter {
    count: usize,
    /// The alternatives that cannot be used anywhere.
    cut_off: Set,
    open_left: Set,
    /// The alternatives that end with the rule, and those that are a proper prefix of another one.
    open_right: Set,
    /// The sets that operands name. The first is `open_left`, the second `open_right`, and the third is empty.
    sets: Vec<Set>,
    /// Per alternative and operand, the numbers of the sets that may begin and end there; none stands for the set of the copy.
    operands: Vec<Vec<(Option<usize>, Option<usize>)>>,
}

impl Filter {
    pub(super) fn new(
        first: &mut First<'_>,
        decisions: &mut Decisions<'_>,
        rule: NonterminalId,
        alternatives: &[Alternative],
    ) -> Self {
        let select = |wanted: &dyn Fn(&Alternative) -> bool| -> Set {
            (0..alternatives.len()).filter(|&a| wanted(&alternatives[a])).collect()
        };
        let open_left = select(&|a| a.is_open_left(rule));
        let open_right = select(&|a| a.is_open_right(rule) || a.goes_on_in(alternatives));
        let sets = vec![open_left.clone(), open_right.clone(), Set::new()];
        let (count, cut_off) = (alternatives.len(), cut_off(first, decisions, rule, alternatives));
        let mut filter = Self { count, cut_off, open_left, open_right, sets, operands: Vec::new() };
        let next = filter.next(first, rule, alternatives);
        for alternative in alternatives {
            let mut operands = Vec::new();
            for place in alternative.operands(rule) {
                let (read, rest) = alternative.elements.split_at(place + 1);
                let left = (place > 0).then(|| filter.beginning(decisions, alternatives, &next, read));
                let right =
                    (!rest.is_empty()).then(|| filter.ending(first, decisions, alternatives, &next, rest));
                operands.push((left.map(|set| filter.number(set)), right.map(|set| filter.number(set))));
            }
            filter.operands.push(operands);
        }
        filter
    }

    /// The terminals that may follow the operands of each alternative.
    fn next(&self, first: &mut First<'_>, rule: NonterminalId, alternatives: &[Alternative]) -> Next {
        let operators_of = |&b: &usize| (b, first.of(&alternatives[b].elements[1..]));
        let operators_of: FxHashMap<usize, Terminals> = self.open_left.iter().map(operators_of).collect();
        let all: Terminals = operators_of.values().flatten().copied().collect();
        let mut shifted = FxHashMap::default();
        for &a in &self.open_right {
            let on = alternatives.iter().filter_map(|longer| goes_on(first, &alternatives[a], longer));
            let on = on.flatten().chain(all.iter().copied().filter(|_| alternatives[a].is_open_right(rule)));
            shifted.insert(a, on.collect());
        }
        Next { operators: operators_of, shifted }
    }

    /// The alternatives open at the left that may begin the operand at the end of `read`: their operators bind tighter than each alternative
    /// that is complete after this operand.
    fn beginning(
        &self,
        decisions: &mut Decisions<'_>,
        alternatives: &[Alternative],
        next: &Next,
        read: &[Expr],
    ) -> Set {
        let complete: Vec<_> = alternatives.iter().filter(|other| other.elements == read).collect();
        let begins = |b: &usize| {
            complete.iter().all(|other| decisions.decide(other.level, &next.operators[b]).shifts())
        };
        self.open_left.iter().copied().filter(begins).collect()
    }

    /// The alternatives open at the right that may end the operand before `rest`.
    fn ending(
        &self,
        first: &mut First<'_>,
        decisions: &mut Decisions<'_>,
        alternatives: &[Alternative],
        next: &Next,
        rest: &[Expr],
    ) -> Set {
        let terminals = first.of(rest);
        let ends = |a: &usize| {
            let shifted = terminals.intersection(&next.shifted[a]).copied().collect();
            decisions.decide(alternatives[*a].level, &shifted).reduces()
        };
        self.open_right.iter().copied().filter(ends).collect()
    }

    /// The number of a set.
    fn number(&mut self, set: Set) -> usize {
        self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        })
    }

    /// All copies that are used, each with its alternatives and the copies that their operands become. The first copy is the rule itself, and
    /// the second one has the alternatives that can be used everywhere.
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

/// The alternatives that cannot be used: each goes on where another alternative ends, and the other alternative is decided to be complete
/// there. The decision concerns only terminals that can follow an operand, too; any other terminal can only go on.
fn cut_off(
    first: &mut First<'_>,
    decisions: &mut Decisions<'_>,
    rule: NonterminalId,
    alternatives: &[Alternative],
) -> Set {
    let mut after_operands = Terminals::new();
    for alternative in alternatives {
        for place in alternative.operands(rule) {
            after_operands.extend(first.of(&alternative.elements[place + 1..]));
        }
    }
    let mut cut_off = Set::new();
    for ended in alternatives {
        for (index, longer) in alternatives.iter().enumerate() {
            let Some(terminals) = goes_on(first, ended, longer) else { continue };
            let common = terminals.intersection(&after_operands).copied().collect();
            if !decisions.decide(ended.level, &common).shifts() {
                match common.len() == terminals.len() {
                    true => drop(cut_off.insert(index)),
                    false => decisions.mixed = true,
                }
            }
        }
    }
    cut_off
}

/// The terminals that follow `ended` in `longer`, if `longer` goes on where `ended` ends.
fn goes_on(first: &mut First<'_>, ended: &Alternative, longer: &Alternative) -> Option<Terminals> {
    ended.rest_of(longer).map(|rest| first.of(rest))
}
