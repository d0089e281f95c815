//! What C passes in and gets back: pointers as references, slices and texts.
//!
//! Every public function of this crate makes one promise of its caller, which is that of llguidance's header: a pointer is null or
//! points to a value of its type that was not freed, that is as long as the length beside it says, and that nobody else changes during
//! the call. The functions here rest on that promise.

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The slice of `length` elements at `pointer`; null stands for the empty slice.
///
/// # Safety
/// A pointer that is not null points to `length` initialized elements, which nobody changes as long as `'a` lasts.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, length: usize) -> &'a [T] {
    if pointer.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: by the promise of the caller.
    unsafe { std::slice::from_raw_parts(pointer, length) }
}

/// The text at `pointer`, or the message that it is none.
///
/// # Safety
/// A pointer that is not null points to bytes that end with a zero and that nobody changes as long as `'a` lasts.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, String> {
    if pointer.is_null() {
        return Err(format!("{name} is null"));
    }
    // SAFETY: by the promise of the caller.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| format!("{name} is not UTF-8"))
}

/// Copies the values that fit into a buffer, unless it is null, and returns how many there are.
///
/// # Safety
/// A buffer that is not null has room for `capacity` values.
pub(crate) unsafe fn copy<T: Copy>(values: &[T], buffer: *mut T, capacity: usize) -> usize {
    let fitting = values.len().min(capacity);
    if !buffer.is_null() && fitting > 0 {
        // SAFETY: by the promise of the caller there is room; Rust's values and the buffer do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), buffer, fitting) };
    }
    values.len()
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

/// A C string of a text, without its zero bytes.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Gives a value to the caller, who gives it back to [`free`].
pub(crate) fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Takes a value back and drops it.
///
/// # Safety
/// The pointer is null or came from [`give`], and is not used any more.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: by the promise of the caller.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// Runs the body of a function. A panic, which is a defect of the library, becomes an error and does not leave it.
pub(crate) fn guarded<T>(body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        Err("a defect of gcc-grammar: please report it, with the message on the standard error output".into())
    })
}
