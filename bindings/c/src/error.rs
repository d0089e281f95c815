//! Errors: of functions that make something, and of operations of a matcher.

use facade::runtime::Error as RuntimeError;
use facade::{Error, ErrorKind};
use ffi::{DEFECT, c_string, free, give, guarded, with, write};
use std::ffi::{CStr, CString, c_char};

/// What became of an operation.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum gcg_status {
    /// It was done.
    GCG_OK = 0,
    /// The grammar, the artifact, the saved state or the token was understood and refused.
    GCG_REFUSED = 1,
    /// An argument is not what the function expects: a null pointer, an impossible length, a row that is too short, a text that is not
    /// UTF-8.
    GCG_USAGE = 2,
    /// A limit on time or memory was exceeded.
    GCG_OVER_BUDGET = 3,
    /// The artifact was compiled for another vocabulary, or the saved state belongs to another artifact.
    GCG_OTHER_VOCABULARY = 4,
    /// A file cannot be read or written, or a name is not known.
    GCG_NOT_FOUND = 5,
    /// The rollback goes back further than the history of the matcher.
    GCG_ROLLBACK_TOO_FAR = 6,
    /// The buffer is too short; the function says how long it must be.
    GCG_BUFFER_TOO_SHORT = 7,
    /// A defect of the library, caught. A matcher that it happened in answers everything with this status from then on.
    GCG_PANIC = 8,
    /// The compilation was ended by its interrupt.
    GCG_INTERRUPTED = 9,
}

use gcg_status::*;

/// Why a function made nothing.
pub struct gcg_error {
    status: gcg_status,
    message: CString,
    diagnostics: CString,
}

impl From<Failure> for gcg_error {
    fn from(Failure { status, message, diagnostics }: Failure) -> Self {
        Self { status, message: c_string(&message), diagnostics: c_string(&diagnostics.to_string()) }
    }
}

/// A failure inside the library, before it is given to C.
pub(crate) struct Failure {
    pub(crate) status: gcg_status,
    pub(crate) message: String,
    pub(crate) diagnostics: serde_json::Value,
}

impl Failure {
    pub(crate) fn usage(message: &str) -> Self {
        Self { status: GCG_USAGE, message: message.to_owned(), diagnostics: serde_json::json!([]) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::NotFound => GCG_NOT_FOUND,
            ErrorKind::OverBudget => GCG_OVER_BUDGET,
            ErrorKind::OtherVocabulary => GCG_OTHER_VOCABULARY,
            ErrorKind::Interrupted => GCG_INTERRUPTED,
            _ => GCG_REFUSED,
        };
        Self { status, message: error.to_string(), diagnostics: error.diagnostics_json() }
    }
}

impl From<RuntimeError> for Failure {
    fn from(error: RuntimeError) -> Self {
        let status = match error {
            RuntimeError::Refused | RuntimeError::NotASavedMatcher | RuntimeError::Damaged => GCG_REFUSED,
            RuntimeError::BudgetTooSmall { .. } | RuntimeError::CannotComplete => GCG_REFUSED,
            RuntimeError::ScratchFull | RuntimeError::TooMuchWork { .. } => GCG_OVER_BUDGET,
            RuntimeError::RollbackTooFar { .. } => GCG_ROLLBACK_TOO_FAR,
            RuntimeError::BufferTooShort { .. } => GCG_BUFFER_TOO_SHORT,
            RuntimeError::OtherArtifact => GCG_OTHER_VOCABULARY,
            _ => GCG_USAGE,
        };
        Self { status, message: error.to_string(), diagnostics: serde_json::json!([]) }
    }
}

