//! The tokens of a model: a vocabulary, and the tokenizer that the caller passes in.

use crate::layout::{LlgTokenizeFn, LlgTokenizerInitV2};
use crate::memory::{slice, text};
use gcc_grammar::Vocabulary;
use gcc_grammar::vocabulary::{Overrides, registry};
use gcc_grammar_llguidance::engine::tokens::{Tokenizer, Tokens, vocabulary};
use std::ffi::c_void;
use std::io::Write;

/// The end token that says that there is none.
const NO_TOKEN: u32 = u32::MAX;

/// The caller's tokenizer.
struct Callback {
    function: unsafe extern "C" fn(*const c_void, *const u8, usize, *mut u32, usize) -> usize,
    user_data: *const c_void,
}

// SAFETY: llguidance's header makes the caller promise that the function may be called by several threads with this user data.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

/// Reads the tokens.
///
/// # Safety
/// The pointers of `init` are as its documentation says.
pub(crate) unsafe fn read(init: &LlgTokenizerInitV2) -> Result<Tokens, String> {
    if init.tokenize_fn.is_none() && !init.use_approximate_greedy_tokenize_fn {
        return Err("either tokenize_fn or use_approximate_greedy_tokenize_fn must be set".into());
    }
    // SAFETY: by the promise of the caller.
    let ends = unsafe { end_tokens(init) }?;
    // SAFETY: by the promise of the caller.
    let vocabulary =
        unsafe { if init.tokenizer_json.is_null() { of_bytes(init, ends) } else { of_json(init, &ends) } }?;
    let tokenizer = Callback::new(init).map(|callback| Tokenizer {
        cut: Box::new(move |text| callback.call(text)),
        only_utf8: init.tokenize_assumes_string,
    });
    Ok(Tokens::new(vocabulary, tokenizer))
}

impl Callback {
    fn new(init: &LlgTokenizerInitV2) -> Option<Self> {
        let function: LlgTokenizeFn = init.tokenize_fn;
        function.map(|function| Self { function, user_data: init.tokenize_user_data })
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
/// As for [`read`].
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
/// As for [`read`].
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
    let tokens = lengths.iter().map(|&length| {
        let bytes;
        (bytes, rest) = rest.split_at(length as usize);
        bytes
    });
    vocabulary("llg_new_tokenizer", tokens, ends)
}

/// The vocabulary of a `tokenizer.json`.
///
/// # Safety
/// As for [`read`].
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
