//! The tokens of a model: a vocabulary, and the tokenizer that the engine passes in.

use crate::engine::store::Cache;
use gcc_grammar::Vocabulary;
use gcc_grammar::vocabulary::SpecialToken;
use std::sync::Mutex;

/// The first byte of the bytes of a special token. It occurs in no UTF-8 text.
pub const SPECIAL: u8 = 0xff;

/// The tokens of a model, shared by its matchers.
pub struct Tokens {
    /// The tokens as the compiler needs them.
    pub vocabulary: Vocabulary,
    /// None if texts are cut into the longest tokens.
    tokenizer: Option<Tokenizer>,
    /// The grammars that were compiled for these tokens.
    pub(super) cache: Mutex<Cache>,
}

/// Cuts bytes into tokens, in any thread.
pub type Cut = dyn Fn(&[u8]) -> Vec<u32> + Send + Sync;

/// The engine's own tokenizer.
pub struct Tokenizer {
    /// Cuts bytes into tokens.
    pub cut: Box<Cut>,
    /// Whether it takes UTF-8 only.
    pub only_utf8: bool,
}

impl Tokens {
    /// The tokens of a vocabulary. Without a tokenizer, texts are cut into the longest tokens and no token is forced.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, tokenizer: Option<Tokenizer>) -> Self {
        Self { vocabulary, tokenizer, cache: Mutex::default() }
    }

    /// Whether texts are cut as the model's own tokenizer cuts them.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.tokenizer.is_some()
    }

    /// The number of tokens.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.vocabulary.tokens().width()
    }

    /// The bytes of a text token.
    #[must_use]
    pub fn bytes(&self, token: u32) -> Option<&[u8]> {
        self.vocabulary.tokens().bytes(token)
    }

    /// Cuts bytes into tokens.
    #[must_use]
    pub fn tokenize(&self, bytes: &[u8]) -> Vec<u32> {
        match &self.tokenizer {
            None => self.longest(bytes),
            Some(tokenizer) if !tokenizer.only_utf8 => (tokenizer.cut)(bytes),
            Some(tokenizer) => {
                let chunks = bytes.utf8_chunks();
                let cut = |valid: &str| {
                    if valid.is_empty() { Vec::new() } else { (tokenizer.cut)(valid.as_bytes()) }
                };
                chunks
                    .flat_map(|chunk| [cut(chunk.valid()), self.longest(chunk.invalid())].concat())
                    .collect()
            }
        }
    }

    /// Cuts bytes into tokens; a 0xff before the name of a special token in angle brackets, or before the number of a token in square
    /// brackets, stands for that token.
    #[must_use]
    pub fn tokenize_marked(&self, mut bytes: &[u8]) -> Vec<u32> {
        let mut tokens = Vec::new();
        while let Some(at) = bytes.iter().position(|&byte| byte == SPECIAL) {
            tokens.extend(self.tokenize(&bytes[..at]));
            bytes = &bytes[at + 1..];
            if let Some((token, length)) = self.marked(bytes) {
                tokens.push(token);
                bytes = &bytes[length..];
            }
        }
        tokens.extend(self.tokenize(bytes));
        tokens
    }

    /// The token that `<name>` or `[number]` at the beginning of the bytes stands for, and the length of that text.
    fn marked(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        let close = if bytes.first()? == &b'<' { b'>' } else { b']' };
        let length = bytes.iter().position(|&byte| byte == close)? + 1;
        let text = str::from_utf8(&bytes[..length]).ok()?;
        let token = match text.strip_prefix('[') {
            Some(number) => number.strip_suffix(']')?.parse().ok().filter(|token| *token < self.width()),
            None => self.vocabulary.tokens().special(text),
        };
        Some((token?, length))
    }

    /// Cuts bytes into the longest tokens, from left to right. Bytes that no token begins with are left out.
    fn longest(&self, mut bytes: &[u8]) -> Vec<u32> {
        let tokens = self.vocabulary.tokens();
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let longest = (1..=bytes.len().min(tokens.max_token_len())).rev();
            let token = longest.clone().find_map(|length| Some((tokens.find(&bytes[..length])?, length)));
            found.extend(token.map(|(token, _)| token));
            bytes = &bytes[token.map_or(1, |(_, length)| length)..];
        }
        found
    }
}

/// The vocabulary of the bytes of all tokens, in the order of their numbers. Special tokens have a byte 0xff before their names; an end
/// token without bytes gets a name, any other token without bytes is never allowed.
///
/// # Errors
/// The message that an end token does not exist, or that a limit is exceeded.
pub fn vocabulary<'a>(
    name: &str,
    tokens: impl IntoIterator<Item = &'a [u8]>,
    ends: Vec<u32>,
) -> Result<Vocabulary, String> {
    let (mut texts, mut specials, mut width) = (Vec::new(), Vec::new(), 0);
    for bytes in tokens {
        let id = width;
        width += 1;
        match bytes {
            [SPECIAL, name @ ..] if !name.is_empty() => {
                specials.push(SpecialToken { id, text: String::from_utf8_lossy(name).into_owned() });
            }
            [] if ends.contains(&id) => specials.push(SpecialToken { id, text: format!("<[{id}]>") }),
            [] => {}
            _ => texts.push((id, bytes.to_vec())),
        }
    }
    Vocabulary::from_parts(name, texts, specials, ends, width).map_err(|error| error.to_string())
}
