//! Reads the parser stack where the Parser DWA reads far: skips what repeats.
//!
//! A mask reads the stack as far as the grammar needs. After `- - - … - 1` it needs what lies below all the
//! minus signs. To read them again for every token would cost time in the length of the text. So what was read
//! once is remembered in the cells:
//!
//! **Skips.** A cell `c` may have a *skip* `(d, t)`: in DWA state `d`, reading on from cell `t`, which lies
//! below `c`, gives the same union of outputs as reading on from `c`. On a repeating part of the stack the DWA
//! comes back to the same states and puts out the same masks, so nearly the whole part is skipped. Each cell is
//! thus read a bounded number of times by one DWA state, however often masks are filled: the time is amortized
//! over the pushes of cells.
//!
//! **Where skips come from.** A reading that has gone further than [`PLAIN`] cells goes on as a sequence of
//! *steps* (state, cell, output). Say that the last step with output `m` is `last[m]`. A step `i` may skip to a
//! step `j > i` with the same state if no `last[m]` lies in `i..j`: then everything that is put out in between
//! is put out again from `j` on. Targets are sought among the last [`TAIL`] steps.
//!
//! **Why they stay right.** What a reading puts out depends on the states of the cells at and below it, which
//! never change. A skip refers only to cells below its own, so it is dropped before its target is, when
//! commits are rolled back. Compaction drops all skips. A cell has room for a single skip, since the words of a
//! cell are not increased for it (`stack`): DWA states share the cells by a hash, and a skip that was
//! overwritten costs time, not correctness.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{DwaState, MaskId};

use crate::scratch::{Head, Node, Scratch};

/// Cells that are read before skips are used.
const PLAIN: usize = 32;
/// Steps at the end of a reading among which the targets of skips are sought.
const TAIL: usize = 64;
/// Different outputs of a reading up to which skips are made.
const OUTPUTS: usize = 16;
/// The fewest steps that are worth a skip.
const WORTH: usize = 8;
/// The fewest steps of a reading that adds skips.
const LONG: usize = 24;

/// A DWA state, and the node that it reads next.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    state: DwaState,
    node: Node,
}

impl Place {
    /// Whether the cell of this place may have a skip for this state. One in four has.
    const fn is_chosen(self) -> bool {
        let mixed = (self.state.0 ^ self.node.0.rotate_left(16)).wrapping_mul(0x9e37_79b9);
        mixed >> 30 == 0
    }
}

/// The end of a reading.
struct Trace {
    /// The number of steps.
    steps: usize,
    /// The last steps: step `i` is at `i % TAIL`.
    tail: [Place; TAIL],
    /// The different outputs, each with its last step. If there are more, no skips are made.
    outputs: [(MaskId, usize); OUTPUTS],
    count: usize,
    is_full: bool,
}

impl Trace {
    fn new(start: Place) -> Self {
        let outputs = [(MaskId::EMPTY, 0); OUTPUTS];
        Self { steps: 0, tail: [start; TAIL], outputs, count: 0, is_full: false }
    }

    /// Adds a step. Returns whether its output must be reported.
    fn add(&mut self, place: Place, output: MaskId) -> bool {
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

    /// The furthest step to which step `from`, with this state, may skip.
    fn target(&self, from: usize, state: DwaState) -> Option<Node> {
        let first = self.steps.saturating_sub(TAIL).max(from + WORTH);
        let is_lost = |to| self.outputs[..self.count].iter().any(|(_, last)| (from..to).contains(last));
        (first..self.steps)
            .rev()
            .find(|&to| self.tail[to % TAIL].state == state && !is_lost(to))
            .map(|to| self.tail[to % TAIL].node)
    }
}

impl Scratch<'_> {
    /// Reads the stack of a head, and calls `visit` with the outputs. Returns false if several stacks were
    /// merged below it; then outputs are missing.
    pub(crate) fn classify_single(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        visit: &mut impl FnMut(MaskId),
    ) -> bool {
        let mut state = grammar.dwa_init(head.lex);
        let mut node = head.node;
        for _ in 0..PLAIN {
            if state == DwaState::STOP {
                return true;
            }
            let Some(edge) = grammar.dwa_next(state, self.lr(node)) else { return true };
            if edge.output != MaskId::EMPTY {
                visit(edge.output);
            }
            state = edge.target;
            if state != DwaState::STOP && self.rest(node).is_some() {
                return false;
            }
            let Some(parent) = self.parent(node) else { return true };
            node = parent;
        }
        state == DwaState::STOP || self.classify_deep(grammar, Place { state, node }, visit)
    }

    /// Reads on from a place far down the stack.
    #[cold]
    #[inline(never)]
    fn classify_deep(
        &mut self,
        grammar: &GrammarView<'_>,
        start: Place,
        visit: &mut impl FnMut(MaskId),
    ) -> bool {
        let mut trace = Trace::new(start);
        let mut next = Some(start);
        while let Some(at) = next {
            let at = self.skipped(at);
            let Some(edge) = grammar.dwa_next(at.state, self.lr(at.node)) else { break };
            if trace.add(at, edge.output) {
                visit(edge.output);
            }
            if edge.target != DwaState::STOP && self.rest(at.node).is_some() {
                return false;
            }
            next = self.below(at, edge.target);
        }
        if trace.steps >= LONG && !trace.is_full {
            self.add_skips(grammar, start, &trace);
        }
        true
    }

    /// The place below a place, after a transition to `state`; none if reading stops.
    fn below(&self, at: Place, state: DwaState) -> Option<Place> {
        let node = self.parent(at.node)?;
        (state != DwaState::STOP).then_some(Place { state, node })
    }

    /// The place from which reading goes on.
    fn skipped(&self, at: Place) -> Place {
        if !at.is_chosen() {
            return at;
        }
        self.skip(at.node, at.state.0).map_or(at, |node| Place { node, ..at })
    }

    /// Reads the steps of a trace once more, and adds skips to their cells.
    fn add_skips(&mut self, grammar: &GrammarView<'_>, start: Place, trace: &Trace) {
        let mut next = Some(start);
        let mut step = 0;
        while let Some(at) = next {
            if step + WORTH >= trace.steps {
                break;
            }
            let reached = self.skipped(at);
            if reached == at
                && at.is_chosen()
                && let Some(target) = trace.target(step, at.state)
            {
                self.set_skip(at.node, at.state.0, target);
            }
            let Some(edge) = grammar.dwa_next(reached.state, self.lr(reached.node)) else { break };
            next = self.below(reached, edge.target);
            step += 1;
        }
    }
}
