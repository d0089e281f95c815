//! Items that are arrays or objects, in arrays whose items differ.
//!
//! Two such items are compared as texts, without the white space outside of strings. So scalars in them have one notation, and each key comes once. Therefore an item
//! and everything in it are nodes of their own, copies of those that stand elsewhere. Declared keys come in one order. Where objects have keys that no schema declares, the
//! runtime remembers these as *names* and compares items as values, whatever the order of their members is.
//!
//! An item must not run out of values after it has begun. The runtime searches for a value that is left, which ends soon if there is one order of keys, or one for each of few
//! alternatives. If there are few values, exactly counted, no array has more items than that, or other items may always follow. The runtime need not search in an
//! *endless* item: of which infinitely many values are left wherever it has not ended. Maps and open objects are endless, since a further member may always follow.

use crate::algebra::{Algebra, AlgebraError, NodeId};
use crate::automaton::{Automaton, Keys, Run};
use crate::content::{Content, Place, Vertex};
use crate::endless;
use crate::languages::LanguageId;
use crate::schema::KeyId;
use crate::topological::topological;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most orders of declared members in which a search looks for a value that is left.
const MOST_ORDERS: usize = 16;

/// The most values that bound the number of items.
const MOST_COUNTED: u32 = 1000;

/// Gives the items of arrays whose items differ nodes of their own, if they are arrays or objects.
pub(crate) fn separate(
    algebra: &Algebra<'_, '_>,
    nodes: &mut Vec<NodeId>,
    contents: &mut Vec<Content>,
) -> Result<(), AlgebraError> {
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
        let objects = content.objects.iter().map(|object| copies.object(object.clone())).collect();
        let (node, record) = (content.node.clone(), content.record.clone());
        contents.push(Content { array, objects, record, place, node, ..*content });
        nodes.push(nodes[origin.0 as usize]);
    }
    Ok(())
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

    /// The object within an item.
    fn object(&mut self, object: Automaton<Keys, Vertex>) -> Automaton<Keys, Vertex> {
        object.map(|value| self.of(value, Place::Within))
    }
}

/// Finds out which items are endless. Returns the nodes of arrays whose items cannot be told apart by the runtime, or may be used up.
pub(crate) fn not_comparable(
    algebra: &mut Algebra<'_, '_>,
    nodes: &[NodeId],
    contents: &mut [Content],
) -> Result<Vec<NodeId>, AlgebraError> {
    if contents.iter().all(|content| content.place == Place::Elsewhere) {
        return Ok(Vec::new());
    }
    let finite = finite_classes(algebra, contents)?;
    let counts = counts(algebra, nodes, contents, &finite)?;
    let mut has_names: Vec<bool> = contents.iter().map(|content| content.has_names()).collect();
    spread(algebra, contents, &mut has_names)?;
    for index in (0..contents.len()).filter(|&index| has_names[index]) {
        if contents[index].place == Place::Item {
            contents[index].endless = endless::endless(&contents[index], &counts, &finite);
            algebra.step(contents[index].size())?;
        }
    }
    bound_arrays(algebra, contents, &counts)?;
    let (is_unordered, repeats) = orders(algebra, contents, &finite)?;
    let has_few_orders = few_orders(algebra, (nodes, contents), &is_unordered, &has_names)?;
    let are_counted = !algebra.has_overlaps();
    // Items that are no arrays and no objects are as many as the list may have.
    let suffices = |value: Vertex, longest: Option<u64>| {
        let index = value.0 as usize;
        contents[index].place != Place::Item
            || counts[index]
                .is_none_or(|count| are_counted && longest.is_some_and(|longest| longest <= count))
    };
    let may_be_compared = |value: Vertex| {
        let index = value.0 as usize;
        let may_search = !is_unordered[index]
            || contents[index].is_endless()
            || has_few_orders[index] && counts[index].is_none();
        contents[index].place != Place::Item || may_search && !repeats[index]
    };
    let is_bad = |array: &Automaton<Run, Vertex>| {
        let longest = array.longest();
        !array.values_of_distinct().all(may_be_compared)
            || !array.always_goes_on(|value| suffices(value, longest))
    };
    let has_bad = |content: &Content| content.array.as_ref().is_some_and(is_bad);
    Ok(contents.iter().zip(nodes).filter(|(content, _)| has_bad(content)).map(|(_, &node)| node).collect())
}

