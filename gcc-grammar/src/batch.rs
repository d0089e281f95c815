//! The masks of many outputs at once, by several threads.
//!
//! In: matchers, each with a row. Out: the rows hold the masks. Which thread fills which row makes no difference to the rows.

use crate::matcher::Matcher;
use gcc_grammar_runtime::Error;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A mask takes about a microsecond, and to wake a thread takes tens: fewer rows per thread are not worth it.
const ROWS_PER_THREAD: usize = 16;

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
    /// None if there is only one thread: the caller's.
    threads: Option<ThreadPool>,
}

impl Pool {
    /// A pool of this many threads; 0 stands for as many as the machine has.
    ///
    /// # Errors
    /// The operating system does not start the threads.
    pub fn new(threads: usize) -> Result<Self, std::io::Error> {
        if threads == 1 {
            return Ok(Self { threads: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("gcc-grammar-{n}"));
        let pool = pool.build().map_err(std::io::Error::other)?;
        Ok(Self { threads: Some(pool) })
    }

    /// Fills all rows, as [`Matcher::fill_mask`] does for each. The results are in the order of the jobs.
    pub fn fill_masks(&self, jobs: &mut [Job<'_>]) -> Vec<Result<(), Error>> {
        let fill = |job: &mut Job<'_>| job.matcher.fill_mask(job.row);
        match &self.threads {
            Some(threads) if jobs.len() >= 2 * ROWS_PER_THREAD => {
                threads.install(|| jobs.par_iter_mut().with_min_len(ROWS_PER_THREAD).map(fill).collect())
            }
            _ => jobs.iter_mut().map(fill).collect(),
        }
    }
}
