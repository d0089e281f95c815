//! Right parts to productions.
//!
//! A part is lowered to [`Alternatives`]: non-empty symbol sequences, and whether the empty one belongs to them too. Products
//! of alternatives are written out while they are few, since LR handles them best in the open: nothing has to be
//! decided before the parser has seen it. Past [`MAX_ALTERNATIVES`] a helper nonterminal takes the place of a prefix, which keeps `n`
//! optional parts in a row linear instead of `2^n`.

use super::automaton::lay_out_automaton;
use super::{Cfg, NormalizeError, Production};
use crate::limits::{Budget, OverBudget};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Body, Diagnostic, Expr, Grammar, NonterminalId, Symbol, TerminalId};
use rustc_hash::FxHashMap;

/// More alternatives than this are folded into a helper nonterminal.
const MAX_ALTERNATIVES: usize = 16;
/// Counted repeats up to this are written out, longer ones count with a chain of helpers.
const MAX_UNROLL: u32 = 4;
/// Deepest nesting of a right part.
const MAX_DEPTH: usize = 400;

/// What a part derives: any of the non-empty `sequences`, or nothing at all if `nullable`.
#[derive(Clone, Debug, Default)]
struct Alternatives {
    sequences: Vec<Vec<Symbol>>,
    nullable: bool,
}

impl Alternatives {
    fn count(&self) -> usize {
        self.sequences.len() + usize::from(self.nullable)
    }

    /// Appends without duplicates.
    fn add(&mut self, other: Self) {
        self.nullable |= other.nullable;
        for sequence in other.sequences {
            if !self.sequences.contains(&sequence) {
                self.sequences.push(sequence);
            }
        }
    }
}

/// Helpers are shared between equal parts.
#[derive(PartialEq, Eq, Hash)]
enum HelperKey {
    /// One of the sequences.
    Choice(Vec<Vec<Symbol>>),
    /// `min` or more of the sequences (`min >= 1`).
    List(Vec<Vec<Symbol>>, u32),
    /// Exactly so many of the sequences.
    Count(Vec<Vec<Symbol>>, u32),
}

/// Productions under construction.
pub(super) struct Layout<'a> {
    pub(super) nullable: &'a [bool],
    pub(super) budget: &'a Budget,
    names: Vec<String>,
    /// See [`Cfg::unions`].
    unions: Vec<u32>,
    productions: Vec<Production>,
    helpers: FxHashMap<HelperKey, NonterminalId>,
    /// Name of the rule being laid out, the stem of its helpers' names.
    rule: String,
}

/// Lays out all rules. The result is not yet trimmed.
pub(super) fn lay_out(grammar: &Grammar, nullable: &[bool], budget: &Budget) -> Result<Cfg, NormalizeError> {
    let names: Vec<String> = grammar.rules.iter().map(|r| r.name.clone()).collect();
    let mut layout = Layout {
        nullable,
        budget,
        unions: vec![0; names.len()],
        names,
        productions: Vec::new(),
        helpers: FxHashMap::default(),
        rule: String::new(),
    };
    for (i, rule) in grammar.rules.iter().enumerate() {
        layout.rule.clone_from(&rule.name);
        let lhs = NonterminalId::new(i);
        match &rule.body {
            Body::Expr(expr) => {
                check_depth(expr, &rule.name)?;
                for rhs in layout.lower(expr)?.sequences {
                    layout.produce(lhs, rhs)?;
                }
            }
            Body::Automaton(dfa) => lay_out_automaton(&mut layout, lhs, dfa)?,
        }
    }
    let end = TerminalId::new(grammar.terminals.len());
    let start = layout.fresh("start");
    let whole = Symbol::Nonterminal(grammar.start);
    layout.produce(start, vec![whole, Symbol::Terminal(end)])?;
    if nullable[grammar.start.index()] {
        layout.produce(start, vec![Symbol::Terminal(end)])?;
    }
    Ok(Cfg {
        terminal_count: end.index() + 1,
        names: layout.names,
        unions: layout.unions,
        productions: layout.productions,
        start,
        end,
    })
}