/// The languages of keys in items that have finitely many.
fn finite_classes(
    algebra: &mut Algebra<'_, '_>,
    contents: &[Content],
) -> Result<FxHashSet<LanguageId>, AlgebraError> {
    let compared = contents.iter().filter(|content| content.place != Place::Elsewhere);
    let classes: BTreeSet<LanguageId> = compared.flat_map(Content::classes).collect();
    let mut finite = FxHashSet::default();
    for class in classes {
        if algebra.is_finite(class)? {
            finite.insert(class);
        }
    }
    Ok(finite)
}

/// Per node: how many values it has at least, if there are finitely many. Nodes on circles have infinitely many, and so have those that are not in items, which nobody
/// asks for.
fn counts(
    algebra: &mut Algebra<'_, '_>,
    nodes: &[NodeId],
    contents: &[Content],
    finite: &FxHashSet<LanguageId>,
) -> Result<Vec<Option<u64>>, AlgebraError> {
    let mut is_asked = vec![false; contents.len()];
    for (index, content) in
        contents.iter().enumerate().filter(|(_, content)| content.place != Place::Elsewhere)
    {
        is_asked[index] = true;
        content.values().for_each(|value| is_asked[value.0 as usize] = true);
    }
    let mut scalars = vec![None; contents.len()];
    for index in (0..contents.len()).filter(|&index| is_asked[index]) {
        scalars[index] = algebra.count_of(nodes[index])?.map(u64::from);
    }
    let mut counts: Vec<Option<u64>> = vec![None; contents.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        algebra.step(contents.iter().map(Content::size).sum())?;
        for (index, content) in contents.iter().enumerate().rev() {
            let of = |value: Vertex| counts[value.0 as usize];
            if counts[index].is_none() && content.values().all(|value| of(value).is_some()) {
                counts[index] = count(content, scalars[index], finite, |value| of(value).unwrap_or(0));
                changed |= counts[index].is_some();
            }
        }
    }
    Ok(counts)
}

/// Lets arrays have at most as many items as there are values of them, if these are few arrays and objects that are counted exactly: so a further item is always possible.
fn bound_arrays(
    algebra: &Algebra<'_, '_>,
    contents: &mut [Content],
    counts: &[Option<u64>],
) -> Result<(), AlgebraError> {
    if algebra.has_overlaps() {
        return Ok(());
    }
    let mut is_inexact: Vec<bool> = contents.iter().map(|content| !has_exact_count(content)).collect();
    spread(algebra, contents, &mut is_inexact)?;
    for index in 0..contents.len() {
        let Some(array) = &contents[index].array else { continue };
        let values: BTreeSet<Vertex> = array.values_of_distinct().collect();
        let [Some(value), None] = [values.first(), values.iter().nth(1)] else { continue };
        let of_value = value.0 as usize;
        let few = counts[of_value]
            .and_then(|count| u32::try_from(count).ok())
            .filter(|&count| count <= MOST_COUNTED);
        let is_composite = contents[of_value].place == Place::Item;
        if let Some(most) = few.filter(|_| is_composite && !is_inexact[of_value])
            && array.longest().is_none_or(|longest| longest > u64::from(most))
        {
            algebra.step(array.size() * most as usize)?;
            if let Some(bounded) = array.with_at_most(most) {
                contents[index].array = Some(bounded);
            }
        }
    }
    Ok(())
}

/// Whether the number of values of a node is exactly that of the members and items that its automata read.
fn has_exact_count(content: &Content) -> bool {
    let objects = content.objects.iter().flat_map(|object| &object.states);
    content.record.is_none()
        && content.objects.len() <= 1
        && objects.flat_map(|state| &state.transitions).all(|(keys, ..)| keys.named().is_some())
        && content.array.as_ref().is_none_or(Automaton::has_plain_items)
}

