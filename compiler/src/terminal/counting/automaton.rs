//! The counting automaton: control states, and where each symbol leads their lexer states.
//!
//! In: links between lexer states with neighbouring counts. Out: a [`CountingAutomaton`]. Each of its
//! [`ControlState`]s is a chain of links, a list of lexer states by count, ascending. A [`Path`] is a list of
//! counts of the control state in which a walk began, and the place that all of them have reached: a lexer state,
//! or a control state, each count in the lexer state of its count less what the walk has counted.
//!
//! Neighbouring counts whose targets are neighbours in a list, or the same state, take a step together.

use super::characters::{CountedCharacters, Finder};
use super::links::Links;
use crate::csr::Csr;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::{Lexer, PatternId};
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A control state with fewer counts than this is walked count by count.
const MIN_COUNTS: usize = 8;
/// Estimated bytes of a step, and of a piece.
const BYTES_PER_STEP: usize = 64;

index_newtype! { vis pub(in crate::terminal),
    /// A control state.
    ControlId;
}

/// A control state: lexer states that end alike and differ mostly in a count.
pub(in crate::terminal) struct ControlState {
    pub(in crate::terminal) id: ControlId,
    /// Its lexer states by count, ascending.
    pub(in crate::terminal) states: Vec<LexState>,
    /// The characters that it counts, if it counts characters.
    characters: Option<CountedCharacters>,
    /// By count, without gaps.
    pieces: Vec<Piece>,
}

/// Neighbouring counts in which the same symbols lead to the same targets.
struct Piece {
    counts: Range<i32>,
    pattern: PatternId,
    /// Per target of the pattern: the steps by count, without gaps.
    steps: Csr<Step>,
}

/// A step of neighbouring counts.
#[derive(Clone)]
struct Step {
    counts: Range<i32>,
    to: Place,
}

/// Where counts are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::terminal) enum Place {
    /// All counts are in this lexer state.
    State(LexState),
    /// Each count is in a lexer state of this control state: that of its count less this number.
    Control(ControlId, i32),
}

/// Some counts of the control state in which a walk began, and where they are now.
#[derive(Clone, Debug)]
pub(in crate::terminal) struct Path {
    /// The counts; not empty.
    pub(in crate::terminal) counts: Range<i32>,
    /// Where they are. A lexer state is not dead.
    pub(in crate::terminal) place: Place,
}

/// The control states of a lexer, and their steps.
#[derive(Default)]
pub(in crate::terminal) struct CountingAutomaton {
    controls: Vec<ControlState>,
    /// The control state and the count of lexer states in lists.
    places: FxHashMap<LexState, (ControlId, i32)>,
}

impl CountingAutomaton {
    /// Finds the control states.
    pub(in crate::terminal) fn new(finder: &Finder<'_>, budget: &Budget) -> Result<Self, OverBudget> {
        let lexer = finder.lexer;
        let links = Links::new(lexer, finder.defaults, budget)?;
        let mut lists = lists(lexer, &links);
        // The longest first.
        lists.sort_by_key(|states| std::cmp::Reverse(states.len()));
        let mut places: FxHashMap<LexState, (ControlId, i32)> = FxHashMap::default();
        for (id, states) in lists.iter().enumerate() {
            places.extend(states.iter().zip(0..).map(|(&state, count)| (state, (ControlId::new(id), count))));
        }
        budget.charge_bytes(places.len() as u64 * 96)?;
        let mut controls = Vec::with_capacity(lists.len());
        for (id, states) in lists.into_iter().enumerate() {
            let pieces = pieces(lexer, &states, &places, budget)?;
            let characters = finder.find(&states);
            controls.push(ControlState { id: ControlId::new(id), states, characters, pieces });
        }
        Ok(Self { controls, places })
    }

    /// The control state of a lexer state, if it is worth walking.
    pub(in crate::terminal) fn control(&self, state: LexState) -> Option<&ControlState> {
        let (control, _) = self.places.get(&state)?;
        Some(&self.controls[control.index()]).filter(|control| control.is_worth_walking())
    }

    /// The largest number of counts of a control state.
    #[cfg(test)]
    pub(in crate::terminal) fn most_counts(&self) -> usize {
        self.controls.iter().map(|control| control.states.len()).max().unwrap_or(0)
    }

    /// A lexer state that ends like those of a place: the states of a control state end alike.
    pub(in crate::terminal) fn state_like(&self, place: Place) -> LexState {
        match place {
            Place::State(state) => state,
            Place::Control(control, _) => self.controls[control.index()].states[0],
        }
    }

    /// If a path leads to a control state that counts all symbols in the set `below`: by how much fewer characters its
    /// counts have left, and the state after one more.
    #[inline]
    pub(in crate::terminal) fn counts(
        &self,
        path: &Path,
        below: &ByteSet,
    ) -> Option<(i32, Option<LexState>)> {
        let Place::Control(control, lower) = path.place else { return None };
        let counted = self.controls[control.index()].characters.as_ref()?;
        below.is_subset(&counted.symbols).then_some((lower, counted.bottom))
    }

