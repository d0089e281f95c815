//! Right parts of objects whose keys the runtime remembers.
//!
//! ```text
//! Before ──key, more follows──▶ value ─▶ After(More) ───,──▶ Before
//!        ──key──▶ value ───────────────▶ After(Either) ─,──▶ Before,  ─}──▶ End
//!        ──last key──▶ value ──────────▶ After(End) ──────────────────  ─}──▶ End
//! ```
//! A key has a terminal for each case of what may follow its member. The runtime takes the one that the keys so far allow.

use super::emitter::Emitter;
use super::layout::{Layout, LayoutPlace};
use super::terminals::{EmitError, Result};
use crate::automaton::{Automaton, Keys};
use crate::content::Vertex;
use crate::languages::LanguageId;
use crate::record::Record;
use gcc_grammar_ir::{KeyRecord, KeyRole, Symbol, SymbolDfa, Then};
use std::sync::Arc;

impl Emitter<'_> {
    /// The right part of the objects whose keys satisfy a record. The automaton has one state.
    pub(super) fn remembered_object(
        &mut self,
        automaton: &Automaton<Keys, Vertex>,
        record: &Record,
    ) -> Result<SymbolDfa> {
        let (record, numbers) = record.numbered(automaton);
        let mut groups = record.choices.chunk_by(|a, b| a.group == b.group);
        if groups.any(|group| group.len() > KeyRecord::MOST_CHOICES) {
            return Err(EmitError::TooManyChoices(KeyRecord::MOST_CHOICES));
        }
        let mut layout = Layout::new(self.budget);
        let (start, end) = (layout.state(LayoutPlace::Start), layout.state(LayoutPlace::End));
        layout.accept(end);
        let before = layout.state(LayoutPlace::Before(0));
        if record.is_satisfied_by_none() {
            layout.arc(start, Symbol::Terminal(self.terminals.punctuation("{ws}")), end);
        }
        let cases = cases(&record, record.is_open);
        // Where a key has variants, many tokens with a colon in front go on into values of some variants only. Those behind the colon are told by the parser.
        let has_colon = record.facts.is_empty() || !self.terminals.options.style.is_json();
        if record.has_first_key() {
            let opens = self.terminals.punctuation_in_object("{ws", KeyRole::Opens(Arc::new(record)));
            layout.arc(start, Symbol::Terminal(opens), before);
        }
        let (named, others): (Vec<_>, Vec<_>) =
            automaton.transitions(0).partition(|(keys, ..)| keys.named().is_some());
        for of_key in named.chunk_by(|a, b| a.0 == b.0) {
            let number = of_key[0].0.named().and_then(|key| numbers.get(&key).copied());
            for (language, values) in self.keys_by_values(of_key.iter().copied())? {
                let values = values.into_iter().map(|(value, _)| value).collect::<Vec<_>>();
                self.member(&mut layout, (language, number), &values, (&cases, has_colon))?;
            }
        }
        for (language, values) in self.keys_by_values(others.into_iter())? {
            let values = values.into_iter().map(|(value, _)| value).collect::<Vec<_>>();
            self.member(&mut layout, (language, None), &values, (&cases, has_colon))?;
        }
        for &then in &cases {
            let Some(after) = layout.existing(LayoutPlace::After(then as u32)) else { continue };
            if then.goes_on() {
                let comma = self.terminals.punctuation_in_object(",ws", KeyRole::Comma);
                layout.arc(after, Symbol::Terminal(comma), before);
            }
            if then.may_end() {
                let closes = self.terminals.punctuation_in_object("ws}", KeyRole::Closes);
                layout.arc(after, Symbol::Terminal(closes), end);
            }
        }
        layout.check()?;
        Ok(layout.finish())
    }

    /// Adds a key, or the keys that are not declared, with their values.
    fn member(
        &mut self,
        layout: &mut Layout,
        (language, number): (LanguageId, Option<u32>),
        values: &[Vertex],
        (cases, has_colon): (&[Then], bool),
    ) -> Result<()> {
        let before = layout.state(LayoutPlace::Before(0));
        for &then in cases {
            let key = self.terminals.key_in_object(language, has_colon, KeyRole::Key { number, then })?;
            let values = values.iter().map(|&value| (value, then as u32)).collect();
            let mut place = self.values(layout, values)?;
            if !has_colon {
                place = layout.inside(vec![(Symbol::Terminal(self.terminals.colon()), place)]);
            }
            layout.arc(before, Symbol::Terminal(key), place);
        }
        layout.check()?;
        Ok(())
    }
}

/// The cases that occur.
fn cases(record: &KeyRecord, is_open: bool) -> Vec<Then> {
    let has_more = record.clauses.iter().any(|clause| clause.then.is_some()) || !record.choices.is_empty();
    let occurs = |then: &Then| match then {
        Then::More => has_more,
        Then::Either => true,
        Then::End => !is_open,
    };
    Then::ALL.into_iter().filter(occurs).collect()
}
