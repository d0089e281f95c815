//! From a regular expression to a nondeterministic automaton (Thompson, "Regular expression search algorithm", 1968).
//!
//! Departures from the textbook, each to keep large inputs linear:
//! - alternatives that are literals become one minimal acyclic automaton, not one path each;
//! - sets of code points become the minimal automaton of their UTF-8 encodings, once per set;
//! - what is repeated more than a few times is minimized before it is copied;
//! - optional copies (`x{2,5}`) jump straight to the end, so closures stay short.

use super::acyclic;
use super::limits::Meter;
use super::{CharSet, Dfa, Look, Regex, RegularLimits, TooLarge};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Repetitions beyond this many copies are minimized before they are copied.
const COPIES_AS_WRITTEN: u32 = 2;

/// On a byte in `low..=high`, from `from` to `to`.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) low: u8,
    pub(super) high: u8,
    pub(super) to: u32,
}

/// Without reading, from `from` to `to`, if `look` holds here.
#[derive(Clone, Copy)]
pub(super) struct Jump {
    pub(super) from: u32,
    pub(super) look: Option<Look>,
    pub(super) to: u32,
}

/// Copies of one automaton in a row, which a repetition has made: copy `c` of its state `s` is `first + c * period + s`.
pub(super) struct Chain {
    pub(super) first: u32,
    pub(super) period: u32,
    pub(super) copies: u32,
    pub(super) best: Best,
}

/// Which copy of a state accepts everything that the other copies of it do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Best {
    /// The first one: more optional copies are left from there.
    First,
    /// The last one: fewer mandatory copies are left from there, and then any number may follow.
    Last,
}

/// State 0 is the start, `accept` the only accepting state.
pub(super) struct Nfa {
    pub(super) states: u32,
    pub(super) accept: u32,
    pub(super) edges: Vec<Edge>,
    pub(super) jumps: Vec<Jump>,
    pub(super) chains: Vec<Chain>,
}

impl Nfa {
    /// If `ordered`, the jumps out of a state are in the order in which a backtracking matcher would try them.
    pub(super) fn new(regex: &Regex, ordered: bool, limits: &RegularLimits) -> Result<Self, TooLarge> {
        let mut builder = Builder {
            nfa: Self { states: 1, accept: 0, edges: Vec::new(), jumps: Vec::new(), chains: Vec::new() },
            ordered,
            limits,
            meter: Meter::new(limits),
            sets: FxHashMap::default(),
        };
        builder.nfa.accept = builder.add(regex, 0)?;
        Ok(builder.nfa)
    }
}

/// An automaton ready to be copied into another: the edges of its states, and which of them accept.
struct Fragment {
    states: u32,
    edges: Vec<Edge>,
    accepting: Vec<u32>,
    /// Some edge leads back to state 0.
    reenters_start: bool,
    /// The only accepting state, if no edge leaves it.
    sole_exit: Option<u32>,
}

impl Fragment {
    fn new(dfa: &Dfa) -> Self {
        let states = dfa.state_count() as u32;
        let runs = class_runs(dfa.byte_classes());
        let edges: Vec<Edge> = (0..states).flat_map(|from| state_edges(dfa, from, &runs)).collect();
        let accepting: Vec<u32> = (0..states).filter(|&state| dfa.is_accepting(state)).collect();
        let reenters_start = edges.iter().any(|edge| edge.to == 0);
        let sole_exit = match accepting[..] {
            [only] if edges.iter().all(|edge| edge.from != only) => Some(only),
            _ => None,
        };
        Self { states, edges, accepting, reenters_start, sole_exit }
    }
}

/// The maximal runs of bytes of one class: `(low, high, class)`.
fn class_runs(classes: &[u8; 256]) -> Vec<(u8, u8, u8)> {
    let mut runs: Vec<(u8, u8, u8)> = Vec::new();
    for (byte, &class) in classes.iter().enumerate() {
        match runs.last_mut() {
            Some(last) if last.2 == class => last.1 = byte as u8,
            _ => runs.push((byte as u8, byte as u8, class)),
        }
    }
    runs
}

