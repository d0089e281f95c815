//! What C passes in: pointers as references, slices and strings. Every function here states what its caller promises, and the public
//! functions pass that promise on to their own callers in the header.

use std::ffi::{CStr, c_char};

/// The slice of `length` elements at `pointer`; null stands for the empty slice.
///
/// # Safety
/// A pointer that is not null points to `length` initialized elements, which nobody changes as long as `'a` lasts.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, length: usize) -> &'a [T] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: by the promise of the caller.
    unsafe { std::slice::from_raw_parts(pointer, length) }
}

/// The mutable slice of `length` elements at `pointer`; null stands for the empty slice.
///
/// # Safety
/// A pointer that is not null points to `length` initialized elements, which nobody else uses as long as `'a` lasts.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, length: usize) -> &'a mut [T] {
    if pointer.is_null() {
        return &mut [];
    }
    // SAFETY: by the promise of the caller.
    unsafe { std::slice::from_raw_parts_mut(pointer, length) }
}

/// The text at `pointer`; none if it is null or not UTF-8.
///
/// # Safety
/// A pointer that is not null points to bytes that end with a zero and that nobody changes as long as `'a` lasts.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: by the promise of the caller.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

/// Writes through a pointer, unless it is null.
///
/// # Safety
/// A pointer that is not null may be written.
pub(crate) unsafe fn write<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: by the promise of the caller.
        unsafe { pointer.write(value) }
    }
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
