//! The values at one node of the graph: scalars as languages, arrays and objects as automata over nodes.

use crate::algebra::Node;
use crate::automaton::{Automaton, Keys, Run, State};
use crate::languages::{LanguageId, Languages};
use crate::record::Record;
use crate::schema::{SchemaId, consts};
use crate::style::Kind;
use std::sync::Arc;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Vertex(pub(crate) u32);

/// Where the values of a node stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    /// An item that is compared with others as a whole.
    Item,
    /// Somewhere in such an item.
    Within,
    Elsewhere,
}

/// Whether infinitely many values are left of the arrays or objects of a node wherever they have not ended. It is noted for items whose values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Endless {
    pub(crate) arrays: bool,
    pub(crate) objects: bool,
}

/// The values at one node. `array` is `None` if no array is allowed.
pub(crate) struct Content {
    /// The allowed constants, a set of [`consts`](crate::schema::consts).
    pub(crate) consts: u8,
    pub(crate) numbers: LanguageId,
    pub(crate) strings: LanguageId,
    pub(crate) array: Option<Automaton<Run, Vertex>>,
    /// An object is allowed if one of these automata reads it. Mostly there is one; alternatives that have too many states together are
    /// kept apart.
    pub(crate) objects: Vec<Automaton<Keys, Vertex>>,
    /// If there is one automaton, the conditions on the keys that are not in it.
    pub(crate) record: Option<Record>,
    /// Whether keys of the objects that no schema declares occur once, perhaps in an order.
    pub(crate) counts_other_keys: bool,
    /// Whether these keys are remembered, since they are counted and there are infinitely many.
    pub(crate) remembers_other_keys: bool,
    /// Where they stand.
    pub(crate) place: Place,
    /// Of items that are compared with others: which of them never run out of values.
    pub(crate) endless: Endless,
    /// The schemas that the node combines.
    pub(crate) node: Arc<Node>,
}

impl Content {
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
            (Kind::Object, !self.objects.is_empty()),
        ];
        kinds.into_iter().filter(|(_, has)| *has).map(|(kind, _)| kind).collect()
    }

    /// The nodes of all items and members.
    pub(crate) fn values(&self) -> impl Iterator<Item = Vertex> + '_ {
        let items = self.array.iter().flat_map(|array| &array.states);
        let items = items.flat_map(|state| state.transitions.iter().map(|&(_, value, _)| value));
        let members = self.objects.iter().flat_map(|object| &object.states);
        items.chain(members.flat_map(|state| state.transitions.iter().map(|&(_, value, _)| value)))
    }

    /// The number of states and transitions of the automata.
    pub(crate) fn size(&self) -> usize {
        self.array.iter().map(Automaton::size).sum::<usize>()
            + self.objects.iter().map(Automaton::size).sum::<usize>()
    }

    /// Whether arrays or objects are allowed.
    pub(crate) fn is_composite(&self) -> bool {
        self.array.is_some() || !self.objects.is_empty()
    }

    /// Whether the keys of objects are remembered as names: there are some that no schema declares, and they are counted, or the node stands in an item.
    pub(crate) fn has_names(&self) -> bool {
        let mut states = self.objects.iter().flat_map(|object| &object.states);
        let asks = self.remembers_other_keys || self.place != Place::Elsewhere;
        asks && !states.all(State::has_named_only)
    }

    /// The languages of keys that no schema declares.
    pub(crate) fn classes(&self) -> impl Iterator<Item = LanguageId> + '_ {
        let states = self.objects.iter().flat_map(|object| &object.states);
        states.flat_map(|state| &state.transitions).filter_map(|(keys, ..)| keys.class())
    }

    /// Whether all arrays and objects are endless.
    pub(crate) fn is_endless(&self) -> bool {
        (self.endless.arrays || self.array.is_none()) && (self.endless.objects || self.objects.is_empty())
    }

    pub(crate) fn has_no_scalars(&self) -> bool {
        self.consts == 0 && self.numbers == Languages::NOTHING && self.strings == Languages::NOTHING
    }

    /// Whether some keys whose values exist satisfy the conditions.
    pub(crate) fn has_keys(&self, object: &Automaton<Keys, Vertex>, exists: impl Fn(Vertex) -> bool) -> bool {
        self.record.as_ref().is_none_or(|record| {
            let object = object.clone().map_transitions(|_, value| exists(value).then_some(value));
            let keys = record.numbered(&object).0;
            keys.is_satisfiable() && record.has_enough(&keys)
        })
    }

    /// Whether there is an array or object over values of inhabited nodes.
    pub(crate) fn has_composite(&self, inhabited: &[bool]) -> bool {
        let exists = |value: Vertex| inhabited[value.0 as usize];
        self.array.as_ref().is_some_and(|array| array.co_accessible(exists)[0])
            || self
                .objects
                .iter()
                .any(|object| object.co_accessible(exists)[0] && self.has_keys(object, exists))
    }
}
