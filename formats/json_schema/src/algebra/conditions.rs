//! Conditions on the keys of an object in a normal form, for a [record](super::record).
//!
//! A condition is a conjunction of *disjunctions*: one of some atoms does not hold, or all atoms of one of several *alternatives* do. With at most one alternative, a
//! disjunction is Horn clauses. `anyOf` of `required` has several, and so has a condition that holds where a key is missing: *the value is another one, or …*.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use crate::record::{Atom, Choice, Clause};
use crate::schema::{MembersId, SchemaId};
use std::collections::BTreeSet;

/// The most parts of a condition in this form.
const MOST_DISJUNCTIONS: usize = 1 << 12;

/// The most alternatives of a disjunction: each is compared with each.
const MOST_ALTERNATIVES: usize = 256;

/// With more facts in its alternatives, a disjunction is not [expanded](Disjunction::expanded).
const MOST_EXPANDED: usize = 3;

/// One of some atoms does not hold, or all of one of several sets of others do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Disjunction {
    not: BTreeSet<Atom>,
    alternatives: BTreeSet<BTreeSet<Atom>>,
}

/// `if`, `then` and `else`.
struct Conditional {
    condition: ExprId,
    then: Vec<ExprId>,
    otherwise: Vec<ExprId>,
}

impl Disjunction {
    pub(super) fn not(atoms: impl IntoIterator<Item = Atom>) -> Self {
        Self { not: atoms.into_iter().collect(), alternatives: BTreeSet::new() }
    }

    pub(super) fn all_of(atoms: impl IntoIterator<Item = Atom>) -> Self {
        let alternatives = BTreeSet::from([atoms.into_iter().collect()]);
        Self { not: BTreeSet::new(), alternatives }
    }

    /// The atoms that hold, if that is all that this says.
    fn unit(&self) -> Option<&BTreeSet<Atom>> {
        if self.alternatives.len() == 1 && self.not.is_empty() { self.alternatives.first() } else { None }
    }

    /// This or another one holds.
    pub(super) fn or(&self, other: &Self) -> Self {
        Self { not: &self.not | &other.not, alternatives: &self.alternatives | &other.alternatives }
    }

    /// The same where some atoms hold, and in as few words as possible: a fact says that its key is there. `None` if it holds anyway.
    pub(super) fn reduced(&self, known: &BTreeSet<Atom>) -> Option<Self> {
        let not: BTreeSet<Atom> = &self.not - known;
        let keys_of_facts = |atoms: &BTreeSet<Atom>| -> BTreeSet<_> {
            atoms.iter().filter(|atom| matches!(atom, Atom::Fact(..))).map(|fact| fact.key()).collect()
        };
        let of_not = keys_of_facts(&not);
        let rest = |all: &BTreeSet<Atom>| -> BTreeSet<Atom> {
            let of_all = keys_of_facts(all);
            let is_said = |atom: &Atom| {
                let is_key = matches!(atom, Atom::Key(_));
                let has_fact = || of_not.contains(&atom.key()) || of_all.contains(&atom.key());
                known.contains(atom) || not.contains(atom) || is_key && has_fact()
            };
            all.iter().copied().filter(|atom| !is_said(atom)).collect()
        };
        let all: BTreeSet<BTreeSet<Atom>> = self.alternatives.iter().map(rest).collect();
        let is_least =
            |one: &&BTreeSet<Atom>| !all.iter().any(|other| other.len() < one.len() && other.is_subset(one));
        let alternatives: BTreeSet<BTreeSet<Atom>> = all.iter().filter(is_least).cloned().collect();
        let holds_anyway = alternatives.first().is_some_and(BTreeSet::is_empty);
        (!holds_anyway).then_some(Self { not, alternatives })
    }

