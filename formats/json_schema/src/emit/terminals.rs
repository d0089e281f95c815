//! The terminals of a grammar: punctuation, constants, numbers, strings and keys. Equal terminals are made
//! once.

use super::other_keys::{self, Parts};
use super::spelling::{self, Spelled};
use super::whitespace::Space;
use crate::languages::number::{self, digits, spellings};
use crate::languages::texts;
use crate::languages::{Frame, LanguageId, Languages, Lengths};
use crate::options::{Options, Strings};
use crate::schema::consts;
use gcc_grammar_ir::{Code, Diagnostic, KeyRole, ListRole, Pattern, Role, Terminal, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The content of a terminal; equal contents have the same terminal.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Lexeme {
    Punctuation(&'static str),
    Consts(u8),
    Number(LanguageId),
    Text(LanguageId),
    /// A key with its colon.
    Key(LanguageId),
    /// A part of a key, perhaps with its opening quote, perhaps with its colon.
    KeyPart {
        text: LanguageId,
        open: bool,
        close: bool,
    },
    /// A key as the name of an argument.
    Argument(LanguageId),
    /// White space and the beginning of a tag.
    Open(String),
    /// White space and the end of a tag.
    Close(String),
    /// A string as it is, and the end of its tag.
    TextWithEnd(LanguageId, String),
    /// A lexeme with a role in lists whose items differ, where items have one notation, or in objects whose keys are remembered.
    WithRole(Box<Lexeme>, Role),
    /// A part of a string after its opening quote, perhaps with the closing quote.
    Piece {
        lengths: Lengths,
        close: bool,
    },
}

impl Lexeme {
    fn with_role(self, role: Role) -> Self {
        Self::WithRole(Box::new(self), role)
    }
}

/// Estimated bytes of a terminal besides the table of its automaton.
const BYTES_PER_TERMINAL: usize = 700;

/// Why there is no grammar.
#[derive(Debug)]
pub(crate) enum EmitError {
    /// The grammar or an automaton in it is too large.
    OverBudget(OverBudget),
    /// Strings of more characters than this are not counted.
    TooLong(u32),
    /// An object has more transitions than this over keys that are read as a whole.
    TooManyKeys(usize),
    /// More than this number of choices among the keys of an object depend on each other.
    TooManyChoices(usize),
}

impl From<OverBudget> for EmitError {
    fn from(reason: OverBudget) -> Self {
        Self::OverBudget(reason)
    }
}

impl EmitError {
    /// The error message.
    pub(crate) fn diagnostic(self) -> Diagnostic {
        match self {
            Self::OverBudget(over) => over.into(),
            Self::TooLong(limit) => {
                let message = format!("the length of a string is bounded by more than {limit} characters");
                Diagnostic::error(Code::TooLarge, message).help("use a smaller bound")
            }
            Self::TooManyKeys(limit) => {
                let message = format!(
                    "the object needs more than {limit} transitions, since any of its many keys may follow any other"
                );
                let help = "require more of the keys, or let no pattern restrict the keys that are not named";
                Diagnostic::error(Code::TooLarge, message).help(help)
            }
            Self::TooManyChoices(limit) => {
                let message =
                    format!("more than {limit} conditions on the keys of an object have several outcomes");
                Diagnostic::error(Code::TooLarge, message).help("combine fewer conditions on the same keys")
            }
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, EmitError>;

/// The terminals made so far.
pub(super) struct Terminals<'a> {
    pub(super) languages: &'a mut Languages,
    pub(super) options: &'a Options,
    space: Space,
    pub(super) colon: Dfa,
    list: Vec<Terminal>,
    pub(super) known: FxHashMap<Lexeme, TerminalId>,
    /// The terminals of strings, or of parts of them, that leave out some spelling.
    pub(super) narrow_texts: FxHashSet<TerminalId>,
    /// The terminals of keys, or of parts of them, that leave out some spelling.
    pub(super) narrow_keys: FxHashSet<TerminalId>,
}

impl<'a> Terminals<'a> {
    pub(super) fn new(languages: &'a mut Languages, options: &'a Options, space: Space, colon: Dfa) -> Self {
        let (known, narrow_texts, narrow_keys) = Default::default();
        Self { languages, options, space, colon, list: Vec::new(), known, narrow_texts, narrow_keys }
    }

    /// All terminals.
    pub(super) fn finish(self) -> Vec<Terminal> {
        self.list
    }

    /// Punctuation. `form` has `ws` where white space may stand.
    pub(super) fn punctuation(&mut self, form: &'static str) -> TerminalId {
        let regex = self.space.punctuation(form);
        self.add(Lexeme::Punctuation(form), form.replace("ws", ""), regex)
    }

    /// The colon behind a name.
    pub(super) fn colon(&mut self) -> TerminalId {
        let colon = Regex::Automaton(Arc::new(self.colon.clone()));
        self.add(Lexeme::Punctuation(":"), ":".to_owned(), colon)
    }

    /// White space around the whole text, if it is allowed.
    pub(super) fn outer_space(&mut self) -> Option<TerminalId> {
        let space = self.space.outer()?;
        Some(self.add(Lexeme::Punctuation("ws"), "white space".to_owned(), space))
    }

    /// The terminal of a set of constants.
    pub(super) fn consts(&mut self, set: u8) -> TerminalId {
        let constants = [consts::NULL, consts::FALSE, consts::TRUE];
        let constants = constants.into_iter().filter(|bit| set & bit != 0);
        let words: Vec<_> = constants.flat_map(|constant| self.word(constant)).copied().collect();
        let regex = Regex::union(words.iter().map(|word| Regex::literal(word)));
        self.add(Lexeme::Consts(set), words.join("|"), regex)
    }

    /// The terminal of a language of numbers.
    pub(super) fn number(&mut self, language: LanguageId) -> Result<TerminalId> {
        let numbers = self.languages.automaton(language)?;
        let limits = self.languages.limits();
        let spelled = spellings::spelled(&numbers, self.options.integer_spelling, limits)?;
        let dfa = self.within_digits(spelled)?;
        Ok(self.add(Lexeme::Number(language), "number".to_owned(), Regex::Automaton(dfa)))
    }

    /// The numerals with no more digits than the option allows.
    fn within_digits(&self, numerals: Arc<Dfa>) -> Result<Arc<Dfa>> {
        let (Some(most), limits) = (self.options.number_digits, self.languages.limits()) else {
            return Ok(numerals);
        };
        Ok(Arc::new(numerals.intersect(&digits(most, limits)?, limits)?))
    }

    /// The terminal of a language of strings of bounded length, if the compiler counts their characters.
    pub(super) fn counted_text(&mut self, language: LanguageId) -> Result<Option<TerminalId>> {
        if !self.options.style.is_json() {
            return Ok(None);
        }
        if let Some(&known) = self.known.get(&Lexeme::Text(language)) {
            return Ok(Some(known));
        }
        let Some((spelled, most)) = self.counted_spellings(language, self.options.strings)? else {
            return Ok(None);
        };
        let id = self.add_spelled(Lexeme::Text(language), "string".to_owned(), spelled);
        let pattern = &mut self.list[id.index()].pattern;
        if let Pattern::Regex(strings) = pattern {
            *pattern = Pattern::Counted(strings.clone(), most);
        }
        Ok(Some(id))
    }

    /// The spellings of a language of strings of bounded length without the bound, and the bound, if the compiler counts their characters.
    fn counted_spellings(
        &mut self,
        language: LanguageId,
        strings: Strings,
    ) -> Result<Option<(Spelled, u32)>> {
        let end = Dfa::empty_string();
        let frame = Frame { open: true, close: Some(&end) };
        let (spelled, most) = match (self.languages.as_counted(language), self.languages.as_bounded(language))
        {
            (Some(Lengths { min, max: Some(most) }), _) if self.options.counting.counts(min, most) => {
                let longer = Lengths { min, max: None };
                (self.charged(|limits| spelling::counted(longer, frame, strings, limits))?, most)
            }
            (_, Some((base, most))) if self.options.counting.counts(0, most) => {
                let texts = self.languages.automaton(base)?;
                let spelled = match self.languages.as_format(base) {
                    Some(format) => spelling::of_format(format, strings),
                    None => self.spelled_as(&texts, frame, strings)?,
                };
                (spelled, most)
            }
            _ => return Ok(None),
        };
        let is_excepted = self.options.counting.excepts(&spelled.automaton, most);
        Ok((!is_excepted).then_some((spelled, most)))
    }

    /// The terminal of a language of strings.
    pub(super) fn text(&mut self, language: LanguageId) -> Result<TerminalId> {
        if let Some(&known) = self.known.get(&Lexeme::Text(language)) {
            return Ok(known);
        }
        if !self.options.style.is_json() {
            return self.literal_text(language);
        }
        let spelled = self.text_spellings(language, self.options.strings)?;
        let name = name_of(&*self.languages.automaton(language)?, "string");
        Ok(self.add_spelled(Lexeme::Text(language), name, spelled))
    }

    /// The spellings of a language of strings.
    fn text_spellings(&mut self, language: LanguageId, strings: Strings) -> Result<Spelled> {
        let texts = self.languages.automaton(language)?;
        if language == Languages::TEXTS {
            return Ok(spelling::all(&texts, strings));
        }
        if let Some(format) = self.languages.as_format(language) {
            return Ok(spelling::of_format(format, strings));
        }
        let end = Dfa::empty_string();
        let frame = Frame { open: true, close: Some(&end) };
        match self.languages.as_counted(language) {
            Some(lengths) => self.charged(|limits| spelling::counted(lengths, frame, strings, limits)),
            None => self.spelled_as(&texts, frame, strings),
        }
    }

    /// Punctuation with a role in arrays whose items differ, or in objects whose keys are remembered.
    pub(super) fn punctuation_with_role(&mut self, form: &'static str, role: Role) -> TerminalId {
        let pattern = Pattern::of(self.space.punctuation(form));
        self.add_with_role(Lexeme::Punctuation(form), form.replace("ws", ""), pattern, role)
    }

    /// The terminal of a set of constants as items that differ.
    pub(super) fn item_consts(&mut self, set: u8) -> TerminalId {
        let constants = self.consts(set);
        let Terminal { name, pattern, .. } = self.list[constants.index()].clone();
        self.add_with_role(Lexeme::Consts(set), name, pattern, Role::List(ListRole::Item))
    }

    /// The terminal of a language of numbers in items that differ, or as such items: each number has one numeral.
    pub(super) fn item_number(&mut self, language: LanguageId, role: ListRole) -> Result<TerminalId> {
        let shortest = self.languages.add_shared(number::shortest());
        let shortest = self.languages.intersect(language, shortest)?;
        let numerals = self.languages.automaton(shortest)?;
        let dfa = self.within_digits(numerals)?;
        let pattern = Pattern::Regex(Regex::Automaton(dfa));
        Ok(self.add_with_role(Lexeme::Number(language), "number".to_owned(), pattern, Role::List(role)))
    }

    /// The terminal of a language of strings in items that differ, or as such items: each string has one spelling.
    pub(super) fn item_text(&mut self, language: LanguageId, role: ListRole) -> Result<TerminalId> {
        let role = Role::List(role);
        if let Some(&known) = self.known.get(&Lexeme::Text(language).with_role(role.clone())) {
            return Ok(known);
        }
        let strings = |spelled: Spelled| Regex::Automaton(spelled.automaton);
        let pattern = match self.counted_spellings(language, Strings::Canonical)? {
            Some((spelled, most)) => Pattern::Counted(strings(spelled), most),
            None => Pattern::Regex(strings(self.text_spellings(language, Strings::Canonical)?)),
        };
        Ok(self.add_with_role(Lexeme::Text(language), "string".to_owned(), pattern, role))
    }

    /// The terminal of a language of keys in items that differ, with the colon: each key has one spelling.
    pub(super) fn item_key(&mut self, language: LanguageId) -> Result<TerminalId> {
        let lexeme = Lexeme::Key(language).with_role(Role::List(ListRole::Part));
        if let Some(&known) = self.known.get(&lexeme) {
            return Ok(known);
        }
        let texts = self.languages.automaton(language)?;
        let colon = self.colon.clone();
        let spelled =
            self.spelled_as(&texts, Frame { open: true, close: Some(&colon) }, Strings::Canonical)?;
        let pattern = Pattern::Regex(Regex::Automaton(spelled.automaton));
        Ok(self.add_pattern(lexeme, format!("{}:", name_of(&texts, "key")), pattern))
    }

    fn add_with_role(&mut self, lexeme: Lexeme, name: String, pattern: Pattern, role: Role) -> TerminalId {
        self.add_pattern(lexeme.with_role(role.clone()), name, pattern.with_role(role))
    }

    /// The terminal of a language of keys, with the colon.
    pub(super) fn key(&mut self, language: LanguageId) -> Result<TerminalId> {
        if let Some(&known) = self.known.get(&Lexeme::Key(language)) {
            return Ok(known);
        }
        let (name, spelled) = self.key_spellings(language)?;
        Ok(self.add_spelled(Lexeme::Key(language), name, spelled))
    }

    /// The terminal of a language of keys in an object whose keys are remembered, with the colon or without it.
    pub(super) fn key_in_object(
        &mut self,
        language: LanguageId,
        has_colon: bool,
        role: KeyRole,
    ) -> Result<TerminalId> {
        let text = if has_colon { Lexeme::Key(language) } else { Lexeme::Text(language) };
        let lexeme = text.with_role(Role::Object(role.clone()));
        if let Some(&known) = self.known.get(&lexeme) {
            return Ok(known);
        }
        let (name, spelled) = match has_colon {
            true => self.key_spellings(language)?,
            false => {
                let name = name_of(&*self.languages.automaton(language)?, "key");
                (name, self.text_spellings(language, self.options.strings)?)
            }
        };
        let id = self.add_spelled(lexeme, name, spelled);
        let pattern = &mut self.list[id.index()].pattern;
        *pattern = pattern.clone().with_role(Role::Object(role));
        Ok(id)
    }

    /// The name and the spellings of a language of keys, with the colon.
    fn key_spellings(&mut self, language: LanguageId) -> Result<(String, Spelled)> {
        if !self.options.style.is_json() {
            return self.literal_key(language);
        }
        let texts = self.languages.automaton(language)?;
        let spelled = match self.all_but_few(language)? {
            Some(spelled) => spelled,
            None => self.spelled(&texts, Frame { open: true, close: Some(&self.colon) })?,
        };
        Ok((format!("{}:", name_of(&texts, "key")), spelled))
    }

    /// The spellings of a language of keys that are all texts but a few, if they have a short way.
    fn all_but_few(&mut self, language: LanguageId) -> Result<Option<Spelled>> {
        let Some(few) = self.languages.as_all_but(language) else { return Ok(None) };
        let few = self.languages.automaton(few)?;
        if self.options.strings != Strings::Printed || !spelling::are_plain(&few) {
            return Ok(None);
        }
        self.charged(|limits| spelling::all_but(&few, &self.colon, limits)).map(Some)
    }

    /// The terminal of a part of a key. `open` adds the quote before it, `close` the quote and colon after
    /// it.
    pub(super) fn key_part(&mut self, text: &str, open: bool, close: bool) -> Result<TerminalId> {
        let language = self.languages.add_texts([text])?;
        self.part_of_key(language, open, close, || match (open, close) {
            (true, true) => format!("{text:?}:"),
            (true, false) => format!("{text:?}… (beginning of a key)"),
            (false, true) => format!("…{text:?}: (end of a key)"),
            (false, false) => format!("…{text:?}… (in a key)"),
        })
    }

    /// The terminals of keys that leave a tree of keys at a node with these parts: up to the character that differs, and to
    /// the end of the key. At the root they begin with the quote.
    pub(super) fn other_keys(
        &mut self,
        parts: &Parts<'_>,
        at_root: bool,
    ) -> Result<(TerminalId, TerminalId)> {
        let leaving = other_keys::leaving(parts, self.languages)?;
        let leaving = self.other_key(leaving, at_root, false)?;
        let ending = other_keys::ending(parts, self.languages)?;
        Ok((leaving, self.other_key(ending, at_root, true)?))
    }

    /// The terminal of the characters of a key after it has left a tree of keys.
    pub(super) fn rest_of_key(&mut self) -> Result<TerminalId> {
        let texts = (*self.languages.automaton(Languages::TEXTS)?).clone();
        self.other_key(texts, false, true)
    }

    fn other_key(&mut self, texts: Dfa, open: bool, close: bool) -> Result<TerminalId> {
        let language = self.languages.add(texts);
        let name = if close { "…: (end of another key)" } else { "… (in another key)" };
        self.part_of_key(language, open, close, || name.to_owned())
    }

    fn part_of_key(
        &mut self,
        text: LanguageId,
        open: bool,
        close: bool,
        name: impl FnOnce() -> String,
    ) -> Result<TerminalId> {
        let lexeme = Lexeme::KeyPart { text, open, close };
        if let Some(&known) = self.known.get(&lexeme) {
            return Ok(known);
        }
        let texts = self.languages.automaton(text)?;
        let spelled = self.spelled(&texts, Frame { open, close: close.then_some(&self.colon) })?;
        Ok(self.add_spelled(lexeme, name(), spelled))
    }

    /// The terminal of any characters of these lengths, within a string. `close` adds the closing quote.
    pub(super) fn piece(&mut self, lengths: Lengths, close: bool) -> Result<TerminalId> {
        let lexeme = Lexeme::Piece { lengths, close };
        if let Some(&known) = self.known.get(&lexeme) {
            return Ok(known);
        }
        let (end, strings) = (Dfa::empty_string(), self.options.strings);
        let frame = Frame { open: false, close: close.then_some(&end) };
        let spelled = self.charged(|limits| spelling::counted(lengths, frame, strings, limits))?;
        let name = if close { "end of a string" } else { "middle of a string" };
        Ok(self.add_spelled(lexeme, name.to_owned(), spelled))
    }

    /// The spellings of texts.
    fn spelled(&self, texts: &Dfa, frame: Frame) -> Result<Spelled> {
        self.spelled_as(texts, frame, self.options.strings)
    }

    fn spelled_as(&self, texts: &Dfa, frame: Frame, strings: Strings) -> Result<Spelled> {
        self.charged(|limits| spelling::spell(texts, frame, strings, limits))
    }

    /// The spellings that a function makes within the limits of a terminal.
    fn charged(
        &self,
        make: impl FnOnce(&RegularLimits) -> std::result::Result<Spelled, OverBudget>,
    ) -> Result<Spelled> {
        let budget = &self.languages.limits().budget;
        let spelled = make(&spelling::of_terminal(budget)).map_err(|over| spelling::named(over, budget))?;
        let cells = spelled.automaton.state_count() * (spelled.automaton.class_count() + 1);
        budget.charge_bytes((BYTES_PER_TERMINAL + cells * size_of::<u32>()) as u64)?;
        Ok(spelled)
    }

    fn add_spelled(&mut self, lexeme: Lexeme, name: String, spelled: Spelled) -> TerminalId {
        let is_key =
            matches!(lexeme, Lexeme::Key(_) | Lexeme::KeyPart { .. } | Lexeme::WithRole(_, Role::Object(_)));
        let id = self.add(lexeme, name, Regex::Automaton(spelled.automaton));
        if spelled.is_narrow {
            let narrow = if is_key { &mut self.narrow_keys } else { &mut self.narrow_texts };
            narrow.insert(id);
        }
        id
    }

    /// A mark of a style: its characters, and the special tokens that it names.
    pub(super) fn mark(&self, text: &str) -> Regex {
        self.options.names.literal(text, &self.languages.limits().budget)
    }

    pub(super) fn add(&mut self, lexeme: Lexeme, name: String, regex: Regex) -> TerminalId {
        self.add_pattern(lexeme, name, Pattern::of(regex))
    }

    fn add_pattern(&mut self, lexeme: Lexeme, name: String, pattern: Pattern) -> TerminalId {
        if let Some(&known) = self.known.get(&lexeme) {
            return known;
        }
        let id = TerminalId::new(self.list.len());
        self.list.push(Terminal { name, pattern, priority: 0, literal: false });
        self.known.insert(lexeme, id);
        id
    }
}

/// The name of a terminal: the text in quotes if there is only one, else `kind`.
fn name_of(texts: &Dfa, kind: &str) -> String {
    texts::only_text(texts).map_or_else(|| kind.to_owned(), |only| format!("{only:?}"))
}
