//! Tokenizers.

use crate::layout::{LlgTokenizer, LlgTokenizerInit, LlgTokenizerInitV2};
use crate::memory::{copy_text, guarded, slice};
use crate::tokens;
use ffi::{copy, free, give, give_clone};
use gcc_grammar_llguidance::engine::tokens::Tokens;
use std::ffi::c_char;
use std::sync::Arc;

/// Special tokens are left out, and bytes that are no UTF-8 are kept.
pub const LLG_DECODE_NONE: u32 = 0;
/// Special tokens are written by their names.
pub const LLG_DECODE_INCLUDE_SPECIAL: u32 = 1;
/// Bytes that are no UTF-8 are replaced.
pub const LLG_DECODE_VALID_UTF8: u32 = 2;

/// Makes a tokenizer of an init of this version, or writes a message and returns null.
///
/// # Safety
/// The pointers of `init` are as its documentation says; the message has room for `capacity` bytes.
unsafe fn make(init: Option<LlgTokenizerInitV2>, message: *mut c_char, capacity: usize) -> *mut LlgTokenizer {
    let init = init.ok_or_else(|| "tok_init is null, or its struct_size is too small".to_owned());
    // SAFETY: by the promise of the caller.
    let made = guarded(|| unsafe { tokens::read(&init?) });
    match made {
        Ok(tokens) => give(LlgTokenizer(Arc::new(tokens))),
        Err(error) => {
            // SAFETY: by the promise of the caller.
            unsafe { copy_text(error.as_bytes(), message, capacity) };
            std::ptr::null_mut()
        }
    }
}

/// Makes a tokenizer. If that fails, writes a message to `error_string` and returns null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_tokenizer(
    tok_init: *const LlgTokenizerInit,
    error_string: *mut c_char,
    error_string_len: usize,
) -> *mut LlgTokenizer {
    // SAFETY: by the promise of the caller.
    unsafe { make(tok_init.as_ref().map(Into::into), error_string, error_string_len) }
}

/// Makes a tokenizer with several end tokens. If that fails, writes a message to `error_string` and returns null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_tokenizer_v2(
    tok_init: *const LlgTokenizerInitV2,
    error_string: *mut c_char,
    error_string_len: usize,
) -> *mut LlgTokenizer {
    // SAFETY: by the promise of the caller.
    unsafe { make(read_v2(tok_init), error_string, error_string_len) }
}

/// Reads as much of the struct as its size says; the rest is zero.
///
/// # Safety
/// The pointer is null or points to as many bytes as the first field says.
unsafe fn read_v2(init: *const LlgTokenizerInitV2) -> Option<LlgTokenizerInitV2> {
    if init.is_null() {
        return None;
    }
    // SAFETY: the first field is there, by the promise of the caller.
    let size = unsafe { init.cast::<usize>().read() };
    if size < std::mem::offset_of!(LlgTokenizerInitV2, token_lens) {
        return None;
    }
    let mut read = std::mem::MaybeUninit::<LlgTokenizerInitV2>::zeroed();
    let size = size.min(size_of::<LlgTokenizerInitV2>());
    // SAFETY: both sides have `size` bytes and do not overlap. Zeros are valid values of all fields: numbers, null pointers, false, and
    // no function.
    unsafe {
        std::ptr::copy_nonoverlapping(init.cast::<u8>(), read.as_mut_ptr().cast::<u8>(), size);
        Some(read.assume_init())
    }
}

/// Another handle of the same tokenizer; null for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_clone_tokenizer(tok: *const LlgTokenizer) -> *mut LlgTokenizer {
    // SAFETY: by the promise of the caller.
    unsafe { give_clone(tok) }
}

/// Frees a tokenizer. Matchers keep what they need of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_free_tokenizer(tok: *mut LlgTokenizer) {
    // SAFETY: by the promise of the caller.
    unsafe { free(tok) }
}

/// Cuts bytes into tokens, writes those that fit, and returns how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_tokenize_bytes(
    tok: *const LlgTokenizer,
    bytes: *const u8,
    bytes_len: usize,
    output_tokens: *mut u32,
    output_tokens_len: usize,
) -> usize {
    // SAFETY: by the promise of the caller.
    unsafe { cut(tok, (bytes, bytes_len), (output_tokens, output_tokens_len), Tokens::tokenize) }
}

