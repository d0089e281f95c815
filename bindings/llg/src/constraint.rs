//! Constraints: the older interface of llguidance, a matcher that returns the tokens to append.

use crate::layout::{LlgCallback, LlgCommitResult, LlgConstraintInit, LlgMaskResult};
use crate::matcher::LlgMatcher;
use crate::memory::{slice, text};
use ffi::{free, give, slice_mut, with};
use std::ffi::{c_char, c_void};

/// A matcher that commits tokens that are certain to come by itself, if its engine can append several tokens at once.
pub struct LlgConstraint {
    matcher: LlgMatcher,
    fast_forward: bool,
    /// The tokens that the last commit added.
    added: Vec<u32>,
}

/// A constraint, and where its mask belongs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgConstraintStep {
    /// The constraint.
    pub constraint: *mut LlgConstraint,
    /// The memory for the mask.
    pub mask_dest: *mut u32,
    /// Its length in bytes.
    pub mask_byte_len: usize,
}

/// Makes a constraint.
///
/// # Safety
/// The pointers are as the header says.
unsafe fn make(init: *const LlgConstraintInit, kind: &str, data: *const c_char) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    let (matcher, init) = unsafe { (LlgMatcher::new(init, kind, data), init.as_ref()) };
    let fast_forward = init.is_some_and(|init| init.ff_tokens_ok);
    give(LlgConstraint { matcher, fast_forward, added: Vec::new() })
}

/// Makes a constraint of a Lark grammar or a list of grammars in JSON; never null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_constraint(
    init: *const LlgConstraintInit,
    llguidance: *const c_char,
) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    unsafe { make(init, "llguidance", llguidance) }
}

/// Makes a constraint of a regular expression; never null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_constraint_regex(
    init: *const LlgConstraintInit,
    regex: *const c_char,
) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    unsafe { make(init, "regex", regex) }
}

/// Makes a constraint of a JSON Schema; never null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_constraint_json(
    init: *const LlgConstraintInit,
    json_schema: *const c_char,
) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    unsafe { make(init, "json_schema", json_schema) }
}

/// Makes a constraint of a Lark grammar; never null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_constraint_lark(
    init: *const LlgConstraintInit,
    lark: *const c_char,
) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    unsafe { make(init, "lark", lark) }
}

/// Makes a constraint of one of the kinds of `llg_new_matcher`; never null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_new_constraint_any(
    init: *const LlgConstraintInit,
    constraint_type: *const c_char,
    data: *const c_char,
) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    unsafe { make(init, text(constraint_type, "constraint_type").unwrap_or(""), data) }
}

/// The message of the error that the constraint is in; null if it is in none. It lives as long as the constraint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_get_error(cc: *const LlgConstraint) -> *const c_char {
    // SAFETY: by the promise of the caller.
    unsafe {
        with(cc, std::ptr::null(), |constraint| {
            constraint.matcher.error().map_or(std::ptr::null(), |error| error.as_ptr())
        })
    }
}

/// The temperature to sample with: always 0.
#[unsafe(no_mangle)]
pub extern "C" fn llg_get_temperature(_cc: *const LlgConstraint) -> f32 {
    0.0
}

/// Whether nothing but an end token can come next, also because of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_is_stopped(cc: *const LlgConstraint) -> bool {
    // SAFETY: by the promise of the caller.
    unsafe { with(cc, true, |constraint| constraint.matcher.is_stopped()) }
}

/// Computes the mask of the next token: 0 if it was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_compute_mask(cc: *mut LlgConstraint, res_p: *mut LlgMaskResult) -> i32 {
    // SAFETY: by the promise of the caller.
    let (Some(constraint), Some(result)) = (unsafe { (cc.as_mut(), res_p.as_mut()) }) else { return -1 };
    let is_stop = constraint.matcher.is_stopped() && constraint.matcher.error().is_none();
    let mask = if is_stop { None } else { constraint.matcher.compute() };
    let sample_mask = mask.map_or(std::ptr::null(), <[u32]>::as_ptr);
    let done = is_stop || mask.is_some();
    *result = LlgMaskResult { sample_mask, temperature: 0.0, is_stop: is_stop || !done };
    if done { 0 } else { -1 }
}

