//! Threads with a large stack that read one deep input after the other.
//!
//! To start a thread may take longer than to read a small input, and its memory comes from the system anew, page by page. So a thread waits for the
//! next input when it has read one. There are as many as inputs are read at a time; of those that wait, a few are kept.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{SendError, Sender, channel};
use std::thread;

/// The stack of a thread: ten times what the deepest inputs take.
const STACK_BYTES: usize = 16 << 20;
/// The most threads that wait.
const MOST_IDLE: usize = 8;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that ends when this is dropped.
struct Reader {
    jobs: Sender<Job>,
    /// A process that was forked has no threads of the other one.
    process: u32,
}

/// The threads that wait. Where this is locked, nobody waits for it: in a process that was forked, it may be for ever.
static IDLE: Mutex<Vec<Reader>> = Mutex::new(Vec::new());

impl Reader {
    /// One that waits, or a new one. `None` where no thread can be started, as in a browser, which has no processes either.
    fn get() -> Option<Self> {
        let idle = IDLE.try_lock().ok().and_then(|mut idle| idle.pop());
        idle.filter(|reader| reader.process == std::process::id()).or_else(Self::start)
    }

    fn start() -> Option<Self> {
        let (jobs, given) = channel::<Job>();
        let reader = thread::Builder::new().name("gcc-grammar-read".to_owned()).stack_size(STACK_BYTES);
        reader.spawn(move || given.iter().for_each(|job| job())).ok()?;
        Some(Self { jobs, process: std::process::id() })
    }

    fn keep(self) {
        if let Ok(mut idle) = IDLE.try_lock()
            && idle.len() < MOST_IDLE
        {
            idle.push(self);
        }
    }
}

/// Does a job on a thread with a large stack, or here if there is none. A panic is one of the caller.
pub(super) fn on_reader<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> T {
    let (answer, answered) = channel();
    // The caller waits for the answer.
    let job: Job = Box::new(move || drop(answer.send(catch_unwind(AssertUnwindSafe(read)))));
    let reader = Reader::get();
    let refused = match &reader {
        Some(reader) => reader.jobs.send(job).err().map(|SendError(job)| job),
        None => Some(job),
    };
    refused.into_iter().for_each(|job| job());
    let answer = answered.recv().expect("each job is done");
    reader.into_iter().for_each(Reader::keep);
    answer.unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_reads_one_input_after_the_other() {
        let name = || thread::current().name().map(str::to_owned);
        assert_eq!(on_reader(name).as_deref(), Some("gcc-grammar-read"));
        let panics = catch_unwind(|| on_reader(|| panic!("of the caller")));
        assert_eq!(panics.unwrap_err().downcast_ref(), Some(&"of the caller"));
        let readers: Vec<_> = (0..2 * MOST_IDLE)
            .map(|number| thread::spawn(move || on_reader(move || on_reader(move || number))))
            .collect();
        for (number, reader) in readers.into_iter().enumerate() {
            assert_eq!(reader.join().expect("no panic"), number);
        }
        assert!((1..=MOST_IDLE).contains(&IDLE.lock().expect("no panic").len()));
    }

    #[test]
    fn a_thread_of_another_process_gets_no_job() {
        let (jobs, _) = channel();
        // Nobody would do the job.
        let reader = Reader { jobs, process: std::process::id() + 1 };
        reader.keep();
        assert_eq!(on_reader(|| 7), 7);
    }
}
