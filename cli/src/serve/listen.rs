//! Connections: accepted within a bound, and let end before the service ends.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// A client has this time for the head of its next request.
const HEAD: Duration = Duration::from_secs(10);
/// The most bytes of a head.
const HEAD_BYTES: usize = 1 << 16;
/// If no connection can be accepted, such as for lack of file descriptors, this passes before the next attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until `closing` becomes true. Returns those that are open then.
pub(crate) async fn accept(
    listener: TcpListener,
    router: Router,
    most: usize,
    mut closing: watch::Receiver<bool>,
) -> GracefulShutdown {
    let (room, connections) = (Arc::new(Semaphore::new(most)), GracefulShutdown::new());
    loop {
        let next = async {
            let slot = Arc::clone(&room).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            next = next => next,
            _ = closing.wait_for(|closing| *closing) => return connections,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Replies are written as a whole.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks is the matter of its client.
            let _ = connection.await;
            drop(slot);
        });
    }
}
