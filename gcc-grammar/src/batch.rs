//! The masks of many outputs at once, by several threads if there are enough of them.
//!
//! In: matchers, each with a row. Out: the rows hold the masks. Which thread fills which row makes no difference to the rows.

use crate::matcher::Matcher;
use gcc_grammar_runtime::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

/// The smallest batch that threads share. A mask takes about half a microsecond, and to wake a thread takes tens.
const SHARED_ROWS: usize = 128;
/// Rows that a thread takes at once.
const ROWS_AT_ONCE: usize = 16;

/// A matcher and the row for its mask.
pub struct Job<'a> {
    /// The matcher.
    pub matcher: &'a mut Matcher,
    /// The row, of at least [`Session::row_words`](crate::Session::row_words) words.
    pub row: &'a mut [u32],
}

/// Threads that fill masks. They sleep between the calls.
#[derive(Debug)]
pub struct Pool {
    /// The threads besides that of the caller, which does its part; none if the caller is alone.
    helpers: Option<ThreadPool>,
}

impl Pool {
    /// A pool of this many threads, that of the caller included; 0 stands for as many as the machine has.
    ///
    /// # Errors
    /// The operating system does not start the threads.
    pub fn new(threads: usize) -> Result<Self, std::io::Error> {
        let threads = if threads == 0 { available_parallelism()?.get() } else { threads };
        if threads == 1 {
            return Ok(Self { helpers: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads - 1);
        let pool = pool.thread_name(|n| format!("gcc-grammar-{n}")).build().map_err(std::io::Error::other)?;
        Ok(Self { helpers: Some(pool) })
    }

    /// Fills all rows, as [`Matcher::fill_mask`] does for each. The results are in the order of the jobs.
    pub fn fill_masks(&self, jobs: &mut [Job<'_>]) -> Vec<Result<(), Error>> {
        let mut results = vec![Ok(()); jobs.len()];
        match &self.helpers {
            Some(helpers) if jobs.len() >= SHARED_ROWS => share(helpers, jobs, &mut results),
            _ => fill(jobs, &mut results),
        }
        results
    }
}

fn fill(jobs: &mut [Job<'_>], results: &mut [Result<(), Error>]) {
    for (job, result) in jobs.iter_mut().zip(results) {
        *result = job.matcher.fill_mask(job.row);
    }
}

/// Shares the jobs with helpers: whoever is free takes the next rows. So the caller does not wait for a helper that wakes up late.
fn share(helpers: &ThreadPool, jobs: &mut [Job<'_>], results: &mut [Result<(), Error>]) {
    let groups = jobs.len().div_ceil(ROWS_AT_ONCE);
    let queue = Mutex::new(jobs.chunks_mut(ROWS_AT_ONCE).zip(results.chunks_mut(ROWS_AT_ONCE)));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((jobs, results)) = next() {
            fill(jobs, results);
        }
    };
    helpers.in_place_scope(|scope| {
        for _ in 0..helpers.current_num_threads().min(groups - 1) {
            scope.spawn(|_| work());
        }
        work();
    });
}
