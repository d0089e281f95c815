//! Tests of the simulation with a hand-written table, on stacks of which all or only the upper part is known.
//!
//! The grammar of these tests is ambiguous: `S -> E $`, `E -> E + E | a`.
//!
//! | state | items | `a` | `+` | `$` | `E` |
//! |---|---|---|---|---|---|
//! | 0 | `S -> • E $` | 2 | | | 1 |
//! | 1 | `S -> E • $`, `E -> E • + E` | | 3 | 5 | |
//! | 2 | `E -> a •` | | reduce | reduce | |
//! | 3 | `E -> E + • E` | 2 | | | 4 |
//! | 4 | `E -> E + E •`, `E -> E • + E` | | reduce, 3 | reduce | |
//! | 5 | `S -> E $ •` | | | | |

use super::*;

const A: TerminalId = TerminalId(0);
const PLUS: TerminalId = TerminalId(1);
const END: TerminalId = TerminalId(2);
const SUM: ProductionId = ProductionId(0);
const LETTER: ProductionId = ProductionId(1);

struct Sums;

impl Tables for Sums {
    fn actions(&self, state: LrState, terminal: TerminalId) -> impl Iterator<Item = Action> {
        let shift = |state| Action::Shift(LrState(state));
        let actions = match (state.0, terminal) {
            (0 | 3, A) => vec![shift(2)],
            (1, PLUS) => vec![shift(3)],
            (1, END) => vec![shift(5)],
            (2, PLUS | END) => vec![Action::Reduce(LETTER)],
            (4, PLUS) => vec![shift(3), Action::Reduce(SUM)],
            (4, END) => vec![Action::Reduce(SUM)],
            _ => vec![],
        };
        actions.into_iter()
    }

    fn goto(&self, state: LrState, _: NonterminalId) -> Option<LrState> {
        match state.0 {
            0 => Some(LrState(1)),
            3 => Some(LrState(4)),
            _ => None,
        }
    }

    fn production(&self, production: ProductionId) -> (NonterminalId, u32) {
        (NonterminalId(0), if production == SUM { 3 } else { 1 })
    }
}

/// A stack of these states, the bottom first.
fn stack(run: &mut Run<Sums>, states: &[u32]) -> StackId {
    let bottom = run.stacks.bottom(LrState(states[0]));
    states[1..].iter().fold(bottom, |stack, &state| run.stacks.push(stack, LrState(state)))
}

/// The states of all stacks, sorted.
fn states(run: &Run<Sums>, shifted: &Shifted) -> Vec<Vec<u32>> {
    let stacks = shifted.stacks.iter().map(|&stack| run.stacks.states(stack));
    let mut stacks: Vec<Vec<u32>> = stacks.map(|stack| stack.iter().map(|state| state.0).collect()).collect();
    stacks.sort();
    stacks
}

#[test]
fn all_reductions_come_before_the_shift() {
    let mut run = Run::new(Sums);
    let letter = stack(&mut run, &[0, 2]);
    let sum = stack(&mut run, &[0, 1, 3, 2]);
    let cases = [(letter, PLUS, vec![0, 1, 3], 2), (sum, END, vec![0, 1, 5], 3)];
    for (stack, terminal, expected, steps) in cases {
        for shifted in [run.shift(stack, terminal), run.shift_unmerged(stack, terminal)] {
            assert_eq!(states(&run, &shifted), [expected.as_slice()]);
            assert_eq!((shifted.extra, shifted.steps), (0, steps));
            assert!(shifted.conflicts.is_empty() && !shifted.underflow);
        }
    }
}

#[test]
fn a_refused_terminal_leaves_no_stack() {
    let mut run = Run::new(Sums);
    let letter = stack(&mut run, &[0, 2]);
    assert!(run.shift(letter, A).stacks.is_empty());
    assert!(run.shift_unmerged(letter, A).stacks.is_empty());
}

#[test]
fn both_actions_of_a_conflict_are_followed() {
    let mut run = Run::new(Sums);
    let sum = stack(&mut run, &[0, 1, 3, 2]);
    // After `a + a`, the next `+` is shifted before or after `E + E` is reduced.
    let unmerged = run.shift_unmerged(sum, PLUS);
    assert_eq!(states(&run, &unmerged), [vec![0, 1, 3], vec![0, 1, 3, 4, 3]]);
    let shifted = run.shift(sum, PLUS);
    let [merged] = shifted.stacks[..] else { panic!("stacks with the same top are merged") };
    assert_eq!(run.stacks.top(merged), LrState(3));
    assert_eq!(run.stacks.below(merged).len(), 2);
    assert_eq!(shifted.conflicts, [(LrState(4), PLUS)]);
    assert_eq!(shifted.extra, 2, "a second action and a second stack");
    // The first action may be given.
    let stack = stack(&mut run, &[0, 1, 3, 4]);
    let reduced = run.shift_unmerged_by(stack, &[Action::Reduce(SUM)], PLUS);
    assert_eq!(states(&run, &reduced), [[0, 1, 3]]);
}

#[test]
fn reductions_follow_all_links_of_a_merged_node() {
    let mut run = Run::new(Sums);
    let sum = stack(&mut run, &[0, 1, 3, 2]);
    let merged = run.shift(sum, PLUS).stacks[0];
    let letter = run.shift(merged, A).stacks[0];
    // Both readings of `a + a + a` end with the same stack.
    let end = run.shift(letter, END);
    assert_eq!(states(&run, &end), [[0, 1, 5]]);
    assert!(end.extra > 0 && end.conflicts.is_empty());
}

#[test]
fn a_reduction_that_would_pop_the_bottom_is_reported() {
    let mut run = Run::new(Sums);
    for known in [&[4][..], &[3, 4], &[1, 3, 4]] {
        let stack = stack(&mut run, known);
        let shifted = run.shift_unmerged(stack, END);
        assert!(shifted.stacks.is_empty() && shifted.underflow, "{known:?}");
    }
    // The shift needs no state below.
    let shorter = stack(&mut run, &[3, 4]);
    let shifted = run.shift_unmerged(shorter, PLUS);
    assert_eq!(states(&run, &shifted), [[3, 4, 3]]);
    assert!(shifted.underflow);
    let whole = stack(&mut run, &[0, 1, 3, 4]);
    assert!(!run.shift_unmerged(whole, PLUS).underflow);
}

#[test]
fn a_cleared_run_starts_again() {
    let mut run = Run::new(Sums);
    for _ in 0..2 {
        run.stacks.clear();
        assert_eq!(run.stacks.nodes(), 0);
        let sum = stack(&mut run, &[0, 1, 3, 2]);
        let shifted = run.shift(sum, END);
        assert_eq!(states(&run, &shifted), [[0, 1, 5]]);
        assert_eq!(run.stacks.nodes(), 6, "the four of the text, a sum, and the end");
    }
}
