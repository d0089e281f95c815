//! Lexer states that a short string cannot tell apart.
//!
//! Two states are k-equivalent if reading at most k symbols gives the same from both: lexemes that may end, pending terminals, end
//! classes. Which terminals these are is not looked at, only their places among those that are pending where the reading begins: what one
//! state gives is what the other gives with the terminals [exchanged](super::exchange).
//!
//! What a subtree of the trie gives depends on the state only up to its height, so `maxLength: 10000` costs no more walks than the
//! tokens are long. Partitions are kept for k = 1, 2, 3, … 32, 48, 64, 96, … up to the longest token: what a subtree gives is shared by
//! states that are k-equivalent for the least such k that is not below its height. Strings of a hundred properties with
//! lengths of their own cost no more than one.
//!
//! A long counting chain costs a handful of states per round ([`Partition`]).

use super::exchange::{MAX_EXCHANGED, places};
use crate::csr::Csr;
use crate::ids::LexState;
use crate::lexer::Lexer;
use crate::limits::{Budget, OverBudget};
use crate::partition::{Partition, number};
use rustc_hash::FxHashMap;

/// The partitions.
pub(super) struct Levels {
    /// Class of each state, from fine lengths to coarse ones. Never empty; later ones are equal to the last.
    classes: Vec<Vec<u32>>,
    /// Per height (255: that or more): which entry of `classes`.
    of_height: Vec<u8>,
}

impl Levels {
    /// Partitions for strings of up to `longest` symbols.
    pub(super) fn new(lexer: &Lexer, longest: usize, budget: &Budget) -> Result<Self, OverBudget> {
        let mut partition = initial(lexer);
        let mut signatures = Signatures::new(lexer);
        let mut classes = Vec::new();
        let mut of_height = vec![0];
        let mut rounds = 0;
        // A token longer than a height can say is compared to the end.
        let longest = if longest < 255 { longest } else { usize::MAX };
        while classes.is_empty() || (partition.dirty() > 0 && rounds < longest) {
            let until = if classes.len() < 37 { step(classes.len()) } else { usize::MAX };
            while rounds < until && partition.dirty() > 0 {
                budget.charge_work((partition.dirty() * lexer.classes / 8) as u64 + 1)?;
                partition.round(|state, class_of, signature| {
                    signatures.append(LexState(state), class_of, signature);
                });
                rounds += 1;
            }
            budget.charge_bytes(lexer.states() as u64 * 4)?;
            of_height.resize(until.min(255) + 1, classes.len() as u8);
            classes.push(partition.class_of().to_vec());
            rounds = rounds.max(until);
        }
        of_height.resize(256, classes.len() as u8 - 1);
        Ok(Self { classes, of_height })
    }

    /// The class of each state among those that no token tells apart.
    pub(super) fn of_tokens(&self) -> &[u32] {
        &self.classes[usize::from(self.of_height[usize::from(u8::MAX)])]
    }

    /// The last state of each of these classes.
    pub(super) fn representatives(&self) -> Vec<LexState> {
        let class_of = self.of_tokens();
        let classes = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut representatives = vec![LexState(0); classes];
        for (state, &class) in class_of.iter().enumerate() {
            representatives[class as usize] = LexState::new(state);
        }
        representatives
    }

    /// The class of `state` among those that strings of up to `height` symbols tell apart; 255 stands for any number.
    pub(super) fn class(&self, height: u8, state: LexState) -> u32 {
        self.classes[usize::from(self.of_height[usize::from(height)])][state.index()]
    }
}

/// 1, 2, 3, … up to 32, which is as long as most tokens are; then 48, 64, 96, …
fn step(index: usize) -> usize {
    match index {
        0..32 => index + 1,
        _ if index.is_multiple_of(2) => 48 << ((index - 32) / 2),
        _ => 64 << ((index - 33) / 2),
    }
}

/// 0-equivalence; every state is still to be looked at.
fn initial(lexer: &Lexer) -> Partition {
    let key = |s: usize| {
        let (pending, accepts) = (lexer.pending(LexState::new(s)), lexer.accepts.row(s));
        let end = if accepts.is_empty() { None } else { Some(lexer.end_class[s]) };
        let exact = (pending.len() > MAX_EXCHANGED).then_some((lexer.pending[s], accepts));
        let places = if exact.is_some() { 0 } else { places(pending, accepts) };
        (pending.len(), exact, places, end)
    };
    let class_of = number((0..lexer.states()).map(key));
    let edges = (0..lexer.states() as u32).flat_map(|from| {
        let targets = lexer.rows.targets(LexState(from)).iter();
        targets.map(move |to| (from, to.index()))
    });
    Partition::new(class_of, Csr::inverse(lexer.states(), edges))
}

