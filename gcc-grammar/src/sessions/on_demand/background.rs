//! Threads that compile artifacts behind their sessions. On Linux they have a low priority: masks go first where processors are scarce.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// Stack of a thread, in bytes: a token has at most 1,024 bytes and lexemes, and each of them is a level of recursion.
const STACK_BYTES: usize = 16 << 20;

/// By how much the priority is lowered: beside a thread of the usual priority, a processor spends a tenth of its time on such a thread.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Half as many threads as the machine has processors, and the process that has them.
static THREADS: OnceLock<Option<(u32, ThreadPool)>> = OnceLock::new();

fn start() -> Option<(u32, ThreadPool)> {
    let threads = (available_parallelism().map_or(1, usize::from) / 2).max(1);
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES);
    let pool = pool.thread_name(|n| format!("gcc-grammar-compile-{n}")).start_handler(|_| give_way());
    Some((std::process::id(), pool.build().ok()?))
}

/// Lowers the priority of this thread, and of those that it starts. Linux has priorities of threads where others have those of processes.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _is_as_before_if_refused = rustix::process::nice(NICENESS);
}

/// Does a job when a thread is free. A process that was forked has no threads: there, nothing is done in the background.
pub(crate) fn in_background(job: impl FnOnce() + Send + 'static) {
    if let Some((process, pool)) = THREADS.get_or_init(start)
        && *process == std::process::id()
    {
        pool.spawn(job);
    }
}