/// Lowering recurses over the expression, so its depth is bounded first (without recursion).
fn check_depth(expr: &Expr, rule: &str) -> Result<(), NormalizeError> {
    let mut stack = vec![(expr, 0)];
    while let Some((expr, depth)) = stack.pop() {
        if depth > MAX_DEPTH {
            let message = format!("the right part of {rule} is nested more than {MAX_DEPTH} deep");
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

impl Layout<'_> {
    /// A new helper nonterminal named after the current rule.
    pub(super) fn fresh(&mut self, what: &str) -> NonterminalId {
        let id = NonterminalId::new(self.names.len());
        self.names.push(format!("{}.{what}", self.rule));
        self.unions.push(0);
        id
    }

    /// A new union of words of `length` symbols.
    pub(super) fn fresh_union(&mut self, length: usize) -> NonterminalId {
        let id = self.fresh(&format!("union{}", self.names.len()));
        self.unions[id.index()] = length as u32;
        id
    }

    /// Adds a production.
    pub(super) fn produce(&mut self, lhs: NonterminalId, rhs: Vec<Symbol>) -> Result<(), OverBudget> {
        debug_assert!(!rhs.is_empty());
        self.budget.charge_bytes(rhs.len() as u64 * 8 + 40)?;
        self.productions.push(Production { lhs, rhs });
        Ok(())
    }

    fn lower(&mut self, expr: &Expr) -> Result<Alternatives, OverBudget> {
        match expr {
            Expr::Symbol(s) => Ok(Alternatives {
                sequences: vec![vec![*s]],
                nullable: super::nullable::symbol_is_nullable(*s, self.nullable),
            }),
            Expr::Choice(parts) => {
                let mut all = Alternatives::default();
                for part in parts {
                    let alternatives = self.lower(part)?;
                    self.budget.charge_work(alternatives.count() as u64)?;
                    all.add(alternatives);
                }
                Ok(all)
            }
            Expr::Sequence(parts) => {
                let mut prefix = Alternatives { sequences: Vec::new(), nullable: true };
                for part in parts {
                    let next = self.lower(part)?;
                    prefix = self.product(prefix, next)?;
                }
                Ok(prefix)
            }
            Expr::Repeat { inner, min, max } => {
                let inner = self.lower(inner)?;
                self.repeat(inner, *min, *max)
            }
        }
    }

    /// All of `a` followed by all of `b`.
    fn product(&mut self, mut a: Alternatives, mut b: Alternatives) -> Result<Alternatives, OverBudget> {
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
                self.budget.charge_work(sequence.len() as u64)?;
                if !sequence.is_empty() && !out.sequences.contains(&sequence) {
                    out.sequences.push(sequence);
                }
            }
        }
        Ok(out)
    }

    /// The same language with at most one sequence, a helper if need be.
    fn fold(&mut self, part: Alternatives) -> Result<Alternatives, OverBudget> {
        if part.sequences.len() <= 1 {
            return Ok(part);
        }
        let helper = self.helper(HelperKey::Choice(part.sequences.clone()), |_, _| Ok(part.sequences))?;
        Ok(Alternatives { sequences: vec![vec![Symbol::Nonterminal(helper)]], nullable: part.nullable })
    }

    /// The helper for `key`, made by `build` (given its own id) if it is new.
    fn helper(
        &mut self,
        key: HelperKey,
        build: impl FnOnce(&mut Self, NonterminalId) -> Result<Vec<Vec<Symbol>>, OverBudget>,
    ) -> Result<NonterminalId, OverBudget> {
        if let Some(&id) = self.helpers.get(&key) {
            return Ok(id);
        }
        let what = match &key {
            HelperKey::Choice(_) => format!("choice{}", self.names.len()),
            HelperKey::List(..) => format!("list{}", self.names.len()),
            HelperKey::Count(_, n) => format!("times{n}.{}", self.names.len()),
        };
        let id = self.fresh(&what);
        self.helpers.insert(key, id);
        for rhs in build(self, id)? {
            self.produce(id, rhs)?;
        }
        Ok(id)
    }

    fn repeat(
        &mut self,
        inner: Alternatives,
        min: u32,
        max: Option<u32>,
    ) -> Result<Alternatives, OverBudget> {
        // Repeating something that may be empty is the same as repeating the rest at most so often.
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

    /// `min` or more of `one`: left-recursive.
    fn list(&mut self, one: Vec<Vec<Symbol>>, min: u32) -> Result<NonterminalId, OverBudget> {
        self.helper(HelperKey::List(one.clone(), min), |layout, list| {
            let more =
                one.iter().map(|s| [&[Symbol::Nonterminal(list)], s.as_slice()].concat()).collect::<Vec<_>>();
            let first = if min == 1 { one } else { vec![layout.times(&one, min)?] };
            Ok([first, more].concat())
        })
    }

    /// Exactly `n >= 1` of `one`, as one sequence.
    fn times(&mut self, one: &[Vec<Symbol>], n: u32) -> Result<Vec<Symbol>, OverBudget> {
        Ok(self.times_each(one, n, n)?.swap_remove(0))
    }

    /// `least` to `most` of `one`, a sequence for each count. Long counts are a chain, each one longer than the one before.
    fn times_each(
        &mut self,
        one: &[Vec<Symbol>],
        least: u32,
        most: u32,
    ) -> Result<Vec<Vec<Symbol>>, OverBudget> {
        let unit = match one {
            [only] => only.clone(),
            _ => {
                self.fold(Alternatives { sequences: one.to_vec(), nullable: false })?.sequences.swap_remove(0)
            }
        };
        let size: usize = one.iter().map(Vec::len).sum();
        let (mut counted, mut sequences) = (Vec::new(), Vec::new());
        for k in 1..=most {
            self.budget.charge_work(size as u64 + u64::from(k.min(MAX_UNROLL)))?;
            counted.extend_from_slice(&unit);
            if k > MAX_UNROLL {
                let rhs = std::mem::take(&mut counted);
                let count = self.helper(HelperKey::Count(one.to_vec(), k), |_, _| Ok(vec![rhs]))?;
                counted.push(Symbol::Nonterminal(count));
            }
            if k >= least {
                sequences.push(counted.clone());
            }
        }
        Ok(sequences)
    }
}
