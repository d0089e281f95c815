//! Strings, keys and constants of the styles that write neither JSON nor tags, and the arguments of a call in Python.
//!
//! ```text
//! f(city='Rome', days=3, unit=None)             pythonic: what is between the parentheses
//! {city:<|"|>Rome<|"|>,days:3,unit:null}        gemma
//! ```

use super::emitter::Emitter;
use super::layout::{Layout, LayoutPlace};
use super::spelling::{self, Spelled};
use super::terminals::{Lexeme, Result, Terminals};
use crate::automaton::{Automaton, Keys};
use crate::content::Vertex;
use crate::languages::LanguageId;
use crate::schema::consts;
use crate::style::{Marked, Style};
use gcc_grammar_ir::{Symbol, SymbolDfa, TerminalId};
use gcc_grammar_regular::{CharSet, Dfa, Regex};
use std::sync::Arc;

impl Emitter<'_> {
    /// The right part of the objects that an automaton reads, as arguments of a call.
    pub(super) fn arguments(&mut self, automaton: &Automaton<Keys, Vertex>) -> Result<SymbolDfa> {
        let mut layout = Layout::new(self.budget);
        let start = layout.state(LayoutPlace::Start);
        for (index, state) in (0..).zip(automaton.states.iter().take(automaton.targets)) {
            layout.check()?;
            let mut places = vec![layout.state(LayoutPlace::Before(index))];
            if index == 0 {
                places.push(start);
            }
            for (keys, values) in self.keys_by_values(automaton.transitions(index))? {
                let key = Symbol::Terminal(self.terminals.argument(keys)?);
                let value = self.values(&mut layout, values)?;
                places.iter().for_each(|&before| layout.arc(before, key, value));
            }
            if index == 0 && state.accepting {
                layout.accept(start);
            }
            let Some(after) = layout.existing(LayoutPlace::After(index)) else { continue };
            if state.accepting {
                layout.accept(after);
            }
            if state.goes_on() {
                let comma = Symbol::Terminal(self.terminals.punctuation(",ws"));
                layout.arc(after, comma, places[0]);
            }
        }
        layout.check()?;
        Ok(layout.finish())
    }
}

impl Terminals<'_> {
    /// The word of a constant.
    pub(super) fn word(&self, constant: u8) -> &'static [&'static str] {
        match (&self.options.style, constant) {
            // Parsers of such calls take the names of JSON as well.
            (Style::Python, consts::NULL) => &["None", "null"],
            (Style::Python, consts::FALSE) => &["False", "false"],
            (Style::Python, _) => &["True", "true"],
            // Templates that print a value as Python does write None.
            (Style::Marked(_), consts::NULL) => &["null", "None"],
            (_, consts::NULL) => &["null"],
            (_, consts::FALSE) => &["false"],
            _ => &["true"],
        }
    }

    /// The strings of a language, as a style spells them that does not write JSON.
    pub(super) fn literal_text(&mut self, language: LanguageId) -> Result<TerminalId> {
        let close = Dfa::empty_string();
        let dfa = self.spelled_literal(language, &close)?;
        Ok(self.add(Lexeme::Text(language), "string".to_owned(), Regex::Automaton(Arc::new(dfa))))
    }

    /// The keys of a language with their colons, as a style spells them that does not write JSON.
    pub(super) fn literal_key(&mut self, language: LanguageId) -> Result<(String, Spelled)> {
        let colon = self.colon.clone();
        let limits = self.languages.limits().clone();
        let keys = match self.options.style {
            Style::Marked(Marked { bare: true, .. }) => Regex::Automaton(Arc::new(self.bare_keys(language)?))
                .then(Regex::literal(":"))
                .to_dfa(&limits)?,
            Style::Marked(_) => {
                let bare = Regex::Automaton(Arc::new(self.bare_keys(language)?));
                let bare = bare.then(Regex::Automaton(Arc::new(colon.clone()))).to_dfa(&limits)?;
                bare.union(&self.spelled_literal(language, &colon)?, &limits)?
            }
            _ => self.spelled_literal(language, &colon)?,
        };
        Ok(("key:".to_owned(), Spelled { automaton: Arc::new(keys), is_narrow: false }))
    }

    /// The keys of a language as names of arguments, with the sign behind them.
    fn argument(&mut self, language: LanguageId) -> Result<TerminalId> {
        // Readers that search calls by patterns find none with white space beside the sign.
        let keys = Regex::Automaton(Arc::new(self.bare_keys(language)?)).then(Regex::literal("="));
        Ok(self.add(Lexeme::Argument(language), "argument".to_owned(), keys))
    }

    /// The keys of a language without quotes: names if there is no end of them, and else those of characters without meaning.
    pub(super) fn bare_keys(&mut self, language: LanguageId) -> Result<Dfa> {
        let limits = self.languages.limits().clone();
        let keys = self.languages.automaton(language)?;
        let writable = if keys.is_finite() { plain() } else { super::tag_terminals::name() };
        Ok(keys.intersect(&writable.to_dfa(&limits)?, &limits)?)
    }

    fn spelled_literal(&mut self, language: LanguageId, close: &Dfa) -> Result<Dfa> {
        let limits = self.languages.limits().clone();
        let texts = self.languages.automaton(language)?;
        let Style::Marked(Marked { mark, .. }) = &self.options.style else {
            return Ok(spelling::python(&texts, close, &limits)?);
        };
        let stopped = Regex::literal(mark).anywhere().to_dfa(&limits)?;
        let texts = Regex::Automaton(Arc::new(texts.difference(&stopped, &limits)?));
        let mark = || self.mark(mark);
        let parts = [mark(), texts, mark(), Regex::Automaton(Arc::new(close.clone()))];
        Ok(Regex::concat(parts).to_dfa(&limits)?)
    }
}

/// Characters that neither Python nor the other styles give a meaning.
fn plain() -> Regex {
    let special = " \"'#(),/:;<=>[\\]{|}".chars().map(|c| (u32::from(c), u32::from(c)));
    Regex::chars(CharSet::new(special.chain([(0, 0x1F)])).negate()).plus()
}
