//! The terminals of tags: their beginnings and ends with white space before them, and texts up to an end.

use super::terminals::{Lexeme, Result, Terminals};
use crate::languages::{LanguageId, Languages, texts};
use crate::schema::consts;
use crate::style::{ItemTag, Tags};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{CharSet, Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// Declared keys are written as they are declared. Any other keys are names if there are at most so many exceptions from them.
const MOST_EXCEPTIONS: usize = 4096;
/// The most keys of a language that have a tag each, where the end of a tag repeats the key.
const MOST_LISTED: usize = 256;

impl Terminals<'_> {
    /// White space between tags.
    pub(super) fn any_space(&mut self) -> TerminalId {
        self.add(Lexeme::Open(String::new()), "white space".to_owned(), space(1))
    }

    /// The beginning of the tag of a member, with white space before it. `rest` are the alternatives of what stands behind the key.
    pub(super) fn open_member(&mut self, tags: &Tags, key: Regex, rest: &[String]) -> TerminalId {
        self.open(&tags.before_key, key, rest, &tags.before_value, true)
    }

    /// The beginning of the tag of an item.
    pub(super) fn open_item(&mut self, tags: &Tags, item: &ItemTag, rest: &[String]) -> TerminalId {
        self.open(&item.begin, Regex::empty(), rest, &tags.before_value, item.spaced)
    }

    fn open(
        &mut self,
        before_key: &str,
        key: Regex,
        rest: &[String],
        before_value: &str,
        is_spaced: bool,
    ) -> TerminalId {
        let name = format!("{before_key}{}", rest.join("|"));
        let identity = format!("{name}{key:?}{is_spaced}");
        let rest = Regex::union(rest.iter().map(|text| self.mark(text)));
        // Where a tag has nothing but the key, readers take white space away from it.
        let key = if before_value.is_empty() { key } else { Regex::concat([space(0), key, space(0)]) };
        let mut parts = vec![self.mark(before_key), key, rest];
        if is_spaced {
            parts.insert(0, space(0));
        }
        if !before_value.is_empty() {
            parts.extend([space(0), self.mark(before_value)]);
        }
        self.add(Lexeme::Open(identity), name, Regex::concat(parts))
    }

    /// White space and the end of a tag.
    pub(super) fn close(&mut self, end: &str) -> TerminalId {
        let regex = space(0).then(self.mark(end));
        self.add(Lexeme::Close(end.to_owned()), end.to_owned(), regex)
    }

    /// The Booleans of a set of constants, also as Python prints them.
    pub(super) fn capital_booleans(&mut self, set: u8) -> TerminalId {
        let words = [(consts::FALSE, ["false", "False"]), (consts::TRUE, ["true", "True"])];
        let words: Vec<_> =
            words.into_iter().filter(|(bit, _)| set & bit != 0).flat_map(|(_, words)| words).collect();
        let regex = Regex::union(words.iter().map(|word| Regex::literal(word)));
        self.add(Lexeme::Open(words.join("|")), words.join("|"), regex)
    }

    /// The texts of a language that do not contain the end of their tag, with that end; none if there are none.
    pub(super) fn text_with_end(
        &mut self,
        tags: &Tags,
        language: LanguageId,
        end: &str,
    ) -> Result<Option<TerminalId>> {
        let lexeme = Lexeme::TextWithEnd(language, end.to_owned());
        if let Some(&known) = self.known.get(&lexeme) {
            return Ok(Some(known));
        }
        let limits = self.languages.limits().clone();
        let texts = self.languages.automaton(language)?;
        let stops = tags.forbidden.iter().chain([&tags.stop]).map(|stop| Regex::literal(stop));
        let stopped = Regex::union(stops).anywhere().to_dfa(&limits)?;
        let texts = texts.difference(&stopped, &limits)?;
        if texts.is_empty() {
            return Ok(None);
        }
        let texts =
            if tags.nulls { texts.difference(&null_words().to_dfa(&limits)?, &limits)? } else { texts };
        let texts = if tags.strips { stripped(&texts, &limits)? } else { texts };
        let texts = if tags.lines { on_lines(&texts, &limits)? } else { texts };
        let dfa = Regex::Automaton(Arc::new(texts)).then(self.mark(end)).to_dfa(&limits)?;
        Ok(Some(self.add(lexeme, format!("text up to {end:?}"), Regex::Automaton(Arc::new(dfa)))))
    }

    /// The keys of a language as a tag has them: names, if the language has all keys but some, and else keys of characters without meaning.
    pub(super) fn other_tag_keys(&mut self, tags: &Tags, keys: LanguageId) -> Result<Dfa> {
        let others = self.languages.difference(Languages::TEXTS, keys)?;
        let others = self.languages.automaton(others)?;
        let is_any = texts::all_texts(&others, MOST_EXCEPTIONS).is_some();
        let writable = if is_any && tags.item.is_none() { name() } else { plain(tags) };
        let limits = self.languages.limits().clone();
        let writable: Dfa = writable.to_dfa(&limits)?;
        Ok(self.languages.automaton(keys)?.intersect(&writable, &limits)?)
    }

    /// The keys of a language, if there are few.
    pub(super) fn listed_keys(&mut self, keys: LanguageId) -> Result<Option<Vec<String>>> {
        Ok(texts::all_texts(&*self.languages.automaton(keys)?, MOST_LISTED))
    }
}

