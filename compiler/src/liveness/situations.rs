//! Groups the boundaries between lexemes by what may follow: *situations*.
//!
//! In: what can come next at each boundary. Out: [`Situations`], the coarsest partition in which boundaries of a class
//! have the same terminals, in the same contexts, with the same classes afterwards, and the same classes after ignored
//! lexemes (partition refinement, Moore 1956). A *step* over a terminal includes the ignored lexemes before and behind
//! it, so that a stack has the same state on top before and after an ignored lexeme.
//! For every terminal the end classes that lead to the same situations in all contexts share a *label*: the label of a
//! lexeme, and the LR state that its shift leads to, determine the situation afterwards.
//!
//! Most grammars have a handful of situations: white space and comments are read alike after most lexemes.

use super::lexemes::{Boundary, Lexemes};
use crate::ids::{ContextId, EndClass};
use crate::lexer::Contexts;
use crate::lr::{Action, LrTables};
use crate::partition::number;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of situations.
pub(super) type Set = u128;

/// The most situations that a [`Set`] can have.
const MAX_SITUATIONS: usize = 128;

/// The situations in a set, ascending.
pub(super) fn members(set: Set) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(set), |rest| Some(rest & rest.wrapping_sub(1)));
    rest.take_while(|&rest| rest != 0).map(|rest| rest.trailing_zeros() as usize)
}

/// The classes of boundaries, and the steps between them.
pub(super) struct Situations {
    /// Number of situations, at most [`MAX_SITUATIONS`].
    pub(super) count: usize,
    /// The situations at the start of the text, and after ignored lexemes.
    pub(super) start: Set,
    of: FxHashMap<Boundary, usize>,
    /// Per terminal and context that it can lead to: per situation, the situations after a step.
    steps: FxHashMap<(TerminalId, ContextId), Vec<Set>>,
    /// Per terminal and end class: the label.
    labels: FxHashMap<(TerminalId, EndClass), usize>,
    /// Per terminal: the number of labels.
    label_counts: Vec<usize>,
    /// Per terminal, label and context: the situation.
    after: FxHashMap<(TerminalId, usize, ContextId), usize>,
}

impl Situations {
    /// The situations of a grammar; `None` if there are too many.
    pub(super) fn new(
        lr: &LrTables,
        contexts: &Contexts,
        lexemes: &mut Lexemes<'_>,
        budget: &Budget,
    ) -> Result<Option<Self>, OverBudget> {
        let links = Links::new(lr, contexts);
        let boundaries = boundaries(&links, contexts, lexemes, budget)?;
        let Some(class_of) = refine(&boundaries, budget)? else { return Ok(None) };
        let count = class_of.iter().max().map_or(0, |&class| class as usize + 1);
        let of: FxHashMap<Boundary, usize> =
            boundaries.iter().zip(&class_of).map(|(b, &class)| (b.boundary, class as usize)).collect();
        let mut out = Self {
            count,
            start: 0,
            of,
            steps: FxHashMap::default(),
            labels: FxHashMap::default(),
            label_counts: vec![0; lr.terminals],
            after: FxHashMap::default(),
        };
        let with_ignored = |boundary: usize| {
            let after = boundaries[boundary].ignored.iter().map(|&to| class_of[to]);
            after.fold(1 << class_of[boundary], |set: Set, class| set | 1 << class)
        };
        out.start = with_ignored(0);
        for (boundary, &class) in boundaries.iter().zip(&class_of) {
            for &(terminal, context, to) in &boundary.steps {
                let steps = out.steps.entry((terminal, context)).or_insert_with(|| vec![0; count]);
                steps[class as usize] |= with_ignored(to);
            }
        }
        out.label(&links, &boundaries);
        Ok(Some(out))
    }

    /// Gives every terminal and end class a label.
    fn label(&mut self, links: &Links, boundaries: &[Row]) {
        let mut exits: Vec<(TerminalId, EndClass)> = boundaries
            .iter()
            .flat_map(|b| b.steps.iter().map(|&(t, _, to)| (t, boundaries[to].boundary.0)))
            .collect();
        exits.sort_unstable();
        exits.dedup();
        let mut known: FxHashMap<(TerminalId, Vec<usize>), usize> = FxHashMap::default();
        for (terminal, end) in exits {
            let contexts = &links.after[terminal.index()];
            let row: Vec<usize> = contexts.iter().map(|&context| self.of[&(end, context)]).collect();
            let fresh = &mut self.label_counts[terminal.index()];
            let label = *known.entry((terminal, row.clone())).or_insert_with(|| {
                *fresh += 1;
                *fresh - 1
            });
            self.labels.insert((terminal, end), label);
            for (&context, situation) in contexts.iter().zip(row) {
                self.after.insert((terminal, label, context), situation);
            }
        }
    }

    /// The situation at a boundary that some text may have.
    pub(super) fn of(&self, boundary: Boundary) -> Option<usize> {
        self.of.get(&boundary).copied()
    }

