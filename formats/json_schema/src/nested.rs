//! Items that are arrays or objects, in arrays whose items differ.
//!
//! Two such items are compared as texts, without the white space outside of strings. So they need one text for each value: scalars have one
//! notation, keys come in one order, and once, and members whose keys no schema declares are left out. Therefore an item and everything in it are
//! nodes of their own, copies of those that stand elsewhere.

use crate::algebra::{Algebra, AlgebraError, NodeId};
use crate::automaton::{Automaton, Keys, Run, State};
use crate::content::{Content, Place, Vertex};
use crate::schema::KeyId;
use crate::topological::topological;
use rustc_hash::FxHashMap;

/// Gives the items of arrays whose items differ nodes of their own, if they are arrays or objects. The result tells for each node whether it has objects that
/// need keys that no schema declares.
pub(crate) fn separate(
    algebra: &Algebra<'_, '_>,
    nodes: &mut Vec<NodeId>,
    contents: &mut Vec<Content>,
) -> Result<Vec<bool>, AlgebraError> {
    let mut copies = Copies { first: contents.len(), known: FxHashMap::default(), origins: Vec::new() };
    let is_composite: Vec<bool> = contents.iter().map(Content::is_composite).collect();
    for content in contents.iter_mut() {
        let array = content.array.iter_mut().flat_map(|array| &mut array.states);
        for (run, value, _) in array.flat_map(|state| &mut state.transitions) {
            if run.distinct && is_composite[value.0 as usize] {
                *value = copies.of(*value, Place::Item);
            }
        }
    }
    let mut done = 0;
    while let Some(&(origin, place)) = copies.origins.get(done) {
        done += 1;
        let content = &contents[origin.0 as usize];
        algebra.step(content.size())?;
        let array = content.array.as_ref().map(|array| copies.array(array.clone(), &is_composite));
        let has_other_keys = content.objects.iter().any(|object| !has_named_only(object));
        let objects = content.objects.iter().map(|object| copies.object(object.clone())).collect();
        let (node, record) = (content.node.clone(), content.record.clone());
        let copy = Content { array, objects, record, place, has_other_keys, node, ..*content };
        contents.push(copy);
        nodes.push(nodes[origin.0 as usize]);
    }
    let needs_others = |(origin, copy): (&(Vertex, Place), &Content)| {
        let objects = &contents[origin.0.0 as usize].objects;
        copy.objects.iter().zip(objects).any(|(named, all)| needs_other_keys(named, all))
    };
    let mut needs = vec![false; copies.first];
    needs.extend(copies.origins.iter().zip(&contents[copies.first..]).map(needs_others));
    spread(algebra, contents, &mut needs)?;
    Ok(needs)
}

/// Whether all keys of the objects are declared.
fn has_named_only(object: &Automaton<Keys, Vertex>) -> bool {
    object.states.iter().all(State::has_named_only)
}

/// Whether objects without the keys that no schema declares are none, or only the empty one.
fn needs_other_keys(named: &Automaton<Keys, Vertex>, all: &Automaton<Keys, Vertex>) -> bool {
    let has_keys =
        |object: &Automaton<Keys, Vertex>| object.states.iter().any(|state| !state.transitions.is_empty());
    let accepts = |object: &Automaton<Keys, Vertex>| object.co_accessible(|_| true)[0];
    has_keys(all) && !has_keys(named) || accepts(all) && !accepts(named)
}

/// Marks the nodes that have marked ones in them.
fn spread(algebra: &Algebra<'_, '_>, contents: &[Content], marks: &mut [bool]) -> Result<(), AlgebraError> {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        algebra.step(contents.iter().map(Content::size).sum())?;
        for (index, content) in contents.iter().enumerate().rev() {
            if !marks[index] && content.values().any(|value| marks[value.0 as usize]) {
                marks[index] = true;
                changed = true;
            }
        }
    }
    Ok(())
}

/// The copies of nodes, which come after all others.
struct Copies {
    first: usize,
    known: FxHashMap<(Vertex, Place), Vertex>,
    origins: Vec<(Vertex, Place)>,
}

impl Copies {
    /// The copy of a node for a place, which is listed if it is new. A copy is its own copy: arrays with items that differ refer to copies already.
    fn of(&mut self, vertex: Vertex, place: Place) -> Vertex {
        if vertex.0 as usize >= self.first {
            return vertex;
        }
        *self.known.entry((vertex, place)).or_insert_with(|| {
            self.origins.push((vertex, place));
            Vertex((self.first + self.origins.len() - 1) as u32)
        })
    }

    /// The array within an item. Scalars that differ from each other have one notation wherever they are.
    fn array(&mut self, array: Automaton<Run, Vertex>, is_composite: &[bool]) -> Automaton<Run, Vertex> {
        array.map_transitions(|run, value| match run.distinct {
            true if is_composite.get(value.0 as usize) == Some(&false) => Some(value),
            true => Some(self.of(value, Place::Item)),
            false => Some(self.of(value, Place::Within)),
        })
    }

