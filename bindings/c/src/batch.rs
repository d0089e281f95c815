//! The masks of many matchers at once.

use crate::error::{Failure, gcg_error, gcg_status, make, panicked};
use crate::matcher::{gcg_matcher, row};
use facade::batch::{Job, Pool};
use ffi::{free, guarded, slice};
use std::collections::HashSet;

/// Threads that fill masks. They sleep between the calls.
pub struct gcg_pool(Pool);

/// Makes a pool of threads; 0 stands for as many as the machine has, 1 for the thread that calls. There are 64 at most, or as many as the
/// machine has if those are more: a greater number counts as that one.
///
/// A process that was forked has none of the threads of its parent. There, the pool starts its own when it is first used. What another
/// thread used while the process was forked must not be used in the new one.
///
/// # Safety
/// `error` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_pool_new(threads: usize, error: *mut *mut gcg_error) -> *mut gcg_pool {
    let body = || match Pool::new(threads) {
        Ok(pool) => Ok(gcg_pool(pool)),
        Err(error) => Err(Failure::usage(&format!("the threads cannot be started: {error}"))),
    };
    // SAFETY: by the promise of the caller.
    unsafe { make(error, body) }
}

/// Frees a pool.
///
/// # Safety
/// The pointer is null or a pool that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_pool_free(pool: *mut gcg_pool) {
    // SAFETY: by the promise of the caller.
    unsafe { free(pool) }
}

/// Writes the masks of `count` matchers: that of matcher i into the `words` words that begin at `rows + i * stride`, where `stride` is at
/// least `words`. `statuses` is null or gets the status of each. GCG_OK if all masks were written; else the first status that is not
/// GCG_OK, and `gcg_matcher_error` tells why. GCG_USAGE for all, and nothing else is done, if a pointer is null, a matcher occurs twice,
/// or the rows overlap; for an impossible count no status is written.
///
/// # Safety
/// The pool was not freed. `matchers` has `count` pointers to matchers that were not freed and that nobody else uses; `rows` has
/// `count` rows; `statuses` is null or has room for `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gcg_fill_masks(
    pool: *const gcg_pool,
    matchers: *const *mut gcg_matcher,
    count: usize,
    rows: *mut i32,
    stride: usize,
    words: usize,
    statuses: *mut gcg_status,
) -> gcg_status {
    if count > isize::MAX as usize / size_of::<*mut gcg_matcher>() {
        return gcg_status::GCG_USAGE;
    }
    let body = || {
        // SAFETY: by the promise of the caller.
        let (pool, matchers) = unsafe { (pool.as_ref(), distinct(matchers, count)) };
        // SAFETY: by the promise of the caller.
        let rows = unsafe { separate(rows, count, stride, words) };
        Some(fill(&pool?.0, &mut matchers?, rows?))
    };
    let results = guarded(body).unwrap_or_else(|| Some(vec![gcg_status::GCG_PANIC; count]));
    let of = |index| results.as_ref().map_or(gcg_status::GCG_USAGE, |results| results[index]);
    let mut first = if results.is_some() { gcg_status::GCG_OK } else { gcg_status::GCG_USAGE };
    for index in 0..count {
        if first == gcg_status::GCG_OK {
            first = of(index);
        }
        if !statuses.is_null() {
            // SAFETY: by the promise of the caller there is room for `count` values, which need not be initialized.
            unsafe { statuses.add(index).write(of(index)) };
        }
    }
    first
}

/// The matchers; none if a pointer is null or occurs twice.
///
/// # Safety
/// As for [`gcg_fill_masks`].
unsafe fn distinct<'a>(matchers: *const *mut gcg_matcher, count: usize) -> Option<Vec<&'a mut gcg_matcher>> {
    // SAFETY: by the promise of the caller.
    let pointers = unsafe { slice(matchers, count) }?;
    let mut seen = HashSet::with_capacity(count);
    if !pointers.iter().all(|pointer| seen.insert(pointer)) {
        return None;
    }
    // SAFETY: by the promise of the caller; no pointer occurs twice.
    pointers.iter().map(|pointer| unsafe { pointer.as_mut() }).collect()
}

/// The rows; none if they are null, overlap, or are more than memory can have.
///
/// # Safety
/// As for [`gcg_fill_masks`].
unsafe fn separate<'a>(
    rows: *mut i32,
    count: usize,
    stride: usize,
    words: usize,
) -> Option<Vec<&'a mut [u32]>> {
    let bytes = stride.checked_mul(count)?.checked_mul(size_of::<i32>())?;
    if words > stride || isize::try_from(bytes).is_err() || (rows.is_null() && bytes > 0) {
        return None;
    }
    // SAFETY: by the promise of the caller; the rows do not overlap, because they are not longer than the stride.
    (0..count).map(|index| unsafe { row(rows.wrapping_add(index * stride), words) }).collect()
}

/// Fills the rows of the matchers, and returns the status of each.
fn fill(pool: &Pool, matchers: &mut [&mut gcg_matcher], rows: Vec<&mut [u32]>) -> Vec<gcg_status> {
    let usable = matchers.iter_mut().zip(rows).filter(|(matcher, _)| !matcher.is_broken());
    let mut jobs: Vec<Job<'_>> =
        usable.map(|(matcher, row)| Job { matcher: &mut matcher.matcher, row }).collect();
    let results = guarded(|| pool.fill_masks(&mut jobs));
    drop(jobs);
    let mut results = results.map(Vec::into_iter);
    let status = |matcher: &mut &mut gcg_matcher| {
        if matcher.is_broken() {
            return gcg_status::GCG_PANIC;
        }
        match results.as_mut().map(Iterator::next) {
            Some(Some(Ok(()))) => gcg_status::GCG_OK,
            Some(Some(Err(error))) => matcher.fail(&error.into()),
            Some(None) | None => matcher.fail(&panicked()),
        }
    };
    matchers.iter_mut().map(status).collect()
}
