//! The items that wait to be made. Equal items are one: whoever asks for what waits or is being made gets the same outcome.
//!
//! Items are equal if their keys and their limits are. The queue is bounded; an item that is in it will be made, unless the service is given up.

use gcc_grammar::{Key, LimitOptions};
use gcc_grammar_store::make::{Outcome, Prepared};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Receives the outcome of an item, or an error if the item was given up.
pub(crate) type Ticket = watch::Receiver<Option<Arc<Outcome>>>;

type Reply = watch::Sender<Option<Arc<Outcome>>>;

/// An item that waits or is being made.
pub(crate) struct Job {
    pub(crate) prepared: Prepared,
}

/// What became of the wish for an item.
pub(crate) enum Admission {
    /// It waits.
    Accepted(Ticket),
    /// An equal one waits or is being made.
    Joined(Ticket),
    /// There is no room for it.
    Full,
    /// Nothing is accepted any more.
    Closed,
}

/// The queue.
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    room: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// The items that wait, and the items that are being made.
    wanted: HashMap<(Key, LimitOptions), Reply>,
    is_closed: bool,
}

impl Queue {
    /// A queue in which this many items can wait.
    pub(crate) fn new(room: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), room }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wishes for an item.
    pub(crate) fn admit(&self, prepared: Prepared) -> Admission {
        let mut state = self.state();
        if let Some(reply) = state.wanted.get(&prepared.identity()) {
            return Admission::Joined(reply.subscribe());
        }
        if state.is_closed {
            return Admission::Closed;
        }
        if state.waiting.len() >= self.room {
            return Admission::Full;
        }
        let (reply, ticket) = watch::channel(None);
        state.wanted.insert(prepared.identity(), reply);
        state.waiting.push_back(Job { prepared });
        self.changed.notify_one();
        Admission::Accepted(ticket)
    }

    /// The next item; none if the queue is closed and empty.
    pub(crate) fn next(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if let Some(job) = state.waiting.pop_front() {
                return Some(job);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives an outcome to all who wait for it.
    pub(crate) fn finish(&self, job: &Job, outcome: Outcome) {
        let reply = self.state().wanted.remove(&job.prepared.identity());
        if let Some(reply) = reply {
            reply.send_replace(Some(Arc::new(outcome)));
        }
    }

    /// Gives up all items that wait or are being made, and returns their number. Who waits for one gets an error.
    pub(crate) fn give_up(&self) -> usize {
        let mut state = self.state();
        state.waiting.clear();
        std::mem::take(&mut state.wanted).len()
    }

    /// Whether nothing waits or is being made.
    pub(crate) fn is_empty(&self) -> bool {
        self.state().wanted.is_empty()
    }

    /// Accepts nothing any more.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Whether nothing is accepted any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Whether the artifact of a key waits or is being made.
    pub(crate) fn wants(&self, key: Key) -> bool {
        self.state().wanted.keys().any(|(wanted, _)| *wanted == key)
    }

    /// How many items wait, and how many are being made.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let state = self.state();
        (state.waiting.len(), state.wanted.len() - state.waiting.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar::{CompileSession, Packing, Vocabulary};
    use gcc_grammar_store::Store;
    use gcc_grammar_store::items::{Defaults, Entry};
    use gcc_grammar_store::make::{Maker, Status};

    fn maker(folder: &std::path::Path) -> Maker {
        let vocabulary = Vocabulary::from_tokens("v", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary");
        Maker {
            store: Arc::new(Store::open(&folder.to_string_lossy(), None).expect("opened")),
            session: CompileSession::new(&vocabulary),
            packing: Packing::Referenced,
            defaults: Defaults::default(),
            time: None,
        }
    }

    fn prepared(maker: &Maker, pattern: &str, work: u64) -> Prepared {
        let item =
            serde_json::json!({"grammar": pattern, "format": "regex", "options": {"limits": {"work": work}}});
        maker.prepare(&Entry::request(item.to_string().into())).expect("an item")
    }

    #[test]
    fn equal_items_are_one_and_there_is_a_bound() {
        let folder = tempfile::tempdir().expect("a folder");
        let (maker, queue) = (maker(folder.path()), Queue::new(2));
        let admit = |pattern, work| queue.admit(prepared(&maker, pattern, work));
        let Admission::Accepted(a) = admit("a", 1_000_000) else { panic!("accepted") };
        let Admission::Joined(same) = admit("a", 1_000_000) else { panic!("joined") };
        // Another limit may have another outcome.
        assert!(matches!(admit("a", 1), Admission::Accepted(_)));
        assert!(matches!(admit("b", 1), Admission::Full));
        assert_eq!(queue.counts(), (2, 0));
        let job = queue.next().expect("a job");
        assert_eq!(queue.counts(), (1, 1));
        assert!(matches!(admit("a", 1_000_000), Admission::Joined(_)));
        queue.close();
        assert!(matches!(admit("b", 1), Admission::Closed));
        assert!(queue.wants(job.prepared.identity().0));
        queue.finish(&job, maker.make(&job.prepared));
        for ticket in [a, same] {
            assert_eq!(ticket.borrow().as_ref().map(|outcome| outcome.status), Some(Status::Compiled));
        }
        // What was accepted before the end is made.
        let job = queue.next().expect("a job");
        queue.finish(&job, maker.make(&job.prepared));
        assert!(queue.next().is_none() && queue.counts() == (0, 0));
    }

    #[test]
    fn who_waits_for_what_is_given_up_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let (maker, queue) = (maker(folder.path()), Queue::new(2));
        let admit = |pattern| queue.admit(prepared(&maker, pattern, 1_000_000));
        let (Admission::Accepted(running), Admission::Accepted(waiting)) = (admit("a"), admit("b")) else {
            panic!("accepted")
        };
        let job = queue.next().expect("a job");
        assert_eq!((queue.give_up(), queue.is_empty(), queue.counts()), (2, true, (0, 0)));
        assert!(running.has_changed().is_err() && waiting.has_changed().is_err());
        // A thread that is still at work on an item finds nobody who waits.
        queue.finish(&job, maker.make(&job.prepared));
        assert!(running.borrow().is_none());
    }
}
