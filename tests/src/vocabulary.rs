//! Vocabularies of tests: tokens by id, which may be text, special tokens or holes.

use gcc_grammar_ir::{Grammar, Pattern, TokenSelector};
use gcc_grammar_regular::Regex;
use std::sync::Arc;

/// The meaning of a token id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A token of these bytes, which may be none.
    Text(Vec<u8>),
    /// A special token of this name. It is matched by its id, never by bytes.
    Special(String),
    /// A hole in the numbering.
    Hole,
}

/// A vocabulary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vocabulary {
    /// The tokens by id.
    pub tokens: Vec<Token>,
    /// The ids that end the output, sorted. They never stand for bytes.
    pub end: Vec<u32>,
    /// Ids beyond the last token that the mask still covers.
    pub padding: u32,
}

impl Vocabulary {
    /// The number of ids that a mask covers.
    #[must_use]
    pub fn width(&self) -> usize {
        self.tokens.len() + self.padding as usize
    }

    /// Whether the token ends the output.
    #[must_use]
    pub fn is_end(&self, id: u32) -> bool {
        self.end.contains(&id)
    }

    /// The tokens with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Token)> {
        (0..).zip(&self.tokens)
    }

    /// Whether the token stands for bytes.
    #[must_use]
    pub fn is_ordinary(&self, id: u32) -> bool {
        matches!(self.tokens.get(id as usize), Some(Token::Text(_))) && !self.is_end(id)
    }

    /// The id of the special token of a name, or else of the ordinary token with this text.
    fn named(&self, name: &str) -> Option<u32> {
        let find = |token: Token| self.iter().find(|(_, other)| **other == token).map(|(id, _)| id);
        find(Token::Special(name.to_owned())).or_else(|| find(Token::Text(name.as_bytes().to_vec())))
    }

    fn selects(&self, selector: &TokenSelector, id: u32, token: &Token) -> bool {
        let excepts =
            |except: &[TokenSelector]| except.iter().any(|selector| self.selects(selector, id, token));
        match (selector, token) {
            (_, Token::Hole) => {
                self.is_end(id)
                    && matches!(selector, TokenSelector::Ids(low, high) if *low <= id && id <= *high)
            }
            (TokenSelector::Name(wanted), _) => self.named(wanted) == Some(id),
            (TokenSelector::Ids(low, high), _) => *low <= id && id <= *high,
            (TokenSelector::Matching(names), Token::Special(name)) => names.accepts(name.as_bytes()),
            (TokenSelector::Spelled(texts), Token::Text(bytes)) => {
                self.is_ordinary(id) && texts.accepts(bytes)
            }
            (TokenSelector::AnyBut(except), _) => !self.is_end(id) && !excepts(except),
            (TokenSelector::SpecialBut(except), _) => {
                let counts = matches!(token, Token::Special(_)) || self.has_ordinary(except);
                counts && !self.is_end(id) && !excepts(except)
            }
            _ => false,
        }
    }

    /// Whether one of the selectors selects an ordinary token.
    fn has_ordinary(&self, selectors: &[TokenSelector]) -> bool {
        let selected = |id, token| selectors.iter().any(|selector| self.selects(selector, id, token));
        self.iter().any(|(id, token)| self.is_ordinary(id) && selected(id, token))
    }

    /// Whether a terminal of the grammar matches an ordinary token by its id.
    #[must_use]
    pub fn names_ordinary(&self, grammar: &Grammar) -> bool {
        grammar.terminals.iter().any(|terminal| match &terminal.pattern {
            Pattern::Token(selectors) => self.has_ordinary(selectors),
            _ => false,
        })
    }

    /// The tokens that a selector selects, as inclusive ranges of ids. Tokens without bytes are never allowed.
    #[must_use]
    pub fn select(&self, selector: &TokenSelector) -> Vec<(u32, u32)> {
        let selected = self.iter().filter(|(id, token)| {
            !matches!(token, Token::Text(bytes) if bytes.is_empty()) && self.selects(selector, *id, token)
        });
        selected.map(|(id, _)| (id, id)).collect()
    }

    /// The texts that a selector selects.
    #[must_use]
    pub fn texts(&self, selector: &TokenSelector) -> Option<Regex> {
        match selector {
            TokenSelector::TextsBut(texts, except) if !self.has_ordinary(except) => {
                Some(Regex::Automaton(Arc::clone(texts)))
            }
            _ => None,
        }
    }
}

impl From<&gcc_grammar_vocabulary::Vocabulary> for Vocabulary {
    fn from(vocabulary: &gcc_grammar_vocabulary::Vocabulary) -> Self {
        let token = |id| match (vocabulary.bytes(id), vocabulary.special_text(id)) {
            (Some(bytes), _) => Token::Text(bytes.to_vec()),
            (None, Some(name)) => Token::Special(name.to_owned()),
            (None, None) => Token::Hole,
        };
        let tokens: Vec<Token> = (0..vocabulary.ids()).map(token).collect();
        let padding = vocabulary.width() - vocabulary.ids();
        Self { tokens, end: vocabulary.end_tokens().to_vec(), padding }
    }
}
