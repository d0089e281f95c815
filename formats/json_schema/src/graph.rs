//! All nodes reachable from the root, each with its scalars and automata, without dead ends.

use super::algebra::automata::{Automaton, Keys, State};
use super::algebra::{Algebra, NodeId, Sort, Trouble};
use super::languages::{LanguageId, Languages};
use rustc_hash::FxHashMap;

/// A place among the reachable nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Vertex(pub(super) u32);

/// The values of one node.
pub(super) struct Content {
    pub(super) consts: u8,
    pub(super) numbers: LanguageId,
    pub(super) strings: LanguageId,
    pub(super) array: Option<Automaton<(), Vertex>>,
    pub(super) object: Option<Automaton<Keys, Vertex>>,
}

/// The reachable nodes; the root is the first.
pub(super) struct Graph {
    pub(super) contents: Vec<Content>,
}

impl Graph {
    /// Expands every node that can be reached from `root`.
    ///
    /// After this, every transition leads to acceptance over values that exist: [`Content::array`] and
    /// [`Content::object`] are `None` where there are no such values.
    pub(super) fn build(algebra: &mut Algebra, root: NodeId) -> Result<Self, Trouble> {
        let mut vertices = FxHashMap::from_iter([(root, Vertex(0))]);
        let mut nodes = vec![root];
        let mut contents = Vec::new();
        let mut size = 0;
        while let Some(&node) = nodes.get(contents.len()) {
            let mut number = |node: NodeId| {
                *vertices.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    Vertex((nodes.len() - 1) as u32)
                })
            };
            let array = algebra.array_automaton(node)?.map(|automaton| automaton.map(&mut number));
            let object = algebra.object_automaton(node)?.map(|automaton| automaton.map(&mut number));
            size += array.as_ref().map_or(0, Automaton::size) + object.as_ref().map_or(0, Automaton::size);
            algebra.check_size(size)?;
            contents.push(Content {
                consts: algebra.node_consts(node)?,
                numbers: algebra.node_language(node, Sort::Numbers)?,
                strings: algebra.node_language(node, Sort::Strings)?,
                array,
                object,
            });
        }
        let mut graph = Self { contents };
        graph.trim();
        Ok(graph)
    }

    /// Has a node any value at all?
    pub(super) fn is_empty(&self, vertex: Vertex) -> bool {
        let content = &self.contents[vertex.0 as usize];
        content.has_no_scalars() && content.array.is_none() && content.object.is_none()
    }

    /// Removes what leads nowhere: the least fixpoint of "has a value".
    fn trim(&mut self) {
        let mut inhabited: Vec<bool> =
            self.contents.iter().map(|content| !content.has_no_scalars()).collect();
        // What a node is made of has mostly come after it, so backwards one round settles nearly everything.
        let mut changed = true;
        while changed {
            changed = false;
            for (index, content) in self.contents.iter().enumerate().rev() {
                if !inhabited[index] && content.has_composite(&inhabited) {
                    inhabited[index] = true;
                    changed = true;
                }
            }
        }
        for content in &mut self.contents {
            content.array = content.array.take().and_then(|array| array.trimmed(&inhabited));
            content.object = content.object.take().and_then(|object| object.trimmed(&inhabited));
        }
    }
}

impl Content {
    fn has_no_scalars(&self) -> bool {
        self.consts == 0 && self.numbers == Languages::NOTHING && self.strings == Languages::NOTHING
    }

    fn has_composite(&self, inhabited: &[bool]) -> bool {
        self.array.as_ref().is_some_and(|array| array.useful(inhabited)[0])
            || self.object.as_ref().is_some_and(|object| object.useful(inhabited)[0])
    }
}

impl<L: Copy> Automaton<L, NodeId> {
    fn map(self, mut number: impl FnMut(NodeId) -> Vertex) -> Automaton<L, Vertex> {
        let states = self.states.into_iter().map(|state| State {
            accepting: state.accepting,
            transitions: state
                .transitions
                .into_iter()
                .map(|(l, node, target)| (l, number(node), target))
                .collect(),
        });
        Automaton { states: states.collect() }
    }
}

impl<L: Copy> Automaton<L, Vertex> {
    fn size(&self) -> usize {
        self.states.iter().map(|state| state.transitions.len() + 1).sum()
    }

    /// Per state: can it reach acceptance over values that exist?
    fn useful(&self, inhabited: &[bool]) -> Vec<bool> {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (index, state) in self.states.iter().enumerate() {
            for &(_, value, target) in &state.transitions {
                if inhabited[value.0 as usize] {
                    sources[target as usize].push(index as u32);
                }
            }
        }
        let mut useful: Vec<bool> = self.states.iter().map(|state| state.accepting).collect();
        let mut open: Vec<u32> =
            (0..self.states.len() as u32).filter(|&index| useful[index as usize]).collect();
        while let Some(index) = open.pop() {
            for &source in &sources[index as usize] {
                if !std::mem::replace(&mut useful[source as usize], true) {
                    open.push(source);
                }
            }
        }
        useful
    }

    /// Only useful and reachable states, only values that exist; `None` if nothing is left.
    fn trimmed(self, inhabited: &[bool]) -> Option<Self> {
        let useful = self.useful(inhabited);
        if !useful[0] {
            return None;
        }
        let keep =
            |&(_, value, target): &(L, Vertex, u32)| inhabited[value.0 as usize] && useful[target as usize];
        let mut number = vec![u32::MAX; self.states.len()];
        number[0] = 0;
        let mut order = vec![0usize];
        let mut states: Vec<State<L, Vertex>> = Vec::new();
        while let Some(&index) = order.get(states.len()) {
            let state = &self.states[index];
            let mut transitions = Vec::new();
            for transition in state.transitions.iter().filter(|transition| keep(transition)) {
                let target = transition.2 as usize;
                if number[target] == u32::MAX {
                    number[target] = order.len() as u32;
                    order.push(target);
                }
                transitions.push((transition.0, transition.1, number[target]));
            }
            states.push(State { accepting: state.accepting, transitions });
        }
        Some(Self { states })
    }
}
