//! Turns a right part that is written as an expression into productions.
//!
//! In: an [`Expr`] over symbols. Out: productions for a left-hand side, and helper nonterminals where they
//! are needed.
//!
//! An expression is lowered to [`Alternatives`]: sequences of symbols that are not empty, and whether the
//! empty sequence belongs to them. A product of alternatives is multiplied out while it is small, because an
//! LR parser then decides nothing before it has read the input. A product of more than [`MAX_ALTERNATIVES`]
//! gets a helper nonterminal for a factor, which keeps `n` optional parts in a row linear instead of `2^n`.
//! Equal parts share their helpers. Lists are left-recursive, so that the parser stack stays flat; long counted
//! repetitions become [blocks](super::blocks), whose number grows with the logarithm of the count.

use super::builder::Builder;
use super::cfg::Helper;
use super::error::NormalizeError;
use super::nullable::symbol_is_nullable;
use gcc_grammar_ir::{Code, Diagnostic, Expr, NonterminalId, Symbol};
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};

/// A product with more alternatives than this gets a helper nonterminal.
const MAX_ALTERNATIVES: usize = 16;
/// Counted repetitions up to this length are written out; longer ones count with a chain of helpers.
const MAX_UNROLL: u32 = 4;
/// The longest chain of helpers; longer repetitions count in blocks.
pub(super) const MAX_CHAIN: u32 = 1000;
/// Deepest nesting of an expression.
const MAX_DEPTH: usize = 400;

/// The words of an expression: the `sequences`, which are not empty, and the empty word if `nullable`.
#[derive(Clone, Debug, Default)]
struct Alternatives {
    sequences: Vec<Vec<Symbol>>,
    nullable: bool,
}

impl Alternatives {
    fn count(&self) -> usize {
        self.sequences.len() + usize::from(self.nullable)
    }

    /// The number of symbols, and of sequences.
    fn size(&self) -> usize {
        size(&self.sequences)
    }
}

/// The number of symbols, and of sequences.
fn size(sequences: &[Vec<Symbol>]) -> usize {
    sequences.iter().map(|sequence| sequence.len() + 1).sum()
}

/// An estimate of the bytes of this number of symbols and sequences.
const BYTES_PER_PART: u64 = 40;

/// The sequence that is counted, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Unit(u32);

/// The language of a helper. Equal parts share a helper.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum HelperKey {
    /// The sequences.
    Choice(Vec<Vec<Symbol>>),
    /// `min` or more of the sequences, one after the other (`min >= 1`).
    List(Vec<Vec<Symbol>>, u32),
    /// Exactly this number of copies of the unit, one after the other.
    Count(Unit, u32),
    /// From one to this number of copies of the unit, one after the other.
    UpTo(Unit, u32),
}

/// The helpers of all expressions so far.
#[derive(Default)]
pub(super) struct Helpers {
    known: FxHashMap<HelperKey, NonterminalId>,
    units: FxHashMap<Vec<Symbol>, Unit>,
}

/// Adds the productions of `lhs`, the rule named `name`, for the words of `expr`.
pub(super) fn lay_out_expression(
    builder: &mut Builder<'_>,
    helpers: &mut Helpers,
    lhs: NonterminalId,
    name: &str,
    expr: &Expr,
) -> Result<(), NormalizeError> {
    check_depth(expr, name)?;
    let mut lowering = Lowering { builder, helpers };
    for rhs in lowering.lower(expr)?.sequences {
        lowering.builder.produce(lhs, rhs)?;
    }
    Ok(())
}

/// Lowers the expressions of a grammar.
pub(super) struct Lowering<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
    helpers: &'b mut Helpers,
}

/// Refuses an expression that is nested too deep.
fn check_depth(expr: &Expr, name: &str) -> Result<(), NormalizeError> {
    let mut stack = vec![(expr, 0)];
    while let Some((expr, depth)) = stack.pop() {
        if depth > MAX_DEPTH {
            let message = format!("the right part of {name} is nested more than {MAX_DEPTH} deep");
            let help = "give the inner parts names of their own";
            return Err(NormalizeError::Grammar(Diagnostic::error(Code::TooDeep, message).help(help)));
        }
        match expr {
            Expr::Symbol(_) => {}
            Expr::Sequence(parts) | Expr::Choice(parts) => stack.extend(parts.iter().map(|e| (e, depth + 1))),
            Expr::Repeat { inner, .. } => stack.push((inner, depth + 1)),
        }
    }
    Ok(())
}

