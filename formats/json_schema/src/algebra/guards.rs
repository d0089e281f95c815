//! The guards of a member: the schemas that govern its value, found by its key.
//!
//! A key is governed by its entry in `properties` and by all patterns that it matches, and by the schema for
//! the rest only if there are none of these (JSON Schema Core 2020-12, section 10.3.2).

use super::context::Algebra;
use super::error::Result;
use super::terms::Letter;
use crate::languages::LanguageId;
use crate::schema::{KeyId, MembersId, SchemaId};
use std::rc::Rc;

/// Estimated bytes of a property in the index of all members constraints, and of its guards.
const BYTES_PER_PROPERTY: usize = 100;

impl Algebra<'_, '_> {
    /// The schemas that govern the value of a key, resolved.
    pub(super) fn guards(&mut self, members: MembersId, letter: Letter) -> Result<Rc<[SchemaId]>> {
        if let Some(known) = self.guards.get(&(members, letter)) {
            return Ok(known.clone());
        }
        let mut schemas = self.governing(members, letter)?;
        for schema in &mut schemas {
            *schema = self.loader.resolved(*schema);
        }
        let schemas: Rc<[SchemaId]> = schemas.into();
        self.guards.insert((members, letter), schemas.clone());
        Ok(schemas)
    }

    /// The schemas that govern the value of a key.
    fn governing(&mut self, id: MembersId, letter: Letter) -> Result<Vec<SchemaId>> {
        let members = self.loader.schemas.members(id).clone();
        if self.indexed.insert(id) {
            self.step(members.properties.len())?;
            self.keep(BYTES_PER_PROPERTY * members.properties.len())?;
            self.properties.extend(members.properties.iter().map(|&(key, schema)| ((id, key), schema)));
        }
        self.step(members.patterns.len())?;
        let mut schemas = Vec::new();
        if let Letter::Named(key) = letter {
            schemas.extend(self.properties.get(&(id, key)).copied());
        }
        for &(pattern, schema) in &members.patterns {
            if self.letter_overlaps(letter, pattern)? {
                schemas.push(schema);
            }
        }
        if schemas.is_empty() {
            schemas.push(members.rest);
        }
        Ok(schemas)
    }

    /// Whether a key is in a language.
    fn key_in(&mut self, key: KeyId, language: LanguageId) -> Result<bool> {
        Ok(self.loader.languages.contains(language, self.loader.schemas.key(key))?)
    }

    /// Whether keys of a letter are in a language. If some key of a class is, all its keys are.
    pub(super) fn letter_overlaps(&mut self, letter: Letter, language: LanguageId) -> Result<bool> {
        match letter {
            Letter::Named(key) => self.key_in(key, language),
            Letter::Class(keys) => Ok(self.loader.languages.overlap(keys, language)?),
        }
    }
}
