//! The masks of many outputs at once, by several threads if there are enough of them.
//!
//! In: matchers, each with a row. Out: the rows hold the masks. Which thread fills which row makes no difference to the rows.

use crate::decoding::matcher::Matcher;
use gcc_grammar_runtime::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
///
/// A process that was forked has none of the threads of its parent: there, the pool starts its own with the first batch that is large enough.
#[derive(Debug)]
pub struct Pool {
    threads: usize,
    /// The threads in addition to the thread of the caller, which does its part; none if the caller is alone.
    helpers: Option<Helpers>,
    /// The threads of a process that was forked from the one that made the pool.
    forked: Mutex<Option<Helpers>>,
}

/// The processors that the process may use. To ask for them takes 50 µs, since files of control groups are read, so it is done once.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| available_parallelism().map_or(1, usize::from))
}

/// The most threads of a pool, that of the caller included, on machines that do not have more processors than that.
pub const MOST_THREADS: usize = 64;

impl Pool {
    /// A pool of this many threads, that of the caller included; 0 stands for as many as the machine has. There are at most
    /// [`MOST_THREADS`], or as many as the machine has if those are more: a greater number counts as that one.
    ///
    /// # Errors
    /// The operating system does not start the threads.
    pub fn new(threads: usize) -> Result<Self, std::io::Error> {
        let threads = Self::usable(threads);
        let helpers = if threads == 1 { None } else { Some(Helpers::start(threads)?) };
        Ok(Self { threads, helpers, forked: Mutex::default() })
    }

    /// The number of threads of a pool for which `threads` were asked.
    #[must_use]
    pub fn usable(threads: usize) -> usize {
        let of_machine = processors();
        if threads == 0 { of_machine } else { threads.min(MOST_THREADS.max(of_machine)) }
    }

    /// Fills all rows, as [`Matcher::fill_mask`] does for each. The results are in the order of the jobs.
    pub fn fill_masks(&self, jobs: &mut [Job<'_>]) -> Vec<Result<(), Error>> {
        let mut results = vec![Ok(()); jobs.len()];
        let helpers = if jobs.len() >= SHARED_ROWS { self.helpers() } else { None };
        match helpers {
            Some(helpers) => share(&helpers, jobs, &mut results),
            None => fill(jobs, &mut results),
        }
        results
    }

    /// The helpers in this process; none if the caller is alone, also where no threads can be started.
    fn helpers(&self) -> Option<Arc<ThreadPool>> {
        let made = self.helpers.as_ref()?;
        if made.are_here() {
            return Some(Arc::clone(&made.pool));
        }
        // The lock may have been held by another thread when the process was forked, and stays locked then.
        let mut forked = self.forked.try_lock().ok()?;
        if !forked.as_ref().is_some_and(Helpers::are_here) {
            mem::forget(forked.take());
            *forked = Helpers::start(self.threads).ok();
        }
        forked.as_ref().map(|helpers| Arc::clone(&helpers.pool))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let forked = self.forked.get_mut().unwrap_or_else(PoisonError::into_inner);
        for helpers in [self.helpers.take(), forked.take()].into_iter().flatten() {
            // Threads of another process cannot be told to end.
            if !helpers.are_here() {
                mem::forget(helpers);
            }
        }
    }
}

/// Threads of a process.
#[derive(Debug)]
struct Helpers {
    process: u32,
    pool: Arc<ThreadPool>,
}

impl Helpers {
    /// Starts the threads of a pool, without the thread of the caller.
    fn start(threads: usize) -> Result<Self, std::io::Error> {
        let pool = ThreadPoolBuilder::new().num_threads(threads - 1);
        let pool = pool.thread_name(|n| format!("gcc-grammar-{n}")).build().map_err(std::io::Error::other)?;
        Ok(Self { process: std::process::id(), pool: Arc::new(pool) })
    }

    /// Whether they are threads of this process.
    fn are_here(&self) -> bool {
        self.process == std::process::id()
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