    /// The same with fewer alternatives, as far as keys are sure to be there: one has no fact if it has the opposite fact. Facts that a value is not valid become facts that it
    /// is, so that conditions ask for the same ones.
    fn with_complements(mut self, known: &BTreeSet<Atom>) -> Self {
        for is_valid in [false, true] {
            for all in self.alternatives.clone() {
                let Some(&fact @ Atom::Fact(key, _, holds)) = all.first().filter(|_| all.len() == 1) else {
                    continue;
                };
                let key = Atom::Key(key);
                let is_known = self.not.contains(&key) || known.contains(&key);
                if is_known && holds == is_valid && (!is_valid || self.alternatives.len() > 1) {
                    self.alternatives.remove(&all);
                    self.not.insert(fact.opposite());
                }
            }
        }
        self
    }

    /// The same with no facts in alternatives, if these are several: the key is there, and does not have the opposite fact.
    fn expanded(self) -> Vec<Self> {
        let facts = |part: &Self| {
            let atoms = part.alternatives.iter().flatten();
            atoms.filter(|atom| matches!(atom, Atom::Fact(..))).count()
        };
        if facts(&self) > MOST_EXPANDED {
            return vec![self];
        }
        let (mut open, mut done) = (vec![self], Vec::new());
        while let Some(part) = open.pop() {
            let is_fact = |atom: &&Atom| matches!(atom, Atom::Fact(..));
            let found = part
                .alternatives
                .iter()
                .find_map(|all| all.iter().find(is_fact).map(|&fact| (all.clone(), fact)));
            let Some((all, fact)) = found.filter(|_| part.alternatives.len() > 1) else {
                done.push(part);
                continue;
            };
            let mut without = part.clone();
            without.alternatives.remove(&all);
            let mut with_key = without.clone();
            let mut atoms = all;
            atoms.remove(&fact);
            atoms.insert(Atom::Key(fact.key()));
            with_key.alternatives.insert(atoms);
            without.not.insert(fact.opposite());
            open.extend([with_key, without].into_iter().filter_map(|part| part.reduced(&BTreeSet::new())));
        }
        done
    }

    /// The only fact that each value of a key has, if this says so.
    pub(super) fn always(&self) -> Option<Atom> {
        let fact = self.alternatives.first()?.first()?;
        let is_only = self.alternatives.len() == 1 && self.alternatives.first()?.len() == 1;
        let of_key =
            matches!(fact, Atom::Fact(_, _, true)) && self.not == BTreeSet::from([Atom::Key(fact.key())]);
        (is_only && of_key).then_some(*fact)
    }

    /// The same where some facts hold for all values of their keys; `None` if it holds anyway.
    fn where_always(&self, always: &BTreeSet<Atom>) -> Option<Self> {
        let as_key = |&atom: &Atom| if always.contains(&atom) { Atom::Key(atom.key()) } else { atom };
        let is_never = |atom: &Atom| matches!(atom, Atom::Fact(..)) && always.contains(&atom.opposite());
        let possible = self.alternatives.iter().filter(|all| !all.iter().any(is_never));
        let alternatives = possible.map(|all| all.iter().map(as_key).collect()).collect();
        let not = self.not.iter().map(as_key).collect();
        if self.not.iter().any(is_never) {
            None
        } else {
            Self { not, alternatives }.reduced(&BTreeSet::new())
        }
    }
}

/// Several disjunctions with as few as possible of one alternative: what holds in any case is one of them.
fn merged(parts: Vec<Disjunction>) -> Vec<Disjunction> {
    let mut known = BTreeSet::new();
    let mut rest = parts;
    loop {
        let count = known.len();
        known.extend(rest.iter().filter_map(Disjunction::unit).flatten().copied());
        rest.retain(|part| part.unit().is_none());
        if known.len() == count {
            break;
        }
        rest = rest.iter().filter_map(|part| part.reduced(&known)).collect();
    }
    if !known.is_empty() {
        rest.push(Disjunction::all_of(known));
    }
    rest
}

/// Conditions as clauses and choices, and the facts that hold for all values of their keys.
pub(super) type Clauses = (Vec<Clause>, Vec<Choice>, Vec<Atom>);

