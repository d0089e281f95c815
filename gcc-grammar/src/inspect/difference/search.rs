//! Searches for texts that only one of two grammars has, the shortest first.
//!
//! The two parsers run in parallel. What all their stacks have in common is cut off, state by state, and the rest is searched by itself, as an
//! *area* whose stacks are known from its own bottom on. An area is searched once, however many stacks it is entered on: where a step depends
//! on what was cut off, the search leaves the area, and goes on in each area that has entered it. Therefore it comes to an end also where texts
//! nest without a bound, if the two parsers push and pop at the same places, up to a bounded distance.
//!
//! Everything happens in the order of the lengths of texts. The first difference that is found is thus a shortest one, and when the search is given up
//! all shorter texts have been tried.

use super::alphabet::Symbol;
use super::pair::{Frame, Outcome, Pair, Pairs};
use super::texts::{TextId, Texts};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The work units of a state on a stack of a pair, without the steps: the states are copied, compared and hashed.
const PAIR_WORK: u64 = 50;
/// The work units of a step, without the units of the parser.
const STEP_WORK: u64 = 10;

/// The answer of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// A shortest text that only the first grammar has, and one that only the second has.
    pub(super) only: [Option<Vec<u8>>; 2],
    /// If the search was given up: there is no other difference in texts with fewer symbols.
    pub(super) searched: Option<u32>,
    /// The pairs of configurations that were tried.
    pub(super) pairs: usize,
}

/// Where two parsers run in parallel above a bottom.
struct Area {
    /// Whether nothing is below.
    is_whole: bool,
    /// The length of a shortest text before it, and this text.
    length: u32,
    before: TextId,
    callers: Vec<Caller>,
    exits: Vec<Exit>,
}

/// What entered an area.
#[derive(Clone)]
struct Caller {
    area: usize,
    frame: Frame,
    /// The text from the beginning of the calling area, and its length.
    text: TextId,
    length: u32,
}

/// A pair at which a step or a question depends on states below the area.
#[derive(Clone)]
struct Exit {
    pair: Pair,
    what: What,
    /// The text from the beginning of the area, and its length.
    text: TextId,
    length: u32,
}

/// A task with a pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// Everything.
    All,
    /// The step by a symbol.
    Step(usize),
    /// The question whether the text may end.
    End,
}

/// A pair that waits.
struct Waiting {
    area: usize,
    pair: Pair,
    what: What,
    text: TextId,
    length: u32,
}

/// The search.
pub(super) struct Search<'a> {
    pairs: Pairs<'a>,
    symbols: &'a [Symbol],
    budget: Budget,
    texts: Texts,
    areas: Vec<Area>,
    /// The areas by the pair that they begin with.
    beginnings: FxHashMap<Pair, usize>,
    /// What was done, by area.
    done: FxHashSet<(usize, Pair, What)>,
    waiting: Vec<Option<Waiting>>,
    /// What waits, by the length of the whole text.
    queue: BinaryHeap<Reverse<(u32, usize)>>,
    found: Found,
}

impl<'a> Search<'a> {
    pub(super) fn new(pairs: Pairs<'a>, symbols: &'a [Symbol], budget: Budget) -> Self {
        Self {
            pairs,
            symbols,
            budget,
            texts: Texts::new(),
            areas: Vec::new(),
            beginnings: FxHashMap::default(),
            done: FxHashSet::default(),
            waiting: Vec::new(),
            queue: BinaryHeap::new(),
            found: Found::default(),
        }
    }

    /// Searches until both directions are decided or the budget is spent.
    pub(super) fn run(mut self) -> Found {
        let mut length = 0;
        if self.search(&mut length).is_err() {
            self.found.searched = Some(length);
        }
        self.found.pairs = self.done.len();
        self.found
    }

    /// `length` is the number of symbols of the texts that are tried.
    fn search(&mut self, length: &mut u32) -> Result<(), OverBudget> {
        let accepted = self.pairs.have_empty_text()?;
        self.note(accepted, Texts::EMPTY, Texts::EMPTY);
        let first = self.pairs.first();
        self.enter(first, true, 0, Texts::EMPTY)?;
        while let Some(Reverse((at, index))) = self.queue.pop() {
            *length = at;
            if self.found.only.iter().all(Option::is_some) {
                break;
            }
            if let Some(waiting) = self.waiting[index].take() {
                self.work(waiting)?;
            }
        }
        Ok(())
    }

    /// The area that begins with a pair, which is searched from now on.
    fn enter(
        &mut self,
        pair: Pair,
        is_whole: bool,
        length: u32,
        before: TextId,
    ) -> Result<usize, OverBudget> {
        if let Some(&area) = self.beginnings.get(&pair).filter(|_| !is_whole) {
            return Ok(area);
        }
        let area = self.areas.len();
        self.budget.charge_bytes(size_of::<Area>() as u64 + pair.bytes())?;
        self.areas.push(Area { is_whole, length, before, callers: Vec::new(), exits: Vec::new() });
        if !is_whole {
            self.beginnings.insert(pair.clone(), area);
        }
        self.wait(Waiting { area, pair, what: What::All, text: Texts::EMPTY, length: 0 })?;
        Ok(area)
    }

