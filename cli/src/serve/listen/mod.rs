//! Connections: accepted within a bound, and let end before the service ends.
//!
//! A client has a bounded time for each head, and has to take what is written to it ([`Paced`]). If all connections are taken, a new one gets the place of the
//! one that has waited for its client for the longest time ([`Connections`]).

mod connections;
mod paced;

use axum::Router;
use axum::extract::Request;
use connections::Connections;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use paced::Paced;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The most bytes of a head.
const HEAD_BYTES: usize = 1 << 16;
/// If no connection can be accepted, such as for lack of file descriptors, this passes before the next attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until `closing` becomes true, `most` at once. Returns those that are open then. A client may let the service wait for `patience`.
pub(crate) async fn accept(
    listener: TcpListener,
    router: Router,
    most: usize,
    patience: Duration,
    mut closing: watch::Receiver<bool>,
) -> GracefulShutdown {
    let (open, graceful) = (Arc::new(Connections::new(most)), GracefulShutdown::new());
    loop {
        let next = async {
            let accepted = listener.accept().await;
            (accepted, open.place().await)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            _ = closing.wait_for(|closing| *closing) => return graceful,
        };
        match accepted {
            Ok((stream, _)) => serve(stream, &router, patience, place, &graceful),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Answers the requests of a connection.
fn serve(
    stream: TcpStream,
    router: &Router,
    patience: Duration,
    place: connections::Place,
    graceful: &GracefulShutdown,
) {
    // Replies are written as a whole.
    let _ = stream.set_nodelay(true);
    let (place, router) = (Arc::new(place), TowerToHyperService::new(router.clone()));
    let answered = Arc::clone(&place);
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let (place, reply) = (Arc::clone(&answered), hyper::service::Service::call(&router, request));
        async move {
            place.begin();
            let reply = reply.await;
            place.end();
            reply
        }
    });
    let mut http = http1::Builder::new();
    // A client may close its half behind its last request, and wait for the reply.
    http.half_close(true);
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(HEAD_BYTES);
    let stream = TokioIo::new(Paced::new(stream, patience));
    let connection = graceful.watch(http.serve_connection(stream, service));
    tokio::spawn(async move {
        tokio::select! {
            // A connection that breaks is the matter of its client.
            _ = connection => {}
            () = place.is_given_up() => {}
        }
    });
}
