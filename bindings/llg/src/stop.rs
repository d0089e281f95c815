//! Stop controllers.

use crate::layout::LlgTokenizer;
use crate::memory::{copy_text, guarded, slice};
use ffi::{c_string, free, give, give_clone, text, write};
use gcc_grammar_llguidance::engine::stop::{Piece, Stop};
use gcc_grammar_llguidance::engine::tokens::Tokens;
use std::ffi::{CString, c_char};
use std::sync::Arc;

/// Watches the tokens of an output for stops.
#[derive(Clone)]
pub struct LlgStopController {
    tokens: Arc<Tokens>,
    stop: Stop,
    /// The text that the last commit returned.
    last: CString,
}

/// Makes a controller of stop tokens and of a pattern, or null for none. If that fails, writes a message to `error_string` and returns null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_stop_controller(
    tokenizer: *const LlgTokenizer,
    stop_tokens: *const u32,
    stop_tokens_len: usize,
    stop_rx: *const c_char,
    error_string: *mut c_char,
    error_string_len: usize,
) -> *mut LlgStopController {
    let made = guarded(|| {
        // SAFETY: by the promise of the caller.
        let (tokenizer, tokens) =
            unsafe { (tokenizer.as_ref(), slice(stop_tokens, stop_tokens_len, "stop_tokens")) };
        let LlgTokenizer(all) = tokenizer.ok_or("the tokenizer is null")?;
        let pattern = if stop_rx.is_null() {
            None
        } else {
            // SAFETY: by the promise of the caller.
            Some(unsafe { text(stop_rx) }.ok_or("stop_rx is not UTF-8")?)
        };
        let stop = Stop::new(tokens?.to_vec(), &[], pattern)?;
        Ok(LlgStopController { tokens: all.clone(), stop, last: CString::default() })
    });
    match made {
        Ok(controller) => give(controller),
        Err(error) => {
            // SAFETY: by the promise of the caller.
            unsafe { copy_text(error.as_bytes(), error_string, error_string_len) };
            std::ptr::null_mut()
        }
    }
}

/// Takes a token, and returns the text that is certain to belong to the output; it lives until the next call with this controller. A zero byte in it is
/// written as a backslash and a zero. The output has stopped if the controller is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_stop_commit_token(
    stop_ctrl: *mut LlgStopController,
    token: u32,
    output_len_p: *mut usize,
    is_stopped_p: *mut bool,
) -> *const c_char {
    // SAFETY: by the promise of the caller.
    let Some(controller) = (unsafe { stop_ctrl.as_mut() }) else {
        // SAFETY: by the promise of the caller.
        unsafe {
            write(output_len_p, 0);
            write(is_stopped_p, true);
        }
        return c"".as_ptr();
    };
    let LlgStopController { tokens, stop, last } = controller;
    let all = tokens.vocabulary.tokens();
    let piece = match all.bytes(token) {
        Some(bytes) => Piece::Text(bytes),
        None => Piece::Special(all.special_text(token).map(str::as_bytes)),
    };
    let committed = guarded(|| Ok(stop.commit(token, piece)));
    *last = c_string(&committed.unwrap_or_default().replace('\0', "\\0"));
    // SAFETY: by the promise of the caller.
    unsafe {
        write(output_len_p, last.as_bytes().len());
        write(is_stopped_p, stop.is_stopped());
    }
    last.as_ptr()
}

/// Copies a controller; null for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_clone_stop_controller(
    stop_ctrl: *const LlgStopController,
) -> *mut LlgStopController {
    // SAFETY: by the promise of the caller.
    unsafe { give_clone(stop_ctrl) }
}

/// Frees a controller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_free_stop_controller(stop_ctrl: *mut LlgStopController) {
    // SAFETY: by the promise of the caller.
    unsafe { free(stop_ctrl) }
}
