//! The subset construction for automata with look-around of any length.
//!
//! Comes in: an [`Nfa`] with guards, whose look-around is automata that may have guards themselves. Goes out: the minimal automaton.
//!
//! A text is read from the left. What *look-behind* says is then known at every position: its automata run beside the main one, from every
//! position on. What *look-ahead* says is not known yet. A run that relies on it takes a **debt** along: the rest of the text must begin with
//! something, or must not. So a run is a [`Branch`], a state with its debts, and what a debt says is again a set of branches (the runs of the
//! automaton of the look-ahead, of which one must succeed, or none). This is an alternating automaton (Chandra, Kozen, Stockmeyer 1981) that is
//! made deterministic while it runs. It ends: debts nest as deep as the look-around does, and there are finitely many at each depth.
//!
//! ```text
//! Nfa ──machine──▶ one automaton with the start and end of each look-around
//! state of the result ──position: what look-around says, once per kind of the next byte──▶ closed branches ──step──▶ next state
//! ```
//! | file | contents |
//! |---|---|
//! | `machine` | the automata of the expression and of its look-around as one |
//! | `formulas` | sets of branches and their debts, each with a number |
//! | `position` | what holds at a position, ε-transitions |
//! | `surroundings` | what the text around a match must be |

mod formulas;
mod machine;
mod position;
mod surroundings;

use super::look::Neighbor;
use crate::dfa::Dfa;
use crate::explore::{Step, explored};
use crate::limits::RegularLimits;
use crate::minimize::minimize;
use crate::nfa::{Nfa, Preference};
use formulas::{Branch, Formulas, SetId};
use gcc_grammar_limits::OverBudget;
use machine::Machine;
use position::Position;
use std::rc::Rc;
pub(crate) use surroundings::{beginnings, endings, is_free_of_what_is_before};

/// The minimal automaton of the language of `nfa`, which has guards. With a preference, as in [`determinize`](super::determinize).
pub(crate) fn look_around(
    nfa: Nfa,
    preference: Preference,
    limits: &RegularLimits,
) -> Result<Dfa, OverBudget> {
    let machine = Machine::new(nfa, preference, limits)?;
    let mut formulas = Formulas::new(limits);
    let start = State::start(&machine, &mut formulas)?;
    let (raw, _) = explored(start, limits, |state| state.step(&machine, &mut formulas))?;
    minimize(raw, limits)
}

/// The findings after some text.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    before: Neighbor,
    /// Per look-behind, the branches of its automaton.
    behinds: Rc<[SetId]>,
    /// The branches of the expression, in the order of preference if there is one.
    main: SetId,
    /// Whether the match is over, so that only its debts are left.
    is_over: bool,
}

impl State {
    /// The state before the text.
    fn start(machine: &Machine, formulas: &mut Formulas) -> Result<Self, OverBudget> {
        let behinds = machine.arounds.iter().map(|around| formulas.set(vec![Branch::at(around.start)]));
        let behinds = behinds.collect::<Result<_, _>>()?;
        let main = formulas.set(vec![Branch::at(0)])?;
        Ok(Self { before: Neighbor::Boundary, behinds, main, is_over: false })
    }

    /// Whether the text may end here, and the states after one more byte.
    fn step(&self, machine: &Machine, formulas: &mut Formulas) -> Result<Step<Self>, OverBudget> {
        let mut edges = Vec::new();
        for after in machine.nfa.kinds.all() {
            let mut position = self.position(machine, formulas, after)?;
            let main = position.close_main(self.main, self.is_over)?;
            for &(low, high) in machine.runs.iter().filter(|(low, _)| machine.nfa.kinds.kind(*low) == after) {
                let main = position.step(&main, low, machine.ordered)?;
                if main != SetId::NOTHING {
                    let behinds = position.step_behinds(low)?;
                    edges.push((low, high, Self { before: after, behinds, main, is_over: self.is_over }));
                }
            }
        }
        let mut end = self.position(machine, formulas, Neighbor::Boundary)?;
        let main = end.close_main(self.main, self.is_over)?;
        Ok((end.accepts(&main)?, edges))
    }

    /// This place before a byte of kind `after`.
    fn position<'p>(
        &self,
        machine: &'p Machine,
        formulas: &'p mut Formulas,
        after: Neighbor,
    ) -> Result<Position<'p>, OverBudget> {
        Position::new(machine, formulas, self.before, after, &self.behinds)
    }
}
