//! The connections that are open, within a bound.
//!
//! A connection is *at work* while one of its requests is answered. Otherwise it waits for its client: for the next request, or for the client to take a
//! reply. If there is no place for a new connection, the one is given up that has waited for the longest time, so that clients that do not go on
//! keep nobody out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::sleep;

/// A connection has this time for itself, so that many new ones do not push each other out.
const OWN_TIME: Duration = Duration::from_millis(500);
/// If no connection may be given up, this passes before the next look.
const PAUSE: Duration = Duration::from_millis(20);

/// The connections that are open.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    by_number: BTreeMap<u64, Arc<State>>,
}

struct State {
    /// Since when it has waited for its client; none while it is at work.
    waits: Mutex<Option<Instant>>,
    is_given_up: Notify,
}

/// The place of a connection, which it has as long as the value lives.
pub(super) struct Place {
    number: u64,
    state: Arc<State>,
    all: Arc<Connections>,
}

impl Connections {
    /// The most connections.
    pub(super) fn new(most: usize) -> Self {
        Self { most, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection, as soon as there is one.
    pub(super) async fn place(self: &Arc<Self>) -> Place {
        loop {
            if let Some(place) = self.take() {
                return place;
            }
            self.give_one_up();
            sleep(PAUSE).await;
        }
    }

    fn take(self: &Arc<Self>) -> Option<Place> {
        let mut open = self.open();
        if open.by_number.len() >= self.most {
            return None;
        }
        let state = State { waits: Mutex::new(Some(Instant::now())), is_given_up: Notify::new() };
        let (number, state) = (open.next, Arc::new(state));
        open.next += 1;
        open.by_number.insert(number, Arc::clone(&state));
        Some(Place { number, state, all: Arc::clone(self) })
    }

    /// Gives the connection up that has waited for its client for the longest time.
    fn give_one_up(&self) {
        let open = self.open();
        let waiting = open.by_number.values().filter_map(|state| Some((state.waits()?, state)));
        let longest = waiting.min_by_key(|(since, _)| *since);
        if let Some((_, state)) = longest.filter(|(since, _)| since.elapsed() >= OWN_TIME) {
            state.is_given_up.notify_one();
        }
    }
}

impl State {
    fn waits(&self) -> Option<Instant> {
        *self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, waits: Option<Instant>) {
        *self.waits.lock().unwrap_or_else(PoisonError::into_inner) = waits;
    }
}

impl Place {
    /// The connection is at work.
    pub(super) fn begin(&self) {
        self.state.set(None);
    }

    /// The connection waits for its client.
    pub(super) fn end(&self) {
        self.state.set(Some(Instant::now()));
    }

    /// Waits until the connection is given up.
    pub(super) async fn is_given_up(&self) {
        self.state.is_given_up.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.all.open().by_number.remove(&self.number);
    }
}
