//! The constants, numbers and strings of a schema or node.

use super::super::languages::{LanguageId, Languages};
use super::super::schema::{Clause, SchemaId, consts};
use super::{Algebra, Literal, NodeId, Result, Side, Trouble};

/// Schemas that look at the same value may refer to each other this deep: the algebra recurses along them.
const MAX_IN_PLACE: usize = 256;

/// What a language is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in super::super) enum Sort {
    Numbers,
    Strings,
}

impl Sort {
    fn all(self) -> LanguageId {
        match self {
            Self::Numbers => Languages::NUMBERS,
            Self::Strings => Languages::TEXTS,
        }
    }
}

impl Algebra<'_, '_> {
    /// The constants that a node allows: a set of [`consts`].
    pub(in super::super) fn node_consts(&mut self, node: NodeId) -> Result<u8> {
        let mut union = 0;
        for conjunction in &self.node(node).0 {
            union |= self.conjunction_consts(conjunction)?;
        }
        Ok(union)
    }

    pub(super) fn conjunction_consts(&mut self, literals: &[Literal]) -> Result<u8> {
        literals.iter().try_fold(consts::ALL, |all, &(schema, positive)| {
            Ok(all
                & if positive {
                    self.consts(schema, Side::Upper)?
                } else {
                    consts::ALL & !self.consts(schema, Side::Lower)?
                })
        })
    }

    /// The numbers or strings that a node allows.
    pub(in super::super) fn node_language(&mut self, node: NodeId, sort: Sort) -> Result<LanguageId> {
        let mut union = Languages::NOTHING;
        for conjunction in &self.node(node).0 {
            let language = self.conjunction_language(conjunction, sort)?;
            union = self.loader.languages.union(union, language)?;
        }
        Ok(union)
    }

    pub(super) fn conjunction_language(&mut self, literals: &[Literal], sort: Sort) -> Result<LanguageId> {
        let mut all = sort.all();
        for &(schema, positive) in literals {
            all = if positive {
                let language = self.language(schema, Side::Upper, sort)?;
                self.loader.languages.intersect(all, language)?
            } else {
                let language = self.language(schema, Side::Lower, sort)?;
                self.loader.languages.difference(all, language)?
            };
        }
        Ok(all)
    }

    /// Notes that something about a schema is being found out, which must not depend on itself nor be nested too deep.
    pub(super) fn enter(&mut self, schema: SchemaId, side: Side) -> Result<()> {
        if self.in_progress.len() > MAX_IN_PLACE {
            return Err(Trouble::Limit {
                what: "references in each other at one place",
                limit: MAX_IN_PLACE,
            });
        }
        if self.in_progress.insert((schema, side)) {
            return Ok(());
        }
        Err(self.circular(schema))
    }

    /// The error that says that a schema depends on itself.
    pub(super) fn circular(&self, schema: SchemaId) -> Trouble {
        let references = self.loader.schemas.references.iter();
        let here =
            references.filter(|reference| reference.schema == Some(schema)).map(|r| r.pointer.clone()).next();
        Trouble::Circular(here.unwrap_or_default())
    }

    pub(super) fn leave(&mut self, schema: SchemaId, side: Side) {
        self.in_progress.remove(&(schema, side));
    }

    fn consts(&mut self, schema: SchemaId, side: Side) -> Result<u8> {
        let content = self.loader.schemas.get(schema).clone();
        if content.consts == 0 || content.clauses.is_empty() {
            return Ok(content.consts);
        }
        if let Some(&known) = self.memo.consts.get(&(schema, side)) {
            return Ok(known);
        }
        self.enter(schema, side)?;
        let mut all = content.consts;
        for clause in &content.clauses {
            all &= self.clause_consts(clause, side)?;
        }
        self.leave(schema, side);
        self.memo.consts.insert((schema, side), all);
        Ok(all)
    }

