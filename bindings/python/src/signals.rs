//! Work that a signal ends: `KeyboardInterrupt` is raised at once, not when a compilation is over.
//!
//! Python takes signals in its main thread only, between two instructions of Python. So another thread does the work of that one, which looks for
//! signals while it waits. The other one ends by itself soon after it was interrupted, and nothing waits for it. All other threads do their work themselves.

use crate::error::library;
use crate::input::Input;
use gcc_grammar::{Error, Options, Source};
use pyo3::prelude::*;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(50);
/// The stack of a thread, that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// Makes something of an input.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    Input { source, options }: &Input,
    work: impl FnOnce(&Source, &Options) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let (source, options) = (source.clone(), Options { interrupt: Default::default(), ..options.clone() });
    let interrupt = options.interrupt.clone();
    waited(py, move || work(&source, &options)).inspect_err(|_| interrupt.set())
}

/// Does work that may take long. If the handler of a signal raises an exception meanwhile, it goes on without a caller.
pub(crate) fn waited<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    if !is_main_thread(py)? {
        return py.detach(work).map_err(|error| library(&error));
    }
    let (give, mut given) = channel();
    let job = move || drop(give.send(catch_unwind(AssertUnwindSafe(work))));
    thread::Builder::new().stack_size(STACK_BYTES).spawn(job)?;
    loop {
        let waiting = &mut given;
        match py.detach(move || waiting.recv_timeout(LOOK)) {
            Ok(Ok(made)) => return made.map_err(|error| library(&error)),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("the thread is gone").into()),
        }
    }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let own = threading.call_method0("get_ident")?;
    own.eq(threading.call_method0("main_thread")?.getattr("ident")?)
}
