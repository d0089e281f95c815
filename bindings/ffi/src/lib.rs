//! Code that the C libraries of gcc-grammar share.
//!
//! In: pointers and lengths that C passes. Out: references, slices and texts, or nothing where a pointer is null although it must not be, or
//! a length is impossible. Every function states what its caller promises, and the public functions of the libraries pass that promise
//! on to their own callers in the header. No panic leaves [`guarded`].

#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of an error that stands for a panic.
pub const DEFECT: &str =
    "a defect of gcc-grammar: please report it, with the message on the standard error output";

/// Whether this number of elements can lie at the pointer: it is aligned and not null, and they do not fill more than half of the memory.
fn is_possible<T>(pointer: *const T, length: usize) -> bool {
    let bytes = length.checked_mul(size_of::<T>());
    pointer.is_aligned() && !pointer.is_null() && bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

/// The slice of `length` elements at `pointer`. Any pointer may stand for the empty slice. None if the pointer is null or not aligned, or
/// the length is more than memory can have.
///
/// # Safety
/// A pointer that is not null points to `length` initialized elements, which nobody changes as long as `'a` lasts.
#[must_use]
pub unsafe fn slice<'a, T>(pointer: *const T, length: usize) -> Option<&'a [T]> {
    if length == 0 {
        return Some(&[]);
    }
    // SAFETY: by the promise of the caller; what can be checked was checked.
    is_possible(pointer, length).then(|| unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// The mutable slice of `length` elements at `pointer`, under the conditions of [`slice()`].
///
/// # Safety
/// A pointer that is not null points to `length` initialized elements, which nobody else uses as long as `'a` lasts.
#[must_use]
pub unsafe fn slice_mut<'a, T>(pointer: *mut T, length: usize) -> Option<&'a mut [T]> {
    if length == 0 {
        return Some(&mut []);
    }
    // SAFETY: by the promise of the caller; what can be checked was checked.
    is_possible(pointer, length).then(|| unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// The text at `pointer`; none if it is null or not UTF-8.
///
/// # Safety
/// A pointer that is not null points to bytes that end with a zero and that nobody changes as long as `'a` lasts.
#[must_use]
pub unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
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
pub unsafe fn write<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: by the promise of the caller.
        unsafe { pointer.write(value) }
    }
}

/// Copies the values that fit into a buffer, unless it is null, and returns how many there are in all.
///
/// # Safety
/// A buffer that is not null has room for `capacity` values.
pub unsafe fn copy<T: Copy>(values: &[T], buffer: *mut T, capacity: usize) -> usize {
    let fitting = values.len().min(capacity);
    if !buffer.is_null() && fitting > 0 {
        // SAFETY: by the promise of the caller there is room; Rust's values and the buffer do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), buffer, fitting) };
    }
    values.len()
}

/// A C string of a text, without its zero bytes.
#[must_use]
pub fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Runs a body. None if it panics, which is a defect of the library.
pub fn guarded<R>(body: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(body)).ok()
}

/// What the body makes of the value at a pointer; `otherwise` if the pointer is null or the body panics.
///
/// # Safety
/// The pointer is null or points to a value that nobody changes during the call.
pub unsafe fn with<T, R>(pointer: *const T, otherwise: R, body: impl FnOnce(&T) -> R) -> R {
    // SAFETY: by the promise of the caller.
    let value = unsafe { pointer.as_ref() };
    value.and_then(|value| guarded(|| body(value))).unwrap_or(otherwise)
}

/// Gives a value to the caller, who gives it back to [`free`].
#[must_use]
pub fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Gives another value of the same kind, which the caller gives back to [`free`] on its own; null for null, or if cloning panics.
///
/// # Safety
/// The pointer is null or points to a value that nobody changes during the call.
#[must_use]
pub unsafe fn give_clone<T: Clone>(pointer: *const T) -> *mut T {
    // SAFETY: by the promise of the caller.
    unsafe { with(pointer, std::ptr::null_mut(), |value| give(value.clone())) }
}

/// Takes a value back and drops it.
///
/// # Safety
/// The pointer is null or came from [`give`], and is not used any more.
pub unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: by the promise of the caller.
        guarded(|| drop(unsafe { Box::from_raw(pointer) }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{null, null_mut};

    #[test]
    fn impossible_slices_are_refused() {
        let values = [1_u32, 2, 3];
        // SAFETY: the pointers are null, or point to as many elements as the length says, or are refused before they are used.
        unsafe {
            assert_eq!(slice(values.as_ptr(), 3), Some(&values[..]));
            assert_eq!(slice::<u32>(null(), 0), Some(&[][..]));
            assert_eq!(slice::<u32>(null(), 1), None);
            assert_eq!(slice(values.as_ptr(), usize::MAX), None);
            assert_eq!(slice(values.as_ptr(), usize::MAX / 4), None);
            assert_eq!(slice(values.as_ptr().cast::<u8>().add(1).cast::<u32>(), 1), None);
            assert_eq!(slice_mut::<u32>(null_mut(), 0), Some(&mut [][..]));
            assert_eq!(slice_mut::<u32>(null_mut(), 1), None);
            assert_eq!(slice_mut(values.as_ptr().cast_mut(), usize::MAX / 2), None);
        }
    }

    #[test]
    fn texts_are_utf8() {
        // SAFETY: the texts end with a zero.
        unsafe {
            assert_eq!(text(c"a\u{e9}".as_ptr()), Some("a\u{e9}"));
            assert_eq!(text(c"\xff".as_ptr()), None);
            assert_eq!(text(null()), None);
        }
        assert_eq!(c_string("a\0b"), CString::from(c"ab"));
    }

    #[test]
    fn no_panic_leaves() {
        struct Fragile;
        impl Drop for Fragile {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        impl Clone for Fragile {
            fn clone(&self) -> Self {
                panic!("cloned");
            }
        }
        let fragile = give(Fragile);
        // SAFETY: the value was given, and is freed once.
        unsafe {
            assert_eq!(with(fragile, 7, |_| panic!("used")), 7);
            assert_eq!(with(null::<Fragile>(), 7, |_| 8), 7);
            assert_eq!(with(fragile, 7, |_| 8), 8);
            assert!(give_clone(fragile).is_null());
            free(fragile);
        }
    }
}
