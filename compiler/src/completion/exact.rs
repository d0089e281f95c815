//! The fewest tokens, in whatever way they lie across lexemes.
//!
//! In: [`Spans`]. Out: the same tables as those of tokens that lie within one lexeme, but for all tokens: [`Lexemes`], and
//! the outcomes at all [raw ends](RawEnd).
//!
//! For each kind of end of a lexeme, a terminal and a class of raw ends, a breadth-first search finds the fewest tokens from
//! each row, backwards over the steps of tokens. A token is counted where it ends. The classes are found by partition
//! refinement: at first all raw ends are one class; then those are told apart behind which some context costs differ, until
//! nothing changes.

use super::boundaries::{RawRows, RowId};
use super::lexemes::{Ending, Lexemes, RawEnd};
use super::spans::{SpanId, Spans};
use super::tokens::{Cost, Tokens};
use crate::csr::Csr;
use crate::lexer::Lexer;
use crate::partition::number;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The ends of lexemes and the outcomes behind them.
pub(super) fn build(
    lexer: &Lexer,
    tokens: &Tokens<'_>,
    budget: &Budget,
) -> Result<(Lexemes, RawRows), OverBudget> {
    let spans = Spans::new(lexer, tokens, budget)?;
    let mut refinement = Refinement::new(&spans);
    let mut endings = refinement.endings(budget)?;
    while refinement.round(&endings, budget)? {
        budget.release_bytes(size_of::<Ending>() as u64 * count(&endings));
        endings = refinement.endings(budget)?;
    }
    let of_state = || (0..lexer.states()).map(|state| &endings[refinement.row_of[state] as usize]);
    budget.charge_bytes(size_of::<Ending>() as u64 * count(of_state()))?;
    let lexemes = Lexemes::from_rows(of_state());
    let rows = RawRows {
        contexts: lexer.contexts,
        of: refinement.starts_of_classes(),
        first: RawEnd(refinement.end_class[0]),
        all: endings,
    };
    Ok((lexemes, rows))
}

/// The classes of raw ends so far.
struct Refinement<'a> {
    spans: &'a Spans,
    /// Per row: the row that is the same, by number.
    row_of: Vec<u32>,
    /// The different rows.
    rows: Vec<SpanId>,
    /// Per row: the rows from which a token leads to it.
    before: Csr<u32>,
    /// Per raw end.
    end_class: Vec<u32>,
}

impl<'a> Refinement<'a> {
    fn new(spans: &'a Spans) -> Self {
        let row_of = number(spans.rows.iter());
        let rows: Vec<SpanId> = firsts(&row_of).into_iter().map(SpanId::new).collect();
        let steps = (0..).zip(&rows).flat_map(|(from, row)| {
            let steps = spans.rows[row.index()].steps.iter();
            steps.map(move |to| (from, to.index()))
        });
        let steps: Vec<(u32, usize)> = steps.map(|(from, to)| (from, row_of[to] as usize)).collect();
        let before = Csr::inverse(rows.len(), steps.iter().copied());
        Self { spans, row_of, rows, before, end_class: vec![0; spans.raw_ends()] }
    }

    /// Per different row: the ends of the lexeme under way, each with the fewest tokens.
    fn endings(&self, budget: &Budget) -> Result<Vec<Vec<Ending>>, OverBudget> {
        let mut endings = vec![Vec::new(); self.rows.len()];
        let mut level: Vec<Cost> = vec![Cost::MAX; self.rows.len()];
        for ((terminal, end), mut found) in self.kinds() {
            found.iter().for_each(|&row| level[row as usize] = 0);
            let mut next = 0;
            while let Some(&row) = found.get(next) {
                next += 1;
                let tokens = level[row as usize];
                endings[row as usize].push(Ending { terminal, end, tokens });
                let before = self.before.row(row as usize);
                budget.charge_work(before.len() as u64 + 1)?;
                for &from in before {
                    if level[from as usize] == Cost::MAX {
                        level[from as usize] = tokens + 1;
                        found.push(from);
                    }
                }
            }
            found.iter().for_each(|&row| level[row as usize] = Cost::MAX);
        }
        budget.charge_bytes(size_of::<Ending>() as u64 * count(&endings))?;
        Ok(endings)
    }

    /// The kinds of ends, each with the rows in which a lexeme ends so before the token does.
    fn kinds(&self) -> Vec<((TerminalId, RawEnd), Vec<u32>)> {
        let mut kinds: FxHashMap<(TerminalId, RawEnd), Vec<u32>> = FxHashMap::default();
        for (number, row) in (0..).zip(&self.rows) {
            for &(terminal, end) in &self.spans.rows[row.index()].now {
                let rows = kinds.entry((terminal, RawEnd(self.end_class[end.index()]))).or_default();
                if rows.last() != Some(&number) {
                    rows.push(number);
                }
            }
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_unstable();
        kinds
    }

    /// Tells raw ends apart behind which costs differ. Returns whether there are any.
    fn round(&mut self, endings: &[Vec<Ending>], budget: &Budget) -> Result<bool, OverBudget> {
        budget.charge_work(count(endings) + (self.spans.raw_ends() * self.spans.starts(0).len()) as u64)?;
        let costs = number(endings.iter());
        let cost = |start: &Option<SpanId>| start.map(|row| costs[self.row_of[row.index()] as usize]);
        let signature = |end: usize| {
            let starts = self.spans.starts(end).iter().map(cost);
            (self.end_class[end], starts.collect::<Vec<_>>())
        };
        let refined = number((0..self.spans.raw_ends()).map(signature));
        let has_changed = refined.iter().max() != self.end_class.iter().max();
        self.end_class = refined;
        Ok(has_changed)
    }

    /// Row-major `[class of raw ends][context]`: the row of the next lexeme. Row 0 is that of the dead state.
    fn starts_of_classes(&self) -> Vec<RowId> {
        let starts = firsts(&self.end_class).into_iter().flat_map(|end| self.spans.starts(end));
        starts.map(|start| RowId(start.map_or(0, |row| self.row_of[row.index()]))).collect()
    }
}

fn count<'a>(endings: impl IntoIterator<Item = &'a Vec<Ending>>) -> u64 {
    endings.into_iter().map(|row| row.len() as u64).sum()
}

/// The first member of each class.
fn firsts(class_of: &[u32]) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    for (index, &class) in class_of.iter().enumerate() {
        if class as usize == firsts.len() {
            firsts.push(index);
        }
    }
    firsts
}