fn state_edges(dfa: &Dfa, from: u32, runs: &[(u8, u8, u8)]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for &(low, high, class) in runs {
        let Some(to) = dfa.next_by_class(from, class) else { continue };
        match edges.last_mut() {
            Some(last) if last.to == to && last.high.checked_add(1) == Some(low) => last.high = high,
            _ => edges.push(Edge { from, low, high, to }),
        }
    }
    edges
}

struct Builder<'r> {
    nfa: Nfa,
    /// Keep the order of preference; then no state has both edges and jumps that lead to other alternatives.
    ordered: bool,
    limits: &'r RegularLimits,
    meter: Meter,
    /// What was built for each set of code points.
    sets: FxHashMap<&'r CharSet, Rc<Fragment>>,
}

/// The recursion is as deep as the expression, which [`Regex::to_dfa`] has checked.
///
/// Every `add_*` takes the state to start from and returns the state where what was added ends. It adds edges out of
/// `from` but never into it, so alternatives can share `from`; edges out of the result may be added later.
impl<'r> Builder<'r> {
    fn new_state(&mut self) -> Result<u32, TooLarge> {
        let state = self.nfa.states;
        self.nfa.states += 1;
        self.meter.states(self.nfa.states as usize)?;
        self.meter.bytes(2 * size_of::<u32>())?;
        Ok(state)
    }

    fn edge(&mut self, from: u32, low: u8, high: u8, to: u32) -> Result<(), TooLarge> {
        self.meter.bytes(2 * size_of::<Edge>())?;
        self.nfa.edges.push(Edge { from, low, high, to });
        Ok(())
    }

    fn jump(&mut self, from: u32, look: Option<Look>, to: u32) -> Result<(), TooLarge> {
        self.meter.bytes(2 * size_of::<Jump>())?;
        self.nfa.jumps.push(Jump { from, look, to });
        Ok(())
    }

    fn add(&mut self, regex: &'r Regex, from: u32) -> Result<u32, TooLarge> {
        match regex {
            Regex::Chars(chars) => self.add_chars(chars, from),
            Regex::Bytes(bytes) => self.add_ranges(&bytes.ranges(), from),
            Regex::Literal(bytes) => self.add_literal(bytes, from),
            Regex::Concat(parts) => parts.iter().try_fold(from, |at, part| self.add(part, at)),
            Regex::Union(alternatives) => self.add_union(alternatives, from),
            Regex::Repeat { inner, min, max } if self.ordered => {
                self.add_ordered_repeat(inner, *min, *max, false, from)
            }
            Regex::Repeat { inner, min, max } => self.add_repeat(inner, *min, *max, from),
            Regex::Lazy(lazy) => match &**lazy {
                Regex::Repeat { inner, min, max } if self.ordered => {
                    self.add_ordered_repeat(inner, *min, *max, true, from)
                }
                other => self.add(other, from),
            },
            Regex::Look(look) => {
                let to = self.new_state()?;
                self.jump(from, Some(*look), to)?;
                Ok(to)
            }
            Regex::Intersect(_) | Regex::Complement(_) => self.add_dfa(&regex.build(self.limits)?, from),
            Regex::Automaton(dfa) => self.add_dfa(dfa, from),
        }
    }

    fn add_ranges(&mut self, ranges: &[(u8, u8)], from: u32) -> Result<u32, TooLarge> {
        let to = self.new_state()?;
        ranges.iter().try_for_each(|&(low, high)| self.edge(from, low, high, to))?;
        Ok(to)
    }

    fn add_literal(&mut self, bytes: &[u8], from: u32) -> Result<u32, TooLarge> {
        bytes.iter().try_fold(from, |at, &byte| self.add_ranges(&[(byte, byte)], at))
    }

