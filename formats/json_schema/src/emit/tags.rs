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
use super::terminals::Result;
use crate::automaton::{Automaton, Keys, Run};
use crate::content::Vertex;
use crate::languages::Languages;
use crate::style::{Kind, Style, Tag};
use gcc_grammar_ir::{Symbol, SymbolDfa};
use gcc_grammar_regular::Regex;
use std::collections::BTreeMap;

/// What a tag names: a key, keys, or an item of an array.
#[derive(Clone, Copy)]
enum Named {
    Keys(Keys),
    Item,
}

impl Emitter<'_> {
    fn style(&self) -> Style {
        self.terminals.options.style
    }

    /// The right part of the objects that an automaton reads, as tags.
    pub(super) fn members(&mut self, automaton: &Automaton<Keys, Vertex>) -> Result<SymbolDfa> {
        self.tags(automaton, |emitter, layout, before, automaton, index| {
            let transitions: Vec<_> = automaton.transitions(index).collect();
            for of_key in transitions.chunk_by(|a, b| a.0 == b.0) {
                let values = of_key.iter().map(|&(_, value, target)| (value, target));
                emitter.tagged(layout, before, Named::Keys(of_key[0].0), values)?;
            }
            Ok(())
        })
    }

    /// The right part of the arrays that an automaton reads, as tags.
    pub(super) fn items(&mut self, automaton: &Automaton<Run, Vertex>) -> Result<SymbolDfa> {
        self.tags(automaton, |emitter, layout, before, automaton, index| {
            let values = automaton.transitions(index).map(|(_, value, target)| (value, target));
            emitter.tagged(layout, before, Named::Item, values)
        })
    }

    /// A right part with the tags that `add` adds to each state, and white space at the end.
    fn tags<L: Copy>(
        &mut self,
        automaton: &Automaton<L, Vertex>,
        add: impl Fn(&mut Self, &mut Layout, u32, &Automaton<L, Vertex>, u32) -> Result<()>,
    ) -> Result<SymbolDfa> {
        let mut layout = Layout::new(self.budget);
        let space = Symbol::Terminal(self.terminals.any_space());
        for (index, state) in (0..).zip(automaton.states.iter().take(automaton.targets)) {
            layout.check()?;
            let before = layout.state(LayoutPlace::Before(index));
            add(self, &mut layout, before, automaton, index)?;
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
        layout: &mut Layout,
        before: u32,
        named: Named,
        values: impl Iterator<Item = (Vertex, u32)>,
    ) -> Result<()> {
        let mut by_tag: BTreeMap<Tag, Vec<(Vertex, Kind, u32)>> = BTreeMap::new();
        for (value, target) in values {
            let kinds = self.kinds(value);
            for &kind in &kinds {
                let tag = self.tag(named, kind, kinds.len() > 1);
                by_tag.entry(tag).or_default().push((value, kind, target));
            }
        }
        for (tag, values) in by_tag {
            let Some(key) = self.key(named)? else { continue };
            let end = format!(
                "{}{}",
                tag.end,
                if self.style().repeats_key() { self.key_again(named) } else { String::new() }
            );
            let open = Symbol::Terminal(self.terminals.open(&tag, key, matches!(named, Named::Keys(_))));
            let (place, is_new) = layout.tagged(Tagged { end: end.clone(), values: values.clone() });
            layout.arc(before, open, place);
            if is_new {
                for (value, kind, target) in values {
                    self.tagged_value(layout, place, (value, kind), &end, target)?;
                }
            }
        }
        Ok(())
    }

    fn tag(&self, named: Named, kind: Kind, is_open: bool) -> Tag {
        match named {
            Named::Keys(_) => self.style().tag(kind, is_open),
            Named::Item => self.style().item(kind),
        }
    }

    /// How a tag writes what it names; none if it cannot be written.
    fn key(&mut self, named: Named) -> Result<Option<Regex>> {
        match named {
            Named::Item => Ok(Some(Regex::empty())),
            Named::Keys(Keys::Named(key)) => {
                Ok(Some(Regex::literal(&self.style().spelled_key(self.schemas.key(key)))))
            }
            // The end could not repeat it.
            Named::Keys(Keys::Class(_)) if self.style().repeats_key() => Ok(None),
            Named::Keys(Keys::Class(keys)) => self.terminals.other_tag_keys(keys).map(Some),
        }
    }

    /// The end of a tag that has the key again.
    fn key_again(&self, named: Named) -> String {
        match named {
            Named::Keys(Keys::Named(key)) => format!("{}>", self.schemas.key(key)),
            Named::Keys(Keys::Class(_)) | Named::Item => "item>".to_owned(),
        }
    }

    /// The kinds of the values of a node. Where a tag does not say the kind, any text is a string, so nothing else is left.
    fn kinds(&self, vertex: Vertex) -> Vec<Kind> {
        let kinds = self.graph.content(vertex).kinds();
        let is_any = self.graph.content(vertex).strings == Languages::TEXTS;
        if is_any && self.style().tag(Kind::String, true) == self.style().tag(Kind::Null, true) {
            return vec![Kind::String];
        }
        kinds
    }

    /// Adds a value of one kind, the end of the tag, and the way to the state after it.
    fn tagged_value(
        &mut self,
        layout: &mut Layout,
        from: u32,
        (value, kind): (Vertex, Kind),
        end: &str,
        target: u32,
    ) -> Result<()> {
        let after = layout.state(LayoutPlace::Before(target));
        if kind == Kind::String {
            let language = self.graph.content(value).strings;
            if let Some(text) = self.terminals.text_with_end(language, end)? {
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
        let symbol = self.symbol_of_kind(value, kind)?;
        self.arc(layout, from, symbol, closing);
        self.arc(layout, spaced, symbol, closing);
        Ok(())
    }

    /// The symbol of the values of one kind, which are not strings.
    fn symbol_of_kind(&mut self, value: Vertex, kind: Kind) -> Result<Symbol> {
        let recursive = self.style().is_recursive();
        let composite = match kind {
            Kind::Array if recursive => Composite::Items,
            Kind::Object if recursive => Composite::Members,
            Kind::Array => Composite::Array,
            Kind::Object => Composite::Object,
            Kind::Boolean if self.style().has_capitals() => {
                let set = self.graph.content(value).consts;
                return Ok(Symbol::Terminal(self.terminals.capital_booleans(set)));
            }
            _ => return self.scalar(value, kind),
        };
        Ok(Symbol::Nonterminal(self.composite(value, composite)))
    }
}
