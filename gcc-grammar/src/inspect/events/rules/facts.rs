//! Sets of rules that have ended, which share their parts.
//!
//! What is derived in one way is a union of two sets, made in constant time; what is derived in several ways is the intersection of what each of them
//! has. Sets of which everything was told are not looked into again.

use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use std::collections::BTreeSet;

/// The bytes of a set, estimated.
const SET_BYTES: u64 = 64;

/// A rule that was read, and where in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ended {
    pub(super) nonterminal: NonterminalId,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A set of facts.
pub(super) type FactsId = u32;

/// The empty set.
pub(super) const NONE: FactsId = 0;

#[derive(Clone, Copy)]
enum Node {
    None,
    One(Ended),
    Both(FactsId, FactsId),
}

/// How much there is at some time.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    nodes: usize,
    settled: usize,
}

/// All sets of facts.
pub(super) struct Facts {
    nodes: Vec<Node>,
    /// Whether everything in a set was told.
    is_told: Vec<bool>,
    /// The sets of which everything was told, in the order in which this happened.
    settled: Vec<FactsId>,
    /// The facts that were told at the end of the text. They are found again when the text continues.
    pub(super) last: BTreeSet<Ended>,
    budget: Budget,
}

impl Facts {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            nodes: vec![Node::None],
            is_told: vec![true],
            settled: Vec::new(),
            last: BTreeSet::new(),
            budget,
        }
    }

    /// The set of one fact, unless it was told.
    pub(super) fn one(&mut self, ended: Ended) -> Result<FactsId, OverBudget> {
        if self.last.contains(&ended) { Ok(NONE) } else { self.push(Node::One(ended)) }
    }

    /// The union of two sets.
    pub(super) fn both(&mut self, a: FactsId, b: FactsId) -> Result<FactsId, OverBudget> {
        match (self.is_told[a as usize], self.is_told[b as usize]) {
            (true, true) => Ok(NONE),
            (true, false) => Ok(b),
            (false, true) => Ok(a),
            (false, false) => self.push(Node::Both(a, b)),
        }
    }

    /// What two sets have in common, as far as it was not told.
    pub(super) fn common(&mut self, a: FactsId, b: FactsId) -> Result<FactsId, OverBudget> {
        if a == b {
            return Ok(a);
        }
        let [mut in_a, mut in_b] = [BTreeSet::new(), BTreeSet::new()];
        self.untold(a, &mut in_a)?;
        self.untold(b, &mut in_b)?;
        let common: Vec<Ended> = in_a.intersection(&in_b).copied().collect();
        if common.len() == in_a.len() {
            return Ok(a);
        }
        let mut facts = NONE;
        for ended in common {
            let one = self.one(ended)?;
            facts = self.both(facts, one)?;
        }
        Ok(facts)
    }

    /// Adds what is in a set and was not told.
    pub(super) fn untold(&self, facts: FactsId, found: &mut impl Extend<Ended>) -> Result<(), OverBudget> {
        let mut open = vec![facts];
        while let Some(facts) = open.pop() {
            if self.is_told[facts as usize] {
                continue;
            }
            self.budget.charge_work(1)?;
            match self.nodes[facts as usize] {
                Node::None => {}
                Node::One(ended) => found.extend([ended]),
                Node::Both(a, b) => open.extend([b, a]),
            }
        }
        Ok(())
    }

    /// Notes which parts of a set were told now.
    pub(super) fn settle(&mut self, facts: FactsId, told: &BTreeSet<Ended>) -> Result<(), OverBudget> {
        let mut open = vec![(facts, false)];
        while let Some((facts, are_parts_done)) = open.pop() {
            if self.is_told[facts as usize] {
                continue;
            }
            self.budget.charge_work(1)?;
            let is_told = match self.nodes[facts as usize] {
                Node::None => true,
                Node::One(ended) => told.contains(&ended),
                Node::Both(a, b) if are_parts_done => self.is_told[a as usize] && self.is_told[b as usize],
                Node::Both(a, b) => {
                    open.extend([(facts, true), (a, false), (b, false)]);
                    continue;
                }
            };
            if is_told {
                self.is_told[facts as usize] = true;
                self.settled.push(facts);
            }
        }
        Ok(())
    }

    /// How much there is now.
    pub(super) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), settled: self.settled.len() }
    }

    /// Goes back to how much there was.
    pub(super) fn restore(&mut self, mark: Mark) {
        for facts in self.settled.drain(mark.settled..) {
            self.is_told[facts as usize] = false;
        }
        self.drop_sets(mark);
    }

    /// Drops the sets that were made since, but not what was told.
    pub(super) fn drop_sets(&mut self, Mark { nodes, settled }: Mark) {
        let since = self.settled.split_off(settled);
        self.settled.extend(since.into_iter().filter(|&facts| (facts as usize) < nodes));
        self.budget.release_bytes((self.nodes.len() - nodes) as u64 * SET_BYTES);
        self.nodes.truncate(nodes);
        self.is_told.truncate(nodes);
    }

    fn push(&mut self, node: Node) -> Result<FactsId, OverBudget> {
        self.budget.charge_bytes(SET_BYTES)?;
        let facts = self.nodes.len() as FactsId;
        self.nodes.push(node);
        self.is_told.push(false);
        Ok(facts)
    }
}
