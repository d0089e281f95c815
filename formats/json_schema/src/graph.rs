//! The graph of all nodes that are reachable from the root, each with its scalars and automata.
//!
//! The algebra computes one node at a time; this file asks for all of them and trims the result. After this,
//! every transition leads to acceptance over values that exist, so no dead end can reach the grammar.

use crate::algebra::{Algebra, AlgebraError, Node, NodeId, ScalarType};
use crate::automaton::{Automaton, Keys, Run};
use crate::languages::{LanguageId, Languages};
use crate::schema::{SchemaId, consts};
use crate::style::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Vertex(u32);

/// The values at one node. `array` and `object` are `None` if no array or object is allowed.
pub(crate) struct Content {
    /// The allowed constants, a set of [`consts`](crate::schema::consts).
    pub(crate) consts: u8,
    pub(crate) numbers: LanguageId,
    pub(crate) strings: LanguageId,
    pub(crate) array: Option<Automaton<Run, Vertex>>,
    pub(crate) object: Option<Automaton<Keys, Vertex>>,
    /// The schemas that the node combines.
    pub(crate) node: Arc<Node>,
}

/// The nodes that are reachable from the root.
pub(crate) struct Graph {
    contents: Vec<Content>,
    /// The schemas without values whose values might have occurred.
    barren: FxHashSet<SchemaId>,
}

impl Graph {
    /// The node of the whole document.
    pub(crate) const ROOT: Vertex = Vertex(0);

    /// Expands every node that is reachable from the values of a schema, without the strings and keys that contain excluded texts. The error may have the schema of the node that
    /// could not be expanded.
    pub(crate) fn build(
        algebra: &mut Algebra,
        schema: SchemaId,
        excludes: &[String],
    ) -> Result<Self, (AlgebraError, Option<SchemaId>)> {
        let root = algebra.node_of(schema);
        let mut vertices = FxHashMap::from_iter([(root, Self::ROOT)]);
        let mut nodes = vec![root];
        let mut contents = Vec::new();
        while let Some(&node) = nodes.get(contents.len()) {
            let vertex = |node: NodeId| {
                *vertices.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    Vertex((nodes.len() - 1) as u32)
                })
            };
            let place = algebra.schema_of(node);
            contents.push(Content::of(algebra, node, vertex).map_err(|error| (error, place))?);
        }
        algebra.exclude(&mut contents, excludes).map_err(|error| (error, Some(schema)))?;
        let mut graph = Self { contents, barren: FxHashSet::default() };
        graph.trim(algebra).map_err(|error| (error, Some(schema)))?;
        Ok(graph)
    }

    /// The values at a node.
    pub(crate) fn content(&self, vertex: Vertex) -> &Content {
        &self.contents[vertex.0 as usize]
    }

    /// The nodes whose values occur in documents, in the order in which they are found.
    pub(crate) fn reachable(&self) -> Vec<Vertex> {
        let mut is_found = vec![false; self.contents.len()];
        is_found[0] = true;
        let mut found = vec![Self::ROOT];
        let mut done = 0;
        while let Some(&vertex) = found.get(done) {
            done += 1;
            for value in self.content(vertex).values() {
                if !std::mem::replace(&mut is_found[value.0 as usize], true) {
                    found.push(value);
                }
            }
        }
        found
    }

    /// Whether no value at all is allowed.
    pub(crate) fn is_empty(&self) -> bool {
        let content = self.content(Self::ROOT);
        content.has_no_scalars() && content.array.is_none() && content.object.is_none()
    }

    /// The schemas without values whose values might have occurred.
    pub(crate) fn barren(&self) -> &FxHashSet<SchemaId> {
        &self.barren
    }

    /// Whether an object is allowed.
    pub(crate) fn has_objects(&self) -> bool {
        self.content(Self::ROOT).object.is_some()
    }

    /// Removes everything that leads to no value: the least fixpoint of "the node has a value".
    fn trim(&mut self, algebra: &Algebra) -> Result<(), AlgebraError> {
        let mut inhabited: Vec<bool> =
            self.contents.iter().map(|content| !content.has_no_scalars()).collect();
        // Mostly the parts of a node come after it, so one round from the last node to the first decides
        // nearly all.
        let mut changed = true;
        while changed {
            changed = false;
            algebra.step(self.contents.iter().map(Content::size).sum())?;
            for (index, content) in self.contents.iter().enumerate().rev() {
                if !inhabited[index] && content.has_composite(&inhabited) {
                    inhabited[index] = true;
                    changed = true;
                }
            }
        }
        let exists = |value: Vertex| inhabited[value.0 as usize];
        let barren = self.contents.iter().zip(&inhabited).filter(|&(_, &inhabited)| !inhabited);
        self.barren = barren.filter_map(|(content, _)| content.node.as_schema()).collect();
        for content in &mut self.contents {
            content.array = content.array.take().and_then(|array| array.trimmed(exists));
            content.object = content.object.take().and_then(|object| object.trimmed(exists));
        }
        Ok(())
    }
}

impl Content {
    /// The values of a node of the algebra.
    fn of(
        algebra: &mut Algebra,
        node: NodeId,
        mut vertex: impl FnMut(NodeId) -> Vertex,
    ) -> Result<Self, AlgebraError> {
        let array = algebra.array_automaton(node)?.map(|automaton| automaton.map(&mut vertex));
        let object = algebra.object_automaton(node)?.map(|automaton| automaton.map(&mut vertex));
        Ok(Self {
            consts: algebra.node_consts(node)?,
            numbers: algebra.node_language(node, ScalarType::Numbers)?,
            strings: algebra.node_language(node, ScalarType::Strings)?,
            array,
            object,
            node: algebra.node(node),
        })
    }

    /// One of the schemas that the node combines, for messages.
    pub(crate) fn schema(&self) -> Option<SchemaId> {
        self.node.literals().map(|(schema, _)| schema).next()
    }

    /// The kinds of the values.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        let kinds = [
            (Kind::String, self.strings != Languages::NOTHING),
            (Kind::Number, self.numbers != Languages::NOTHING),
            (Kind::Boolean, self.consts & (consts::TRUE | consts::FALSE) != 0),
            (Kind::Null, self.consts & consts::NULL != 0),
            (Kind::Array, self.array.is_some()),
            (Kind::Object, self.object.is_some()),
        ];
        kinds.into_iter().filter(|(_, has)| *has).map(|(kind, _)| kind).collect()
    }

    /// The nodes of all items and members.
    fn values(&self) -> impl Iterator<Item = Vertex> + '_ {
        let items = self.array.iter().flat_map(|array| &array.states);
        let items = items.flat_map(|state| state.transitions.iter().map(|&(_, value, _)| value));
        let members = self.object.iter().flat_map(|object| &object.states);
        items.chain(members.flat_map(|state| state.transitions.iter().map(|&(_, value, _)| value)))
    }

    /// The number of states and transitions of the automata.
    pub(crate) fn size(&self) -> usize {
        self.array.as_ref().map_or(0, Automaton::size) + self.object.as_ref().map_or(0, Automaton::size)
    }

    fn has_no_scalars(&self) -> bool {
        self.consts == 0 && self.numbers == Languages::NOTHING && self.strings == Languages::NOTHING
    }

    /// Whether there is an array or object over values of inhabited nodes.
    fn has_composite(&self, inhabited: &[bool]) -> bool {
        let exists = |value: Vertex| inhabited[value.0 as usize];
        self.array.as_ref().is_some_and(|array| array.co_accessible(exists)[0])
            || self.object.as_ref().is_some_and(|object| object.co_accessible(exists)[0])
    }
}
