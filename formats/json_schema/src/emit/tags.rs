//! Right parts in the styles that write a value as tags: `ws OPEN value END`, member after member.
//!
//! ```text
//! Before(i) ──ws <open key>──▶ Tagged ──text up to the end──▶ Before(j)
//!                                 └──[ws] JSON──▶ Closing ──ws <end>──▶ Before(j)
//! ```
//! What a string has between its tags is text up to the first end, so both are one terminal. A tag may say the kind of its value; then the
//! kinds part at the tag, and else behind it.

use super::emitter::{Composite, Emitter};
use super::layout::{Layout, LayoutPlace, Tagged};
use super::terminals::{EmitError, Result};
use crate::automaton::{Automaton, Keys, Run};
use crate::content::Vertex;
use crate::languages::{LanguageId, Languages};
use crate::style::{KEY, Kind, Style, Tags};
use gcc_grammar_ir::{Symbol, SymbolDfa, TerminalId};
use gcc_grammar_regular::Regex;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object may have this many transitions over tags.
const MAX_TAGS: usize = 200_000;

/// What a tag names: a key, keys, or an item of an array.
#[derive(Clone, Copy, Debug)]
enum Named<'k> {
    Key(&'k str),
    Keys(LanguageId),
    Item,
}

impl Emitter<'_> {
    /// The right part of the objects that an automaton reads, as tags.
    pub(super) fn members(&mut self, automaton: &Automaton<Keys, Vertex>) -> Result<SymbolDfa> {
        let mut tags = 0;
        for state in 0..automaton.targets as u32 {
            tags += automaton.transitions(state).count();
            if tags > MAX_TAGS {
                return Err(EmitError::TooManyKeys(MAX_TAGS));
            }
        }
        self.right_part(automaton, |emitter, tags, layout, before, index| {
            let transitions: Vec<_> = automaton.transitions(index).collect();
            for of_key in transitions.chunk_by(|a, b| a.0 == b.0) {
                let values = || of_key.iter().map(|&(_, value, target)| (value, target));
                match of_key[0].0 {
                    Keys::Named(key) => {
                        let key = emitter.schemas.key(key);
                        emitter.tagged(tags, layout, before, Named::Key(key), values())?;
                    }
                    // No grammar repeats any key at the end of its tag.
                    Keys::Class(keys) if tags.repeat_key() => {
                        for key in emitter.terminals.listed_keys(keys)?.unwrap_or_default() {
                            emitter.tagged(tags, layout, before, Named::Key(&key), values())?;
                        }
                    }
                    Keys::Class(keys) => emitter.tagged(tags, layout, before, Named::Keys(keys), values())?,
                }
            }
            Ok(())
        })
    }

    /// Whether the style cannot write some key of the objects of a node.
    pub(super) fn leaves_keys(&mut self, vertex: Vertex, composite: Composite) -> Result<bool> {
        let writes_keys = match (&self.terminals.options.style, composite) {
            (Style::Tags(_), Composite::Members) | (Style::Python, Composite::Arguments) => true,
            (Style::Marked(marked), Composite::Object) => marked.bare,
            _ => false,
        };
        if !writes_keys {
            return Ok(false);
        }
        let style = self.terminals.options.style.clone();
        let mut seen = FxHashSet::default();
        let states = self.graph.content(vertex).objects.iter().flat_map(|object| &object.states);
        for &(keys, ..) in states.flat_map(|state| &state.transitions) {
            let is_written = matches!((&style, keys), (Style::Tags(_), Keys::Named(_)));
            if is_written || !seen.insert(keys) {
                continue;
            }
            let language = self.language_of(&[keys])?;
            let written = match &style {
                Style::Tags(tags) if tags.repeat_key() => match self.terminals.listed_keys(language)? {
                    Some(_) => continue,
                    None => return Ok(true),
                },
                Style::Tags(tags) => self.terminals.other_tag_keys(tags, language)?,
                _ => self.terminals.bare_keys(language)?,
            };
            let all = self.terminals.languages.automaton(language)?;
            if !all.difference(&written, self.terminals.languages.limits())?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The right part of the arrays that an automaton reads, as tags.
    pub(super) fn items(&mut self, automaton: &Automaton<Run, Vertex>) -> Result<SymbolDfa> {
        self.right_part(automaton, |emitter, tags, layout, before, index| {
            let values = automaton.transitions(index).map(|(_, value, target)| (value, target));
            emitter.tagged(tags, layout, before, Named::Item, values)
        })
    }

    /// A right part with the tags that `add` adds to each state, and white space at the end.
    fn right_part<L: Copy>(
        &mut self,
        automaton: &Automaton<L, Vertex>,
        add: impl Fn(&mut Self, &Tags, &mut Layout, u32, u32) -> Result<()>,
    ) -> Result<SymbolDfa> {
        let mut layout = Layout::new(self.budget);
        let Style::Tags(tags) = &self.terminals.options.style else { return Ok(layout.finish()) };
        let tags = Arc::clone(tags);
        let space = Symbol::Terminal(self.terminals.any_space());
        for (index, state) in (0..).zip(automaton.states.iter().take(automaton.targets)) {
            layout.check()?;
            let before = layout.state(LayoutPlace::Before(index));
            add(self, &tags, &mut layout, before, index)?;
            if state.accepting {
                layout.accept(before);
                let end = layout.state(LayoutPlace::End);
                layout.accept(end);
                layout.arc(before, space, end);
            }
        }
        layout.check()?;
        Ok(layout.finish())
    }

    /// Adds the tags of a member or item with these values, each with the state after it.
    fn tagged(
        &mut self,
        tags: &Tags,
        layout: &mut Layout,
        before: u32,
        named: Named<'_>,
        values: impl Iterator<Item = (Vertex, u32)>,
    ) -> Result<()> {
        // By what stands between the name and the value.
        let mut by_rest: BTreeMap<Vec<String>, Vec<(Vertex, Kind, u32)>> = BTreeMap::new();
        for (value, target) in values {
            let kinds = self.kinds(tags, value);
            for &kind in &kinds {
                let rest = match (named, &tags.item) {
                    (Named::Item, Some(item)) => tags.with_kind(&item.close, kind, false),
                    _ => tags.with_kind(&tags.after_key, kind, kinds.len() > 1),
                };
                by_rest.entry(rest).or_default().push((value, kind, target));
            }
        }
        for (rest, values) in by_rest {
            let (open, end) = self.tag(tags, named, &rest)?;
            let (place, is_new) = layout.tagged(Tagged { end: end.clone(), values: values.clone() });
            layout.arc(before, Symbol::Terminal(open), place);
            if is_new {
                for (value, kind, target) in values {
                    self.tagged_value(tags, layout, place, (value, kind), &end, target)?;
                }
            }
        }
        Ok(())
    }

    /// The beginning and the end of a tag. It is made once, though it may stand in many states.
    fn tag(&mut self, tags: &Tags, named: Named<'_>, rest: &[String]) -> Result<(TerminalId, String)> {
        let identity = (format!("{named:?}"), rest.to_vec());
        if let Some(known) = self.known_tags.get(&identity) {
            return Ok(known.clone());
        }
        let tag = self.new_tag(tags, named, rest)?;
        self.known_tags.insert(identity, tag.clone());
        Ok(tag)
    }

    fn new_tag(&mut self, tags: &Tags, named: Named<'_>, rest: &[String]) -> Result<(TerminalId, String)> {
        let (key, again) = match (named, &tags.item) {
            (Named::Item, Some(item)) => {
                let open = self.terminals.open_item(tags, item, rest);
                return Ok((open, tags.end.replace(KEY, &item.key)));
            }
            (Named::Key(key), _) => {
                let spelled = tags.spelled_key(key);
                (Regex::literal(&spelled), spelled)
            }
            (Named::Keys(keys), _) => {
                let keys = self.terminals.other_tag_keys(tags, keys)?;
                (Regex::Automaton(Arc::new(keys)), String::new())
            }
            (Named::Item, None) => (Regex::empty(), String::new()),
        };
        Ok((self.terminals.open_member(tags, key, rest), tags.end.replace(KEY, &again)))
    }

    /// The kinds of the values of a node. Where a tag does not say the kind, any text is a string, so nothing else is left but null, if no string is this word, and
    /// values in tags that no string contains.
    fn kinds(&self, tags: &Tags, vertex: Vertex) -> Vec<Kind> {
        let content = self.graph.content(vertex);
        let mut kinds = content.kinds();
        if content.strings == Languages::TEXTS && !tags.tell_strings() {
            kinds.retain(|&kind| match (kind, &tags.item) {
                (Kind::String, _) => true,
                (Kind::Null, _) => tags.nulls,
                (Kind::Array, Some(item)) => tags.is_in_no_string(&item.begin),
                (Kind::Object, Some(_)) => tags.is_in_no_string(&tags.before_key),
                _ => false,
            });
        }
        kinds
    }

    /// Adds a value of one kind, the end of the tag, and the way to the state after it.
    fn tagged_value(
        &mut self,
        tags: &Tags,
        layout: &mut Layout,
        from: u32,
        (value, kind): (Vertex, Kind),
        end: &str,
        target: u32,
    ) -> Result<()> {
        let after = layout.state(LayoutPlace::Before(target));
        if kind == Kind::String {
            let language = self.graph.content(value).strings;
            if let Some(text) = self.terminals.text_with_end(tags, language, end)? {
                self.arc(layout, from, Symbol::Terminal(text), after);
            }
            return Ok(());
        }
        let closing = layout.state(LayoutPlace::Closing(end.to_owned(), target));
        let close = Symbol::Terminal(self.terminals.close(end));
        layout.arc(closing, close, after);
        let (space, spaced) =
            (Symbol::Terminal(self.terminals.any_space()), layout.state(LayoutPlace::Spaced(from)));
        layout.arc(from, space, spaced);
        let symbol = self.symbol_of_kind(tags, value, kind)?;
        self.arc(layout, from, symbol, closing);
        self.arc(layout, spaced, symbol, closing);
        Ok(())
    }

    /// The symbol of the values of one kind, which are not strings.
    fn symbol_of_kind(&mut self, tags: &Tags, value: Vertex, kind: Kind) -> Result<Symbol> {
        let recursive = tags.item.is_some();
        let composite = match kind {
            Kind::Array if recursive => Composite::Items,
            Kind::Object if recursive => Composite::Members,
            Kind::Array => Composite::Array,
            Kind::Object => Composite::Object,
            Kind::Boolean if tags.capitals => {
                let set = self.graph.content(value).consts;
                return Ok(Symbol::Terminal(self.terminals.capital_booleans(set)));
            }
            _ => return self.scalar(value, kind),
        };
        Ok(Symbol::Nonterminal(self.composite(value, composite)))
    }
}
