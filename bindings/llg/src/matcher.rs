//! Matchers.

use crate::layout::{LlgConstraintInit, LlgParserLimits, LlgTokenizer};
use crate::memory::{copy_text, guarded, slice, text};
use ffi::{c_string, copy, free, give, with};
use gcc_grammar_llguidance::engine::run::Run;
use gcc_grammar_llguidance::engine::state::State;
use std::ffi::{CString, c_char};

/// The state of one output.
pub struct LlgMatcher {
    run: Run,
    /// The message of the error that the output has ended with, as C reads it.
    message: Option<CString>,
    /// The mask of the last `llg_matcher_compute_mask`; none after anything else.
    mask: Option<Vec<u32>>,
    words: usize,
}

/// The name and version of this library, as `llg_get_version` gives them.
const VERSION: &str = concat!("llguidance@1.9.1 gcc-grammar@", env!("CARGO_PKG_VERSION"), "\0");

impl LlgMatcher {
    /// Makes a matcher, perhaps in the state of an error.
    ///
    /// # Safety
    /// The pointers are as the header says.
    pub(crate) unsafe fn new(init: *const LlgConstraintInit, kind: &str, data: *const c_char) -> Self {
        // SAFETY: by the promise of the caller.
        let tokenizer = unsafe { init.as_ref().and_then(|init| init.tokenizer.as_ref()) };
        let words = tokenizer.map_or(0, |LlgTokenizer(tokens)| tokens.width().div_ceil(32) as usize);
        let state = guarded(|| {
            let LlgTokenizer(tokens) = tokenizer.ok_or("the tokenizer is null")?;
            // SAFETY: by the promise of the caller.
            State::new(tokens, kind, unsafe { text(data, "data") }?)
        });
        Self::of(Run::new(state), words)
    }

    fn of(run: Run, words: usize) -> Self {
        let message = run.error().map(c_string);
        Self { run, message, mask: None, words }
    }

    /// Runs an operation. An error stays: the matcher does nothing more.
    pub(crate) fn run<T>(&mut self, body: impl FnOnce(&mut State) -> Result<T, String>) -> Option<T> {
        self.mask = None;
        match self.run.run(|state| guarded(|| body(state))) {
            Ok(value) => Some(value),
            Err(error) => {
                self.message.get_or_insert_with(|| c_string(error));
                None
            }
        }
    }

    /// The words of a mask.
    pub(crate) fn compute(&mut self) -> Option<&[u32]> {
        let mut row = vec![0; self.words];
        self.run(|state| state.mask(&mut row[..]))?;
        Some(self.mask.insert(row))
    }

    /// The message of the error, if the matcher is in one.
    pub(crate) fn error(&self) -> Option<&CString> {
        self.message.as_ref()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.run.is_stopped()
    }

    /// Another matcher in the same state. One that cannot be copied, which is a defect of the library, becomes one in the state of an error.
    pub(crate) fn copied(&self) -> Self {
        let run = guarded(|| Ok(self.run.clone())).unwrap_or_else(|error| Run::new(Err(error)));
        Self::of(run, self.words)
    }
}

/// Runs an operation of a matcher: 0 if it was done, -1 if not.
///
/// # Safety
/// The pointer is as the header says.
unsafe fn run(matcher: *mut LlgMatcher, body: impl FnOnce(&mut State) -> Result<i32, String>) -> i32 {
    // SAFETY: by the promise of the caller.
    unsafe { matcher.as_mut() }.and_then(|matcher| matcher.run(body)).unwrap_or(-1)
}

/// Writes the defaults for matchers of a tokenizer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_constraint_init_set_defaults(
    init: *mut LlgConstraintInit,
    tokenizer: *const LlgTokenizer,
) {
    let (ff_tokens_ok, backtrack_ok, limits) = (false, false, LlgParserLimits::default());
    if !init.is_null() {
        let (log_buffer_level, log_stderr_level) = (0, 1);
        let defaults = LlgConstraintInit {
            tokenizer,
            log_buffer_level,
            log_stderr_level,
            ff_tokens_ok,
            backtrack_ok,
            limits,
        };
        // SAFETY: by the promise of the caller, there is room for the struct.
        unsafe { init.write(defaults) };
    }
}

/// Makes a matcher; never null. `llg_matcher_get_error` says whether the grammar was refused. The kinds are "lark", "json" or "json_schema",
/// "json_object", "regex", "llguidance" or "guidance", "structural_tag", "artifact" (the name of a file in the store), and the notations of
/// gcc-grammar.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_matcher(
    init: *const LlgConstraintInit,
    constraint_type: *const c_char,
    data: *const c_char,
) -> *mut LlgMatcher {
    // SAFETY: by the promise of the caller.
    give(unsafe {
        match text(constraint_type, "constraint_type") {
            Ok(kind) => LlgMatcher::new(init, kind, data),
            Err(error) => LlgMatcher::of(Run::new(Err(error)), 0),
        }
    })
}

/// Whether a grammar is valid: 0 if it is, -1 if not, with the reason in `message`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_validate_grammar(
    init: *const LlgConstraintInit,
    constraint_type: *const c_char,
    data: *const c_char,
    message: *mut c_char,
    message_len: usize,
) -> i32 {
    // SAFETY: by the promise of the caller.
    let matcher =
        unsafe { text(constraint_type, "constraint_type").map(|kind| LlgMatcher::new(init, kind, data)) };
    let error = match &matcher {
        Ok(matcher) => matcher.error().map(|error| error.to_bytes()),
        Err(error) => Some(error.as_bytes()),
    };
    // SAFETY: by the promise of the caller.
    unsafe { copy_text(error.unwrap_or_default(), message, message_len) };
    if error.is_some() { -1 } else { 0 }
}

