//! Matchers: the state of one output, its masks, commits and rollbacks.

use crate::error::{Failure, gcg_error, gcg_status, make, panicked};
use crate::session::gcg_session;
use facade::draft::{Tree, TreeError};
use facade::runtime::Error as RuntimeError;
use facade::{Matcher, MatcherOptions, RowMemory};
use ffi::{c_string, free, guarded, slice, slice_mut, text, with, write};
use std::ffi::{CString, c_char};

/// The state of one output: the tokens so far, and the tokens that may follow.
pub struct gcg_matcher {
    pub(crate) matcher: Matcher,
    message: CString,
    /// Whether a defect was caught: the matcher is not to be trusted any more.
    broken: bool,
}

/// What a row holds since the last update.
pub struct gcg_row_memory(RowMemory);

impl gcg_matcher {
    fn new(matcher: Matcher) -> Self {
        Self { matcher, message: CString::default(), broken: false }
    }

    /// Keeps the message of a failure, and gives its status.
    pub(crate) fn fail(&mut self, failure: &Failure) -> gcg_status {
        self.message = c_string(&failure.message);
        self.broken |= failure.status == gcg_status::GCG_PANIC;
        failure.status
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }
}

/// Runs an operation on a matcher.
///
/// # Safety
/// The pointer is null or a matcher that was not freed and that nobody else uses.
unsafe fn run(
    matcher: *mut gcg_matcher,
    body: impl FnOnce(&mut Matcher) -> Result<(), Failure>,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    let Some(matcher) = (unsafe { matcher.as_mut() }) else { return gcg_status::GCG_USAGE };
    if matcher.broken {
        return gcg_status::GCG_PANIC;
    }
    match guarded(|| body(&mut matcher.matcher)) {
        Some(Ok(())) => gcg_status::GCG_OK,
        Some(Err(failure)) => matcher.fail(&failure),
        None => matcher.fail(&panicked()),
    }
}

/// Asks a matcher, and writes the answer to `to`, unless that is null.
///
/// # Safety
/// As [`run`]; `to` is null or may be written.
unsafe fn ask<T>(
    matcher: *mut gcg_matcher,
    to: *mut T,
    question: impl FnOnce(&mut Matcher) -> Result<T, Failure>,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, |matcher| question(matcher).map(|answer| write(to, answer))) }
}

/// Asks a matcher for values, and copies them into a buffer of the caller, or says how long it must be.
///
/// # Safety
/// As [`run`]; the buffer has room for so many values, `length` is null or may be written.
unsafe fn ask_all<T: Copy>(
    matcher: *mut gcg_matcher,
    (buffer, capacity): (*mut T, usize),
    length: *mut usize,
    question: impl FnOnce(&mut Matcher) -> Result<Vec<T>, Failure>,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, |matcher| fill(&question(matcher)?, buffer, capacity, length)) }
}

/// A failure if an argument is null or has an impossible length.
fn given<T>(argument: Option<T>, name: &str) -> Result<T, Failure> {
    argument.ok_or_else(|| Failure::usage(&format!("{name}: null, or an impossible length")))
}

/// The words of a row of 32-bit integers.
///
/// # Safety
/// As [`slice_mut`].
pub(crate) unsafe fn row<'a>(row: *mut i32, words: usize) -> Option<&'a mut [u32]> {
    // SAFETY: by the promise of the caller; both kinds of integers have the same layout.
    unsafe { slice_mut(row.cast(), words) }
}

/// Copies values into a buffer of the caller, or says how long it must be.
///
/// # Safety
/// `buffer` has room for `capacity` values, `length` is null or may be written.
unsafe fn fill<T: Copy>(
    values: &[T],
    buffer: *mut T,
    capacity: usize,
    length: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: by the promise of the caller.
    unsafe { write(length, values.len()) };
    if values.len() > capacity || (buffer.is_null() && !values.is_empty()) {
        let message = format!("the buffer is too short: {} values are needed", values.len());
        return Err(Failure { status: gcg_status::GCG_BUFFER_TOO_SHORT, ..Failure::usage(&message) });
    }
    if !values.is_empty() {
        // SAFETY: by the promise of the caller there is room; Rust's values and the buffer do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), buffer, values.len()) };
    }
    Ok(())
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::Runtime(error) => error.into(),
            error => Self::usage(&error.to_string()),
        }
    }
}

