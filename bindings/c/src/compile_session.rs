//! Sessions of compilations: what one has made, later ones can use.

use crate::error::{Failure, gcg_error, make};
use crate::session::{gcg_session, given};
use crate::vocabulary::gcg_vocabulary;
use facade::{CompileSession, Session};
use ffi::{free, with};
use std::ffi::c_char;

/// Compiles schemas and grammars for one vocabulary, and keeps what they have in common.
pub struct gcg_compile_session(CompileSession);

/// Makes a session of compilations for a vocabulary: strings, dates, numbers and keys that were met before are not walked again, and an
/// input that was compiled before is not compiled again. `max_bytes` bounds what each thread keeps; 0 stands for the default, 256 MiB.
///
/// # Safety
/// The vocabulary was not freed, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile_session_new(
    vocabulary: *const gcg_vocabulary,
    max_bytes: u64,
    error: *mut *mut gcg_error,
) -> *mut gcg_compile_session {
    let body = || {
        // SAFETY: by the promise of the caller.
        let vocabulary =
            unsafe { vocabulary.as_ref() }.ok_or_else(|| Failure::usage("the vocabulary is null"))?;
        let bound = if max_bytes == 0 { CompileSession::DEFAULT_BYTES } else { max_bytes };
        Ok(gcg_compile_session(CompileSession::with_bound(&vocabulary.0, bound)))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Compiles as `gcg_compile` does, and makes the same artifact. Only limits make a difference: what is kept costs no work again.
///
/// # Safety
/// The session was not freed, `notation` and `input` are texts, `options` is null or a text, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile_session_compile(
    session: *const gcg_compile_session,
    notation: *const c_char,
    input: *const c_char,
    options: *const c_char,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (session, (source, options)) = unsafe { (session.as_ref(), given(notation, input, options)?) };
        let session = &session.ok_or_else(|| Failure::usage("the session is null"))?.0;
        let artifact = session.compile(&source, &options)?;
        Ok(gcg_session(Session::new(artifact, session.vocabulary())?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Estimated bytes of what is kept, without what compilations under way use; 0 for null.
///
/// # Safety
/// The session is null or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile_session_bytes(session: *const gcg_compile_session) -> u64 {
    // SAFETY: by the promise of the caller.
    unsafe { with(session, 0, |session| session.0.bytes()) }
}

/// Frees a session of compilations. What it has compiled stays.
///
/// # Safety
/// The pointer is null or a session that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile_session_free(session: *mut gcg_compile_session) {
    // SAFETY: by the promise of the caller.
    unsafe { free(session) }
}
