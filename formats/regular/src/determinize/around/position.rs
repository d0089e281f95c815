//! What look-around says at a position of the text, and the ε-transitions that can be taken there.

use super::super::look::Neighbor;
use super::formulas::{Branch, DONE, DebtsId, Formulas, SetId};
use super::machine::Machine;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The work of a step of a closure.
const CLOSURE_WORK: usize = 4;

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Verdict {
    Always,
    /// If one of these branches succeeds.
    If(SetId),
}

/// A position between two bytes.
pub(super) struct Position<'p> {
    machine: &'p Machine,
    formulas: &'p mut Formulas,
    before: Neighbor,
    after: Neighbor,
    /// Per look-around: whether what it looks for is there.
    holds: Vec<Verdict>,
    /// Per look-behind, its closed branches; for look-ahead, none.
    behinds: Vec<SetId>,
    closed_sets: FxHashMap<SetId, Verdict>,
    closed_debts: FxHashMap<DebtsId, Option<DebtsId>>,
    /// The step of each set by one byte.
    stepped: FxHashMap<(SetId, u8), SetId>,
}

impl<'p> Position<'p> {
    /// The position after a byte of kind `before`, where the look-behinds have these branches, and before a byte of kind `after`.
    pub(super) fn new(
        machine: &'p Machine,
        formulas: &'p mut Formulas,
        before: Neighbor,
        after: Neighbor,
        behinds: &[SetId],
    ) -> Result<Self, OverBudget> {
        let (holds, closed) = (Vec::new(), Vec::new());
        let (closed_sets, closed_debts, stepped) = Default::default();
        let mut position = Self {
            machine,
            formulas,
            before,
            after,
            holds,
            behinds: closed,
            closed_sets,
            closed_debts,
            stepped,
        };
        for (around, &branches) in machine.arounds.iter().zip(behinds) {
            let (holds, closed) = match around.behind {
                true => position.look_behind(branches, around.accept)?,
                false => (position.close_set(branches)?, SetId::NOTHING),
            };
            position.holds.push(holds);
            position.behinds.push(closed);
        }
        Ok(position)
    }

    /// Whether a look-behind holds that accepts in this state, and its branches after ε-transitions.
    fn look_behind(&mut self, branches: SetId, accept: u32) -> Result<(Verdict, SetId), OverBudget> {
        let closed = self.close(branches, false)?;
        let ends = closed.iter().filter(|branch| branch.state == accept);
        let ends = ends.map(|branch| Branch { state: DONE, ..*branch }).collect();
        Ok((self.verdict(ends)?, self.formulas.set(closed)?))
    }

    /// The branches of the expression after ε-transitions. If the match `is_over`, only the accepting branches, which have nothing left to read.
    pub(super) fn close_main(&mut self, main: SetId, is_over: bool) -> Result<Vec<Branch>, OverBudget> {
        let mut closed = self.close(main, self.machine.ordered)?;
        if is_over {
            closed = self.ended(&closed)?;
        }
        let set = match self.machine.ordered {
            true => self.formulas.pruned_list(&closed)?,
            false => self.formulas.pruned_set(closed)?,
        };
        Ok(self.formulas.branches(set).to_vec())
    }

    /// The branches that accept. Where only the first match counts, they owe that no branch before them succeeds.
    fn ended(&mut self, closed: &[Branch]) -> Result<Vec<Branch>, OverBudget> {
        let accept = self.machine.nfa.accept;
        let mut ends = Vec::new();
        for (place, &branch) in closed.iter().enumerate() {
            if branch.state == DONE {
                ends.push(branch);
            } else if branch.state == accept {
                let preferred = if self.machine.first_only { &closed[..place] } else { &[] };
                let done = |one: &Branch| Branch {
                    state: if one.state == accept { DONE } else { one.state },
                    ..*one
                };
                let preferred = preferred.iter().map(done).collect();
                let end = self.after_failure_of(preferred, branch)?;
                ends.push(Branch { state: DONE, ..end });
            }
        }
        Ok(ends)
    }

    /// Whether the match may end here.
    pub(super) fn ends(&mut self, main: SetId) -> Result<Verdict, OverBudget> {
        let ends = self.close_main(main, true)?;
        self.verdict(ends)
    }