/// What states do on one symbol, up to classes of states.
///
/// That is a row of classes, written as a pattern and the classes in the order of the symbols, each once ([`Rows`](crate::lexer::Rows)). Where a
/// state's targets are of one class, its pattern becomes a coarser one.
struct Signatures<'a> {
    lexer: &'a Lexer,
    /// Numbers of patterns by their slots.
    patterns: FxHashMap<Box<[u32]>, u32>,
    /// By pattern, and the slot that each target gets.
    coarser: FxHashMap<(u32, Box<[u32]>), u32>,
    /// Numbers of classes with what is pending there, of what is pending before.
    with_pending: FxHashMap<(u32, u64), u32>,
    /// By two pending sets: the places of the second one's terminals in the first.
    places: FxHashMap<(u32, u32), u64>,
    /// Number of signatures so far.
    count: usize,
    /// Per class: the last signature with it, and its slot there.
    met: Vec<(usize, u32)>,
    /// A buffer.
    slots: Vec<u32>,
}

impl<'a> Signatures<'a> {
    fn new(lexer: &'a Lexer) -> Self {
        let numbers = 0..lexer.rows.sizes().len() as u32;
        Self {
            lexer,
            patterns: numbers.map(|pattern| (lexer.rows.slots_of(pattern).into(), pattern)).collect(),
            coarser: FxHashMap::default(),
            with_pending: FxHashMap::default(),
            places: FxHashMap::default(),
            count: 0,
            met: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Appends the same for states that do the same.
    fn append(&mut self, state: LexState, class_of: &[u32], signature: &mut Vec<u32>) {
        let start = signature.len();
        let pending = self.lexer.pending[state.index()];
        // The only one stays pending.
        let is_one = self.lexer.pending(state).len() == 1;
        signature.push(0);
        self.slots.clear();
        self.count += 1;
        for to in self.lexer.rows.targets(state) {
            let mut class = class_of[to.index()];
            if !is_one {
                let places = self.places(pending, self.lexer.pending[to.index()]);
                let fresh = self.with_pending.len() as u32;
                class = *self.with_pending.entry((class, places)).or_insert(fresh);
            }
            if self.met.len() <= class as usize {
                self.met.resize(class as usize + 1, (0, 0));
            }
            let (met, slot) = &mut self.met[class as usize];
            if *met != self.count {
                (*met, *slot) = (self.count, (signature.len() - start) as u32);
                signature.push(class);
            }
            self.slots.push(*slot);
        }
        let pattern = self.lexer.rows.pattern(state);
        let distinct = signature.len() - start - 1;
        signature[start] = if distinct == self.slots.len() { pattern } else { self.coarser(pattern) };
    }

    /// What of a state's pending set is pending in a state it leads to.
    fn places(&mut self, before: u32, after: u32) -> u64 {
        let [all, part] = [before, after].map(|set| self.lexer.pending_sets.row(set as usize));
        if all.len() > MAX_EXCHANGED {
            return u64::from(after);
        }
        if before == after {
            return u64::MAX;
        }
        *self.places.entry((before, after)).or_insert_with(|| places(all, part))
    }

    /// The pattern in which the targets of `pattern` have the slots in the buffer.
    fn coarser(&mut self, pattern: u32) -> u32 {
        let key = (pattern, self.slots.as_slice().into());
        let Self { lexer, patterns, coarser, slots, .. } = self;
        *coarser.entry(key).or_insert_with(|| {
            let slot = |&slot: &u32| slot.checked_sub(1).map_or(0, |target| slots[target as usize]);
            let fresh = patterns.len() as u32;
            *patterns.entry(lexer.rows.slots_of(pattern).iter().map(slot).collect()).or_insert(fresh)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::exchange::{Exchange, exchanged};
    use super::*;
    use crate::ids::EndClass;
    use crate::lexer::Rows;
    use gcc_grammar_ir::TerminalId;

    /// A random lexer of one context; what it accepts is all that matters here.
    fn lexer(seed: u64, states: usize, classes: usize) -> Lexer {
        let mut x = seed * 2 + 1;
        let mut next = |bound: usize| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) as usize % bound
        };
        let transitions: Vec<LexState> = (0..states * classes)
            .map(|i| if i < classes || next(4) == 0 { LexState(0) } else { LexState::new(next(states)) })
            .collect();
        let accepting: Vec<bool> = (0..states).map(|s| s > 0 && next(5) == 0).collect();
        let mut pending_sets = Csr::default();
        pending_sets.push([]);
        pending_sets.push([TerminalId(0), TerminalId(1)]);
        Lexer {
            classes,
            contexts: 1,
            rows: Rows::new(&transitions, classes),
            transitions,
            accepts: accepting.iter().map(|&a| a.then_some(TerminalId(0))).collect(),
            end_class: vec![EndClass(0); states],
            restarts: vec![LexState(1)],
            pending: (0..states).map(|s| u32::from(s > 0)).collect(),
            pending_sets,
        }
    }

    fn same(lexer: &Lexer, a: usize, b: usize, k: usize) -> bool {
        lexer.accepts.row(a) == lexer.accepts.row(b)
            && lexer.pending[a] == lexer.pending[b]
            && (k == 0
                || (0..lexer.classes).all(|c| {
                    let to = |s: usize| lexer.transitions[s * lexer.classes + c].index();
                    same(lexer, to(a), to(b), k - 1)
                }))
    }

    #[test]
    fn agrees_with_the_definition() {
        for seed in 0..60 {
            let lexer = lexer(seed, 14, 2 + seed as usize / 20);
            let levels = Levels::new(&lexer, 8, &Budget::unlimited("test")).unwrap();
            for height in [1, 2, 3, 4, 6, 8] {
                for a in 0..lexer.states() {
                    for b in 0..lexer.states() {
                        let (x, y) = (LexState::new(a), LexState::new(b));
                        let equal = levels.class(height as u8, x) == levels.class(height as u8, y);
                        assert_eq!(equal, same(&lexer, a, b, height), "seed {seed}: {a} {b} {height}");
                    }
                }
            }
        }
    }

    /// Two lexemes alike but for their terminals, of which two are pending, then one; a third that ends as the other of its two.
    #[test]
    fn terminals_are_exchanged_by_their_places() {
        let mut lexer = lexer(0, 10, 1);
        let next = [0, 2, 3, 0, 5, 6, 0, 8, 9, 0].map(LexState);
        lexer.rows = Rows::new(&next, 1);
        lexer.transitions = next.to_vec();
        let accepted = [None, None, None, Some(0), None, None, Some(2), None, None, Some(3)];
        lexer.accepts = accepted.into_iter().map(|terminal| terminal.map(TerminalId)).collect();
        lexer.pending_sets = Csr::default();
        lexer.pending_sets.push([]);
        for set in [&[0][..], &[2], &[3], &[0, 1], &[2, 3]] {
            lexer.pending_sets.push(set.iter().copied().map(TerminalId));
        }
        lexer.pending = vec![0, 4, 4, 1, 5, 5, 2, 5, 5, 3];
        let levels = Levels::new(&lexer, 8, &Budget::unlimited("test")).unwrap();
        let class = |height, state| levels.class(height, LexState(state));
        for height in [1, 2, 8] {
            assert_eq!([1, 2, 3].map(|s| class(height, s)), [4, 5, 6].map(|s| class(height, s)));
            assert_eq!(class(height, 6), class(height, 9));
            assert_ne!(class(height, 5), class(height, 8));
        }
        assert_eq!(class(1, 4), class(1, 7));
        assert_ne!(class(2, 4), class(2, 7));
        let mut exchange = Exchange::default();
        assert_eq!(exchange.part(&lexer, (4, 5), 1), 2);
        assert_eq!(exchange.part(&lexer, (4, 5), 4), 5);
        assert_eq!(exchanged(&lexer, (5, 4), TerminalId(3)), TerminalId(1));
    }

    /// Two chains alike but for the terminal at their ends, and two states that can become either but lead to one of them.
    #[test]
    fn terminals_are_exchanged_where_only_one_is_pending() {
        let mut lexer = lexer(0, 9, 1);
        let next = [0, 2, 3, 0, 5, 6, 0, 1, 4].map(LexState);
        lexer.rows = Rows::new(&next, 1);
        lexer.transitions = next.to_vec();
        lexer.accepts = (0..9).map(|s| [3, 6].contains(&s).then_some(TerminalId(s / 6))).collect();
        lexer.pending_sets = Csr::default();
        lexer.pending_sets.push([]);
        lexer.pending_sets.push([TerminalId(0)]);
        lexer.pending_sets.push([TerminalId(1)]);
        lexer.pending_sets.push([TerminalId(0), TerminalId(1)]);
        lexer.pending = vec![0, 1, 1, 1, 2, 2, 2, 3, 3];
        let levels = Levels::new(&lexer, 8, &Budget::unlimited("test")).unwrap();
        let class = |height, state| levels.class(height, LexState(state));
        for height in [1, 2, 8] {
            assert_eq!([class(height, 1), class(height, 2)], [class(height, 4), class(height, 5)]);
            assert_ne!(class(height, 7), class(height, 8));
        }
        assert_ne!(class(1, 1), class(1, 2));
    }
}
