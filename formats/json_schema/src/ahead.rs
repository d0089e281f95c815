//! Which of many kinds of values of a member exist, before what follows them is expanded.
//!
//! Alternatives of objects that no key tells apart have a kind of values for each set of alternatives that the value of a member may belong to:
//! 256 for eight alternatives, and for each of these the same again at the next key. Mostly few of them have values, since closed objects have few
//! members in common; the graph is trimmed at its end, but the others would be expanded until then, with all that follows them. So where there are
//! many kinds, each is looked at first. The automata that this needs are those of the node, so nothing is made twice.

use crate::algebra::{Algebra, AlgebraError, NodeId, Objects, ScalarType};
use crate::automaton::{Automaton, Keys, Run};
use crate::languages::{LanguageId, Languages};
use rustc_hash::{FxHashMap, FxHashSet};

type Result<T> = std::result::Result<T, AlgebraError>;

/// From so many kinds of values of several schemas on, those of an object are looked at first.
const MANY: usize = 64;

/// The values of a node.
pub(crate) struct Values {
    pub(crate) array: Option<Automaton<Run, NodeId>>,
    pub(crate) objects: Objects,
    pub(crate) consts: u8,
    pub(crate) numbers: LanguageId,
    pub(crate) strings: LanguageId,
}

impl Values {
    fn new(algebra: &mut Algebra, node: NodeId) -> Result<Self> {
        algebra.within_share(node, |algebra| {
            let array = algebra.array_automaton(node)?;
            let objects = algebra.object_automata(node)?;
            let consts = algebra.node_consts(node)?;
            let numbers = algebra.node_language(node, ScalarType::Numbers)?;
            Ok(Self {
                array,
                objects,
                consts,
                numbers,
                strings: algebra.node_language(node, ScalarType::Strings)?,
            })
        })
    }

    /// Whether there are some, if those of items and members exist.
    fn are_some(&self) -> bool {
        let has_some = |automaton: &Automaton<Keys, NodeId>| automaton.co_accessible(|_| true)[0];
        self.consts != 0
            || self.numbers != Languages::NOTHING
            || self.strings != Languages::NOTHING
            || self.array.as_ref().is_some_and(|array| array.co_accessible(|_| true)[0])
            || self.objects.automata.iter().any(has_some)
    }
}

/// The nodes that were looked at before it was their turn.
#[derive(Default)]
pub(crate) struct Ahead {
    known: FxHashMap<NodeId, Values>,
    /// For each of them, whether it has values, as far as its own automata tell.
    exists: FxHashMap<NodeId, bool>,
}

impl Ahead {
    /// The values of a node. Where its objects have many kinds of values, those that do not exist are left out, and what only they lead to.
    pub(crate) fn take(&mut self, algebra: &mut Algebra, node: NodeId) -> Result<Values> {
        let mut values = match self.known.remove(&node) {
            Some(known) => known,
            None => Values::new(algebra, node)?,
        };
        if values.objects.record.is_none() {
            for automaton in &mut values.objects.automata {
                if kinds(algebra, automaton) >= MANY {
                    self.leave_out(algebra, automaton)?;
                }
            }
        }
        Ok(values)
    }

    /// Leaves out the transitions over values that do not exist, and those of states that no others lead to.
    fn leave_out(&mut self, algebra: &mut Algebra, automaton: &mut Automaton<Keys, NodeId>) -> Result<()> {
        let mut is_reached = vec![false; automaton.states.len()];
        let mut open = vec![0_u32];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut is_reached[state as usize], true) {
                continue;
            }
            let state = &mut automaton.states[state as usize];
            let mut kept = Vec::with_capacity(state.transitions.len());
            for transition in std::mem::take(&mut state.transitions) {
                if self.exists(algebra, transition.1)? {
                    open.push(transition.2);
                    kept.push(transition);
                }
            }
            state.transitions = kept;
            open.extend(state.otherwise);
        }
        let unreached = automaton.states.iter_mut().zip(is_reached).filter(|(_, is_reached)| !is_reached);
        unreached.for_each(|(state, _)| state.transitions.clear());
        Ok(())
    }

    /// Whether a node has values, as far as its own automata tell. A single schema is not looked at.
    fn exists(&mut self, algebra: &mut Algebra, node: NodeId) -> Result<bool> {
        if algebra.node(node).as_schema().is_some() {
            return Ok(true);
        }
        if let Some(&known) = self.exists.get(&node) {
            return Ok(known);
        }
        let values = Values::new(algebra, node)?;
        let exists = values.are_some();
        if exists {
            self.known.insert(node, values);
        }
        self.exists.insert(node, exists);
        Ok(exists)
    }
}

/// The number of nodes of several schemas among the values of members.
fn kinds(algebra: &Algebra, automaton: &Automaton<Keys, NodeId>) -> usize {
    let transitions = automaton.states.iter().flat_map(|state| &state.transitions);
    let values: FxHashSet<NodeId> = transitions.map(|&(_, value, _)| value).collect();
    values.into_iter().filter(|&value| algebra.node(value).as_schema().is_none()).count()
}
