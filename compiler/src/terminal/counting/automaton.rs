//! The counting automaton: control states, and their transition on each symbol.
//!
//! In: the lexer, and candidates for pairs of states with neighbouring counts. Out: a [`CountingAutomaton`].
//! Each of its [`ControlState`]s is a list of lexer states by count, ascending. A transition of a control
//! state has the least count that can take it, and either lowers the count or forgets it.

use super::pairs::{Pairs, end_alike};
use crate::ids::{LexState, SymbolClass};
use crate::lexer::Lexer;
use crate::terminal::default_transition::DefaultTransitions;
use crate::terminal::k_equivalence::{ClassId, KEquivalence};
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// A control state with fewer counts than this is walked count by count.
const MIN_COUNTS: usize = 3;

index_newtype! { vis pub(in crate::terminal),
    /// A control state.
    ControlId;
}

/// A control state: lexer states that differ only in a count.
pub(in crate::terminal) struct ControlState {
    pub(in crate::terminal) id: ControlId,
    /// Its lexer states by count, ascending.
    pub(in crate::terminal) states: Vec<LexState>,
}

/// The control state that a transition leads to, and by how much it lowers the count.
pub(super) type Target = (ControlId, i32);

/// A transition of a control state.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The least count that has the transition.
    pub(super) from: i32,
    /// The target, or `None` if the transition forgets the count.
    pub(super) to: Option<Target>,
    /// A lexer state of the target; the target itself if the count is forgotten.
    pub(super) state: LexState,
}

/// A path from all counts of a control state at once.
#[derive(Clone, Copy)]
pub(in crate::terminal) struct Path {
    /// A lexer state of the target; 0 if no count has the path.
    pub(in crate::terminal) state: LexState,
    /// The least count that has the path.
    pub(in crate::terminal) least: i32,
    /// The target, or `None` if the path forgets the count.
    pub(in crate::terminal) counts: Option<Target>,
}

impl Path {
    /// The empty path.
    pub(in crate::terminal) fn new(control: &ControlState) -> Self {
        Self { state: control.states[0], least: 0, counts: Some((control.id, 0)) }
    }
}

/// The control states of a lexer, and their transitions.
#[derive(Default)]
pub(in crate::terminal) struct CountingAutomaton {
    controls: Vec<ControlState>,
    /// Row-major `[control state][class]`.
    steps: Vec<Step>,
    /// The control state of a class of lexer states that no token distinguishes.
    of_class: FxHashMap<ClassId, ControlId>,
}

impl CountingAutomaton {
    /// Finds the control states. It looks at a single representative of states that no token distinguishes.
    pub(in crate::terminal) fn new(
        lexer: &Lexer,
        equivalence: &KEquivalence,
        defaults: &mut DefaultTransitions<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut pairs = Pairs::new(lexer, budget);
        let mut states = equivalence.representatives();
        // States are numbered as texts are read, and counts run down. Among equivalent states the last has
        // the lowest count.
        states.sort_unstable();
        for state in states.into_iter().rev().filter(|&state| state != LexState::DEAD) {
            let admitted = |next| next != state && end_alike(lexer, state, next);
            if let Some(next) = defaults.find(state, LexState::index, admitted) {
                pairs.request(next, state)?;
                pairs.explore()?;
            }
        }
        pairs.refute_mixed();
        Ok(Self::from_pairs(&pairs, equivalence.token_classes()))
    }

    /// The control state of the lexer states of this class.
    pub(in crate::terminal) fn control(&self, class: ClassId) -> Option<&ControlState> {
        Some(&self.controls[self.of_class.get(&class)?.index()])
    }

    /// All control states, by id.
    pub(in crate::terminal) fn controls(&self) -> &[ControlState] {
        &self.controls
    }

    /// The transition of a control state on a symbol.
    pub(super) fn on(&self, lexer: &Lexer, control: ControlId, class: SymbolClass) -> Step {
        self.steps[control.index() * lexer.classes + class.index()]
    }

    /// Extends a path by a symbol.
    pub(in crate::terminal) fn step(&self, lexer: &Lexer, path: Path, class: SymbolClass) -> Path {
        match path.counts {
            None => Path { state: lexer.next(path.state, class), ..path },
            Some((control, lower)) => {
                let step = self.on(lexer, control, class);
                Path {
                    state: step.state,
                    least: path.least.max(step.from.saturating_add(lower)),
                    counts: step.to.map(|(control, by)| (control, lower + by)),
                }
            }
        }
    }

    /// The automaton whose control states are the maximal chains of pairs.
    fn from_pairs(pairs: &Pairs<'_>, class_of: &[ClassId]) -> Self {
        let mut automaton = Self::default();
        let mut places: FxHashMap<LexState, Target> = FxHashMap::default();
        for pair in pairs.confirmed().filter(|pair| !pairs.by_high.contains_key(&pair.low)) {
            let mut states = vec![pair.low, pair.high];
            while let Some(&next) = pairs.by_low.get(&states[states.len() - 1]) {
                states.push(pairs.all[next.index()].high);
            }
            let id = ControlId::new(automaton.controls.len());
            for (&state, count) in states.iter().zip(0..) {
                places.insert(state, (id, count));
                if states.len() >= MIN_COUNTS {
                    automaton.of_class.insert(class_of[state.index()], id);
                }
            }
            automaton.controls.push(ControlState { id, states });
        }
        // A ring of pairs has no lowest count. Then nothing is counted.
        if places.len() != pairs.by_low.len() + automaton.controls.len() {
            return Self::default();
        }
        let steps = automaton.controls.iter().map(|control| steps(pairs.lexer, &control.states, &places));
        Self { steps: steps.collect::<Vec<_>>().concat(), ..automaton }
    }
}

/// Per class: the transition of the control state with these lexer states. `places` has the control state and
/// the count of each lexer state.
fn steps(lexer: &Lexer, states: &[LexState], places: &FxHashMap<LexState, Target>) -> Vec<Step> {
    let top = states.len() - 1;
    let [highest, below] = [states[top], states[top - 1]].map(|state| lexer.row(state));
    let step = |class: usize| {
        let state = highest[class];
        if state == LexState::DEAD {
            return Step { from: i32::MAX, to: None, state };
        }
        // If a count has the transition, all higher counts have it.
        let next = |state: &LexState| lexer.next(*state, SymbolClass::new(class));
        let from = states.partition_point(|state| next(state) == LexState::DEAD);
        let counts = from < top && state != below[class];
        let to = counts.then(|| places[&state]).map(|(control, count)| (control, top as i32 - count));
        Step { from: from as i32, to, state }
    };
    (0..lexer.classes).map(step).collect()
}