/// Commits a token, and says which tokens to append: this one and, if the engine takes several, those that are certain to follow. 0 if it
/// was done, -1 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_commit_token(
    cc: *mut LlgConstraint,
    token: u32,
    res_p: *mut LlgCommitResult,
) -> i32 {
    // SAFETY: by the promise of the caller.
    let (Some(constraint), Some(result)) = (unsafe { (cc.as_mut(), res_p.as_mut()) }) else { return -1 };
    let fast_forward = constraint.fast_forward;
    let added = constraint.matcher.run(|state| {
        // Behind the end, engines commit the end token that they sampled anyway.
        if state.is_stopped() {
            return Ok(Vec::new());
        }
        state.consume(token)?;
        let mut added = vec![token];
        if fast_forward {
            for certain in state.certain()? {
                state.consume(certain)?;
                added.push(certain);
            }
        }
        Ok(added)
    });
    let done = added.is_some();
    constraint.added = added.unwrap_or_default();
    let (tokens, n_tokens) = (constraint.added.as_ptr(), constraint.added.len() as u32);
    *result = LlgCommitResult { tokens, n_tokens, is_stop: constraint.matcher.is_stopped() };
    if done { 0 } else { -1 }
}

/// Computes the masks of many constraints, one after the other, and calls `done_cb`. If that is null, it returns when all is done, as it does
/// in any case. The mask of a constraint that has ended is all zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_par_compute_mask(
    steps: *const LlgConstraintStep,
    n_steps: usize,
    user_data: *const c_void,
    done_cb: LlgCallback,
) {
    // SAFETY: by the promise of the caller.
    for step in unsafe { slice(steps, n_steps, "steps") }.unwrap_or_default() {
        // SAFETY: by the promise of the caller.
        let constraint = unsafe { step.constraint.as_mut() };
        let running = constraint.filter(|constraint| !constraint.matcher.is_stopped());
        let mask = running.and_then(|constraint| constraint.matcher.compute()).unwrap_or_default();
        // SAFETY: by the promise of the caller, there is room for so many bytes. An impossible length is written to nowhere.
        if let Some(row) = unsafe { slice_mut(step.mask_dest, step.mask_byte_len / 4) } {
            let both = row.len().min(mask.len());
            row[..both].copy_from_slice(&mask[..both]);
            row[both..].fill(0);
        }
        // SAFETY: as above. Bytes behind the last whole word are written, too.
        if let Some(row) = unsafe { slice_mut(step.mask_dest.cast::<u8>(), step.mask_byte_len) } {
            row[step.mask_byte_len / 4 * 4..].fill(0);
        }
    }
    if let Some(done) = done_cb {
        // SAFETY: by the promise of the caller, it takes this argument.
        unsafe { done(user_data) };
    }
}

/// Copies a constraint; null for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_clone_constraint(cc: *const LlgConstraint) -> *mut LlgConstraint {
    // SAFETY: by the promise of the caller.
    unsafe {
        with(cc, std::ptr::null_mut(), |constraint| {
            let (matcher, added) = (constraint.matcher.copied(), constraint.added.clone());
            give(LlgConstraint { matcher, added, fast_forward: constraint.fast_forward })
        })
    }
}

/// Frees a constraint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llg_free_constraint(cc: *mut LlgConstraint) {
    // SAFETY: by the promise of the caller.
    unsafe { free(cc) }
}

/// The messages since the last call: always empty.
#[unsafe(no_mangle)]
pub extern "C" fn llg_flush_logs(_cc: *mut LlgConstraint) -> *const c_char {
    c"".as_ptr()
}