/// Makes a matcher at the beginning of an output. The last `max_rollback` commits can be taken back.
///
/// # Safety
/// The session was not freed, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_new(
    session: *const gcg_session,
    max_rollback: u32,
    error: *mut *mut gcg_error,
) -> *mut gcg_matcher {
    let body = || {
        // SAFETY: by the promise of the caller.
        let session = given(unsafe { session.as_ref() }, "session")?;
        Ok(gcg_matcher::new(session.0.matcher_with_rollback(max_rollback)?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Makes a matcher at the beginning of an output, with options: a JSON object with the members `max_rollback` (a number, 64 by default),
/// `canonical` (whether masks have only tokens that the model's own tokenizer writes), `start_after` (a text or
/// the id of a token, up to which the output is free), `max_free_tokens` (the most tokens of that free text; then masks have only the tokens
/// of what it ends with) and `max_work` (the most work of a commit or mask, in units; beyond it the call fails with GCG_OVER_BUDGET, and the
/// matcher is as it was). Null stands for no options.
///
/// # Safety
/// The session was not freed, `options` is null or a text that ends with a zero byte, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_new_with(
    session: *const gcg_session,
    options: *const c_char,
    error: *mut *mut gcg_error,
) -> *mut gcg_matcher {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (session, written) = unsafe { (session.as_ref(), text(options)) };
        let session = given(session, "session")?;
        let options = match written {
            Some(options) => MatcherOptions::from_json(options)?,
            None if options.is_null() => MatcherOptions::default(),
            None => return Err(Failure::usage("the options are no UTF-8 text")),
        };
        Ok(gcg_matcher::new(session.0.matcher_with(&options)?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Makes a matcher from the bytes that `gcg_matcher_save` wrote, perhaps in another process, for the same artifact. GCG_REFUSED if the
/// bytes are damaged, GCG_OTHER_VOCABULARY if they belong to another artifact.
///
/// # Safety
/// The session was not freed, `saved` has `length` bytes, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_restore(
    session: *const gcg_session,
    saved: *const u8,
    length: usize,
    error: *mut *mut gcg_error,
) -> *mut gcg_matcher {
    let body = || {
        // SAFETY: by the promise of the caller.
        let (session, saved) = unsafe { (session.as_ref(), slice(saved, length)) };
        let (session, saved) = (given(session, "session")?, given(saved, "saved")?);
        Ok(gcg_matcher::new(session.0.restore(saved)?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Bounds the work of each call, in units, as the option `max_work` does, which saved bytes do not have. UINT64_MAX stands for no bound.
///
/// # Safety
/// The matcher was not freed and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_set_max_work(matcher: *mut gcg_matcher, max_work: u64) -> gcg_status {
    let body = |matcher: &mut Matcher| {
        matcher.set_max_work((max_work != u64::MAX).then_some(max_work));
        Ok(())
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Copies a matcher. From then on the two are independent.
///
/// # Safety
/// The matcher was not freed and nobody changes it during the call, `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_clone(
    matcher: *const gcg_matcher,
    error: *mut *mut gcg_error,
) -> *mut gcg_matcher {
    let body = || {
        // SAFETY: by the promise of the caller.
        let matcher = given(unsafe { matcher.as_ref() }, "matcher")?;
        if matcher.broken {
            return Err(panicked());
        }
        Ok(gcg_matcher::new(matcher.matcher.fork()?))
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Frees a matcher.
///
/// # Safety
/// The pointer is null or a matcher that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_free(matcher: *mut gcg_matcher) {
    // SAFETY: by the promise of the caller.
    unsafe { free(matcher) }
}

/// The message of the last operation of the matcher that failed; empty if none did, null for null. It lives until the next operation.
///
/// # Safety
/// The matcher is null or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_error(matcher: *const gcg_matcher) -> *const c_char {
    // SAFETY: by the promise of the caller.
    unsafe { with(matcher, std::ptr::null(), |matcher| matcher.message.as_ptr()) }
}

/// Goes back to the beginning of an output.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_reset(matcher: *mut gcg_matcher) -> gcg_status {
    let body = |matcher: &mut Matcher| {
        matcher.reset();
        Ok(())
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Writes the mask of the next token into a row of at least `gcg_session_row_words` words: token t is bit t % 32 of word t / 32. Words beyond
/// the mask become 0.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `row` has `words` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_fill_mask(
    matcher: *mut gcg_matcher,
    row: *mut i32,
    words: usize,
) -> gcg_status {
    let body = |matcher: &mut Matcher| {
        // SAFETY: by the promise of the caller.
        let row = unsafe { self::row(row, words) };
        Ok(matcher.fill_mask(given(row, "row")?)?)
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Writes the mask like `gcg_matcher_fill_mask`, but changes only the words that differ where that is faster. `memory` belongs to the row,
/// and may be used with other matchers in turn. Between the calls, nothing else may change the words of the row. A row that was moved or has
/// another length is written as a whole. A row whose words were changed, and memory that was freed and allocated again, need a memory that
/// is new.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `row` has `words` words, `memory` was not freed and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_update_mask(
    matcher: *mut gcg_matcher,
    row: *mut i32,
    words: usize,
    memory: *mut gcg_row_memory,
) -> gcg_status {
    let body = |matcher: &mut Matcher| {
        // SAFETY: by the promise of the caller.
        let (row, memory) = unsafe { (self::row(row, words), memory.as_mut()) };
        let (row, memory) = (given(row, "row")?, given(memory, "memory")?);
        Ok(matcher.update_mask(row, &mut memory.0)?)
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Commits a token. GCG_REFUSED exactly if the mask does not allow it.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_commit(matcher: *mut gcg_matcher, token: u32) -> gcg_status {
    let body = |matcher: &mut Matcher| Ok(matcher.commit(token)?);
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Commits bytes as if they were one token. GCG_REFUSED if no text of the language goes on with them.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `bytes` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_commit_bytes(
    matcher: *mut gcg_matcher,
    bytes: *const u8,
    length: usize,
) -> gcg_status {
    let body = |matcher: &mut Matcher| {
        // SAFETY: by the promise of the caller.
        let bytes = unsafe { slice(bytes, length) };
        Ok(matcher.commit_bytes(given(bytes, "bytes")?)?)
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Says how many of the tokens could be committed one after the other, and commits none.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `tokens` has `count` tokens, `accepted` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_validate(
    matcher: *mut gcg_matcher,
    tokens: *const u32,
    count: usize,
    accepted: *mut usize,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    let tokens = unsafe { slice(tokens, count) };
    // SAFETY: by the promise of the caller.
    unsafe { ask(matcher, accepted, |matcher| Ok(matcher.validate(given(tokens, "tokens")?)?)) }
}

/// Takes back the last `count` commits. GCG_ROLLBACK_TOO_FAR if that is more than the matcher remembers; then it takes back none.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_rollback(matcher: *mut gcg_matcher, count: u64) -> gcg_status {
    let body = |matcher: &mut Matcher| Ok(matcher.rollback(count)?);
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Whether the text so far is in the language.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `accepting` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_is_accepting(
    matcher: *mut gcg_matcher,
    accepting: *mut bool,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { ask(matcher, accepting, |matcher| Ok(matcher.is_accepting()?)) }
}

/// Whether an end token was committed.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `terminated` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_is_terminated(
    matcher: *mut gcg_matcher,
    terminated: *mut bool,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { ask(matcher, terminated, |matcher| Ok(matcher.is_terminated())) }
}

/// The number of commits since the beginning, without those that were taken back.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `committed` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_committed(matcher: *mut gcg_matcher, committed: *mut u64) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { ask(matcher, committed, |matcher| Ok(matcher.committed())) }
}

/// Writes the bytes that are certain to come, `capacity` at most, and never more than 65,536: what follows them can be asked for behind
/// them.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `buffer` has room for `capacity` bytes, `length` is null or may be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_forced_bytes(
    matcher: *mut gcg_matcher,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { ask_all(matcher, (buffer, capacity), length, |matcher| Ok(matcher.forced(capacity)?)) }
}

/// Writes the tokens that are certain to come, as the model's own tokenizer would cut the text. `before` has the last tokens that were
/// committed. GCG_BUFFER_TOO_SHORT if there are more than `capacity`; `length` is their number.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `before` has `before_count` tokens, `buffer` has room for `capacity`
/// tokens, `length` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_forced_tokens(
    matcher: *mut gcg_matcher,
    before: *const u32,
    before_count: usize,
    buffer: *mut u32,
    capacity: usize,
    length: *mut usize,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    let before = unsafe { slice(before, before_count) };
    let forced = |matcher: &mut Matcher| Ok(matcher.forced_tokens(given(before, "before")?)?);
    // SAFETY: by the promise of the caller.
    unsafe { ask_all(matcher, (buffer, capacity), length, forced) }
}

/// Limits the number of tokens that may still be committed, the end token included; UINT32_MAX lifts the limit. Masks then have only tokens
/// after which the output can be completed within the limit. Commits count down, and rollbacks up. GCG_REFUSED if no completion is known
/// that takes so few tokens, GCG_USAGE if the artifact was compiled without budgets; then the limit stays as it was.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_set_budget(matcher: *mut gcg_matcher, remaining: u32) -> gcg_status {
    let limit = Some(remaining).filter(|&remaining| remaining != u32::MAX);
    let body = |matcher: &mut Matcher| Ok(matcher.set_budget(limit)?);
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// The number of tokens that complete the output, the end token included: an upper bound of the fewest. GCG_REFUSED if no completion is
/// known, GCG_USAGE if the artifact was compiled without budgets.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `remaining` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_min_remaining(
    matcher: *mut gcg_matcher,
    remaining: *mut u32,
) -> gcg_status {
    let least = |matcher: &mut Matcher| Ok(matcher.min_remaining()?.ok_or(RuntimeError::CannotComplete)?);
    // SAFETY: by the promise of the caller.
    unsafe { ask(matcher, remaining, least) }
}

/// Writes the number of masks within a budget that may lack tokens, because the search for them went beyond its bound.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `count` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_degraded_masks(
    matcher: *mut gcg_matcher,
    count: *mut u64,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { ask(matcher, count, |matcher| Ok(matcher.degraded_masks())) }
}

/// Writes tokens that complete the output, the end token included, `gcg_matcher_min_remaining` at most, and commits none. GCG_REFUSED if no
/// completion is known, GCG_BUFFER_TOO_SHORT if there are more than `capacity`; `length` is their number.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `buffer` has room for `capacity` tokens, `length` is null or may be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_shortest_completion(
    matcher: *mut gcg_matcher,
    buffer: *mut u32,
    capacity: usize,
    length: *mut usize,
) -> gcg_status {
    let tokens =
        |matcher: &mut Matcher| Ok(matcher.shortest_completion()?.ok_or(RuntimeError::CannotComplete)?);
    // SAFETY: by the promise of the caller.
    unsafe { ask_all(matcher, (buffer, capacity), length, tokens) }
}

/// Verifies a tree of proposed tokens. `parents` has for each node the number of an earlier node, or -1. Writes per node whether the text
/// may go on with the tokens down to it, and into `rows`, which has `count` rows of `gcg_session_row_words` words one after the other, the
/// mask behind each allowed node. The matcher stays where it is. GCG_USAGE if a parent is not an earlier node or the rows are too short.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `parents` and `tokens` have `count` elements, `rows` has `words` words
/// in all, `allowed` has room for `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_verify_tree(
    matcher: *mut gcg_matcher,
    parents: *const i32,
    tokens: *const u32,
    count: usize,
    rows: *mut i32,
    words: usize,
    allowed: *mut bool,
) -> gcg_status {
    let body = |matcher: &mut Matcher| {
        // SAFETY: by the promise of the caller.
        let (parents, tokens, rows) =
            unsafe { (slice(parents, count), slice(tokens, count), row(rows, words)) };
        let (parents, tokens, rows) =
            (given(parents, "parents")?, given(tokens, "tokens")?, given(rows, "rows")?);
        if allowed.is_null() && count > 0 {
            return Err(Failure::usage("allowed: null"));
        }
        if parents.iter().any(|&parent| parent < -1) {
            return Err(Failure::usage("parents: a number below -1"));
        }
        let parents: Vec<Option<usize>> =
            parents.iter().map(|&parent| usize::try_from(parent).ok()).collect();
        let nodes = matcher.verify_tree(Tree { parents: &parents, tokens }, rows)?;
        // SAFETY: by the promise of the caller.
        unsafe { fill(&nodes, allowed, count, std::ptr::null_mut()) }
    };
    // SAFETY: by the promise of the caller.
    unsafe { run(matcher, body) }
}

/// Writes the state of the matcher into a buffer, for `gcg_matcher_restore`. GCG_BUFFER_TOO_SHORT if it takes more than `capacity` bytes;
/// `length` is their number.
///
/// # Safety
/// The matcher is null or was not freed, and nobody else uses it, `buffer` has room for `capacity` bytes, `length` is null or may be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_matcher_save(
    matcher: *mut gcg_matcher,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> gcg_status {
    // SAFETY: by the promise of the caller.
    unsafe { ask_all(matcher, (buffer, capacity), length, |matcher| Ok(matcher.save())) }
}

/// Makes the memory of a row that was not written yet.
#[unsafe(no_mangle)]
pub extern "C" fn gcg_row_memory_new() -> *mut gcg_row_memory {
    ffi::give(gcg_row_memory(RowMemory::default()))
}

/// Frees the memory of a row.
///
/// # Safety
/// The pointer is null or a row memory that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_row_memory_free(memory: *mut gcg_row_memory) {
    // SAFETY: by the promise of the caller.
    unsafe { free(memory) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{gcg_fill_masks, gcg_pool_free, gcg_pool_new};
    use facade::{Options, Session, Source, Vocabulary, compile};
    use std::ptr::null_mut;

    #[test]
    fn a_matcher_is_not_used_after_a_defect() {
        let vocabulary = Vocabulary::from_tokens("bytes", (0..=255_u8).map(|byte| [byte])).expect("tokens");
        let artifact =
            compile(&Source::regex("a*"), &vocabulary, &Options::default()).expect("it can be compiled");
        let session = Session::new(artifact, &vocabulary).expect("the vocabulary is the same");
        let mut matchers =
            [0; 2].map(|_| ffi::give(gcg_matcher::new(session.matcher_with_rollback(2).expect("a matcher"))));
        let words = session.row_words();
        let mut rows = vec![0; 2 * words];
        let mut statuses = [gcg_status::GCG_OK; 2];
        let mut error = null_mut();
        // SAFETY: the matchers were given, and the rows are as long as the vocabulary is wide.
        unsafe {
            assert_eq!(run(matchers[0], |_| panic!("a defect")), gcg_status::GCG_PANIC);
            assert_eq!(gcg_matcher_commit(matchers[0], 97), gcg_status::GCG_PANIC);
            assert_eq!(gcg_matcher_reset(matchers[0]), gcg_status::GCG_PANIC);
            assert!(ffi::text(gcg_matcher_error(matchers[0])).is_some_and(|text| text.contains("defect")));
            assert!(gcg_matcher_clone(matchers[0], &raw mut error).is_null());
            assert_eq!(crate::error::gcg_error_status(error), gcg_status::GCG_PANIC);
            crate::error::gcg_error_free(error);
            let pool = gcg_pool_new(1, null_mut());
            let both = gcg_fill_masks(
                pool,
                matchers.as_mut_ptr(),
                2,
                rows.as_mut_ptr(),
                words,
                words,
                statuses.as_mut_ptr(),
            );
            assert_eq!(
                (both, statuses),
                (gcg_status::GCG_PANIC, [gcg_status::GCG_PANIC, gcg_status::GCG_OK])
            );
            assert!(rows[..words].iter().all(|word| *word == 0) && rows[words + 97 / 32] == 1 << (97 % 32));
            gcg_pool_free(pool);
            matchers.into_iter().for_each(|matcher| gcg_matcher_free(matcher));
        }
    }
}
