//! What a terminal does to one stack, as far as it is deterministic: the reductions, and whether it is shifted.
//!
//! No cell is made. Most terminals need a few reductions. A right recursion needs one for each level: far down, they
//! are read with skips ([`deep`](crate::deep)).

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, MaskId, Nonterminal, Terminal};

use crate::deep::{Cursor, Step};
use crate::scratch::{Node, Scratch};

/// The outcome of a terminal on a stack as far as it is deterministic: one action and one parent at each
/// step.
pub(crate) enum Outcome {
    /// There is no action.
    Refused,
    /// The terminal is shifted to `target`, on top of the given node, or of a state pushed by reductions.
    Shifted { reduced: Option<Pushed>, target: LrState },
    /// There are several actions or several parents.
    Ambiguous,
    /// There are more reductions than were to be followed; this state was pushed last.
    Long(Pushed),
}

/// Reductions that are followed before it is asked whether more are needed.
pub(crate) const FEW_REDUCTIONS: usize = 32;

/// A state that a reduction pushes on a node, before a cell is made for it.
#[derive(Clone, Copy)]
pub(crate) struct Pushed {
    pub(crate) state: LrState,
    pub(crate) on: Node,
}

/// The keys of reductions on a terminal: one for each LR state, behind the DWA states.
#[derive(Clone, Copy)]
struct ReductionKeys(u32);

impl ReductionKeys {
    /// The keys of a terminal; `None` if there are more than numbers.
    fn new(grammar: &GrammarView<'_>, terminal: Terminal) -> Option<Self> {
        let counts = grammar.counts();
        let first = terminal.index().checked_mul(counts.lr_states)?.checked_add(counts.dwa_states)?;
        let end = first.checked_add(counts.lr_states)?;
        u32::try_from(end).ok()?;
        Some(Self(first as u32))
    }

    /// The place after a state was pushed.
    const fn place(self, pushed: Pushed) -> Cursor {
        Cursor { key: self.0.wrapping_add(pushed.state.0), node: pushed.on }
    }

    /// The state that was pushed, and the node on which it was.
    const fn pushed(self, place: Cursor) -> Pushed {
        Pushed { state: LrState(place.key.wrapping_sub(self.0)), on: place.node }
    }
}

impl Scratch<'_> {
    /// Follows actions and parents as long as there is only one of each. What repeats on the stack is skipped.
    pub(crate) fn simulate(&mut self, grammar: &GrammarView<'_>, node: Node, terminal: Terminal) -> Outcome {
        match self.simulate_within(grammar, node, terminal, FEW_REDUCTIONS) {
            Outcome::Long(pushed) => self.simulate_deep(grammar, pushed, terminal),
            outcome => outcome,
        }
    }

    /// Goes on after many reductions.
    #[cold]
    #[inline(never)]
    pub(crate) fn simulate_deep(
        &mut self,
        grammar: &GrammarView<'_>,
        pushed: Pushed,
        terminal: Terminal,
    ) -> Outcome {
        let Some(keys) = ReductionKeys::new(grammar, terminal) else { return Outcome::Ambiguous };
        let step = |scratch: &Self, at| match scratch.reduce_pushed(grammar, keys.pushed(at), terminal) {
            Ok(next) => Step::Next(MaskId::EMPTY, keys.place(next)),
            Err(Outcome::Ambiguous) => Step::Several,
            Err(_) => Step::Last(MaskId::EMPTY),
        };
        match self.read_deep(grammar, keys.place(pushed), step, &mut |_| ()) {
            Some(last) => {
                let last = self.reduce_pushed(grammar, keys.pushed(last), terminal);
                last.err().unwrap_or(Outcome::Refused)
            }
            None => Outcome::Ambiguous,
        }
    }

    /// The only reduction after a state was pushed; if there is none, the outcome.
    fn reduce_pushed(
        &self,
        grammar: &GrammarView<'_>,
        pushed: Pushed,
        terminal: Terminal,
    ) -> Result<Pushed, Outcome> {
        match *grammar.actions(pushed.state, terminal) {
            [] => Err(Outcome::Refused),
            [code] => match Action::decode(code) {
                Action::Shift(target) => Err(Outcome::Shifted { reduced: Some(pushed), target }),
                Action::Reduce(production) => {
                    let (nonterminal, length) = grammar.production(production);
                    self.goto_below(grammar, pushed.on, length - 1, nonterminal)
                }
            },
            _ => Err(Outcome::Ambiguous),
        }
    }

    /// Follows actions and parents for at most this number of reductions.
    pub(crate) fn simulate_within(
        &self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
        mut reductions: usize,
    ) -> Outcome {
        let mut reduced: Option<Pushed> = None;
        // Reductions of length 1 in a row. If there are more of them than states, they repeat for ever.
        let mut units = 0;
        loop {
            let state = reduced.map_or_else(|| self.lr(node), |pushed| pushed.state);
            let production = match *grammar.actions(state, terminal) {
                [] => return Outcome::Refused,
                [code] => match Action::decode(code) {
                    Action::Shift(target) => return Outcome::Shifted { reduced, target },
                    Action::Reduce(production) => production,
                },
                _ => return Outcome::Ambiguous,
            };
            if let Some(pushed) = reduced.filter(|_| reductions == 0) {
                return Outcome::Long(pushed);
            }
            reductions = reductions.saturating_sub(1);
            let (nonterminal, length) = grammar.production(production);
            let (from, levels) = reduced.map_or((node, length), |pushed| (pushed.on, length - 1));
            units = if levels == 0 { units + 1 } else { 0 };
            if units > grammar.counts().lr_states {
                return Outcome::Refused;
            }
            match self.goto_below(grammar, from, levels, nonterminal) {
                Ok(pushed) => reduced = Some(pushed),
                Err(outcome) => return outcome,
            }
        }
    }

    /// The state that a reduction pushes on the only node that lies `levels` below `from`.
    fn goto_below(
        &self,
        grammar: &GrammarView<'_>,
        from: Node,
        levels: u32,
        nonterminal: Nonterminal,
    ) -> Result<Pushed, Outcome> {
        let (on, left) = self.descend(from, levels);
        if left > 0 {
            return Err(if self.rest(on).is_some() { Outcome::Ambiguous } else { Outcome::Refused });
        }
        let state = grammar.goto(self.lr(on), nonterminal).ok_or(Outcome::Refused)?;
        Ok(Pushed { state, on })
    }

    /// Goes down as long as there is exactly one parent; returns the last node and the number of levels left.
    pub(crate) fn descend(&self, from: Node, levels: u32) -> (Node, u32) {
        let (mut node, mut left) = (from, levels);
        while left > 0 && self.rest(node).is_none() {
            let Some(parent) = self.parent(node) else { break };
            node = parent;
            left -= 1;
        }
        (node, left)
    }
}
