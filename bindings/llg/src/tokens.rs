//! The tokens of a model: a vocabulary, and the tokenizer that the caller passes in.

use crate::layout::{LlgTokenizeFn, LlgTokenizerInitV2};
use crate::memory::{slice, text};
use crate::store::Cache;
use gcc_grammar::Vocabulary;
use gcc_grammar::vocabulary::{Overrides, SpecialToken, registry};
use std::ffi::c_void;
use std::io::Write;
use std::sync::Mutex;

/// The first byte of the bytes of a special token. It occurs in no UTF-8 text.
pub(crate) const SPECIAL: u8 = 0xff;

/// The end token that says that there is none.
const NO_TOKEN: u32 = u32::MAX;

/// The tokens of a model, shared by its tokenizer handles and matchers.
pub(crate) struct Tokens {
    pub(crate) vocabulary: Vocabulary,
    /// None if texts are cut into the longest tokens.
    callback: Option<Callback>,
    /// The grammars that were compiled for these tokens.
    pub(crate) cache: Mutex<Cache>,
}

/// The caller's tokenizer.
struct Callback {
    function: unsafe extern "C" fn(*const c_void, *const u8, usize, *mut u32, usize) -> usize,
    user_data: *const c_void,
    /// Whether it takes UTF-8 only.
    only_utf8: bool,
}

// SAFETY: llguidance's header makes the caller promise that the function may be called by several threads with this user data.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

impl Tokens {
    /// Reads the tokens.
    ///
    /// # Safety
    /// The pointers of `init` are as its documentation says.
    pub(crate) unsafe fn new(init: &LlgTokenizerInitV2) -> Result<Self, String> {
        if init.tokenize_fn.is_none() && !init.use_approximate_greedy_tokenize_fn {
            return Err("either tokenize_fn or use_approximate_greedy_tokenize_fn must be set".into());
        }
        // SAFETY: by the promise of the caller.
        let ends = unsafe { end_tokens(init) }?;
        // SAFETY: by the promise of the caller.
        let vocabulary = unsafe {
            if init.tokenizer_json.is_null() { of_bytes(init, ends) } else { of_json(init, &ends) }
        }?;
        Ok(Self { vocabulary, callback: Callback::new(init), cache: Mutex::default() })
    }

    /// Whether texts are cut as the model's own tokenizer cuts them.
    pub(crate) fn is_canonical(&self) -> bool {
        self.callback.is_some()
    }

    /// The number of tokens.
    pub(crate) fn width(&self) -> u32 {
        self.vocabulary.tokens().width()
    }

    /// The bytes of a text token.
    pub(crate) fn bytes(&self, token: u32) -> Option<&[u8]> {
        self.vocabulary.tokens().bytes(token)
    }

    /// Cuts bytes into tokens.
    pub(crate) fn tokenize(&self, bytes: &[u8]) -> Vec<u32> {
        match &self.callback {
            None => self.longest(bytes),
            Some(callback) if !callback.only_utf8 => callback.call(bytes),
            Some(callback) => {
                let chunks = bytes.utf8_chunks();
                let cut = |valid: &str| {
                    if valid.is_empty() { Vec::new() } else { callback.call(valid.as_bytes()) }
                };
                chunks
                    .flat_map(|chunk| [cut(chunk.valid()), self.longest(chunk.invalid())].concat())
                    .collect()
            }
        }
    }

