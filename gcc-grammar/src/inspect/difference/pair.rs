//! A pair of configurations: the heads of two grammars after the same text, on stacks that are known from some state on.

use super::alphabet::Symbol;
use crate::inspect::trace::heads::Heads;
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::{LexState, LrState};
use gcc_grammar_compiler::lr::StackId;
use gcc_grammar_limits::{Budget, OverBudget};
use std::collections::HashSet;

/// The heads of one grammar, sorted; none if the text is no beginning of a text of the grammar.
type Side = Vec<(LexState, StackId)>;

/// The heads of both grammars.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pair(pub(super) [Side; 2]);

/// States that were cut off from below all stacks of a pair: one of each grammar, or of one of them.
pub(super) type Frame = [Option<LrState>; 2];

/// The outcome of a step or a question.
pub(super) enum Outcome<T> {
    Known(T),
    /// It depends on states below the stacks.
    TakesBelow,
}

impl Pair {
    /// Whether no text continues from here.
    pub(super) fn is_dead(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// The bytes that a pair takes, estimated.
    pub(super) fn bytes(&self) -> u64 {
        let heads: usize = self.0.iter().map(Vec::len).sum();
        (2 * size_of::<Self>() + heads * size_of::<(LexState, StackId)>()) as u64
    }
}

/// Steps of both grammars.
pub(super) struct Pairs<'a>([Heads<'a>; 2]);

impl<'a> Pairs<'a> {
    pub(super) fn new(automata: [&'a Automata; 2], budget: &Budget) -> Self {
        Self(automata.map(|automata| Heads::new(automata, budget.clone())))
    }

    /// The number of states on all stacks of a pair.
    pub(super) fn states(&self, pair: &Pair) -> u64 {
        let of_side = |(heads, side): (&Heads<'_>, &Side)| {
            side.iter().map(|&(_, stack)| heads.depth(stack) as u64 + 1).sum::<u64>()
        };
        self.0.iter().zip(&pair.0).map(of_side).sum()
    }

    /// The pair before the first symbol.
    pub(super) fn first(&mut self) -> Pair {
        Pair(self.0.each_mut().map(|heads| vec![heads.first()]))
    }

    /// Which of the grammars have the empty text.
    pub(super) fn have_empty_text(&mut self) -> Result<[bool; 2], OverBudget> {
        let [first, second] = &mut self.0;
        let has = |heads: &mut Heads<'_>| {
            let (_, stack) = heads.first();
            heads.may_end(stack)
        };
        Ok([has(first)?, has(second)?])
    }

    /// The pair after a symbol. If the stacks are whole, nothing is below them.
    pub(super) fn step(
        &mut self,
        pair: &Pair,
        symbol: &Symbol,
        is_whole: bool,
    ) -> Result<Outcome<Pair>, OverBudget> {
        let mut next = [Vec::new(), Vec::new()];
        for (side, next) in next.iter_mut().enumerate() {
            let (heads, Some(class)) = (&mut self.0[side], symbol.classes[side]) else { continue };
            heads.takes_below = false;
            let mut known = HashSet::new();
            for &head in &pair.0[side] {
                let moves = heads.moves(head, class, |lexer, stack| known.insert((lexer, stack)))?;
                next.extend(moves.into_iter().map(|to| (to.lexer, to.stack)));
            }
            if heads.takes_below && !is_whole {
                return Ok(Outcome::TakesBelow);
            }
            next.sort_unstable();
        }
        Ok(Outcome::Known(Pair(next)))
    }

    /// Which of the grammars have the text that led to a pair, and was not empty.
    pub(super) fn accept(&mut self, pair: &Pair, is_whole: bool) -> Result<Outcome<[bool; 2]>, OverBudget> {
        let mut accepts = [false; 2];
        for (side, accepts) in accepts.iter_mut().enumerate() {
            let heads = &mut self.0[side];
            heads.takes_below = false;
            for &head in &pair.0[side] {
                *accepts |= heads.may_end_after(head)?;
            }
            if !*accepts && heads.takes_below && !is_whole {
                return Ok(Outcome::TakesBelow);
            }
        }
        Ok(Outcome::Known(accepts))
    }

    /// Cuts off the lowest state of each grammar on which all of its stacks stand; none if there is no such state.
    pub(super) fn cut(&mut self, pair: &Pair) -> Option<(Frame, Pair)> {
        let mut frame = [None; 2];
        let mut above = pair.clone();
        for (side, above) in above.0.iter_mut().enumerate() {
            let heads = &mut self.0[side];
            let stacks: Vec<Vec<LrState>> = above.iter().map(|&(_, stack)| heads.states(stack)).collect();
            let Some([lowest, next, ..]) = stacks.first().map(Vec::as_slice) else { continue };
            if stacks.iter().any(|stack| stack.get(..2) != Some(&[*lowest, *next])) {
                continue;
            }
            frame[side] = Some(*lowest);
            for ((_, head), states) in above.iter_mut().zip(&stacks) {
                *head = heads.stack(&states[1..]);
            }
            above.sort_unstable();
        }
        (frame != [None; 2]).then_some((frame, above))
    }

    /// The pair with a frame below its stacks.
    pub(super) fn extend(&mut self, pair: &Pair, frame: &Frame) -> Pair {
        let mut extended = pair.clone();
        for (side, extended) in extended.0.iter_mut().enumerate() {
            let (heads, Some(state)) = (&mut self.0[side], frame[side]) else { continue };
            for (_, stack) in extended.iter_mut() {
                *stack = heads.stack(&[vec![state], heads.states(*stack)].concat());
            }
            extended.sort_unstable();
        }
        extended
    }
}
