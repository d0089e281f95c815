//! The subset construction, with look-around at the places between bytes.
//!
//! A deterministic state is the set of nondeterministic states reached through unconditional jumps. If the
//! expression asserts anything about its surroundings, the state also remembers of what kind the last byte was
//! (or that there is none), and conditional jumps are followed only when the kind of the next byte is known too: once per
//! kind of byte, and once for the end of the text, which decides acceptance.

use super::TooLarge;
use super::acyclic::classes_from_starts;
use super::limits::Meter;
use super::minimize::{BYTES_PER_TRANSITION, Draft, NONE};
use super::nfa::{Best, Chain, Edge, Jump, Nfa};
use super::{Look, RegularLimits};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What stands on one side of a place between bytes, as far as assertions can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// The start or the end of the text.
    Edge,
    Newline,
    Word,
    Other,
}

impl Side {
    /// Stands for "the last byte was of this kind" in a set of states: no automaton has so many states.
    fn marker(self) -> u32 {
        u32::MAX - self as u32
    }

    fn from_marker(marker: u32) -> Option<Self> {
        [Self::Edge, Self::Newline, Self::Word, Self::Other].into_iter().find(|side| side.marker() == marker)
    }
}

/// Which kinds of bytes some assertion tells apart.
#[derive(Clone, Copy)]
struct Kinds {
    lines: bool,
    words: bool,
}

impl Kinds {
    fn new(jumps: &[Jump]) -> Self {
        let any = |wanted: fn(Look) -> bool| jumps.iter().filter_map(|jump| jump.look).any(wanted);
        Self {
            lines: any(|look| matches!(look, Look::LineStart | Look::LineEnd)),
            words: any(|look| matches!(look, Look::WordBoundary | Look::NotWordBoundary)),
        }
    }

    fn of(self, byte: u8) -> Side {
        match byte {
            b'\n' if self.lines => Side::Newline,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' if self.words => Side::Word,
            _ => Side::Other,
        }
    }

    /// The kinds that bytes can be of.
    fn all(self) -> impl Iterator<Item = Side> {
        let some = [(self.lines, Side::Newline), (self.words, Side::Word), (true, Side::Other)];
        some.into_iter().filter_map(|(told_apart, side)| told_apart.then_some(side))
    }
}

impl Look {
    /// Does the assertion hold between `before` and `after`?
    fn holds(self, before: Side, after: Side) -> bool {
        match self {
            Self::Start => before == Side::Edge,
            Self::End => after == Side::Edge,
            Self::LineStart => matches!(before, Side::Edge | Side::Newline),
            Self::LineEnd => matches!(after, Side::Edge | Side::Newline),
            Self::WordBoundary => (before == Side::Word) != (after == Side::Word),
            Self::NotWordBoundary => (before == Side::Word) == (after == Side::Word),
        }
    }
}

/// Edges and jumps of a nondeterministic automaton by the state they leave.
struct Indexed {
    edges: Vec<Edge>,
    edge_offsets: Vec<u32>,
    jumps: Vec<Jump>,
    jump_offsets: Vec<u32>,
    accept: u32,
    has_looks: bool,
    kinds: Kinds,
}

impl Indexed {
    /// Keeps the order of the jumps of a state.
    fn new(mut nfa: Nfa) -> Self {
        let states = nfa.states as usize;
        let edge_offsets = sort_by_state(&mut nfa.edges, states, |edge| edge.from);
        let jump_offsets = sort_by_state(&mut nfa.jumps, states, |jump| jump.from);
        let has_looks = nfa.jumps.iter().any(|jump| jump.look.is_some());
        let kinds = Kinds::new(&nfa.jumps);
        Self {
            edges: nfa.edges,
            edge_offsets,
            jumps: nfa.jumps,
            jump_offsets,
            accept: nfa.accept,
            has_looks,
            kinds,
        }
    }

    fn edges(&self, state: u32) -> &[Edge] {
        &self.edges
            [self.edge_offsets[state as usize] as usize..self.edge_offsets[state as usize + 1] as usize]
    }

    fn jumps(&self, state: u32) -> &[Jump] {
        &self.jumps
            [self.jump_offsets[state as usize] as usize..self.jump_offsets[state as usize + 1] as usize]
    }

    /// Do the edges of `state` not overlap, and come in order?
    fn is_deterministic(&self, state: u32) -> bool {
        self.edges(state).windows(2).all(|pair| pair[0].high < pair[1].low)
    }

