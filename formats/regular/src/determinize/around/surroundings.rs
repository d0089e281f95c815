//! What the text around a match must be.
//!
//! A match may be a part of a larger text, and what its assertions look at may lie outside of it. The states of the construction know what has
//! to follow: the debts of the branches that accept. What was before the match is in the state in which it starts.

use super::super::look::Neighbor;
use super::formulas::{Formulas, SetId};
use super::position::Verdict;
use super::{State, machine::Machine};
use crate::dfa::Dfa;
use crate::ending::{Beginning, Ending};
use crate::explore::explored;
use crate::limits::RegularLimits;
use crate::minimize::minimize;
use crate::nfa::{Nfa, Preference};
use crate::raw::RawDfa;
use crate::regex::Regex;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// So many places at which a match may begin are compared at most.
const MOST_STARTS: usize = 64;

/// The texts that match, by what may follow them. None if there are more than `most` different languages of what may follow.
pub(crate) fn endings(
    nfa: Nfa,
    preference: Preference,
    most: usize,
    limits: &RegularLimits,
) -> Result<Option<Vec<Ending>>, OverBudget> {
    let mut matcher = Matcher::new(nfa, preference, limits)?;
    let start = State::start(&matcher.machine, &mut matcher.formulas)?;
    matcher.endings(start, most)
}

