//! Right parts of objects: which keys may come, and the values after them.

use super::arrays::Comma;
use super::emitter::Emitter;
use super::keys::KeyTree;
use super::layout::{Layout, LayoutPlace, Values};
use super::terminals::{EmitError, Result};
use crate::automaton::{Automaton, Keys};
use crate::content::{Place, Vertex};
use crate::languages::{LanguageId, Languages};
use crate::record::Record;
use crate::schema::KeyId;
use gcc_grammar_ir::{ListRole, Symbol, SymbolDfa};
use rustc_hash::FxHashMap;

/// Objects with fewer keys, or with fewer pairs of a value and a target, read each key as a whole.
const LEAST_FOR_TREE: usize = 64;

/// Objects with fewer pairs of a value and a target read keys in parts only if this halves the number of
/// terminals.
const LEAST_WITHOUT_SHARING: usize = 256;

/// Objects that admit other keys, too, read fewer keys as a whole.
const LEAST_WITH_OTHERS: usize = 256;

/// An object may have this many transitions over keys that are read as a whole.
const MAX_WHOLE_KEYS: usize = 1_000_000;

/// The work to sort a key of one state by its values.
const WORK_PER_KEY: usize = 20;

impl Emitter<'_> {
    /// The right part of the objects that an automaton reads.
    pub(super) fn object(
        &mut self,
        automaton: &Automaton<Keys, Vertex>,
        record: Option<&Record>,
    ) -> Result<SymbolDfa> {
        if let Some(record) = record {
            return self.remembered_object(automaton, record);
        }
        let mut layout = Layout::new(self.budget);
        let (start, end) = (layout.state(LayoutPlace::Start), layout.state(LayoutPlace::End));
        layout.accept(end);
        self.open_and_close(&mut layout, start, automaton, "{ws", "{ws}");
        let mut tree = self.key_tree(automaton)?;
        if tree.is_none() && automaton.shared_size() > MAX_WHOLE_KEYS {
            return Err(EmitError::TooManyKeys(MAX_WHOLE_KEYS));
        }
        for (index, state) in automaton.states.iter().take(automaton.targets).enumerate() {
            layout.check()?;
            let index = index as u32;
            if state.goes_on() {
                let before = layout.state(LayoutPlace::Before(index));
                match &mut tree {
                    Some(tree) => self.keys_in_tree(&mut layout, before, (automaton, index), tree)?,
                    None => self.whole_keys(&mut layout, before, (automaton, index))?,
                }
            }
            let comma = if self.has_names { Comma::BetweenNames } else { Comma::Plain };
            let comma = state.goes_on().then_some(comma);
            self.after_element(&mut layout, index, state.accepting, comma, "ws}");
        }
        layout.check()?;
        Ok(layout.finish())
    }

    /// Adds the reading of a key and the colon as one terminal, for all keys with the same values.
    fn whole_keys(
        &mut self,
        layout: &mut Layout,
        before: u32,
        (automaton, state): (&Automaton<Keys, Vertex>, u32),
    ) -> Result<()> {
        if self.has_names {
            return self.names(layout, before, (automaton, state));
        }
        self.declared_keys(layout, before, automaton.transitions(state))
    }

    /// Adds the reading of keys that are not remembered as names, each with the colon as one terminal.
    fn declared_keys(
        &mut self,
        layout: &mut Layout,
        before: u32,
        transitions: impl Iterator<Item = (Keys, Vertex, u32)>,
    ) -> Result<()> {
        for (keys, values) in self.keys_by_values(transitions)? {
            let key = match self.place {
                Place::Elsewhere => self.terminals.key(keys)?,
                Place::Item | Place::Within => self.terminals.item_key(keys)?,
            };
            let place = self.values(layout, values)?;
            layout.arc(before, Symbol::Terminal(key), place);
        }
        Ok(())
    }

    /// Adds the reading of a key of an object with names. A name and the colon are two terminals, so that a name has one text.
    fn names(
        &mut self,
        layout: &mut Layout,
        before: u32,
        (automaton, state): (&Automaton<Keys, Vertex>, u32),
    ) -> Result<()> {
        let (named, others): (Vec<_>, Vec<_>) =
            automaton.transitions(state).partition(|(keys, ..)| keys.named().is_some());
        self.declared_keys(layout, before, named.into_iter())?;
        let colon = Symbol::Terminal(self.terminals.colon());
        for (keys, values) in self.keys_by_values(others.into_iter())? {
            let name = self.terminals.item_text(keys, ListRole::Name)?;
            let place = self.values(layout, values)?;
            let inside = layout.inside(vec![(colon, place)]);
            layout.arc(before, Symbol::Terminal(name), inside);
        }
        Ok(())
    }

    /// Adds the reading of a key and the colon along the tree of keys.
    fn keys_in_tree(
        &mut self,
        layout: &mut Layout,
        before: u32,
        (automaton, state): (&Automaton<Keys, Vertex>, u32),
        tree: &mut KeyTree,
    ) -> Result<()> {
        let previous = state.checked_sub(1).map(|previous| &automaton.states[previous as usize]);
        match previous {
            Some(previous) if previous.otherwise == Some(state) && previous.has_named_only() => {
                let read = previous.transitions.iter().filter_map(|(keys, ..)| keys.named());
                tree.remove(read);
            }
            _ => {
                let keys = self.keys_one_by_one(layout, automaton.transitions(state))?;
                self.budget.charge_work((WORK_PER_KEY * keys.len()) as u64)?;
                tree.replace(&keys);
                let others = automaton.transitions(state).filter(|(keys, ..)| keys.named().is_none());
                let mut others: Values = others.map(|(_, value, target)| (value, target)).collect();
                others.sort_unstable();
                let value = if others.is_empty() { None } else { Some(self.values(layout, others)?) };
                tree.set_others(layout, value);
            }
        }
        tree.lay_out(layout, before);
        Ok(())
    }

    /// The tree of the keys of an object; `None` if the object has too few keys to read them in parts, or if it tells
    /// apart the keys that no schema names, or if keys are not those of JSON.
    fn key_tree(&mut self, automaton: &Automaton<Keys, Vertex>) -> Result<Option<KeyTree>> {
        if !self.terminals.options.style.is_json() || self.place != Place::Elsewhere || self.has_names {
            return Ok(None);
        }
        let transitions = || automaton.states.iter().flat_map(|state| &state.transitions);
        let mut named: Vec<_> = transitions().filter_map(|(keys, ..)| keys.named()).collect();
        named.sort_unstable();
        named.dedup();
        let mut others: Vec<_> =
            transitions().filter(|(keys, ..)| keys.named().is_none()).map(|t| t.0).collect();
        others.sort_unstable();
        others.dedup();
        let has_others = !others.is_empty();
        if has_others && (named.len() < LEAST_WITH_OTHERS || others != [self.all_but(&named)?]) {
            return Ok(None);
        }
        let mut ways: Vec<(Vertex, u32)> = transitions().map(|&(_, value, to)| (value, to)).collect();
        ways.sort_unstable();
        ways.dedup();
        if named.len().min(ways.len()) < LEAST_FOR_TREE {
            return Ok(None);
        }
        let schemas = self.schemas;
        let keys = named.into_iter().map(|key| (key, schemas.key(key))).collect();
        let mut tree = KeyTree::new(keys);
        if ways.len() < LEAST_WITHOUT_SHARING && tree.parts() * 2 > ways.len() {
            return Ok(None);
        }
        tree.add_terminals(&mut self.terminals)?;
        if has_others {
            tree.add_other_terminals(&mut self.terminals)?;
        }
        Ok(Some(tree))
    }

    /// All keys but these.
    fn all_but(&mut self, named: &[KeyId]) -> Result<Keys> {
        let languages = &mut self.terminals.languages;
        let named = languages.add_texts(named.iter().map(|&key| self.schemas.key(key)))?;
        Ok(Keys::Class(languages.difference(Languages::TEXTS, named)?))
    }

    /// The keys, each with the state before its values.
    fn keys_one_by_one(
        &mut self,
        layout: &mut Layout,
        transitions: impl Iterator<Item = (Keys, Vertex, u32)>,
    ) -> Result<Vec<(KeyId, u32)>> {
        let transitions: Vec<_> = transitions.collect();
        let mut out = Vec::new();
        for of_key in transitions.chunk_by(|a, b| a.0 == b.0) {
            if let Some(key) = of_key[0].0.named() {
                let mut values: Values = of_key.iter().map(|&(_, value, target)| (value, target)).collect();
                values.sort_unstable();
                out.push((key, self.values(layout, values)?));
            }
        }
        Ok(out)
    }

    /// The state before these values, with transitions over them.
    pub(super) fn values(&mut self, layout: &mut Layout, values: Values) -> Result<u32> {
        let (place, is_new) = layout.values(values.clone());
        if is_new {
            let has_arrays = self.joint_arrays(layout, place, &values)?;
            for (value, target) in values {
                let after = layout.state(LayoutPlace::After(target));
                self.value_but_arrays(layout, (place, after), value, has_arrays)?;
            }
        }
        Ok(place)
    }

    /// The keys, grouped by the values that they lead to. A group is read as one terminal.
    pub(super) fn keys_by_values(
        &mut self,
        transitions: impl Iterator<Item = (Keys, Vertex, u32)>,
    ) -> Result<Vec<(LanguageId, Values)>> {
        let mut by_key: Vec<(Keys, Values)> = Vec::new();
        for (keys, value, target) in transitions {
            self.budget.charge_work(WORK_PER_KEY as u64)?;
            match by_key.last_mut() {
                Some((last, values)) if *last == keys => values.push((value, target)),
                _ => by_key.push((keys, vec![(value, target)])),
            }
        }
        let mut by_values: Vec<(Vec<Keys>, Values)> = Vec::new();
        let mut place: FxHashMap<Values, usize> = FxHashMap::default();
        for (keys, mut values) in by_key {
            values.sort_unstable();
            let index = *place.entry(values.clone()).or_insert_with(|| {
                by_values.push((Vec::new(), values));
                by_values.len() - 1
            });
            by_values[index].0.push(keys);
        }
        by_values.into_iter().map(|(keys, values)| Ok((self.language_of(&keys)?, values))).collect()
    }

    /// The union of letters as a language.
    pub(super) fn language_of(&mut self, keys: &[Keys]) -> Result<LanguageId> {
        if let Some(&known) = self.key_languages.get(keys) {
            return Ok(known);
        }
        let named = keys.iter().filter_map(|keys| keys.named()).map(|key| self.schemas.key(key));
        let mut language = self.terminals.languages.add_texts(named)?;
        for keys in keys {
            if let Keys::Class(other) = keys {
                language = self.terminals.languages.union(language, *other)?;
            }
        }
        self.key_languages.insert(keys.into(), language);
        Ok(language)
    }
}
