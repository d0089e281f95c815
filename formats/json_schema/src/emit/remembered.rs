//! Right parts of objects whose keys the runtime remembers.
//!
//! ```text
//! Before ──key, more follows──▶ value ─▶ After(More) ───,──▶ Before
//!        ──key──▶ value ───────────────▶ After(Either) ─,──▶ Before,  ─}──▶ End
//!        ──last key──▶ value ──────────▶ After(End) ──────────────────  ─}──▶ End
//! ```
//! A key has a terminal for each case of what may follow its member. The runtime takes the one that the keys so far allow. If members are counted, this is so in each state of
//! the automaton, and a state may allow less. What the first and the last case allow, the second one allows as well: the runtime relies on it.

use super::emitter::Emitter;
use super::layout::{Layout, LayoutPlace, Values};
use super::terminals::{EmitError, Result};
use crate::automaton::{Automaton, Keys};
use crate::content::Vertex;
use crate::languages::LanguageId;
use crate::record::Record;
use gcc_grammar_ir::{KeyRecord, KeyRole, Role, Symbol, SymbolDfa, Then};
use std::sync::Arc;

impl Emitter<'_> {
    /// The right part of the objects whose keys satisfy a record. The automaton has one state, or counts members.
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
        if automaton.states[0].accepting && record.is_satisfied_by_none() {
            layout.arc(start, Symbol::Terminal(self.terminals.punctuation("{ws}")), end);
        }
        let cases = cases(&record, record.is_open);
        // Where a key has variants, many tokens with a colon in front go on into values of some variants only. Those behind the colon are told by the parser.
        let has_colon = record.facts.is_empty() || !self.terminals.options.style.is_json();
        if automaton.states[0].goes_on() && record.has_first_key() {
            let opens =
                self.terminals.punctuation_with_role("{ws", Role::Object(KeyRole::Opens(Arc::new(record))));
            let before = layout.state(LayoutPlace::Before(0));
            layout.arc(start, Symbol::Terminal(opens), before);
        }
        for state in 0..automaton.states.len() as u32 {
            let (named, others): (Vec<_>, Vec<_>) =
                automaton.transitions(state).partition(|(keys, ..)| keys.named().is_some());
            for of_key in named.chunk_by(|a, b| a.0 == b.0) {
                let number = of_key[0].0.named().and_then(|key| numbers.get(&key).copied());
                for (language, values) in self.keys_by_values(of_key.iter().copied())? {
                    self.member(&mut layout, state, (language, number), &values, (&cases, has_colon))?;
                }
            }
            for (language, values) in self.keys_by_values(others.into_iter())? {
                self.member(&mut layout, state, (language, None), &values, (&cases, has_colon))?;
            }
        }
        for (index, state) in (0..).zip(&automaton.states) {
            for &then in &cases {
                let Some(after) = layout.existing(place_after(index, then)) else { continue };
                if then.goes_on() && state.goes_on() {
                    let comma = self.terminals.punctuation_with_role(",ws", Role::Object(KeyRole::Comma));
                    let before = layout.state(LayoutPlace::Before(index));
                    layout.arc(after, Symbol::Terminal(comma), before);
                }
                if then.may_end() && state.accepting {
                    let closes = self.terminals.punctuation_with_role("ws}", Role::Object(KeyRole::Closes));
                    layout.arc(after, Symbol::Terminal(closes), end);
                }
            }
        }
        layout.check()?;
        Ok(layout.finish())
    }

    /// Adds a key, or the keys that are not declared, with their values, in a state of the automaton.
    fn member(
        &mut self,
        layout: &mut Layout,
        state: u32,
        (language, number): (LanguageId, Option<u32>),
        values: &Values,
        (cases, has_colon): (&[Then], bool),
    ) -> Result<()> {
        let before = layout.state(LayoutPlace::Before(state));
        for &then in cases {
            let key = self.terminals.key_in_object(language, has_colon, KeyRole::Key { number, then })?;
            let after = |&(value, target): &(Vertex, u32)| (value, number_after(target, then));
            let mut place = self.values(layout, values.iter().map(after).collect())?;
            if !has_colon {
                place = layout.inside(vec![(Symbol::Terminal(self.terminals.colon()), place)]);
            }
            layout.arc(before, Symbol::Terminal(key), place);
        }
        layout.check()?;
        Ok(())
    }
}

/// The number of the place after a member: the state of the automaton, and what may follow.
fn number_after(state: u32, then: Then) -> u32 {
    state * Then::ALL.len() as u32 + then as u32
}

fn place_after(state: u32, then: Then) -> LayoutPlace {
    LayoutPlace::After(number_after(state, then))
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
