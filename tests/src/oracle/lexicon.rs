//! The terminals of a grammar as regular languages.

use super::language::{LIMIT, Language, Languages};
use super::unit::Unit;
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{ContextRules, Grammar, Pattern, TerminalId};
use gcc_grammar_regular::{PatternFlags, Regex};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The terminals, and which of them wins a tie.
#[derive(Debug)]
pub struct Lexicon {
    /// Home of the languages.
    pub languages: Languages,
    /// Per terminal.
    pub terminals: Vec<Language>,
    /// As in the grammar.
    pub ignored: Vec<TerminalId>,
    /// Per terminal: priority, and whether it is a literal.
    ranks: Vec<(i32, bool)>,
    /// The terminals that share ties.
    together: Vec<TerminalId>,
    /// The terminals whose first match ends the lexeme.
    pub lazy: Vec<TerminalId>,
    /// Per terminal, and then the end of the text: whether it competes for the longest match.
    pub competing: Vec<bool>,
    /// Per terminal: the most tokens that begin in a lexeme of it. At an end of a token at which so many have begun, the lexeme does not go on if
    /// it may end.
    pub limits: Vec<Option<u32>>,
}

impl Lexicon {
    /// The terminals of `grammar`, special tokens looked up in `vocabulary`.
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary) -> Self {
        let ContextRules { followed, preceded, .. } = &grammar.contexts;
        assert!(followed.is_empty() && preceded.is_empty(), "what is around terminals has a test of its own");
        let mut languages = Languages::new();
        let bytes = bytes(vocabulary);
        let spelled = |languages: &mut Languages, language: Language| match &bytes {
            None => language,
            Some(bytes) => {
                let texts = texts_of(languages, bytes);
                languages.intersect(vec![language, texts])
            }
        };
        let regular = |languages: &mut Languages, regex: &Regex| {
            let language = languages.regex(regex);
            spelled(languages, language)
        };
        let mut language = |pattern: &Pattern| match unlimited(pattern) {
            Pattern::Regex(regex) => regular(&mut languages, regex),
            Pattern::Marked(regex) => {
                let language = languages.marked(regex);
                spelled(&mut languages, language)
            }
            Pattern::Counted(strings, most) => {
                let parts = [strings, &strings_of(*most)].map(|regex| regular(&mut languages, regex));
                languages.intersect(parts.to_vec())
            }
            Pattern::Limited(..) | Pattern::WithRole(..) => {
                unreachable!("a pattern of texts alone")
            }
            Pattern::Token(selectors) => {
                let tokens = selectors.iter().flat_map(|selector| vocabulary.select(selector)).collect();
                let mut parts = vec![languages.tokens(tokens)];
                let texts = selectors.iter().filter_map(|selector| vocabulary.texts(selector));
                parts.extend(texts.map(|texts| regular(&mut languages, &texts)));
                languages.union(parts)
            }
        };
        let terminals = grammar.terminals.iter().map(|terminal| language(&terminal.pattern)).collect();
        let ranks = grammar.terminals.iter().map(|terminal| (terminal.priority, terminal.literal)).collect();
        let together = grammar.contexts.together.clone();
        Self {
            languages,
            terminals,
            ignored: grammar.ignored.clone(),
            ranks,
            together,
            lazy: grammar.contexts.lazy.clone(),
            competing: grammar.competing(),
            limits: grammar.terminals.iter().map(|terminal| limit(&terminal.pattern)).collect(),
        }
    }

    /// Whether a lexeme has to end at the end of a token: of its terminal, of which `rest` may follow, `age` tokens have begun.
    pub fn ends_by_limit(&mut self, terminal: TerminalId, rest: Language, age: u32) -> bool {
        self.limits[terminal.index()].is_some_and(|most| age >= most) && {
            let closed = self.languages.step(rest, Unit::Token(LIMIT));
            self.languages.is_nullable(rest) || self.languages.is_nullable(closed)
        }
    }

    /// Per terminal: whether it matches anything.
    pub fn inhabited(&mut self) -> Vec<bool> {
        self.terminals.iter().map(|&terminal| self.languages.is_inhabited(terminal)).collect()
    }

    /// Any number of ignored lexemes.
    pub fn skip(&mut self) -> Language {
        let ignored = self.ignored.iter().map(|terminal| self.terminals[terminal.index()]).collect();
        let ignored = self.languages.union(ignored);
        self.languages.repeat(ignored, 0, None)
    }

    /// The terminals that win a tie: the first by priority, then literal over regex, then order of declaration, and
    /// those that share ties with it. Terminals that do not compete win, too. If lazy terminals match, no others do.
    #[must_use]
    pub fn winners(&self, tied: &[TerminalId]) -> Vec<TerminalId> {
        let is_lazy = |terminal: &TerminalId| self.lazy.contains(terminal);
        let tied: Vec<TerminalId> = match tied.iter().any(is_lazy) {
            true => tied.iter().copied().filter(is_lazy).collect(),
            false => tied.to_vec(),
        };
        let competes = |terminal: &TerminalId| self.competing[terminal.index()];
        let rank = |terminal: &&TerminalId| (self.ranks[terminal.index()], Reverse(**terminal));
        let first = tied.iter().filter(|terminal| competes(terminal)).max_by_key(rank).copied();
        let is_shared = |terminal: &TerminalId| self.together.contains(terminal);
        let wins = |terminal: &TerminalId| {
            let shares = first.is_some_and(|first| is_shared(&first) && is_shared(terminal));
            !competes(terminal) || first == Some(*terminal) || shares
        };
        tied.iter().copied().filter(wins).collect()
    }
}

