//! Sessions: compiled grammars with their vocabulary.

use crate::error::{Failure, done, gcg_error, gcg_status, make};
use crate::vocabulary::gcg_vocabulary;
use facade::metadata::ReportEntry;
use facade::vocabulary::registry;
use facade::{
    Artifact, DemandOptions, Interrupt, Notation, Options, Session, Source, Vocabulary, VocabularyRequest,
    compile,
};
use ffi::{c_string, free, give, give_clone, slice, text, with, write};
use std::ffi::c_char;
use std::path::Path;

/// A compiled grammar with its vocabulary.
#[derive(Clone)]
pub struct gcg_session(pub(crate) Session);

/// Compiles a schema or grammar. If it is refused (GCG_REFUSED) or exceeds a limit (GCG_OVER_BUDGET), the diagnostics of the error tell
/// where.
///
/// `notation` is "json-schema", "lark", "gbnf", "ebnf", "w3c", "abnf", "antlr", "tree-sitter", "regex", "choices" (one text per line), "structural-tag" or "tools" (definitions of
/// tools). `options` is null or a JSON object with the members start, import_folders, lexer, indenter, model, families, tool_choice, parallel, thinking, thinking_tokens, profile, whitespace,
/// strings, integer_spelling, number_digits, property_order, repeated_keys, formats, unenforced, draft, integer_with_point, resources, strict, allow_narrowed, special_tokens,
/// budgets and limits; their values are those of the command line.
///
/// # Safety
/// The vocabulary was not freed, `notation` and `input` are texts, `options` is null or a text, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile(
    vocabulary: *const gcg_vocabulary,
    notation: *const c_char,
    input: *const c_char,
    options: *const c_char,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    let compiled = |source: &Source, vocabulary: &_, options: &_| {
        Session::new(compile(source, vocabulary, options)?, vocabulary)
    };
    // SAFETY: by the promise of the caller.
    unsafe { from_source(vocabulary, (notation, input, options), error, compiled) }
}

/// Ends compilations from another thread.
pub struct gcg_interrupt(Interrupt);

/// Makes an interrupt for `gcg_compile_until`.
#[unsafe(no_mangle)]
pub extern "C" fn gcg_interrupt_new() -> *mut gcg_interrupt {
    give(gcg_interrupt(Interrupt::default()))
}

/// Ends the compilations that have this interrupt, some milliseconds later, and those that begin after it. It may be called by any thread at any
/// time, also by the handler of a signal.
///
/// # Safety
/// The interrupt is null or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_interrupt_set(interrupt: *const gcg_interrupt) {
    // SAFETY: by the promise of the caller.
    unsafe { with(interrupt, (), |interrupt| interrupt.0.set()) }
}

/// Frees an interrupt. Compilations that have it are not ended by that.
///
/// # Safety
/// The pointer is null or an interrupt that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_interrupt_free(interrupt: *mut gcg_interrupt) {
    // SAFETY: by the promise of the caller.
    unsafe { free(interrupt) }
}

/// Compiles as `gcg_compile` does, until the interrupt is set: then the error has the status GCG_INTERRUPTED.
///
/// # Safety
/// As `gcg_compile`; the interrupt is null or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile_until(
    vocabulary: *const gcg_vocabulary,
    notation: *const c_char,
    input: *const c_char,
    options: *const c_char,
    interrupt: *const gcg_interrupt,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    // SAFETY: by the promise of the caller.
    let interrupt = unsafe { interrupt.as_ref() }.map(|interrupt| interrupt.0.clone()).unwrap_or_default();
    let compiled = |source: &Source, vocabulary: &_, options: &Options| {
        let options = Options { interrupt, ..options.clone() };
        Session::new(compile(source, vocabulary, &options)?, vocabulary)
    };
    // SAFETY: by the promise of the caller.
    unsafe { from_source(vocabulary, (notation, input, options), error, compiled) }
}

/// Opens a schema or grammar before it is compiled: masks are made when they are asked for, and a thread compiles the artifact in the
/// background. New matchers read the artifact when it is there; their masks are the same as those on demand. What needs the whole artifact waits
/// for it: `gcg_session_complete`, `gcg_session_save`, `gcg_session_bytes`, `gcg_session_report`, budgets. Arguments and errors are those of
/// `gcg_compile`; a limit that only the artifact exceeds is an error of `gcg_session_complete`.
///
/// # Safety
/// As `gcg_compile`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_compile_on_demand(
    vocabulary: *const gcg_vocabulary,
    notation: *const c_char,
    input: *const c_char,
    options: *const c_char,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    let opened = |source: &Source, vocabulary: &_, options: &_| {
        Session::on_demand(source, vocabulary, options, &DemandOptions::default()).map(|(session, _)| session)
    };
    // SAFETY: by the promise of the caller.
    unsafe { from_source(vocabulary, (notation, input, options), error, opened) }
}

