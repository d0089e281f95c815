//! The terms that all files of the algebra share: literals, nodes, bounds, types and letters.

use crate::languages::{LanguageId, Languages};
use crate::schema::{KeyId, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A schema (true) or its complement (false).
pub(crate) type Literal = (SchemaId, bool);

/// A boolean combination of schemas in disjunctive normal form: a union of intersections, sorted and without
/// repetitions. The empty union has no values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(pub(super) Vec<Vec<Literal>>);

impl Node {
    /// Normalizes a union of intersections of literals. References at the top of their schemas must be
    /// resolved.
    pub(super) fn new(union: Vec<Vec<Literal>>) -> Self {
        let mut conjunctions: Vec<_> = union.into_iter().filter_map(simplify).collect();
        conjunctions.sort_unstable();
        conjunctions.dedup();
        if conjunctions.iter().any(Vec::is_empty) {
            conjunctions = vec![Vec::new()];
        }
        Self(conjunctions)
    }

    /// The schema, if the node has the values of one schema.
    pub(crate) fn as_schema(&self) -> Option<SchemaId> {
        match &self.0[..] {
            [conjunction] => match conjunction[..] {
                [(schema, true)] => Some(schema),
                _ => None,
            },
            _ => None,
        }
    }

    /// All literals. A literal of several intersections occurs several times.
    pub(crate) fn literals(&self) -> impl Iterator<Item = Literal> {
        self.0.iter().flatten().copied()
    }
}

/// The number of a [`Node`]; equal ids mean equal nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub(super) u32);

/// A bound on the values of a schema, needed where a condition in it lies [between](crate::schema::Clause::Between) two schemas.
///
/// A condition that is left out widens what is accepted: unknown values are in the upper bound and not in the lower one. A format that is not
/// regular, and a length that is not counted, narrow it: doubtful strings are not in the upper bound but in the lower one, so neither the condition
/// nor its complement accepts them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Bound {
    /// All values that are accepted.
    Upper,
    /// The values that are not accepted by a complement.
    Lower,
}

impl Bound {
    /// The bound that a complement needs.
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// The schema that stands for a condition [between](crate::schema::Clause::Between) two schemas.
    pub(super) fn of(self, accepted: SchemaId, possible: SchemaId) -> SchemaId {
        match self {
            Self::Upper => accepted,
            Self::Lower => possible,
        }
    }
}

/// The types of scalars whose values are a language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ScalarType {
    Numbers,
    Strings,
}

impl ScalarType {
    /// The language of all values of the type.
    pub(super) fn all(self) -> LanguageId {
        match self {
            Self::Numbers => Languages::NUMBERS,
            Self::Strings => Languages::TEXTS,
        }
    }
}

/// The types of values that are automata over letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CompositeType {
    Arrays,
    Objects,
}

/// The key of a member, as far as the algebra tells keys apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Letter {
    /// A key that some schema names.
    Named(KeyId),
    /// Any key of a class. No pattern of the object divides the class.
    Class(LanguageId),
}

/// The number of a list of declared keys, in the order in which they must come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct OrderId(pub(super) u32);

/// Sorts the literals of an intersection; `None` if they contradict each other.
pub(super) fn simplify(mut literals: Vec<Literal>) -> Option<Vec<Literal>> {
    literals.sort_unstable();
    literals.dedup();
    let contradicts = |pair: &[Literal]| pair[0].0 == pair[1].0;
    if literals.windows(2).any(contradicts) || literals.contains(&(SchemaId::FALSE, true)) {
        return None;
    }
    if literals.contains(&(SchemaId::TRUE, false)) {
        return None;
    }
    literals.retain(|&(schema, _)| schema != SchemaId::TRUE && schema != SchemaId::FALSE);
    Some(literals)
}

/// What is known of the objects that repeated keys mislead.
#[derive(Default)]
pub(super) struct Repeats {
    pub(super) checked: FxHashSet<NodeId>,
    /// The nodes whose keys occur once for this reason.
    pub(super) once: FxHashSet<NodeId>,
    /// The nodes in whose objects keys that cannot be put in an order must not be repeated, and why.
    pub(super) misled: FxHashMap<NodeId, Cause>,
    /// Those of these nodes whose other keys the runtime remembers, so that none comes twice.
    pub(super) remembered: FxHashSet<NodeId>,
}

/// What may be misled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// Members are counted.
    Count,
    /// Some member must be wrong.
    Wrong,
    /// The [option](crate::RepeatedKeys) refuses repeated keys.
    Refused,
}

/// How often keys may occur that are neither declared nor required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OtherKeys {
    Free,
    Once,
}
