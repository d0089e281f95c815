//! Conditions on the rest of an array or object.

use super::super::languages::LanguageId;
use super::super::schema::{Interner, ItemsId, KeyId, MembersId, SchemaId};
use super::OrderId;
use std::sync::Arc;

/// An expression; equal ids, equal expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ExId(pub(super) u32);

impl ExId {
    pub(super) const FALSE: Self = Self(0);
    pub(super) const TRUE: Self = Self(1);
}

/// A condition on what is still to come; leaves carry what they have to know about what was read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ex {
    False,
    True,
    Not(ExId),
    /// Sorted, at least two, as in `Or` and `One`.
    And(Box<[ExId]>),
    Or(Box<[ExId]>),
    /// Exactly one of them holds. May have repetitions.
    One(Box<[ExId]>),
    /// The value of the member or item just read is valid. Only in what a derivative returns.
    Guard(SchemaId),
    /// The values of members are valid as their keys demand.
    Members(MembersId),
    /// All of these keys come. Sorted, not empty.
    Missing(Box<[KeyId]>),
    /// Every key is in the language.
    Names(LanguageId),
    /// The number of items or members, `seen` of which were read.
    Count {
        seen: u32,
        min: u32,
        max: Option<u32>,
    },
    /// Keys of the order come in its order from place `at` on, all other keys after them, and `inner` holds.
    Ordered {
        order: OrderId,
        at: u32,
        inner: ExId,
    },
    /// Keys of the order come at most once, without those already used (sorted).
    Once {
        order: OrderId,
        used: Box<[KeyId]>,
    },
    /// Items are valid as their place demands.
    Items {
        items: ItemsId,
        at: u32,
    },
    /// So many items are valid under the schema, `seen` of which were read.
    Contains {
        schema: SchemaId,
        seen: u32,
        min: u32,
        max: Option<u32>,
    },
    /// Each of these constants comes at most once, without those in the bit set `used`.
    Unique {
        constants: Arc<[SchemaId]>,
        used: u32,
    },
}

/// All expressions made so far.
pub(super) struct Expressions {
    list: Interner<Ex>,
    /// Per expression: is there a guard in it?
    guarded: Vec<bool>,
    /// Per expression: may the array or object end here?
    ending: Vec<bool>,
}

impl Expressions {
    pub(super) fn new() -> Self {
        let mut expressions = Self { list: Interner::default(), guarded: Vec::new(), ending: Vec::new() };
        expressions.leaf(Ex::False);
        expressions.leaf(Ex::True);
        expressions
    }

    pub(super) fn get(&self, id: ExId) -> &Arc<Ex> {
        self.list.get(id.0)
    }

    pub(super) fn is_guarded(&self, id: ExId) -> bool {
        self.guarded[id.0 as usize]
    }

    pub(super) fn may_end(&self, id: ExId) -> bool {
        self.ending[id.0 as usize]
    }

    /// Adds an expression that needs no simplification.
    pub(super) fn leaf(&mut self, ex: Ex) -> ExId {
        let (guarded, ending) = (self.has_guard(&ex), self.has_end(&ex));
        let id = self.list.add(ex);
        if id as usize == self.guarded.len() {
            self.guarded.push(guarded);
            self.ending.push(ending);
        }
        ExId(id)
    }

    fn has_guard(&self, ex: &Ex) -> bool {
        match ex {
            Ex::Guard(_) => true,
            Ex::Not(inner) | Ex::Ordered { inner, .. } => self.is_guarded(*inner),
            Ex::And(parts) | Ex::Or(parts) | Ex::One(parts) => {
                parts.iter().any(|&part| self.is_guarded(part))
            }
            _ => false,
        }
    }

    fn has_end(&self, ex: &Ex) -> bool {
        match ex {
            Ex::False | Ex::Guard(_) | Ex::Missing(_) => false,
            Ex::True
            | Ex::Members(_)
            | Ex::Names(_)
            | Ex::Once { .. }
            | Ex::Items { .. }
            | Ex::Unique { .. } => true,
            Ex::Not(inner) => !self.may_end(*inner),
            Ex::And(parts) => parts.iter().all(|&part| self.may_end(part)),
            Ex::Or(parts) => parts.iter().any(|&part| self.may_end(part)),
            Ex::One(parts) => parts.iter().filter(|&&part| self.may_end(part)).count() == 1,
            Ex::Count { seen, min, .. } | Ex::Contains { seen, min, .. } => seen >= min,
            Ex::Ordered { inner, .. } => self.may_end(*inner),
        }
    }

    pub(super) fn guard(&mut self, schema: SchemaId) -> ExId {
        match schema {
            SchemaId::TRUE => ExId::TRUE,
            SchemaId::FALSE => ExId::FALSE,
            _ => self.leaf(Ex::Guard(schema)),
        }
    }

    pub(super) fn not(&mut self, id: ExId) -> ExId {
        match **self.get(id) {
            Ex::True => ExId::FALSE,
            Ex::False => ExId::TRUE,
            Ex::Not(inner) => inner,
            _ => self.leaf(Ex::Not(id)),
        }
    }

    pub(super) fn and(&mut self, parts: impl IntoIterator<Item = ExId>) -> ExId {
        self.combine(parts, true)
    }

    pub(super) fn or(&mut self, parts: impl IntoIterator<Item = ExId>) -> ExId {
        self.combine(parts, false)
    }

    fn combine(&mut self, parts: impl IntoIterator<Item = ExId>, conjunction: bool) -> ExId {
        let (neutral, absorbing) =
            if conjunction { (ExId::TRUE, ExId::FALSE) } else { (ExId::FALSE, ExId::TRUE) };
        let mut flat = Vec::new();
        for part in parts {
            if part == absorbing {
                return absorbing;
            }
            match &**self.get(part) {
                Ex::And(inner) if conjunction => flat.extend_from_slice(inner),
                Ex::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ if part == neutral => {}
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let complementary = |&part: &ExId| match **self.get(part) {
            Ex::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => false,
        };
        if flat.iter().any(complementary) {
            return absorbing;
        }
        match flat[..] {
            [] => neutral,
            [only] => only,
            _ if conjunction => self.leaf(Ex::And(flat.into())),
            _ => self.leaf(Ex::Or(flat.into())),
        }
    }

    pub(super) fn one(&mut self, parts: impl IntoIterator<Item = ExId>) -> ExId {
        let mut open = Vec::new();
        let mut holds = 0;
        for part in parts {
            match part {
                ExId::TRUE => holds += 1,
                ExId::FALSE => {}
                _ => open.push(part),
            }
        }
        open.sort_unstable();
        match (holds, &open[..]) {
            (0, []) => ExId::FALSE,
            (0, [only]) => *only,
            (0, _) => self.leaf(Ex::One(open.into())),
            (1, _) => {
                let any = self.or(open);
                self.not(any)
            }
            _ => ExId::FALSE,
        }
    }
}
