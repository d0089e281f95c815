//! The service behind `gcc-grammar serve`: it compiles over HTTP into a store.
//!
//! ```text
//! connection ─▶ guard: host, token, room ─▶ body within its limits ─▶ key ─▶ queue ─▶ threads that compile ─▶ store
//!                        401, 429                  413, 422                   429
//! ```
//! | module | content |
//! |---|---|
//! | [`listen`] | connections: accepted within a bound, and let end before the service ends |
//! | [`guard`] | who may ask, and whether there is room for another request |
//! | [`http`] | requests and replies |
//! | [`nesting`] | how deep a body nests |
//! | [`queue`] | the items that wait; equal ones are one |
//! | [`metrics`] | what was counted, as Prometheus reads it |
//!
//! Memory is bounded: by the connections, by the requests that are answered at once and the length of their bodies, by the items that wait,
//! and by the limit of each compilation. An item that was accepted is made, also if its client has gone or the service is asked to end.

mod guard;
mod http;
mod listen;
mod metrics;
mod nesting;
mod queue;

use gcc_grammar::store::batch::STACK_BYTES;
use gcc_grammar::store::make::Maker;
use guard::Guard;
use metrics::Metrics;
use queue::Queue;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::watch;

/// Connections are given this time after the last reply is due.
const GRACE: Duration = Duration::from_secs(10);

/// The bounds of the service.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Items that are compiled at once.
    pub(crate) jobs: usize,
    /// Items that wait.
    pub(crate) queue: usize,
    /// Requests that are answered at once.
    pub(crate) requests: usize,
    /// Connections.
    pub(crate) connections: usize,
    /// Bytes of a body.
    pub(crate) body: usize,
    /// Levels of brackets in a body.
    pub(crate) nesting: usize,
    /// How long a reply waits for its item.
    pub(crate) wait: Duration,
}

/// What all requests share.
struct Service {
    maker: Maker,
    queue: Queue,
    guard: Guard,
    metrics: Metrics,
    bounds: Bounds,
}

/// Answers requests until `closing` becomes true and all accepted items are made.
pub(crate) fn run(
    maker: Maker,
    bounds: Bounds,
    token: Option<String>,
    listener: TcpListener,
    closing: watch::Receiver<bool>,
) -> io::Result<()> {
    let service = Arc::new(Service {
        maker,
        queue: Queue::new(bounds.queue),
        guard: Guard::new(token, bounds.requests),
        metrics: Metrics::default(),
        bounds,
    });
    // Keys of grammars are computed on blocking threads, which parse.
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(2).max_blocking_threads(2 * bounds.jobs + 2).thread_stack_size(STACK_BYTES);
    let runtime = runtime.enable_all().build()?;
    thread::scope(|scope| {
        let started = (0..bounds.jobs).try_for_each(|_| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, || service.work()).map(drop)
        });
        let listened = started.and_then(|()| runtime.block_on(service.listen(listener, closing)));
        // The threads end when the items that wait are made.
        service.queue.close();
        listened
    })
}

impl Service {
    async fn listen(
        self: &Arc<Self>,
        listener: TcpListener,
        closing: watch::Receiver<bool>,
    ) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let router = http::router(Arc::clone(self));
        let connections = listen::accept(listener, router, self.bounds.connections, closing).await;
        self.queue.close();
        let _ = tokio::time::timeout(self.bounds.wait + GRACE, connections.shutdown()).await;
        Ok(())
    }

    /// Makes items until the queue is closed and empty.
    fn work(&self) {
        while let Some(job) = self.queue.next() {
            let outcome = self.maker.make(&job.prepared);
            self.metrics.made(&outcome);
            self.queue.finish(&job, outcome);
        }
    }
}