    fn add_chars(&mut self, chars: &'r CharSet, from: u32) -> Result<u32, TooLarge> {
        let ascii = chars.0.iter().take_while(|&&(low, _)| low < 0x80);
        let whole = chars.contains_all_above_ascii();
        if whole || chars.0.last().is_none_or(|&(_, high)| high < 0x80) {
            let to = self.new_state()?;
            ascii
                .map(|&(low, high)| (low as u8, high.min(0x7F) as u8))
                .try_for_each(|(low, high)| self.edge(from, low, high, to))?;
            if whole {
                self.add_above_ascii(from, to)?;
            }
            return Ok(to);
        }
        let known = self.sets.get(chars).map(Rc::clone);
        let fragment = match known {
            Some(fragment) => fragment,
            None => {
                let built = Rc::new(Fragment::new(&acyclic::of_chars(chars, self.limits)?));
                self.sets.insert(chars, Rc::clone(&built));
                built
            }
        };
        self.add_fragment(&fragment, from)
    }

    /// All encodings of more than one byte (Unicode 16, table 3-7, well-formed byte sequences).
    fn add_above_ascii(&mut self, from: u32, to: u32) -> Result<(), TooLarge> {
        let [last, middle, first] = [self.new_state()?, self.new_state()?, self.new_state()?];
        let leads = [(0xC2, 0xDF, last), (0xE1, 0xEC, middle), (0xEE, 0xEF, middle), (0xF1, 0xF3, first)];
        leads.into_iter().try_for_each(|(low, high, next)| self.edge(from, low, high, next))?;
        // After these, not every continuation byte may follow: overlong forms, surrogates, beyond the last code point.
        let restricted = [
            (0xE0, 0xA0, 0xBF, last),
            (0xED, 0x80, 0x9F, last),
            (0xF0, 0x90, 0xBF, middle),
            (0xF4, 0x80, 0x8F, middle),
        ];
        for (lead, low, high, next) in restricted {
            let second = self.new_state()?;
            self.edge(from, lead, lead, second)?;
            self.edge(second, low, high, next)?;
        }
        self.edge(last, 0x80, 0xBF, to)?;
        self.edge(middle, 0x80, 0xBF, last)?;
        self.edge(first, 0x80, 0xBF, middle)
    }

    fn add_dfa(&mut self, dfa: &Dfa, from: u32) -> Result<u32, TooLarge> {
        self.add_fragment(&Fragment::new(dfa), from)
    }

    fn add_fragment(&mut self, fragment: &Fragment, from: u32) -> Result<u32, TooLarge> {
        self.meter.work(fragment.edges.len() + 1)?;
        let entry = if fragment.reenters_start { self.new_state()? } else { from };
        if entry != from {
            self.jump(from, None, entry)?;
        }
        let base = self.nfa.states;
        for _ in 1..fragment.states {
            self.new_state()?;
        }
        let place = |state: u32| if state == 0 { entry } else { base + state - 1 };
        for edge in &fragment.edges {
            self.edge(place(edge.from), edge.low, edge.high, place(edge.to))?;
        }
        if let Some(exit) = fragment.sole_exit {
            return Ok(place(exit));
        }
        let exit = self.new_state()?;
        fragment.accepting.iter().try_for_each(|&state| self.jump(place(state), None, exit))?;
        Ok(exit)
    }

    fn add_union(&mut self, alternatives: &'r [Regex], from: u32) -> Result<u32, TooLarge> {
        let exit = self.new_state()?;
        if self.ordered {
            for alternative in alternatives {
                let entry = self.new_state()?;
                self.jump(from, None, entry)?;
                let end = self.add(alternative, entry)?;
                self.jump(end, None, exit)?;
            }
            return Ok(exit);
        }
        let mut literals: Vec<&[u8]> = alternatives.iter().filter_map(Regex::as_literal).collect();
        let as_automaton = literals.len() > 1;
        if as_automaton {
            let end = self.add_dfa(&acyclic::of_literals(&mut literals, self.limits)?, from)?;
            self.jump(end, None, exit)?;
        }
        for alternative in alternatives {
            if as_automaton && alternative.as_literal().is_some() {
                continue;
            }
            self.meter.work(1)?;
            let end = self.add(alternative, from)?;
            self.jump(end, None, exit)?;
        }
        Ok(exit)
    }

