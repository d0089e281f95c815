//! What all requests share, and its bounds.

use super::guard::Guard;
use super::metrics::Metrics;
use super::prepare::Bodies;
use super::queue::Queue;
use gcc_grammar_store::make::Maker;
use std::time::Duration;
use tokio::sync::watch;

/// The bounds of the service.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Items that are compiled at once.
    pub(crate) jobs: usize,
    /// Items that wait.
    pub(crate) queue: usize,
    /// Requests for items that are answered at once, and as many for artifacts.
    pub(crate) requests: usize,
    /// Connections.
    pub(crate) connections: usize,
    /// Bytes of a body.
    pub(crate) body: usize,
    /// Levels of brackets in a body.
    pub(crate) nesting: usize,
    /// How long a reply waits for its item.
    pub(crate) wait: Duration,
    /// How long a client may let the service wait.
    pub(crate) patience: Duration,
    /// How long the service continues after it was asked to end.
    pub(crate) grace: Duration,
}

/// What all requests share.
pub(crate) struct Service {
    pub(crate) maker: Maker,
    pub(crate) bodies: Bodies,
    pub(crate) queue: Queue,
    pub(crate) guard: Guard,
    pub(crate) metrics: Metrics,
    pub(crate) bounds: Bounds,
    /// Whether the service was asked to end.
    pub(crate) closing: watch::Receiver<bool>,
}
