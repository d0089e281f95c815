//! Reads the parser stack where it is read far: skips what repeats.
//!
//! Two questions may read a stack as far as the text is long. A mask asks the Parser DWA: after `- - - … - 1` it needs
//! what lies below all the minus signs. And the parser asks whether it takes a terminal after all reductions: whether
//! the text may end after `if (a) if (a) … b;`. To read the same cells again for every token would cost time in the
//! length of the text. So what was read once is remembered in the cells.
//!
//! A reading is a walk through *places*, a key and a cell. For a mask the key is a DWA state; for reductions it is a
//! terminal and the LR state that was pushed on the cell. The place decides what is put out, and the next place.
//!
//! **Skips.** A cell `c` may have a *skip* `(k, t)`: with the key `k`, reading on from cell `t`, which lies below `c`,
//! gives the same union of outputs, and ends in the same place, as reading on from `c`. On a repeating part of the
//! stack the same keys come again and the same masks are put out, so nearly the whole part is skipped. Each cell is
//! thus read a bounded number of times with one key, however often it is asked: the time is amortized over the pushes
//! of cells.
//!
//! **Where skips come from.** A reading that has gone further than a few cells continues as a sequence of *steps* (place,
//! output). Say that the last step with output `m` is `last[m]`. A step `i` may skip to a step `j > i` with the same
//! key if no `last[m]` lies in `i..j`: then everything that is put out in between is put out again from `j` on. Targets
//! are sought among the last [`TAIL`] steps.
//!
//! **Why they stay right.** What a reading finds depends on the states of the cells at and below it, which never
//! change. A skip refers only to cells below its own, so it is dropped before its target is, when commits are rolled
//! back. Compaction drops all skips. A cell has room for a single skip, since the words of a cell are not increased for
//! it (`stack`): keys share the cells by a hash, and a skip that was overwritten costs time, not correctness.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::MaskId;

use crate::scratch::{Node, Scratch};

/// Steps at the end of a reading among which the targets of skips are sought.
const TAIL: usize = 64;
/// Different outputs of a reading up to which skips are made.
const OUTPUTS: usize = 16;
/// The fewest steps that are worth a skip.
const WORTH: usize = 8;
/// The fewest steps of a reading that adds skips.
const LONG: usize = 24;

/// A key, and the node that is read next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) key: u32,
    pub(crate) node: Node,
}

impl Cursor {
    /// Whether the cell of this place may have a skip for this key. One in four has.
    const fn is_chosen(self) -> bool {
        let mixed = (self.key ^ self.node.0.rotate_left(16)).wrapping_mul(0x9e37_79b9);
        mixed >> 30 == 0
    }
}

/// A step of a reading.
pub(crate) enum Step {
    /// There is an output, and reading continues.
    Next(MaskId, Cursor),
    /// There is an output, and reading ends here.
    Last(MaskId),
    /// Several stacks were merged, or there is a choice.
    Several,
}

/// The end of a reading.
struct Trace {
    /// The number of steps.
    steps: usize,
    /// The last steps: step `i` is at `i % TAIL`.
    tail: [Cursor; TAIL],
    /// The different outputs, each with its last step. If there are more, no skips are made.
    outputs: [(MaskId, usize); OUTPUTS],
    count: usize,
    is_full: bool,
}

impl Trace {
    fn new(start: Cursor) -> Self {
        let outputs = [(MaskId::EMPTY, 0); OUTPUTS];
        Self { steps: 0, tail: [start; TAIL], outputs, count: 0, is_full: false }
    }

    /// Adds a step. Returns whether its output must be reported.
    fn add(&mut self, place: Cursor, output: MaskId) -> bool {
        let step = self.steps;
        self.tail[step % TAIL] = place;
        self.steps += 1;
        if output == MaskId::EMPTY {
            return false;
        }
        if let Some((_, last)) = self.outputs[..self.count].iter_mut().find(|(mask, _)| *mask == output) {
            *last = step;
            return false;
        }
        match self.outputs.get_mut(self.count) {
            Some(free) => {
                *free = (output, step);
                self.count += 1;
            }
            None => self.is_full = true,
        }
        true
    }

    /// The furthest step to which step `from`, with this key, may skip.
    fn target(&self, from: usize, key: u32) -> Option<Node> {
        let first = self.steps.saturating_sub(TAIL).max(from + WORTH);
        let is_lost = |to| self.outputs[..self.count].iter().any(|(_, last)| (from..to).contains(last));
        (first..self.steps)
            .rev()
            .find(|&to| self.tail[to % TAIL].key == key && !is_lost(to))
            .map(|to| self.tail[to % TAIL].node)
    }
}

impl Scratch<'_> {
    /// Reads step by step, with skips, and calls `visit` with the outputs, each once. Returns the last place; `None` if
    /// there are several, if the reading does not end, in a forged grammar, or if it takes more work than is left.
    pub(crate) fn read_deep(
        &mut self,
        grammar: &GrammarView<'_>,
        start: Cursor,
        step: impl Fn(&Self, Cursor) -> Step,
        visit: &mut impl FnMut(MaskId),
    ) -> Option<Cursor> {
        let mut trace = Trace::new(start);
        let mut at = self.skipped(start);
        // Steps in a row that do not go down. If there are more of them than states, they repeat for ever.
        let mut level = 0;
        loop {
            self.charge(1).ok()?;
            let (output, next) = match step(self, at) {
                Step::Next(output, next) => (output, Some(next)),
                Step::Last(output) => (output, None),
                Step::Several => return None,
            };
            if trace.add(at, output) {
                visit(output);
            }
            let Some(next) = next else { break };
            level = if next.node == at.node { level + 1 } else { 0 };
            if level > grammar.counts().lr_states {
                return None;
            }
            at = self.skipped(next);
        }
        if trace.steps >= LONG && !trace.is_full {
            self.add_skips(start, step, &trace);
        }
        Some(at)
    }

    /// The place from which reading continues.
    fn skipped(&self, at: Cursor) -> Cursor {
        if !at.is_chosen() {
            return at;
        }
        self.skip(at.node, at.key).map_or(at, |node| Cursor { node, ..at })
    }

    /// Reads the steps of a trace once more, and adds skips to their cells.
    fn add_skips(&mut self, start: Cursor, step: impl Fn(&Self, Cursor) -> Step, trace: &Trace) {
        let mut at = start;
        for number in 0..trace.steps.saturating_sub(WORTH) {
            let reached = self.skipped(at);
            if reached == at
                && at.is_chosen()
                && let Some(target) = trace.target(number, at.key)
            {
                self.set_skip(at.node, at.key, target);
            }
            let Step::Next(_, next) = step(self, reached) else { break };
            at = next;
        }
    }
}
