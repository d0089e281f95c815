//! The graph of all nodes that are reachable from the root, each with its scalars and automata.
//!
//! The algebra computes one node at a time; this file asks for all of them and trims the result. After this,
//! every transition leads to acceptance over values that exist, so no dead end can reach the grammar.

use crate::ahead::{Ahead, Values};
use crate::algebra::{Algebra, AlgebraError, NodeId, Objects};
use crate::content::{Content, Endless, Place, Vertex};
use crate::languages::LanguageId;
use crate::nested;
use crate::schema::SchemaId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

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
        let (mut nodes, mut contents) = expand(algebra, root)?;
        // What repeated keys mislead is looked for when all nodes are there, so that the search changes no other node.
        while algebra.find_misled(&objects(&nodes, &contents)).map_err(|error| (error, Some(schema)))? {
            (nodes, contents) = expand(algebra, root)?;
        }
        nested::separate(algebra, &mut nodes, &mut contents).map_err(|error| (error, Some(schema)))?;
        algebra.exclude(&mut contents, excludes).map_err(|error| (error, Some(schema)))?;
        let mut graph = Self { contents, barren: FxHashSet::default() };
        graph.trim(algebra).map_err(|error| (error, Some(schema)))?;
        let forgotten = nested::not_comparable(algebra, &nodes, &mut graph.contents);
        for node in forgotten.map_err(|error| (error, Some(schema)))? {
            algebra.forget_array(node).map_err(|error| (error, Some(schema)))?;
        }
        graph.check_remembered(algebra, &nodes).map_err(|error| (error, Some(schema)))?;
        let mut is_known = FxHashSet::default();
        let objects =
            graph.reachable().into_iter().filter(|&vertex| !graph.content(vertex).objects.is_empty());
        let objects = objects.map(|vertex| nodes[vertex.0 as usize]).filter(|&node| is_known.insert(node));
        algebra.report_repeats(objects).map_err(|error| (error, Some(schema)))?;
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
        content.has_no_scalars() && content.array.is_none() && content.objects.is_empty()
    }

    /// The schemas without values whose values might have occurred.
    pub(crate) fn barren(&self) -> &FxHashSet<SchemaId> {
        &self.barren
    }

    /// Whether an object is allowed.
    pub(crate) fn has_objects(&self) -> bool {
        !self.content(Self::ROOT).objects.is_empty()
    }

    /// Remembers other keys only where they cannot be used up, and where the keys that schemas declare are not remembered by their numbers.
    fn check_remembered(&mut self, algebra: &mut Algebra, nodes: &[NodeId]) -> Result<(), AlgebraError> {
        let nodes = self.contents.iter_mut().zip(nodes);
        for (content, &node) in
            nodes.filter(|(content, _)| content.remembers_other_keys && content.has_names())
        {
            let classes: BTreeSet<LanguageId> = content.classes().collect();
            let mut are_endless = content.record.is_none();
            for class in classes {
                are_endless &= !algebra.is_finite(class)?;
            }
            if !are_endless {
                content.remembers_other_keys = false;
                algebra.forget_other_keys(node);
            }
        }
        Ok(())
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
            let objects = std::mem::take(&mut content.objects);
            let trimmed = objects.into_iter().filter_map(|object| object.trimmed(exists));
            content.objects = trimmed.filter(|object| content.has_keys(object, exists)).collect();
        }
        Ok(())
    }
}

/// Nodes, and their values.
type Expanded = (Vec<NodeId>, Vec<Content>);

/// All nodes that are reachable from one, and their values.
fn expand(algebra: &mut Algebra, root: NodeId) -> Result<Expanded, (AlgebraError, Option<SchemaId>)> {
    let mut vertices = FxHashMap::from_iter([(root, Graph::ROOT)]);
    let (mut nodes, mut contents, mut ahead) = (vec![root], Vec::new(), Ahead::default());
    while let Some(&node) = nodes.get(contents.len()) {
        let place = algebra.schema_of(node);
        let values = ahead.take(algebra, node).map_err(|error| (error, place))?;
        let mut vertex = |node: NodeId| {
            *vertices.entry(node).or_insert_with(|| {
                nodes.push(node);
                Vertex((nodes.len() - 1) as u32)
            })
        };
        contents.push(content(algebra, node, values, &mut vertex));
    }
    Ok((nodes, contents))
}

/// The nodes that allow objects.
fn objects(nodes: &[NodeId], contents: &[Content]) -> Vec<NodeId> {
    let allowed = nodes.iter().zip(contents).filter(|(_, content)| !content.objects.is_empty());
    allowed.map(|(&node, _)| node).collect()
}

/// The values of a node of the algebra.
fn content(
    algebra: &Algebra,
    node: NodeId,
    values: Values,
    vertex: &mut impl FnMut(NodeId) -> Vertex,
) -> Content {
    let Values { array, objects: Objects { automata, record }, consts, numbers, strings } = values;
    Content {
        consts,
        numbers,
        strings,
        array: array.map(|automaton| automaton.map(&mut *vertex)),
        objects: automata.into_iter().map(|automaton| automaton.map(&mut *vertex)).collect(),
        record,
        counts_other_keys: algebra.counts_other_keys(node),
        remembers_other_keys: algebra.remembers_other_keys(node),
        place: Place::Elsewhere,
        endless: Endless::default(),
        node: algebra.node(node),
    }
}