/// Opens a session for a source that is given as texts.
///
/// # Safety
/// As `gcg_compile`.
unsafe fn from_source(
    vocabulary: *const gcg_vocabulary,
    (notation, input, options): (*const c_char, *const c_char, *const c_char),
    error: *mut *mut gcg_error,
    open: impl FnOnce(&Source, &Vocabulary, &Options) -> Result<Session, facade::Error>,
) -> *mut gcg_session {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (vocabulary, (source, options)) =
            unsafe { (vocabulary.as_ref(), given(notation, input, options)?) };
        let vocabulary = &vocabulary.ok_or_else(|| Failure::usage("the vocabulary is null"))?.0;
        Ok(gcg_session(open(&source, vocabulary, &options)?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Waits for the artifact of a session that was opened by `gcg_compile_on_demand`; for other sessions it does nothing. The status is that of the
/// error.
///
/// # Safety
/// The session was not freed, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_complete(
    session: *const gcg_session,
    error: *mut *mut gcg_error,
) -> gcg_status {
    let body = || {
        // SAFETY: by the promise of the caller.
        let session = unsafe { session.as_ref() }.ok_or_else(|| Failure::usage("the session is null"))?;
        session.0.complete()?;
        Ok(())
    };
    // SAFETY: by the promise of the caller; what is made is freed at once.
    unsafe { done(error, body) }
}

/// The source and the options that are given as texts.
///
/// # Safety
/// `notation` and `input` are texts, `options` is null or a text.
pub(crate) unsafe fn given(
    notation: *const c_char,
    input: *const c_char,
    options: *const c_char,
) -> Result<(Source, Options), Failure> {
    // SAFETY: by the promise of the caller.
    let (notation, input) = unsafe { (text(notation), text(input)) };
    let options = match options.is_null() {
        true => Some("{}"),
        // SAFETY: by the promise of the caller.
        false => unsafe { text(options) },
    };
    let (Some(notation), Some(input), Some(options)) = (notation, input, options) else {
        return Err(Failure::usage("an argument is null or no UTF-8 text"));
    };
    let notation: Notation =
        notation.parse().map_err(|_| Failure::usage(&format!("there is no notation `{notation}`")))?;
    Ok((Source::new(notation, input), Options::from_json(options)?))
}

/// Opens the file of an artifact. If `vocabulary` is null, the tokens inside the artifact are used, or the vocabulary that it names; else
/// the artifact must have been compiled for this vocabulary. GCG_NOT_FOUND if the file cannot be read, GCG_REFUSED if it is no artifact
/// or damaged, GCG_OTHER_VOCABULARY if it belongs to another vocabulary. All bytes of the file are compared with their checksums when a
/// process opens it for the first time.
///
/// # Safety
/// `path` is a text, the vocabulary is null or was not freed, `error` is null or may be written. Nobody truncates or overwrites the file
/// while the session is in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_open(
    path: *const c_char,
    vocabulary: *const gcg_vocabulary,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    // SAFETY: by the promise of the caller.
    unsafe { open(path, vocabulary, error, |artifact| artifact) }
}

/// Opens the file of an artifact whose content the caller vouches for, because it came with a signature, say. Only the beginning of the
/// file is compared with its checksums, which takes the same time for all sizes. If the content is damaged all the same, masks are wrong,
/// but nothing crashes.
///
/// # Safety
/// As `gcg_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_open_trusted(
    path: *const c_char,
    vocabulary: *const gcg_vocabulary,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    // SAFETY: by the promise of the caller.
    unsafe { open(path, vocabulary, error, Artifact::trusted) }
}