    /// Per situation: those after a step over `terminal` that leads to a state of `context`; empty if there is none.
    pub(super) fn steps(&self, terminal: TerminalId, context: ContextId) -> &[Set] {
        self.steps.get(&(terminal, context)).map_or(&[], Vec::as_slice)
    }

    /// The number of labels of a terminal.
    pub(super) fn labels(&self, terminal: TerminalId) -> usize {
        self.label_counts[terminal.index()]
    }

    /// The label of a terminal whose lexeme ends with this end class; `None` if no text has it.
    pub(super) fn label_of(&self, terminal: TerminalId, end: EndClass) -> Option<usize> {
        self.labels.get(&(terminal, end)).copied()
    }

    /// The situation after a terminal with this label that leads to a state of `context`.
    pub(super) fn after(&self, terminal: TerminalId, label: usize, context: ContextId) -> Option<usize> {
        self.after.get(&(terminal, label, context)).copied()
    }

    /// The end classes that have a label, with their terminals.
    pub(super) fn labelled(&self) -> impl Iterator<Item = ((TerminalId, EndClass), usize)> + '_ {
        self.labels.iter().map(|(&exit, &label)| (exit, label))
    }
}

/// How contexts follow each other.
struct Links {
    /// Per terminal: the contexts that a shift of it can lead to, sorted.
    after: Vec<Vec<ContextId>>,
    /// Per context: the terminals that the parser expects in one of its states.
    expected: Vec<FxHashSet<TerminalId>>,
}

impl Links {
    fn new(lr: &LrTables, contexts: &Contexts) -> Self {
        let mut after = vec![Vec::new(); lr.terminals];
        let mut starts = vec![0];
        for &(terminal, action) in lr.actions.items() {
            if let Action::Shift(to) = action {
                after[terminal.index()].push(contexts.of(to));
                starts.push(to.index());
            }
        }
        for list in &mut after {
            list.sort_unstable();
            list.dedup();
        }
        starts.sort_unstable();
        starts.dedup();
        let mut expected = vec![FxHashSet::default(); contexts.terminals.len()];
        for state in starts {
            let terminals = lr.actions.row(state).iter().map(|&(terminal, _)| terminal);
            expected[contexts.of_state[state].index()].extend(terminals);
        }
        Self { after, expected }
    }
}

/// A boundary, and what can follow.
struct Row {
    boundary: Boundary,
    /// The boundaries after ignored lexemes.
    ignored: Vec<usize>,
    /// The terminal, the context afterwards, and the boundary afterwards.
    steps: Vec<(TerminalId, ContextId, usize)>,
}

/// All boundaries that a text may have, from the start on.
fn boundaries(
    links: &Links,
    contexts: &Contexts,
    lexemes: &mut Lexemes<'_>,
    budget: &Budget,
) -> Result<Vec<Row>, OverBudget> {
    let mut list = vec![(EndClass(0), contexts.of_state[0])];
    let mut numbers: FxHashMap<Boundary, usize> = FxHashMap::from_iter([(list[0], 0)]);
    let mut rows = Vec::new();
    while let Some(&boundary) = list.get(rows.len()) {
        let next = lexemes.next(boundary)?;
        let mut number = |boundary| {
            *numbers.entry(boundary).or_insert_with(|| {
                list.push(boundary);
                list.len() - 1
            })
        };
        let ignored = next.ignored.iter().map(|&end| number((end, boundary.1))).collect();
        let expected = &links.expected[boundary.1.index()];
        let mut steps = Vec::new();
        for &(terminal, end) in next.lexemes.iter().filter(|(terminal, _)| expected.contains(terminal)) {
            let after = links.after[terminal.index()].iter();
            steps.extend(after.map(|&context| (terminal, context, number((end, context)))));
        }
        budget.charge_work(steps.len() as u64 * 8 + 1)?;
        budget.charge_bytes(steps.len() as u64 * 16 + 64)?;
        rows.push(Row { boundary, ignored, steps });
    }
    Ok(rows)
}

/// The class of each boundary; `None` if there are too many classes.
fn refine(rows: &[Row], budget: &Budget) -> Result<Option<Vec<u32>>, OverBudget> {
    let work: usize = rows.iter().map(|row| row.steps.len() + 1).sum();
    let mut class_of = vec![0; rows.len()];
    let mut count = 1;
    loop {
        budget.charge_work(work as u64 * 8)?;
        let key = |(index, row): (usize, &Row)| {
            let steps = row.steps.iter().map(|&(terminal, context, to)| (terminal, context, class_of[to]));
            let mut steps: Vec<_> = steps.collect();
            steps.sort_unstable();
            steps.dedup();
            let mut ignored: Vec<u32> = row.ignored.iter().map(|&to| class_of[to]).collect();
            ignored.sort_unstable();
            ignored.dedup();
            (class_of[index], ignored, steps)
        };
        let refined = number(rows.iter().enumerate().map(key));
        let now = refined.iter().max().map_or(0, |&class| class as usize + 1);
        if now > MAX_SITUATIONS {
            return Ok(None);
        }
        class_of = refined;
        if now == count {
            return Ok(Some(class_of));
        }
        count = now;
    }
}
