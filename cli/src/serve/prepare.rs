//! Keys are computed by threads of their own, before the items of requests go into the queue.
//!
//! The key of most items is a digest. That of a Lark grammar or a structural tag is known when it has been parsed, which may take seconds. So short
//! bodies have a thread of their own, and do not wait for long ones; and nothing that is fetched waits for either.

use axum::body::Bytes;
use gcc_grammar_store::items::Entry;
use gcc_grammar_store::make::{Maker, Outcome, Prepared};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// The most bytes of a short body.
const SHORT: usize = 1 << 14;

/// An item, or the outcome that it cannot be read.
type Read = Result<Prepared, Box<Outcome>>;

struct Wanted {
    body: Bytes,
    reply: oneshot::Sender<Read>,
}

/// The bodies that wait for a thread.
pub(super) struct Bodies {
    short: Lane,
    long: Lane,
}

struct Lane {
    send: SyncSender<Wanted>,
    receive: Mutex<Receiver<Wanted>>,
}

impl Lane {
    fn new(room: usize) -> Self {
        let (send, receive) = sync_channel(room);
        Self { send, receive: Mutex::new(receive) }
    }

    /// Reads the items of the bodies, for ever.
    fn work(&self, maker: &Maker) {
        let next = || self.receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok(Wanted { body, reply }) = next() {
            // Who has gone need not be answered.
            if reply.is_closed() {
                continue;
            }
            let read = catch_unwind(AssertUnwindSafe(|| maker.prepare(&Entry::request(body.into()))));
            // A panic drops the sender, which the receiver sees.
            if let Ok(read) = read {
                let _ = reply.send(read);
            }
        }
    }
}

impl Bodies {
    /// Room for this number of short bodies, and for as many long ones.
    pub(super) fn new(room: usize) -> Self {
        Self { short: Lane::new(room), long: Lane::new(room) }
    }

    /// Reads the items of short bodies, or of long ones, for ever.
    pub(super) fn work(&self, is_short: bool, maker: &Maker) {
        if is_short { self.short.work(maker) } else { self.long.work(maker) }
    }

    /// Asks for the item of a body; none if there is no room.
    pub(super) fn add(&self, body: Bytes) -> Option<oneshot::Receiver<Read>> {
        let (reply, read) = oneshot::channel();
        let lane = if body.len() <= SHORT { &self.short } else { &self.long };
        lane.send.try_send(Wanted { body, reply }).ok().map(|()| read)
    }
}