    /// The object within an item, without keys that no schema declares.
    fn object(&mut self, object: Automaton<Keys, Vertex>) -> Automaton<Keys, Vertex> {
        object.map_transitions(|keys, value| keys.named().map(|_| self.of(value, Place::Within)))
    }
}

/// The nodes of arrays whose items cannot be told apart by their texts, or may be used up, or need keys that no schema declares.
pub(crate) fn not_comparable(
    algebra: &mut Algebra<'_, '_>,
    nodes: &[NodeId],
    contents: &[Content],
    needs_others: &[bool],
) -> Result<Vec<NodeId>, AlgebraError> {
    if contents.iter().all(|content| content.place == Place::Elsewhere) {
        return Ok(Vec::new());
    }
    let counts = counts(algebra, nodes, contents)?;
    let is_unordered = unordered(algebra, contents)?;
    let is_bad = |value: Vertex, longest: Option<u64>| {
        let index = value.0 as usize;
        let suffices = counts[index].is_none_or(|count| longest.is_some_and(|longest| longest <= count));
        let is_comparable = suffices && !is_unordered[index] && !needs_others[index];
        contents[index].place == Place::Item && !is_comparable
    };
    let has_bad = |content: &Content| {
        content.array.as_ref().is_some_and(|array| {
            let longest = array.longest();
            array.values_of_distinct().any(|value| is_bad(value, longest))
        })
    };
    Ok(contents.iter().zip(nodes).filter(|(content, _)| has_bad(content)).map(|(_, &node)| node).collect())
}

/// Per node: how many values it has at least, if there are finitely many. Nodes on circles have infinitely many.
fn counts(
    algebra: &mut Algebra<'_, '_>,
    nodes: &[NodeId],
    contents: &[Content],
) -> Result<Vec<Option<u64>>, AlgebraError> {
    let mut scalars = Vec::with_capacity(contents.len());
    for &node in nodes {
        scalars.push(algebra.count_of(node)?.map(u64::from));
    }
    let mut counts: Vec<Option<u64>> = vec![None; contents.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        algebra.step(contents.iter().map(Content::size).sum())?;
        for (index, content) in contents.iter().enumerate().rev() {
            let of = |value: Vertex| counts[value.0 as usize];
            if counts[index].is_none() && content.values().all(|value| of(value).is_some()) {
                counts[index] = count(content, scalars[index], |value| of(value).unwrap_or(0));
                changed |= counts[index].is_some();
            }
        }
    }
    Ok(counts)
}

/// How many values a node has at least, from those of its scalars and of the nodes in it; `None` if there are infinitely many.
fn count(content: &Content, scalars: Option<u64>, of: impl Fn(Vertex) -> u64) -> Option<u64> {
    let mut all = scalars?;
    if let Some(array) = &content.array {
        all = all.saturating_add(array.count(&of)?);
    }
    for object in &content.objects {
        let count = object.fold(|accepts, transitions| {
            let count = |(_, value, rest): (Keys, Vertex, u64)| of(value).saturating_mul(rest);
            transitions.map(count).fold(u64::from(accepts), u64::saturating_add)
        });
        all = all.saturating_add(count?);
    }
    Some(all)
}

/// Per node: whether some object in it may have the same members in two orders.
fn unordered(algebra: &Algebra<'_, '_>, contents: &[Content]) -> Result<Vec<bool>, AlgebraError> {
    let mut is_unordered = vec![false; contents.len()];
    for (index, content) in contents.iter().enumerate() {
        if content.place != Place::Elsewhere {
            is_unordered[index] = !has_one_order(algebra, &content.objects)?;
        }
    }
    spread(algebra, contents, &mut is_unordered)?;
    Ok(is_unordered)
}

/// Whether one order of all keys has all orders in which the objects have them: no key comes after itself, even by way of others.
fn has_one_order(
    algebra: &Algebra<'_, '_>,
    objects: &[Automaton<Keys, Vertex>],
) -> Result<bool, AlgebraError> {
    let mut numbers: FxHashMap<KeyId, usize> = FxHashMap::default();
    let mut after: Vec<Vec<usize>> = Vec::new();
    let mut number = |key: KeyId, after: &mut Vec<Vec<usize>>| {
        *numbers.entry(key).or_insert_with(|| {
            after.push(Vec::new());
            after.len() - 1
        })
    };
    for object in objects {
        for transition in object.states.iter().flat_map(|state| &state.transitions) {
            let Some(key) = transition.0.named() else { return Ok(false) };
            let key = number(key, &mut after);
            for next in object.transitions(transition.2).filter_map(|(keys, ..)| keys.named()) {
                algebra.step(1)?;
                let next = number(next, &mut after);
                after[key].push(next);
            }
        }
    }
    for next in &mut after {
        next.sort_unstable();
        next.dedup();
    }
    Ok(topological(after.len(), |key| after[key].iter().copied()).is_some())
}