    fn wait(&mut self, waiting: Waiting) -> Result<(), OverBudget> {
        self.budget.charge_bytes(waiting.pair.bytes() + size_of::<(usize, Waiting)>() as u64)?;
        let length = self.areas[waiting.area].length + waiting.length;
        self.queue.push(Reverse((length, self.waiting.len())));
        self.waiting.push(Some(waiting));
        Ok(())
    }

    /// Whether a pair can lead to a difference that is not known yet.
    fn is_wanted(&self, pair: &Pair) -> bool {
        let [first, second] = &pair.0;
        let both = !first.is_empty() && !second.is_empty();
        both || (!first.is_empty() && self.found.only[0].is_none())
            || (!second.is_empty() && self.found.only[1].is_none())
    }

    fn work(&mut self, waiting: Waiting) -> Result<(), OverBudget> {
        if !self.is_wanted(&waiting.pair) {
            return Ok(());
        }
        self.budget.charge_work(PAIR_WORK * self.pairs.states(&waiting.pair))?;
        self.budget.charge_bytes(waiting.pair.bytes())?;
        if !self.done.insert((waiting.area, waiting.pair.clone(), waiting.what)) {
            return Ok(());
        }
        match waiting.what {
            What::End => self.ask(&waiting),
            What::Step(symbol) => self.step(&waiting, symbol),
            What::All => {
                if let Some((frame, above)) = self.pairs.cut(&waiting.pair) {
                    return self.call(&waiting, frame, above);
                }
                self.ask(&waiting)?;
                (0..self.symbols.len()).try_for_each(|symbol| self.step(&waiting, symbol))
            }
        }
    }

    /// Goes on in the area above a frame.
    fn call(&mut self, from: &Waiting, frame: Frame, above: Pair) -> Result<(), OverBudget> {
        let caller = &self.areas[from.area];
        let length = caller.length + from.length;
        let before = self.texts.join(caller.before, from.text);
        let area = self.enter(above, false, length, before)?;
        let caller = Caller { area: from.area, frame, text: from.text, length: from.length };
        let exits = self.areas[area].exits.clone();
        exits.iter().try_for_each(|exit| self.resume(&caller, exit))?;
        self.areas[area].callers.push(caller);
        Ok(())
    }

    /// Leaves an area to all areas that have entered it.
    fn leave(&mut self, from: &Waiting, what: What) -> Result<(), OverBudget> {
        let exit = Exit { pair: from.pair.clone(), what, text: from.text, length: from.length };
        self.budget.charge_bytes(exit.pair.bytes())?;
        let callers = self.areas[from.area].callers.clone();
        callers.iter().try_for_each(|caller| self.resume(caller, &exit))?;
        self.areas[from.area].exits.push(exit);
        Ok(())
    }

    fn resume(&mut self, caller: &Caller, exit: &Exit) -> Result<(), OverBudget> {
        let pair = self.pairs.extend(&exit.pair, &caller.frame);
        let text = self.texts.join(caller.text, exit.text);
        let length = caller.length + exit.length;
        self.wait(Waiting { area: caller.area, pair, what: exit.what, text, length })
    }

    fn step(&mut self, from: &Waiting, symbol: usize) -> Result<(), OverBudget> {
        let is_whole = self.areas[from.area].is_whole;
        self.budget.charge_work(STEP_WORK)?;
        match self.pairs.step(&from.pair, &self.symbols[symbol], is_whole)? {
            Outcome::TakesBelow => self.leave(from, What::Step(symbol)),
            Outcome::Known(pair) if pair.is_dead() => Ok(()),
            Outcome::Known(pair) => {
                let text = self.texts.step(from.text, symbol);
                self.wait(Waiting { area: from.area, pair, what: What::All, text, length: from.length + 1 })
            }
        }
    }

    fn ask(&mut self, at: &Waiting) -> Result<(), OverBudget> {
        let Area { is_whole, before, .. } = self.areas[at.area];
        match self.pairs.accept(&at.pair, is_whole)? {
            Outcome::TakesBelow => self.leave(at, What::End),
            Outcome::Known(accepted) => {
                self.note(accepted, before, at.text);
                Ok(())
            }
        }
    }

    /// Notes a text if only one grammar has it.
    fn note(&mut self, accepted: [bool; 2], before: TextId, text: TextId) {
        let side = match accepted {
            [true, false] => 0,
            [false, true] => 1,
            _ => return,
        };
        if self.found.only[side].is_none() {
            let text = self.texts.join(before, text);
            self.found.only[side] = Some(self.texts.bytes(text, self.symbols));
        }
    }
}