    /// Which states matter in a set that is closed already.
    fn that_matter(&self) -> Vec<bool> {
        let mut matter = vec![false; self.edge_offsets.len() - 1];
        matter[self.accept as usize] = true;
        self.edges.iter().for_each(|edge| matter[edge.from as usize] = true);
        let looks = self.jumps.iter().filter(|jump| jump.look.is_some());
        looks.for_each(|jump| matter[jump.from as usize] = true);
        matter
    }
}

/// Sorts stably by state and returns where each state's items begin.
fn sort_by_state<T: Copy>(items: &mut [T], states: usize, state: impl Fn(&T) -> u32) -> Vec<u32> {
    items.sort_by_key(&state);
    let mut offsets = vec![0u32; states + 1];
    items.iter().for_each(|item| offsets[state(item) as usize + 1] += 1);
    for index in 0..states {
        offsets[index + 1] += offsets[index];
    }
    offsets
}

/// A set of states with constant-time clearing: a state is in it if its stamp is the current one.
struct Visited {
    stamps: Vec<u32>,
    current: u32,
}

impl Visited {
    fn new(states: usize) -> Self {
        Self { stamps: vec![0; states], current: 0 }
    }

    fn clear(&mut self) {
        self.current = self.current.wrapping_add(1);
        if self.current == 0 {
            self.stamps.fill(0);
            self.current = 1;
        }
    }

    /// Was it not in there yet?
    fn insert(&mut self, state: u32) -> bool {
        std::mem::replace(&mut self.stamps[state as usize], self.current) != self.current
    }
}

/// Copies of a state of which one is as good as all.
struct Twins {
    /// The group of each state, + 1; 0 if it has no copies.
    group: Vec<u32>,
    best: Vec<Best>,
    seen: Visited,
}

impl Twins {
    /// None if there are no copies.
    fn new(chains: &[Chain], states: usize) -> Option<Self> {
        let groups = chains.iter().map(|chain| chain.period as usize).sum::<usize>();
        let mut twins = Self { group: vec![0; states], best: Vec::new(), seen: Visited::new(groups + 1) };
        for chain in chains {
            let base = twins.best.len() as u32 + 1;
            for offset in 0..chain.copies * chain.period {
                twins.group[(chain.first + offset) as usize] = base + offset % chain.period;
            }
            twins.best.extend(std::iter::repeat_n(chain.best, chain.period as usize));
        }
        (!chains.is_empty()).then_some(twins)
    }

    /// Removes from a sorted set the states that have a better copy in it.
    fn prune(&mut self, set: &mut Vec<u32>) {
        for best in [Best::First, Best::Last] {
            if !self.best.contains(&best) {
                continue;
            }
            self.seen.clear();
            let mut keep = |state: &u32| {
                let group = self.group[*state as usize];
                group == 0 || self.best[group as usize - 1] != best || self.seen.insert(group)
            };
            if best == Best::Last {
                set.reverse();
            }
            set.retain(&mut keep);
            if best == Best::Last {
                set.reverse();
            }
        }
    }
}

struct Determinizer {
    nfa: Indexed,
    /// Whether each state matters in a set that is closed already.
    matters: Vec<bool>,
    twins: Option<Twins>,
    /// Sets are lists in the order of preference.
    ordered: bool,
    meter: Meter,
    visited: Visited,
    stack: Vec<u32>,
    /// Number of the deterministic state of each set.
    numbers: FxHashMap<Rc<[u32]>, u32>,
    sets: Vec<Rc<[u32]>>,
    /// The deterministic state entered when exactly this nondeterministic state is, + 1.
    singles: Vec<u32>,
    /// The set under construction.
    scratch: Vec<u32>,
}

