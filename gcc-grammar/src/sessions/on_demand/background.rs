//! Threads that compile artifacts behind their sessions.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// Stack of a thread, in bytes: a token has at most 1,024 bytes and lexemes, and each of them is a level of recursion.
const STACK_BYTES: usize = 16 << 20;

/// Half as many threads as the machine has processors, and the process that has them.
static THREADS: OnceLock<Option<(u32, ThreadPool)>> = OnceLock::new();

fn start() -> Option<(u32, ThreadPool)> {
    let threads = (available_parallelism().map_or(1, usize::from) / 2).max(1);
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES);
    let pool = pool.thread_name(|n| format!("gcc-grammar-compile-{n}")).build().ok()?;
    Some((std::process::id(), pool))
}

/// Does a job when a thread is free. A process that was forked has no threads: there, nothing is done in the background.
pub(crate) fn in_background(job: impl FnOnce() + Send + 'static) {
    if let Some((process, pool)) = THREADS.get_or_init(start)
        && *process == std::process::id()
    {
        pool.spawn(job);
    }
}
