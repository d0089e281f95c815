//! Vocabularies of tests: tokens by id, which may be text, special tokens or holes.

use gcc_grammar_ir::TokenSelector;

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

    fn selects(&self, selector: &TokenSelector, id: u32, name: &str) -> bool {
        match selector {
            TokenSelector::Name(wanted) => name == wanted,
            TokenSelector::Ids(low, high) => *low <= id && id <= *high,
            TokenSelector::Matching(names) => names.accepts(name.as_bytes()),
            TokenSelector::AllBut(except) => {
                !self.is_end(id) && !except.iter().any(|selector| self.selects(selector, id, name))
            }
        }
    }

    /// The special tokens that a selector selects, as inclusive ranges of ids.
    #[must_use]
    pub fn select(&self, selector: &TokenSelector) -> Vec<(u32, u32)> {
        let specials = self.iter().filter_map(|(id, token)| match token {
            Token::Special(name) if self.selects(selector, id, name) => Some((id, id)),
            _ => None,
        });
        specials.collect()
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
