//! What holds in whichever way a text is read and goes on.
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
pub(super) struct Place {
    pub(super) set: SetId,
    pub(super) nonterminal: NonterminalId,
    /// [`NOT_BEGUN`] if nothing of it is there.
    pub(super) start: usize,
}

/// An item that the text goes on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) item: Item,
    pub(super) facts: FactsId,
    /// Where the lexeme begins with which the item goes on; [`NOT_BEGUN`] if nothing of it is there.
    pub(super) start: usize,
}

/// What holds in every derivation.
#[derive(Debug)]
pub(super) struct Certain {
    /// The rules that have ended, as far as it was not told.
    pub(super) ended: BTreeSet<Ended>,
    /// The places of what has begun and not ended, the outermost first.
    pub(super) open: Vec<Place>,
}

/// What holds at a place: the rules that have ended, and the places that all ways to it go through.
#[derive(Clone, PartialEq, Eq, Default)]
struct Holds {
    ended: BTreeSet<Ended>,
    open: BTreeSet<Place>,
}

impl Holds {
    fn common(self, other: &Self) -> Self {
        Self {
            ended: self.ended.intersection(&other.ended).copied().collect(),
            open: self.open.intersection(&other.open).copied().collect(),
        }
    }
}

/// A way up: the place above, and what has ended in front of the place below it.
type Up = (Place, FactsId);

impl Chart<'_> {
    /// What holds in every derivation that goes on with one of these items. `open` are the places of what was open before, the outermost first.
    pub(super) fn certain(&mut self, next: &[Next], open: &[Place]) -> Result<Certain, OverBudget> {
        let mut open = open.to_vec();
        let ways = loop {
            match self.ways(next, open.last().copied())? {
                Some(ways) => break ways,
                None => drop(open.pop()),
            }
        };
        let holds = self.holds(&ways, open.last().copied())?;
        let mut all: Option<Holds> = None;
        for next in next {
            let here = self.with(&holds, self.place_of(&next.item, next.start), next.facts)?;
            all = match (all, here) {
                (Some(all), Some(here)) => Some(all.common(&here)),
                (all, here) => all.or(here),
            };
        }
        let Holds { ended, open: places } = all.unwrap_or_default();
        let facts = ways.values().flatten().map(|&(_, facts)| facts).chain(next.iter().map(|next| next.facts));
        for facts in facts {
            self.facts.settle(facts, &ended)?;
        }
        let mut inner: Vec<Place> = places.into_iter().filter(|place| place.start != NOT_BEGUN).collect();
        let depth = |place: &Place| holds.get(place).map_or(0, |holds| holds.open.len());
        inner.sort_by_key(depth);
        open.extend(inner);
        Ok(Certain { ended, open })
    }

    /// The place of the nonterminal whose production an item is.
    fn place_of(&self, item: &Item, start: usize) -> Place {
        let nonterminal = self.productions.left(item.production);
        let is_start = nonterminal == self.productions.cfg.start;
        let start = match item.dot {
            _ if is_start => NOT_BEGUN,
            0 => start,
            _ => item.start,
        };
        Place { set: item.origin, nonterminal, start }
    }

    /// All ways up to a place that they all go through, or to the start of the grammar; none if some do not go through the place.
    fn ways(
        &self,
        next: &[Next],
        anchor: Option<Place>,
    ) -> Result<Option<FxHashMap<Place, Vec<Up>>>, OverBudget> {
        let mut open: Vec<Place> = next.iter().map(|next| self.place_of(&next.item, next.start)).collect();
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
            let ups: Vec<Up> =
                waiting.map(|(item, facts)| (self.place_of(&item, place.start), facts)).collect();
            self.charge(ups.len() + 1)?;
            open.extend(ups.iter().map(|&(up, _)| up));
            ways.insert(place, ups);
        }
        Ok(Some(ways))
    }

    /// What holds at each place of the ways.
    fn holds(
        &self,
        ways: &FxHashMap<Place, Vec<Up>>,
        anchor: Option<Place>,
    ) -> Result<FxHashMap<Place, Holds>, OverBudget> {
        let mut holds: FxHashMap<Place, Holds> = anchor.map(|place| (place, Holds::default())).into_iter().collect();
        let mut places: Vec<Place> = ways.keys().copied().collect();
        places.sort_unstable();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &place in &places {
                let Some(new) = self.at(&holds, place, &ways[&place])? else { continue };
                if holds.get(&place) != Some(&new) {
                    holds.insert(place, new);
                    has_changed = true;
                }
            }
        }
        Ok(holds)
    }

    /// What holds at a place, by what is known of those above; none if nothing is.
    fn at(
        &self,
        holds: &FxHashMap<Place, Holds>,
        place: Place,
        ups: &[Up],
    ) -> Result<Option<Holds>, OverBudget> {
        let mut all = ups.is_empty().then(Holds::default);
        for &(up, facts) in ups {
            let Some(way) = self.with(holds, up, facts)? else { continue };
            all = Some(match all {
                Some(all) => all.common(&way),
                None => way,
            });
        }
        Ok(all.map(|mut all| {
            all.open.insert(place);
            all
        }))
    }

    /// What holds below a place, behind what has ended in it; none if nothing is known of the place.
    fn with(
        &self,
        holds: &FxHashMap<Place, Holds>,
        place: Place,
        facts: FactsId,
    ) -> Result<Option<Holds>, OverBudget> {
        let Some(mut below) = holds.get(&place).cloned() else { return Ok(None) };
        self.charge(below.ended.len() + below.open.len() + 1)?;
        self.facts.untold(facts, &mut below.ended)?;
        Ok(Some(below))
    }
}