    /// Cuts bytes into tokens; a 0xff before the name of a special token in angle brackets, or before the number of a token in square
    /// brackets, stands for that token.
    pub(crate) fn tokenize_marked(&self, mut bytes: &[u8]) -> Vec<u32> {
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

impl Callback {
    fn new(init: &LlgTokenizerInitV2) -> Option<Self> {
        let function: LlgTokenizeFn = init.tokenize_fn;
        let only_utf8 = init.tokenize_assumes_string;
        function.map(|function| Self { function, user_data: init.tokenize_user_data, only_utf8 })
    }

    fn call(&self, bytes: &[u8]) -> Vec<u32> {
        let mut tokens = vec![0; bytes.len() / 4 + 5];
        for _ in 0..2 {
            // SAFETY: the caller promised that the function takes these arguments: bytes with their number, and a buffer with its size.
            let count = unsafe {
                (self.function)(
                    self.user_data,
                    bytes.as_ptr(),
                    bytes.len(),
                    tokens.as_mut_ptr(),
                    tokens.len(),
                )
            };
            let fits = count <= tokens.len();
            // No tokenizer makes more than a few tokens of a byte: a larger number is an error code.
            if count > 16 * bytes.len() + 16 {
                return Vec::new();
            }
            tokens.resize(count, 0);
            if fits {
                return tokens;
            }
        }
        Vec::new()
    }
}

/// The tokens that end an output.
///
/// # Safety
/// As for [`Tokens::new`].
unsafe fn end_tokens(init: &LlgTokenizerInitV2) -> Result<Vec<u32>, String> {
    // SAFETY: by the promise of the caller.
    let extra = unsafe { slice(init.tok_eos_extra, init.tok_eos_extra_count as usize, "tok_eos_extra") }?;
    let ends: Vec<u32> =
        [&[init.tok_eos], extra].concat().into_iter().filter(|end| *end != NO_TOKEN).collect();
    match ends.iter().find(|end| **end >= init.vocab_size) {
        Some(end) => Err(format!("the end token {end} is not among the {} tokens", init.vocab_size)),
        None => Ok(ends),
    }
}

/// The vocabulary of lengths and bytes.
///
/// # Safety
/// As for [`Tokens::new`].
unsafe fn of_bytes(init: &LlgTokenizerInitV2, ends: Vec<u32>) -> Result<Vocabulary, String> {
    if init.token_lens.is_null() || init.token_bytes.is_null() {
        return Err("token_lens and token_bytes must be set".into());
    }
    // SAFETY: by the promise of the caller.
    let lengths = unsafe { slice(init.token_lens, init.vocab_size as usize, "token_lens") }?;
    let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    let total = usize::try_from(total).map_err(|_| "the tokens have more bytes than memory".to_owned())?;
    // SAFETY: by the promise of the caller.
    let mut rest = unsafe { slice(init.token_bytes, total, "token_bytes") }?;
    let (mut tokens, mut specials) = (Vec::new(), Vec::new());
    for (id, &length) in (0..).zip(lengths) {
        let bytes;
        (bytes, rest) = rest.split_at(length as usize);
        match bytes {
            [SPECIAL, name @ ..] if !name.is_empty() => {
                specials.push(SpecialToken { id, text: String::from_utf8_lossy(name).into_owned() });
            }
            [] if ends.contains(&id) => specials.push(SpecialToken { id, text: format!("<[{id}]>") }),
            [] => {}
            _ => tokens.push((id, bytes.to_vec())),
        }
    }
    let made = Vocabulary::from_parts("llg_new_tokenizer", tokens, specials, ends, init.vocab_size);
    made.map_err(|error| error.to_string())
}

/// The vocabulary of a `tokenizer.json`.
///
/// # Safety
/// As for [`Tokens::new`].
unsafe fn of_json(init: &LlgTokenizerInitV2, ends: &[u32]) -> Result<Vocabulary, String> {
    // SAFETY: by the promise of the caller.
    let json = unsafe { text(init.tokenizer_json, "tokenizer_json") }?;
    let load = || {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("tokenizer.json");
        std::fs::File::create_new(&path)?.write_all(json.as_bytes())?;
        let overrides = Overrides { width: None, end_tokens: ends.iter().map(u32::to_string).collect() };
        let loaded = Vocabulary::load_from(&registry(None), &path.to_string_lossy(), &overrides);
        let width = loaded.as_ref().map_or(0, |loaded| loaded.tokens().ids()).max(init.vocab_size);
        let overrides = Overrides { width: Some(width), ..overrides };
        Ok(loaded.and_then(|_| Vocabulary::load_from(&registry(None), &path.to_string_lossy(), &overrides)))
    };
    let loaded = load().map_err(|error: std::io::Error| error.to_string())?;
    loaded.map_err(|error| error.to_string())
}
