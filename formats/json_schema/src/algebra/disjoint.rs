//! Which alternatives of a `oneOf` may have objects in common. Where two have none, neither excludes the other.
//!
//! Mostly a required member with a constant tells alternatives apart, the *discriminator*. Then pairs with different constants need not be
//! compared. All other pairs are tested as any intersection is.

use super::context::Algebra;
use super::empty::MAX_DEPTH;
use super::error::Result;
use super::terms::{Letter, Literal, ScalarType};
use crate::languages::{Languages, texts};
use crate::schema::{KeyId, ObjectRule, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A discriminator has at most so many values in one alternative.
const MAX_VALUES: usize = 64;

/// The values of the required members of an alternative that have a few strings only, by key.
type Constants = FxHashMap<KeyId, Vec<String>>;

impl Algebra<'_, '_> {
    /// For each alternative, the others with which it may have an object in common.
    pub(super) fn overlaps(&mut self, schemas: &[SchemaId]) -> Result<Rc<[BTreeSet<usize>]>> {
        if let Some(known) = self.memo.overlaps.get(schemas) {
            return Ok(known.clone());
        }
        let mut overlaps = vec![BTreeSet::new(); schemas.len()];
        for (a, b) in self.undecided_pairs(schemas)? {
            if !overlaps[a].contains(&b) && !self.excludes(schemas[a], schemas[b])? {
                overlaps[a].insert(b);
                overlaps[b].insert(a);
            }
        }
        let overlaps: Rc<[_]> = overlaps.into();
        self.memo.overlaps.insert(schemas.to_vec(), overlaps.clone());
        Ok(overlaps)
    }

    /// The pairs of alternatives that no discriminator tells apart. A pair may occur several times.
    fn undecided_pairs(&mut self, schemas: &[SchemaId]) -> Result<Vec<(usize, usize)>> {
        // The union may be a part of the schemas whose members are looked at, which is no circular reference.
        let in_progress = std::mem::take(&mut self.in_progress);
        let groups = match self.loader.has_parts {
            true => Ok(None),
            false => self.discriminated(schemas),
        };
        self.in_progress = in_progress;
        let groups = groups?.unwrap_or_else(|| vec![(0..schemas.len()).collect()]);
        let mut pairs = Vec::new();
        for group in groups {
            self.step(group.len() * group.len())?;
            for (place, &a) in group.iter().enumerate() {
                pairs.extend(group[place + 1..].iter().map(|&b| (a, b)));
            }
        }
        Ok(pairs)
    }

    /// The alternatives for each value of the discriminator: of the members that all require, the one with the most values.
    fn discriminated(&mut self, schemas: &[SchemaId]) -> Result<Option<Vec<Vec<usize>>>> {
        let mut constants = Vec::with_capacity(schemas.len());
        for &schema in schemas {
            constants.push(self.required_constants(schema)?);
        }
        let Some(first) = constants.first() else { return Ok(None) };
        let mut keys: Vec<KeyId> = first.keys().copied().collect();
        keys.sort_unstable();
        let mut best: Vec<Vec<usize>> = Vec::new();
        for key in keys {
            let Some(groups) = grouped(&constants, key) else { continue };
            self.step(groups.len())?;
            if groups.len() > best.len() {
                best = groups;
            }
        }
        Ok((best.len() > 1).then_some(best))
    }

    fn required_constants(&mut self, schema: SchemaId) -> Result<Constants> {
        let schema = self.loader.resolved(schema);
        let (mut rules, mut seen) = (Vec::new(), FxHashSet::default());
        self.collect_rules(schema, &mut rules, &mut seen, 0);
        let mut constants = Constants::default();
        let required: BTreeSet<KeyId> = rules.iter().flat_map(|rule| rule.required()).copied().collect();
        for key in required {
            let mut value: Vec<Literal> = Vec::new();
            for rule in &rules {
                if let ObjectRule::Members(members) = rule {
                    let guards = self.guards(*members, Letter::Named(key))?;
                    value.extend(guards.iter().map(|&schema| (schema, true)));
                }
            }
            if let Some(texts) = self.constant_texts(&value)? {
                constants.insert(key, texts);
            }
        }
        Ok(constants)
    }

    /// Whether two schemas have a few strings each, and none in common. That needs no intersection.
    pub(super) fn differ_in_texts(&mut self, a: SchemaId, b: SchemaId) -> Result<bool> {
        if self.loader.has_parts {
            return Ok(false);
        }
        let (Some(a), Some(b)) = (self.texts_of(a)?, self.texts_of(b)?) else { return Ok(false) };
        Ok(!a.iter().any(|text| b.contains(text)))
    }

    /// The values of a schema, if these are a few strings.
    fn texts_of(&mut self, schema: SchemaId) -> Result<Option<Rc<[String]>>> {
        if let Some(known) = self.memo.texts.get(&schema) {
            return Ok(known.clone());
        }
        let in_progress = std::mem::take(&mut self.in_progress);
        let resolved = self.loader.resolved(schema);
        let texts = self.constant_texts(&[(resolved, true)]);
        self.in_progress = in_progress;
        let texts: Option<Rc<[String]>> = texts?.map(Rc::from);
        self.memo.texts.insert(schema, texts.clone());
        Ok(texts)
    }

    /// The values of an intersection, if these are a few strings.
    fn constant_texts(&mut self, value: &[Literal]) -> Result<Option<Vec<String>>> {
        if self.conjunction_consts(value)? != 0
            || self.conjunction_language(value, ScalarType::Numbers)? != Languages::NOTHING
            || !self.no_arrays(value)?
            || !self.no_objects(value, MAX_DEPTH)?
        {
            return Ok(None);
        }
        let strings = self.conjunction_language(value, ScalarType::Strings)?;
        let strings = self.loader.languages.automaton(strings)?;
        self.step(strings.state_count())?;
        Ok(texts::all_texts(&strings, MAX_VALUES))
    }

    /// Whether a schema allows no other members than those that it names.
    pub(super) fn is_closed_schema(&mut self, schema: SchemaId) -> bool {
        let (mut rules, mut seen) = (Vec::new(), FxHashSet::default());
        self.collect_rules(schema, &mut rules, &mut seen, 0);
        rules.iter().any(|rule| matches!(rule, ObjectRule::Members(members) if self.is_closed(*members)))
    }
}

/// The alternatives for each text that a key may have; `None` if not all alternatives require the key with a constant.
fn grouped(constants: &[Constants], key: KeyId) -> Option<Vec<Vec<usize>>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place: FxHashMap<&str, usize> = FxHashMap::default();
    for (alternative, constants) in constants.iter().enumerate() {
        for text in constants.get(&key)? {
            let group = *place.entry(text).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(alternative);
        }
    }
    Some(groups)
}