/// Opens a file as `gcg_open` does, after the artifact was prepared.
///
/// # Safety
/// As `gcg_open`.
unsafe fn open(
    path: *const c_char,
    vocabulary: *const gcg_vocabulary,
    error: *mut *mut gcg_error,
    prepare: fn(Artifact) -> Artifact,
) -> *mut gcg_session {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (path, vocabulary) = unsafe { (text(path), vocabulary.as_ref()) };
        let path = path.ok_or_else(|| Failure::usage("the path is no UTF-8 text"))?;
        with_vocabulary(prepare(Artifact::open(Path::new(path))?), vocabulary)
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Opens a copy of the bytes of an artifact, as `gcg_open` opens a file.
///
/// # Safety
/// `bytes` has `length` bytes, the vocabulary is null or was not freed, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_open_bytes(
    bytes: *const u8,
    length: usize,
    vocabulary: *const gcg_vocabulary,
    error: *mut *mut gcg_error,
) -> *mut gcg_session {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (bytes, vocabulary) = unsafe { (slice(bytes, length), vocabulary.as_ref()) };
        let bytes =
            bytes.ok_or_else(|| Failure::usage("the bytes are null, or their length is impossible"))?;
        with_vocabulary(Artifact::from_bytes("<bytes>", bytes.to_vec())?, vocabulary)
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

fn with_vocabulary(artifact: Artifact, vocabulary: Option<&gcg_vocabulary>) -> Result<gcg_session, Failure> {
    Ok(gcg_session(match vocabulary {
        Some(vocabulary) => Session::new(artifact, &vocabulary.0)?,
        None => Session::open_with(artifact, &registry(None), &VocabularyRequest::default())?,
    }))
}

/// Writes the artifact to a file, which is replaced as a whole or stays as it was. The status is that of the error.
///
/// # Safety
/// The session was not freed, `path` is a text, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_save(
    session: *const gcg_session,
    path: *const c_char,
    error: *mut *mut gcg_error,
) -> gcg_status {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (Some(session), Some(path)) = (unsafe { (session.as_ref(), text(path)) }) else {
            return Err(Failure::usage("the session is null, or the path is no UTF-8 text"));
        };
        Ok(session.0.complete()?.artifact().save(Path::new(path))?)
    };
    // SAFETY: by the promise of the caller; what is made is freed at once.
    unsafe { done(error, body) }
}

/// The bytes of the artifact, as they are in a file. They live as long as the session. Null for null, and if masks are made on demand and
/// the artifact exceeds a limit.
///
/// # Safety
/// The session is null or was not freed, `length` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_bytes(session: *const gcg_session, length: *mut usize) -> *const u8 {
    // SAFETY: by the promise of the caller.
    let (bytes, count) = unsafe {
        with(session, (std::ptr::null(), 0), |session| {
            // The session has the one that is complete, so the bytes live as long.
            let bytes = |whole: Session| (whole.artifact().bytes().as_ptr(), whole.artifact().bytes().len());
            session.0.complete().map_or((std::ptr::null(), 0), bytes)
        })
    };
    // SAFETY: by the promise of the caller.
    unsafe { write(length, count) };
    bytes
}

/// What became of every keyword of the schema: a JSON array of objects with pointer, coverage and note; empty for other grammars. The
/// caller frees it with `gcg_string_free`.
///
/// # Safety
/// The session is null or was not freed, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_report(
    session: *const gcg_session,
    error: *mut *mut gcg_error,
) -> *mut c_char {
    let mut text = std::ptr::null_mut();
    let body = || {
        // SAFETY: by the promise of the caller.
        let session = unsafe { session.as_ref() }.ok_or_else(|| Failure::usage("the session is null"))?;
        let whole = session.0.complete()?;
        let metadata = whole.artifact().metadata(whole.engine().grammar());
        let metadata = metadata.map_err(|error| Failure {
            status: gcg_status::GCG_REFUSED,
            ..Failure::usage(&format!("the report of the artifact cannot be read: {error}"))
        })?;
        let report: serde_json::Value = metadata.report.iter().map(ReportEntry::to_json).collect();
        text = c_string(&report.to_string()).into_raw();
        Ok(())
    };
    // SAFETY: by the promise of the caller.
    unsafe { done(error, body) };
    text
}

/// The number of 32-bit words of a mask; 0 for null.
///
/// # Safety
/// The session is null or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_row_words(session: *const gcg_session) -> usize {
    // SAFETY: by the promise of the caller.
    unsafe { with(session, 0, |session| session.0.row_words()) }
}

/// Another pointer to the same session, which is freed on its own; null for null.
///
/// # Safety
/// The session is null or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_clone(session: *const gcg_session) -> *mut gcg_session {
    // SAFETY: by the promise of the caller.
    unsafe { give_clone(session) }
}

/// Frees a session. Matchers keep what they need of it.
///
/// # Safety
/// The pointer is null or a session that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_session_free(session: *mut gcg_session) {
    // SAFETY: by the promise of the caller.
    unsafe { free(session) }
}