/// Whether it is found that the texts that match, and what may follow them, are the same after all texts.
pub(crate) fn is_free_of_what_is_before(
    nfa: Nfa,
    preference: Preference,
    most: usize,
    limits: &RegularLimits,
) -> Result<bool, OverBudget> {
    let mut matcher = Matcher::new(nfa, preference, limits)?;
    if !matcher.machine.looks_behind() {
        return Ok(true);
    }
    let start = State::start(&matcher.machine, &mut matcher.formulas)?;
    let (_, after_texts) = matcher.after_texts(&start)?;
    let after_texts: FxHashSet<State> = after_texts.into_iter().flatten().collect();
    if after_texts.len() > MOST_STARTS {
        return Ok(false);
    }
    let expected = matcher.endings(start, most)?;
    for state in after_texts {
        if matcher.endings(state, most)? != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The texts that match, by what may be before them and what may follow. None if there are too many places to compare, or more than `most`
/// different languages of what may follow.
pub(crate) fn beginnings(
    nfa: Nfa,
    preference: Preference,
    most: usize,
    limits: &RegularLimits,
) -> Result<Option<Vec<Beginning>>, OverBudget> {
    let mut matcher = Matcher::new(nfa, preference, limits)?;
    let start = State::start(&matcher.machine, &mut matcher.formulas)?;
    let (raw, after_texts) = matcher.after_texts(&start)?;
    if after_texts.iter().flatten().count() > MOST_STARTS {
        return Ok(None);
    }
    let mut found: Vec<(Vec<Ending>, Vec<bool>)> = Vec::new();
    for (index, state) in after_texts.iter().enumerate() {
        let Some(state) = state else { continue };
        let Some(endings) = matcher.endings(state.clone(), most)? else { return Ok(None) };
        let known = found.iter().position(|(known, _)| *known == endings).unwrap_or_else(|| {
            found.push((endings, vec![false; after_texts.len()]));
            found.len() - 1
        });
        found[known].1[index] = true;
    }
    let found = found.into_iter().filter(|(endings, _)| !endings.is_empty());
    let beginning =
        |(endings, accepting)| Ok(Beginning { before: matcher.accepted(&raw, accepting)?, endings });
    found.map(beginning).collect::<Result<_, _>>().map(Some)
}

struct Matcher<'l> {
    machine: Machine,
    formulas: Formulas,
    /// The texts that may follow, by the findings where the match ends.
    known: FxHashMap<Known, Option<Dfa>>,
    limits: &'l RegularLimits,
}

/// The byte before, the branches of look-behind, and whether the match may end before each kind of byte.
type Known = (Neighbor, Rc<[SetId]>, Vec<Verdict>);

impl<'l> Matcher<'l> {
    fn new(nfa: Nfa, preference: Preference, limits: &'l RegularLimits) -> Result<Self, OverBudget> {
        Ok(Self {
            machine: Machine::new(nfa, preference, limits)?,
            formulas: Formulas::new(limits),
            known: FxHashMap::default(),
            limits,
        })
    }

    /// An automaton that reads texts of UTF-8, and for each of its states the state in which a match starts there, unless it is within a character.
    fn after_texts(&mut self, start: &State) -> Result<(RawDfa, Vec<Option<State>>), OverBudget> {
        let texts = Regex::any_char().star().to_dfa(self.limits)?;
        let nothing = State { main: SetId::NOTHING, ..start.clone() };
        let (raw, reached) = explored((nothing, 0), self.limits, |(state, at)| {
            let mut edges = Vec::new();
            for after in self.machine.nfa.kinds.all() {
                let mut position = state.position(&self.machine, &mut self.formulas, after)?;
                for (low, high, to) in texts.edges(*at) {
                    let runs = self.machine.runs.iter().map(|run| (run.0.max(low), run.1.min(high)));
                    let runs =
                        runs.filter(|run| run.0 <= run.1 && self.machine.nfa.kinds.kind(run.0) == after);
                    for (low, high) in runs {
                        let behinds = position.step_behinds(low)?;
                        edges.push((low, high, (State { before: after, behinds, ..state.clone() }, to)));
                    }
                }
            }
            Ok((false, edges))
        })?;
        let begin = |(state, at)| (at == 0).then_some(State { main: start.main, ..state });
        Ok((raw, reached.into_iter().map(begin).collect()))
    }

    /// The texts that match from a state on, by what may follow them.
    fn endings(&mut self, start: State, most: usize) -> Result<Option<Vec<Ending>>, OverBudget> {
        let (raw, states) =
            explored(start, self.limits, |state| state.step(&self.machine, &mut self.formulas))?;
        let mut after: FxHashMap<Dfa, usize> = FxHashMap::default();
        let mut endings: Vec<(Dfa, Vec<bool>)> = Vec::new();
        for (index, state) in states.iter().enumerate() {
            let Some(follow) = self.after(state)? else { continue };
            let known = *after.entry(follow).or_insert_with_key(|follow| {
                endings.push((follow.clone(), vec![false; states.len()]));
                endings.len() - 1
            });
            endings[known].1[index] = true;
            if endings.len() > most {
                return Ok(None);
            }
        }
        let ending = |(after, accepting)| Ok(Ending { texts: self.accepted(&raw, accepting)?, after });
        endings.into_iter().map(ending).collect::<Result<_, _>>().map(Some)
    }

    /// The automaton that accepts in these states.
    fn accepted(&self, raw: &RawDfa, accepting: Vec<bool>) -> Result<Dfa, OverBudget> {
        self.limits.budget.charge_work(raw.table.len() as u64)?;
        let (classes, table) = (raw.classes.clone(), raw.table.clone());
        minimize(RawDfa { classes, class_count: raw.class_count, table, accepting }, self.limits)
    }

    /// What may follow a match that ends in this state. None if no match ends there.
    fn after(&mut self, state: &State) -> Result<Option<Dfa>, OverBudget> {
        let mut verdicts = Vec::new();
        for after in self.machine.nfa.kinds.all().chain([Neighbor::Boundary]) {
            verdicts.push(state.position(&self.machine, &mut self.formulas, after)?.ends(state.main)?);
        }
        if verdicts.iter().all(|&verdict| verdict == Verdict::Always) {
            return Ok(Some(Dfa::all()));
        }
        if verdicts.iter().all(|&verdict| verdict == Verdict::If(SetId::NOTHING)) {
            return Ok(None);
        }
        let key = (state.before, Rc::clone(&state.behinds), verdicts);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let over = State { is_over: true, ..state.clone() };
        let (raw, _) = explored(over, self.limits, |state| state.step(&self.machine, &mut self.formulas))?;
        let after = Some(minimize(raw, self.limits)?).filter(|after| !after.is_empty());
        self.known.insert(key, after.clone());
        Ok(after)
    }
}