impl Lowering<'_, '_> {
    /// The words of `expr`, with helpers for large parts.
    fn lower(&mut self, expr: &Expr) -> Result<Alternatives, OverBudget> {
        expr.try_fold(|expr, parts| match expr {
            Expr::Symbol(s) => Ok(Alternatives {
                sequences: vec![vec![*s]],
                nullable: symbol_is_nullable(*s, self.builder.nullable),
            }),
            Expr::Choice(_) => self.sum(parts),
            Expr::Sequence(_) => {
                let empty = Alternatives { sequences: Vec::new(), nullable: true };
                parts.into_iter().try_fold(empty, |prefix, next| self.product(prefix, next))
            }
            Expr::Repeat { min, max, .. } => {
                let inner = parts.into_iter().next().unwrap_or_default();
                self.repeat(inner, *min, *max)
            }
        })
    }

    /// The words of all parts.
    fn sum(&mut self, parts: Vec<Alternatives>) -> Result<Alternatives, OverBudget> {
        let mut all = Alternatives::default();
        let mut known = FxHashSet::default();
        for alternatives in parts {
            self.builder.budget.charge_work(alternatives.size() as u64 + 1)?;
            all.nullable |= alternatives.nullable;
            let new = |sequence: &Vec<Symbol>| known.insert(sequence.clone());
            all.sequences.extend(alternatives.sequences.into_iter().filter(new));
        }
        Ok(all)
    }

    /// Every alternative of `a` followed by every alternative of `b`.
    fn product(&mut self, mut a: Alternatives, mut b: Alternatives) -> Result<Alternatives, OverBudget> {
        // A single word grows in place, so a long sequence takes no more time than it has symbols.
        if let (false, [word], false, [next]) =
            (a.nullable, &mut a.sequences[..], b.nullable, &b.sequences[..])
        {
            self.builder.budget.charge_work(next.len() as u64)?;
            word.extend(next);
            return Ok(a);
        }
        if a.count() * b.count() > MAX_ALTERNATIVES {
            b = self.fold(b)?;
        }
        if a.count() * b.count() > MAX_ALTERNATIVES {
            a = self.fold(a)?;
        }
        let mut out = Alternatives { sequences: Vec::new(), nullable: a.nullable && b.nullable };
        let empty = [Vec::new()];
        for left in a.sequences.iter().chain(a.nullable.then_some(&empty[0])) {
            for right in b.sequences.iter().chain(b.nullable.then_some(&empty[0])) {
                let sequence: Vec<Symbol> = left.iter().chain(right).copied().collect();
                self.builder.budget.charge_work(sequence.len() as u64)?;
                if !sequence.is_empty() && !out.sequences.contains(&sequence) {
                    out.sequences.push(sequence);
                }
            }
        }
        Ok(out)
    }

    /// The same language with at most one sequence, which is a helper if there were several.
    fn fold(&mut self, part: Alternatives) -> Result<Alternatives, OverBudget> {
        if part.sequences.len() <= 1 {
            return Ok(part);
        }
        self.charge(part.size())?;
        let helper = self.helper(HelperKey::Choice(part.sequences.clone()), |_, _| Ok(part.sequences))?;
        Ok(Alternatives { sequences: vec![vec![Symbol::Nonterminal(helper)]], nullable: part.nullable })
    }

    /// The helper for `key`. If it is new, `build` gives its right-hand sides; it is told the id of the
    /// helper.
    pub(super) fn helper(
        &mut self,
        key: HelperKey,
        build: impl FnOnce(&mut Self, NonterminalId) -> Result<Vec<Vec<Symbol>>, OverBudget>,
    ) -> Result<NonterminalId, OverBudget> {
        if let Some(&id) = self.helpers.known.get(&key) {
            return Ok(id);
        }
        let number = self.builder.nonterminals();
        let (helper, suffix) = match &key {
            HelperKey::Choice(_) => (Helper::Choice, format!("choice{number}")),
            HelperKey::List(..) => (Helper::List, format!("list{number}")),
            HelperKey::Count(_, n) => (Helper::Count, format!("times{n}.{number}")),
            HelperKey::UpTo(_, n) => (Helper::Count, format!("upto{n}.{number}")),
        };
        let id = self.builder.helper(helper, &suffix)?;
        self.helpers.known.insert(key, id);
        for rhs in build(self, id)? {
            self.builder.produce(id, rhs)?;
        }
        Ok(id)
    }

