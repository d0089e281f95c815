//! The boolean algebra of schemas.
//!
//! A [`Node`] is a boolean combination of loaded schemas in disjunctive normal form: the set of values at one place
//! of a document. Its scalars are languages (`scalars`). Its arrays and objects are automata over *letters*, one letter
//! per item or member, found by derivatives (`derive`): the condition on a whole array or object is an expression
//! (`expression`) whose leaves are the rules of all schemas involved, and reading a member turns it into the
//! condition on the rest, under conditions on the member's value. Splitting by those conditions (`split`) makes the
//! letters disjoint, so the automaton is deterministic, whatever `oneOf`, `not` and `if` were combined: this is
//! the determinization of an alternating automaton, done lazily (Brzozowski 1964; Chandra, Kozen, Stockmeyer 1981).
//!
//! `lower` makes the expressions, and decides the order of keys with the help of `order`.

pub(super) mod automata;
mod derive;
mod empty;
mod evaluated;
mod expression;
mod lower;
mod order;
mod scalars;
mod split;
mod unique;

pub(super) use scalars::Sort;

use super::languages::LanguageId;
use super::load::Loader;
use super::schema::{Interner, KeyId, MembersId, SchemaId};
use derive::Letter;
use expression::{ExId, Expressions};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_regular::TooLarge;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A schema, or its complement if false.
pub(super) type Literal = (SchemaId, bool);

/// A boolean combination of schemas: the union of intersections. Empty: no values. Sorted, without repetitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Node(pub(super) Vec<Vec<Literal>>);

/// A [`Node`] by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(pub(super) u32);

/// Which of two approximations of a schema is meant, where something in it is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    /// All values that may be valid.
    Upper,
    /// Only values that are certainly valid.
    Lower,
}

impl Side {
    fn flip(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }
}

/// Why the algebra gives up.
#[derive(Debug)]
pub(super) enum Trouble {
    TooLarge(TooLarge),
    /// More than this many of something.
    Limit {
        what: &'static str,
        limit: usize,
    },
    /// A schema whose validity depends on its own.
    Circular(String),
}

impl From<TooLarge> for Trouble {
    fn from(reason: TooLarge) -> Self {
        Self::TooLarge(reason)
    }
}

impl Trouble {
    pub(super) fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::TooLarge(reason) => Diagnostic::error(Code::TooLarge, reason.to_string())
                .help("use smaller bounds, or fewer patterns on the same strings"),
            Self::Limit { what, limit } => {
                Diagnostic::error(Code::TooLarge, format!("the schema needs more than {limit} {what}"))
                    .help("split it into smaller ones, or combine fewer alternatives at the same place")
            }
            Self::Circular(pointer) => {
                let message = "whether a value is valid here depends on whether the same value is valid here";
                Diagnostic::error(Code::CircularReference, message)
                    .at(Location::Pointer(pointer.clone()))
                    .help("let the reference stand below properties or items")
            }
        }
    }
}

type Result<T> = std::result::Result<T, Trouble>;

/// The declared keys of an object in their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct OrderId(u32);

/// The algebra over the schemas of one loader.
pub(super) struct Algebra<'l, 'o> {
    pub(super) loader: &'l mut Loader<'o>,
    nodes: Interner<Node>,
    expressions: Expressions,
    orders: Interner<Vec<KeyId>>,
    /// Place of each key in each order.
    ranks: FxHashMap<(OrderId, KeyId), u32>,
    /// The last place in an order that a members constraint names.
    last_ranks: FxHashMap<(MembersId, OrderId), u32>,
    /// Members constraints whose properties are in `properties`.
    indexed: FxHashSet<MembersId>,
    properties: FxHashMap<(MembersId, KeyId), SchemaId>,
    guards: FxHashMap<(MembersId, Letter), Rc<[SchemaId]>>,
    memo: Memo,
    /// Schemas whose expression is being made.
    in_progress: FxHashSet<(SchemaId, Side)>,
    /// Schemas of which it is being found out what they evaluate.
    covering: FxHashSet<SchemaId>,
    /// How often a part of an expression or schema was looked at.
    steps: usize,
    /// Among how many choices the one under way is.
    choices: usize,
}

/// What was computed before.
#[derive(Default)]
struct Memo {
    consts: FxHashMap<(SchemaId, Side), u8>,
    languages: FxHashMap<(SchemaId, Side, scalars::Sort), LanguageId>,
    lowered: FxHashMap<(SchemaId, Side, lower::Kind), ExId>,
    declared: FxHashMap<SchemaId, Rc<order::Declared>>,
    splits: FxHashMap<ExId, Rc<[(NodeId, ExId)]>>,
    empty: FxHashMap<Vec<Literal>, bool>,
}

impl<'l, 'o> Algebra<'l, 'o> {
    pub(super) fn new(loader: &'l mut Loader<'o>) -> Self {
        Self {
            loader,
            nodes: Interner::default(),
            expressions: Expressions::new(),
            orders: Interner::default(),
            ranks: FxHashMap::default(),
            last_ranks: FxHashMap::default(),
            indexed: FxHashSet::default(),
            properties: FxHashMap::default(),
            guards: FxHashMap::default(),
            memo: Memo::default(),
            in_progress: FxHashSet::default(),
            covering: FxHashSet::default(),
            steps: 0,
            choices: 1,
        }
    }

    /// Charges for one look at a part of an expression or schema: parts are shared, so they may be looked at more often
    /// than there are of them.
    fn step(&mut self) -> Result<()> {
        self.steps += 1;
        let limit = self.loader.options.limits.max_steps;
        if self.steps > limit {
            return Err(Trouble::Limit { what: "steps to work out how its parts combine", limit });
        }
        Ok(())
    }

    pub(super) fn node_of(&mut self, schema: SchemaId) -> NodeId {
        let schema = self.loader.resolved(schema);
        self.add_node(vec![vec![(schema, true)]])
    }

    pub(super) fn node(&self, id: NodeId) -> Rc<Node> {
        Rc::new(Node(self.nodes.get(id.0).0.clone()))
    }

    /// Normalizes a union of intersections of literals whose schemas are resolved.
    fn add_node(&mut self, union: Vec<Vec<Literal>>) -> NodeId {
        let mut conjunctions: Vec<_> = union.into_iter().filter_map(simplify).collect();
        conjunctions.sort_unstable();
        conjunctions.dedup();
        if conjunctions.iter().any(Vec::is_empty) {
            conjunctions = vec![Vec::new()];
        }
        NodeId(self.nodes.add(Node(conjunctions)))
    }

    fn add_order(&mut self, keys: Vec<KeyId>) -> OrderId {
        let known = self.orders.len() as u32;
        let id = OrderId(self.orders.add(keys));
        if id.0 == known {
            let keys = self.orders.get(id.0).clone();
            self.ranks.extend(keys.iter().enumerate().map(|(rank, &key)| ((id, key), rank as u32)));
        }
        id
    }
}

/// Sorts an intersection; `None` if it is empty of values.
fn simplify(mut literals: Vec<Literal>) -> Option<Vec<Literal>> {
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