/// How many values a node has at least, from those of its scalars and of the nodes in it; `None` if there are infinitely many.
fn count(
    content: &Content,
    scalars: Option<u64>,
    finite: &FxHashSet<LanguageId>,
    of: impl Fn(Vertex) -> u64,
) -> Option<u64> {
    let mut all = scalars?;
    let letters = content.objects.iter().flat_map(|object| &object.states);
    let mut letters = letters.flat_map(|state| &state.transitions).map(|transition| transition.0);
    if letters.any(|keys| keys.class().is_some_and(|class| !finite.contains(&class))) {
        return None;
    }
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

/// Per node: whether some object in it may have the same declared members in two orders; and whether one may need a key twice, or its keys may be used up.
fn orders(
    algebra: &Algebra<'_, '_>,
    contents: &[Content],
    finite: &FxHashSet<LanguageId>,
) -> Result<(Vec<bool>, Vec<bool>), AlgebraError> {
    let mut is_unordered = vec![false; contents.len()];
    let mut repeats = vec![false; contents.len()];
    for (index, content) in contents.iter().enumerate() {
        if content.place != Place::Elsewhere {
            is_unordered[index] = !has_one_order(algebra, &content.objects)?;
            let letters = content.objects.iter().flat_map(|object| &object.states);
            let mut letters = letters.flat_map(|state| &state.transitions).map(|transition| transition.0);
            repeats[index] = content.record.is_some()
                || letters.any(|keys| keys.class().is_some_and(|class| finite.contains(&class)))
                || is_unordered[index] && repeats_key(algebra, &content.objects)?;
        }
    }
    spread(algebra, contents, &mut is_unordered)?;
    spread(algebra, contents, &mut repeats)?;
    Ok((is_unordered, repeats))
}

/// Per node: whether it is an item whose objects have declared members in few orders only, and what is in them in one order. So a search for a value that is left looks at
/// few texts of each.
fn few_orders(
    algebra: &mut Algebra<'_, '_>,
    (nodes, contents): (&[NodeId], &[Content]),
    is_unordered: &[bool],
    has_names: &[bool],
) -> Result<Vec<bool>, AlgebraError> {
    let mut few = vec![false; contents.len()];
    for (index, content) in contents.iter().enumerate() {
        let is_within = content.values().any(|value| is_unordered[value.0 as usize]);
        if content.place == Place::Item
            && is_unordered[index]
            && !is_within
            && has_names[index]
            && let Some(automata) = algebra.automata_of_alternatives(nodes[index], MOST_ORDERS)?
        {
            few[index] = true;
            for automaton in automata {
                few[index] &= has_one_order(algebra, &[automaton])?;
            }
        }
    }
    Ok(few)
}

/// Whether a declared key may come after itself.
fn repeats_key(algebra: &Algebra<'_, '_>, objects: &[Automaton<Keys, Vertex>]) -> Result<bool, AlgebraError> {
    for object in objects {
        let letters = object.states.iter().flat_map(|state| &state.transitions);
        let keys: BTreeSet<KeyId> = letters.filter_map(|(keys, ..)| keys.named()).collect();
        for key in keys {
            let is_key = |keys: Keys| keys.named() == Some(key);
            let mut seen = vec![false; object.states.len()];
            let mut open: Vec<u32> = Vec::new();
            let first = object.states.iter().flat_map(|state| &state.transitions);
            open.extend(first.filter(|(keys, ..)| is_key(*keys)).map(|transition| transition.2));
            while let Some(state) = open.pop() {
                if std::mem::replace(&mut seen[state as usize], true) {
                    continue;
                }
                for (keys, _, target) in object.transitions(state) {
                    algebra.step(1)?;
                    if is_key(keys) {
                        return Ok(true);
                    }
                    open.push(target);
                }
            }
        }
    }
    Ok(false)
}

/// Whether one order of all declared keys has all orders in which the objects have them: none comes after itself, even by way of others. The keys that no
/// schema declares are one of them here.
fn has_one_order<V: Copy>(
    algebra: &Algebra<'_, '_>,
    objects: &[Automaton<Keys, V>],
) -> Result<bool, AlgebraError> {
    let mut numbers: FxHashMap<Option<KeyId>, usize> = FxHashMap::default();
    let mut after: Vec<Vec<usize>> = Vec::new();
    let mut number = |key: Option<KeyId>, after: &mut Vec<Vec<usize>>| {
        *numbers.entry(key).or_insert_with(|| {
            after.push(Vec::new());
            after.len() - 1
        })
    };
    for object in objects {
        for &(keys, _, target) in object.states.iter().flat_map(|state| &state.transitions) {
            let key = number(keys.named(), &mut after);
            for (next, ..) in object.transitions(target) {
                algebra.step(1)?;
                if keys.named().is_some() || next.named().is_some() {
                    let next = number(next.named(), &mut after);
                    after[key].push(next);
                }
            }
        }
    }
    for next in &mut after {
        next.sort_unstable();
        next.dedup();
    }
    Ok(topological(after.len(), |key| after[key].iter().copied()).is_some())
}