/// All JSON strings of at most so many characters, as RFC 8259 defines them, with surrogates in pairs only.
fn strings_of(most: u32) -> Regex {
    let surrogates = r"\\u[dD]([0-7][0-9a-fA-F]{2}|[89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})";
    let escape = r#"\\["\\/bfnrt]|\\u[0-9abcefABCEF][0-9a-fA-F]{3}"#;
    let character = format!(r#"[^"\\\x00-\x1F]|{escape}|{surrogates}"#);
    let character = Regex::parse(&character, PatternFlags::default()).expect("a pattern");
    let quote = || Regex::literal("\"");
    Regex::concat([quote(), character.repeat(0, Some(most)), quote()])
}

/// Whether a terminal of the grammar has a limit on the tokens of its lexemes.
#[must_use]
pub fn has_limits(grammar: &Grammar) -> bool {
    grammar.terminals.iter().any(|terminal| limit(&terminal.pattern).is_some())
}

/// The limit on tokens.
fn limit(pattern: &Pattern) -> Option<u32> {
    match pattern {
        Pattern::Limited(_, most) => Some(*most),
        _ => None,
    }
}

/// The pattern without its limit on tokens.
fn unlimited(pattern: &Pattern) -> &Pattern {
    match pattern {
        Pattern::Limited(texts, _) => texts,
        _ => pattern.without_role(),
    }
}

/// The bytes of all text tokens; none if these are all bytes, or the vocabulary has no texts yet.
fn bytes(vocabulary: &Vocabulary) -> Option<BTreeSet<u8>> {
    let texts = vocabulary.tokens.iter().filter_map(|token| match token {
        Token::Text(bytes) => Some(bytes),
        _ => None,
    });
    let bytes: BTreeSet<u8> = texts.flatten().copied().collect();
    (1..=255).contains(&bytes.len()).then_some(bytes)
}

/// All texts of these bytes and any tokens.
fn texts_of(languages: &mut Languages, bytes: &BTreeSet<u8>) -> Language {
    let mut parts: Vec<Language> = bytes.iter().map(|&byte| languages.bytes(byte, byte)).collect();
    parts.push(languages.tokens(vec![(0, u32::MAX)]));
    let one = languages.union(parts);
    languages.repeat(one, 0, None)
}
