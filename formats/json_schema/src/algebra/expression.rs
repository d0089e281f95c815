//! Expressions: conditions on the rest of an array or object.
//!
//! Expressions are simplified and hash-consed when they are made, so equal ids mean equal expressions, and
//! the automata have finitely many states. Two properties of each expression are kept with it: whether it has
//! guards, and whether the array or object may end where it holds.

use super::key_sets::KeySetId;
use super::terms::OrderId;
use crate::languages::LanguageId;
use crate::schema::{Interner, ItemsId, KeyId, MembersId, SchemaId};
use gcc_grammar_limits::Budget;
use std::sync::Arc;

/// The number of an expression; equal ids mean equal expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ExprId(pub(super) u32);

impl ExprId {
    pub(super) const FALSE: Self = Self(0);
    pub(super) const TRUE: Self = Self(1);
}

/// A condition on the items or members that follow. Leaves carry what they need to know about those that were
/// read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expr {
    False,
    True,
    Not(ExprId),
    /// Sorted, at least two parts, as in `Or` and `ExactlyOne`.
    And(Box<[ExprId]>),
    Or(Box<[ExprId]>),
    /// Exactly one of the parts holds. Parts may repeat.
    ExactlyOne(Box<[ExprId]>),
    /// The value of the member or item that was read last is valid. Only derivatives have this leaf.
    Guard(SchemaId),
    /// The values of members are valid under the schemas that govern their keys.
    Members(MembersId),
    /// All of these keys follow. Not empty.
    Required(KeySetId),
    /// Every key that follows is in the language.
    Names(LanguageId),
    /// The number of items or members in all is between the bounds; `seen` of them were read.
    Count {
        seen: u32,
        min: u32,
        max: Option<u32>,
    },
    /// The keys of an order follow in this order, from the place `at` on, and all other keys after them;
    /// `inner` holds.
    Ordered {
        order: OrderId,
        at: u32,
        inner: ExprId,
    },
    /// Each key of an order follows at most once, and no key in `used` (sorted) follows.
    AtMostOnce {
        order: OrderId,
        used: Box<[KeyId]>,
    },
    /// Items are valid under the schemas that govern their places; the next item is at place `at`.
    Items {
        items: ItemsId,
        at: u32,
    },
    /// The number of items in all that are valid under the schema is between the bounds; `seen` of them were
    /// read.
    Contains {
        schema: SchemaId,
        seen: u32,
        min: u32,
        max: Option<u32>,
    },
    /// Each of the constants follows at most once, and no constant in the bit set `used` follows.
    Unique {
        constants: Arc<[SchemaId]>,
        used: u32,
    },
    /// The items differ from each other, which the runtime remembers. It is never part of a complement.
    Distinct(ItemsId),
    /// The same in a complement, where nothing can be remembered. The condition on the arrays of a node [has none](super::differ).
    Differ(ItemsId),
}

impl Expr {
    /// The number of parts or keys that the expression lists.
    pub(super) fn part_count(&self) -> usize {
        match self {
            Self::And(parts) | Self::Or(parts) | Self::ExactlyOne(parts) => parts.len(),
            Self::AtMostOnce { used, .. } => used.len(),
            _ => 0,
        }
    }
}

/// All expressions made so far.
pub(super) struct Expressions {
    list: Interner<Expr>,
    /// For each expression, whether it has guards.
    guarded: Vec<bool>,
    /// For each expression, whether the array or object may end.
    ending: Vec<bool>,
    /// Pays for the expressions. It stays exceeded, so the next step of the algebra finds out.
    budget: Budget,
}

/// Estimated bytes of an expression besides its parts, in the list, as a key, and in the tables of the algebra.
const BYTES_PER_EXPRESSION: usize = 120;
/// Estimated bytes of each part.
const BYTES_PER_PART: usize = size_of::<ExprId>();

impl Expressions {
    pub(super) fn new(budget: &Budget) -> Self {
        let (list, guarded, ending) = Default::default();
        let mut expressions = Self { list, guarded, ending, budget: budget.clone() };
        expressions.leaf(Expr::False);
        expressions.leaf(Expr::True);
        expressions
    }

    /// The expression of a number.
    pub(super) fn get(&self, id: ExprId) -> &Arc<Expr> {
        self.list.get(id.0)
    }

    /// Whether an expression has guards.
    pub(super) fn is_guarded(&self, id: ExprId) -> bool {
        self.guarded[id.0 as usize]
    }

    /// Whether the array or object may end where an expression holds.
    pub(super) fn may_end(&self, id: ExprId) -> bool {
        self.ending[id.0 as usize]
    }