    fn clause_consts(&mut self, clause: &Clause, side: Side) -> Result<u8> {
        Ok(match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.consts(target, side)?
            }
            Clause::All(all) => {
                all.iter().try_fold(consts::ALL, |acc, &s| Ok::<_, Trouble>(acc & self.consts(s, side)?))?
            }
            Clause::Any(any) => {
                any.iter().try_fold(0, |acc, &s| Ok::<_, Trouble>(acc | self.consts(s, side)?))?
            }
            Clause::One(one) => self.one_consts(one, side)?,
            Clause::Not(not) => consts::ALL & !self.consts(*not, side.flip())?,
            Clause::If { condition, then, otherwise } => {
                let holds = self.consts(*condition, side)?;
                let fails = consts::ALL & !self.consts(*condition, side.flip())?;
                holds & self.consts(*then, side)? | fails & self.consts(*otherwise, side)?
            }
            Clause::Dependent(..) => consts::ALL,
            Clause::Unknown if side == Side::Upper => consts::ALL,
            Clause::Unknown => 0,
        })
    }

    /// Values that exactly one schema allows: at least one may, and no two certainly do.
    fn one_consts(&mut self, schemas: &[SchemaId], side: Side) -> Result<u8> {
        let (mut some, mut once, mut twice) = (0, 0, 0);
        for &schema in schemas {
            some |= self.consts(schema, side)?;
            let certain = self.consts(schema, side.flip())?;
            twice |= once & certain;
            once |= certain;
        }
        Ok(some & !twice)
    }

    pub(super) fn language(&mut self, schema: SchemaId, side: Side, sort: Sort) -> Result<LanguageId> {
        let content = self.loader.schemas.get(schema).clone();
        let own = match sort {
            Sort::Numbers => content.numbers,
            Sort::Strings => content.strings,
        };
        if own == Languages::NOTHING || content.clauses.is_empty() {
            return Ok(own);
        }
        if let Some(&known) = self.memo.languages.get(&(schema, side, sort)) {
            return Ok(known);
        }
        self.enter(schema, side)?;
        let mut all = own;
        for clause in &content.clauses {
            let language = self.clause_language(clause, side, sort)?;
            all = self.loader.languages.intersect(all, language)?;
        }
        self.leave(schema, side);
        self.memo.languages.insert((schema, side, sort), all);
        Ok(all)
    }

    fn clause_language(&mut self, clause: &Clause, side: Side, sort: Sort) -> Result<LanguageId> {
        let nothing = Languages::NOTHING;
        Ok(match clause {
            Clause::Ref(reference) => {
                let target = self.loader.follow(*reference);
                self.language(target, side, sort)?
            }
            Clause::All(all) => {
                let mut language = sort.all();
                for &schema in all {
                    let next = self.language(schema, side, sort)?;
                    language = self.loader.languages.intersect(language, next)?;
                }
                language
            }
            Clause::Any(any) => {
                let mut language = nothing;
                for &schema in any {
                    let next = self.language(schema, side, sort)?;
                    language = self.loader.languages.union(language, next)?;
                }
                language
            }
            Clause::One(one) => self.one_language(one, side, sort)?,
            Clause::Not(not) => {
                let inner = self.language(*not, side.flip(), sort)?;
                self.loader.languages.difference(sort.all(), inner)?
            }
            Clause::If { condition, then, otherwise } => {
                let holds = self.language(*condition, side, sort)?;
                let holds_not = self.language(*condition, side.flip(), sort)?;
                let then = self.language(*then, side, sort)?;
                let otherwise = self.language(*otherwise, side, sort)?;
                let languages = &mut self.loader.languages;
                let left = languages.intersect(holds, then)?;
                let right = languages.difference(otherwise, holds_not)?;
                languages.union(left, right)?
            }
            Clause::Dependent(..) => sort.all(),
            Clause::Unknown if side == Side::Upper => sort.all(),
            Clause::Unknown => nothing,
        })
    }

    fn one_language(&mut self, schemas: &[SchemaId], side: Side, sort: Sort) -> Result<LanguageId> {
        let (mut some, mut once, mut twice) = (Languages::NOTHING, Languages::NOTHING, Languages::NOTHING);
        for &schema in schemas {
            let possible = self.language(schema, side, sort)?;
            let certain = self.language(schema, side.flip(), sort)?;
            let languages = &mut self.loader.languages;
            some = languages.union(some, possible)?;
            let both = languages.intersect(once, certain)?;
            twice = languages.union(twice, both)?;
            once = languages.union(once, certain)?;
        }
        Ok(self.loader.languages.difference(some, twice)?)
    }
}
