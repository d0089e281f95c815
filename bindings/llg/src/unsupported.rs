//! Functions of llguidance that gcc-grammar does not have. They exist so that a program that preloads this library never passes our
//! tokenizers to llguidance's own functions.

use crate::memory::copy_text;
use crate::tokenizer::LlgTokenizer;
use std::ffi::c_char;

/// A controller of stop sequences. There is none.
pub struct LlgStopController(());

/// Writes that stop controllers are not supported, and returns null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_stop_controller(
    _tokenizer: *const LlgTokenizer,
    _stop_tokens: *const u32,
    _stop_tokens_len: usize,
    _stop_rx: *const c_char,
    error_string: *mut c_char,
    error_string_len: usize,
) -> *mut LlgStopController {
    let message = b"gcc-grammar has no stop controllers";
    // SAFETY: by the promise of the caller.
    unsafe { copy_text(message, error_string, error_string_len) };
    std::ptr::null_mut()
}

/// Returns the empty text, and says that the output has stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_stop_commit_token(
    _stop_ctrl: *mut LlgStopController,
    _token: u32,
    output_len_p: *mut usize,
    is_stopped_p: *mut bool,
) -> *const c_char {
    // SAFETY: by the promise of the caller.
    if let (Some(length), Some(stopped)) = unsafe { (output_len_p.as_mut(), is_stopped_p.as_mut()) } {
        (*length, *stopped) = (0, true);
    }
    c"".as_ptr()
}

/// Returns null.
#[unsafe(no_mangle)]
pub extern "C" fn llg_clone_stop_controller(_stop_ctrl: *const LlgStopController) -> *mut LlgStopController {
    std::ptr::null_mut()
}

/// Does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn llg_free_stop_controller(_stop_ctrl: *mut LlgStopController) {}
