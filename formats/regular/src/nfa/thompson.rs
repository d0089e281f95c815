//! Thompson's construction, with shortcuts that keep large inputs linear.
//!
//! Comes in: a regular expression. Goes out: an [`Nfa`] of the same language. Departures from the textbook:
//! - alternatives that are literals become one minimal acyclic automaton, not one path each;
//! - sets of code points become the minimal automaton of their UTF-8 encodings, once per set;
//! - an expression that is repeated more than a few times is minimized before it is copied;
//! - optional copies (`x{2,5}`) have an ε-transition straight to the end, so closures stay short.
//!
//! The first and the third lose the order of preference, so they do not apply under an order of preference.

use super::automaton::{Around, Chain, Dominant, Edge, Epsilon, Guard, Nfa, Preference};
use super::fragment::Fragment;
use crate::dfa::Dfa;
use crate::limits::{Meter, RegularLimits};
use crate::regex::{self, Look, Regex};
use crate::sets::CharSet;
use crate::sorted_words::{chars_dfa, literals_dfa};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The greatest number of copies of a repeated expression that are built from the expression as it is. For more copies,
/// the expression is minimized first.
const COPIES_AS_WRITTEN: u32 = 2;

/// Whether an expression is a repetition whose operand is minimized before it is copied, unless it looks around or there is an order of preference.
pub(crate) fn is_minimized(regex: &Regex) -> bool {
    match regex {
        Regex::Repeat { min, max, .. } => max.unwrap_or(min.saturating_add(1)) > COPIES_AS_WRITTEN,
        _ => false,
    }
}

/// Compiles a subexpression to a minimal automaton.
type Compile = fn(&Regex, &RegularLimits) -> Result<Dfa, OverBudget>;

/// The nondeterministic automaton of `regex`. Subexpressions that need a deterministic automaton go through `compile`, which comes back here, and so
/// does what is looked at around a position; so the caller checks the depth of the expression.
pub(crate) fn thompson(
    regex: &Regex,
    preference: Preference,
    limits: &RegularLimits,
    compile: Compile,
) -> Result<Nfa, OverBudget> {
    let mut builder = Builder {
        nfa: Nfa { states: 1, ..Nfa::default() },
        preference,
        limits,
        compile,
        meter: Meter::new(limits),
        sets: FxHashMap::default(),
    };
    builder.nfa.accept = builder.add(regex, 0)?;
    Ok(builder.nfa)
}

/// What happens when an expression is entered.
enum Entered<'r> {
    /// It was added, and ends in this state.
    Ended(u32),
    /// Its parts are added one after the other, from this state on.
    Within(Frame<'r>, u32),
}

/// What comes next within an expression.
enum Step<'r> {
    /// A part, from this state on.
    Add(&'r Regex, u32),
    /// Nothing: it ends in this state.
    Ended(u32),
}

/// An expression whose parts are being added.
enum Frame<'r> {
    Concat(std::slice::Iter<'r, Regex>),
    Union(Union<'r>),
    Rounds(Rounds<'r>),
    /// A repetition under an order of preference, and whether it is lazy.
    Ordered(Rounds<'r>, bool),
}

struct Union<'r> {
    rest: std::slice::Iter<'r, Regex>,
    from: u32,
    exit: u32,
    /// Whether an alternative was added.
    has_begun: bool,
    /// Whether the literals were added as one automaton.
    skips_literals: bool,
}

/// A repetition whose rounds are being added.
struct Rounds<'r> {
    inner: &'r Regex,
    min: u32,
    max: Option<u32>,
    done: u32,
    /// The number of states before the first of the rounds that may be left out, or before all.
    first: u32,
    /// The state where the repetition may be left, as soon as it is known.
    turn: Option<u32>,
    /// Under an order of preference, where an unbounded repetition comes back to.
    hub: Option<u32>,
}

impl<'r> Rounds<'r> {
    fn new(inner: &'r Regex, min: u32, max: Option<u32>) -> Self {
        Self { inner, min, max, done: 0, first: 0, turn: None, hub: None }
    }
}

struct Builder<'r> {
    nfa: Nfa,
    /// If it is an order, no state has both edges and ε-transitions to other alternatives.
    preference: Preference,
    limits: &'r RegularLimits,
    compile: Compile,
    meter: Meter,
    /// The automaton of each set of code points.
    sets: FxHashMap<&'r CharSet, Rc<Fragment>>,
}

