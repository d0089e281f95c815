//! The masks of many matchers at once.

use crate::error::{Failure, gcg_error, gcg_status, make, panicked};
use crate::matcher::{gcg_matcher, row};
use crate::memory::{free, slice};
use facade::batch::{Job, Pool};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Threads that fill masks. They sleep between the calls.
pub struct gcg_pool(Pool);

/// Makes a pool of threads; 0 stands for as many as the machine has, 1 for the thread that calls.
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
/// GCG_OK, and `gcg_matcher_error` tells why.
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
    // SAFETY: by the promise of the caller.
    let (pool, pointers) = unsafe { (pool.as_ref(), slice(matchers, count)) };
    let report = |index: usize, status| {
        if !statuses.is_null() {
            // SAFETY: by the promise of the caller there is room for `count` values, which need not be initialized.
            unsafe { statuses.add(index).write(status) };
        }
    };
    let report_all = |status| {
        (0..count).for_each(|index| report(index, status));
        status
    };
    let mut different = HashSet::with_capacity(pointers.len());
    let usable = pointers.iter().all(|pointer| !pointer.is_null() && different.insert(*pointer));
    let (Some(pool), true) = (pool, usable && pointers.len() == count && words <= stride) else {
        return report_all(gcg_status::GCG_USAGE);
    };
    if count == 0 {
        return gcg_status::GCG_OK;
    }
    // SAFETY: by the promise of the caller; no pointer occurs twice.
    let mut matchers: Vec<&mut gcg_matcher> =
        pointers.iter().map(|&pointer| unsafe { &mut *pointer }).collect();
    let jobs = matchers.iter_mut().enumerate().map(|(index, matcher)| Job {
        matcher: &mut matcher.matcher,
        // SAFETY: by the promise of the caller; the rows do not overlap, because they are not longer than the stride.
        row: unsafe { row(rows.add(index * stride), words) },
    });
    let mut jobs: Vec<Job<'_>> = jobs.collect();
    let results = catch_unwind(AssertUnwindSafe(|| pool.0.fill_masks(&mut jobs)));
    drop(jobs);
    let Ok(results) = results else {
        for matcher in &mut matchers {
            matcher.fail(&panicked());
        }
        return report_all(gcg_status::GCG_PANIC);
    };
    let mut first = gcg_status::GCG_OK;
    for (index, (matcher, result)) in matchers.iter_mut().zip(results).enumerate() {
        let status = result.map_or_else(|error| matcher.fail(&error.into()), |()| gcg_status::GCG_OK);
        report(index, status);
        if first == gcg_status::GCG_OK {
            first = status;
        }
    }
    first
}
