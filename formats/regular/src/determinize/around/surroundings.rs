//! What the text around a match must be.
//!
//! A match may be a part of a larger text, and what its assertions look at may lie outside of it. The states of the construction know what has
//! to follow: the debts of the branches that accept. What was before the match is in the state in which it starts.

use super::super::look::Neighbor;
use super::formulas::{Formulas, SetId};
use super::{State, machine::Machine};
use crate::dfa::Dfa;
use crate::ending::Ending;
use crate::explore::explored;
use crate::limits::RegularLimits;
use crate::minimize::minimize;
use crate::nfa::{Nfa, Preference};
use crate::raw::RawDfa;
use crate::regex::Regex;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};

/// The texts that match, by what may follow them.
pub(crate) fn endings(
    nfa: Nfa,
    preference: Preference,
    limits: &RegularLimits,
) -> Result<Vec<Ending>, OverBudget> {
    let mut matcher = Matcher::new(nfa, preference, limits)?;
    let start = State::start(&matcher.machine, &mut matcher.formulas)?;
    matcher.endings(start)
}

/// Whether the texts that match, and what may follow them, are the same after all texts.
pub(crate) fn is_free_of_what_is_before(
    nfa: Nfa,
    preference: Preference,
    limits: &RegularLimits,
) -> Result<bool, OverBudget> {
    let mut matcher = Matcher::new(nfa, preference, limits)?;
    let start = State::start(&matcher.machine, &mut matcher.formulas)?;
    let after_texts = matcher.after_texts(&start)?;
    let expected = matcher.endings(start)?;
    for state in after_texts {
        if matcher.endings(state)? != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Matcher<'l> {
    machine: Machine,
    formulas: Formulas,
    limits: &'l RegularLimits,
}

impl<'l> Matcher<'l> {
    fn new(nfa: Nfa, preference: Preference, limits: &'l RegularLimits) -> Result<Self, OverBudget> {
        Ok(Self { machine: Machine::new(nfa, preference, limits)?, formulas: Formulas::new(limits), limits })
    }

    /// The states in which a match starts after some text of UTF-8.
    fn after_texts(&mut self, start: &State) -> Result<FxHashSet<State>, OverBudget> {
        let texts = Regex::any_char().star().to_dfa(self.limits)?;
        let nothing = State { main: SetId::NOTHING, ..start.clone() };
        let (_, reached) = explored((nothing, 0), self.limits, |(state, at)| {
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
        let whole = reached.into_iter().filter(|(_, at)| *at == 0);
        Ok(whole.map(|(state, _)| State { main: start.main, ..state }).collect())
    }

    /// The texts that match from a state on, by what may follow them.
    fn endings(&mut self, start: State) -> Result<Vec<Ending>, OverBudget> {
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
        }
        endings.into_iter().map(|(after, accepting)| self.ending(&raw, after, accepting)).collect()
    }

    fn ending(&self, raw: &RawDfa, after: Dfa, accepting: Vec<bool>) -> Result<Ending, OverBudget> {
        self.limits.budget.charge_work(raw.table.len() as u64)?;
        let (classes, table) = (raw.classes.clone(), raw.table.clone());
        let raw = RawDfa { classes, class_count: raw.class_count, table, accepting };
        Ok(Ending { texts: minimize(raw, self.limits)?, after })
    }

    /// What may follow a match that ends in this state. None if no match ends there.
    fn after(&mut self, state: &State) -> Result<Option<Dfa>, OverBudget> {
        let kinds = self.machine.nfa.kinds.all().chain([Neighbor::Boundary]);
        let mut verdicts = Vec::new();
        for after in kinds {
            verdicts.push(state.position(&self.machine, &mut self.formulas, after)?.ends(state.main)?);
        }
        if verdicts.iter().all(|&verdict| verdict == verdicts[0])
            && let Some(always) = verdicts[0]
        {
            return Ok(always.then(Dfa::all));
        }
        let over = State { is_over: true, ..state.clone() };
        let (raw, _) = explored(over, self.limits, |state| state.step(&self.machine, &mut self.formulas))?;
        let after = minimize(raw, self.limits)?;
        Ok((!after.is_empty()).then_some(after))
    }
}
