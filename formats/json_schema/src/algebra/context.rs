//! The state of the algebra: the loader with the schemas, and the tables of all results so far.
//!
//! Every expression, node and order has a number, and every result is computed once. The work is limited:
//! each visit to a part counts as a step, and the nesting of schemas that apply to the same value is bounded.

use super::error::{AlgebraError, Result};
use super::expression::{Expr, ExprId, Expressions};
use super::key_sets::KeySets;
use super::order::Declared;
use super::terms::{Bound, CompositeType, Letter, Literal, Node, NodeId, OrderId, Repeats, ScalarType};
use super::unions::Unions;
use crate::content::Content;
use crate::excludes::{exclude, within_digits};
use crate::languages::LanguageId;
use crate::load::Loader;
use crate::schema::{Interner, KeyId, MembersId, SchemaId};
use gcc_grammar_limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Schemas that apply to the same value may refer to each other this deep, because the algebra recurses along
/// them.
const MAX_IN_PLACE: usize = 256;

/// The work of a visit to an expression: a look into the tables, and perhaps a new expression.
const WORK_PER_VISIT: usize = 25;
/// The work for each part of an expression: it is sorted, hashed and compared.
const WORK_PER_PART: usize = 3;

/// Estimated bytes of a node besides its literals, with its vertex and its content.
const BYTES_PER_NODE: usize = 250;
/// Estimated bytes of a literal of a node.
const BYTES_PER_LITERAL: usize = 16;
/// Estimated bytes of the place of a key in an order.
const BYTES_PER_RANK: usize = 40;

/// The algebra over the schemas of one loader, with the tables of everything computed so far.
pub(crate) struct Algebra<'l, 'o> {
    pub(super) loader: &'l mut Loader<'o>,
    pub(super) nodes: Interner<Node>,
    pub(super) expressions: Expressions,
    pub(super) key_sets: KeySets,
    pub(super) orders: Interner<Vec<KeyId>>,
    /// The place of each key in each order.
    pub(super) ranks: FxHashMap<(OrderId, KeyId), u32>,
    /// The last place in an order that a members constraint names.
    pub(super) last_ranks: FxHashMap<(MembersId, OrderId), u32>,
    /// The members constraints whose properties are in `properties`.
    pub(super) indexed: FxHashSet<MembersId>,
    pub(super) properties: FxHashMap<(MembersId, KeyId), SchemaId>,
    pub(super) guards: FxHashMap<(MembersId, Letter), Rc<[SchemaId]>>,
    pub(super) memo: Memo,
    /// The schemas that are being lowered, to detect circular references.
    pub(super) in_progress: FxHashSet<(SchemaId, Bound)>,
    /// The schemas whose evaluated members or items are being collected, to detect circular references.
    pub(super) evaluating: FxHashSet<SchemaId>,
    pub(super) repeats: Repeats,
    /// The number of choices around the choice that is being gathered.
    pub(super) choices: usize,
    /// The unions in the objects of a node.
    pub(super) unions: Unions,
    /// The nodes whose alternatives are apart.
    pub(super) apart: FxHashSet<NodeId>,
    /// The transitions of automata of keys that might have been records.
    pub(super) key_transitions: usize,
    /// The work that may be spent until the node at hand is done.
    pub(super) share: Share,
}

/// Results by their arguments.
#[derive(Default)]
pub(super) struct Memo {
    pub(super) consts: FxHashMap<(SchemaId, Bound), u8>,
    pub(super) languages: FxHashMap<(SchemaId, Bound, ScalarType), LanguageId>,
    pub(super) lowered: FxHashMap<(SchemaId, Bound, CompositeType), ExprId>,
    pub(super) declared: FxHashMap<SchemaId, Rc<Declared>>,
    pub(super) splits: FxHashMap<ExprId, Rc<[(NodeId, ExprId)]>>,
    pub(super) empty: FxHashMap<Vec<Literal>, bool>,
    pub(super) overlaps: FxHashMap<Vec<SchemaId>, Rc<[BTreeSet<usize>]>>,
    /// The values of schemas that have a few strings only.
    pub(super) texts: FxHashMap<SchemaId, Option<Rc<[String]>>>,
}

impl<'l, 'o> Algebra<'l, 'o> {
    pub(crate) fn new(loader: &'l mut Loader<'o>) -> Self {
        Self {
            nodes: Interner::default(),
            expressions: Expressions::new(loader.budget),
            key_sets: KeySets::new(),
            orders: Interner::default(),
            ranks: FxHashMap::default(),
            last_ranks: FxHashMap::default(),
            indexed: FxHashSet::default(),
            properties: FxHashMap::default(),
            guards: FxHashMap::default(),
            memo: Memo::default(),
            in_progress: FxHashSet::default(),
            evaluating: FxHashSet::default(),
            repeats: Repeats::default(),
            choices: 1,
            unions: Unions::default(),
            apart: FxHashSet::default(),
            key_transitions: 0,
            share: Share::ALL,
            loader,
        }
    }

