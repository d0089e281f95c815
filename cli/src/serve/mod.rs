//! The service behind `gcc-grammar serve`: it compiles over HTTP into a store.
//!
//! ```text
//! connection ─▶ guard: host, token, room ─▶ body within its limits ─▶ threads that compute keys ─▶ queue ─▶ threads that compile ─▶ store
//!                        401, 429                  413, 422                429                      429
//! ```
//! | module | content |
//! |---|---|
//! | [`listen`] | connections: accepted within a bound, and let end before the service ends |
//! | [`guard`] | who may ask, and whether there is room for another request |
//! | [`http`] | requests and replies |
//! | [`nesting`] | how deep a body nests |
//! | [`prepare`] | the threads that read items and compute their keys |
//! | [`queue`] | the items that wait; equal ones are one |
//! | [`reply`] | replies whose bodies are JSON |
//! | [`service`] | what all requests share, and its bounds |
//! | [`metrics`] | what was counted, as Prometheus reads it |
//!
//! Memory is bounded: by the connections, by the requests that are answered at once and the length of their bodies, by the items that wait,
//! and by the limit of each compilation. An item that was accepted is made, also if its client has gone or the service is asked to end, unless the time for the
//! end is over.

mod guard;
mod http;
mod listen;
mod metrics;
mod nesting;
mod prepare;
mod queue;
mod reply;
mod service;

use gcc_grammar_store::batch::STACK_BYTES;
use gcc_grammar_store::make::Maker;
use guard::Guard;
use metrics::Metrics;
use prepare::Bodies;
use queue::Queue;
pub(crate) use service::Bounds;
use service::Service;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How often the end of the last item is looked for when the service ends.
const LOOK: Duration = Duration::from_millis(20);
/// The time within which the items that are given up are replied when the service ends.
const LAST: Duration = Duration::from_secs(1);

/// Answers requests until `closing` becomes true, and all accepted items are made or the time for that is over. Returns the number of items that were accepted
/// and are not made: threads may still be at work on them.
pub(crate) fn run(
    maker: Maker,
    bounds: Bounds,
    token: Option<String>,
    listener: TcpListener,
    closing: watch::Receiver<bool>,
) -> io::Result<usize> {
    let service = Arc::new(Service {
        maker,
        bodies: Bodies::new(bounds.queue),
        queue: Queue::new(bounds.queue),
        guard: Guard::new(token, bounds.requests),
        metrics: Metrics::default(),
        bounds,
        closing: closing.clone(),
    });
    // Artifacts are read on blocking threads, and nothing else is done there.
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).max_blocking_threads(bounds.jobs + 2).enable_all().build()?;
    service.start()?;
    let ended = runtime.block_on(service.listen(listener, closing));
    runtime.shutdown_background();
    ended
}

impl Service {
    /// Starts the threads that compute keys, and the threads that compile. They are not waited for: the service can end while they are at work.
    fn start(self: &Arc<Self>) -> io::Result<()> {
        let start = |work: fn(&Self)| {
            let (thread, service) = (thread::Builder::new().stack_size(STACK_BYTES), Arc::clone(self));
            thread.spawn(move || work(&service)).map(drop)
        };
        start(|service| service.bodies.work(true, &service.maker))?;
        (0..self.bounds.jobs).try_for_each(|_| {
            start(|service| service.bodies.work(false, &service.maker))?;
            start(Self::work)
        })
    }

    async fn listen(
        self: &Arc<Self>,
        listener: TcpListener,
        closing: watch::Receiver<bool>,
    ) -> io::Result<usize> {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let router = http::router(Arc::clone(self));
        let Bounds { connections, patience, grace, .. } = self.bounds;
        let connections = listen::accept(listener, router, connections, patience, closing).await;
        self.queue.close();
        let mut replied = tokio::spawn(connections.shutdown());
        let ended = async {
            while !self.queue.is_empty() {
                sleep(LOOK).await;
            }
            let _ = (&mut replied).await;
        };
        if timeout(grace, ended).await.is_ok() {
            return Ok(0);
        }
        let lost = self.queue.give_up();
        let _ = timeout(LAST, replied).await;
        Ok(lost)
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
