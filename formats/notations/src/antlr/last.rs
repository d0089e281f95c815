//! The tokens with which texts of a grammar with lexer modes may end, and the modes behind them.
//!
//! Input: the stacks of modes of all symbols. Output: a superset of these pairs, which takes every stack at the end of a rule for one at which a text may end.

use super::modal::{Part, Symbol, TEXT};
use super::modes::Mode;
use super::positions::{Ends, Positions, Visit, behind};
use super::stack::Stack;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Estimated work to follow a part.
const WORK_PER_PART: u64 = 20;

struct Last<'l, 'p> {
    positions: &'l Positions<'p>,
    /// Per symbol, whether it may derive nothing.
    empty: Vec<bool>,
    seen: FxHashSet<Visit>,
    open: Vec<Visit>,
    found: BTreeSet<(usize, Mode)>,
}

/// The pairs of a token and a mode.
pub(super) fn last_tokens(positions: &Positions<'_>) -> Result<BTreeSet<(usize, Mode)>, OverBudget> {
    let empty = empty_symbols(positions.symbols);
    let first = (TEXT, Stack::first());
    let (seen, open) = (FxHashSet::from_iter([first.clone()]), vec![first]);
    let mut last = Last { positions, empty, seen, open, found: BTreeSet::new() };
    while let Some((symbol, stack)) = last.open.pop() {
        last.part(&positions.symbols[symbol].body, &BTreeSet::from([stack]))?;
    }
    Ok(last.found)
}

impl Last<'_, '_> {
    /// Finds the last tokens of a part that begins with one of these stacks.
    fn part(&mut self, part: &Part, starts: &Ends) -> Result<(), OverBudget> {
        self.positions.budget.charge_work(WORK_PER_PART * (1 + starts.len() as u64))?;
        match part {
            Part::End => {}
            Part::Token(token) => {
                let after = starts.iter().filter_map(|stack| self.positions.token(*token, stack));
                self.found.extend(after.map(|stack| (*token, stack.top())));
            }
            Part::Symbol(symbol) => {
                for stack in starts {
                    let Some((visit, _)) = self.positions.symbol(*symbol, stack) else { continue };
                    if self.seen.insert(visit.clone()) {
                        self.open.push(visit);
                    }
                }
            }
            Part::Sequence(parts) => {
                let mut stacks = vec![starts.clone()];
                for part in parts {
                    let after = behind(&mut self.positions, part, &stacks[stacks.len() - 1])?;
                    stacks.push(after);
                }
                if stacks[parts.len()].is_empty() {
                    return Ok(());
                }
                for (part, starts) in parts.iter().zip(&stacks).rev() {
                    self.part(part, starts)?;
                    if !is_empty(part, &self.empty) {
                        break;
                    }
                }
            }
            Part::Choice(parts) => {
                for part in parts {
                    self.part(part, starts)?;
                }
            }
            Part::Repeat { inner, .. } => {
                let mut starts = starts.clone();
                starts.extend(behind(&mut self.positions, part, &starts)?);
                self.part(inner, &starts)?;
            }
        }
        Ok(())
    }
}

/// Whether a text may have no tokens.
pub(super) fn may_be_empty(symbols: &[Symbol]) -> bool {
    empty_symbols(symbols)[TEXT]
}

/// Per symbol, whether it may derive nothing.
fn empty_symbols(symbols: &[Symbol]) -> Vec<bool> {
    let mut empty = vec![false; symbols.len()];
    loop {
        let next: Vec<bool> = symbols.iter().map(|symbol| is_empty(&symbol.body, &empty)).collect();
        if next == empty {
            return empty;
        }
        empty = next;
    }
}

fn is_empty(part: &Part, empty: &[bool]) -> bool {
    match part {
        Part::End => true,
        Part::Token(_) => false,
        Part::Symbol(symbol) => empty[*symbol],
        Part::Sequence(parts) => parts.iter().all(|part| is_empty(part, empty)),
        Part::Choice(parts) => parts.iter().any(|part| is_empty(part, empty)),
        Part::Repeat { inner, optional, .. } => *optional || is_empty(inner, empty),
    }
}