/// Cuts bytes into tokens by `how`, writes those that fit, and returns how many there are.
///
/// # Safety
/// As for `llg_tokenize_bytes`.
unsafe fn cut(
    tok: *const LlgTokenizer,
    (bytes, bytes_len): (*const u8, usize),
    (output, output_len): (*mut u32, usize),
    how: impl Fn(&Tokens, &[u8]) -> Vec<u32>,
) -> usize {
    // SAFETY: by the promise of the caller.
    let Some(tokenizer) = (unsafe { tok.as_ref() }) else { return 0 };
    // SAFETY: by the promise of the caller.
    let tokens = guarded(|| Ok(how(&tokenizer.0, unsafe { slice(bytes, bytes_len, "bytes") }?)));
    // SAFETY: by the promise of the caller.
    unsafe { copy(&tokens.unwrap_or_default(), output, output_len) }
}

/// As `llg_tokenize_bytes`; names of special tokens behind a byte 0xff stand for these tokens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_tokenize_bytes_marker(
    tok: *const LlgTokenizer,
    bytes: *const u8,
    bytes_len: usize,
    output_tokens: *mut u32,
    output_tokens_len: usize,
) -> usize {
    // SAFETY: by the promise of the caller.
    unsafe { cut(tok, (bytes, bytes_len), (output_tokens, output_tokens_len), Tokens::tokenize_marked) }
}

/// Writes tokens for people to read, and returns how long the buffer must be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_stringify_tokens(
    tok: *const LlgTokenizer,
    tokens: *const u32,
    n_tokens: usize,
    output: *mut c_char,
    output_len: usize,
) -> usize {
    // SAFETY: by the promise of the caller.
    let (tokenizer, tokens) = unsafe { (tok.as_ref(), slice(tokens, n_tokens, "tokens")) };
    let text = guarded(|| {
        let names: Vec<String> = tokens?.iter().map(|&token| shown(tokenizer, token)).collect();
        Ok(format!("⟦{}⟧", names.join("‧")))
    });
    // SAFETY: by the promise of the caller.
    unsafe { copy_text(text.unwrap_or_default().as_bytes(), output, output_len) }
}

fn shown(tokenizer: Option<&LlgTokenizer>, token: u32) -> String {
    let tokens = tokenizer.map(|tokenizer| tokenizer.0.vocabulary.tokens());
    let special = tokens.and_then(|tokens| tokens.special_text(token)).map(str::to_owned);
    let text = || Some(String::from_utf8_lossy(tokens?.bytes(token)?).escape_debug().to_string());
    special.or_else(text).unwrap_or_else(|| format!("<[{token}]>"))
}

/// Writes the text of tokens, and returns how long the buffer must be. `flags` has bits of LLG_DECODE_*.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_decode_tokens(
    tok: *const LlgTokenizer,
    tokens: *const u32,
    n_tokens: usize,
    output: *mut c_char,
    output_len: usize,
    flags: u32,
) -> usize {
    // SAFETY: by the promise of the caller.
    let (tokenizer, tokens) = unsafe { (tok.as_ref(), slice(tokens, n_tokens, "tokens")) };
    let text = guarded(|| Ok(decoded(tokenizer, tokens?, flags)));
    // SAFETY: by the promise of the caller.
    unsafe { copy_text(&text.unwrap_or_default(), output, output_len) }
}

fn decoded(tokenizer: Option<&LlgTokenizer>, tokens: &[u32], flags: u32) -> Vec<u8> {
    let mut text = Vec::new();
    for &token in tokens {
        match tokenizer.and_then(|tokenizer| tokenizer.0.bytes(token)) {
            Some(bytes) => text.extend_from_slice(bytes),
            None if flags & LLG_DECODE_INCLUDE_SPECIAL != 0 => text.extend(shown(tokenizer, token).bytes()),
            None => {}
        }
    }
    match flags & LLG_DECODE_VALID_UTF8 {
        0 => text,
        _ => String::from_utf8_lossy(&text).into_owned().into_bytes(),
    }
}