    fn add_repeat(
        &mut self,
        inner: &'r Regex,
        min: u32,
        max: Option<u32>,
        from: u32,
    ) -> Result<u32, TooLarge> {
        if max.is_some_and(|max| max < min) {
            return self.new_state();
        }
        let copies = max.unwrap_or(min.saturating_add(1));
        if copies <= COPIES_AS_WRITTEN || inner.has_look() {
            return self.repeat(min, max, from, |builder, at| builder.add(inner, at));
        }
        let dfa = inner.build(self.limits)?;
        if dfa.is_empty() && min > 0 {
            return self.new_state();
        }
        if dfa.is_empty() || dfa == Dfa::empty_string() {
            return Ok(from);
        }
        let fragment = Fragment::new(&dfa);
        // Copies of something that may be empty are all optional.
        let min = if dfa.matches_empty() && max.is_some() { 0 } else { min };
        self.repeat(min, max, from, |builder, at| builder.add_fragment(&fragment, at))
    }

    fn repeat(
        &mut self,
        min: u32,
        max: Option<u32>,
        from: u32,
        mut copy: impl FnMut(&mut Self, u32) -> Result<u32, TooLarge>,
    ) -> Result<u32, TooLarge> {
        let mut at = from;
        let first = self.nfa.states;
        for _ in 0..min {
            self.meter.work(1)?;
            at = copy(self, at)?;
        }
        let Some(max) = max else {
            self.note_chain(first, min, Best::Last);
            let hub = self.new_state()?;
            self.jump(at, None, hub)?;
            let end = copy(self, hub)?;
            self.jump(end, None, hub)?;
            return Ok(hub);
        };
        let exit = self.new_state()?;
        let first = self.nfa.states;
        for _ in min..max {
            self.meter.work(1)?;
            self.jump(at, None, exit)?;
            at = copy(self, at)?;
        }
        self.note_chain(first, max - min, Best::First);
        self.jump(at, None, exit)?;
        Ok(exit)
    }

    /// The states from `first` on are so many copies, which all took the same number of states.
    fn note_chain(&mut self, first: u32, copies: u32, best: Best) {
        let period = (self.nfa.states - first).checked_div(copies).unwrap_or(0);
        if copies > 1 && period > 0 {
            self.nfa.chains.push(Chain { first, period, copies, best });
        }
    }

    /// Repeats as a backtracking matcher does: another round first, or leaving first if `lazy`.
    fn add_ordered_repeat(
        &mut self,
        inner: &'r Regex,
        min: u32,
        max: Option<u32>,
        lazy: bool,
        from: u32,
    ) -> Result<u32, TooLarge> {
        let mut at = from;
        for _ in 0..min {
            self.meter.work(1)?;
            at = self.add(inner, at)?;
        }
        let exit = self.new_state()?;
        if max.is_none() {
            let hub = self.new_state()?;
            self.jump(at, None, hub)?;
            let end = self.add_round(inner, hub, exit, lazy)?;
            self.jump(end, None, hub)?;
            return Ok(exit);
        }
        for _ in min..max.unwrap_or(min) {
            self.meter.work(1)?;
            at = self.add_round(inner, at, exit, lazy)?;
        }
        self.jump(at, None, exit)?;
        Ok(exit)
    }

    /// From `at` either through `inner` or to `exit`.
    fn add_round(&mut self, inner: &'r Regex, at: u32, exit: u32, lazy: bool) -> Result<u32, TooLarge> {
        let body = self.new_state()?;
        let (first, second) = if lazy { (exit, body) } else { (body, exit) };
        self.jump(at, None, first)?;
        self.jump(at, None, second)?;
        self.add(inner, body)
    }
}