/// The deterministic automaton of the same language, not minimal yet.
///
/// If `ordered`, of the strings that a backtracking matcher would return as the match at the start of some text: the
/// states are lists in the order of preference, and what comes after acceptance is never tried. (So do RE2 and
/// regex-automata for "leftmost-first" search; the last acceptance on the way is the match.)
pub(super) fn determinize(nfa: Nfa, ordered: bool, limits: &RegularLimits) -> Result<Draft, TooLarge> {
    let starts = edge_starts(&nfa);
    let (classes, class_count) = classes_from_starts(&starts);
    let states = nfa.states as usize;
    let twins = Twins::new(&nfa.chains, states);
    let nfa = Indexed::new(nfa);
    let mut work = Determinizer {
        matters: nfa.that_matter(),
        twins,
        nfa,
        ordered,
        meter: Meter::new(limits),
        visited: Visited::new(states),
        stack: Vec::new(),
        numbers: FxHashMap::default(),
        sets: Vec::new(),
        singles: vec![0; states],
        scratch: Vec::new(),
    };
    work.number_of(&[0], Side::Edge)?;
    let mut table = Vec::new();
    let mut accepting = Vec::new();
    let mut segments = Segments::default();
    while accepting.len() < work.sets.len() {
        let set = Rc::clone(&work.sets[accepting.len()]);
        let row = table.len();
        table.resize(row + class_count, NONE);
        work.meter.bytes(class_count * size_of::<u32>())?;
        work.meter.work(class_count)?;
        let mut transitions = 0;
        accepting.push(work.expand(&set, &mut segments, |low, high, target| {
            let [first, last] = [low, high].map(|byte| row + usize::from(classes[usize::from(byte)]));
            table[first..=last].fill(target + 1);
            transitions += last + 1 - first;
        })?);
        work.meter.bytes(transitions * BYTES_PER_TRANSITION)?;
    }
    Ok(Draft { classes, class_count, table, accepting })
}

/// Where ranges of bytes begin that the automaton may tell apart.
fn edge_starts(nfa: &Nfa) -> [bool; 257] {
    let mut starts = [false; 257];
    for edge in &nfa.edges {
        starts[usize::from(edge.low)] = true;
        starts[usize::from(edge.high) + 1] = true;
    }
    let kinds = Kinds::new(&nfa.jumps);
    for byte in 1..=255u8 {
        starts[usize::from(byte)] |= kinds.of(byte) != kinds.of(byte - 1);
    }
    starts
}

/// The bytes cut where some edge of a set begins or ends, each piece with the targets of the edges that cover it.
#[derive(Default)]
struct Segments {
    bounds: Vec<(u8, u8)>,
    targets: Vec<Vec<u32>>,
}

impl Segments {
    /// Cuts along `edges`; pieces without an edge may be among them.
    fn fill<'e>(&mut self, edges: impl Iterator<Item = &'e Edge> + Clone) -> usize {
        let mut starts = [0u64; 5];
        let mut mark = |place: usize| starts[place >> 6] |= 1 << (place & 63);
        for edge in edges.clone() {
            mark(usize::from(edge.low));
            mark(usize::from(edge.high) + 1);
        }
        self.cut(&starts);
        let mut pushed = 0;
        for edge in edges {
            let first = self.bounds.partition_point(|piece| piece.0 < edge.low);
            for (piece, targets) in self.bounds.iter().zip(&mut self.targets).skip(first) {
                if piece.0 > edge.high {
                    break;
                }
                targets.push(edge.to);
                pushed += 1;
            }
        }
        pushed
    }

    fn cut(&mut self, starts: &[u64; 5]) {
        self.bounds.clear();
        for (index, &word) in starts.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let place = index * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if let Some(last) = self.bounds.last_mut() {
                    last.1 = (place - 1) as u8;
                }
                if place < 256 {
                    self.bounds.push((place as u8, 255));
                }
            }
        }
        while self.targets.len() < self.bounds.len() {
            self.targets.push(Vec::new());
        }
        self.targets.iter_mut().for_each(Vec::clear);
    }
}

impl Determinizer {
    /// Reports the transitions of a state as `(low, high, target)` and returns whether it accepts.
    fn expand(
        &mut self,
        set: &[u32],
        segments: &mut Segments,
        mut report: impl FnMut(u8, u8, u32),
    ) -> Result<bool, TooLarge> {
        if !self.nfa.has_looks {
            match *set {
                [state] if self.nfa.is_deterministic(state) => self.follow_single(state, &mut report)?,
                _ => self.follow(set, None, segments, &mut report)?,
            }
            return Ok(set.contains(&self.nfa.accept));
        }
        let (before, members) = match set.split_last() {
            Some((&marker, members)) => (Side::from_marker(marker).unwrap_or(Side::Edge), members),
            None => (Side::Edge, set),
        };
        for after in self.nfa.kinds.all() {
            let here = self.closure_between(members, before, after)?;
            self.follow(&here, Some(after), segments, &mut report)?;
        }
        Ok(self.closure_between(members, before, Side::Edge)?.contains(&self.nfa.accept))
    }

