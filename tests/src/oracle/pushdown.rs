//! The configurations of a pushdown system from which a control state can be reached, by saturation (Bouajjani, Esparza, Maler,
//! Reachability analysis of pushdown automata: application to model-checking, 1997).
//!
//! In: rules. Out: an automaton that reads a stack from its top, and accepts it if the goal can be reached from there, whatever is
//! left on the stack then.

use rustc_hash::{FxHashMap, FxHashSet};

/// A control state.
pub(super) type Control = usize;
/// A stack symbol.
pub(super) type Letter = usize;

/// A state of the automaton or control state, and the symbol that it reads.
type Head = (usize, Letter);

/// What a rule puts in the place of the symbol on top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Put {
    /// Nothing.
    Nothing,
    /// A symbol.
    One(Letter),
    /// Two symbols, the upper one first.
    Two(Letter, Letter),
}

/// In a control state, with a symbol on top: the next control state, and what is put in the place of the symbol.
pub(super) type Rule = ((Control, Letter), (Control, Put));

/// The automaton of the configurations that can reach the goal.
#[derive(Clone, Debug)]
pub(super) struct CanReach {
    /// From a state, reading a symbol, to states. The state after the last control state accepts everything.
    transitions: FxHashMap<(usize, Letter), FxHashSet<usize>>,
    everything: usize,
}

impl CanReach {
    /// Saturates the automaton; none if it has more than `most` transitions.
    #[must_use]
    pub(super) fn new(
        rules: &[Rule],
        goal: Control,
        controls: usize,
        letters: usize,
        most: usize,
    ) -> Option<Self> {
        let everything = controls;
        let mut swaps: FxHashMap<Head, Vec<Head>> = FxHashMap::default();
        let mut pushes: FxHashMap<Head, Vec<(Letter, Head)>> = FxHashMap::default();
        let mut open: Vec<(usize, Letter, usize)> = Vec::new();
        for letter in 0..letters {
            open.push((goal, letter, everything));
            open.push((everything, letter, everything));
        }
        for &(from, (to, put)) in rules {
            match put {
                Put::Nothing => open.push((from.0, from.1, to)),
                Put::One(letter) => swaps.entry((to, letter)).or_default().push(from),
                Put::Two(top, below) => pushes.entry((to, top)).or_default().push((below, from)),
            }
        }
        let mut reach = Self { transitions: FxHashMap::default(), everything };
        let mut count = 0;
        while let Some((from, letter, to)) = open.pop() {
            if !reach.transitions.entry((from, letter)).or_default().insert(to) {
                continue;
            }
            count += 1;
            if count > most {
                return None;
            }
            let before = swaps.get(&(from, letter)).into_iter().flatten();
            open.extend(before.map(|&(control, top)| (control, top, to)));
            for &(below, before) in pushes.get(&(from, letter)).into_iter().flatten() {
                let known = swaps.entry((to, below)).or_default();
                if !known.contains(&before) {
                    known.push(before);
                    let after = reach.transitions.get(&(to, below)).into_iter().flatten();
                    open.extend(after.map(|&after| (before.0, before.1, after)));
                }
            }
        }
        Some(reach)
    }

    /// Whether the goal can be reached from the control state with this stack, top first.
    pub(super) fn accepts(&self, control: Control, stack: impl Iterator<Item = Letter>) -> bool {
        let mut states = FxHashSet::from_iter([control]);
        for letter in stack {
            let next = states.iter().filter_map(|&state| self.transitions.get(&(state, letter))).flatten();
            states = next.copied().collect();
        }
        states.contains(&self.everything)
    }
}