/// Every method `add_*` adds an expression that starts in the state `from`, and returns the state where it ends. It adds
/// transitions out of `from` but never into it, so alternatives can share `from`. Transitions out of the returned state
/// may be added later.
impl<'r> Builder<'r> {
    fn prefers(&self) -> bool {
        self.preference.is_ordered()
    }

    fn new_state(&mut self) -> Result<u32, OverBudget> {
        let state = self.nfa.states;
        self.nfa.states += 1;
        self.meter.states(self.nfa.states as usize)?;
        self.meter.bytes(2 * size_of::<u32>())?;
        Ok(state)
    }

    fn edge(&mut self, from: u32, low: u8, high: u8, to: u32) -> Result<(), OverBudget> {
        self.meter.bytes(2 * size_of::<Edge>())?;
        self.nfa.edges.push(Edge { from, low, high, to });
        Ok(())
    }

    fn epsilon(&mut self, from: u32, look: Option<Look>, to: u32) -> Result<(), OverBudget> {
        self.meter.bytes(2 * size_of::<Epsilon>())?;
        self.nfa.epsilons.push(Epsilon { from, look, to });
        Ok(())
    }

    /// The expressions around the one at hand lie on a stack, so nothing recurses but through `compile`.
    fn add(&mut self, regex: &'r Regex, from: u32) -> Result<u32, OverBudget> {
        let mut around: Vec<Frame<'r>> = Vec::new();
        let (mut next, mut from) = (regex, from);
        loop {
            let mut at = match self.enter(next, from)? {
                Entered::Ended(at) => at,
                Entered::Within(frame, at) => {
                    around.push(frame);
                    at
                }
            };
            (next, from) = loop {
                let Some(frame) = around.last_mut() else { return Ok(at) };
                match self.go_on(frame, at)? {
                    Step::Add(part, from) => break (part, from),
                    Step::Ended(end) => {
                        at = end;
                        around.pop();
                    }
                }
            };
        }
    }

    /// Adds an expression that has no parts, or begins one that has.
    fn enter(&mut self, regex: &'r Regex, from: u32) -> Result<Entered<'r>, OverBudget> {
        let ended = match regex {
            Regex::Concat(parts) => return Ok(Entered::Within(Frame::Concat(parts.iter()), from)),
            Regex::Union(alternatives) => return self.enter_union(alternatives, from),
            Regex::Repeat { inner, min, max } if self.prefers() => {
                return Ok(Entered::Within(Frame::Ordered(Rounds::new(inner, *min, *max), false), from));
            }
            Regex::Repeat { inner, min, max } => {
                return self.enter_repeat(regex, (inner, *min, *max), from);
            }
            Regex::Lazy(lazy) => match &**lazy {
                Regex::Repeat { inner, min, max } if self.prefers() => {
                    return Ok(Entered::Within(Frame::Ordered(Rounds::new(inner, *min, *max), true), from));
                }
                other => {
                    return Ok(Entered::Within(Frame::Concat(std::slice::from_ref(other).iter()), from));
                }
            },
            Regex::Chars(chars) => self.add_chars(chars, from),
            Regex::Bytes(bytes) => self.add_ranges(&bytes.ranges(), from),
            Regex::Literal(bytes) => self.add_literal(bytes, from),
            Regex::Look(look) => self.add_look(*look, from),
            Regex::Around(around) => self.add_around(around, from),
            Regex::Intersect(_) | Regex::Complement(_) => {
                self.add_dfa(&(self.compile)(regex, self.limits)?, from)
            }
            Regex::Automaton(dfa) => self.add_dfa(dfa, from),
        };
        ended.map(Entered::Ended)
    }

    /// What comes next within an expression, of which a part has ended in the state `at`; or before its first part, where the expression began.
    fn go_on(&mut self, frame: &mut Frame<'r>, at: u32) -> Result<Step<'r>, OverBudget> {
        match frame {
            Frame::Concat(rest) => Ok(rest.next().map_or(Step::Ended(at), |part| Step::Add(part, at))),
            Frame::Union(union) => self.next_alternative(union, at),
            Frame::Rounds(rounds) => self.next_round(rounds, at),
            Frame::Ordered(rounds, lazy) => self.next_ordered_round(rounds, *lazy, at),
        }
    }

    fn add_look(&mut self, look: Look, from: u32) -> Result<u32, OverBudget> {
        let to = self.new_state()?;
        self.epsilon(from, Some(look), to)?;
        Ok(to)
    }

    fn add_around(&mut self, around: &'r regex::Around, from: u32) -> Result<u32, OverBudget> {
        let regex::Around { inner, behind, negative } = around;
        let nfa = thompson(inner, Preference::None, self.limits, self.compile)?;
        let to = self.new_state()?;
        self.meter.bytes(2 * (size_of::<Guard>() + size_of::<Around>()))?;
        self.nfa.guards.push(Guard { from, around: self.nfa.arounds.len(), to });
        self.nfa.arounds.push(Around { nfa, behind: *behind, negative: *negative });
        Ok(to)
    }

    fn add_ranges(&mut self, ranges: &[(u8, u8)], from: u32) -> Result<u32, OverBudget> {
        let to = self.new_state()?;
        ranges.iter().try_for_each(|&(low, high)| self.edge(from, low, high, to))?;
        Ok(to)
    }

    fn add_literal(&mut self, bytes: &[u8], from: u32) -> Result<u32, OverBudget> {
        bytes.iter().try_fold(from, |at, &byte| self.add_ranges(&[(byte, byte)], at))
    }

    fn add_chars(&mut self, chars: &'r CharSet, from: u32) -> Result<u32, OverBudget> {
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
                let built = Rc::new(Fragment::new(&chars_dfa(chars, self.limits)?));
                self.sets.insert(chars, Rc::clone(&built));
                built
            }
        };
        self.add_fragment(&fragment, from)
    }