    /// Reports where the edges of one state lead, which do not overlap.
    fn follow_single(&mut self, state: u32, report: &mut impl FnMut(u8, u8, u32)) -> Result<(), TooLarge> {
        let start = self.nfa.edge_offsets[state as usize] as usize;
        let end = self.nfa.edge_offsets[state as usize + 1] as usize;
        self.meter.work(end - start)?;
        for index in start..end {
            let Edge { low, high, to, .. } = self.nfa.edges[index];
            let target = self.number_of(&[to], Side::Edge)?;
            report(low, high, target);
        }
        Ok(())
    }

    /// Reports where the bytes (of kind `after` only, if given) lead from the members of `set`.
    fn follow(
        &mut self,
        set: &[u32],
        after: Option<Side>,
        segments: &mut Segments,
        report: &mut impl FnMut(u8, u8, u32),
    ) -> Result<(), TooLarge> {
        let pushed = segments.fill(set.iter().flat_map(|&state| self.nfa.edges(state)));
        self.meter.work(pushed + set.len() + segments.bounds.len())?;
        for index in 0..segments.bounds.len() {
            let (low, high) = segments.bounds[index];
            if segments.targets[index].is_empty() {
                continue;
            }
            let Some(after) = after else {
                let target = self.number_of(&segments.targets[index], Side::Edge)?;
                report(low, high, target);
                continue;
            };
            let kinds = self.nfa.kinds;
            let mut wanted = (low..=high).filter(|&byte| kinds.of(byte) == after).peekable();
            while let Some(first) = wanted.next() {
                let mut last = first;
                while let Some(next) = wanted.next_if(|&next| next == last + 1) {
                    last = next;
                }
                let target = self.number_of(&segments.targets[index], after)?;
                report(first, last, target);
            }
        }
        Ok(())
    }

    /// The deterministic state entered when all of `targets` are, after a byte of kind `before`.
    fn number_of(&mut self, targets: &[u32], before: Side) -> Result<u32, TooLarge> {
        let single = match *targets {
            [only] if !self.nfa.has_looks => Some(only as usize),
            _ => None,
        };
        if let Some(known) = single.and_then(|single| self.singles[single].checked_sub(1)) {
            return Ok(known);
        }
        self.close(targets, |_| false)?;
        if self.nfa.has_looks {
            self.scratch.push(before.marker());
        }
        let number = match self.numbers.get(self.scratch.as_slice()) {
            Some(&known) => known,
            None => self.new_set()?,
        };
        if let Some(single) = single {
            self.singles[single] = number + 1;
        }
        Ok(number)
    }

    fn new_set(&mut self) -> Result<u32, TooLarge> {
        let set: Rc<[u32]> = self.scratch.as_slice().into();
        let number = self.sets.len() as u32;
        self.meter.states(self.sets.len() + 1)?;
        self.meter.bytes(set.len() * size_of::<u32>() + 64)?;
        self.sets.push(Rc::clone(&set));
        self.numbers.insert(set, number);
        Ok(number)
    }

    fn closure_between(&mut self, members: &[u32], before: Side, after: Side) -> Result<Vec<u32>, TooLarge> {
        self.close(members, |look| look.holds(before, after))?;
        Ok(self.scratch.clone())
    }

    /// Leaves in `scratch` the states that matter among those reachable from `from` by jumps: unconditional ones,
    /// and those whose condition `holds`. Depth first, so in the order of preference.
    fn close(&mut self, from: &[u32], holds: impl Fn(Look) -> bool) -> Result<(), TooLarge> {
        self.visited.clear();
        self.scratch.clear();
        self.stack.clear();
        self.stack.extend(from.iter().rev());
        let mut steps = 0;
        while let Some(state) = self.stack.pop() {
            steps += 1;
            if !self.visited.insert(state) {
                continue;
            }
            if self.matters[state as usize] {
                self.scratch.push(state);
            }
            if self.ordered && state == self.nfa.accept {
                break;
            }
            let open = self.nfa.jumps(state).iter().rev().filter(|jump| jump.look.is_none_or(&holds));
            self.stack.extend(open.map(|jump| jump.to));
        }
        if !self.ordered {
            self.scratch.sort_unstable();
            if let Some(twins) = &mut self.twins {
                twins.prune(&mut self.scratch);
            }
        }
        self.meter.work(steps)
    }
}