/// Computes the mask of the next token into a buffer of `llg_matcher_get_mask_byte_size` bytes: 0 if it was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_compute_mask_into(
    matcher: *mut LlgMatcher,
    mask_dest: *mut u32,
    mask_byte_len: usize,
) -> i32 {
    // SAFETY: by the promise of the caller.
    let Some(matcher) = (unsafe { matcher.as_mut() }) else { return -1 };
    let expected = matcher.words * 4;
    matcher.run(|_| match mask_byte_len == expected && !mask_dest.is_null() {
        true => Ok(()),
        false => Err(format!("the mask has {expected} bytes, and the buffer {mask_byte_len}")),
    });
    let Some(mask) = matcher.compute() else { return -1 };
    // SAFETY: by the promise of the caller, and the length is the right one.
    unsafe { copy(mask, mask_dest, mask.len()) };
    matcher.mask = None;
    0
}

/// Computes the mask of the next token, for `llg_matcher_get_mask`: 0 if it was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_compute_mask(matcher: *mut LlgMatcher) -> i32 {
    // SAFETY: by the promise of the caller.
    let mask = unsafe { matcher.as_mut() }.and_then(LlgMatcher::compute);
    if mask.is_some() { 0 } else { -1 }
}

/// The mask that was computed last; null if anything else happened since. Token t is bit t % 32 of word t / 32.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_get_mask(matcher: *mut LlgMatcher) -> *const u32 {
    let mask = |matcher: &LlgMatcher| matcher.mask.as_ref().map_or(std::ptr::null(), |mask| mask.as_ptr());
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, std::ptr::null(), mask) }
}

/// The number of bytes of a mask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_get_mask_byte_size(matcher: *const LlgMatcher) -> usize {
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, 0, |matcher| matcher.words * 4) }
}

/// Commits a token: 0 if it was done, -1 if not, and then the matcher stays in the state of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_consume_token(matcher: *mut LlgMatcher, token: u32) -> i32 {
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, |state| state.consume(token).map(|()| 0)) }
}

/// Commits tokens: 0 if it was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_consume_tokens(
    matcher: *mut LlgMatcher,
    tokens: *const u32,
    n_tokens: usize,
) -> i32 {
    // SAFETY: by the promise of the caller.
    let tokens = unsafe { slice(tokens, n_tokens, "tokens") };
    let body = |state: &mut State| {
        tokens?.iter().try_for_each(|&token| state.consume(token))?;
        Ok(0)
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// The message of the error that the matcher is in; null if it is in none. It lives as long as the matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_get_error(matcher: *mut LlgMatcher) -> *const c_char {
    let message = |matcher: &LlgMatcher| matcher.error().map_or(std::ptr::null(), |error| error.as_ptr());
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, std::ptr::null(), message) }
}

/// Whether the matcher is in the state of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_is_error(matcher: *const LlgMatcher) -> bool {
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, true, |matcher| matcher.error().is_some()) }
}

/// Frees a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_free_matcher(matcher: *mut LlgMatcher) {
    // SAFETY: by the promise of the caller.
    unsafe { free(matcher) }
}

/// Takes back the last tokens: 0 if it was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_rollback(matcher: *mut LlgMatcher, num_tokens: usize) -> i32 {
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, |state| state.rollback(num_tokens).map(|()| 0)) }
}

/// Goes back to the beginning: 0 if it was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_reset(matcher: *mut LlgMatcher) -> i32 {
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, |state| state.reset().map(|()| 0)) }
}

/// Whether the output may end here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_is_accepting(matcher: *mut LlgMatcher) -> bool {
    // SAFETY: by the promise of the caller.
    unsafe { matcher.as_mut() }.and_then(|matcher| matcher.run(State::is_accepting)).unwrap_or(false)
}

/// Whether nothing but an end token can come next, also because of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_is_stopped(matcher: *const LlgMatcher) -> bool {
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, true, LlgMatcher::is_stopped) }
}

/// How many of the tokens could be committed one after the other, or -1. Commits none of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_validate_tokens(
    matcher: *mut LlgMatcher,
    tokens: *const u32,
    n_tokens: usize,
) -> i32 {
    // SAFETY: by the promise of the caller.
    let tokens = unsafe { slice(tokens, n_tokens, "tokens") };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, |state| Ok(i32::try_from(state.validate(tokens?)?).unwrap_or(i32::MAX))) }
}

/// Writes the tokens that are certain to come, as many as fit, and returns their number, or -1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_matcher_compute_ff_tokens(
    matcher: *mut LlgMatcher,
    output: *mut u32,
    output_len: usize,
) -> i32 {
    if output.is_null() {
        return -1;
    }
    let body = |state: &mut State| {
        // SAFETY: by the promise of the caller.
        let count = unsafe { copy(&state.certain()?, output, output_len) };
        Ok(i32::try_from(count.min(output_len)).unwrap_or(i32::MAX))
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Copies a matcher; null for null. From then on the two are independent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_clone_matcher(matcher: *const LlgMatcher) -> *mut LlgMatcher {
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, std::ptr::null_mut(), |matcher| give(matcher.copied())) }
}

/// The version of llguidance whose interface this is, and that of gcc-grammar.
#[unsafe(no_mangle)]
pub extern "C" fn llg_get_version() -> *const c_char {
    VERSION.as_ptr().cast()
}