    /// Adds all UTF-8 encodings of more than one byte (Unicode 16, table 3-7, well-formed byte sequences).
    fn add_above_ascii(&mut self, from: u32, to: u32) -> Result<(), OverBudget> {
        let [last, middle, first] = [self.new_state()?, self.new_state()?, self.new_state()?];
        let leads = [(0xC2, 0xDF, last), (0xE1, 0xEC, middle), (0xEE, 0xEF, middle), (0xF1, 0xF3, first)];
        leads.into_iter().try_for_each(|(low, high, next)| self.edge(from, low, high, next))?;
        // After these lead bytes, some continuation bytes are excluded: overlong forms, surrogates, values above U+10FFFF.
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

    fn add_dfa(&mut self, dfa: &Dfa, from: u32) -> Result<u32, OverBudget> {
        self.add_fragment(&Fragment::new(dfa), from)
    }

    fn add_fragment(&mut self, fragment: &Fragment, from: u32) -> Result<u32, OverBudget> {
        self.meter.work(fragment.edges.len() + 1)?;
        let entry = if fragment.reenters_start { self.new_state()? } else { from };
        if entry != from {
            self.epsilon(from, None, entry)?;
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
        fragment.accepting.iter().try_for_each(|&state| self.epsilon(place(state), None, exit))?;
        Ok(exit)
    }

    fn enter_union(&mut self, alternatives: &'r [Regex], from: u32) -> Result<Entered<'r>, OverBudget> {
        let exit = self.new_state()?;
        let mut union =
            Union { rest: alternatives.iter(), from, exit, has_begun: false, skips_literals: false };
        if !self.prefers() {
            let mut literals: Vec<&[u8]> = alternatives.iter().filter_map(Regex::as_literal).collect();
            union.skips_literals = literals.len() > 1;
            if union.skips_literals {
                let end = self.add_dfa(&literals_dfa(&mut literals, self.limits)?, from)?;
                self.epsilon(end, None, exit)?;
            }
        }
        Ok(Entered::Within(Frame::Union(union), from))
    }

    fn next_alternative(&mut self, union: &mut Union<'r>, end: u32) -> Result<Step<'r>, OverBudget> {
        if std::mem::replace(&mut union.has_begun, true) {
            self.epsilon(end, None, union.exit)?;
        }
        let skips = union.skips_literals;
        let Some(next) = union.rest.find(|part| !skips || part.as_literal().is_none()) else {
            return Ok(Step::Ended(union.exit));
        };
        if !self.prefers() {
            self.meter.work(1)?;
            return Ok(Step::Add(next, union.from));
        }
        let entry = self.new_state()?;
        self.epsilon(union.from, None, entry)?;
        Ok(Step::Add(next, entry))
    }

    fn enter_repeat(
        &mut self,
        regex: &Regex,
        (inner, min, max): (&'r Regex, u32, Option<u32>),
        from: u32,
    ) -> Result<Entered<'r>, OverBudget> {
        if max.is_some_and(|max| max < min) {
            return self.new_state().map(Entered::Ended);
        }
        if !is_minimized(regex) || inner.has_look() {
            let rounds = Rounds { first: self.nfa.states, ..Rounds::new(inner, min, max) };
            return Ok(Entered::Within(Frame::Rounds(rounds), from));
        }
        let dfa = (self.compile)(inner, self.limits)?;
        if dfa.is_empty() && min > 0 {
            return self.new_state().map(Entered::Ended);
        }
        if dfa.is_empty() || dfa == Dfa::empty_string() {
            return Ok(Entered::Ended(from));
        }
        let fragment = Fragment::new(&dfa);
        // Copies of something that may be empty are all optional.
        let min = if dfa.matches_empty() && max.is_some() { 0 } else { min };
        let mut rounds = Rounds { first: self.nfa.states, ..Rounds::new(inner, min, max) };
        let mut at = from;
        loop {
            match self.next_round(&mut rounds, at)? {
                Step::Add(_, from) => at = self.add_fragment(&fragment, from)?,
                Step::Ended(end) => return Ok(Entered::Ended(end)),
            }
        }
    }

    /// The next copy of a repetition.
    fn next_round(&mut self, rounds: &mut Rounds<'r>, at: u32) -> Result<Step<'r>, OverBudget> {
        let Rounds { inner, min, max, .. } = *rounds;
        if rounds.done < min {
            self.meter.work(1)?;
            rounds.done += 1;
            return Ok(Step::Add(inner, at));
        }
        let Some(max) = max else {
            if let Some(hub) = rounds.turn {
                self.epsilon(at, None, hub)?;
                return Ok(Step::Ended(hub));
            }
            self.record_chain(rounds.first, min, Dominant::Last);
            let hub = self.new_state()?;
            rounds.turn = Some(hub);
            self.epsilon(at, None, hub)?;
            return Ok(Step::Add(inner, hub));
        };
        let exit = match rounds.turn {
            Some(exit) => exit,
            None => {
                let exit = self.new_state()?;
                (rounds.turn, rounds.first) = (Some(exit), self.nfa.states);
                exit
            }
        };
        if rounds.done < max {
            self.meter.work(1)?;
            self.epsilon(at, None, exit)?;
            rounds.done += 1;
            return Ok(Step::Add(inner, at));
        }
        self.record_chain(rounds.first, max - min, Dominant::First);
        self.epsilon(at, None, exit)?;
        Ok(Step::Ended(exit))
    }

    /// Records that the states from `first` on are `copies` copies of one automaton, all of the same size.
    fn record_chain(&mut self, first: u32, copies: u32, dominant: Dominant) {
        let period = (self.nfa.states - first).checked_div(copies).unwrap_or(0);
        if copies > 1 && period > 0 {
            self.nfa.chains.push(Chain { first, period, copies, dominant });
        }
    }

    /// The next round of a repetition with the preference of a backtracking matcher: another round first, or leaving first if `lazy`.
    fn next_ordered_round(
        &mut self,
        rounds: &mut Rounds<'r>,
        lazy: bool,
        at: u32,
    ) -> Result<Step<'r>, OverBudget> {
        let Rounds { inner, min, max, .. } = *rounds;
        if rounds.done < min {
            self.meter.work(1)?;
            rounds.done += 1;
            return Ok(Step::Add(inner, at));
        }
        let exit = match rounds.turn {
            Some(exit) => exit,
            None => *rounds.turn.insert(self.new_state()?),
        };
        let Some(max) = max else {
            if let Some(hub) = rounds.hub {
                self.epsilon(at, None, hub)?;
                return Ok(Step::Ended(exit));
            }
            let hub = self.new_state()?;
            rounds.hub = Some(hub);
            self.epsilon(at, None, hub)?;
            return self.begin_round(inner, hub, exit, lazy);
        };
        if rounds.done < max {
            self.meter.work(1)?;
            rounds.done += 1;
            return self.begin_round(inner, at, exit, lazy);
        }
        self.epsilon(at, None, exit)?;
        Ok(Step::Ended(exit))
    }

    /// Begins one round of a repetition: from `at` either through `inner` or to `exit`.
    fn begin_round(
        &mut self,
        inner: &'r Regex,
        at: u32,
        exit: u32,
        lazy: bool,
    ) -> Result<Step<'r>, OverBudget> {
        let body = self.new_state()?;
        if lazy {
            self.meter.bytes(2 * size_of::<u32>())?;
            self.nfa.lazy.push(at);
        }
        let (first, second) = if lazy { (exit, body) } else { (body, exit) };
        self.epsilon(at, None, first)?;
        self.epsilon(at, None, second)?;
        Ok(Step::Add(inner, body))
    }
}