    /// Adds an expression that needs no simplification.
    pub(super) fn leaf(&mut self, ex: Expr) -> ExprId {
        let (guarded, ending) = (self.has_guard(&ex), self.holds_at_end(&ex));
        let bytes = BYTES_PER_EXPRESSION + BYTES_PER_PART * ex.part_count();
        let id = self.list.add(ex);
        if id as usize == self.guarded.len() {
            self.guarded.push(guarded);
            self.ending.push(ending);
            // The budget remembers the error.
            let _ = self.budget.charge_bytes(bytes as u64);
        }
        ExprId(id)
    }

    fn has_guard(&self, ex: &Expr) -> bool {
        match ex {
            Expr::Guard(_) => true,
            Expr::Not(inner) | Expr::Ordered { inner, .. } => self.is_guarded(*inner),
            Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => {
                parts.iter().any(|&part| self.is_guarded(part))
            }
            _ => false,
        }
    }

    fn holds_at_end(&self, ex: &Expr) -> bool {
        match ex {
            Expr::False | Expr::Guard(_) | Expr::Required(_) => false,
            Expr::True
            | Expr::Members(_)
            | Expr::Names(_)
            | Expr::AtMostOnce { .. }
            | Expr::Items { .. }
            | Expr::Unique { .. }
            | Expr::Distinct(_)
            | Expr::Differ(_) => true,
            Expr::Not(inner) => !self.may_end(*inner),
            Expr::And(parts) => parts.iter().all(|&part| self.may_end(part)),
            Expr::Or(parts) => parts.iter().any(|&part| self.may_end(part)),
            Expr::ExactlyOne(parts) => parts.iter().filter(|&&part| self.may_end(part)).count() == 1,
            Expr::Count { seen, min, .. } | Expr::Contains { seen, min, .. } => seen >= min,
            Expr::Ordered { inner, .. } => self.may_end(*inner),
        }
    }

    /// The guard of a schema.
    pub(super) fn guard(&mut self, schema: SchemaId) -> ExprId {
        match schema {
            SchemaId::TRUE => ExprId::TRUE,
            SchemaId::FALSE => ExprId::FALSE,
            _ => self.leaf(Expr::Guard(schema)),
        }
    }

    pub(super) fn not(&mut self, id: ExprId) -> ExprId {
        match **self.get(id) {
            Expr::True => ExprId::FALSE,
            Expr::False => ExprId::TRUE,
            Expr::Not(inner) => inner,
            // Counts with one bound stay counts, which may be long.
            Expr::Count { seen, min, max: None } => {
                self.leaf(Expr::Count { seen, min: 0, max: Some(min - 1) })
            }
            Expr::Count { seen, min: 0, max: Some(max) } => {
                self.leaf(Expr::Count { seen, min: max + 1, max: None })
            }
            _ => self.leaf(Expr::Not(id)),
        }
    }

    pub(super) fn and(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.combine(parts, true)
    }

    pub(super) fn or(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.combine(parts, false)
    }

    /// A simplified conjunction or disjunction.
    fn combine(&mut self, parts: impl IntoIterator<Item = ExprId>, conjunction: bool) -> ExprId {
        let (neutral, absorbing) =
            if conjunction { (ExprId::TRUE, ExprId::FALSE) } else { (ExprId::FALSE, ExprId::TRUE) };
        let mut flat = Vec::new();
        for part in parts {
            if part == absorbing {
                return absorbing;
            }
            match &**self.get(part) {
                Expr::And(inner) if conjunction => flat.extend_from_slice(inner),
                Expr::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ if part == neutral => {}
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let complementary = |&part: &ExprId| match **self.get(part) {
            Expr::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => false,
        };
        if flat.iter().any(complementary) {
            return absorbing;
        }
        match flat[..] {
            [] => neutral,
            [only] => only,
            _ if conjunction => self.leaf(Expr::And(flat.into())),
            _ => self.leaf(Expr::Or(flat.into())),
        }
    }

    /// The condition that exactly one part holds.
    pub(super) fn exactly_one(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut open = Vec::new();
        let mut holds = 0;
        for part in parts {
            match part {
                ExprId::TRUE => holds += 1,
                ExprId::FALSE => {}
                _ => open.push(part),
            }
        }
        open.sort_unstable();
        match (holds, &open[..]) {
            (0, []) => ExprId::FALSE,
            (0, [only]) => *only,
            (0, _) => self.leaf(Expr::ExactlyOne(open.into())),
            (1, _) => {
                let any = self.or(open);
                self.not(any)
            }
            _ => ExprId::FALSE,
        }
    }
}
