//! Work on two threads at the same time.

use std::panic::resume_unwind;
use std::thread;

/// Stack of the second thread, in bytes: a token has at most 1,024 bytes and lexemes, and each of them is a level of recursion.
const STACK_BYTES: usize = 16 << 20;

/// Does `own` on this thread and `other` on a second one. `None` if no thread can be started. A panic of the second thread becomes one
/// of this thread.
pub(crate) fn join<T, U: Send>(own: impl FnOnce() -> T, other: impl FnOnce() -> U + Send) -> (T, Option<U>) {
    thread::scope(|scope| {
        let second = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, other);
        let first = own();
        let second = second.ok().map(|second| second.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (first, second)
    })
}
