//! The arguments and results of C functions that only this library has.
//!
//! Every public function of this crate makes one promise of its caller, which is that of llguidance's header: a pointer is null or
//! points to a value of its type that was not freed, that is as long as the length beside it says, and that nobody else changes during
//! the call. The functions here, and those of `gcc-grammar-ffi`, rest on that promise.

use ffi::copy;
use std::ffi::c_char;

/// The slice of `length` elements at `pointer`, or the message that there is none.
///
/// # Safety
/// As for [`ffi::slice`].
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, length: usize, name: &str) -> Result<&'a [T], String> {
    // SAFETY: by the promise of the caller.
    unsafe { ffi::slice(pointer, length) }
        .ok_or_else(|| format!("{name} is null, or its length is impossible: {length}"))
}

/// The text at `pointer`, or the message that it is none.
///
/// # Safety
/// As for [`ffi::text`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, String> {
    // SAFETY: by the promise of the caller.
    unsafe { ffi::text(pointer) }.ok_or_else(|| format!("{name} is null or not UTF-8"))
}

/// Copies as much of a text as fits into a buffer, with a zero at the end, and returns how long the buffer must be for all of it.
///
/// # Safety
/// A buffer that is not null has room for `capacity` bytes.
pub(crate) unsafe fn copy_text(text: &[u8], buffer: *mut c_char, capacity: usize) -> usize {
    if !buffer.is_null() && capacity > 0 {
        let fitting = text.len().min(capacity - 1);
        // SAFETY: by the promise of the caller there is room for the bytes that fit and for the zero.
        unsafe {
            copy(text, buffer.cast(), fitting);
            buffer.add(fitting).write(0);
        }
    }
    text.len() + 1
}

/// Runs the body of a function. A panic, which is a defect of the library, becomes an error and does not leave it.
pub(crate) fn guarded<T>(body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    ffi::guarded(body).unwrap_or_else(|| Err(ffi::DEFECT.to_owned()))
}
