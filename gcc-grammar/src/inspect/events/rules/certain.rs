//! Facts that hold in whichever way a text is read and continued.
//!
//! In: the chart, and the items that the text can go on with. Out: the rules that have ended, and those that have begun and not ended, in every
//! derivation. A derivation of a text so far is a way up from one of these items, through the items in which the production of each is expected, to the start of
//! the grammar. What all ways have in common is found from above: at each place it is what all ways to it have in common (the data-flow problem of
//! dominators). A place that all ways went through before is where the search begins: above it, nothing changes.

use super::chart::{Chart, Item, NOT_BEGUN, SetId};
use super::facts::{Ended, FactsId};
use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A nonterminal that is expected in a set, where its first lexeme begins at an offset of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Expectation {
    pub(super) set: SetId,
    pub(super) nonterminal: NonterminalId,
    /// [`NOT_BEGUN`] if nothing of it is there.
    pub(super) start: usize,
}

/// An item with which the text continues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) item: Item,
    pub(super) facts: FactsId,
    /// Where the lexeme begins with which the item continues; [`NOT_BEGUN`] if nothing of it is there.
    pub(super) start: usize,
}

/// A rule that begins at an offset of the text.
pub(super) type Begun = (NonterminalId, usize);

/// What holds in every derivation.
#[derive(Debug, Default)]
pub(super) struct Certain {
    /// The rules that have ended, as far as it was not told.
    pub(super) ended: BTreeSet<Ended>,
    /// The places of what has begun and not ended, the outermost first.
    pub(super) open: Vec<Expectation>,
    /// The rules that have begun, and of which it was not told that they have ended.
    pub(super) begun: BTreeSet<Begun>,
    /// Those of them that reach to the end of the text.
    pub(super) growing: BTreeSet<Begun>,
}

/// Something that holds at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Claim {
    Ended(Ended),
    /// All ways to the place go through this one.
    Open(Expectation),
    Begun(Begun),
    Growing(Begun),
}

/// What holds at a place.
type Holds = BTreeSet<Claim>;

/// A way up: the place above, and what has ended in front of the place below it.
type Up = (Expectation, FactsId);

impl Chart<'_> {
    /// What holds in every derivation that goes on with one of these items behind a text of some length. `open` are the places of what was open before, the outermost first.
    pub(super) fn certain(
        &mut self,
        next: &[Next],
        open: &[Expectation],
        length: usize,
    ) -> Result<Certain, OverBudget> {
        let mut open = open.to_vec();
        let ways = loop {
            match self.ways(next, open.last().copied())? {
                Some(ways) => break ways,
                None => drop(open.pop()),
            }
        };
        let holds = self.holds(&ways, open.last().copied(), length)?;
        let mut last: Vec<Up> =
            next.iter().map(|next| (self.place_of(&next.item, next.start), next.facts)).collect();
        last.sort_unstable();
        last.dedup();
        let all = self.common(&holds, &last, length)?.unwrap_or_default();
        let mut certain = Certain::default();
        for fact in all {
            match fact {
                Claim::Ended(rule) => drop(certain.ended.insert(rule)),
                Claim::Open(place) if place.start != NOT_BEGUN => certain.open.push(place),
                Claim::Open(_) => {}
                Claim::Begun(rule) => drop(certain.begun.insert(rule)),
                Claim::Growing(rule) => drop(certain.growing.insert(rule)),
            }
        }
        let facts = ways.values().flatten().chain(&last).map(|&(_, facts)| facts);
        for facts in facts {
            self.facts.settle(facts, &certain.ended)?;
        }
        // Behind a place holds what holds there, and more.
        certain.open.sort_by_key(|place| holds.get(place).map_or(0, BTreeSet::len));
        certain.open.splice(..0, open);
        Ok(certain)
    }

    /// The place of the nonterminal whose production an item is.
    fn place_of(&self, item: &Item, start: usize) -> Expectation {
        let nonterminal = self.productions.left(item.production);
        let is_start = nonterminal == self.productions.cfg.start;
        let start = match item.dot {
            _ if is_start => NOT_BEGUN,
            0 => start,
            _ => item.start,
        };
        Expectation { set: item.origin, nonterminal, start }
    }

    /// All ways up to a place that they all go through, or to the start of the grammar; none if some do not go through the place.
    fn ways(
        &self,
        next: &[Next],
        anchor: Option<Expectation>,
    ) -> Result<Option<FxHashMap<Expectation, Vec<Up>>>, OverBudget> {
        let mut open: Vec<Expectation> =
            next.iter().map(|next| self.place_of(&next.item, next.start)).collect();
        let mut ways = FxHashMap::default();
        while let Some(place) = open.pop() {
            if anchor == Some(place) || ways.contains_key(&place) {
                continue;
            }
            let is_start = place.nonterminal == self.productions.cfg.start;
            if anchor.is_some_and(|anchor| is_start || place.set < anchor.set) {
                return Ok(None);
            }
            let waiting = self.sets[place.set as usize].waiting(place.nonterminal);
            let mut ups: Vec<Up> =
                waiting.map(|(item, facts)| (self.place_of(&item, place.start), facts)).collect();
            self.charge(ups.len() + 1)?;
            ups.sort_unstable();
            ups.dedup();
            open.extend(ups.iter().map(|&(up, _)| up));
            ways.insert(place, ups);
        }
        Ok(Some(ways))
    }

    /// What holds at each place of the ways.
    fn holds(
        &self,
        ways: &FxHashMap<Expectation, Vec<Up>>,
        anchor: Option<Expectation>,
        length: usize,
    ) -> Result<FxHashMap<Expectation, Holds>, OverBudget> {
        let known = anchor.map(|place| (place, self.opened(place)));
        let mut holds: FxHashMap<Expectation, Holds> = known.into_iter().collect();
        let mut places: Vec<Expectation> = ways.keys().copied().collect();
        places.sort_unstable();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &place in &places {
                let above = if ways[&place].is_empty() {
                    Some(Holds::new())
                } else {
                    self.common(&holds, &ways[&place], length)?
                };
                let Some(mut new) = above else { continue };
                new.insert(Claim::Open(place));
                new.extend(self.opened(place));
                if holds.get(&place) != Some(&new) {
                    holds.insert(place, new);
                    has_changed = true;
                }
            }
        }
        Ok(holds)
    }

    /// What holds because a place is open.
    fn opened(&self, place: Expectation) -> Holds {
        let rule = (place.nonterminal, place.start);
        let is_begun = place.start != NOT_BEGUN && self.productions.name(place.nonterminal).is_some();
        if is_begun { Holds::from([Claim::Begun(rule), Claim::Growing(rule)]) } else { Holds::new() }
    }

    /// What holds behind all ways whose beginnings are known; none if none is.
    fn common(
        &self,
        holds: &FxHashMap<Expectation, Holds>,
        ways: &[Up],
        length: usize,
    ) -> Result<Option<Holds>, OverBudget> {
        let mut all: Option<Holds> = None;
        for (place, facts) in ways {
            let Some(mut way) = holds.get(place).cloned() else { continue };
            let mut ended = Vec::new();
            self.facts.untold(*facts, &mut ended)?;
            self.charge(way.len() + ended.len() + 1)?;
            for rule in ended {
                let begun = (rule.nonterminal, rule.start);
                way.extend([Claim::Ended(rule), Claim::Begun(begun)]);
                way.extend((rule.end == length).then_some(Claim::Growing(begun)));
            }
            all = Some(all.map_or_else(|| way.clone(), |all| &all & &way));
        }
        Ok(all)
    }
}
