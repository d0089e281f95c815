//! Compiles the items of a list into a store, for one or several vocabularies, with several threads. Artifacts that the store has are not compiled again, so a batch that was
//! ended in whatever way continues where it was when it is started again.
//!
//! An item that is refused does not stop the others. In memory are as many items as there are threads, and their outcomes.

use crate::items::Items;
use crate::make::{Maker, Outcome};
use gcc_grammar::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The stack of a thread that compiles, in bytes: that of the main thread on most systems.
pub const STACK_BYTES: usize = 8 << 20;

/// No more threads are started.
pub const MAX_JOBS: usize = 1024;

/// What a batch does with its items.
#[derive(Debug)]
pub struct Batch<'a> {
    /// Each makes all of them: one for each vocabulary.
    pub makers: &'a [Maker],
    /// The number of threads, [`MAX_JOBS`] at most.
    pub jobs: NonZeroUsize,
}

type Sent = Result<Outcome, Error>;

impl Batch<'_> {
    /// Compiles the items. `report` is called for each and each vocabulary, in the order in which they are done.
    ///
    /// # Errors
    /// The items cannot be read any further, or `report` fails; no further items are begun then.
    pub fn run<E: From<Error>>(
        &self,
        items: Items,
        mut report: impl FnMut(Outcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let (items, jobs) = (Mutex::new(items), self.jobs.get().min(MAX_JOBS));
        thread::scope(|scope| {
            // If this closure ends early, the receiver is dropped, and the threads end with the next outcome that they send.
            let (send, receive) = sync_channel(jobs);
            for _ in 0..jobs {
                let (send, items) = (send.clone(), &items);
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                let started = thread.spawn_scoped(scope, move || self.work(items, &send));
                started.map_err(|error| Error::io(Path::new("batch"), "no thread can be started", error))?;
            }
            drop(send);
            receive.into_iter().try_for_each(|sent: Sent| report(sent?))
        })
    }

    fn work(&self, items: &Mutex<Items>, send: &SyncSender<Sent>) {
        loop {
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(entry) = next else { return };
            let is_sent = match entry {
                Ok(entry) => self.makers.iter().all(|maker| send.send(Ok(maker.outcome(&entry))).is_ok()),
                Err(error) => send.send(Err(error)).is_ok(),
            };
            if !is_sent {
                return;
            }
        }
    }
}