    /// The loader of the schemas.
    pub(crate) fn loader_mut(&mut self) -> &mut Loader<'o> {
        self.loader
    }

    /// An expression with mapped parts; `None` if it has no parts that are conditions on the same value.
    pub(super) fn map_parts(
        &mut self,
        whole: &Expr,
        mut map: impl FnMut(&mut Self, ExprId) -> Result<ExprId>,
    ) -> Result<Option<ExprId>> {
        let parts = match whole {
            Expr::Not(inner) => std::slice::from_ref(inner),
            Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => parts,
            _ => return Ok(None),
        };
        let parts: Vec<ExprId> = parts.iter().map(|&part| map(self, part)).collect::<Result<_>>()?;
        Ok(Some(match whole {
            Expr::And(_) => self.expressions.and(parts),
            Expr::Or(_) => self.expressions.or(parts),
            Expr::ExactlyOne(_) => self.expressions.exactly_one(parts),
            _ => self.expressions.not(parts[0]),
        }))
    }

    /// Spends the work of a visit to an expression or schema with some parts. Parts are shared, so there may be far
    /// more visits than parts.
    pub(crate) fn step(&self, parts: usize) -> Result<()> {
        self.loader.budget.charge_work((WORK_PER_VISIT + WORK_PER_PART * parts) as u64)?;
        self.check_share()
    }

    /// Spends the bytes of a table that is kept.
    pub(super) fn keep(&self, bytes: usize) -> Result<()> {
        Ok(self.loader.budget.charge_bytes(bytes as u64)?)
    }

    /// The node of the values of one schema.
    pub(crate) fn node_of(&mut self, schema: SchemaId) -> NodeId {
        let schema = self.loader.resolved(schema);
        self.add_node(vec![vec![(schema, true)]])
    }

    /// One of the schemas that a node combines.
    pub(crate) fn schema_of(&self, node: NodeId) -> Option<SchemaId> {
        self.node(node).literals().map(|(schema, _)| schema).next()
    }

    /// Takes strings and keys with excluded texts out of the values of nodes, and numbers with too many digits.
    pub(crate) fn exclude(&mut self, contents: &mut [Content], excludes: &[String]) -> Result<()> {
        let Loader { schemas, languages, options, .. } = &mut *self.loader;
        within_digits(contents, languages, options.number_digits)?;
        Ok(exclude(contents, schemas, languages, excludes)?)
    }

    /// The node of a number.
    pub(crate) fn node(&self, id: NodeId) -> Arc<Node> {
        self.nodes.get(id.0).clone()
    }

    /// The node of a union of intersections of literals whose schemas are resolved.
    pub(super) fn add_node(&mut self, union: Vec<Vec<Literal>>) -> NodeId {
        let literals: usize = union.iter().map(Vec::len).sum();
        // The budget remembers the error.
        let _ = self.keep(BYTES_PER_NODE + BYTES_PER_LITERAL * literals);
        NodeId(self.nodes.add(Node::new(union)))
    }

    /// The number of a list of keys, with the place of each key in it.
    pub(super) fn add_order(&mut self, keys: Vec<KeyId>) -> OrderId {
        let known = self.orders.len() as u32;
        // The budget remembers the error.
        let _ = self.step(keys.len()).and_then(|()| self.keep(BYTES_PER_RANK * keys.len()));
        let id = OrderId(self.orders.add(keys));
        if id.0 == known {
            let keys = self.orders.get(id.0).clone();
            self.ranks.extend(keys.iter().enumerate().map(|(rank, &key)| ((id, key), rank as u32)));
        }
        id
    }

    /// Notes that a schema is being lowered. This must not depend on itself nor be nested too deep.
    pub(super) fn enter(&mut self, schema: SchemaId, bound: Bound) -> Result<()> {
        if self.in_progress.len() > MAX_IN_PLACE {
            return Err(AlgebraError::Limit {
                resource: "references in each other at one place",
                limit: MAX_IN_PLACE,
            });
        }
        if self.in_progress.insert((schema, bound)) {
            return Ok(());
        }
        Err(self.circular(schema))
    }

    /// The error for a schema whose validity depends on itself.
    pub(super) fn circular(&self, schema: SchemaId) -> AlgebraError {
        let references = self.loader.schemas.references.iter();
        let here =
            references.filter(|reference| reference.schema == Some(schema)).map(|r| r.pointer.clone()).next();
        AlgebraError::Circular(here.unwrap_or_default())
    }

    /// Notes that a schema has been lowered.
    pub(super) fn leave(&mut self, schema: SchemaId, bound: Bound) {
        self.in_progress.remove(&(schema, bound));
    }
}

/// Which part of all work and bytes a place may take.
pub(super) const PART: u64 = 16;

/// How much may be spent in all until a place is done.
#[derive(Clone, Copy)]
pub(super) struct Share {
    work: u64,
    bytes: u64,
}

impl Share {
    pub(super) const ALL: Self = Self { work: u64::MAX, bytes: u64::MAX };

    /// The share of the next place.
    pub(super) fn next(budget: &Budget) -> Self {
        let ((work, bytes), limits) = (budget.spent(), budget.limits());
        Self { work: work + limits.work / PART, bytes: bytes + limits.bytes / PART }
    }

    /// Whether more is spent.
    pub(super) fn is_spent(self, budget: &Budget) -> bool {
        let (work, bytes) = budget.spent();
        work > self.work || bytes > self.bytes
    }
}