    /// `min` to `max` of `inner`; without bound if `max` is `None`.
    fn repeat(
        &mut self,
        inner: Alternatives,
        min: u32,
        max: Option<u32>,
    ) -> Result<Alternatives, OverBudget> {
        // Repeating a part that may be empty is the same as repeating its non-empty alternatives at most so
        // often.
        let nullable = min == 0 || inner.nullable || max == Some(0);
        let least = if inner.nullable { 1 } else { min.max(1) };
        let one = inner.sequences;
        let sequences = match max {
            _ if one.is_empty() => Vec::new(),
            None => vec![vec![Symbol::Nonterminal(self.list(one, least)?)]],
            Some(max) if max < least => Vec::new(),
            Some(max) => self.times_each(&one, least, max)?,
        };
        let out = Alternatives { sequences, nullable };
        if out.sequences.len() > MAX_ALTERNATIVES { self.fold(out) } else { Ok(out) }
    }

    /// A left-recursive helper for `min` or more of `one`.
    fn list(&mut self, one: Vec<Vec<Symbol>>, min: u32) -> Result<NonterminalId, OverBudget> {
        self.charge(3 * size(&one))?;
        self.helper(HelperKey::List(one.clone(), min), |lowering, list| {
            let more =
                one.iter().map(|s| [&[Symbol::Nonterminal(list)], s.as_slice()].concat()).collect::<Vec<_>>();
            let first = if min == 1 { one } else { vec![lowering.times(&one, min)?] };
            Ok([first, more].concat())
        })
    }

    /// Exactly `n >= 1` of `one`, as one sequence.
    fn times(&mut self, one: &[Vec<Symbol>], n: u32) -> Result<Vec<Symbol>, OverBudget> {
        Ok(self.times_each(one, n, n)?.swap_remove(0))
    }

    /// `least` to `most` of `one`, with `1 <= least <= most`.
    fn times_each(
        &mut self,
        one: &[Vec<Symbol>],
        least: u32,
        most: u32,
    ) -> Result<Vec<Vec<Symbol>>, OverBudget> {
        let unit = self.unit(one)?;
        if most > MAX_CHAIN { self.in_blocks(&unit, least, most) } else { self.in_chain(&unit, least, most) }
    }

    /// The sequences as a single one, which is a helper if there are several.
    fn unit(&mut self, one: &[Vec<Symbol>]) -> Result<Vec<Symbol>, OverBudget> {
        self.charge(size(one))?;
        Ok(match one {
            [only] => only.clone(),
            _ => {
                self.fold(Alternatives { sequences: one.to_vec(), nullable: false })?.sequences.swap_remove(0)
            }
        })
    }

    /// The number of a sequence that is counted.
    pub(super) fn unit_id(&mut self, unit: &[Symbol]) -> Unit {
        let next = Unit(self.helpers.units.len() as u32);
        *self.helpers.units.entry(unit.to_vec()).or_insert(next)
    }

    /// `least` to `most` of `unit`, with a sequence for each count. A long count is a helper that extends the
    /// helper of the count before it.
    fn in_chain(&mut self, unit: &[Symbol], least: u32, most: u32) -> Result<Vec<Vec<Symbol>>, OverBudget> {
        let id = self.unit_id(unit);
        let (mut counted, mut sequences) = (Vec::new(), Vec::new());
        for k in 1..=most {
            self.charge(unit.len() + k.min(MAX_UNROLL) as usize)?;
            counted.extend_from_slice(unit);
            if k > MAX_UNROLL {
                let rhs = std::mem::take(&mut counted);
                let count = self.helper(HelperKey::Count(id, k), |_, _| Ok(vec![rhs]))?;
                counted.push(Symbol::Nonterminal(count));
            }
            if k >= least {
                sequences.push(counted.clone());
            }
        }
        Ok(sequences)
    }

    /// Charges the work and bytes of this number of symbols and sequences.
    fn charge(&self, parts: usize) -> Result<(), OverBudget> {
        self.builder.budget.charge_work(parts as u64)?;
        self.builder.budget.charge_bytes(parts as u64 * BYTES_PER_PART)
    }
}