impl Algebra<'_, '_> {
    /// Conditions as clauses and choices. What follows from a key that must be there is no condition.
    pub(super) fn clauses(&self, mut all: Vec<Disjunction>) -> Result<Clauses> {
        self.step(all.len())?;
        let always: BTreeSet<Atom> = all.iter().filter_map(Disjunction::always).collect();
        if !always.is_empty() {
            all = all.iter().filter_map(|part| part.where_always(&always)).collect();
        }
        let known: BTreeSet<Atom> = all.iter().filter_map(Disjunction::unit).flatten().copied().collect();
        let (mut clauses, mut choices) = (Vec::new(), Vec::new());
        clauses.extend(known.iter().map(|&atom| Clause { atoms: Vec::new(), then: Some(atom) }));
        let mut parts = BTreeSet::new();
        for part in all {
            let of_known: BTreeSet<Atom> =
                part.alternatives.iter().flatten().filter(|atom| known.contains(atom)).copied().collect();
            let Some(part) = part.reduced(&BTreeSet::new()).filter(|part| part.unit().is_none()) else {
                continue;
            };
            if part.alternatives.iter().any(|all| all.is_subset(&of_known)) {
                continue;
            }
            let part = part.with_complements(&known);
            self.step(1 << MOST_EXPANDED)?;
            parts.extend(part.expanded());
        }
        for Disjunction { not, alternatives } in parts {
            let atoms: Vec<Atom> = not.into_iter().collect();
            match alternatives.len() {
                0 => clauses.push(Clause { atoms, then: None }),
                1 => {
                    let holds = alternatives.into_iter().flatten();
                    clauses.extend(holds.map(|atom| Clause { atoms: atoms.clone(), then: Some(atom) }));
                }
                _ => {
                    let alternatives =
                        alternatives.into_iter().map(|all| all.into_iter().collect()).collect();
                    choices.push(Choice { atoms, alternatives });
                }
            }
        }
        clauses.sort_unstable();
        clauses.dedup();
        Ok((clauses, choices, always.into_iter().collect()))
    }

    /// A condition, or its complement, in this form; `None` if it is about more than keys and some of their values, or has too many parts.
    pub(super) fn disjunctions(
        &mut self,
        condition: ExprId,
        holds: bool,
    ) -> Result<Option<Vec<Disjunction>>> {
        let ex = self.expressions.get(condition).clone();
        self.step(ex.part_count())?;
        Ok(match (&*ex, holds) {
            (Expr::Required(keys), _) => {
                let keys = self.key_sets.keys(*keys);
                self.step(keys.len())?;
                let keys = keys.into_iter().map(Atom::Key);
                Some(vec![if holds { Disjunction::all_of(keys) } else { Disjunction::not(keys) }])
            }
            (Expr::Members(members), holds) => self.of_values(*members, holds)?,
            (Expr::Not(inner), _) => self.disjunctions(*inner, !holds)?,
            (Expr::And(parts), true) | (Expr::Or(parts), false) => self.all_disjunctions(parts, holds)?,
            (Expr::Or(parts), true) if let Some(conditional) = self.as_conditional(parts) => {
                self.of_conditional(conditional)?
            }
            (Expr::Or(parts) | Expr::ExactlyOne(parts), true)
                if let Some(discriminated) = self.told_apart_by_key(parts)? =>
            {
                Some(discriminated)
            }
            (Expr::Or(parts), true) | (Expr::And(parts), false) => self.any_disjunction(parts, holds)?,
            (Expr::ExactlyOne(parts), true) => self.one_disjunction(parts)?,
            _ => None,
        })
    }

    /// Conditions that all hold, or their complements.
    fn all_disjunctions(&mut self, parts: &[ExprId], holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let mut all = Vec::new();
        for &part in parts {
            let Some(of_part) = self.disjunctions(part, holds)? else { return Ok(None) };
            all.extend(of_part);
        }
        Ok(Some(all))
    }

    /// One of some conditions holds, or one of their complements.
    fn any_disjunction(&mut self, parts: &[ExprId], holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let mut all = vec![Disjunction::default()];
        for &part in parts {
            let Some(of_part) = self.disjunctions(part, holds)? else { return Ok(None) };
            let Some(either) = self.either(&all, of_part)? else { return Ok(None) };
            all = either;
        }
        Ok(Some(all))
    }