    /// Adds the paths that `path`, extended by a symbol, becomes.
    pub(in crate::terminal) fn step(
        &self,
        lexer: &Lexer,
        path: &Path,
        class: SymbolClass,
        add: &mut impl FnMut(Path),
    ) {
        match path.place {
            Place::State(state) => {
                let to = lexer.next(state, class);
                if to != LexState::DEAD {
                    add(Path { counts: path.counts.clone(), place: Place::State(to) });
                }
            }
            Place::Control(control, lower) => {
                let counts = path.counts.start - lower..path.counts.end - lower;
                self.controls[control.index()].step(lexer, counts, class, |counts, place| {
                    let place = match place {
                        Place::Control(to, by) => Place::Control(to, by + lower),
                        state @ Place::State(_) => state,
                    };
                    add(Path { counts: counts.start + lower..counts.end + lower, place });
                });
            }
        }
    }
}

impl ControlState {
    /// Whether it has enough counts, and they take steps together on average.
    fn is_worth_walking(&self) -> bool {
        let steps: usize = self.pieces.iter().map(|piece| piece.steps.items().len()).sum();
        self.states.len() >= MIN_COUNTS && steps <= self.states.len()
    }

    /// All counts, at the beginning of a walk.
    pub(in crate::terminal) fn start(&self) -> Path {
        Path { counts: 0..self.states.len() as i32, place: Place::Control(self.id, 0) }
    }

    /// The steps of these counts on a symbol.
    fn step(
        &self,
        lexer: &Lexer,
        counts: Range<i32>,
        class: SymbolClass,
        mut add: impl FnMut(Range<i32>, Place),
    ) {
        let from = self.pieces.partition_point(|piece| piece.counts.end <= counts.start);
        for piece in self.pieces[from..].iter().take_while(|piece| piece.counts.start < counts.end) {
            let slot = lexer.rows.slots_of(piece.pattern)[class.index()];
            let Some(target) = slot.checked_sub(1) else { continue };
            let steps = piece.steps.row(target as usize);
            let from = steps.partition_point(|step| step.counts.end <= counts.start);
            for step in &steps[from..] {
                let Some(both) = overlap(&step.counts, &counts) else { break };
                add(both, step.to);
            }
        }
    }
}

/// The counts in both ranges, if there are any.
fn overlap(a: &Range<i32>, b: &Range<i32>) -> Option<Range<i32>> {
    let both = a.start.max(b.start)..a.end.min(b.end);
    (!both.is_empty()).then_some(both)
}

/// The chains of links, in the order of their lowest states. A ring has no lowest state, and is left out.
fn lists(lexer: &Lexer, links: &Links) -> Vec<Vec<LexState>> {
    let is_lowest = |state: &LexState| links.higher.contains_key(state) && !links.lower.contains_key(state);
    let list =
        |lowest| std::iter::successors(Some(lowest), |state| links.higher.get(state).copied()).collect();
    (1..lexer.states()).map(LexState::new).filter(is_lowest).map(list).collect()
}

/// The steps of a list of lexer states. `places` has the control state and the count of lexer states in lists.
fn pieces(
    lexer: &Lexer,
    states: &[LexState],
    places: &FxHashMap<LexState, (ControlId, i32)>,
    budget: &Budget,
) -> Result<Vec<Piece>, OverBudget> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for alike in states.chunk_by(|&a, &b| lexer.rows.pattern(a) == lexer.rows.pattern(b)) {
        let pattern = lexer.rows.pattern(alike[0]);
        let counts = from..from + alike.len() as i32;
        let targets = lexer.rows.targets(alike[0]).len();
        budget.charge_work((targets * alike.len()) as u64)?;
        let mut steps = Csr::default();
        for target in 0..targets {
            let targets = alike.iter().map(|&state| lexer.rows.targets(state)[target]);
            steps.push(runs(targets.zip(counts.clone()), places));
        }
        from = counts.end;
        budget.charge_bytes(((steps.items().len() + 1) * BYTES_PER_STEP) as u64)?;
        pieces.push(Piece { counts, pattern, steps });
    }
    Ok(pieces)
}

/// The steps of counts with these targets. Counts with one target share it, though it may be in a list.
fn runs(
    targets: impl Iterator<Item = (LexState, i32)>,
    places: &FxHashMap<LexState, (ControlId, i32)>,
) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut before = LexState::DEAD;
    for (target, count) in targets {
        let place = match places.get(&target) {
            Some(&(control, lower)) => Place::Control(control, count - lower),
            None => Place::State(target),
        };
        let counts = count..count + 1;
        match steps.last_mut() {
            Some(last) if last.to == place || last.to == Place::State(target) => last.counts.end = counts.end,
            Some(last) if target == before => {
                last.counts.end -= 1;
                let shared = Step { counts: count - 1..counts.end, to: Place::State(target) };
                if last.counts.is_empty() {
                    *last = shared;
                } else {
                    steps.push(shared);
                }
            }
            _ => steps.push(Step { counts, to: place }),
        }
        before = target;
    }
    steps
}
