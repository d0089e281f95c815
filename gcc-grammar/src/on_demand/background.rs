//! Threads that compile artifacts behind their sessions.

use super::Demand;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, OnceLock};
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

/// Compiles an artifact when a thread is free, unless its session is gone by then. A process that was forked has no threads: there, artifacts
/// are compiled where somebody asks for them.
pub(super) fn complete(demand: &Arc<Demand>) {
    let demand = Arc::downgrade(demand);
    if let Some((process, pool)) = THREADS.get_or_init(start)
        && *process == std::process::id()
    {
        pool.spawn(move || {
            if let Some(demand) = demand.upgrade() {
                let _is_known_to_the_session = demand.complete();
            }
        });
    }
}