    /// One of some conditions holds, and no two of them.
    fn one_disjunction(&mut self, parts: &[ExprId]) -> Result<Option<Vec<Disjunction>>> {
        let Some(mut all) = self.any_disjunction(parts, true)? else { return Ok(None) };
        for (place, &first) in parts.iter().enumerate() {
            for &second in &parts[..place] {
                let Some(not_both) = self.any_disjunction(&[first, second], false)? else { return Ok(None) };
                all.extend(not_both);
                if all.len() > MOST_DISJUNCTIONS {
                    return Ok(None);
                }
            }
        }
        Ok(Some(all))
    }

    /// A union of what holds under a condition and what holds under its complement.
    fn as_conditional(&self, parts: &[ExprId]) -> Option<Conditional> {
        let &[a, b] = parts else { return None };
        let of = |a: ExprId, b: ExprId| {
            let (then, otherwise) = (self.parts(a), self.parts(b));
            otherwise.iter().find_map(|&part| {
                let Expr::Not(condition) = **self.expressions.get(part) else { return None };
                let holds = self.parts(condition);
                let is_asked = holds.iter().all(|part| then.contains(part));
                is_asked.then(|| Conditional {
                    condition,
                    then: then.iter().copied().filter(|part| !holds.contains(part)).collect(),
                    otherwise: otherwise.iter().copied().filter(|&other| other != part).collect(),
                })
            })
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// Of a union of what holds under a condition and under its complement: the condition or the one, its complement or the other. What follows from both together is left
    /// out: it has alternatives.
    fn of_conditional(&mut self, conditional: Conditional) -> Result<Option<Vec<Disjunction>>> {
        let Conditional { condition, then, otherwise } = conditional;
        let mut all = Vec::new();
        for (branch, holds) in [(then, false), (otherwise, true)] {
            let Some(condition) = self.disjunctions(condition, holds)? else { return Ok(None) };
            let Some(branch) = self.all_disjunctions(&branch, true)? else { return Ok(None) };
            let Some(either) = self.either(&merged(condition), branch)? else { return Ok(None) };
            all.extend(either);
        }
        Ok(Some(all))
    }

    /// One of two conditions holds; `None` if that has too many parts.
    fn either(&self, all: &[Disjunction], others: Vec<Disjunction>) -> Result<Option<Vec<Disjunction>>> {
        let others = merged(others);
        if all.len() * others.len() > MOST_DISJUNCTIONS {
            return Ok(None);
        }
        let none = BTreeSet::new();
        let mut either = Vec::with_capacity(all.len() * others.len());
        for (a, b) in all.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
            let alternatives = a.alternatives.len() + b.alternatives.len();
            self.step(alternatives * alternatives)?;
            if alternatives > MOST_ALTERNATIVES {
                return Ok(None);
            }
            either.extend(a.or(b).reduced(&none));
        }
        Ok(Some(either))
    }

    /// The condition that the values of some keys are valid, or its complement; `None` if it is about other keys as well.
    fn of_values(&self, members: MembersId, holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let members = self.loader.schemas.members(members).clone();
        let is_long = !holds && members.properties.len() > MOST_ALTERNATIVES;
        if is_long || !members.patterns.is_empty() || members.rest != SchemaId::TRUE {
            return Ok(None);
        }
        self.step(members.properties.len())?;
        let (mut all, mut others) = (Vec::new(), Disjunction::default());
        for &(key, schema) in &members.properties {
            let there = Atom::Key(key);
            match schema {
                SchemaId::TRUE => {}
                SchemaId::FALSE => {
                    all.push(Disjunction::not([there]));
                    others.alternatives.insert(BTreeSet::from([there]));
                }
                _ => {
                    let fact = Atom::Fact(key, schema, true);
                    all.push(Disjunction::not([there]).or(&Disjunction::all_of([fact])));
                    others.alternatives.insert(BTreeSet::from([fact.opposite()]));
                }
            }
        }
        Ok(Some(if holds { all } else { vec![others] }))
    }
}