/// Runs the body of a function that makes something, and returns that. If the body fails or panics, returns null. Writes the error
/// through `error`, or null if there is none, unless `error` is null.
///
/// # Safety
/// `error` is null or may be written.
pub(crate) unsafe fn make<T>(
    error: *mut *mut gcg_error,
    body: impl FnOnce() -> Result<T, Failure>,
) -> *mut T {
    // SAFETY: by the promise of the caller.
    unsafe { write(error, std::ptr::null_mut()) };
    match guarded(body).unwrap_or_else(|| Err(panicked())) {
        Ok(value) => give(value),
        Err(failure) => {
            if !error.is_null() {
                // SAFETY: by the promise of the caller.
                unsafe { write(error, give(gcg_error::from(failure))) };
            }
            std::ptr::null_mut()
        }
    }
}

/// Runs the body of a function that only does something, like [`make`].
///
/// # Safety
/// `error` is null or may be written.
pub(crate) unsafe fn done(
    error: *mut *mut gcg_error,
    body: impl FnOnce() -> Result<(), Failure>,
) -> gcg_status {
    let mut status = GCG_PANIC;
    let body = || {
        let result = body();
        status = result.as_ref().map_or_else(|failure| failure.status, |()| GCG_OK);
        result
    };
    // SAFETY: by the promise of the caller; what was made is freed at once.
    unsafe { free(make(error, body)) };
    status
}

/// The failure that a defect of the library was caught.
pub(crate) fn panicked() -> Failure {
    Failure { status: GCG_PANIC, ..Failure::usage(DEFECT) }
}

/// Makes an error, for code on top of this library that reports its own errors in the same way. Bytes of the message that are not UTF-8 are
/// replaced.
///
/// # Safety
/// `status` is one of the values above, `message` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_error_new(status: gcg_status, message: *const c_char) -> *mut gcg_error {
    // SAFETY: by the promise of the caller.
    let message = if message.is_null() { c"" } else { unsafe { CStr::from_ptr(message) } };
    let message = message.to_string_lossy();
    give(gcg_error::from(Failure { status, ..Failure::usage(&message) }))
}

/// The kind of the error. GCG_USAGE for null.
///
/// # Safety
/// The pointer is null or an error that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_error_status(error: *const gcg_error) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { with(error, GCG_USAGE, |error| error.status) }
}

/// What went wrong, in one line. It lives as long as the error; null for null.
///
/// # Safety
/// The pointer is null or an error that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_error_message(error: *const gcg_error) -> *const c_char {
    // SAFETY: by the promise of the caller.
    unsafe { with(error, std::ptr::null(), |error| error.message.as_ptr()) }
}

/// The diagnostics as a JSON array of objects with code, message, location and help. It lives as long as the error; null for null.
///
/// # Safety
/// The pointer is null or an error that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_error_diagnostics(error: *const gcg_error) -> *const c_char {
    // SAFETY: by the promise of the caller.
    unsafe { with(error, std::ptr::null(), |error| error.diagnostics.as_ptr()) }
}

/// Frees an error.
///
/// # Safety
/// The pointer is null or an error that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_error_free(error: *mut gcg_error) {
    // SAFETY: by the promise of the caller.
    unsafe { free(error) }
}

/// Frees a text that a function returned.
///
/// # Safety
/// The pointer is null or a text that the header tells to free with this function, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: by the promise of the caller, it came from `CString::into_raw`.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// The version that this header belongs to; gcg_version has that of the library.
pub const GCG_VERSION_MAJOR: u32 = 0;
/// See GCG_VERSION_MAJOR.
pub const GCG_VERSION_MINOR: u32 = 1;
/// See GCG_VERSION_MAJOR.
pub const GCG_VERSION_PATCH: u32 = 0;

/// The version of the package is the one that the header says.
const _: () = {
    assert!(matches!(u32::from_str_radix(env!("CARGO_PKG_VERSION_MAJOR"), 10), Ok(GCG_VERSION_MAJOR)));
    assert!(matches!(u32::from_str_radix(env!("CARGO_PKG_VERSION_MINOR"), 10), Ok(GCG_VERSION_MINOR)));
    assert!(matches!(u32::from_str_radix(env!("CARGO_PKG_VERSION_PATCH"), 10), Ok(GCG_VERSION_PATCH)));
};

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn gcg_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