    /// Whether the expression accepts the text that ends here.
    pub(super) fn accepts(&mut self, main: &[Branch]) -> Result<bool, OverBudget> {
        for end in
            main.iter().filter(|branch| branch.state == self.machine.nfa.accept || branch.state == DONE)
        {
            if self.pays_at_end(end.debts)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether debts hold of the empty rest.
    fn pays_at_end(&mut self, debts: DebtsId) -> Result<bool, OverBudget> {
        self.formulas.meter.work(1)?;
        let debts = self.formulas.debts(debts);
        for &set in &debts.each {
            if !self.succeeds_at_end(set)? {
                return Ok(false);
            }
        }
        Ok(!self.succeeds_at_end(debts.never)?)
    }

    fn succeeds_at_end(&mut self, set: SetId) -> Result<bool, OverBudget> {
        for branch in self.formulas.branches(set).iter().filter(|branch| branch.state == DONE) {
            if self.pays_at_end(branch.debts)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn verdict(&mut self, branches: Vec<Branch>) -> Result<Verdict, OverBudget> {
        if branches.contains(&Branch::at(DONE)) {
            return Ok(Verdict::Always);
        }
        Ok(Verdict::If(self.formulas.pruned_set(branches)?))
    }

    /// The branches of a set after ε-transitions. In an order of preference, branches after one that accepts owe that it fails.
    fn close(&mut self, set: SetId, ordered: bool) -> Result<Vec<Branch>, OverBudget> {
        let mut closed = Vec::new();
        let mut visited = FxHashSet::default();
        let mut accepted = Vec::new();
        for &branch in &*self.formulas.branches(set) {
            let Some(debts) = self.close_debts(branch.debts)? else { continue };
            let mut open = vec![Branch { debts, ..branch }];
            while let Some(branch) = open.pop() {
                self.formulas.meter.work(CLOSURE_WORK)?;
                if !visited.insert(branch) {
                    continue;
                }
                if branch.state == DONE {
                    closed.push(branch);
                    continue;
                }
                if self.machine.is_important(branch.state) {
                    closed.push(self.after_failure_of(accepted.clone(), branch)?);
                }
                if ordered && branch.state == self.machine.nfa.accept {
                    if branch.debts == DebtsId::NONE {
                        return Ok(closed);
                    }
                    accepted.push(Branch { state: DONE, ..branch });
                }
                self.follow(branch, &mut open)?;
            }
        }
        Ok(closed)
    }

    /// The branch, which counts only if none of `others` succeeds.
    fn after_failure_of(&mut self, others: Vec<Branch>, branch: Branch) -> Result<Branch, OverBudget> {
        if others.is_empty() {
            return Ok(branch);
        }
        let others = self.formulas.set(others)?;
        Ok(Branch { debts: self.formulas.with_none_of(branch.debts, others)?, ..branch })
    }

    /// Pushes the branches that ε-transitions lead to, the preferred one last.
    fn follow(&mut self, branch: Branch, open: &mut Vec<Branch>) -> Result<(), OverBudget> {
        for guard in self.machine.guards.get(&branch.state).into_iter().flatten().rev() {
            let negative = self.machine.arounds[guard.around].negative;
            if let Some(debts) = self.owe(branch.debts, self.holds[guard.around], negative)? {
                open.push(Branch { state: guard.to, debts });
            }
        }
        for epsilon in self.machine.nfa.epsilons(branch.state).iter().rev() {
            if epsilon.look.is_none_or(|look| look.holds(self.before, self.after)) {
                open.push(Branch { state: epsilon.to, ..branch });
            }
        }
        Ok(())
    }

    /// The debts, and that the verdict holds, or does not if `negative`. None if that is impossible.
    fn owe(
        &mut self,
        debts: DebtsId,
        verdict: Verdict,
        negative: bool,
    ) -> Result<Option<DebtsId>, OverBudget> {
        Ok(match (verdict, negative) {
            (Verdict::Always, false) | (Verdict::If(SetId::NOTHING), true) => Some(debts),
            (Verdict::Always, true) | (Verdict::If(SetId::NOTHING), false) => None,
            (Verdict::If(set), false) => Some(self.formulas.with_one_of(debts, set)?),
            (Verdict::If(set), true) => Some(self.formulas.with_none_of(debts, set)?),
        })
    }

    /// The debts after ε-transitions. None if they cannot be paid.
    fn close_debts(&mut self, id: DebtsId) -> Result<Option<DebtsId>, OverBudget> {
        if id == DebtsId::NONE {
            return Ok(Some(id));
        }
        if let Some(&known) = self.closed_debts.get(&id) {
            return Ok(known);
        }
        let debts = self.formulas.debts(id);
        let never = self.close_set(debts.never)?;
        let mut closed = self.owe(DebtsId::NONE, never, true)?;
        for &set in &debts.each {
            let verdict = self.close_set(set)?;
            closed = match closed {
                Some(debts) => self.owe(debts, verdict, false)?,
                None => break,
            };
        }
        self.closed_debts.insert(id, closed);
        Ok(closed)
    }

    /// Whether a branch of a look-ahead succeeds.
    fn close_set(&mut self, id: SetId) -> Result<Verdict, OverBudget> {
        if let Some(&known) = self.closed_sets.get(&id) {
            return Ok(known);
        }
        let mut closed = self.close(id, false)?;
        closed
            .iter_mut()
            .filter(|branch| branch.state != DONE && self.machine.accepts(branch.state))
            .for_each(|branch| branch.state = DONE);
        let verdict = self.verdict(closed)?;
        self.closed_sets.insert(id, verdict);
        Ok(verdict)
    }

    /// The branches of the expression after `byte`.
    pub(super) fn step(&mut self, main: &[Branch], byte: u8, ordered: bool) -> Result<SetId, OverBudget> {
        let next = self.step_branches(main, byte)?;
        if ordered { self.formulas.pruned_list(&next) } else { self.formulas.pruned_set(next) }
    }

    /// The branches of each look-around at the position after `byte`, of which one begins there.
    pub(super) fn step_behinds(&mut self, byte: u8) -> Result<Rc<[SetId]>, OverBudget> {
        let mut behinds = Vec::with_capacity(self.behinds.len());
        for (around, &closed) in self.machine.arounds.iter().zip(&self.behinds.clone()) {
            let mut next = self.step_branches(&self.formulas.branches(closed), byte)?;
            next.push(Branch::at(around.start));
            behinds.push(self.formulas.pruned_set(next)?);
        }
        Ok(behinds.into())
    }

    fn step_branches(&mut self, branches: &[Branch], byte: u8) -> Result<Vec<Branch>, OverBudget> {
        let mut next = Vec::with_capacity(branches.len());
        for branch in branches {
            let Some(debts) = self.step_debts(branch.debts, byte)? else { continue };
            if branch.state == DONE {
                next.push(Branch { state: DONE, debts });
                continue;
            }
            let edges = self.machine.nfa.edges(branch.state);
            self.formulas.meter.work(1 + edges.len())?;
            let edges = edges.iter().filter(|edge| (edge.low..=edge.high).contains(&byte));
            next.extend(edges.map(|edge| Branch { state: edge.to, debts }));
        }
        Ok(next)
    }

    /// The debts after `byte`. None if they cannot be paid.
    fn step_debts(&mut self, id: DebtsId, byte: u8) -> Result<Option<DebtsId>, OverBudget> {
        if id == DebtsId::NONE {
            return Ok(Some(id));
        }
        let debts = self.formulas.debts(id);
        let never = self.step_set(debts.never, byte)?;
        let mut each = Vec::with_capacity(debts.each.len());
        for &set in &debts.each {
            let next = self.step_set(set, byte)?;
            if next == SetId::NOTHING {
                return Ok(None);
            }
            each.push(next);
        }
        self.formulas.debts_of(never, each).map(Some)
    }

    fn step_set(&mut self, set: SetId, byte: u8) -> Result<SetId, OverBudget> {
        if let Some(&known) = self.stepped.get(&(set, byte)) {
            return Ok(known);
        }
        let next = self.step_branches(&self.formulas.branches(set), byte)?;
        let next = self.formulas.pruned_set(next)?;
        self.stepped.insert((set, byte), next);
        Ok(next)
    }
}
