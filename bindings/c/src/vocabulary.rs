//! Vocabularies.

use crate::error::{Failure, gcg_error, make};
use facade::Vocabulary;
use facade::vocabulary::SpecialToken;
use ffi::{free, give_clone, slice, text, with};
use std::ffi::c_char;

/// The tokens of a model.
#[derive(Clone)]
pub struct gcg_vocabulary(pub(crate) Vocabulary);

/// A token of a vocabulary.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gcg_token {
    /// The id.
    id: u32,
    /// Whether it is a special token: its bytes are its name, and it matches no text.
    special: bool,
    /// Its bytes.
    bytes: *const u8,
    /// The number of its bytes.
    length: usize,
}

/// Loads a vocabulary by the name of a built-in or imported one, or from a tokenizer file or a model folder. GCG_NOT_FOUND if there is
/// none.
///
/// # Safety
/// `name` is a text, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_vocabulary_load(
    name: *const c_char,
    error: *mut *mut gcg_error,
) -> *mut gcg_vocabulary {
    let body = || {
        // SAFETY: by the promise of the caller.
        let name = unsafe { text(name) }.ok_or_else(|| Failure::usage("the name is no UTF-8 text"))?;
        Ok(gcg_vocabulary(Vocabulary::load(name)?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Makes a vocabulary of tokens. `width` is the number of bits of a mask, greater than every id; ids without a token are never allowed,
/// nor is a token without bytes. GCG_REFUSED if an id occurs twice or is too large.
///
/// # Safety
/// `name` is a text, `tokens` has `count` tokens with their bytes, `end_tokens` has `end_count` ids, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_vocabulary_new(
    name: *const c_char,
    tokens: *const gcg_token,
    count: usize,
    end_tokens: *const u32,
    end_count: usize,
    width: u32,
    error: *mut *mut gcg_error,
) -> *mut gcg_vocabulary {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (name, given, end_tokens) =
            unsafe { (text(name), slice(tokens, count), slice(end_tokens, end_count)) };
        let (Some(name), Some(given), Some(end_tokens)) = (name, given, end_tokens) else {
            return Err(Failure::usage("the name, the tokens or the end tokens are null or impossible"));
        };
        let (mut tokens, mut specials) = (Vec::new(), Vec::new());
        for &gcg_token { id, special, bytes, length } in given {
            // SAFETY: by the promise of the caller.
            let bytes = unsafe { slice(bytes, length) }.ok_or_else(|| {
                Failure::usage(&format!("the bytes of token {id} are null, or their length is impossible"))
            })?;
            if special {
                specials.push(SpecialToken { id, text: String::from_utf8_lossy(bytes).into_owned() });
            } else {
                tokens.push((id, bytes.to_vec()));
            }
        }
        Ok(gcg_vocabulary(Vocabulary::from_parts(name, tokens, specials, end_tokens.to_vec(), width)?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// The number of bits of a mask; 0 for null.
///
/// # Safety
/// The pointer is null or a vocabulary that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_vocabulary_width(vocabulary: *const gcg_vocabulary) -> u32 {
    // SAFETY: by the promise of the caller.
    unsafe { with(vocabulary, 0, |vocabulary| vocabulary.0.tokens().width()) }
}

/// Another pointer to the same vocabulary, which is freed on its own; null for null.
///
/// # Safety
/// The pointer is null or a vocabulary that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_vocabulary_clone(vocabulary: *const gcg_vocabulary) -> *mut gcg_vocabulary {
    // SAFETY: by the promise of the caller.
    unsafe { give_clone(vocabulary) }
}

/// Frees a vocabulary. Sessions that use it keep what they need.
///
/// # Safety
/// The pointer is null or a vocabulary that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_vocabulary_free(vocabulary: *mut gcg_vocabulary) {
    // SAFETY: by the promise of the caller.
    unsafe { free(vocabulary) }
}