/// The texts of which a language remains without one line break at the beginning and one at the end, as readers of the style take them away.
fn on_lines(texts: &Dfa, limits: &RegularLimits) -> std::result::Result<Dfa, OverBudget> {
    let line = || Regex::literal("\n");
    let any = || Regex::Automaton(Arc::new(Dfa::all()));
    let begins = line().then(any()).to_dfa(limits)?;
    let ends = any().then(line()).to_dfa(limits)?;
    let inside = texts.difference(&begins, limits)?;
    let regex = |dfa: Dfa| Regex::Automaton(Arc::new(dfa));
    Regex::union([
        Regex::concat([line(), regex(texts.clone()), line()]),
        line().then(regex(texts.difference(&ends, limits)?)),
        regex(inside.clone()).then(line()),
        regex(inside.difference(&ends, limits)?),
    ])
    .to_dfa(limits)
}

/// The texts of which a language remains without white space at both ends, as readers of the style take it away.
fn stripped(texts: &Dfa, limits: &RegularLimits) -> std::result::Result<Dfa, OverBudget> {
    let any = || Regex::Automaton(Arc::new(Dfa::all()));
    let blank = || Regex::chars(CharSet::new(BLANK.map(|(low, high)| (u32::from(low), u32::from(high)))));
    let at_ends = Regex::union([blank().then(any()), any().then(blank())]).to_dfa(limits)?;
    let kept = Regex::Automaton(Arc::new(texts.difference(&at_ends, limits)?));
    Regex::concat([space(0), kept, space(0)]).to_dfa(limits)
}

/// What Python takes for white space.
const BLANK: [(char, char); 10] = [
    ('\t', '\r'),
    ('\x1C', ' '),
    ('\u{85}', '\u{85}'),
    ('\u{A0}', '\u{A0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200A}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202F}', '\u{202F}'),
    ('\u{205F}', '\u{205F}'),
    ('\u{3000}', '\u{3000}'),
];

/// The word `null` in any case.
fn null_words() -> Regex {
    let letter = |pair: [char; 2]| Regex::chars(CharSet::new(pair.map(|c| (u32::from(c), u32::from(c)))));
    Regex::concat([['N', 'n'], ['U', 'u'], ['L', 'l'], ['L', 'l']].map(letter))
}

fn space(least: u32) -> Regex {
    Regex::chars(CharSet::new([' ', '\n', '\r', '\t'].map(|c| (u32::from(c), u32::from(c)))))
        .repeat(least, None)
}

/// `[a-zA-Z_][a-zA-Z0-9_]*`
pub(super) fn name() -> Regex {
    let ranges = |ranges: &[(char, char)]| {
        Regex::chars(CharSet::new(ranges.iter().map(|&(low, high)| (u32::from(low), u32::from(high)))))
    };
    let letters = [('a', 'z'), ('A', 'Z'), ('_', '_'), ('0', '9')];
    ranges(&letters[..3]).then(ranges(&letters).star())
}

/// Characters that no tag gives a meaning.
fn plain(tags: &Tags) -> Regex {
    let special = ['\0', '"', '&', '<', '>', ']'].into_iter().chain(tags.after_key.chars().next());
    let special = special.map(|c| (u32::from(c), u32::from(c)));
    Regex::chars(CharSet::new(special).negate()).plus()
}
